"""The models of a recorded run: all that a replay needs to build the same requests, and no secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.net.address import hide_secrets

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
    model, provider = _known(Model, data["model"]), _known(Provider, data["provider"])
    inputs = model.get("inputs")
    return ResolvedModel(
        data["reference"],
        Provider(**provider),
        Model(**{**model, "inputs": None if inputs is None else tuple(inputs)}),
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
    """The fields that say something."""
    given = {each.name: getattr(value, each.name) for each in fields(value)}
    # A price of zero does: it is known.
    return {name: item for name, item in given.items() if item is not None and item not in ({}, ())}


def _known(cls: type[Model | Provider], data: Mapping[str, Any]) -> dict[str, Any]:
    """What this version knows of the fields; another one may have written more."""
    names = {each.name for each in fields(cls)}
    return {name: item for name, item in data.items() if name in names}
