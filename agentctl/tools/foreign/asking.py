"""What a tool in a process of its own may ask of agentctl: both ends of each service."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agentctl.domain.session_search import SessionHit, SessionSearch
from agentctl.domain.tool import ToolContext
from agentctl.domain.user import User
from agentctl.errors import CredentialsError
from agentctl.tools.base import Services, ToolType

# Asks agentctl for a service by name. Raises CredentialsError with what agentctl says against it.
Ask = Callable[..., Any]


def make_services(ask: Ask, *, locale: str, time_zone: str, cwd: str) -> Services:
    """The services of a call in its own process. No results are kept there, and no secrets known to blank."""

    def find_user(user_id: int) -> User | None:
        found = ask("user", user_id)
        return User(**found) if found else None

    def find_secret(reference: Mapping[str, str], origin: str) -> str:
        return str(ask("secret", dict(reference), origin))

    def search_sessions(search: SessionSearch) -> Sequence[SessionHit]:
        return [SessionHit(*hit) for hit in ask("sessions", *search)]

    def find_variable(name: str) -> str | None:
        found: str | None = ask("variable", name)
        return found

    return Services(
        find_user,
        locale,
        time_zone,
        find_secret=find_secret,
        search_sessions=search_sessions,
        find_variable=find_variable,
        cwd=cwd,
    )


def answer(tool: ToolType, context: ToolContext, body: bytes) -> bytes:
    """The reply to a question, as JSON: what belongs to the caller, and secrets that the tool declares."""
    try:
        name, *given = json.loads(body)
        said = {"value": _SERVICES[name](tool, context, *given)}
        return json.dumps(said).encode()
    except CredentialsError as error:
        return json.dumps({"error": error.message}).encode()
    except Exception as error:  # a question that makes no sense
        return json.dumps({"error": f"agentctl does not answer that ({type(error).__name__})"}).encode()


def _find_user(tool: ToolType, context: ToolContext, user_id: int) -> Any:
    found = tool.services.find_user(user_id) if user_id == context.user_id else None
    return asdict(found) if found else None


def _find_secret(tool: ToolType, _: ToolContext, reference: Mapping[str, str], origin: str) -> Any:
    routes = [(dict(each), to) for each, to in tool.find_routes(tool.config)]
    if (reference, origin) not in routes:
        raise CredentialsError(f"find_routes of the tool type names no such secret for {origin}")
    return tool.services.find_secret(reference, origin)


def _search_sessions(tool: ToolType, context: ToolContext, user_id: int, *rest: Any) -> Any:
    if user_id != context.user_id:
        return []
    return [list(hit) for hit in tool.services.search_sessions(SessionSearch(user_id, *rest))]


def _find_variable(tool: ToolType, _: ToolContext, name: str) -> Any:
    return tool.services.find_variable(name)


_SERVICES: Mapping[str, Callable[..., Any]] = {
    "secret": _find_secret,
    "sessions": _search_sessions,
    "user": _find_user,
    "variable": _find_variable,
}
