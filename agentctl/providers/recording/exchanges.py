"""Exchanges over HTTP as lines of a recording."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.domain.blanks import Blanks
from agentctl.net.address import hide_secrets
from agentctl.net.failure import NetworkFailure
from agentctl.net.recording import Exchange
from agentctl.providers.recording.file import Line
from agentctl.providers.wire.mask import Mask


def describe_request(url: str, content: bytes) -> dict[str, Any]:
    """What of a request is recorded, and compared in a replay: all but its headers."""
    try:
        body = json.loads(content)
    except ValueError:
        body = content.decode("utf-8", "replace")
    return {"method": "POST", "url": hide_secrets(url), "body": body}


def exchange_as_line(exchange: Exchange, blanks: Blanks) -> Line:
    """The line of an exchange; no known secret is left in it."""
    pieces = blanks.blank_pieces([chunk for _, chunk in exchange.chunks])
    headers = dict(exchange.headers)
    if "location" in headers:
        headers["location"] = hide_secrets(headers["location"])
    return {
        "type": "exchange",
        "at": exchange.at,
        "request": blanks.blank(describe_request(exchange.url, exchange.content)),
        "status": exchange.status,
        "headers": blanks.blank(headers),
        "chunks": [[at, _as_text(piece)] for (at, _), piece in zip(exchange.chunks, pieces, strict=True)],
        "whole": exchange.whole,
        "failure": blanks.blank(_describe_failure(exchange.failure)),
    }


def mask_error(exchange: Exchange, secrets: Sequence[str]) -> Exchange:
    """`exchange`; the body of an error without pieces of keys, which servers like to quote."""
    if exchange.status < 400 or not exchange.chunks:
        return exchange
    body = b"".join(chunk for _, chunk in exchange.chunks).decode("utf-8", "replace")
    masked = Mask(secrets).hide(body, about_keys=exchange.status in (401, 403))
    return exchange._replace(chunks=((exchange.chunks[-1][0], masked.encode()),))


def exchange_from_line(line: Line) -> Exchange:
    """The exchange behind a line. Raises KeyError, TypeError and ValueError for a line that is none."""
    failure = line["failure"]
    return Exchange(
        url=line["request"]["url"],
        content=b"",
        at=line["at"],
        status=line["status"],
        headers=line["headers"],
        chunks=tuple((at, _as_bytes(piece)) for at, piece in line["chunks"]),
        whole=line["whole"],
        failure=NetworkFailure(**failure) if failure else None,
    )


def _as_text(piece: bytes) -> str | dict[str, str]:
    """Text where it is text, so that a recording can be read; a piece may end within a character."""
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(piece).decode()}


def _as_bytes(piece: str | Mapping[str, str]) -> bytes:
    return piece.encode() if isinstance(piece, str) else base64.b64decode(piece["base64"])


def _describe_failure(failure: NetworkFailure | None) -> dict[str, Any] | None:
    if failure is None:
        return None
    return {
        "message": failure.message,
        "where": failure.type,
        "retryable": failure.retryable,
        "hint": failure.hint,
    }
