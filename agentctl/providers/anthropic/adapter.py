"""The adapter for servers that speak Messages."""

from __future__ import annotations

from typing import ClassVar

from agentctl.domain.model import Provider
from agentctl.providers import BUILT_IN
from agentctl.providers.anthropic.answer import MessagesAnswer
from agentctl.providers.anthropic.body import build_body
from agentctl.providers.anthropic.options import MessagesOptions, read_options
from agentctl.providers.base import Runtime
from agentctl.providers.wire.adapter import HttpAdapter
from agentctl.providers.wire.defaults import with_defaults
from agentctl.providers.wire.requester import Requester

VERSION = "2023-06-01"


class AnthropicAdapter(HttpAdapter[MessagesOptions]):
    """Asks one declared provider; a provider without a base_url is Anthropic itself."""

    default_base_url: ClassVar[str | None] = BUILT_IN["anthropic"].base_url

    def __init__(self, provider: Provider, runtime: Runtime) -> None:
        provider = with_defaults(provider, BUILT_IN["anthropic"])
        requester = Requester(
            provider,
            runtime,
            path="/messages",
            protocol="Messages",
            key_header="x-api-key",
            defaults={"anthropic-version": VERSION},
            groups=("output_config",),
            # Everybody who offers this protocol names the folder before /v1 as its address.
            versioned=True,
        )
        super().__init__(provider, requester, read_options, build_body, lambda *_: MessagesAnswer())
