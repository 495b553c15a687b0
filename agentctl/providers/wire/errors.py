"""Finds the error in one event of a stream, whatever shape a server gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def find_error(chunk: Mapping[str, Any], event_name: str) -> Any:
    """The error in a chunk of a stream, in any of the shapes in use; None where there is none."""
    error = chunk.get("error")
    if isinstance(error, Mapping):
        return error if any(error.values()) else None
    if error:
        return error if chunk.keys() <= {"error"} else {**chunk, "message": chunk.get("message") or error}
    if chunk.get("choices"):
        return None
    if "error" in (event_name, chunk.get("type"), chunk.get("object")):
        return chunk
    # Gateways answer in their own shapes, which have a code and some prose.
    if chunk.get("detail"):
        return chunk
    coded = any(chunk.get(key) for key in ("code", "status", "status_code"))
    return chunk if coded and isinstance(chunk.get("message") or chunk.get("msg"), str) else None
