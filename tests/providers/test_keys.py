from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.model import Provider
from agentctl.errors import AgentctlError, ConfigError, CredentialsError, TimeLimit
from agentctl.providers.keys import KeyState, build_headers, describe_key, find_key
from tests.providers.asking import make_runtime

KEY = "sk-test-0123456789"


def provider(**values: Any) -> Provider:
    return Provider("mine", "openai", "https://host/v1", **values)


def refused(declared: Provider, folder: Path, env: dict[str, str] | None = None) -> AgentctlError:
    with pytest.raises(AgentctlError) as caught:
        build_headers(declared, make_runtime(folder, env))
    assert KEY not in f"{caught.value.message}{caught.value.hint}"
    return caught.value


def write_keys(folder: Path, keys: Any, mode: int = 0o600) -> Path:
    path = folder / "keys.json"
    path.write_text(json.dumps(keys))
    path.chmod(mode)
    return path


def command(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def test_the_variable_is_read_and_trimmed(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, {"MY_KEY": f" {KEY}\r\n"})
    assert find_key(provider(api_key_env="MY_KEY"), runtime) == KEY
    assert build_headers(provider(api_key_env="MY_KEY"), runtime) == {"authorization": f"Bearer {KEY}"}


def test_a_provider_that_names_no_key_gets_none(tmp_path: Path) -> None:
    assert build_headers(provider(), make_runtime(tmp_path)) == {}


@pytest.mark.parametrize("env", [{}, {"MY_KEY": ""}, {"MY_KEY": " \n"}])
def test_a_missing_variable_says_what_to_set_and_what_else_works(tmp_path: Path, env: dict[str, str]) -> None:
    error = refused(provider(api_key_env="MY_KEY"), tmp_path, env)
    assert isinstance(error, CredentialsError)
    assert error.message == "no key for mine: set MY_KEY, or choose another model with -m"
    assert "-m local/..." in (error.hint or "")


def test_a_command_prints_the_key_and_the_variable_beats_it(tmp_path: Path) -> None:
    declared = provider(api_key_env="MY_KEY", api_key_cmd=command(f"print('{KEY}')"))
    assert find_key(declared, make_runtime(tmp_path)) == KEY
    assert find_key(declared, make_runtime(tmp_path, {"MY_KEY": "other"})) == "other"


def test_a_command_gets_no_shell_and_nothing_of_the_users_stdin(tmp_path: Path) -> None:
    code = "import sys; print(sys.argv[1] + '/' + sys.stdin.read())"
    declared = provider(api_key_cmd=(*command(code), "$HOME;x"))
    assert find_key(declared, make_runtime(tmp_path)) == "$HOME;x/"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (f"import sys; print('{KEY}'); sys.exit(3)", "ended with 3"),
        ("", "is empty: no key there"),
        (f"print('{KEY}'); print('{KEY}')", "characters that no key has"),
        ("print('x' * 100_000)", "printed more than a key"),
        (f"print('{KEY}é')", "characters that no key has"),
    ],
)
def test_a_command_that_gives_no_key_is_named(tmp_path: Path, code: str, words: str) -> None:
    assert words in refused(provider(api_key_cmd=command(code)), tmp_path).message


def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    error = refused(provider(api_key_cmd=("no-such-command", "x")), tmp_path)
    assert error.message == "no key for mine: no-such-command cannot be run: No such file or directory"


def test_a_command_has_no_more_time_than_the_run(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, time_left=lambda: 0.3)
    with pytest.raises(TimeLimit, match="the time limit passed before sleep gave a key for mine"):
        find_key(provider(api_key_cmd=("sleep", "600")), runtime)
    assert find_key(provider(api_key_cmd=("echo", KEY)), make_runtime(tmp_path, time_left=lambda: 60)) == KEY


def test_headers_are_text_variables_and_named_keys(tmp_path: Path) -> None:
    write_keys(tmp_path, {"team": KEY})
    headers = {"X-A": "text", "X-B": {"env": "MY_KEY"}, "X-C": {"key": "team"}}
    runtime = make_runtime(tmp_path, {"MY_KEY": "abc"})
    assert build_headers(provider(headers=headers), runtime) == {"x-a": "text", "x-b": "abc", "x-c": KEY}


def test_a_provider_that_sets_authorization_itself_needs_no_other_key(tmp_path: Path) -> None:
    write_keys(tmp_path, {"team": KEY})
    declared = provider(api_key_env="MY_KEY", headers={"Authorization": {"key": "team"}})
    assert build_headers(declared, make_runtime(tmp_path)) == {"authorization": KEY}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"env": "MY_KEY"}, "header X-A of provider mine: set MY_KEY, or choose another model with -m"),
        ({"key": "team"}, 'header X-A of provider mine: no key named "team" in'),
        ({"kez": "team"}, "header X-A of provider mine: write text, {env: NAME} or {key: NAME}"),
        (5, "header X-A of provider mine: write text, {env: NAME} or {key: NAME}"),
        ("a\nb", "header X-A of provider mine: only plain ASCII can be sent"),
        ("é", "header X-A of provider mine: only plain ASCII can be sent"),
    ],
)
def test_a_header_that_cannot_be_sent_is_named(tmp_path: Path, value: Any, words: str) -> None:
    assert refused(provider(headers={"X-A": value}), tmp_path).message.startswith(words)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_keys_that_others_can_read_are_refused(tmp_path: Path, mode: int) -> None:
    path = write_keys(tmp_path, {"team": KEY}, mode)
    error = refused(provider(headers={"X-A": {"key": "team"}}), tmp_path)
    assert (error.message, error.hint) == (f"others can read {path}", f"chmod 600 {path}")


