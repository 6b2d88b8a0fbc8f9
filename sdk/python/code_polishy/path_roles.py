"""Plugins of the kind `path-roles`: what part a path plays in the repository."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from .options import Option


class PathKind(Enum):
    """What a path points at. A submodule is a `GITLINK`."""

    FILE = "file"
    LINK = "link"
    GITLINK = "gitlink"


@dataclass
class Attribute:
    """A `linguist-*` git attribute that the tree gives the path: `true`, `false` or its text."""

    name: str
    value: str


@dataclass
class PathFact:
    """What is known about a path in one tree."""

    path: str
    kind: PathKind = PathKind.FILE
    executable: bool = False
    size: int = 0
    """Bytes of the blob; 0 for a gitlink."""
    head: bytes = b""
    """The first 4 KiB of the blob; empty for a gitlink."""
    attributes: list[Attribute] = field(default_factory=list)


class Role(Enum):
    """What part a path plays."""

    GENERATED = "generated"
    PRODUCT_INPUT = "product-input"
    FIXTURE = "fixture"
    TEST = "test"
    DEVELOPMENT = "development"
    PLAN = "plan"
    CHANGELOG = "changelog"
    CURRENT_STATE_DOCUMENTATION = "current-state-documentation"
    PRODUCTION_SOURCE = "production-source"


class PathRoles:
    """Says what part each path plays in the repository."""

    KIND = "path-roles"

    OPTIONS: dict[str, Option] = {}
    """What the policy may say."""

    def role(self, fact: PathFact, options: dict[str, Any]) -> Role | None:
        """The role of one path; `None` leaves it to the next plugin. A call has at most 100,000 paths."""
        raise NotImplementedError("a plugin for path roles has a method `role`")
