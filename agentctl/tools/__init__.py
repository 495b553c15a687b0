"""Tool types: each is a class in a file of its own and one line here."""

from __future__ import annotations

TYPE_CHECKING = False  # the guard's children load this file, and typing would double what it costs
if TYPE_CHECKING:
    from agentctl.tools.base import ToolType

TYPES = {
    "base64": "agentctl.tools.base64:Base64",
    "calculator": "agentctl.tools.calculator.tool:Calculator",
    "datetime": "agentctl.tools.datetime.tool:DateTime",
    "json-formatter": "agentctl.tools.json_formatter.tool:JsonFormatter",
    "regex-tester": "agentctl.tools.regex_tester.tool:RegexTester",
    "user-info": "agentctl.tools.user_info:UserInfo",
    "uuid": "agentctl.tools.uuid:Uuid",
}

ENTRY_POINTS = "agentctl.tools"


def load_type(name: str) -> type[ToolType]:
    """The class of a tool type; packages may add types as entry points of the group `agentctl.tools`.

    Raises ConfigError, with the closest known name, for a type that nobody provides.
    """
    place = TYPES.get(name) or _find_entry_point(name)
    if place is None:
        from agentctl.errors import ConfigError, did_you_mean

        known = "known types: " + ", ".join(TYPES)
        raise ConfigError(f'unknown tool type "{name}"{did_you_mean(name, TYPES)}', hint=known)
    from importlib import import_module

    module, _, attribute = place.partition(":")
    found: type[ToolType] = getattr(import_module(module), attribute)
    return found


def _find_entry_point(name: str) -> str | None:
    from importlib.metadata import entry_points

    return next((entry.value for entry in entry_points(group=ENTRY_POINTS, name=name)), None)
