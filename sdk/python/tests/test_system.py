import unittest

from code_polishy.system import Lines


class Printed(unittest.TestCase):
    def test_each_printed_line_is_a_message(self):
        said: list[str] = []
        lines = Lines(said.append)
        print("found", 3, file=lines)
        print("two\nlines", end="", file=lines)
        self.assertEqual(said, ["found 3", "two"])
        lines.flush()
        lines.flush()
        self.assertEqual(said, ["found 3", "two", "lines"])


if __name__ == "__main__":
    unittest.main()
