"""The tools of one agent, ready to be called, in the order in which the model sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.domain.value import value
from agentctl.errors import ConfigError
from agentctl.providers.base import ToolSchema
from agentctl.store import Store
from agentctl.tools.base import Services
from agentctl.tools.executor import execute
from agentctl.tools.reading import model_text
from agentctl.tools.ready import NotConfiguredError, ReadyTool, make_ready


@value
class AgentsTool:
    """One tool as one agent has it: the association's word on approval beats the tool's."""

    ready: ReadyTool
    needs_approval: bool

    def faults(self, arguments: Mapping[str, Any]) -> list[str]:
        """Everything that is wrong with these arguments."""
        return self.ready.instance.check(arguments)[1]

    async def run(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
        """Run one call; failures come back as results."""
        return await execute(self.ready.instance, arguments, context)

    def text(self, result: ToolResult) -> str:
        """What the model reads of a result."""
        return model_text(result, self.ready.instance.config.max_output)


@value
class Toolbox:
    """The usable tools, and a warning for each that is not."""

    tools: tuple[AgentsTool, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """What the model may call."""
        return [tool.ready.slug for tool in self.tools]

    @property
    def schemas(self) -> tuple[ToolSchema, ...]:
        """The tools as the model sees them."""
        return tuple(
            ToolSchema(tool.ready.slug, tool.ready.description, tool.ready.parameters) for tool in self.tools
        )

    def get(self, name: str) -> AgentsTool | None:
        """The tool of this name, or None."""
        return next((tool for tool in self.tools if tool.ready.slug == name), None)


def make_toolbox(store: Store, agent: Agent, services: Services) -> Toolbox:
    """The enabled tools of `agent`; one whose stored config no longer holds becomes a warning.

    One that nobody has configured yet is left out in silence.
    """
    declared = {tool.slug: tool for tool in store.tools.list()}
    tools: list[AgentsTool] = []
    warnings: list[str] = []
    for association in agent.tools:
        tool = declared[association.slug]
        if not tool.enabled:
            continue
        try:
            tools.append(equip(tool, association, services))
        except NotConfiguredError:
            continue
        except ConfigError as error:
            warnings.append(error.message)
    return Toolbox(tuple(tools), tuple(warnings))


def equip(tool: Tool, association: AgentTool, services: Services) -> AgentsTool:
    """`tool` as the agent with this association has it. Raises ConfigError where it is not ready."""
    ready = make_ready(tool, association.config, services)
    asks = ready.needs_approval if association.needs_approval is None else association.needs_approval
    return AgentsTool(ready, asks)
