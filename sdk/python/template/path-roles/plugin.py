"""Calls a path generated when it lies in one of the named folders, or says so in its first lines. Other plugins answer for the rest."""

from code_polishy import PathFact, PathRoles, Role


class Plugin(PathRoles):
    OPTIONS = {
        "folders": {
            "type": "array",
            "items": {"type": "string"},
            "default": ["generated"],
            "description": "Names of folders, wherever they are",
        },
    }

    def role(self, fact: PathFact, options: dict) -> Role | None:
        folders = fact.path.split("/")[:-1]
        in_folder = any(folder in options["folders"] for folder in folders)
        return Role.GENERATED if in_folder or says_so(fact.head) else None


def says_so(head: bytes) -> bool:
    """The mark that many generators put into the head of a file."""
    # In two parts, so that this file is not taken for one of those.
    mark = b"@" + b"generated"
    return any(mark in line for line in head.split(b"\n")[:5])
