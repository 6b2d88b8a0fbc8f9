"""Write a Code Polishy plugin in Python.

`plugin.py` defines a class `Plugin` that extends `SuiteRunner`, `PathRoles` or `ReportRenderer`. A plugin runs in CPython without a system: no
clock, no randomness, no files, no network. Equal input has to give equal answers. The same modules run in an ordinary Python, so any test
framework tests a plugin as ordinary code.
"""

from . import log
from .failure import Failure
from .options import Option
from .path_roles import Attribute, PathFact, PathKind, PathRoles, Role
from .report_renderer import Artifact, ReportRenderer
from .suite_runner import (
    CaseOutcome,
    CollectedFile,
    Execution,
    ExitCode,
    ExitSignal,
    ExitTimedOut,
    Invocation,
    Outcome,
    ReportFile,
    Stream,
    Suite,
    SuiteRunner,
    TestCase,
    Verdict,
)

__all__ = [
    "Artifact",
    "Attribute",
    "CaseOutcome",
    "CollectedFile",
    "Execution",
    "ExitCode",
    "ExitSignal",
    "ExitTimedOut",
    "Failure",
    "Invocation",
    "Option",
    "Outcome",
    "PathFact",
    "PathKind",
    "PathRoles",
    "ReportFile",
    "ReportRenderer",
    "Role",
    "Stream",
    "Suite",
    "SuiteRunner",
    "TestCase",
    "Verdict",
    "log",
]
