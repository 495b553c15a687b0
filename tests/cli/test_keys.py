"""Keys by their users' view: typed or piped in, bound to a place, never shown."""

from __future__ import annotations

import json
import shlex
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Outcome
from tests.loopback import Response, Server, said
from tests.terminal import Terminal

Run = Callable[..., Outcome]
KEY = "sk-test-0123456789"


@pytest.fixture
def terminal(environ: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Open a person's terminal on a command line."""
    opened: list[Terminal] = []

    def start(line: str, **options: Any) -> Terminal:
        opened.append(Terminal(line, cwd=tmp_path, environ=environ, **options))
        return opened[-1]

    yield start
    for each in opened:
        try:
            each.kill()
        except ProcessLookupError:
            continue


def keys(environ: dict[str, str]) -> Any:
    path = Path(environ["AGENTCTL_HOME"]) / "keys.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return json.loads(path.read_text())


def test_a_piped_key_is_kept_for_the_place_of_its_provider(agentctl: Run, environ: dict[str, str]) -> None:
    outcome = agentctl("keys set openai", stdin=f" {KEY}\r\nmore\n".encode())
    assert outcome.stdout == ""
    assert 'kept the key "openai", to be sent to https://api.openai.com only' in outcome.stderr
    assert keys(environ) == {"openai": {"key": KEY, "origin": "https://api.openai.com"}}
    rows = agentctl("keys list -o json").json()
    assert rows == [
        {
            "name": "openai",
            "origin": "https://api.openai.com",
            "providers": ["openai"],
            "held_back_from": [],
        }
    ]


def test_a_typed_key_is_not_shown(terminal: Callable[..., Terminal], environ: dict[str, str]) -> None:
    person = terminal("keys set openai")
    person.wait_for("Key for openai (https://api.openai.com): ")
    person.type(f"{KEY}\n")
    assert person.end() == 0
    assert KEY not in person.seen
    assert keys(environ)["openai"]["key"] == KEY


def test_control_c_keeps_nothing_and_typing_shows_again(
    terminal: Callable[..., Terminal], environ: dict[str, str]
) -> None:
    import termios

    person = terminal("keys set openai")
    person.wait_for("Key for openai")
    assert not termios.tcgetattr(person.master)[3] & termios.ECHO
    person.interrupt()
    person.wait_for("stopped by SIGINT")
    assert termios.tcgetattr(person.master)[3] & termios.ECHO
    assert person.end() == 128 + signal.SIGINT
    assert not (Path(environ["AGENTCTL_HOME"]) / "keys.json").exists()


def test_what_is_piped_in_at_a_terminal_is_the_key(
    terminal: Callable[..., Terminal], environ: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "key.txt").write_text(f"{KEY}\n")
    assert terminal("keys set openai", stdin=str(tmp_path / "key.txt")).end() == 0
    assert keys(environ)["openai"]["key"] == KEY


def test_nobody_is_asked_who_cannot_answer(terminal: Callable[..., Terminal], agentctl: Run) -> None:
    person = terminal("keys set openai --no-input")
    assert person.end() == 2
    assert "first line of stdin" in person.seen
    assert "first line of stdin" in agentctl("keys set openai", code=2).stderr


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"  \n", b"sk-\xc3\xa9\n", b"sk-\xff\n", b"a\x00b\n", b"a\tb\n"]
)
def test_what_is_no_key_is_refused(agentctl: Run, environ: dict[str, str], text: bytes) -> None:
    agentctl("keys set openai", code=2, stdin=text)
    assert not (Path(environ["AGENTCTL_HOME"]) / "keys.json").exists()


def test_a_key_is_never_an_argument(agentctl: Run) -> None:
    assert "stdin" in agentctl("keys set 'Bearer sk-x'", code=2).stderr
    agentctl(f"keys set openai {KEY}", code=2)


