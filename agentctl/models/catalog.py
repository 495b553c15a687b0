"""What is known of models without a declaration: sizes, prices and what they can read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from agentctl.domain.model import Model, Provider

PATH = os.path.join(os.path.dirname(__file__), "catalog.json")
FIELDS = (
    "context_window",
    "max_output_tokens",
    "input_price",
    "output_price",
    "cached_input_price",
    "inputs",
)

# What runs on this machine costs nothing; that is known, unlike a price that nobody wrote down.
_FREE = {"input_price": 0.0, "output_price": 0.0, "cached_input_price": 0.0}
KINDS: Mapping[str, Mapping[str, Any]] = {
    # The server of an embedded model is started with this window, whatever the model.
    "local": {**_FREE, "context_window": 8192, "inputs": []},
    "script": _FREE,
}

# Built-in providers that serve the models of another one, at the same prices.
SAME = {"openai-responses": "openai"}

# What providers add to the name of a model for one state of it: gpt-5-2025-08-07, claude-haiku-4-5-20251001.
_SNAPSHOT = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|latest)\Z")


class Catalog:
    """The shipped file, read when it is first asked. An unknown fact is None and never a guess."""

    def __init__(self, path: str = PATH) -> None:
        self._path = path

    def complete(self, model: Model, provider: Provider) -> Model:
        """`model` with what it leaves open (None) filled in; what it says stays, field by field."""
        known = self._find(provider, model.name)
        missing = {name: known[name] for name in FIELDS if getattr(model, name) is None and name in known}
        if isinstance(missing.get("inputs"), list):
            missing["inputs"] = tuple(missing["inputs"])
        return replace(model, **missing, assumed=frozenset(missing)) if missing else model

    def names(self, provider: str) -> list[str]:
        """What the models of `provider` are called there."""
        return list(self._models(provider))

    def source(self, provider: str, name: str) -> str | None:
        """Where the facts about a model of `provider` come from, and of which day; None for one it lacks."""
        entry = self._providers.get(SAME.get(provider, provider))
        if not entry or not self._known(provider, name):
            return None
        return f"{entry['source']}, {entry['as_of']} ({entry['note']})"

    def _find(self, provider: Provider, name: str) -> Mapping[str, Any]:
        return {**KINDS.get(provider.kind, {}), **self._known(provider.slug, name)}

    def _known(self, provider: str, name: str) -> Mapping[str, Any]:
        """A name counts as it stands, else without the date or the `latest` at its end."""
        models = self._models(SAME.get(provider, provider))
        known: Mapping[str, Any] = models.get(name) or models.get(_SNAPSHOT.sub("", name)) or {}
        return known

    def _models(self, provider: str) -> Mapping[str, Any]:
        models: Mapping[str, Any] = self._providers.get(provider, {}).get("models", {})
        return models

    @cached_property
    def _providers(self) -> Mapping[str, Any]:
        with open(self._path, encoding="utf-8") as file:
            providers: Mapping[str, Any] = json.load(file)
        return providers
