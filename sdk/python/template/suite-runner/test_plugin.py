import unittest

from code_polishy import Execution, ExitCode, Outcome, Stream, Suite
from plugin import Plugin


def judged(output: str, status: int):
    suite = Suite(name="unit", kind="unit", argv=["./test"], cwd=".")
    return Plugin().judge(suite, Execution(ExitCode(status), Stream.of(output)), {})


class Judge(unittest.TestCase):
    def test_each_line_is_a_case(self):
        verdict = judged("ok adds\nnot ok divides\nnoise\n", 1)
        self.assertEqual((verdict.outcome, verdict.summary), (Outcome.FAILED, "2 tests, 1 failed"))
        self.assertEqual([case.name for case in verdict.cases], ["adds", "divides"])

    def test_a_bad_end_without_a_failed_case_is_broken(self):
        self.assertEqual(judged("ok adds\n", 2).outcome, Outcome.BROKEN)
        self.assertEqual(judged("ok adds\n", 0).outcome, Outcome.PASSED)


if __name__ == "__main__":
    unittest.main()
