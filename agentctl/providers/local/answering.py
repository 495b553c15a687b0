"""Answers one request on a running server: first the tool, if one is needed, else the words."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from agentctl.domain.message import Usage
from agentctl.providers.base import Delta, ModelRequest, Reply, StreamItem, WireCall
from agentctl.providers.local.conversation import (
    ROUTER_TOKENS,
    Exchange,
    build_turns,
    choices_before,
    read_exchanges,
    shorten,
)
from agentctl.providers.local.endpoint import Endpoint
from agentctl.providers.local.models import ModelFile
from agentctl.providers.local.outcome import SYSTEM, build_question, find_omission
from agentctl.providers.local.place import CHAT_SLOT, ROUTER_SLOT, Place
from agentctl.providers.local.prefix import PrefixCache
from agentctl.providers.local.route import (
    MAX_TOKENS,
    Wire,
    build_prefix,
    build_request,
    build_schema,
    read_choice,
)

_PASSED = (
    *("frequency_penalty", "min_p", "presence_penalty", "repeat_penalty"),
    *("seed", "stop", "temperature", "top_k", "top_p"),
)
_LIMITS = ("max_output_tokens", "max_completion_tokens", "max_tokens")
_DEFAULTS = {"temperature": 0.3, "top_p": 0.9}
_CHAT_TOKENS = 1024
_MOST_TOKENS = 4096
_TITLE_TOKENS = 48
_REMEMBERED = 2
_TOO_LONG = "exceed_context_size_error"
_SHRINK = 0.5
_SHRINKS = 3


class Answering:
    """One request, its model and the server that runs it."""

    def __init__(
        self, request: ModelRequest, model: ModelFile, endpoint: Endpoint, options: Mapping[str, Any]
    ) -> None:
        self._request = request
        self._model = model
        self._endpoint = endpoint
        self._options = options
        self._exchanges = read_exchanges(request.messages)

    async def items(self, place: Place, prefixes: PrefixCache) -> AsyncGenerator[StreamItem, None]:
        """Deltas, then one Reply. After a tool there is no second one: a small model repeats its call."""
        request, last = self._request, self._exchanges[-1]
        before = Usage()
        if request.purpose == "chat" and last.outcomes:
            words = self._tell(last)
        else:
            if request.purpose == "chat" and request.tools and self._model.routes:
                reply = await self._route(place, prefixes)
                if reply.calls or reply.fault:
                    yield reply
                    return
                before = reply.usage or before
            words = self._talk()
        async with aclosing(words) as items:
            async for item in items:
                yield _add_usage(item, before) if isinstance(item, Reply) else item

    async def _route(self, place: Place, prefixes: PrefixCache) -> Reply:
        """A Reply with one call, or without any where no tool is needed."""
        tools, text = self._request.tools, self._exchanges[-1].question
        prefix = build_prefix(tools)

        async def compute() -> None:
            await self._endpoint.collect(_router_body([*prefix, *build_request("")], max_tokens=1))

        await prefixes.prepare(place, prefix, self._endpoint.runtime, self._endpoint.ask, compute)
        rest = build_request(text, choices_before(self._exchanges, _REMEMBERED))
        body = _router_body([*prefix, *rest], max_tokens=MAX_TOKENS)
        schema = {"name": "choice", "schema": build_schema(tools)}
        reply = await self._endpoint.collect(
            {**body, "response_format": {"type": "json_schema", "json_schema": schema}}
        )
        if reply.fault:
            # Without a choice there are still words; a server that is gone fails those as well.
            return Reply(usage=reply.usage)
        choice = read_choice(reply.text, tools, text) if reply.finish == "stop" else None
        if choice is None:
            return Reply(usage=reply.usage)
        call = WireCall(None, choice.name, choice.arguments, reply.text, run=True)
        return Reply(calls=(call,), finish="tool_calls", usage=reply.usage)

    async def _tell(self, last: Exchange) -> AsyncGenerator[StreamItem, None]:
        """The results of tools in the model's words, and what these words leave out."""
        question = build_question(shorten(last.question, self._budget() // 2), last.outcomes)
        turns = build_turns([replace(last, question=question)], SYSTEM, self._budget())
        text = ""
        async with aclosing(self._say(turns, {"temperature": 0})) as items:
            async for item in items:
                if isinstance(item, Delta) and item.kind == "text":
                    text += item.text
                if isinstance(item, Reply) and not item.fault:
                    omitted = find_omission(text, last.question, last.outcomes)
                    if omitted:
                        added = f"\n\n{omitted}" if text.strip() else omitted
                        yield Delta("text", added)
                        item = replace(item, text=item.text + added)
                yield item

    async def _talk(self) -> AsyncGenerator[StreamItem, None]:
        """Plain conversation; a history that turns out too long is cut further."""
        budget = self._budget()
        for attempt in range(_SHRINKS + 1):
            too_long = False
            turns = build_turns(self._exchanges, self._request.system, budget)
            async with aclosing(self._say(turns, {})) as items:
                async for item in items:
                    fault = item.fault if isinstance(item, Reply) else None
                    too_long = bool(fault) and fault.type == _TOO_LONG and attempt < _SHRINKS  # type: ignore[union-attr]
                    if not too_long:
                        yield item
            if not too_long:
                return
            budget = int(budget * _SHRINK)

    def _say(self, turns: Sequence[Wire], fixed: Mapping[str, Any]) -> AsyncGenerator[StreamItem, None]:
        passed = {name: self._options[name] for name in _PASSED if self._options.get(name) is not None}
        return self._endpoint.stream(
            {
                **_DEFAULTS,
                **passed,
                **fixed,
                "messages": list(turns),
                "max_tokens": self._limit(),
                "id_slot": CHAT_SLOT,
                "cache_prompt": True,
            }
        )

    def _limit(self) -> int:
        """The most tokens to generate."""
        named = [self._options.get(name) for name in _LIMITS] + [self._request.model.max_output_tokens]
        usual = _TITLE_TOKENS if self._request.purpose == "text" else _CHAT_TOKENS
        limit = next((value for value in named if isinstance(value, int) and value > 0), usual)
        return min(limit, _MOST_TOKENS, self._model.context // 2)

    def _budget(self) -> int:
        """The tokens a prompt may have, so that the answer and the router's prompt still fit."""
        return max(self._model.context - ROUTER_TOKENS - self._limit(), 512)


def _router_body(messages: Sequence[Wire], max_tokens: int) -> dict[str, Any]:
    return {
        "messages": list(messages),
        "max_tokens": max_tokens,
        "temperature": 0,
        "id_slot": ROUTER_SLOT,
        "cache_prompt": True,
    }


def _add_usage(reply: Reply, before: Usage) -> Reply:
    return replace(reply, usage=before + (reply.usage or Usage()))
