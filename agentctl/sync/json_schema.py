"""The JSON Schema of the YAML files, made from the same definitions that check them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentctl.providers import KINDS
from agentctl.sync.fields import AGENT_TOOL, DOCUMENTS, FILE, MEMORY, SECTIONS, Field
from agentctl.sync.limits import LIMITS
from agentctl.sync.rules import RULE
from agentctl.tools import TYPES, load_type
from agentctl.tools.schema import config_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE = {
    "oneOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"env": {"type": "string"}},
            "required": ["env"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"key": {"type": "string"}},
            "required": ["key"],
            "additionalProperties": False,
        },
    ]
}


def build_schema() -> dict[str, Any]:
    """One schema for agents.yaml, tools.yaml and any other file: every section may stand in each of them."""
    root = _object(FILE)
    for name, table in SECTIONS.items():
        definition = {"$ref": f"#/$defs/{name[:-1]}"}
        root["properties"][name] = {
            "description": FILE[name].description,
            "type": ["array", "null"],
            "items": definition,
        }
        root.setdefault("$defs", {})[name[:-1]] = _object(table)
    definitions = root["$defs"]
    definitions["provider"]["properties"]["kind"]["examples"] = sorted(KINDS)
    definitions["provider"]["properties"]["headers"]["additionalProperties"] = _REFERENCE
    definitions["agent"]["properties"]["tools"]["items"] = {
        "anyOf": [AGENT_TOOL["slug"].kind.schema, _object(AGENT_TOOL)]
    }
    for name in ("agent", "tool"):
        definitions[name]["properties"]["approvals"]["items"] = _object(RULE)
    agent = definitions["agent"]["properties"]
    agent["limits"] = {**_object(LIMITS), **agent["limits"]}
    agent["memory"] = {**_object(MEMORY), **agent["memory"]}
    root["properties"]["documents"] = {**_object(DOCUMENTS), **root["properties"]["documents"]}
    definitions["tool"]["properties"]["type"]["examples"] = sorted(TYPES)
    definitions["tool"]["allOf"] = [_config_rule(name) for name in sorted(TYPES)]
    return {"$schema": DIALECT, "title": "agentctl configuration", **root}


def schema_text() -> str:
    """The text of the shipped file."""
    return json.dumps(build_schema(), indent=2, ensure_ascii=False) + "\n"


def _object(table: Mapping[str, Field]) -> dict[str, Any]:
    required = [field.name for field in table.values() if field.required]
    schema: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {field.name: _property(field) for field in table.values()},
    }
    return {**schema, "required": required} if required else schema


def _property(field: Field) -> dict[str, Any]:
    schema = dict(field.kind.schema)
    types = schema.get("type")
    if field.nullable and types is not None:
        schema["type"] = [*([types] if isinstance(types, str) else types), "null"]
    return {"description": field.description, **schema}


def _config_rule(kind: str) -> dict[str, Any]:
    """The config of one tool type, for tools of that type."""
    config = config_schema(load_type(kind).Config)
    return {
        "if": {"properties": {"type": {"const": kind}}, "required": ["type"]},
        "then": {"properties": {"config": config}},
    }
