"""Reads a script from its YAML file, with every mistake at its line and column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from agentctl.domain.message import Usage
from agentctl.errors import did_you_mean
from agentctl.formats.yaml import Document, Problem, as_error, read
from agentctl.providers.script import values
from agentctl.providers.script.replies import (
    DEFAULT_PLAIN_TEXT,
    Script,
    ScriptedCall,
    ScriptedError,
    ScriptedReply,
)

Steps = tuple[str | int, ...]
T = TypeVar("T")

REPLY_KEYS = (
    "match",
    "text",
    "reasoning",
    "tool_calls",
    "error",
    "delay",
    "chunk_delay",
    "usage",
    "finish",
    "repeat",
)
USAGE_KEYS = ("input", "output", "cached", "reasoning", "cache_write")


def read_script(path: Path) -> Script:
    """The script in a file. Raises NotFound, or ConfigError with every mistake as `file:line:column: ...`."""
    document = read(path)
    reader = _Reader(document)
    script = Script() if document.faults else reader.read_script()
    problems = [*document.faults, *reader.problems]
    if problems:
        raise as_error(problems, document.name)
    return script


class _Reader:
    """Walks the document; what is wrong is noted, and reading goes on with the default."""

    def __init__(self, document: Document) -> None:
        self.problems: list[Problem] = []
        self._document = document

    def read_script(self) -> Script:
        """The whole file."""
        top = self._mapping((), self._document.value, ("replies", "plain_text"))
        if not isinstance(self._document.value, Mapping):
            return Script()
        replies = top.get("replies")
        if not isinstance(replies, list) or not replies:
            self._note(
                ("replies",) if "replies" in top else (), "replies must be a list with an entry at least"
            )
            replies = []
        read = tuple(self._reply(number, entry) for number, entry in enumerate(replies))
        ordered = [reply for reply in read if not reply.match]
        for reply in read:
            if reply.repeat and (reply.match or reply is not ordered[-1]):
                self._note(
                    ("replies", reply.number - 1, "repeat"), "only the last reply without match can repeat"
                )
        return Script(read, self._value((), top, "plain_text", DEFAULT_PLAIN_TEXT, values.as_text))

    def _reply(self, position: int, entry: Any) -> ScriptedReply:
        path = ("replies", position)
        fields = self._mapping(path, entry, REPLY_KEYS)
        if isinstance(entry, Mapping) and not {"text", "reasoning", "tool_calls", "error"} & entry.keys():
            self._note(path, "a reply needs text, reasoning, tool_calls or error")
        calls: list[Any] = self._value(path, fields, "tool_calls", [], values.as_list)
        return ScriptedReply(
            number=position + 1,
            match=self._value(path, fields, "match", None, values.as_pattern),
            text=self._value(path, fields, "text", (), values.as_chunks),
            reasoning=self._value(path, fields, "reasoning", (), values.as_chunks),
            calls=tuple(self._call((*path, "tool_calls", number), call) for number, call in enumerate(calls)),
            error=self._error((*path, "error"), fields["error"]) if "error" in fields else None,
            delay=self._value(path, fields, "delay", 0.0, values.as_seconds),
            chunk_delay=self._value(path, fields, "chunk_delay", 0.0, values.as_seconds),
            usage=self._usage((*path, "usage"), fields["usage"]) if "usage" in fields else None,
            finish=self._value(path, fields, "finish", None, values.as_finish),
            repeat=self._value(path, fields, "repeat", False, values.as_switch),
        )

    def _call(self, path: Steps, value: Any) -> ScriptedCall:
        fields = self._mapping(path, value, ("name", "arguments", "id"))
        if isinstance(value, Mapping) and "name" not in fields:
            self._note(path, "a call needs a name")
        name = self._value(path, fields, "name", "", values.as_text)
        raw = self._value(path, fields, "arguments", "{}", values.as_arguments)
        return ScriptedCall(name, raw, self._value(path, fields, "id", None, values.as_text))

    def _error(self, path: Steps, value: Any) -> ScriptedError:
        fields = self._mapping(path, value, ("kind", "status", "code", "message", "retry_after", "times"))
        if isinstance(value, Mapping) and ("kind" in fields) == ("status" in fields):
            self._note(path, "an error needs a status or a kind, and not both")
        elif "code" in fields and "kind" in fields:
            self._note((*path, "code"), "a code goes with a status")
        return ScriptedError(
            self._value(path, fields, "message", "scripted error", values.as_text),
            kind=self._value(path, fields, "kind", None, values.as_fault_kind),
            status=self._value(path, fields, "status", None, values.as_status),
            code=self._value(path, fields, "code", None, values.as_text),
            retry_after=self._value(path, fields, "retry_after", None, values.as_seconds),
            times=self._value(path, fields, "times", None, values.as_count),
        )

    def _usage(self, path: Steps, value: Any) -> Usage:
        fields = self._mapping(path, value, USAGE_KEYS)
        return Usage(**{name: self._value(path, fields, name, 0, values.as_tokens) for name in USAGE_KEYS})

    def _mapping(self, path: Steps, value: Any, known: tuple[str, ...]) -> Mapping[str, Any]:
        """`value` if it is a mapping, else {}; keys that nobody knows are noted."""
        if not isinstance(value, Mapping):
            self._note(path, f"write a mapping of {', '.join(known)}")
            return {}
        for key in value.keys() - set(known):
            line, column = self._document.where_key(value, key)
            message = f'unknown key "{key}"{did_you_mean(str(key), known)}'
            self.problems.append(Problem(self._document.name, line, column, message))
        return value

    def _value(
        self,
        path: Steps,
        fields: Mapping[str, Any],
        key: str,
        default: T,
        convert: Callable[[Any], T],
    ) -> T:
        """The value under `key`, converted; the default where there is none or it is wrong."""
        if key not in fields:
            return default
        try:
            return convert(fields[key])
        except ValueError as error:
            self._note((*path, key), f"{key} must be {error}")
            return default

    def _note(self, path: Steps, message: str) -> None:
        line, column = self._document.where(path)
        self.problems.append(Problem(self._document.name, line, column, message))
