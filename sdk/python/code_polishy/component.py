"""A plugin under the contract's names.

Only `code-polishy plugin build` imports this module and those that it imports: the bindings exist inside a component alone, and those of one kind.
"""

from typing import Any

from wit_world.imports import log as host_log
from wit_world.imports import types

from . import log
from .guard import text
from .options import schema
from .system import remove_system


def component(plugin: Any, manifest: dict[str, str]) -> tuple[type, type]:
    """The component's exports: what every plugin says about itself, and the interface of its kind."""
    kind = getattr(plugin, "KIND", None)
    if kind != manifest["kind"]:
        raise TypeError(f"pyproject.toml calls the plugin a {manifest['kind']}, the class `Plugin` is {kind or 'of no kind'}")
    remove_system()
    log.send_to(lambda level, message: host_log.write(host_log.Level[level.upper()], text(str(message))))
    described = types.Description(manifest["name"], manifest["version"], manifest["summary"], schema(plugin.OPTIONS))

    class WitWorld:
        def describe(self) -> types.Description:
            return described

    return WitWorld, _interface(kind, plugin())


def _interface(kind: str, plugin: Any) -> type:
    if kind == "suite-runner":
        from .export_suite_runner import interface
    elif kind == "path-roles":
        from .export_path_roles import interface
    else:
        from .export_report_renderer import interface
    return interface(plugin)
