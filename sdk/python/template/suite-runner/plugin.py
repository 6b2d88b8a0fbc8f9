"""A runner for programs that print one line a test: `ok NAME` or `not ok NAME`."""

import re

from code_polishy import CaseOutcome, Execution, ExitCode, Invocation, Outcome, Suite, SuiteRunner, TestCase, Verdict

LINE = re.compile(r"(not )?ok (.*)")


class Plugin(SuiteRunner):
    def plan(self, suite: Suite, options: dict) -> Invocation:
        """Asks the program for plain text."""
        return Invocation(variables={"NO_COLOR": "1"})

    def judge(self, suite: Suite, execution: Execution, options: dict) -> Verdict:
        # Output that was cut is not the whole truth: count on the exit status alone.
        output = execution.output.whole()
        cases = None if output is None else [case for line in output.split("\n") if (case := case_of(line))]
        failed = sum(case.outcome == CaseOutcome.FAILED for case in cases or [])
        ran = "an unknown number of tests" if cases is None else f"{len(cases)} tests"
        return Verdict(outcome(execution.exit, failed), f"{ran}, {failed} failed", cases)


def outcome(exit: object, failed: int) -> Outcome:
    if exit == ExitCode(0) and failed == 0:
        return Outcome.PASSED
    # When it ended badly and no test says why, it did not get to its end.
    return Outcome.FAILED if failed > 0 and exit != ExitCode(0) else Outcome.BROKEN


def case_of(line: str) -> TestCase | None:
    """The test that a line tells of."""
    match = LINE.fullmatch(line.rstrip("\r"))
    if match is None:
        return None
    name = "".join(character for character in match[2] if character.isprintable()).strip()
    if name == "" or len(name) > 1000:
        return None
    return TestCase(name, CaseOutcome.FAILED if match[1] else CaseOutcome.PASSED)
