"""What a file is, told from its first bytes; names may lie."""

from __future__ import annotations

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
)
_SUFFIXES = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".webp": "image/webp",
}


def detect_media_type(data: bytes) -> str | None:
    """The media type of an image or a PDF; None for everything else."""
    for signature, media_type in _SIGNATURES:
        if data.startswith(signature):
            return media_type
    is_webp = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    return "image/webp" if is_webp else None


def guess_media_type(path: str) -> str | None:
    """What the name of a file that is not at hand promises; None where it promises nothing of use."""
    _, dot, suffix = path.rpartition(".")
    return _SUFFIXES.get(f".{suffix.lower()}") if dot else None
