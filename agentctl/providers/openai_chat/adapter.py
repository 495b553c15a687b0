"""The adapter for servers that speak Chat Completions."""

from __future__ import annotations

from typing import ClassVar

from agentctl.domain.model import Provider
from agentctl.providers import BUILT_IN
from agentctl.providers.base import ModelRequest, Runtime
from agentctl.providers.openai_chat.answer import ChatAnswer
from agentctl.providers.openai_chat.body import build_body
from agentctl.providers.openai_chat.options import ChatOptions, read_options
from agentctl.providers.wire.adapter import HttpAdapter
from agentctl.providers.wire.defaults import with_defaults
from agentctl.providers.wire.requester import Requester


class OpenAIChatAdapter(HttpAdapter[ChatOptions]):
    """Asks one declared provider; a provider without a base_url is OpenAI itself."""

    default_base_url: ClassVar[str | None] = BUILT_IN["openai"].base_url

    def __init__(self, provider: Provider, runtime: Runtime) -> None:
        provider = with_defaults(provider, BUILT_IN["openai"])
        requester = Requester(provider, runtime, path="/chat/completions", protocol="Chat Completions")
        super().__init__(provider, requester, read_options, build_body, _make_answer)


def _make_answer(request: ModelRequest, options: ChatOptions) -> ChatAnswer:
    names = frozenset(tool.name for tool in request.tools) if options.lenient_tool_calls else frozenset()
    return ChatAnswer(think_tags=options.think_tags, lenient_names=names)
