"""Reads the config of a tool and checks it: each key, what all types ask of them together, what one asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.tools.base import ToolType
from agentctl.tools.checks import Fault, check


def read_config(cls: type[ToolType], values: Mapping[str, Any]) -> tuple[Any, list[Fault]]:
    """A `Config` of the tool type `cls`, or None and one line for each fault.

    Where single keys are right, what all types ask of them together is checked, and what this one asks.
    """
    config, faults = check(cls.Config, values)
    if config is not None:
        faults = [*_find_faults(cls, config), *cls.check_config(config)]
    return (None, faults) if faults else (config, [])


def _find_faults(cls: type[ToolType], config: Any) -> Iterator[Fault]:
    risk = cls.raise_risk(config)
    if config.risk is not None and risk != config.risk:
        yield Fault("risk", f"without this key it is {risk}, and can only be raised")
    if config.cache and (risk in ("write", "execute") or config.idempotent is False):
        yield Fault("cache", "only for a tool that is idempotent and neither writes nor executes")
