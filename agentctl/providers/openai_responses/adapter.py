"""The adapter for servers that speak Responses."""

from __future__ import annotations

from typing import ClassVar

from agentctl.domain.model import Provider
from agentctl.providers import BUILT_IN
from agentctl.providers.base import Runtime
from agentctl.providers.openai_responses.answer import ResponsesAnswer
from agentctl.providers.openai_responses.body import build_body
from agentctl.providers.openai_responses.options import ResponsesOptions, read_options
from agentctl.providers.wire.adapter import HttpAdapter
from agentctl.providers.wire.defaults import with_defaults
from agentctl.providers.wire.requester import Requester


class OpenAIResponsesAdapter(HttpAdapter[ResponsesOptions]):
    """Asks one declared provider; a provider without a base_url is OpenAI itself."""

    default_base_url: ClassVar[str | None] = BUILT_IN["openai-responses"].base_url

    def __init__(self, provider: Provider, runtime: Runtime) -> None:
        provider = with_defaults(provider, BUILT_IN["openai-responses"])
        requester = Requester(
            provider, runtime, path="/responses", protocol="Responses", groups=("reasoning", "text")
        )
        super().__init__(provider, requester, read_options, build_body, lambda *_: ResponsesAnswer())
