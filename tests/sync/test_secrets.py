from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.sync.schema import read_declared
from tests.sync.conftest import Faults, Write

SECRET = "sk-very-secret-value"


def provider(line: str) -> str:
    return f"providers:\n  - slug: p\n    kind: openai\n    {line}\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"api_key: {SECRET}", "4:5: `api_key` is not allowed: secrets never stand in YAML: use api_key_env"),
        (f"token: {SECRET}", "4:5: `token` is not allowed"),
        (f"api_key_env: {SECRET}", "4:18: api_key_env: expected the name of an environment variable"),
        (
            f"headers: {{Authorization: Bearer {SECRET}}}",
            "4:30: headers: Authorization must not stand here as text",
        ),
        (f"headers: {{authorization: {SECRET}}}", "4:30: headers: authorization must not stand here as text"),
        (f"headers: {{X-API-Key: {SECRET}}}", "4:26: headers: X-API-Key must not stand here as text"),
        (f"headers: {{x-session-token: {SECRET}}}", "4:32: headers: x-session-token must not"),
        (
            f"headers: {{Authorization: {{env: {SECRET}}}}}",
            "4:30: headers: Authorization: expected {env: NAME}",
        ),
        (f"headers: {{x-a: {{value: {SECRET}}}}}", "4:20: headers: x-a: expected {env: NAME} or {key: NAME}"),
        (f"headers: {{x-a: {{env: A, key: {SECRET}}}}}", "4:20: headers: x-a: expected {env: NAME}"),
        (f"options: {{api_key: {SECRET}}}", "4:24: options: api_key must not stand here as text"),
        (f"base_url: https://me:{SECRET}@example.com/v1", "4:15: base_url: must not hold a user or password"),
        (f"base_url: ftp://me:{SECRET}@example.com/v1", "4:15: base_url: must not hold a user or password"),
        (f"api_key_cmd: pass {SECRET}", "4:18: api_key_cmd: write the command as a list of words"),
    ],
)
def test_a_secret_is_refused_with_advice_and_never_shown(faults: Faults, line: str, message: str) -> None:
    (found,) = faults(provider(line))
    assert found.startswith(f"agents.yaml:{message}")
    assert SECRET not in found


@pytest.mark.parametrize(
    "entry",
    ["models:\n  - slug: m\n    provider: openai\n", "agents:\n  - slug: a\n"],
)
def test_an_option_of_a_model_or_an_agent_is_no_secret_either(faults: Faults, entry: str) -> None:
    (found,) = faults(f"{entry}    options: {{api_key: {SECRET}}}\n")
    assert "options: api_key must not stand here as text" in found
    assert SECRET not in found


@pytest.mark.parametrize(
    "headers",
    [
        "{Authorization: {env: NAME}}",
        "{x-api-key: {key: my.key-1}}",
        "{anthropic-version: '2026-01-01', x-keyboard: qwerty, x-tokens: many}",
    ],
)
def test_references_and_harmless_texts_are_fine(folder: Path, write: Write, headers: str) -> None:
    write(provider(f"headers: {headers}"))
    assert read_declared([], folder).providers[0].headers


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "headers: {x-a: 1}",
            "4:20: headers: x-a: expected text, {env: NAME} or {key: NAME}",
        ),
        ('headers: {x-a: "a\\nb"}', "4:20: headers: x-a: a header is plain ASCII on one line"),
        ("headers: {x a: b}", "4:15: headers: `x a` is no name of a header"),
        ("headers: [a]", "4:14: headers: expected a mapping"),
        ("base_url: example.com", '4:15: base_url: expected http://HOST or https://HOST, got "example.com"'),
        ("base_url: https://x/v1?a=b", "4:15: base_url: must end before any ? or #"),
        (
            "base_url: https://x/v1?api-version=2024-10-21&key=a",
            "4:15: base_url: must end before any ? or #",
        ),
        ("base_url: https://x/v1?api-version=secret", "4:15: base_url: must end before any ? or #"),
        ("base_url: https://x:99999", "4:15: base_url: expected http://HOST"),
        ("api_key_cmd: []", "4:18: api_key_cmd: must not be empty"),
        ("api_key_cmd: [a, 1]", "4:22: api_key_cmd: expected text, got the number 1: quote it"),
        ("kind: opnai", '4:5: the key "kind" stands here twice'),
    ],
)
def test_other_mistakes_in_a_provider_are_named(faults: Faults, line: str, message: str) -> None:
    (found,) = faults(provider(line))
    assert found.startswith(f"agents.yaml:{message}")


def test_two_ways_to_the_same_key_are_refused(faults: Faults) -> None:
    (found,) = faults(provider("api_key_env: A\n    api_key_cmd: [b]"))
    assert found == "agents.yaml:5:5: give api_key_env or api_key_cmd, not both"


def test_an_unknown_kind_is_named_with_the_closest(faults: Faults) -> None:
    (found,) = faults("providers: [{slug: p, kind: opnai}]")
    assert found.startswith('agents.yaml:1:29: unknown provider kind "opnai" (did you mean "openai"?)')


@pytest.mark.parametrize("name", ["Content-Length", "transfer-encoding", "Host", "Connection"])
def test_a_header_that_every_request_makes_itself_is_refused(faults: Faults, name: str) -> None:
    (found,) = faults(provider(f"headers: {{{name}: '5'}}"))
    assert found == f"agents.yaml:4:15: headers: {name} cannot be set, for each request makes its own"


def test_a_base_url_may_name_the_version_of_an_api(folder: Path, write: Write) -> None:
    url = "https://x.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21"
    write(provider(f"base_url: {url}"))
    assert read_declared([], folder).providers[0].base_url == url
