"""Attached files in the forms that several protocols share."""

from __future__ import annotations

from base64 import b64encode

from agentctl.domain.message import File


def as_data_url(file: File) -> str | None:
    """The bytes of a file as a `data:` URL; None where it has none."""
    if file.data is None:
        return None
    return f"data:{file.media_type};base64,{b64encode(file.data).decode()}"


def describe_missing(file: File) -> str:
    """What a model reads in the place of a file that cannot be sent any more."""
    return f"[{file.name} was attached here, but cannot be shown again.]"
