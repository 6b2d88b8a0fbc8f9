import unittest

from code_polishy import Stream, log


class Streams(unittest.TestCase):
    def test_a_whole_stream_is_text_whatever_its_bytes(self):
        self.assertEqual(Stream(b"a\xffb", b"c", 4).whole(), "a\ufffdbc")
        self.assertEqual(Stream.of("a\r\nb\n\nc").lines(), ["a", "b", "", "c"])
        self.assertEqual(Stream.of("").lines(), [])
        self.assertEqual(Stream(b"one\nt", b"wo", 7).lines(), ["one", "two"])

    def test_lines_that_were_cut_are_left_out(self):
        cut = Stream(b"one\ntwo\nthr", b"ix\nseven\n", 100)
        self.assertIsNone(cut.whole())
        self.assertEqual(cut.lines(), ["one", "two", "seven"])
        self.assertEqual(Stream(b"one", b"seven", 100).lines(), [])

    def test_tests_see_what_was_written(self):
        log.warning("odd")
        self.assertEqual(log.take(), [("warning", "odd")])
        self.assertEqual(log.take(), [])


if __name__ == "__main__":
    unittest.main()