@pytest.mark.parametrize("keys", [[KEY], {"team": {"a": KEY}}, KEY])
def test_a_file_of_another_shape_is_refused(tmp_path: Path, keys: Any) -> None:
    write_keys(tmp_path, keys)
    assert isinstance(refused(provider(headers={"X-A": {"key": "team"}}), tmp_path), CredentialsError)


def test_a_file_that_is_no_json_is_refused_without_quoting_it(tmp_path: Path) -> None:
    write_keys(tmp_path, {}).write_text(KEY)
    assert "cannot read the keys" in refused(provider(headers={"X-A": {"key": "team"}}), tmp_path).message


@pytest.mark.parametrize(
    ("values", "state"),
    [
        ({"api_key_env": "MY_KEY"}, KeyState("MY_KEY", True, "Check MY_KEY.")),
        (
            {"api_key_env": "OTHER"},
            KeyState("OTHER", False, "Set OTHER, or run agentctl keys set mine."),
        ),
        (
            {"api_key_cmd": ("pass", "x")},
            KeyState("the output of pass", None, "Check the output of pass."),
        ),
        (
            {"headers": {"X-A": "text", "X-API-Key": {"key": "team"}}},
            KeyState('the key "team"', True, "Set it anew with agentctl keys set team."),
        ),
        ({"headers": {"Authorization": {"env": "MY_KEY"}}}, KeyState("MY_KEY", True, "Check MY_KEY.")),
        ({"headers": {"Authorization": {"env": "OTHER"}}}, KeyState("OTHER", False, "Set OTHER.")),
        (
            {"headers": {"X-A": {"env": "MY_KEY"}}},
            KeyState(None, None, "Set api_key_env of provider mine, or run agentctl keys set mine."),
        ),
    ],
)
def test_where_a_key_comes_from_is_told_without_it(
    tmp_path: Path, values: dict[str, Any], state: KeyState
) -> None:
    write_keys(tmp_path, {"team": KEY})
    assert describe_key(provider(**values), make_runtime(tmp_path, {"MY_KEY": KEY})) == state


def test_a_key_of_the_file_comes_after_the_variable_and_before_the_command(tmp_path: Path) -> None:
    write_keys(tmp_path, {"mine": {"key": KEY, "origin": "https://host"}})
    declared = provider(api_key_env="MY_KEY", api_key_cmd=command("print('printed')"))
    assert find_key(declared, make_runtime(tmp_path, {"MY_KEY": "set"})) == "set"
    assert find_key(declared, make_runtime(tmp_path)) == KEY
    assert find_key(provider(), make_runtime(tmp_path)) == KEY


@pytest.mark.parametrize(
    "stored",
    [
        KEY,
        {"key": KEY, "origin": "https://host:8443"},
        {"key": KEY, "origin": "http://host"},
        {"key": KEY, "origin": "https://host.evil.example"},
    ],
)
def test_a_key_named_like_the_provider_goes_to_the_place_it_was_set_for_only(
    tmp_path: Path, stored: Any
) -> None:
    write_keys(tmp_path, {"mine": stored})
    error = refused(provider(), tmp_path)
    assert 'the key "mine" was set for' in error.message
    assert "mine is at https://host: it is not sent there" in error.message
    assert "agentctl keys set mine" in (error.hint or "")
    state = describe_key(provider(), make_runtime(tmp_path))
    assert (state.source, state.present) == ('the key "mine"', False)


def test_a_key_that_was_set_for_a_place_goes_into_no_header_elsewhere(tmp_path: Path) -> None:
    write_keys(tmp_path, {"team": {"key": KEY, "origin": "https://other"}})
    assert (
        "was set for https://other" in refused(provider(headers={"X-A": {"key": "team"}}), tmp_path).message
    )


def test_an_address_is_the_same_place_however_it_is_written(tmp_path: Path) -> None:
    write_keys(tmp_path, {"mine": {"key": KEY, "origin": "https://host"}})
    for url in ("https://HOST:443", "https://host/v2/", " https://Host/v1/chat/completions "):
        assert find_key(Provider("mine", "openai", url), make_runtime(tmp_path)) == KEY


def test_a_broken_file_is_part_of_the_description(tmp_path: Path) -> None:
    write_keys(tmp_path, {}).write_text(KEY)
    state = describe_key(provider(), make_runtime(tmp_path))
    assert state.present is False
    assert "cannot read the keys" in state.repair
    assert KEY not in state.repair


def test_a_wrong_header_is_a_mistake_in_the_configuration(tmp_path: Path) -> None:
    assert isinstance(refused(provider(headers={"X-A": 5}), tmp_path), ConfigError)


@pytest.mark.parametrize("name", ["Content-Length", "Transfer-Encoding", "HOST"])
def test_a_header_that_frames_the_request_is_refused(tmp_path: Path, name: str) -> None:
    error = refused(provider(headers={name: "5"}), tmp_path)
    assert isinstance(error, ConfigError)
    assert (
        error.message == f"header {name} of provider mine: it cannot be set, for each request makes its own"
    )
