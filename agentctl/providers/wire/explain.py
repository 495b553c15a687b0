"""Adds to a fault what only the adapter knows: who, where, which key, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agentctl.domain.ids import now_ms
from agentctl.domain.model import Provider
from agentctl.net.address import hide_secrets
from agentctl.net.client import Answer
from agentctl.net.failure import NetworkFailure
from agentctl.providers.base import Fault, Reply, Runtime
from agentctl.providers.faults import from_body, from_network
from agentctl.providers.keys import KEY_HEADERS, describe_key


class Explainer:
    """Speaks for one provider. `headers` are those of its requests; their secrets never appear in a fault."""

    def __init__(
        self, provider: Provider, runtime: Runtime, url: str, protocol: str, headers: Mapping[str, str]
    ) -> None:
        self._provider = provider
        self._runtime = runtime
        self._protocol = protocol
        self._url = hide_secrets(url)
        secret = {
            *KEY_HEADERS,
            *(name.lower() for name, value in provider.headers.items() if not isinstance(value, str)),
        }
        self._secrets = [headers[name] for name in secret if name in headers]

    def explain(self, answer: Answer, body: bytes) -> Fault:
        """The fault behind an answer with a status of 300 and more."""
        slug = self._provider.slug
        fault = self._clean(
            from_body(answer.status, body, answer.content_type, answer.headers, now_ms() / 1000)
        )
        if answer.status < 400:
            where = f" to {self._hide(answer.location)}" if answer.location else ""
            return replace(
                fault,
                type="redirect",
                message=f"{self._url} redirects{where}",
                hint="Set the provider's base_url to the place itself: a key never follows a redirect.",
            )
        if answer.status == 404:
            return replace(
                fault,
                message=f"{slug}: {fault.message} ({self._url})",
                hint="Check the name of the model and the provider's base_url.",
            )
        if answer.status in (401, 403) and fault.type != "quota":
            key = describe_key(self._provider, self._runtime)
            said = f"refused {key.source}" if key.source else "wants a key"
            return replace(fault, message=f"{slug} {said}: {fault.message}", hint=key.repair)
        return replace(fault, message=f"{slug}: {fault.message}")

    def annotate(self, reply: Reply) -> Reply:
        """The reply, its fault (if any) with a hint that names what to check."""
        if reply.fault is None:
            return reply
        fault = self._clean(reply.fault)
        if fault.type == "http":
            hint = f"{self._url} does not speak {self._protocol}; check the provider's base_url."
            fault = replace(fault, hint=hint)
        elif fault.kind == "credentials" and not fault.hint:
            fault = replace(fault, hint=describe_key(self._provider, self._runtime).repair)
        return replace(reply, fault=fault)

    def explain_network(self, failure: NetworkFailure) -> Fault:
        """The fault behind a request that did not get through; its words may quote what a server sent."""
        return self._clean(from_network(failure))

    def _clean(self, fault: Fault) -> Fault:
        about_keys = fault.kind == "credentials"
        return replace(
            fault,
            type=self._hide(fault.type),
            message=self._hide(fault.message, about_keys=about_keys),
            hint=self._hide(fault.hint) if fault.hint else None,
        )

    def _hide(self, text: str, *, about_keys: bool = False) -> str:
        # Only what went wrong pays for this import.
        from agentctl.providers.wire.mask import Mask

        return Mask(self._secrets).hide(text, about_keys=about_keys)
