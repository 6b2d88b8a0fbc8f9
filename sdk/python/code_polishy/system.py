"""What a component has no system for: asking gives an error with words, where the stub below would end the call without any."""

import builtins
import io
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from . import log


def remove_system() -> None:
    """Changes the interpreter of the component that is being built."""
    for clock in ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "localtime", "gmtime", "sleep"):
        setattr(time, clock, _refused("clock"))
    os.urandom = _refused("randomness")
    builtins.open = io.open = _refused("files")
    sys.stdout = Lines(log.info)
    sys.stderr = Lines(log.warning)


class Lines(io.TextIOBase):
    """What is printed, as messages: one a line."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._begun = ""

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._write(line)
        return len(text)

    def flush(self) -> None:
        """Sends a line that has no end yet."""
        begun, self._begun = self._begun, ""
        if begun:
            self._write(begun)


def _refused(what: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise RuntimeError(f"a plugin has no {what}: equal input has to give equal answers")

    return refuse
