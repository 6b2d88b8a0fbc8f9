"""A renderer behind the bindings."""

import json
from typing import Any

from wit_world.exports import report_renderer as wit

from . import report_renderer as sdk
from .guard import guarded, text
from .options import read


def interface(plugin: sdk.ReportRenderer) -> type:
    """The class that the bindings ask for."""

    def render(report: str, options: str) -> list[wit.Artifact]:
        return [_artifact(said) for said in plugin.render(json.loads(report), read(plugin.OPTIONS, options))]

    class Exported:
        def render(self, report: str, options: str) -> list[wit.Artifact]:
            return guarded(render)(report, options)

    return Exported


def _artifact(said: sdk.Artifact) -> wit.Artifact:
    content = said.content.encode("utf-8", "replace") if isinstance(said.content, str) else bytes(said.content)
    return wit.Artifact(text(said.name), text(said.media_type), content)
