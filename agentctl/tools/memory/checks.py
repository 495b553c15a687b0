"""Which fields each command needs and takes: everything that is wrong with a call, in one go."""

from __future__ import annotations

from agentctl.tools.memory.config import MemoryArguments
from agentctl.tools.memory.paths import ROOT, find_fault

_NEEDS = {
    "view": ("path",),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}
_MAY_HAVE = {"view": ("view_range",), "str_replace": ("new_str",)}


def find_faults(arguments: MemoryArguments, most: int) -> list[str]:
    """One line for each fault; `most` is the limit of a file."""
    command = arguments.command
    needed = _NEEDS[command]
    given = {name for name, each in vars(arguments).items() if name != "command" and each is not None}
    foreign = given - {*needed, *_MAY_HAVE.get(command, ())}
    faults = [f"{name} does not belong to {command}" for name in sorted(foreign)]
    faults += [f"{command} needs {name}" for name in needed if name not in given]
    for name in ("path", "old_path", "new_path"):
        path = getattr(arguments, name)
        fault = find_fault(path) if path is not None else None
        faults += [f"{name} {fault}"] if fault else []
        if path is not None and not fault and command != "view" and path.rstrip("/") == ROOT:
            faults.append(f"{name} must be below {ROOT}")
    if arguments.old_str == "":
        faults.append("old_str must not be empty")
    if arguments.file_text is not None and len(arguments.file_text) > most:
        faults.append(
            f"file_text exceeds the maximum length: {len(arguments.file_text):,} of {most:,} characters"
        )
    return faults
