"""Providers (where requests go) and models (what is asked there)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from agentctl.domain.value import value


@value
class Provider:
    """A place that answers requests. No secret is held here, only where to find one.

    `headers` values are text, `{"env": NAME}` or `{"key": NAME}`. A private one is one user's alone.
    """

    slug: str
    kind: str
    base_url: str | None = None
    api_key_env: str | None = None
    api_key_cmd: tuple[str, ...] = ()
    headers: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    source: str | None = None
    private: bool = False

    @property
    def key_variables(self) -> set[str]:
        """The environment variables that hold its secrets."""
        named = {
            given["env"] for given in self.headers.values() if isinstance(given, Mapping) and "env" in given
        }
        return named | ({self.api_key_env} if self.api_key_env else set())


@value
class Model:
    """A declared model: `name` is what its provider calls it; prices are USD per million tokens.

    `inputs` says what it reads besides text (`image`, `pdf`); None where nobody knows. A private one is one
    user's alone. `assumed` names the fields that nobody declared: they are facts from the catalogue.
    """

    slug: str
    provider: str
    name: str
    context_window: int | None = None
    max_output_tokens: int | None = None
    input_price: float | None = None
    output_price: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    source: str | None = None
    cached_input_price: float | None = None
    inputs: tuple[str, ...] | None = None
    private: bool = False
    assumed: frozenset[str] = frozenset()

    def output_limit(self, *limits: int | None, declared: bool = True) -> int | None:
        """The tokens that a request has to allow an answer: the least of `limits` and what is declared.

        None where the model keeps to as little by itself: providers count what a request allows against the
        account's rate limits. `declared` False leaves out the model's own declaration.
        """
        own, known = self.max_output_tokens, "max_output_tokens" in self.assumed
        given = [*limits, own] if declared and not known else limits
        least = min((limit for limit in given if limit is not None), default=None)
        return None if least is not None and known and own is not None and least >= own else least


@value
class ResolvedModel:
    """A model that can be asked: the reference as people write it, its provider, and why it was chosen."""

    reference: str
    provider: Provider
    model: Model
    reason: str

    @property
    def origin(self) -> str:
        """`provider/model` as it goes over the wire; what was made here may be replayed here."""
        return f"{self.provider.slug}/{self.model.name}"