def test_a_kept_key_is_sent_to_its_place_and_to_no_other(run: Run, agentctl: Run) -> None:
    with Server(Response(said("Hi"))) as first, Server(Response(said("Hi"))) as second:
        run(f"providers create work --kind openai --base-url {first.url}/v1")
        agentctl("keys set work", stdin=KEY.encode())
        run("chat 'a b' -m work/x")
        assert first.requests[0].headers["authorization"] == f"Bearer {KEY}"
        moved = run(f"providers update work --base-url {second.url}/v1")
        assert "it is not sent there" in moved.stderr
        refused = run("chat 'a b' -m work/x", code=7)
        assert "agentctl keys set work" in refused.stderr
        assert KEY not in refused.stderr
        assert second.requests == []
        assert run("keys list -o json").json()[0]["held_back_from"] == ["work"]
        agentctl("keys set work", stdin=KEY.encode())
        run("chat 'a b' -m work/x")
        assert second.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_file_that_moves_a_provider_moves_no_key(run: Run, agentctl: Run, tmp_path: Path) -> None:
    agentctl("keys set openai", stdin=KEY.encode())
    with Server(Response(said("stolen"))) as thief:
        (tmp_path / "agents.yaml").write_text(
            "agents: [{slug: default}]\nproviders:\n"
            f"  - {{slug: openai, kind: openai, base_url: '{thief.url}/v1'}}\n"
            f"  - slug: other\n    kind: openai\n    base_url: {thief.url}/v1\n"
            "    headers: {authorization: {key: openai}}\n"
        )
        run("apply --yes")
        for model in ("openai/x", "other/x"):
            assert "it is not sent there" in run(f"chat 'a b' -m {model}", code=7).stderr
    assert thief.requests == []


def test_the_variable_beats_a_kept_key_and_that_is_said(agentctl: Run, run: Run) -> None:
    outcome = agentctl("keys set openai", stdin=KEY.encode(), env={"OPENAI_API_KEY": "other"})
    assert "as long as it has OPENAI_API_KEY" in outcome.stderr


def test_a_key_that_only_a_header_names_is_kept_for_that_place(agentctl: Run, run: Run) -> None:
    run("providers create azure --kind openai --base-url https://me.example/v1 --header api-key=key:team")
    assert "to be sent to https://me.example only" in agentctl("keys set team", stdin=KEY.encode()).stderr
    (row,) = run("keys list -o json").json()
    assert (row["origin"], row["providers"]) == ("https://me.example", ["azure"])
    assert run("providers show azure -o json").json()["key_present"] is True


def test_a_name_that_means_no_provider_is_said_with_the_closest(agentctl: Run, run: Run) -> None:
    outcome = agentctl("keys set opnai", stdin=KEY.encode())
    assert 'did you mean "openai"?' in outcome.stderr
    assert run("keys list -o json").json()[0]["origin"] is None


def test_a_provider_that_sends_nothing_anywhere_has_no_key(agentctl: Run) -> None:
    agentctl("keys set local", stdin=KEY.encode(), code=2)


def test_a_deletion_says_who_uses_the_key_and_asks(agentctl: Run, run: Run, environ: dict[str, str]) -> None:
    agentctl("keys set openai", stdin=KEY.encode())
    outcome = run("keys delete openai", code=2)
    assert "key openai: used by openai" in outcome.stderr
    run("keys delete openai nope --yes", code=6)
    assert "openai" in keys(environ)
    run("keys delete openai --yes")
    assert keys(environ) == {}
    assert 'there is no key "openai"' in run("keys delete openai --yes", code=6).stderr


def test_a_broken_file_is_an_error_with_a_name_and_no_content(
    run: Run, agentctl: Run, environ: dict[str, str]
) -> None:
    home = Path(environ["AGENTCTL_HOME"])
    run("keys list")
    path = home / "keys.json"
    path.write_text('{"a":' * 5000 + KEY)
    path.chmod(0o600)
    for line in ("keys list", "chat 'a b' -m openai/x", "keys delete openai --yes"):
        outcome = run(line, code=7)
        assert str(path) in outcome.stderr
        assert KEY not in outcome.stderr
    assert str(path) in agentctl("keys set openai", stdin=b"k\n", code=7).stderr
    run("providers list")
    path.chmod(0o644)
    assert "chmod 600" in run("keys list", code=7).stderr


def test_a_command_can_ask_at_the_terminal(terminal: Callable[..., Terminal], run: Run) -> None:
    printed = """sh -c 'printf "unlock: " >/dev/tty; read -r key </dev/tty; echo "$key"'"""
    with Server(Response(said("Hi"))) as server:
        create = f"providers create work --kind openai --base-url {server.url}"
        run(f"{create} --api-key-cmd {shlex.quote(printed)}")
        person = terminal("chat 'a b' -m work/x")
        person.wait_for("unlock: ")
        person.type(f"{KEY}\n")
        assert person.end() == 0
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_control_c_ends_a_command_that_takes_long(
    terminal: Callable[..., Terminal], run: Run, tmp_path: Path
) -> None:
    printed = "sh -c 'echo started >/dev/tty; exec sleep 600'"
    create = "providers create work --kind openai --base-url http://127.0.0.1:9"
    run(f"{create} --api-key-cmd {shlex.quote(printed)}")
    person = terminal("chat 'a b' -m work/x")
    person.wait_for("started")
    person.interrupt()
    assert person.end() == 130
