"""Plugins of the kind `suite-runner`: how a test suite is run and what its output means."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from .options import Option


@dataclass
class Suite:
    """A suite as the policy defines it."""

    name: str
    kind: str
    """Such as `unit`, `integration`, `e2e`."""
    argv: list[str]
    """The configured program and arguments."""
    cwd: str
    """The folder that the suite runs in; `.` for the repository's root."""
    options: str = "{}"
    """JSON text; a plugin gets them read, as its last argument."""


@dataclass
class ReportFile:
    """A file that the suite writes and `judge` wants to see."""

    path: str
    """Relative to the suite's `cwd`, contained in it; deleted before the run."""
    max_bytes: int
    """At most 8 MiB."""


@dataclass
class Invocation:
    """What a runner adds to the configured command."""

    arguments: list[str] = field(default_factory=list)
    """Appended to `argv`."""
    variables: dict[str, str] = field(default_factory=dict)
    """Any of `NO_COLOR`, `CARGO_TERM_COLOR`, `PYTHONUNBUFFERED`, `PYTHONDONTWRITEBYTECODE`."""
    reports: list[ReportFile] = field(default_factory=list)


@dataclass
class ExitCode:
    """The process ended by itself."""

    value: int


@dataclass
class ExitSignal:
    """A signal ended the process: the host judges that, and does not ask."""

    value: int


@dataclass
class ExitTimedOut:
    """The process took too long: the host judges that, and does not ask."""


@dataclass
class Stream:
    """An output stream: its first and its last bytes."""

    head: bytes
    tail: bytes
    total: int
    """Bytes written by the suite."""

    @classmethod
    def of(cls, text: str) -> "Stream":
        """A stream that is whole; for tests."""
        head = text.encode()
        return cls(head, b"", len(head))

    def whole(self) -> str | None:
        """The whole stream as text, or `None` when the host had to leave out its middle. What is no UTF-8 becomes U+FFFD."""
        return _text(self.head + self.tail) if self._is_whole() else None

    def lines(self) -> list[str]:
        """The lines without their ends. When the middle is missing, so are the two lines that were cut."""
        if self._is_whole():
            return _lines(self.head + self.tail)
        head, _, _ = self.head.rpartition(b"\n")
        _, _, tail = self.tail.partition(b"\n")
        return _lines(head) + _lines(tail)

    def _is_whole(self) -> bool:
        return len(self.head) + len(self.tail) == self.total


@dataclass
class CollectedFile:
    """A report file after the run."""

    path: str
    """As named in `ReportFile`."""
    content: bytes
    truncated: bool = False
    """The file was longer than `max_bytes`."""


@dataclass
class Execution:
    """How the process ended, and what it left."""

    exit: ExitCode | ExitSignal | ExitTimedOut
    output: Stream
    errors: Stream = field(default_factory=lambda: Stream(b"", b"", 0))
    files: list[CollectedFile] = field(default_factory=list)
    """The report files that exist after the run, in the order they were named."""


class Outcome(Enum):
    """What a run means."""

    PASSED = "passed"
    """Every test that ran passed."""
    FAILED = "failed"
    """The tests ran and at least one failed."""
    BROKEN = "broken"
    """The tests could not be built, collected or loaded."""
    NO_TESTS = "no-tests"
    """Nothing ran."""


class CaseOutcome(Enum):
    """What a single test did."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass
class TestCase:
    """A single test."""

    __test__ = False
    """Test frameworks collect classes by their names."""

    name: str
    """Unique in the run; the same test has the same name in every run."""
    outcome: CaseOutcome
    message: str | None = None
    """Why it failed, at most 4 KiB."""
    path: str | None = None
    """Relative to the repository's root."""
    line: int | None = None
    """From 1."""


@dataclass
class Verdict:
    """A runner's judgement."""

    outcome: Outcome
    summary: str
    """One line for people, at most 1 KiB."""
    cases: list[TestCase] | None = None
    """`None` when only the exit status is known; an empty list means that no test ran."""


class SuiteRunner:
    """Says how a suite is run and what came of it. The host runs the process; a runner never does."""

    KIND = "suite-runner"

    OPTIONS: dict[str, Option] = {}
    """What the policy may say."""

    def plan(self, suite: Suite, options: dict[str, Any]) -> Invocation:
        """What to add to the suite's command; nothing by default."""
        return Invocation()

    def judge(self, suite: Suite, execution: Execution, options: dict[str, Any]) -> Verdict:
        """What the run means."""
        raise NotImplementedError("a suite runner has a method `judge`")


def _text(stream: bytes) -> str:
    return stream.decode("utf-8", "replace")


def _lines(stream: bytes) -> list[str]:
    lines = [line.removesuffix("\r") for line in _text(stream).split("\n")]
    return lines[:-1] if lines[-1] == "" else lines
