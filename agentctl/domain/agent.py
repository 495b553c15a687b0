"""An agent: its prompt, models, switches and the tools it is given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from agentctl.domain.limits import Limits
from agentctl.domain.value import value

if TYPE_CHECKING:
    from agentctl.domain.rule import Rule

SLUG = re.compile(r"[a-z0-9_-]{1,50}\Z")
NAME_LENGTH = 100
TITLE_STRATEGIES = ("llm", "first-line", "none")

EGRESS = ("ask", "allow")

TitleStrategy = Literal["llm", "first-line", "none"]
Egress = Literal["ask", "allow"]


@value
class AgentTool:
    """A tool as one agent has it: what is set here overrides the tool itself."""

    slug: str
    needs_approval: bool | None = None
    sort_order: int = 0
    config: Mapping[str, Any] = field(default_factory=dict)


@value
class AgentMemory:
    """Whether runs begin with what the user's own documents say, and the estimated tokens that may take."""

    auto: bool = False
    budget: int = 1_500

    def as_dict(self) -> dict[str, Any]:
        """As it stands in YAML."""
        return {"auto": self.auto, "budget": self.budget}


@value
class Agent:
    """One agent, with the seed's fields and defaults.

    `default_model` is an ordered list (one entry in the plain case); a model reference is a model's slug or
    `provider/model`. `egress` is what becomes of a request to a host that nobody named, once a session holds
    both words of strangers and things of the user. `approvals` are rules about its tool calls. `id` is 0
    until it is stored. `source` names the files that declared it, None = by hand.
    """

    slug: str
    name: str
    description: str | None = None
    system_prompt: str = ""
    default_model: tuple[str, ...] = ()
    title_model: str | None = None
    title_strategy: TitleStrategy = "llm"
    enable_thinking: bool = False
    enable_tools: bool = True
    max_step_count: int = 6
    is_default: bool = False
    is_callable: bool = False
    sort_order: int = 0
    enabled: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    egress: Egress = "ask"
    memory: AgentMemory = field(default_factory=AgentMemory)
    approvals: tuple[Rule, ...] = ()
    tools: tuple[AgentTool, ...] = ()
    id: int = 0
    source: str | None = None
