"""Options, read strictly: what a plugin does not describe never reaches it."""

import copy
import json
from typing import Any

from .failure import Failure

Option = dict[str, Any]
"""One option, in the words of JSON Schema: `type` and, as far as they are wanted, `default`, `description`, `enum`, `items` of an array and
`properties` of an object."""

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}


def schema(options: dict[str, Option]) -> str:
    """The JSON Schema text of an options object."""
    return json.dumps(_closed({"type": "object", "properties": options}))


def read(options: dict[str, Option], said: str) -> dict[str, Any]:
    """The options of a call, with defaults; an option without one is `None`.

    A text that is not one object, an unknown key and a wrong type are a failure with the code `bad-options`.
    """
    try:
        value = json.loads(said)
    except ValueError:
        raise _bad("the options are not one JSON object") from None
    return _object(value, options, "")


def _object(value: Any, properties: dict[str, Option], where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _bad(f"{where or 'the options'} is no object")
    for key in value:
        if key not in properties:
            raise _bad(f"unknown option `{_inside(where, key)}`")
    # A copy of a default: a plugin that changes its options changes nobody else's.
    return {
        key: _one(value[key], option, _inside(where, key)) if key in value else copy.deepcopy(option.get("default"))
        for key, option in properties.items()
    }


def _one(value: Any, option: Option, where: str) -> Any:
    kind = option["type"]
    # Python calls a boolean an integer.
    if not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        raise _bad(f"the option `{where}` is no {kind}")
    if "enum" in option and value not in option["enum"]:
        raise _bad(f"the option `{where}` is none of {', '.join(json.dumps(allowed) for allowed in option['enum'])}")
    if kind == "array" and "items" in option:
        return [_one(item, option["items"], f"{where}.{index}") for index, item in enumerate(value)]
    return _object(value, option["properties"], where) if "properties" in option else value


def _closed(option: Option) -> Option:
    """The same with no other keys than the described ones, at every depth."""
    closed = dict(option)
    if "items" in option:
        closed["items"] = _closed(option["items"])
    if "properties" in option:
        closed["properties"] = {key: _closed(inner) for key, inner in option["properties"].items()}
        closed["additionalProperties"] = False
    return closed


def _inside(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _bad(message: str) -> Failure:
    return Failure("bad-options", message, "correct the plugin's options in the policy")
