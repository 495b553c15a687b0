"""How tools, their types and the results of their calls are shown: whole as JSON, in lines to people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.domain.tool import ToolResult
from agentctl.render.controls import strip_controls
from agentctl.render.output import Output
from agentctl.tools.reading import plain_text


def show_one(output: Output, row: Mapping[str, Any], *schemas: str) -> None:
    """A tool or a type; to people each property of its `schemas`, and each key of a mapping, is a line."""
    if output.format not in (None, "table"):
        output.one(row)
        return
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if key in schemas and value is not None:
            flat.update((f"{key}.{name}", text) for name, text in _property_lines(value))
        elif isinstance(value, Mapping):
            flat.update((f"{key}.{name}", _spell_lists(each)) for name, each in value.items())
        else:
            flat[key] = value
    output.one(flat)


def show_result(output: Output, result: ToolResult) -> None:
    """The whole result as JSON, else its data as text; to a terminal goes no control character of it."""
    if output.format == "json":
        output.one(result.as_dict())
    elif result.success:
        text = plain_text(result.data)
        output.text(strip_controls(text) if output.streams.stdout_is_terminal else text)


def _spell_lists(setting: Any) -> Any:
    # The words of a program hold commas and spaces of their own.
    return json.dumps(setting, ensure_ascii=False) if isinstance(setting, list) else setting


def _property_lines(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    required = schema.get("required", ())
    for name, shape in schema.get("properties", {}).items():
        words = [_kind_words(shape)]
        if name in required:
            words.append("required")
        elif "default" in shape:
            words.append(f"default {json.dumps(shape['default'], ensure_ascii=False)}")
        text = ", ".join(words)
        yield name, f"{text}: {shape['description']}" if "description" in shape else text


def _kind_words(shape: Mapping[str, Any]) -> str:
    if "enum" in shape:
        return "|".join("null" if choice is None else str(choice) for choice in shape["enum"])
    kind = shape.get("type", "anything")
    return kind if isinstance(kind, str) else "|".join(kind)
