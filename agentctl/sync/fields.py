"""Which keys each section has, what they may hold and what they mean; the JSON Schema comes from here too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agentctl.domain.agent import EGRESS, TITLE_STRATEGIES
from agentctl.sync import kinds
from agentctl.sync.kinds import Kind
from agentctl.sync.notify import NOTIFY


@dataclass(frozen=True, slots=True)
class Field:
    """One key. `nullable` means that null stands for the default."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    nullable: bool = False


def make_table(*fields: Field) -> Mapping[str, Field]:
    """The fields of a section, or of a mapping in one, by name."""
    return {field.name: field for field in fields}


_SLUG = Field("slug", kinds.SLUG_TEXT, "The name on the command line: a-z, 0-9, _ and -.", required=True)
_NAME = Field("name", kinds.NAME, "The name people read; the slug where it is left out.")
_OPTIONS = Field("options", kinds.JSON, "Goes into every request: temperature, max_tokens and so on.")

PROVIDER = make_table(
    _SLUG,
    Field("kind", kinds.FILLED, "How the provider is spoken to.", required=True),
    Field("base_url", kinds.URL, "Where requests go; the kind's own place where left out.", nullable=True),
    Field("api_key_env", kinds.VARIABLE, "The environment variable that holds the key.", nullable=True),
    Field("api_key_cmd", kinds.WORDS, "A command (list of words) that prints the key.", nullable=True),
    Field("headers", kinds.MAPPING, "Sent with every request: text, {env: NAME} or {key: NAME}."),
    Field("options", kinds.JSON, "What is special about this provider."),
)

MODEL = make_table(
    _SLUG,
    Field("provider", kinds.SLUG_TEXT, "The provider that serves it.", required=True),
    Field("name", kinds.FILLED, "What the provider calls it; the slug where it is left out."),
    Field(
        "context_window",
        kinds.whole(1),
        "Tokens that fit into one request; like all facts below as in the catalogue where left out.",
        nullable=True,
    ),
    Field("max_output_tokens", kinds.whole(1), "Tokens that one answer may have.", nullable=True),
    Field("input_price", kinds.PRICE, "USD per million tokens sent.", nullable=True),
    Field("output_price", kinds.PRICE, "USD per million tokens answered.", nullable=True),
    Field(
        "cached_input_price",
        kinds.PRICE,
        "USD per million tokens sent that the provider had in its cache.",
        nullable=True,
    ),
    Field(
        "inputs",
        kinds.list_of(kinds.choice("image", "pdf")),
        "What it reads besides text: image, pdf; [] for nothing else.",
        nullable=True,
    ),
    _OPTIONS,
)

TOOL = make_table(
    _SLUG,
    _NAME,
    Field("type", kinds.FILLED, "What it does.", required=True),
    Field(
        "description", kinds.TEXT, "What the model reads about it; the type's own by default.", nullable=True
    ),
    Field("config", kinds.JSON, "Settings of this tool; which there are depends on the type."),
    Field(
        "needs_approval",
        kinds.SWITCH,
        "Ask a person before each call; by default as the type says.",
        nullable=True,
    ),
    Field("enabled", kinds.SWITCH, "Whether agents get it (default true)."),
    Field("approvals", kinds.ENTRIES, "Rules about its calls: allow, ask, deny.", nullable=True),
)

AGENT_TOOL = make_table(
    _SLUG,
    Field("needs_approval", kinds.SWITCH, "Overrides the tool's own setting for this agent.", nullable=True),
    Field("sort_order", kinds.whole(-kinds.LARGEST), "The place among the agent's tools; the list's order."),
    Field("config", kinds.JSON, "Overrides keys of the tool's config for this agent."),
)

