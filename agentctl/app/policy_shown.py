"""How the explanation of a policy is shown: whole as JSON and YAML, in lines to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.render.controls import show_controls
from agentctl.render.output import Output

COLUMNS = ("part", "says", "decides", "rule", "place", "grant", "reason")


def show_explanation(output: Output, found: Mapping[str, Any]) -> None:
    """What decides and what the others say; as rows the parts of the order alone."""
    if output.format in ("json", "yaml"):
        output.one(found)
    elif output.format in (None, "table"):
        output.text("\n".join(_lines(found)))
    else:
        output.rows(found["parts"], COLUMNS)
    for fault in found["faults"]:
        output.streams.note(f"note: such a call is refused before that: {fault}")


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    call = found["tool"] if found["action"] is None else f"{found['tool']}:{found['action']}"
    yield f"{found['decision']}: {call} by {found['agent']}, by {_words(found)}"
    yield f"So {found['then']}."
    yield ""
    width = max(len(row["part"]) for row in found["parts"])
    for row in found["parts"]:
        mark = "->" if row["decides"] else "  "
        yield f"{mark} {row['part']:{width}}  {row['says'] or '-':5}  {_details(row)}".rstrip()


def _words(found: Mapping[str, Any]) -> str:
    return found["part"] if found["rule"] is None else f"{show_controls(found['rule'])} ({found['place']})"


def _details(row: Mapping[str, Any]) -> str:
    details = [row["rule"], row["place"], row["grant"], row["reason"]]
    return "  ".join(show_controls(str(each)) for each in details if each)
