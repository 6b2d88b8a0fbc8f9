"""Writes `summary.txt`: how the gate ended, and a line for each finding."""

from typing import Any

from code_polishy import Artifact, Failure, ReportRenderer


class Plugin(ReportRenderer):
    def render(self, report: dict, options: dict) -> list[Artifact]:
        if report.get("protocol") != "code-polishy-report/v1":
            raise Failure("unknown-report", "the document is no code-polishy-report/v1", "use a newer renderer")
        return [Artifact("summary.txt", "text/plain; charset=utf-8", summary(report))]


def summary(report: dict) -> str:
    """Reads leniently: what a report does not have is left out."""
    lines = [f"{line(report.get('gate'))} gate: {line(report.get('status'))}"]
    lines += [f"- {line(finding.get('subject'))}: {line(finding.get('message'))}" for finding in report.get("findings", [])]
    return "\n".join(lines) + "\n"


def line(value: Any) -> str:
    """A report quotes what others wrote: text that cannot end the line it stands in."""
    if not isinstance(value, str):
        return "unknown"
    return "".join(character if character.isprintable() else " " for character in value)
