"""Puts a question to a web search API, with the key going nowhere but to the API's own origin."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from agentctl.domain.blanks import Blanks
from agentctl.errors import AgentctlError
from agentctl.tools.base import ToolError
from agentctl.tools.search.backend import Backend, Found, Question
from agentctl.tools.search.config import SearchConfig

if TYPE_CHECKING:
    from agentctl.net.guard.client import GuardedAnswer
    from agentctl.net.guard.policy import AddressPolicy

LARGEST = 5_000_000


async def search_web(
    config: SearchConfig, backend: Backend, question: Question, find_key: Callable[[], str | None]
) -> list[Found]:
    """What the backend finds, as it says it. Raises ToolError, in which no key ever stands."""
    from agentctl.net.guard.client import GuardedClient

    try:
        key = find_key()
    except AgentctlError as error:
        raise ToolError(error.message) from None
    sent = backend.ask(question)
    url = (config.base_url or backend.base_url or "").rstrip("/") + sent.path
    headers = {"accept": "application/json", **(backend.key_header(key) if key else {})}
    method, content = "GET", b""
    if sent.body is not None:
        method, content = "POST", json.dumps(sent.body).encode()
        headers["content-type"] = "application/json"
    else:
        url += "?" + urlencode(sent.query or {})
    blanks = Blanks([key] if key else [])
    client = GuardedClient(_policy(config, backend))
    try:
        answer = await client.request(method, url, headers=headers, content=content)
        return (await _read(answer, backend, config.backend or "search"))[: question.most]
    except (AgentctlError, ToolError) as error:
        raise ToolError(blanks.blank(str(error))) from None


def _policy(config: SearchConfig, backend: Backend) -> AddressPolicy:
    """No redirects, so that the key goes no further; the host of base_url is allowed, also a private one."""
    from urllib.parse import urlsplit

    from agentctl.net.guard.policy import AddressPolicy

    parts = urlsplit(config.base_url or backend.base_url or "")
    return AddressPolicy(
        allow_hosts=[parts.hostname or ""] if config.base_url else [],
        allow_ports=[parts.port] if parts.port else [],
        max_redirects=0,
        max_bytes=LARGEST,
        timeout=config.timeout,
    )


async def _read(answer: GuardedAnswer, backend: Backend, name: str) -> list[Found]:
    from agentctl.tools.http.answer import read_answer

    try:
        document = await read_answer(answer, name, None, LARGEST)
    except ToolError as error:
        hint = backend.hints.get(answer.status)
        raise ToolError(f"{error}; {hint}" if hint else str(error)) from None
    try:
        return list(backend.read(document))
    except (AttributeError, KeyError, TypeError):
        raise ToolError(f"{name} answered with something else than results") from None