AGENT = make_table(
    _SLUG,
    _NAME,
    Field("description", kinds.TEXT, "What it is for, in one line.", nullable=True),
    Field("system_prompt", kinds.PROMPT, "What the agent is told first: text, or {file: PATH}."),
    Field(
        "default_model",
        kinds.MODELS,
        "provider/model or a declared model; or a list, best first.",
        nullable=True,
    ),
    Field(
        "title_model",
        kinds.FILLED,
        "The model that makes titles; the default model otherwise.",
        nullable=True,
    ),
    Field("title_strategy", kinds.choice(*TITLE_STRATEGIES), "How sessions get a title (default llm)."),
    Field("enable_thinking", kinds.SWITCH, "Let the model think before it answers (default false)."),
    Field("enable_tools", kinds.SWITCH, "Whether tools are offered at all (default true)."),
    Field(
        "max_step_count", kinds.whole(1), "Requests one answer may take, with their tool calls (default 6)."
    ),
    Field("is_default", kinds.SWITCH, "The agent that answers when none is named; one at most."),
    Field("is_callable", kinds.SWITCH, "Whether other agents may call it (default false)."),
    Field("sort_order", kinds.whole(-kinds.LARGEST), "The place in lists (default 0)."),
    Field("enabled", kinds.SWITCH, "Whether it can be used (default true)."),
    _OPTIONS,
    Field("limits", kinds.MAPPING, "What one run, or the agent in a day, may use.", nullable=True),
    Field(
        "egress",
        kinds.choice(*EGRESS),
        "Requests to hosts nobody named, once a session holds foreign text and private data (default ask).",
    ),
    Field("memory", kinds.MAPPING, "Whether runs begin with the user's own documents.", nullable=True),
    Field("approvals", kinds.ENTRIES, "Rules about its tool calls: allow, ask, deny.", nullable=True),
    Field("tools", kinds.ENTRIES, "Tools: slugs, or mappings with slug, needs_approval, sort_order, config."),
)

FILE = make_table(
    Field("version", kinds.version(1), "The version of this format: 1."),
    Field(
        "default_model",
        kinds.FILLED,
        "The model for agents that name none: provider/model or a model's slug.",
        nullable=True,
    ),
    Field("documents", kinds.MAPPING, "How large documents may be, of all users.", nullable=True),
    Field(
        "notify",
        NOTIFY,
        "A program (list of words) that gets each new call that waits as JSON on stdin; [] for none.",
        nullable=True,
    ),
    Field("providers", kinds.ENTRIES, "Where requests go.", nullable=True),
    Field(
        "models", kinds.ENTRIES, "Models with their sizes and prices; none has to be declared.", nullable=True
    ),
    Field("tools", kinds.ENTRIES, "What agents can do.", nullable=True),
    Field("agents", kinds.ENTRIES, "The agents.", nullable=True),
)

DOCUMENTS = make_table(
    Field("max_content_length", kinds.whole(1), "Characters that one document may have (default 50000)."),
    Field("pinned_tokens", kinds.whole(0), "Tokens of a user's pinned documents together (default 1000)."),
    Field(
        "session_days",
        kinds.whole(1),
        "Days without activity after which a session's own memories are archived (default 30).",
    ),
)

MEMORY = make_table(
    Field("auto", kinds.SWITCH, "Put what fits the question before the model, pinned first (default false)."),
    Field("budget", kinds.whole(1), "Estimated tokens that it may take (default 1500)."),
)

SECTIONS: Mapping[str, Mapping[str, Field]] = {
    "providers": PROVIDER,
    "models": MODEL,
    "tools": TOOL,
    "agents": AGENT,
}

# Words that people write for a key of ours and that no spelling distance finds.
OTHER_NAMES = {
    "id": "slug",
    "instructions": "system_prompt",
    "max_steps": "max_step_count",
    "model": "default_model",
    "prompt": "system_prompt",
    "system": "system_prompt",
    "thinking": "enable_thinking",
    "url": "base_url",
}

_NO_SECRETS = "secrets never stand in YAML: use api_key_env or api_key_cmd"
FORBIDDEN = dict.fromkeys(("api_key", "apikey", "password", "secret", "token"), _NO_SECRETS)
