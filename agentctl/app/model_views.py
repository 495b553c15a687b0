"""How the resolution and the test of a model are shown: whole as JSON and YAML, in lines to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.render.output import Output

CANDIDATE = ("model", "reason", "provider", "kind", "base_url", "key", "key_present", "status")
CHECK = ("check", "status", "detail", "hint")
_WHOLE = ("json", "yaml")


def show_resolution(output: Output, found: Mapping[str, Any]) -> None:
    """The chosen model, every source, and the fallbacks; as rows the models alone."""
    if output.format in _WHOLE:
        output.one(found)
    elif output.format in (None, "table"):
        output.text("\n".join(_resolution_lines(found)))
    else:
        output.rows([found, *found["fallbacks"]], CANDIDATE)


def show_test(output: Output, found: Mapping[str, Any]) -> int:
    """What was tried and what came of it; returns the exit code."""
    if output.format in _WHOLE:
        output.one(found)
    else:
        output.rows(found["checks"], CHECK)
    return int(found["exit_code"])


def _resolution_lines(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"{found['model']}: {found['reason']}"
    yield ""
    width = max(len(source["source"]) for source in found["sources"])
    for source in found["sources"]:
        mark = "->" if source["chosen"] else "  "
        yield f"{mark} {source['source']:{width}}  {', then '.join(source['models']) or '-'}"
    yield ""
    for candidate in (found, *found["fallbacks"]):
        yield f"{candidate['model']}: {candidate['kind']}, {_where(candidate)}, {_key_words(candidate)}"


def _where(candidate: Mapping[str, Any]) -> str:
    return f"at {candidate['base_url']}" if candidate["base_url"] else "on this machine"


def _key_words(candidate: Mapping[str, Any]) -> str:
    if candidate["key"] is None:
        return f"without a key, {candidate['status']}"
    words = {True: "is there", False: "is missing", None: "tells when it is run"}
    return f"{candidate['key']} {words[candidate['key_present']]}"
