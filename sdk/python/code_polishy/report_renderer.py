"""Plugins of the kind `report-renderer`: how a report looks."""

from dataclasses import dataclass
from typing import Any

from .options import Option


@dataclass
class Artifact:
    """A file beside the report."""

    name: str
    """A relative path of at most 4 segments of `A-Za-z0-9._-`, none starting with `.`."""
    media_type: str
    """Such as `text/markdown; charset=utf-8`."""
    content: str | bytes
    """A text becomes UTF-8."""


class ReportRenderer:
    """Draws a finished report. A renderer changes neither the report nor an exit status."""

    KIND = "report-renderer"

    OPTIONS: dict[str, Option] = {}
    """What the policy may say."""

    def render(self, report: dict[str, Any], options: dict[str, Any]) -> list[Artifact]:
        """At least one and at most 64 files.

        `report` is a `code-polishy-report/v1` document: read it leniently, a later minor version may add keys.
        """
        raise NotImplementedError("a renderer has a method `render`")
