"""The environment of a program that a tool starts: the little it needs, no keys, nothing of agentctl."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

# Tells an agentctl that such a program starts that nobody is there to consent to anything. Its text is new
# for every call, so that the processes of the call can be told from others.
MARKER = "AGENTCTL_INSIDE_TOOL"
PASSED = (
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "LOGNAME",
    "PATH",
    "TMPDIR",
    "TZ",
    "USER",
)


def build_environment(
    variables: Sequence[str], find_variable: Callable[[str], str | None], token: str
) -> dict[str, str]:
    """What a program gets: PASSED and `variables` (NAME or NAME=text); names that are not set are left out.

    Folders of PATH that depend on where a program runs are left out: it runs where others can write.
    """
    found = {name: find_variable(name) for name in PASSED}
    for variable in variables:
        name, is_set, text = variable.partition("=")
        found[name] = text if is_set else find_variable(name)
    environment = {name: text for name, text in found.items() if text is not None}
    path = environment.get("PATH", os.defpath).split(os.pathsep)
    environment["PATH"] = os.pathsep.join(folder for folder in path if os.path.isabs(folder))
    environment.setdefault("TERM", "dumb")
    environment[MARKER] = token
    return environment
