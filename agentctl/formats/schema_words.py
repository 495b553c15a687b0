"""Reads what stands behind `--schema`: a JSON Schema as text or as a file, or fields in a few words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agentctl.errors import ConfigError, UsageError, did_you_mean

# More than any provider accepts, and no burden to check.
_MAX_BYTES = 256_000
_SUFFIXES = (".json", ".yaml", ".yml")
_HINT = (
    'Give fields ("name, age int, tags list[string], email?, kind a|b|c, city: where they live"),'
    " a JSON Schema, or a file that holds one."
)
_TYPES = {
    "array": "array",
    "bool": "boolean",
    "boolean": "boolean",
    "float": "number",
    "int": "integer",
    "integer": "integer",
    "list": "array",
    "number": "number",
    "str": "string",
    "string": "string",
    "text": "string",
}
_NAME = re.compile(r"[^\W\d][\w-]*")
_LIST = re.compile(r"(?:list|array)\s*\[(.*)\]\s*\Z", re.IGNORECASE)


def read_schema(given: str, cwd: str) -> Mapping[str, Any]:
    """The JSON Schema that `given` is, names, or describes; relative paths start at `cwd`.

    Text that starts with `{` is a schema, a file's name that file, anything else fields in words. Raises
    UsageError with the place of what is wrong, NotFound for a file that is not there.
    """
    if given.lstrip().startswith("{"):
        return _checked(_read_json(given, "--schema"), "--schema")
    if given.lower().endswith(_SUFFIXES) or _is_file(given, cwd):
        return _checked(_read_file(given, cwd), given)
    return words_to_schema(given)


def words_to_schema(words: str) -> dict[str, Any]:
    """The schema of an object with the fields in `words`, e.g. `name, age int, tags list`.

    A field is a name (`?` behind it: may be missing), a type (string where none stands), and a description
    behind a colon. Raises UsageError with the column of the first mistake.
    """
    properties: dict[str, Any] = {}
    required: list[str] = []
    for column, field in _split(words):
        name, is_required, schema = _read_field(field, column)
        if name in properties:
            raise _fault(column, f'the field "{name}" stands there twice')
        properties[name] = schema
        if is_required:
            required.append(name)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _split(words: str) -> Iterator[tuple[int, str]]:
    """The fields and the column of each: parted by commas and line ends that stand in no brackets."""
    words = words.rstrip()
    depth = start = 0
    for position, character in enumerate(words + ","):
        depth += (character == "[") - (character == "]")
        if character not in ",\n" or (depth > 0 and position < len(words)):
            continue
        field = words[start:position]
        if depth > 0:
            raise _fault(start + field.index("[") + 1, "this [ is never closed")
        if field.strip():
            yield start + len(field) - len(field.lstrip()) + 1, field.strip()
        elif character == ",":
            raise _fault(position + 1, "a field is missing here")
        start, depth = position + 1, 0


def _read_field(field: str, column: int) -> tuple[str, bool, dict[str, Any]]:
    """Name, whether it must be there, and schema of one field that starts at `column`."""
    name = _NAME.match(field)
    if name is None:
        raise _fault(column, f'a field starts with its name, and "{field[:20]}" is none')
    rest = field[name.end() :]
    is_required = not rest.startswith("?")
    kind, _, description = rest.removeprefix("?").partition(":")
    if kind and not kind[0].isspace():
        raise _fault(column + name.end(), f'"{kind[0]}" may not stand in a name')
    indent = len(kind) - len(kind.lstrip())
    at = column + name.end() + (not is_required) + indent
    schema = _read_type(kind.strip(), at) if kind.strip() else {"type": "string"}
    if description.strip():
        schema["description"] = description.strip()
    return name[0], is_required, schema


def _read_type(words: str, column: int) -> dict[str, Any]:
    inner = _LIST.match(words)
    if inner:
        return {"type": "array", "items": _read_type(inner[1].strip(), column + inner.start(1))}
    if "|" in words:
        return {"type": "string", "enum": _read_choices(words, column)}
    kind = _TYPES.get(words.lower())
    if kind is None:
        suggestion = did_you_mean(words.lower(), _TYPES)
        known = "" if suggestion else ": there are string, int, number, bool, list, list[int] and a|b|c"
        raise _fault(column, f'"{words}" is no type{suggestion}{known}')
    return {"type": "array", "items": {"type": "string"}} if kind == "array" else {"type": kind}


def _read_choices(words: str, column: int) -> list[str]:
    choices = [choice.strip() for choice in words.split("|")]
    if "" in choices:
        raise _fault(column, f'there is a choice missing in "{words}"')
    if len(set(choices)) < len(choices):
        raise _fault(column, f'"{words}" has the same choice twice')
    return choices


def _fault(column: int, message: str) -> UsageError:
    return UsageError(f"--schema, column {column}: {message}", hint=_HINT)


def _is_file(given: str, cwd: str) -> bool:
    """Whether something stands there that can be read; a shell hands out pipes as well: `<(command)`."""
    try:
        path = Path(cwd, given)
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):  # too long for a name, or a NUL in it
        return False


def _read_file(given: str, cwd: str) -> Any:
    from agentctl.formats.text import TextError, decode, read_bytes

    try:
        data = read_bytes(Path(cwd, given), given, _MAX_BYTES)
        if not given.lower().endswith((".yaml", ".yml")):
            return _read_json(decode(data), given)
        # JSON needs no PyYAML.
        from agentctl.formats.yaml import load

        return load(data, given).value
    except TextError as error:
        raise UsageError(f"{given}:{error.line}:{error.column}: {error.message}") from None
    except ConfigError as error:
        raise UsageError((error.problems or (error.message,))[0], hint=error.hint) from None


def _read_json(text: str, name: str) -> Any:
    if len(text) > _MAX_BYTES:
        raise UsageError(f"{name}: larger than {_MAX_BYTES:,} bytes")
    try:
        return json.loads(text, object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        raise UsageError(f"{name}:{error.lineno}:{error.colno}: this is no JSON: {error.msg}") from None
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None
    except RecursionError:
        raise UsageError(f"{name}: nested too deeply") from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, _ in pairs if [other for other, _ in pairs].count(key) > 1)
        raise ValueError(f'the key "{twice}" stands there twice in one object')
    return found


def _checked(schema: Any, name: str) -> Mapping[str, Any]:
    """`schema`, if it is a sound JSON Schema."""
    from agentctl.formats.json_schema import find_schema_fault

    if not isinstance(schema, dict):
        raise UsageError(f"{name}: a JSON Schema is an object, not {json.dumps(schema)[:40]}", hint=_HINT)
    fault = find_schema_fault(schema)
    if fault:
        raise UsageError(f"{name} is no JSON Schema: {fault}")
    return schema
