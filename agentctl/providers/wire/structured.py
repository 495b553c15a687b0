"""The words that ask for an answer of a given shape, where a provider has no parameter for that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_REQUEST = """\
Answer with one JSON value that is valid against the JSON Schema below, and with nothing else: no words \
before or after it, no Markdown, no code fence. Answer with data, never with the schema itself.

JSON Schema:
{schema}"""


def with_schema(system: str, schema: Mapping[str, Any] | None) -> str:
    """The system prompt with the demand for JSON behind it; the prompt as it is where there is no schema."""
    if schema is None:
        return system
    request = _REQUEST.format(schema=json.dumps(schema, ensure_ascii=False, separators=(",", ":")))
    return f"{system.rstrip()}\n\n{request}" if system.strip() else request
