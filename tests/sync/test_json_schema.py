from __future__ import annotations

import re
from typing import Any

import pytest

from agentctl.formats.yaml import load
from agentctl.sync.fields import AGENT, FILE, SECTIONS
from agentctl.sync.json_schema import build_schema
from agentctl.sync.templates import templates

SCHEMA = build_schema()


def complaints(value: Any, schema: dict[str, Any], path: str = "") -> list[str]:
    """A small validator for the words of JSON Schema that ours uses."""
    if "$ref" in schema:
        return complaints(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], path)
    found: list[str] = []
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        fits = any(
            number if name in ("integer", "number") else isinstance(value, kinds[name]) for name in names
        )
        if not fits:
            return [f"{path}: is no {names}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{path}: is not {schema['const']}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: is none of {schema['enum']}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{path}: does not match")
    for word in ("anyOf", "oneOf"):
        if word in schema and all(complaints(value, each, path) for each in schema[word]):
            found.append(f"{path}: fits nothing in {word}")
    if isinstance(value, list) and "items" in schema:
        found += [
            line for i, item in enumerate(value) for line in complaints(item, schema["items"], f"{path}/{i}")
        ]
    if isinstance(value, dict):
        found += object_complaints(value, schema, path)
    return found


def object_complaints(value: dict[str, Any], schema: dict[str, Any], path: str) -> list[str]:
    known = schema.get("properties", {})
    found = [f"{path}: lacks {key}" for key in schema.get("required", ()) if key not in value]
    for key, item in value.items():
        if key in known:
            found += complaints(item, known[key], f"{path}/{key}")
        elif schema.get("additionalProperties") is False:
            found.append(f"{path}: has {key}")
        elif isinstance(schema.get("additionalProperties"), dict):
            found += complaints(item, schema["additionalProperties"], f"{path}/{key}")
    for rule in schema.get("allOf", ()):
        if not complaints(value, rule["if"], path):
            found += complaints(value, rule["then"], path)
    return found


@pytest.mark.parametrize("name", ["agents.yaml", "tools.yaml"])
def test_the_shipped_files_keep_to_the_schema(name: str) -> None:
    assert complaints(load(templates()[name], name).value, SCHEMA) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("agnts: []", ": has agnts"),
        ("version: 2", "/version: is not 1"),
        ("agents: [{name: x}]", "/agents/0: lacks slug"),
        ("agents: [{slug: X}]", "/agents/0/slug: does not match"),
        ("agents: [{slug: x, enabled: 'yes'}]", "/agents/0/enabled: is no ['boolean']"),
        ("agents: [{slug: x, tools: [{slg: y}]}]", "/agents/0/tools/0: fits nothing in anyOf"),
        ("tools: [{slug: x, type: calculator, config: {nix: 1}}]", "/tools/0/config: has nix"),
        (
            "providers: [{slug: x, kind: openai, headers: {a: 1}}]",
            "/providers/0/headers/a: fits nothing in oneOf",
        ),
    ],
)
def test_the_schema_names_what_validation_names(text: str, complaint: str) -> None:
    assert complaints(load(text, "a.yaml").value, SCHEMA) == [complaint]


def test_every_field_is_described() -> None:
    for table in (FILE, *SECTIONS.values()):
        assert all(field.description.endswith(".") for field in table.values())
    assert (
        SCHEMA["$defs"]["agent"]["properties"]["system_prompt"]["description"]
        == AGENT["system_prompt"].description
    )
