"""Messages to the user: diagnostics, and part of no answer.

The host shows them when a call fails, and with `--verbose`. It cuts a message at 16 KiB and drops those after the 256th of one call. In an
ordinary Python nothing is shown: `take` returns what was written.
"""

from collections.abc import Callable
from typing import Literal

Level = Literal["debug", "info", "warning", "error"]

_written: list[tuple[Level, str]] = []


def _keep(level: Level, message: str) -> None:
    _written.append((level, message))


_sink: Callable[[Level, str], None] = _keep


def debug(message: str) -> None:
    """For the plugin's author."""
    _sink("debug", message)


def info(message: str) -> None:
    """Tells the user what happens."""
    _sink("info", message)


def warning(message: str) -> None:
    """Something odd that the plugin could live with."""
    _sink("warning", message)


def error(message: str) -> None:
    """What went wrong."""
    _sink("error", message)


def take() -> list[tuple[Level, str]]:
    """What was written since the last call, oldest first; for tests."""
    taken = _written.copy()
    _written.clear()
    return taken


def send_to(write: Callable[[Level, str], None]) -> None:
    """Sends messages to the host from now on."""
    global _sink
    _sink = write
