"""Between a plugin's exceptions and the contract's failures."""

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from componentize_py_types import Err
from wit_world.imports import types

from . import log
from .failure import Failure


def guarded(ask: Callable[..., Any]) -> Callable[..., Any]:
    """The same call; what it raises is a `failure` of the contract, and a mistake of the plugin is told with its place."""

    def call(*facts: Any) -> Any:
        try:
            return ask(*facts)
        except Failure as failure:
            raise _failure(failure.code, failure.message, failure.hint) from None
        # Also what `sys.exit` raises: there is no process to end.
        except BaseException as mistake:
            said = f"{type(mistake).__name__}: {mistake}"
            log.error("\n".join([said, *_frames(mistake.__traceback__)]))
            raise _failure("uncaught-exception", said, "this is a mistake in the plugin; what it logged says where") from None
        finally:
            # What was printed last may have no line end.
            sys.stdout.flush()
            sys.stderr.flush()

    return call


def text(said: str) -> str:
    """The same text without halves of surrogate pairs, which no component may return."""
    return said.encode("utf-8", "replace").decode()


def _failure(code: str, message: str, hint: str) -> Err:
    return Err(types.Failure(text(code), text(message), text(hint)))


def _frames(trace: TracebackType | None) -> list[str]:
    """Innermost last. The `traceback` module would read the sources, and there are no files."""
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"  {code.co_filename}:{trace.tb_lineno} in {code.co_name}")
        trace = trace.tb_next
    return frames
