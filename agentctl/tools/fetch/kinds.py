"""What came: a page, JSON or text; or something that is none of these, by its name."""

from __future__ import annotations

from typing import Literal

Kind = Literal["html", "json", "text"]

_HTML = ("application/xhtml+xml", "text/html")
_JSON = ("application/json", "text/json", "text/x-json")
# Types outside of text/* that are text all the same.
_TEXT = (
    "application/ecmascript",
    "application/graphql",
    "application/javascript",
    "application/rtf",
    "application/sql",
    "application/toml",
    "application/x-httpd-php",
    "application/x-javascript",
    "application/x-ndjson",
    "application/x-sh",
    "application/x-www-form-urlencoded",
    "application/x-yaml",
    "application/xml",
    "application/yaml",
)
# Types that say nothing: the content has to.
_VAGUE = ("", "application/octet-stream", "application/x-download", "binary/octet-stream", "unknown/unknown")
_NAMES = {
    "application/gzip": "a gzip archive",
    "application/msword": "a Word document",
    "application/pdf": "a PDF document",
    "application/vnd.ms-excel": "an Excel file",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "a PowerPoint file",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "an Excel file",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "a Word document",
    "application/wasm": "a WebAssembly module",
    "application/zip": "a ZIP archive",
}
_FAMILIES = {"audio/": "audio", "font/": "a font", "image/": "an image", "video/": "a video"}
_SIGNATURES = (
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x89PNG\r\n", "image/png"),
    (b"GIF8", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
)
_MARKS = (b"\xff\xfe", b"\xfe\xff")
_CONTROLS = bytes({*range(32)} - {9, 10, 12, 13, 27})


def find_binary(content_type: str, charset: str | None, body: bytes) -> str | None:
    """What it is that cannot be read, as "a PDF document (application/pdf)"; None for text."""
    for signature, kind in _SIGNATURES:
        if body.startswith(signature):
            return _name(kind)
    if _is_text(content_type) or content_type in _VAGUE:
        return _name(content_type) if _is_odd(charset, body) else None
    return _name(content_type)


def find_kind(content_type: str, body: bytes) -> Kind:
    """The kind of a text, by its type, and by its content where the type says nothing."""
    if content_type in _HTML:
        return "html"
    if content_type in _JSON or content_type.endswith("+json"):
        return "json"
    if content_type in _VAGUE:
        start = body[:200].lstrip().lower()
        if start.startswith((b"<!doctype html", b"<html")):
            return "html"
        if start.startswith((b"{", b"[")):
            return "json"
    return "text"


def _is_text(content_type: str) -> bool:
    known = (*_HTML, *_JSON, *_TEXT)
    return (
        content_type.startswith("text/") or content_type in known or content_type.endswith(("+json", "+xml"))
    )


def _is_odd(charset: str | None, body: bytes) -> bool:
    """Whether bytes stand at the start that no text has; in UTF-16 and UTF-32 they do."""
    if body.startswith(_MARKS) or (charset or "").startswith(("utf-16", "utf-32", "ucs")):
        return False
    start = body[:1_000]
    controls = len(start) - len(start.translate(None, _CONTROLS))
    return b"\0" in start or controls > len(start) // 10


def _name(content_type: str) -> str:
    family = next(
        (name for start, name in _FAMILIES.items() if content_type.startswith(start)), "a binary file"
    )
    name = _NAMES.get(content_type, family)
    return f"{name} ({content_type})" if content_type else name
