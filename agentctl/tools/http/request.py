"""From a config and the arguments of one call to the request that is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any
from urllib.parse import urlencode

from agentctl.domain.headers import is_reference
from agentctl.domain.value import value
from agentctl.tools.http.config import HttpConfig
from agentctl.tools.http.template import LEFT_OUT, as_text, fill, fill_url

ACCEPT = "application/json, text/*;q=0.9, */*;q=0.5"


@value
class Request:
    """A request; `secrets` are the keys in it, which nobody but its server may see."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = b""
    secrets: tuple[str, ...] = field(default=(), repr=False)


def build_request(
    config: HttpConfig,
    arguments: Mapping[str, Any],
    find_secret: Callable[[Mapping[str, str]], str],
    idempotency_key: str,
) -> Request:
    """The request of one call; `find_secret` looks `{env: NAME}` and `{key: NAME}` up.

    Raises ToolError for arguments that cannot stand where they would have to.
    """
    secrets: list[str] = []

    def resolve(given: Any) -> Any:
        if not is_reference(given):
            return given
        secrets.append(find_secret(given))
        return secrets[-1]

    url = fill_url(config.url, arguments)
    query = _pairs({name: resolve(given) for name, given in config.query.items()}, arguments, config.query)
    if query:
        url += ("&" if "?" in url else "?") + urlencode(query)
    headers = {name.lower(): resolve(given) for name, given in config.headers.items()}
    content, media_type = b"", None
    if config.form:
        form = {name: resolve(given) for name, given in config.form.items()}
        content = urlencode(_pairs(form, arguments, config.form)).encode()
        media_type = "application/x-www-form-urlencoded"
    elif config.json is not None:
        content = json.dumps(fill(config.json, arguments), ensure_ascii=False).encode()
        media_type = "application/json"
    defaults = {"accept": ACCEPT, **({"content-type": media_type} if media_type else {})}
    if config.idempotency_header and not config.is_reading:
        defaults[config.idempotency_header.lower()] = idempotency_key
    return Request(url, {**defaults, **headers}, content, tuple(secrets))


def _pairs(
    resolved: Mapping[str, Any], arguments: Mapping[str, Any], declared: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Names and texts; a list gives its name once for each item, what was left out gives nothing.

    A secret is no template, whatever stands in it.
    """
    pairs: list[tuple[str, str]] = []
    for name, given in resolved.items():
        filled = given if is_reference(declared[name]) else fill(given, arguments)
        if filled is LEFT_OUT or filled is None:
            continue
        items = filled if isinstance(filled, list | tuple) else [filled]
        pairs += [(name, as_text(item)) for item in items]
    return pairs
