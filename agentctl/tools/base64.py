"""The tool type `base64`."""

from __future__ import annotations

import binascii
import re
from dataclasses import field
from typing import Any, Literal

from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolError, ToolType

_SPACE = re.compile(r"\s+")
_URL_SAFE = str.maketrans("+/", "-_")
_STANDARD = str.maketrans("-_", "+/")
_SHOWN_BYTES = 256


@value
class Base64Arguments:
    """Which way, and what."""

    action: Literal["encode", "decode"] = field(metadata={"description": "What to do."})
    text: str = field(
        metadata={"description": "The text to encode, or the Base64 to decode.", "max_length": 1_000_000}
    )
    url_safe: bool = field(default=False, metadata={"description": "Use - and _ in place of + and /."})


class Base64(ToolType):
    """Base64 of UTF-8 text. Linear in at most a million characters, a few milliseconds: it runs in place."""

    type = "base64"
    description = (
        'Encodes text as Base64 or decodes it. Example: {"action": "encode", "text": "hello"} gives aGVsbG8=.'
    )
    Arguments = Base64Arguments

    async def run(self, arguments: Base64Arguments, context: ToolContext) -> dict[str, Any]:
        """`text`; bytes that are no UTF-8 text come as `binary`, their number and start in hexadecimal."""
        if arguments.action == "encode":
            encoded = binascii.b2a_base64(arguments.text.encode(), newline=False).decode()
            return {"text": encoded.translate(_URL_SAFE) if arguments.url_safe else encoded}
        data = decode(arguments.text, url_safe=arguments.url_safe)
        try:
            return {"text": data.decode()}
        except UnicodeDecodeError:
            return {"binary": True, "bytes": len(data), "hex": data[:_SHOWN_BYTES].hex()}


def decode(text: str, *, url_safe: bool = False) -> bytes:
    """The bytes behind `text`; white space and missing padding are no fault.

    Raises ToolError that names the first character that does not belong there.
    """
    clean = _SPACE.sub("", text)
    body = clean.rstrip("=")
    if wrong := re.search(r"[^A-Za-z0-9\-_]" if url_safe else r"[^A-Za-z0-9+/]", body):
        hint = ""
        if wrong[0] in "-_+/":
            hint = f"; this looks like {'standard' if url_safe else 'URL-safe'} Base64, set url_safe to "
            hint += "false" if url_safe else "true"
        raise ToolError(f'not Base64: "{wrong[0]}" at character {wrong.start() + 1}{hint}')
    if len(body) % 4 == 1:
        raise ToolError(f"not Base64: {len(body):,} characters cannot be; it is cut short")
    padded = body + "=" * (-len(body) % 4)
    return binascii.a2b_base64(padded.translate(_STANDARD))
