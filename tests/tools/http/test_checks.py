"""A declaration that cannot work, or would leak, is refused where it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.tools.config import read_config
from agentctl.tools.http.tool import Http

GOOD = {"url": "https://api.example/"}


@pytest.mark.parametrize(
    ("config", "fault"),
    [
        ({"url": ""}, "url: is required"),
        ({"url": "ftp://h/x"}, "url: must be http://HOST/PATH"),
        ({"url": "https://h/a b"}, "url: must be http://HOST/PATH"),
        ({"url": "https://h/a\\b"}, "url: must be"),
        ({"url": "https:///x"}, "url: has no host"),
        ({"url": "https://h:99999/"}, "url: has no host, or a port"),
        ({"url": "https://u:p@h/"}, "url: must not hold a user"),
        ({"url": "https://h/#x"}, "url: must hold no #"),
        ({"url": "https://{a}.h/", "arguments": {"a": {}}}, "url: the host is fixed"),
        ({"url": "https://h:{a}/", "arguments": {"a": {}}}, "url: the host is fixed"),
        ({"url": "{a}://h/", "arguments": {"a": {}}}, "url: must be http"),
        ({"url": "https://h{a}", "arguments": {"a": {}}}, "url: the host is fixed"),
        ({"url": "https://h/../x"}, "url: must hold no `.`"),
        ({"url": "https://h/%2e%2E/x"}, "url: must hold no `.`"),
        ({"url": "https://h/{a"}, "url: a brace belongs"),
        ({"url": "https://h/{a b}"}, "url: must be"),
        ({"url": "https://h/?api_key=123"}, "url: api_key must not stand here"),
        ({"url": "https://h/{a}"}, "url: there is no argument `a`"),
        ({"url": "https://h/{a}", "arguments": {"a": {"required": False}}}, "url: `a` may be left out"),
        ({"url": "https://h/{a}", "arguments": {"a": {"type": "array"}}}, "url: `a` is a list"),
        ({"arguments": {"a": {}}}, "arguments.a: stands nowhere"),
        ({"arguments": {"a": {"type": "x"}}}, "arguments.a.type: must be one of"),
        ({"query": {"q": "{a}"}}, "query.q: there is no argument `a`"),
        ({"query": {"q": "x {a}"}, "arguments": {"a": {"required": False}}}, "query.q: `a` may be left out"),
        ({"query": {"token": {"env": "A B"}}}, "query.token: must be text"),
        ({"query": {"api_key": "123"}}, "query.api_key: must not stand here as text"),
        ({"headers": {"Authorization": "Bearer x"}}, "headers.Authorization: Authorization must not stand"),
        ({"headers": {"Host": "x"}}, "headers.Host: Host cannot be set"),
        ({"headers": {"X": "a\r\nY: b"}}, "headers.X: X: a header is plain"),
        (
            {"headers": {"X": "{a}"}, "query": {"a": "{a}"}, "arguments": {"a": {}}},
            "headers.X: headers take no",
        ),
        ({"json": {"a": 1}}, "json: a GET request has no body"),
        ({"method": "POST", "json": {"a": 1}, "form": {"b": "2"}}, "form: give json or form"),
        ({"method": "POST", "json": {"a": {"b": "{c}"}}}, "json.a.b: there is no argument `c`"),
        ({"method": "POST", "json": [{"a": "{c}"}]}, "json.0.a: there is no argument `c`"),
        ({"allow_hosts": ["h", "a b"]}, "allow_hosts.1: is no host"),
        ({"allow_ports": [0]}, "allow_ports.0: there is no such port"),
        (
            {"method": "POST", "cache": 5},
            "cache: only for a tool that is idempotent and neither writes nor executes",
        ),
        ({"method": "POST", "idempotency_header": "a b"}, "idempotency_header: is no name"),
        ({"method": "post"}, "method: must be one of"),
        ({"result": "a["}, "result: is no JMESPath"),
        ({"result": "nofunction(a)"}, "result: calls a function"),
        ({"max_bytes": 10**9}, "max_bytes: must be at most"),
    ],
)
def test_a_fault_is_named_with_its_place(config: dict[str, Any], fault: str) -> None:
    faults = read_config(Http, {**GOOD, **config})[1]
    assert [one for one in faults if one.startswith(fault)], faults
    assert len(faults) == 1


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"url": "https://h:8443/v1/{a}.json?q={b}&l={{a}}", "arguments": {"a": {}, "b": {"default": "x"}}},
        {"query": {"q": "{a}", "n": 3, "l": ["x", "{a}"]}, "arguments": {"a": {"required": False}}},
        {"headers": {"Accept": "text/csv", "X-Key": {"key": "mine"}, "Authorization": {"env": "TOKEN"}}},
        {"method": "POST", "json": ["{a}"], "arguments": {"a": {"type": "number"}}},
        {"method": "POST", "json": "{a}", "arguments": {"a": {}}},
        {"result": "items[?price > `3`] | sort_by(@, &price)[0:5].{name: name, p: to_string(price)}"},
    ],
)
def test_a_sound_declaration_is_accepted(config: dict[str, Any]) -> None:
    assert read_config(Http, {**GOOD, **config})[1] == []


def test_validate_names_line_and_column_of_what_is_deep_inside(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "tools.yaml").write_text(
        """tools:
  - slug: weather
    type: http
    config:
      url: https://api.example/{city}
      arguments:
        city:
          type: string
          pattern: "(["
      result: "a["
      headers:
        Authorization: Bearer abc
      allow_hosts: [h, "a b"]
"""
    )
    outcome = run("validate -f tools.yaml", code=5)
    assert "tools.yaml:9:20: config: arguments.city.pattern: no regular expression" in outcome.stderr
    assert "tools.yaml:10:15: config: result: is no JMESPath" in outcome.stderr
    assert "tools.yaml:12:24: config: headers.Authorization" in outcome.stderr
    assert "tools.yaml:13:24: config: allow_hosts.1" in outcome.stderr
    assert "abc" not in outcome.stderr
