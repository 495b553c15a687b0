"""`chat -a`: images and PDFs go to the model as files, text goes into the prompt."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome
from tests.loopback import Response, Server, said

Run = Callable[..., Outcome]

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
PDF = b"%PDF-1.7\n1 0 obj"


@pytest.fixture
def declare(run: Run, tmp_path: Path) -> Callable[..., None]:
    """Apply files that declare the server's models: `sees` takes images, `blind` text only."""

    def call(server: Server) -> None:
        declared = {
            "providers": [{"slug": "here", "kind": "openai", "base_url": f"{server.url}/v1"}],
            "models": [
                {"slug": "sees", "provider": "here", "inputs": ["image", "pdf"]},
                {"slug": "blind", "provider": "here", "inputs": []},
            ],
            "agents": [{"slug": "default", "is_default": True, "title_strategy": "none"}],
        }
        (tmp_path / "agents.yaml").write_text(json.dumps(declared))
        run("apply --yes")
        (tmp_path / "图.png").write_bytes(PNG)
        (tmp_path / "paper.pdf").write_bytes(PDF)
        (tmp_path / "notes.txt").write_text("买米\n", encoding="utf-8")

    return call


def test_files_and_text_are_sent_in_their_own_form_and_again_with_the_next_turn(
    run: Run, declare: Callable[..., None]
) -> None:
    with Server(Response(said("a plot"))) as server:
        declare(server)
        run("chat 'what is this?' -a 图.png -a notes.txt -a https://example.com/x.jpg?y=1 -m sees")
        run("chat -c 'and the colour?'")
        bodies = [request.json["messages"] for request in server.requests]
    content = bodies[0][-1]["content"]
    assert content[0]["text"] == 'what is this?\n\n<file name="notes.txt">\n买米\n</file>'
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    assert urls == [
        f"data:image/png;base64,{base64.b64encode(PNG).decode()}",
        "https://example.com/x.jpg?y=1",
    ]
    again = next(message for message in bodies[1] if message["role"] == "user")
    assert again["content"] == content


def test_what_was_attached_is_listed_without_its_bytes(run: Run, declare: Callable[..., None]) -> None:
    with Server(Response(said("ok"))) as server:
        declare(server)
        run("chat 'what is this?' -a paper.pdf -m sees")
        (question, _) = run("sessions messages @last -o json").json()
        assert "paper.pdf" in run("sessions messages @last").stdout
    file = question["parts"][1]
    assert (file["name"], file["media_type"], file["size"]) == ("paper.pdf", "application/pdf", len(PDF))
    assert "data" not in file


def test_a_model_that_reads_only_text_refuses_a_picture_before_anything_is_sent(
    run: Run, declare: Callable[..., None]
) -> None:
    with Server() as server:
        declare(server)
        outcome = run("chat 'what is this?' -a 图.png -m blind", code=2)
        assert server.requests == []
    assert "图.png: blind reads only text, and this is image/png" in outcome.stderr
    assert "-m" in outcome.stderr


def test_a_session_goes_on_with_a_model_that_cannot_see_its_pictures(
    run: Run, declare: Callable[..., None]
) -> None:
    with Server(Response(said("ok"))) as server:
        declare(server)
        run("chat 'what is this?' -a 图.png -m sees")
        run("chat -c 'and now?' -m blind")
        content = next(one for one in server.requests[1].json["messages"] if one["role"] == "user")["content"]
    assert "图.png (image/png) was attached here" in json.dumps(content, ensure_ascii=False)


@pytest.mark.parametrize(
    ("given", "code", "said_"),
    [
        ("-a missing.png", 6, "no file missing.png"),
        ("-a .", 2, "cannot read .: Is a directory"),
        ("-a empty", 2, "empty is empty"),
        ("-a binary", 2, "binary is neither an image, a PDF nor text"),
        ("-a large.txt", 2, "large.txt holds more than 1024 KB of text"),
        ("-a huge.png", 2, "larger than 20 MB"),
        ("-a https://example.com/page", 2, "ends in .png"),
        ("-a https://u:p@example.com/x.png", 2, "no user or password"),
        ("-a https://[::1/x.png", 2, "https://...: Invalid IPv6 URL"),
        ("-a 'HTTPS://example.com/a b.png'", 2, "https://...: a URL holds no spaces"),
        ("-a pipe", 2, "pipe is no file"),
        ("-a - -a -", 2, "can be given once"),
    ],
)
def test_what_cannot_be_attached_is_said(run: Run, tmp_path: Path, given: str, code: int, said_: str) -> None:
    (tmp_path / "empty").write_bytes(b"\n")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "binary").write_bytes(b"\x00\x01")
    (tmp_path / "large.txt").write_bytes(b"x" * (1024 * 1024 + 1))
    (tmp_path / "huge.png").write_bytes(PNG + bytes(20 * 1024 * 1024))
    assert said_ in run(f"chat 'a b' {given} -m openai/x", code=code).stderr


def test_a_file_can_come_from_stdin(
    agentctl: Callable[..., Outcome], run: Run, declare: Callable[..., None]
) -> None:
    with Server(Response(said("ok"))) as server:
        declare(server)
        agentctl("chat 'what is this?' -a - -m sees", stdin=PNG)
        content = server.requests[0].json["messages"][-1]["content"]
    assert [part["type"] for part in content] == ["text", "image_url"]
