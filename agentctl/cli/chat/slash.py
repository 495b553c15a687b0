"""What a line that starts with a slash means in a conversation."""

from __future__ import annotations

import re

from agentctl.errors import UsageError, did_you_mean

HELP = {
    "/exit": "end the conversation (also /quit, Ctrl-D)",
    "/help": "this list",
    "/new": "go on in a new session",
}
ENDINGS = ("/exit", "/quit")

# Paths and code start with a slash too; a command is one plain word.
_WORD = re.compile(r"/[a-z]+\Z")


def read_command(line: str) -> str | None:
    """The command in a line, None where it is a message. Raises UsageError for a command that is none.

    Two slashes start a message that begins with one.
    """
    word = line.strip()
    if not _WORD.match(word):
        return None
    if word in ENDINGS or word in HELP:
        return word
    raise UsageError(
        f'no command "{word}"{did_you_mean(word, (*HELP, *ENDINGS))}',
        hint=f"/help lists them; a message that starts so is written /{word}",
    )


def read_message(line: str) -> str:
    """A line as it is sent: of two slashes at its start one goes."""
    return line[1:] if line.startswith("//") else line
