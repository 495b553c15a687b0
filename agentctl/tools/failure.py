"""What a tool raises when a call cannot be done."""

# Apart from the base, so that guarded code loads nothing heavy.

from __future__ import annotations


class ToolError(Exception):
    """A call failed in a way that the model should read: the message goes back to it as the result.

    `data` is what there is all the same, for scripts.
    """

    def __init__(self, message: str, *, data: object = None) -> None:
        super().__init__(message)
        self.data = data


class ToolTimeoutError(ToolError):
    """A call was stopped because it took longer than it may."""
