"""The first of two requests: which tool, if any, a small model needs for what the user said."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentctl.providers.arguments import read_arguments
from agentctl.providers.base import ToolSchema
from agentctl.providers.local.examples import EXAMPLES, TALK
from agentctl.providers.local.verbatim import CUT_LENGTH, mend

Wire = dict[str, Any]

NONE = "none"
MAX_TOKENS = 256
LONGEST_REQUEST = 1200
_LONGEST_DESCRIPTION = 160
_MOST_TOOLS = 40
_IGNORED = ("default", "description", "maxLength", "minLength", "pattern", "title")
_INSTRUCTION = (
    'You choose the tool for a request. Answer with one JSON object: {"tool": NAME, "arguments": {...}}.\n'
    "Tools:\n"
)
_NO_TOOL = f"- {NONE}: no tool is needed: talk, questions about the world, explaining, writing, code."


@dataclass(frozen=True, slots=True)
class Choice:
    """The tool that was chosen, and its arguments."""

    name: str
    arguments: Mapping[str, Any]


def build_prefix(tools: Sequence[ToolSchema]) -> list[Wire]:
    """The part of the prompt that depends on the tools alone: what they are, and examples."""
    listed = "\n".join([_list_tool(tool) for tool in tools[:_MOST_TOOLS]] + [_NO_TOOL])
    messages = [{"role": "system", "content": _INSTRUCTION + listed}]
    for request, choice in _examples(tools):
        messages += _exchange(request, choice)
    return messages


def build_request(text: str, before: Sequence[tuple[str, Choice | None]] = ()) -> list[Wire]:
    """The rest of the prompt: what was chosen for earlier requests, and the request itself."""
    messages: list[Wire] = []
    for earlier, choice in before:
        messages += _exchange(_shorten(earlier), choice)
    return [*messages, {"role": "user", "content": _shorten(text)}]


def build_schema(tools: Sequence[ToolSchema]) -> dict[str, Any]:
    """The JSON Schema that the answer is held to: one of the tools with its arguments, or none."""
    choices: list[dict[str, Any]] = [_object({"tool": {"const": NONE}})]
    for tool in tools[:_MOST_TOOLS]:
        choices.append(_object({"tool": {"const": tool.name}, "arguments": _bound(tool.parameters)}))
    return {"anyOf": choices}


def read_choice(answer: str, tools: Sequence[ToolSchema], request: str) -> Choice | None:
    """The choice in `answer`; None for no tool and for anything that is no whole choice."""
    said = read_arguments(answer) or {}
    name, arguments = said.get("tool"), said.get("arguments")
    if not isinstance(arguments, dict) or name not in {tool.name for tool in tools}:
        return None
    return Choice(str(name), mend(arguments, request))


def _examples(tools: Sequence[ToolSchema]) -> list[tuple[str, Choice | None]]:
    talk = list(TALK)
    examples: list[tuple[str, Choice | None]] = []
    for tool in tools[:_MOST_TOOLS]:
        for request, arguments in EXAMPLES.get(tool.name, ()):
            if _fits(arguments, tool.parameters):
                examples.append((request, Choice(tool.name, arguments)))
                examples += [(talk.pop(0), None)] if talk else []
    return examples + [(request, None) for request in talk]


def _exchange(request: str, choice: Choice | None) -> list[Wire]:
    said = {"tool": choice.name, "arguments": dict(choice.arguments)} if choice else {"tool": NONE}
    return [
        {"role": "user", "content": request},
        {"role": "assistant", "content": json.dumps(said, ensure_ascii=False)},
    ]


def _fits(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    known = schema.get("properties", {})
    return set(arguments) <= set(known) and set(schema.get("required", ())) <= set(arguments)


def _list_tool(tool: ToolSchema) -> str:
    required = tool.parameters.get("required", ())
    arguments = ", ".join(
        name + ("" if name in required else "?") + _choices(schema)
        for name, schema in tool.parameters.get("properties", {}).items()
    )
    first = " ".join(tool.description.partition(". ")[0].split()).rstrip(".")
    return f"- {tool.name}({arguments}): {first[:_LONGEST_DESCRIPTION]}."


def _choices(schema: Any) -> str:
    values = schema.get("enum") if isinstance(schema, Mapping) else None
    return f": {'|'.join(map(str, values))}" if values else ""


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _bound(schema: Any) -> Any:
    """`schema` without what the grammar of the server need not know, every text bounded."""
    if isinstance(schema, list):
        return [_bound(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    # Under `properties` the keys are names of arguments, not keywords.
    bounded = {
        key: {name: _bound(inner) for name, inner in value.items()} if key == "properties" else _bound(value)
        for key, value in schema.items()
        if key not in _IGNORED
    }
    if bounded.get("type") == "string" and "enum" not in bounded and "const" not in bounded:
        bounded["maxLength"] = min(schema.get("maxLength", CUT_LENGTH), CUT_LENGTH)
    return bounded


def _shorten(text: str) -> str:
    """The start of a long request; what was piped in behind it chooses no tool."""
    return text if len(text) <= LONGEST_REQUEST else text[:LONGEST_REQUEST] + " ..."
