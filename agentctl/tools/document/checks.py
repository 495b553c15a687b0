"""Which fields each action needs and takes: everything that is wrong with a call, in one go."""

from __future__ import annotations

from agentctl.tools.document.config import DocumentArguments

_UPDATES = ("title", "content", "summary", "tags")
_TAKES = {
    "create": {"title", "content", "type", "summary", "tags", "tier", "session_id"},
    "read": {"id", "q", "filter_type", "page", "page_size", "cursor", "full_content"},
    "update": {"id", "title", "content", "summary", "tags"},
    "delete": {"id"},
    "list": {"q", "filter_type", "page", "page_size", "cursor"},
}


def find_faults(arguments: DocumentArguments, most: int) -> list[str]:
    """One line for each fault; `most` is the limit of the content."""
    action = arguments.action
    given = {name for name, each in vars(arguments).items() if name != "action" and each not in (None, False)}
    faults = [f"{name} does not belong to {action}" for name in sorted(given - _TAKES[action])]
    faults += [f"{action} needs {name}" for name in _find_missing(arguments)]
    faults += [
        f"{name} must not be empty"
        for name in ("title", "content", "id", "q")
        if (text := getattr(arguments, name)) is not None and not text.strip()
    ]
    if arguments.content is not None and len(arguments.content) > most:
        faults.append(
            f"content exceeds the maximum length: {len(arguments.content):,} of {most:,} characters"
        )
    return faults


def _find_missing(arguments: DocumentArguments) -> list[str]:
    match arguments.action:
        case "create":
            return [name for name in ("title", "content") if getattr(arguments, name) is None]
        case "read":
            return [] if arguments.id or arguments.q else ["id or q"]
        case "update":
            changes = any(getattr(arguments, name) is not None for name in _UPDATES)
            missing = [] if arguments.id else ["id"]
            return missing if changes else [*missing, f"one of {', '.join(_UPDATES)}"]
        case "delete":
            return [] if arguments.id else ["id"]
    return []
