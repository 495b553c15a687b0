"""What this package is called where it is installed from; asked for only when something is wrong."""

from __future__ import annotations


def distribution_name() -> str:
    """The name that `pip install` takes; slow, because every installed package is looked at."""
    from importlib.metadata import packages_distributions

    return next(iter(packages_distributions().get("agentctl", [])), "agentctl-cli")
