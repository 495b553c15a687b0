"""Of the models that may answer, the first that can: its key is set, its file is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentctl.domain.model import Provider, ResolvedModel
from agentctl.domain.value import value
from agentctl.errors import AgentctlError, ConfigError, CredentialsError
from agentctl.providers.base import Adapter


@value
class Ready:
    """A model that can be asked, those to ask when it is down, and why others before it were passed over."""

    model: ResolvedModel
    adapter: Adapter
    fallbacks: tuple[ResolvedModel, ...] = ()
    passed_over: tuple[str, ...] = ()

    @property
    def inputs(self) -> frozenset[str]:
        """The kinds of files it can be sent; what nobody knows of a model is left to its server."""
        known = self.model.model.inputs
        return self.adapter.inputs if known is None else self.adapter.inputs & frozenset(known)


def find_ready(models: Sequence[ResolvedModel], load_adapter: Callable[[Provider], Adapter]) -> Ready:
    """The first of `models` (best first) that can be asked; may wait for a command that prints a key.

    Raises the error of the first where none can.
    """
    errors: list[AgentctlError] = []
    passed_over: list[str] = []
    for position, model in enumerate(models):
        try:
            adapter = load_adapter(model.provider)
            adapter.check(model.model)
        except (ConfigError, CredentialsError) as error:
            errors.append(error)
            passed_over.append(f"{model.reference} was passed over: {error.message}")
            continue
        return Ready(model, adapter, tuple(models[position + 1 :]), tuple(passed_over))
    raise errors[0]
