"""A suite runner behind the bindings."""

from typing import Any

from wit_world.exports import suite_runner as wit

from . import suite_runner as sdk
from .guard import guarded, text
from .options import read

_LARGEST = 0xFFFF_FFFF


def interface(plugin: sdk.SuiteRunner) -> type:
    """The class that the bindings ask for."""

    def plan(suite: Any) -> wit.Invocation:
        return _invocation(plugin.plan(_suite(suite), read(plugin.OPTIONS, suite.options)))

    def judge(suite: Any, execution: Any) -> wit.Verdict:
        options = read(plugin.OPTIONS, suite.options)
        return _verdict(plugin.judge(_suite(suite), _execution(execution), options))

    class Exported:
        def plan(self, suite: Any) -> wit.Invocation:
            return guarded(plan)(suite)

        def judge(self, suite: Any, execution: Any) -> wit.Verdict:
            return guarded(judge)(suite, execution)

    return Exported


def _suite(suite: Any) -> sdk.Suite:
    return sdk.Suite(suite.name, suite.kind, suite.argv, suite.cwd, suite.options)


def _execution(run: Any) -> sdk.Execution:
    files = [sdk.CollectedFile(file.path, file.content, file.truncated) for file in run.files]
    return sdk.Execution(_exit(run.exit), _stream(run.output), _stream(run.errors), files)


def _exit(ended: Any) -> sdk.ExitCode | sdk.ExitSignal | sdk.ExitTimedOut:
    if isinstance(ended, wit.Exit_Code):
        return sdk.ExitCode(ended.value)
    return sdk.ExitSignal(ended.value) if isinstance(ended, wit.Exit_Signal) else sdk.ExitTimedOut()


def _stream(stream: Any) -> sdk.Stream:
    return sdk.Stream(stream.head, stream.tail, stream.total)


def _invocation(said: sdk.Invocation) -> wit.Invocation:
    variables = [wit.Variable(text(name), text(value)) for name, value in said.variables.items()]
    reports = [wit.ReportFile(text(report.path), _count("max_bytes", report.max_bytes)) for report in said.reports]
    return wit.Invocation([text(word) for word in said.arguments], variables, reports)


def _verdict(said: sdk.Verdict) -> wit.Verdict:
    cases = None if said.cases is None else [_case(case) for case in said.cases]
    return wit.Verdict(wit.Outcome[sdk.Outcome(said.outcome).name], cases, text(said.summary))


def _case(said: sdk.TestCase) -> wit.TestCase:
    outcome = wit.CaseOutcome[sdk.CaseOutcome(said.outcome).name]
    message = None if said.message is None else text(said.message)
    path = None if said.path is None else text(said.path)
    line = None if said.line is None else _count("line", said.line)
    return wit.TestCase(text(said.name), outcome, message, path, line)


def _count(what: str, said: int) -> int:
    """A number that the bindings can carry."""
    if not isinstance(said, int) or not 0 <= said <= _LARGEST:
        raise ValueError(f"`{what}` is {said!r} and should be a whole number")
    return said
