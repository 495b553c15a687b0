"""The adapter that reads its replies from a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from agentctl.domain.model import Model, Provider
from agentctl.providers.arguments import read_arguments
from agentctl.providers.base import Delta, Fault, Finish, ModelRequest, Reply, Runtime, StreamItem, WireCall
from agentctl.providers.faults import from_error, shorten
from agentctl.providers.script.file import read_script
from agentctl.providers.script.replies import (
    Script,
    ScriptedError,
    ScriptedReply,
    choose_reply,
    find_index,
    find_words,
    split_words,
)

_QUOTED = 60


class ScriptAdapter:
    """Plays files; the model's name is the path of one. The format is in the package's docstring."""

    default_base_url: ClassVar[str | None] = None
    embedded: ClassVar[bool] = False
    inputs: ClassVar[frozenset[str]] = frozenset({"image", "pdf"})

    def __init__(self, provider: Provider, runtime: Runtime) -> None:
        self._scripts: dict[str, Script] = {}
        self._failed: Counter[tuple[str, int]] = Counter()

    def check(self, model: Model) -> None:
        """Read the file now. Raises NotFound and ConfigError for one that is missing or wrong."""
        self._find(model.name)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """The scripted reply. Raises NotFound and ConfigError for a file that is missing or wrong."""
        import asyncio

        name = request.model.name
        script = self._find(name)
        scripted = _choose(script, request)
        if scripted is None:
            yield Reply(finish="error", fault=_run_out(name, script, request))
            return
        await asyncio.sleep(scripted.delay)
        error = scripted.error
        if error and error.times is not None:
            self._failed[name, scripted.number] += 1
            if self._failed[name, scripted.number] <= error.times:
                yield Reply(finish="error", fault=_make_fault(error))
                return
            error = None
        first = True
        for delta in _make_deltas(scripted):
            if not first:
                await asyncio.sleep(scripted.chunk_delay)
            first = False
            yield delta
        yield _make_reply(scripted, _make_fault(error) if error else None)

    async def close(self) -> None:
        """Nothing is held open."""

    def _find(self, name: str) -> Script:
        if name not in self._scripts:
            self._scripts[name] = read_script(Path(name))
        return self._scripts[name]


def _choose(script: Script, request: ModelRequest) -> ScriptedReply | None:
    if request.purpose == "text":
        return ScriptedReply(number=0, text=split_words(script.plain_text))
    return choose_reply(script, request.messages)


def _make_deltas(scripted: ScriptedReply) -> list[Delta]:
    thoughts = [Delta("reasoning", chunk) for chunk in scripted.reasoning]
    return [*thoughts, *(Delta("text", chunk) for chunk in scripted.text)]


def _make_reply(scripted: ScriptedReply, fault: Fault | None) -> Reply:
    finish: Finish = scripted.finish or ("tool_calls" if scripted.calls else "stop")
    finish = "error" if fault else finish
    run = finish in ("stop", "tool_calls", "length")
    calls = []
    for call in scripted.calls:
        arguments = read_arguments(call.raw)
        calls.append(WireCall(call.id, call.name, arguments, call.raw, run and arguments is not None))
    return Reply(
        text="".join(scripted.text),
        reasoning="".join(scripted.reasoning),
        calls=tuple(calls),
        finish=finish,
        usage=scripted.usage,
        fault=fault,
    )


def _make_fault(error: ScriptedError) -> Fault:
    if error.status is not None:
        fields = {"message": error.message, "code": error.code}
        return replace(from_error(fields, error.status), retry_after=error.retry_after)
    kind = error.kind or "provider"
    return Fault(kind, "scripted", error.message, kind == "temporary", None, error.retry_after)


def _run_out(name: str, script: Script, request: ModelRequest) -> Fault:
    words = find_words(request.messages[-1]) if request.messages else ""
    count, turn = len(script.ordered), find_index(script, request.messages) + 1
    if count == 0:
        message = f"{name} has no reply: none of its patterns matches {_quote(words)}"
        hint = "Add a reply without match; `repeat: true` makes it answer everything else."
    else:
        held = f"{count} {'reply' if count == 1 else 'replies'}"
        message = (
            f"{name} has run out: it holds {held} without match, and this is request {turn} for one: "
            f"{_quote(words)}"
        )
        hint = "Add a reply, or mark the last one without match `repeat: true`."
    return Fault("provider", "script", message, hint=hint)


def _quote(words: str) -> str:
    line = shorten(words)
    return f'"{line[:_QUOTED]}…"' if len(line) > _QUOTED else f'"{line}"'
