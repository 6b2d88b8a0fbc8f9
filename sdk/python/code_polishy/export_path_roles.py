"""A classifier behind the bindings."""

from typing import Any

from wit_world.exports import path_roles as wit

from . import path_roles as sdk
from .guard import guarded
from .options import read

_KINDS = {wit.PathKind[kind.name]: kind for kind in sdk.PathKind}
_ROLES = {role: wit.Role[role.name] for role in sdk.Role}


def interface(plugin: sdk.PathRoles) -> type:
    """The class that the bindings ask for."""

    def classify(paths: list[Any], options: str) -> list[wit.Role | None]:
        known = read(plugin.OPTIONS, options)
        return [_role(plugin.role(_fact(fact), known)) for fact in paths]

    class Exported:
        def classify(self, paths: list[Any], options: str) -> list[wit.Role | None]:
            return guarded(classify)(paths, options)

    return Exported


def _fact(fact: Any) -> sdk.PathFact:
    attributes = [sdk.Attribute(attribute.name, attribute.value) for attribute in fact.attributes]
    return sdk.PathFact(fact.path, _KINDS[fact.kind], fact.executable, fact.size, fact.head, attributes)


def _role(said: sdk.Role | None) -> wit.Role | None:
    return None if said is None else _ROLES[sdk.Role(said)]
