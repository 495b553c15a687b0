"""Adds to a fault what only the adapter knows: who, where, which key, and what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from agentctl.domain.ids import now_ms
from agentctl.domain.model import Provider
from agentctl.net.address import hide_secrets
from agentctl.net.client import Answer
from agentctl.providers.base import Fault, Reply
from agentctl.providers.faults import from_body
from agentctl.providers.keys import KEY_HEADERS, name_source

# Providers quote a refused key with stars in the middle; its two ends are still not for a log.
_MASKED = r"\S*\*{3,}\S*"


class Explainer:
    """Speaks for one provider. `headers` are those of its requests; their secrets never appear in a fault."""

    def __init__(self, provider: Provider, url: str, protocol: str, headers: Mapping[str, str]) -> None:
        self._provider = provider
        self._protocol = protocol
        self._url = hide_secrets(url)
        secret = {
            *KEY_HEADERS,
            *(name.lower() for name, value in provider.headers.items() if not isinstance(value, str)),
        }
        self._secrets = [headers[name].removeprefix("Bearer ") for name in secret if name in headers]

    def explain(self, answer: Answer, body: bytes) -> Fault:
        """The fault behind an answer with a status of 300 and more."""
        slug = self._provider.slug
        fault = self._clean(
            from_body(answer.status, body, answer.content_type, answer.headers, now_ms() / 1000)
        )
        if answer.status < 400:
            where = f" to {answer.location}" if answer.location else ""
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
            source = name_source(self._provider)
            said, verb = (f"refused {source}", "Check") if self._secrets else ("wants a key", "Set")
            return replace(fault, message=f"{slug} {said}: {fault.message}", hint=f"{verb} {source}.")
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
            fault = replace(fault, hint=f"Check {name_source(self._provider)}.")
        return replace(reply, fault=fault)

    def _clean(self, fault: Fault) -> Fault:
        message = fault.message
        for secret in self._secrets:
            if secret:
                message = message.replace(secret, "***")
        if fault.kind == "credentials":
            message = re.sub(_MASKED, "***", message)
        return replace(fault, message=message)
