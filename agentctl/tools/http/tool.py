"""The tool type `http`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from agentctl.domain.blanks import Blanks
from agentctl.domain.headers import is_reference
from agentctl.domain.ids import new_id
from agentctl.domain.tool import ToolContext
from agentctl.errors import AgentctlError
from agentctl.net.address import find_origin, hide_secrets
from agentctl.tools.base import Fault, Risk, Services, ToolError, ToolType
from agentctl.tools.declared import read_arguments
from agentctl.tools.http.config import HttpConfig


class Http(ToolType):
    """One API call as its config declares it. The host never varies; arguments vary only at their places."""

    type = "http"
    description = "Calls the HTTP API that its config declares. Example: {}."
    Config = HttpConfig
    risk: ClassVar[Risk] = "network"
    reads_untrusted = True

    config: HttpConfig

    def __init__(self, config: HttpConfig, services: Services) -> None:
        super().__init__(config, services)
        self._declared = read_arguments(config.arguments)[0]

    @classmethod
    def check_config(cls, config: HttpConfig) -> list[Fault]:
        """Everything that is wrong with the declared call."""
        from agentctl.tools.http.checks import config_faults

        return config_faults(config)

    @classmethod
    def find_routes(cls, config: HttpConfig) -> list[tuple[Mapping[str, str], str]]:
        """The secrets of headers, query and form."""
        places = (config.headers, config.query, config.form)
        found = [given for place in places for given in place.values() if is_reference(given)]
        return [(given, find_origin(config.url) or "") for given in found]

    @classmethod
    def risk_of(cls, config: HttpConfig) -> Risk:
        """`write` for what may change something."""
        return "network" if config.is_reading else "write"

    def describe(self) -> str:
        """What is called; the declaration's own `description` says better what for."""
        return f"Calls {self._place}."

    def arguments_schema(self) -> dict[str, Any]:
        """The declared arguments as a JSON Schema."""
        return self._declared.schema()

    def check(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """The declared arguments with their defaults, and every fault."""
        return self._declared.check(arguments)

    def asks_first(self) -> bool:
        """Whatever may change something does."""
        return not self.config.is_reading

    def is_idempotent(self) -> bool:
        """What only reads is, unless the config says otherwise."""
        said = self.config.idempotent
        return self.config.is_reading if said is None else said

    async def run(self, arguments: Mapping[str, Any], context: ToolContext) -> Any:
        """The JSON of the answer or what `result` names in it, else `text`. Raises ToolError."""
        from agentctl.tools.http.request import build_request

        try:
            request = build_request(self.config, arguments, self._find_secret, _idempotency_key(context))
        except AgentctlError as error:
            raise ToolError(f"{error.message}. {error.hint or ''}".strip()) from None
        blanks = Blanks(request.secrets)
        try:
            return blanks.blank(await self._send(request.url, request.headers, request.content))
        except (AgentctlError, ToolError) as error:
            raise ToolError(blanks.blank(str(error))) from None

    async def _send(self, url: str, headers: Mapping[str, str], content: bytes) -> Any:
        from agentctl.net.guard.client import GuardedClient
        from agentctl.net.guard.policy import AddressPolicy
        from agentctl.tools.http.answer import read_answer, read_head

        config = self.config
        policy = AddressPolicy(
            allow_hosts=config.allow_hosts,
            allow_private=config.allow_private,
            allow_ports=(*config.allow_ports, *self._own_port()),
            # What was sent once to be changed is not sent again because an answer says so.
            max_redirects=5 if config.is_reading else 0,
            max_bytes=config.max_bytes,
            timeout=config.timeout,
            # The host never varies, and least of all because a server says so.
            one_host=not config.allow_hosts,
        )
        answer = await GuardedClient(policy).request(config.method, url, headers=headers, content=content)
        if config.method == "HEAD":
            return read_head(answer, self._place)
        return await read_answer(answer, self._place, config.result, config.max_bytes)

    @property
    def _place(self) -> str:
        return f"{self.config.method} {hide_secrets(self.config.url)}"

    def _own_port(self) -> tuple[int, ...]:
        """The port that the address names: whoever wrote it there allows it."""
        from urllib.parse import urlsplit

        port = urlsplit(self.config.url).port
        return (port,) if port else ()

    def _find_secret(self, reference: Mapping[str, str]) -> str:
        return self.services.find_secret(reference, find_origin(self.config.url) or "")


def _idempotency_key(context: ToolContext) -> str:
    """The same for one call however often it is sent, and for no other."""
    from hashlib import sha256
    from uuid import UUID

    call = f"{context.session_id} {context.tool_slug} {context.call_id or new_id('call')}"
    return str(UUID(bytes=sha256(call.encode()).digest()[:16], version=4))
