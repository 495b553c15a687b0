"""What `-a` attaches: images and PDFs as files, text as a part of the prompt."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Sequence
from typing import TextIO
from urllib.parse import urlsplit

from agentctl.domain.media import detect_media_type, guess_media_type
from agentctl.domain.message import File
from agentctl.errors import NotFound, UsageError

# The largest request that any provider takes is about 32 MB, and base64 adds a third.
LONGEST = 20 * 1024 * 1024
LONGEST_TEXT = 1024 * 1024
TAKES = "-a takes images (PNG, JPEG, GIF, WebP), PDFs and UTF-8 text"


def read_attachments(given: Sequence[str], stdin: TextIO | None) -> tuple[tuple[File, ...], str]:
    """The files, and the text that goes behind the prompt ("" where there is none).

    `given` are paths, URLs and `-` for stdin. Raises NotFound and UsageError.
    """
    files: list[File] = []
    texts: list[str] = []
    total = 0
    if given.count("-") > 1:
        raise UsageError("-a - stands for stdin and can be given once")
    for source in given:
        if source.lower().startswith(("http://", "https://")):
            files.append(_refer(source))
            continue
        name, data = _read(source, stdin)
        total += len(data)
        if total > LONGEST:
            raise UsageError(f"the attachments are larger than {LONGEST // 1024 // 1024} MB together")
        media_type = detect_media_type(data)
        if media_type:
            digest = hashlib.sha256(data).hexdigest()
            files.append(File(name, media_type, size=len(data), sha256=digest, data=data))
        else:
            texts.append(f'<file name="{name}">\n{_decode(name, data).rstrip()}\n</file>')
    return tuple(files), "\n\n".join(texts)


def _refer(url: str) -> File:
    """A file that the provider fetches itself; nothing is asked for here."""
    # Not shown where it is refused: it may hold a password.
    shown = f"-a {url.partition(':')[0].lower()}://..."
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise UsageError(f"{shown}: {error}") from None
    if not parts.hostname or parts.username or parts.password:
        raise UsageError(f"{shown}: a URL needs a host, and must hold no user or password")
    if any(character <= " " for character in url):
        raise UsageError(f"{shown}: a URL holds no spaces and no control characters")
    media_type = guess_media_type(parts.path)
    if media_type is None:
        raise UsageError(
            "-a takes a URL whose path ends in .png, .jpg, .gif, .webp or .pdf",
            hint="Fetch anything else first, and attach the file.",
        )
    return File(parts.path.rpartition("/")[2], media_type, url=url)


def _read(source: str, stdin: TextIO | None) -> tuple[str, bytes]:
    """Name and content of a file or of stdin, no more than is allowed plus one byte."""
    if source == "-":
        if stdin is None or stdin.closed or stdin.isatty():
            raise UsageError("-a - means stdin, and there is none", hint="Pipe the file in.")
        return "stdin", stdin.buffer.read(LONGEST + 1)
    try:
        with open(source, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"{source} is no file", hint="A pipe is attached with -a -.")
            # What has nothing to say yet says None.
            return os.path.basename(source), file.read(LONGEST + 1) or b""
    except FileNotFoundError:
        raise NotFound(f"no file {source}", hint="-a takes a path, a URL or - for stdin.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name cannot be used"
        raise UsageError(f"cannot read {source}: {reason}") from None


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting: a pipe that nobody writes to would hold up everything."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _decode(name: str, data: bytes) -> str:
    if not data.strip():
        raise UsageError(f"{name} is empty, so there is nothing to attach")
    if len(data) > LONGEST_TEXT:
        raise UsageError(f"{name} holds more than {LONGEST_TEXT >> 10} KB of text", hint="Attach less of it.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UsageError(f"{name} is neither an image, a PDF nor text", hint=f"{TAKES}.")
    return text
