"""Takes a document that is removed for good out of the calls of tools that stored, changed or read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentctl.domain.blanks import BLANK
from agentctl.store.document_copies import CallCopy

GONE = "[this document was removed for good]"
# What a call did stays to be seen; what it said does not.
_KEPT = frozenset({"action", "command", "id", "name", "session_id", "type"})


def blank_call(call: CallCopy, document_id: str) -> CallCopy:
    """The call without what the document said.

    Its arguments go where it was about this document alone; of a list that it answered with only this row.
    """
    result = json.loads(call.result) if call.result else None
    alone = document_id in (call.arguments or call.raw or "") or _answers(result) == document_id
    return CallCopy(
        call.id,
        _dump(_blank_all(json.loads(call.arguments))) if alone and call.arguments else call.arguments,
        BLANK if alone and call.raw else call.raw,
        _dump(_blank_rows(result, document_id, alone=alone)) if result else call.result,
        GONE if call.output else call.output,
    )


def _answers(result: Any) -> Any:
    """The id in what a call answered, where that is one document."""
    data = result.get("data") if isinstance(result, Mapping) else None
    return data.get("id") if isinstance(data, Mapping) else None


def _blank_rows(value: Any, document_id: str, *, alone: bool) -> Any:
    if isinstance(value, Mapping):
        if value.get("id") == document_id:
            return _blank_all(value)
        whole = alone and "data" in value
        return {
            name: _blank_all(item)
            if whole and name == "data"
            else _blank_rows(item, document_id, alone=alone)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_blank_rows(item, document_id, alone=alone) for item in value]
    return value


def _blank_all(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: item if name in _KEPT else _blank_all(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_blank_all(item) for item in value]
    return BLANK if isinstance(value, str) else value


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
