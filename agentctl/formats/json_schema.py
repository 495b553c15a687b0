"""Checks values against a JSON Schema (Draft 2020-12): offline, and in bounded time and depth.

A schema with patterns or references can keep a checker busy for ever, whatever the value; such a one is
checked in a child process, which the kernel ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from math import isfinite
from typing import Any

MAX_DEPTH = 64
MAX_FAULTS = 20
# The seconds of computing that a child has, and the time after which even one that stands still is ended.
CHILD_SECONDS = 2.0
_DEADLINE = 60.0
# What can take exponential time: regular expressions, and references that meet again and again.
_UNBOUNDED = frozenset({"$dynamicRef", "$recursiveRef", "$ref", "pattern", "patternProperties"})
# Their values are data, in which no keyword stands.
_DATA = frozenset({"const", "default", "enum", "examples"})
# Their values are schemas under names of the author's own, which may look like keywords.
_NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
_ENDLESS = "$: cannot be checked, for the schema refers to itself without end"
_BOOT = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from agentctl.formats.json_schema import run_child
run_child()
"""


def find_schema_fault(schema: Mapping[str, Any]) -> str | None:
    """What is wrong with the schema itself, with its place; None for a sound one."""
    if _is_deep(schema):
        return f"it is nested more than {MAX_DEPTH} levels deep"
    if any(isinstance(inner, float) and not isfinite(inner) for inner in _walk(schema)):
        return "NaN and Infinity are no numbers in JSON"
    if not isinstance(schema.get("$schema", ""), str):
        return f'$["$schema"]: expected a string, got {json.dumps(schema["$schema"])}'
    from jsonschema.exceptions import SchemaError

    from agentctl.formats.schema_faults import describe

    try:
        _validator_class(schema).check_schema(schema)
    except SchemaError as error:
        return describe(error)[0]
    except (RecursionError, OverflowError):
        return "a pattern in it is too large"
    except ValueError as error:
        return f"a URL in it cannot be read: {error}"
    return next(_outside_references(schema), None)


def make_checker(schema: Mapping[str, Any]) -> Callable[[Any], list[str]]:
    """What says how a value breaks `schema`, one `$.items[2].price: ...` each; [] where it does not.

    The schema must be sound. Nothing is fetched, and a check ends after some seconds.
    """
    check = _check_in_child if _may_hang(schema) else find_faults

    def checker(value: Any) -> list[str]:
        return ["$: nested too deeply"] if _is_deep(value) else check(schema, value)

    return checker


def find_faults(schema: Mapping[str, Any], value: Any) -> list[str]:
    """The first faults of `value`, in the order in which they stand in it."""
    from jsonschema_specifications import REGISTRY
    from referencing.exceptions import Unresolvable

    from agentctl.formats.schema_faults import describe

    # With a registry of its own the library fetches nothing.
    validator = _validator_class(schema)(schema, registry=REGISTRY)
    try:
        errors = list(islice(validator.iter_errors(value), MAX_FAULTS))
    except RecursionError:
        return [_ENDLESS]
    except Unresolvable as error:
        return [f"$: cannot be checked, for the schema refers to what is not in it: {error}"]
    except OverflowError:
        return ["$: cannot be checked: a number is too large to be divided"]
    faults = [fault for error in errors for fault in describe(error)]
    return list(dict.fromkeys(faults))[:MAX_FAULTS]


def run_child() -> None:
    """Check what stands on stdin, write the faults to stdout; the kernel ends what takes too long."""
    given = json.load(sys.stdin)
    import signal

    import jsonschema  # noqa: F401 - loading it is not what is limited

    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, CHILD_SECONDS)
    json.dump(find_faults(given["schema"], given["value"]), sys.stdout)


def _check_in_child(schema: Mapping[str, Any], value: Any) -> list[str]:
    path = json.dumps([entry for entry in sys.path if entry])
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _BOOT, path],
            input=json.dumps({"schema": schema, "value": value}).encode(),
            capture_output=True,
            timeout=_DEADLINE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [f"$: the check took longer than {_DEADLINE:g} s"]
    except OSError as error:
        return [f"$: cannot be checked: {error.strerror or error}"]
    if done.returncode:
        if done.returncode < 0:
            return [f"$: the check took longer than {CHILD_SECONDS:g} s: see the schema's patterns and $refs"]
        said = done.stderr.decode(errors="replace").strip().splitlines()
        if said and "RecursionError" in said[-1]:
            return [_ENDLESS]
        return [f"$: cannot be checked: {said[-1] if said else 'the checker ended'}"]
    faults: list[str] = json.loads(done.stdout)
    return faults


def _validator_class(schema: Mapping[str, Any]) -> Any:
    """The validator of the draft that the schema names in `$schema`, else of 2020-12."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    return validator_for(schema, default=Draft202012Validator)


def _outside_references(schema: Mapping[str, Any]) -> Iterator[str]:
    """Complaints about references that lead out of the document, or to nothing in it."""
    from jsonschema_specifications import REGISTRY
    from referencing import Resource
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    resource = Resource.from_contents(schema, default_specification=DRAFT202012)
    resolver = REGISTRY.with_resource("", resource).resolver()
    for node in _schemas(schema):
        for keyword in ("$ref", "$dynamicRef"):
            target = node.get(keyword)
            if not isinstance(target, str):
                continue
            said = f'"{keyword}": {json.dumps(target)}'
            if not target.startswith("#"):
                yield f"{said} leads out of the schema; only #/$defs/... can be used"
                continue
            try:
                resolver.lookup(target)
            except Unresolvable:
                yield f"{said} leads to nothing"


def _may_hang(schema: Mapping[str, Any]) -> bool:
    return any(not _UNBOUNDED.isdisjoint(node) for node in _schemas(schema))


def _schemas(value: Any) -> Iterator[Mapping[str, Any]]:
    """All schemas that stand in a schema, itself included."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, Mapping):
            yield node
            for key, inner in node.items():
                if key in _NAMED and isinstance(inner, Mapping):
                    waiting += inner.values()
                elif key not in _DATA:
                    waiting.append(inner)


def _is_deep(value: Any) -> bool:
    """Whether containers stand in each other more than MAX_DEPTH deep."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _walk(value: Any) -> Iterator[Any]:
    """Everything that stands in `value`, itself included."""
    waiting = [value]
    while waiting:
        yield (inner := waiting.pop())
        waiting += _inside(inner)


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, list):
        yield from value
