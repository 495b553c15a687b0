"""The models of a recorded run: all that a replay needs to build the same requests, and no secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.net.address import hide_secrets

# Fields that are no lists, though JSON has only those.
COLLECTIONS: Mapping[str, Callable[[Any], Any]] = {"assumed": frozenset, "inputs": tuple}
# Where a key comes from in a replay; it is sent nowhere.
PLACEHOLDER = "replayed"


def model_as_dict(resolved: ResolvedModel) -> dict[str, Any]:
    """The JSON object of a model with its provider."""
    return {
        "reference": resolved.reference,
        "reason": resolved.reason,
        "model": _plain(resolved.model),
        "provider": _plain(without_secrets(resolved.provider)),
    }


def model_from_dict(data: Mapping[str, Any]) -> ResolvedModel:
    """The model behind a JSON object. Raises KeyError and TypeError for one that is none."""
    return ResolvedModel(
        data["reference"],
        Provider(**_known(Provider, data["provider"])),
        Model(**_known(Model, data["model"])),
        data["reason"],
    )


def without_secrets(provider: Provider) -> Provider:
    """`provider` with nothing in it that is secret or runs; the name of its variable stays, for errors."""
    address = None if provider.base_url is None else hide_secrets(provider.base_url)
    return Provider(
        provider.slug,
        provider.kind,
        base_url=address,
        api_key_env=provider.api_key_env,
        options=provider.options,
    )


def _plain(value: Model | Provider) -> dict[str, Any]:
    """The fields that say something; a price of zero does, for it is known."""
    given = {each.name: getattr(value, each.name) for each in fields(value)}
    return {
        name: sorted(item) if isinstance(item, (frozenset, tuple)) else item
        for name, item in given.items()
        if item is not None and item not in ({}, (), frozenset())
    }


def _known(cls: type[Model | Provider], data: Mapping[str, Any]) -> dict[str, Any]:
    """What this version knows of the fields; another one may have written more."""
    names = {each.name for each in fields(cls)}
    return {
        name: COLLECTIONS[name](item) if name in COLLECTIONS else item
        for name, item in data.items()
        if name in names
    }
