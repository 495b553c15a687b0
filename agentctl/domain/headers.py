"""What a declared header may be: text, or the name of a secret, and never a secret itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

KEY_NAME = r"[A-Za-z0-9._-]{1,100}"
VARIABLE_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
# What frames a request is the HTTP client's to say; a wrong one breaks the request or the connection.
FRAMING_HEADERS = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
# Authorization, *-key and *-token, and what else is only ever used for secrets.
_SECRET_HEADER = re.compile(
    r"(proxy-)?authorization|cookie|([a-z0-9_-]*[-_])?(key|token|secret|password)|apikey"
)
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# A text that can only be a secret, under whatever name.
_CREDENTIALS = re.compile(r"(?i)(bearer|basic)\s+\S")
_NAMES = {"env": VARIABLE_NAME, "key": KEY_NAME}


class HeaderFault(NamedTuple):
    """What is wrong with a header, at its name or at its value; never a word of the value."""

    name: str
    message: str
    at_name: bool = False


def header_faults(headers: Mapping[str, Any]) -> Iterator[HeaderFault]:
    """Each header is text, `{env: NAME}` or `{key: NAME}`; one for secrets must not be text."""
    for name, given in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            yield HeaderFault(name, f"`{name}` is no name of a header", at_name=True)
        if name.lower() in FRAMING_HEADERS:
            yield HeaderFault(name, f"{name} cannot be set, for each request makes its own", at_name=True)
        message = _value_fault(name, given)
        if message:
            yield HeaderFault(name, message)


def is_reference(given: Any) -> bool:
    """Whether it is `{env: NAME}` or `{key: NAME}`."""
    if not isinstance(given, Mapping) or len(given) != 1:
        return False
    ((kind, named),) = given.items()
    pattern = _NAMES.get(kind)
    return pattern is not None and isinstance(named, str) and re.fullmatch(pattern, named) is not None


def _value_fault(name: str, given: Any) -> str | None:
    if isinstance(given, Mapping):
        if is_reference(given):
            return None
        return f"{name}: expected {{env: NAME}} or {{key: NAME}}, with the name and not the secret itself"
    if not isinstance(given, str):
        return f"{name}: expected text, {{env: NAME}} or {{key: NAME}}"
    if _SECRET_HEADER.fullmatch(name.lower()) or _CREDENTIALS.match(given):
        return f"{name} must not stand here as text: write {{env: NAME}} or {{key: NAME}}"
    return None if given.isascii() and given.isprintable() else f"{name}: a header is plain ASCII on one line"
