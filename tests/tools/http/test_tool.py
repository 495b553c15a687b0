"""A declared API call over a real socket: what is sent, what comes back, and what never gets out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from agentctl.domain.tool import Tool
from agentctl.tools.ready import make_ready
from tests.loopback import Response, Server, json_body
from tests.tools.http_calls import KEYS, SERVICES, call_tool

SECRET = KEYS["WEATHER_KEY"]
PLAIN = {"content-type": "text/plain"}
JSON = {"content-type": "application/json"}


def call(
    server: Server, config: Mapping[str, Any], arguments: Mapping[str, Any] | None = None, **more: Any
) -> Any:
    """The result of a call to `server`; the url of `config` is a path."""
    whole = {**config, "url": server.url + config.get("url", "/"), "allow_private": True}
    return call_tool("http", whole, arguments, **more)


def instance(config: Mapping[str, Any]) -> Any:
    declared = {"url": "https://api.example/", **config}
    return make_ready(Tool("x", "X", "http", config=declared), {}, SERVICES)


def test_a_call_sends_what_is_declared_and_gives_what_is_named() -> None:
    config = {
        "url": "/v1/cities/{city}/weather?lang=en",
        "arguments": {
            "city": {"description": "Where.", "pattern": "[A-Za-z ]+"},
            "days": {"type": "integer", "default": 3},
            "tags": {"type": "array", "required": False},
            "note": {"required": False},
        },
        "query": {"days": "{days}", "tag": "{tags}", "note": "{note}", "units": "metric"},
        "headers": {"X-Api-Key": {"env": "WEATHER_KEY"}, "X-App": "agentctl"},
        "result": "forecast[].{day: date, high: temp.max}",
    }
    answer = {"forecast": [{"date": "Mo", "temp": {"max": 3, "min": -2}}, {"date": "Tu", "temp": {"max": 5}}]}
    with Server(json_body(answer)) as server:
        result = call(server, config, {"city": "New York", "tags": ["a", "b&c"]})
        request = server.requests[0]
    assert result.data == [{"day": "Mo", "high": 3}, {"day": "Tu", "high": 5}]
    assert request.method == "GET"
    assert request.target == "/v1/cities/New%20York/weather?lang=en&days=3&tag=a&tag=b%26c&units=metric"
    assert request.headers["x-api-key"] == SECRET
    assert request.headers["x-app"] == "agentctl"
    assert "idempotency-key" not in request.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_what_changes_something_asks_first_and_has_one_key_for_one_call(method: str) -> None:
    config = {"method": method, "url": "/orders"}
    with Server(json_body({"ok": True})) as server:
        for call_id in ("c1", "c1", "c2"):
            call(server, config, call_id=call_id)
        keys = [request.headers["idempotency-key"] for request in server.requests]
    assert keys[0] == keys[1] != keys[2]
    ready = instance({"method": method})
    assert ready.needs_approval
    assert ready.instance.find_risk() == "write"
    assert not ready.instance.is_idempotent()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_only_reads_does_not_ask(method: str) -> None:
    ready = instance({"method": method})
    assert not ready.needs_approval
    assert ready.instance.find_risk() == "network"
    assert ready.instance.is_idempotent()
    assert ready.instance.find_holdings() == ("untrusted",)


def test_the_idempotency_header_can_be_named_and_left_out() -> None:
    with Server(json_body({})) as server:
        call(server, {"method": "POST", "idempotency_header": "X-Request-Id"})
        call(server, {"method": "POST", "idempotency_header": None})
        named, none = (request.headers for request in server.requests)
    assert "x-request-id" in named
    assert not {"x-request-id", "idempotency-key"} & none.keys()


def test_a_json_body_keeps_types_and_quotes_what_it_must() -> None:
    config = {
        "method": "POST",
        "arguments": {"name": {}, "count": {"type": "integer"}, "extra": {"required": False}},
        "json": {"query": "{ a { b } }", "item": {"name": "{name}", "label": "{name} x{count}"},
                 "n": "{count}", "extra": "{extra}"},
    }  # fmt: skip
    with Server(json_body({})) as server:
        call(server, config, {"name": '"}, "admin": true, {"京', "count": 2})
        request = server.requests[0]
    assert request.headers["content-type"] == "application/json"
    assert request.json == {
        "query": "{ a { b } }",
        "item": {"name": '"}, "admin": true, {"京', "label": '"}, "admin": true, {"京 x2'},
        "n": 2,
    }


def test_a_form_is_encoded() -> None:
    config = {"method": "POST", "arguments": {"to": {}}, "form": {"to": "{to}", "from": "me"}}
    with Server(json_body({})) as server:
        call(server, config, {"to": "a&from=you"})
        request = server.requests[0]
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.body == b"to=a%26from%3Dyou&from=me"


def test_only_what_is_declared_can_vary() -> None:
    with Server(json_body({})) as server:
        result = call(
            server, {"url": "/x/{a}", "arguments": {"a": {}}}, {"a": "1", "url": "http://evil.example"}
        )
        assert result.error == "wrong arguments: url: unknown"
        assert server.requests == []


def test_a_key_in_the_query_never_shows() -> None:
    def echo(request: Any) -> Response:
        return Response([f"no such key: {request.target} {SECRET}"], 403, PLAIN)

    config = {"url": "/data", "query": {"appid": {"env": "WEATHER_KEY"}}}
    with Server(echo) as server:
        result = call(server, config)
        assert server.requests[0].target == f"/data?appid={SECRET}"
    assert result.error.startswith(f"GET {server.url}/data answered 403: no such key: /data?appid=***")
    assert SECRET not in json.dumps(result.as_dict())


def test_a_key_that_comes_back_in_a_result_is_blanked() -> None:
    config = {"headers": {"Authorization": {"env": "WEATHER_KEY"}}}
    with Server(json_body({"you sent": [SECRET]})) as server:
        assert call(server, config).data == {"you sent": ["***"]}


def test_a_key_that_is_missing_is_named_and_nothing_is_sent() -> None:
    with Server(json_body({})) as server:
        result = call(server, {"headers": {"X-Api-Key": {"env": "OTHER_KEY"}}})
        assert "set OTHER_KEY" in result.error
        assert server.requests == []


def test_a_key_does_not_follow_a_redirect_to_another_origin() -> None:
    with Server(json_body({"at": "home"})) as other:
        moved = Response(status=302, headers={"location": f"{other.url}/x"}, length=True)
        with Server(moved) as server:
            result = call(server, {"headers": {"X-Api-Key": {"env": "WEATHER_KEY"}}})
        assert "x-api-key" not in other.requests[0].headers
    assert result.data == {"at": "home"}


def test_no_answer_leads_to_another_host_unless_the_config_names_it() -> None:
    with Server(json_body({"at": "home"})) as other:
        place = other.url.replace("127.0.0.1", "localhost")
        moved = Response(status=302, headers={"location": f"{place}/x?q=secret"}, length=True)
        with Server(moved) as server:
            result = call(server, {})
            assert "leads on to another host, localhost" in result.error
            assert other.requests == []
            assert call(server, {"allow_hosts": ["127.0.0.1", "localhost"]}).data == {"at": "home"}


@pytest.mark.parametrize(
    ("answer", "expression", "error"),
    [
        ([1], " | ".join(["[@, @]"] * 60), "the result has more than 200,000 values"),
        ([1], " | ".join(["[@, @][]"] * 60), "MB of memory|took longer than"),
        ("x" * 900_000, "join('', [" + ", ".join("@" * 400) + "])", "MB of memory|larger than"),
    ],
)
def test_an_expression_ends_within_its_bounds(answer: Any, expression: str, error: str) -> None:
    with Server(json_body(answer)) as server:
        result = call(server, {"result": expression})
    assert not result.success
    assert re.search(error, result.error)


def test_a_large_answer_is_read_where_it_can_do_no_harm() -> None:
    rows = [{"n": n} for n in range(20_000)]
    with Server(json_body(rows)) as server:
        assert call(server, {}).data == rows
        assert call(server, {"result": "length(@)"}).data == 20_000
    with Server(Response([b"[[]" + b",[]" * 300_000 + b"]"], headers=JSON, length=True)) as server:
        assert call(server, {}).error == "the result has more than 200,000 values"


def test_what_changes_something_follows_no_redirect() -> None:
    with Server(json_body({})) as other:
        moved = Response(status=307, headers={"location": f"{other.url}/x"}, length=True)
        with Server(moved) as server:
            result = call(server, {"method": "POST"})
        assert other.requests == []
    assert "redirect" in result.error


def test_a_private_address_is_refused_unless_the_config_allows_it() -> None:
    with Server(json_body({})) as server:
        refused = call_tool("http", {"url": server.url})
        assert "127.0.0.1 is a loopback address" in (refused.error or "")
        assert server.requests == []
        assert call_tool("http", {"url": server.url, "allow_hosts": ["127.0.0.1"]}).success


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (json_body({"message": "no such city"}, 404), 'answered 404: {"message": "no such city"}'),
        (json_body({}, 503, retry_after="7"), "answered 503 (try again in 7 s): {}"),
        (Response(["<html>" * 999], 500, {"content-type": "text/html"}), "answered 500: an HTML page"),
        (Response([], 500, PLAIN, length=True), "answered 500: nothing more was said"),
        (Response(["x" * 5_000], 400, PLAIN), "answered 400: " + "x" * 300 + "..."),
        (Response([b"\x89PNG\0\0"], 200, {"content-type": "image/png"}), "answered with image/png (6 bytes)"),
        (Response(["y" * 3_000], 200, PLAIN), "answered with more than 2,000 bytes (max_bytes)"),
    ],
)
def test_an_answer_that_is_an_error_is_told_in_short(answer: Response, error: str) -> None:
    with Server(answer) as server:
        result = call(server, {"url": "/a?b=c", "max_bytes": 2_000})
    assert result.error.startswith(f"GET {server.url}/a ")
    assert error in result.error
    assert len(result.error) < 500


@pytest.mark.parametrize(
    ("answer", "data"),
    [
        (Response(["plain 北京"], 200, PLAIN), {"text": "plain 北京"}),
        (Response([], 204, {}, length=True), {"status": 204}),
        (Response(["3"], 200, PLAIN), 3),
        (Response(['{"a": NaN, "b": "\\ud800x"}'], 200, JSON), {"a": None, "b": "\ufffdx"}),
        (Response([b"caf\xe9"], 200, {"content-type": "text/plain; charset=latin-1"}), {"text": "café"}),
    ],
)
def test_an_answer_is_json_or_text_or_nothing(answer: Response, data: Any) -> None:
    with Server(answer) as server:
        assert call(server, {}).data == data


def test_a_head_request_gives_status_and_headers() -> None:
    with Server(
        Response([], 404, {"content-type": "text/html", "etag": '"x"', "x-other": "y"}, length=True)
    ) as server:
        data = call(server, {"method": "HEAD"}).data
    assert data["status"] == 404
    assert data["headers"]["etag"] == '"x"'
    assert "x-other" not in data["headers"]


def test_a_result_expression_is_bounded_and_its_failures_are_told() -> None:
    with Server(json_body({"a": list(range(100)), "s": "text"})) as server:
        doubled = call(server, {"result": "a" + "|[@,@]" * 30})
        wrong = call(server, {"result": "abs(s)"})
        none = call(server, {"result": "nothing.here"})
        deep = call(server, {"result": "s"})
    assert doubled.error == "the result has more than 200,000 values"
    assert "does not fit the tool's `result`" in wrong.error
    assert (none.success, none.data) == (True, None)
    assert deep.data == "text"


def test_json_that_is_nested_very_deep_is_an_error() -> None:
    with Server(Response(["[" * 90_000 + "]" * 90_000], 200, {"content-type": "application/json"})) as server:
        result = call(server, {"result": "a"})
    assert "what is no JSON" in result.error


def test_result_needs_json() -> None:
    with Server(Response(["hello"], 200, PLAIN)) as server:
        assert (
            call(server, {"result": "a"}).error == f"GET {server.url}/ answered with what is no JSON: hello"
        )


def test_a_slow_server_ends_at_the_deadline() -> None:
    with Server(Response(["{", 30.0, "}"])) as server:
        assert "took longer than 0.3 s" in call(server, {"timeout": 0.3}).error


def test_the_model_sees_the_declared_arguments_and_no_key() -> None:
    ready = instance({
        "url": "https://api.example/v1/{city}?key=1",
        "arguments": {"city": {"description": "Where."}},
        "headers": {"Authorization": {"env": "WEATHER_KEY"}},
    })  # fmt: skip
    assert ready.description == "Calls GET https://api.example/v1/{city}."
    assert list(ready.parameters["properties"]) == ["city"]
