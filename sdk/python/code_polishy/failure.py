"""Requests that a plugin cannot fulfil."""


class Failure(Exception):
    """A request that the plugin understood and cannot fulfil: raise it. It fails the command that asked, and the user reads it.

    `code` is lower-case words separated by `-`, at most 80 characters; `message` says in one sentence what is wrong, `hint` what the user does
    next.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
