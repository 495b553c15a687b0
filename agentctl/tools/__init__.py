"""Tool types: each is a class in a file of its own and one line here."""

from __future__ import annotations

TYPE_CHECKING = False  # the guard's children load this file, and typing would double what it costs
if TYPE_CHECKING:
    from agentctl.tools.base import ToolType

TYPES = {
    "base64": "agentctl.tools.base64:Base64",
    "calculator": "agentctl.tools.calculator.tool:Calculator",
    "command": "agentctl.tools.command.tool:Command",
    "datetime": "agentctl.tools.datetime.tool:DateTime",
    "document": "agentctl.tools.document.tool:DocumentTool",
    "fetch": "agentctl.tools.fetch.tool:Fetch",
    "hash": "agentctl.tools.hash:Hash",
    "http": "agentctl.tools.http.tool:Http",
    "json-formatter": "agentctl.tools.json_formatter.tool:JsonFormatter",
    "memory": "agentctl.tools.memory.tool:MemoryTool",
    "regex-tester": "agentctl.tools.regex_tester.tool:RegexTester",
    "search": "agentctl.tools.search.tool:Search",
    "text": "agentctl.tools.text.tool:Text",
    "user-info": "agentctl.tools.user_info:UserInfo",
    "uuid": "agentctl.tools.uuid:Uuid",
}


def load_type(name: str) -> type[ToolType]:
    """The class of a tool type; installed packages may add types (`tools/installed.py`).

    Raises ConfigError, with the closest known name, for a type that nobody provides, and for one of a package
    that cannot be used.
    """
    place = TYPES.get(name)
    if place is None:
        # Only an unknown name pays for looking through what is installed.
        from agentctl.tools.installed import load_installed

        return load_installed(name, TYPES)
    from importlib import import_module

    module, _, attribute = place.partition(":")
    found: type[ToolType] = getattr(import_module(module), attribute)
    return found
