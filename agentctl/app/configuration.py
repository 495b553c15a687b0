"""What is declared and set: agents, tools, models, providers, keys, and the files they come from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from agentctl.app.foundation import Foundation

if TYPE_CHECKING:
    from agentctl.app.embedded import Embedded
    from agentctl.app.keys import Keys
    from agentctl.app.model_edits import ModelEdits
    from agentctl.app.model_test import ModelTest
    from agentctl.app.models import Models
    from agentctl.app.policy import PolicyExplained
    from agentctl.app.provider_edits import ProviderEdits
    from agentctl.app.providers import Providers
    from agentctl.app.tool_edits import ToolEdits
    from agentctl.app.tool_run import ToolRun
    from agentctl.app.tool_views import ToolViews
    from agentctl.app.tools import Tools
    from agentctl.sync.control import ControlPlane


class Configuration(Foundation):
    """Shows, changes and applies it."""

    @cached_property
    def tools(self) -> Tools:
        """Tools made ready."""
        from agentctl.app.tools import Tools

        return Tools(self.store, self.config, self._find_secrets)

    def _find_secrets(self) -> Iterator[str]:
        from agentctl.app.secrets import known_secrets

        return known_secrets(self.resolver, self.adapters.runtime, self.user.id)

    @cached_property
    def tool_views(self) -> ToolViews:
        """Tools and tool types as they are shown."""
        from agentctl.app.tool_views import ToolViews

        return ToolViews(self.store, self.tools.services)

    @cached_property
    def tool_edits(self) -> ToolEdits:
        """Makes, changes and removes tools."""
        from agentctl.app.tool_edits import ToolEdits

        return ToolEdits(self.store)

    @cached_property
    def tool_run(self) -> ToolRun:
        """Runs tools by hand."""
        from agentctl.app.tool_run import ToolRun

        return ToolRun(self.store, self.tools, self.person, self.user.id)

    @cached_property
    def policy(self) -> PolicyExplained:
        """What decides on tool calls."""
        from agentctl.app.policy import PolicyExplained

        return PolicyExplained(self.store, self.tools, self.user, self.config.cwd)

    @cached_property
    def embedded(self) -> Embedded:
        """The embedded models."""
        from agentctl.app.embedded import Embedded

        return Embedded(self.adapters.runtime, self.streams)

    @cached_property
    def models(self) -> Models:
        """Models as this user sees them."""
        from agentctl.app.models import Models

        return Models(self.store, self.resolver, self.embedded, self.adapters.runtime, self.user)

    def model_edits(self, *, private: bool) -> ModelEdits:
        """Makes, changes and removes models: this user's private ones, or everybody's."""
        from agentctl.app.model_edits import ModelEdits

        return ModelEdits(self.store, self.user, private=private)

    @cached_property
    def model_test(self) -> ModelTest:
        """Tests models."""
        from agentctl.app.model_test import ModelTest

        return ModelTest(self.store, self.user, self.adapters.load, self.adapters.close)

    @cached_property
    def keys(self) -> Keys:
        """Keeps keys in a file."""
        from agentctl.app.keys import Keys

        return Keys(
            self.resolver, self.user.id, self.adapters.runtime, self.streams, self.person.find_terminal
        )

    @cached_property
    def providers(self) -> Providers:
        """Where requests can go, for this user."""
        from agentctl.app.providers import Providers

        return Providers(self.resolver, self.user.id, self.adapters.runtime)

    @cached_property
    def provider_edits(self) -> ProviderEdits:
        """Makes, changes and removes providers."""
        from agentctl.app.provider_edits import ProviderEdits

        return ProviderEdits(self.store, self.user.id, self.adapters.runtime)

    def provide_defaults(self) -> None:
        """Apply the packaged agents and tools to a database without agents."""
        if self.store.revisions.current() and self.store.agents.exist():
            return
        from agentctl.sync.packaged import apply_packaged

        if apply_packaged(self.store):
            self.streams.note("note: applied the built-in agents and tools; agentctl init writes your own")

    @cached_property
    def control(self) -> ControlPlane:
        """Reads, plans, applies and exports YAML."""
        from pathlib import Path

        from agentctl.sync.control import ControlPlane

        return ControlPlane(self.store, Path(self.config.cwd))
