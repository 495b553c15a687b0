"""The tools of one agent, ready to be called, in the order in which the model sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.blanks import Blanks
from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.domain.value import value
from agentctl.errors import ConfigError
from agentctl.providers.base import ToolSchema
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.domain.rule import Rule
    from agentctl.tools.base import Services
    from agentctl.tools.call_check import CallCheck
    from agentctl.tools.ready import ReadyTool

# What tools are made of is imported where there is one: an agent without tools starts without all of it.


@value
class AgentsTool:
    """One tool as one agent has it: the association's word on approval beats the tool's.

    `rules` are those that stand at the tool itself.
    """

    ready: ReadyTool
    needs_approval: bool
    rules: tuple[Rule, ...]

    @property
    def is_hidden(self) -> bool:
        """Whether its own rules deny every call."""
        return any(rule.hides for rule in self.rules)

    @property
    def is_idempotent(self) -> bool:
        """Whether a call may be made twice where it should be made once."""
        return self.ready.instance.is_idempotent()

    @property
    def writes(self) -> bool:
        """Whether a call changes what is stored."""
        return self.ready.instance.find_risk() == "write"

    @cached_property
    def revision(self) -> str:
        """Changes with everything about the tool that a person may have looked at before saying yes."""
        import hashlib
        import json
        from dataclasses import asdict

        instance = self.ready.instance
        rules = [rule.said() for rule in self.rules]
        exact = json.dumps([instance.type, asdict(instance.config), rules], sort_keys=True, default=str)
        return hashlib.sha256(exact.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def action(self, arguments: Mapping[str, Any]) -> str | None:
        """Which of the tool's actions a call is; None where it has none, or its type cannot tell."""
        instance = self.ready.instance
        if not instance.has_actions():
            return None
        try:
            found = instance.find_action(self.complete(arguments))
        except Exception:
            return None  # a type of a package; what needs the action then counts as met where it restricts
        return found if isinstance(found, str) else None

    def must_ask(self, action: str | None) -> bool:
        """Whether the tool's config wants a person's yes to this action, whatever else allows the tool.

        An action that cannot be told may be one of those.
        """
        wanted = getattr(self.ready.instance.config, "approval_required_actions", ())
        return bool(wanted) and (action is None or action in wanted)

    def complete(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments as they will be used: checked, with defaults, None for those left out."""
        from agentctl.tools.rules import complete

        return complete(self.ready.instance, self.ready.parameters, arguments)

    def check(self, arguments: Mapping[str, Any]) -> CallCheck:
        """What these arguments become and everything that is wrong with them; none of it repeats a secret."""
        from agentctl.tools.call_check import check_call

        blank = self.ready.instance.services.find_blanks().blank
        checked = check_call(self.ready.instance, arguments)
        return replace(checked, faults=tuple(map(blank, checked.faults)))

    def hindrance(self, arguments: Mapping[str, Any], context: ToolContext) -> str | None:
        """Why a call with these (valid) arguments cannot succeed for this caller; None where it may."""
        return self.ready.instance.find_hindrance(self.check(arguments).values, context)

    def explain(self, arguments: Mapping[str, Any], context: ToolContext) -> str | None:
        """What a person should know who is asked about a call with these (valid) arguments."""
        return self.ready.instance.explain(self.check(arguments).values, context)

    async def run(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
        """Run one call; failures come back as results."""
        from agentctl.tools.executor import execute

        return await execute(self.ready.instance, arguments, context)

    def text(self, result: ToolResult) -> str:
        """What the model reads of a result; where that comes from outside, it says so."""
        from agentctl.tools.reading import model_text
        from agentctl.tools.trust import frame, is_framed

        tool = self.ready.instance
        text = model_text(result, tool.config.max_output)
        strange = is_framed(tool) or "untrusted" in result.metadata.get("holds", ())
        return frame(text, self.ready.slug) if strange else text

    def host(self, arguments: Mapping[str, Any]) -> str | None:
        """The host that a call with these (valid) arguments sends something to, where the model chose it."""
        try:
            return self.ready.instance.find_host(self.check(arguments).values)
        except Exception:
            return "a host that it does not tell"  # what a type of a package cannot say is asked about


@value
class Toolbox:
    """The usable tools, a warning (kind, message) for each that is not, and what blanks known secrets."""

    tools: tuple[AgentsTool, ...] = ()
    warnings: tuple[tuple[str, str], ...] = ()
    find_blanks: Callable[[], Blanks] = Blanks

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

    def without(self, rules: Sequence[Rule]) -> Toolbox:
        """The tools that are denied altogether neither by `rules` nor by their own."""
        hidden = {rule.tool for rule in rules if rule.hides}
        tools = tuple(tool for tool in self.tools if tool.ready.slug not in hidden and not tool.is_hidden)
        return self if len(tools) == len(self.tools) else replace(self, tools=tools)

    def get(self, name: str) -> AgentsTool | None:
        """The tool of this name, or None."""
        return next((tool for tool in self.tools if tool.ready.slug == name), None)


def make_toolbox(store: Store, agent: Agent, services: Services) -> Toolbox:
    """The enabled tools of `agent`; one whose stored config no longer holds becomes a warning.

    One that nobody has configured yet is left out in silence.
    """
    from agentctl.tools.ready import NotConfiguredError

    declared = {tool.slug: tool for tool in store.tools.list()}
    tools: list[AgentsTool] = []
    warnings: list[tuple[str, str]] = []
    for association in agent.tools:
        tool = declared[association.slug]
        if not tool.enabled:
            continue
        try:
            equipped = equip(tool, association, services)
        except NotConfiguredError:
            continue
        except ConfigError as error:
            warnings.append(("tool_not_ready", error.message))
            continue
        tools.append(equipped)
        warnings += [("tool_config", warning) for warning in equipped.ready.warnings]
    return Toolbox(tuple(tools), tuple(warnings), services.find_blanks)


def equip(tool: Tool, association: AgentTool, services: Services) -> AgentsTool:
    """`tool` as the agent with this association has it. Raises ConfigError where it is not ready."""
    from agentctl.tools.ready import make_ready

    ready = make_ready(tool, association.config, services)
    asks = ready.needs_approval if association.needs_approval is None else association.needs_approval
    return AgentsTool(ready, asks, tool.approvals)
