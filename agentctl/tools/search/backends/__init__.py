"""The web search APIs: each is a file of its own and one line here."""

from __future__ import annotations

from agentctl.tools.search.backend import Backend

BACKENDS = {
    "brave": "agentctl.tools.search.backends.brave:BRAVE",
    "searxng": "agentctl.tools.search.backends.searxng:SEARXNG",
    "serper": "agentctl.tools.search.backends.serper:SERPER",
    "tavily": "agentctl.tools.search.backends.tavily:TAVILY",
}


def load_backend(name: str) -> Backend:
    """The backend of this name, which must be in the table."""
    from importlib import import_module

    module, _, attribute = BACKENDS[name].partition(":")
    found: Backend = getattr(import_module(module), attribute)
    return found
