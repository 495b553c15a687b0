from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from agentctl.domain.message import File, Message, Text
from agentctl.errors import UsageError
from agentctl.providers.openai_chat.messages import build_messages
from agentctl.providers.openai_chat.options import ChatOptions
from tests.providers.asking import make_request

IMAGE = File("cat.png", "image/png", data=b"\x89PNG")
PDF = File("报告.pdf", "application/pdf", data=b"%PDF-1.7")
PDF_URL = File("report.pdf", "application/pdf", url="https://example.org/report.pdf")
IMAGE_PART = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}


def build(*messages: Message) -> list[dict[str, Any]]:
    return build_messages(make_request(messages=messages), ChatOptions())


def test_files_and_words_are_parts_in_their_order() -> None:
    (entry,) = build(Message("user", (Text("What is this?"), IMAGE, PDF)))
    assert entry["content"] == [
        {"type": "text", "text": "What is this?"},
        IMAGE_PART,
        {
            "type": "file",
            "file": {
                "filename": "报告.pdf",
                "file_data": f"data:application/pdf;base64,{b64encode(b'%PDF-1.7').decode()}",
            },
        },
    ]


def test_an_image_may_come_without_words_or_by_its_url() -> None:
    linked = File("cat.png", "image/png", url="https://example.org/cat.png")
    (entry,) = build(Message("user", (Text(" "), linked)))
    assert entry["content"] == [
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}},
    ]


def test_a_pdf_by_url_is_refused_with_what_to_do() -> None:
    with pytest.raises(UsageError, match=r"report\.pdf") as caught:
        build(Message("user", (Text("Read it"), PDF_URL)))
    assert caught.value.hint == "Download it and attach the file: -a FILE."


def test_a_pdf_by_url_of_an_earlier_message_does_not_end_the_conversation() -> None:
    wire = build(Message("user", (Text("a"), PDF_URL)), Message("assistant", (Text("b"),)), _said("c"))
    assert wire[0]["content"][1] == {
        "type": "text",
        "text": "[report.pdf was attached here, but cannot be shown again.]",
    }
    assert wire[2] == {"role": "user", "content": "c"}


def test_words_and_parts_of_neighbours_are_merged() -> None:
    (entry,) = build(_said("a"), Message("user", (IMAGE,)), _said("b"))
    assert entry["content"] == [{"type": "text", "text": "a"}, IMAGE_PART, {"type": "text", "text": "b"}]


def _said(text: str) -> Message:
    return Message("user", (Text(text),))
