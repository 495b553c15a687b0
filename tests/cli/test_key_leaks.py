"""A key is in nothing that stays or is shown, whatever a server makes of it in its answers."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.conftest import Outcome
from tests.loopback import Received, Response, Server, events, json_body

Run = Callable[..., Outcome]
Start = Callable[..., subprocess.Popen[bytes]]
Echo = Callable[[Received], Response]
KEY = "sk-proj-Ab3+dE/6gH9=kLmNoPqRsTuV"
TRACES = (
    KEY,
    quote(KEY, safe=""),
    base64.b64encode(KEY.encode()).decode().rstrip("="),
    base64.b64encode(f"Bearer {KEY}".encode()).decode().rstrip("=")[12:],
    KEY[:9],
    KEY[-6:],
    KEY[10:20],
)


def sent(request: Received) -> str:
    """The key as the server got it."""
    return request.headers["authorization"].removeprefix("Bearer ")


def in_body(status: int) -> Echo:
    def answer(request: Received) -> Response:
        key = sent(request)
        coded = base64.b64encode(f"Bearer {key}".encode()).decode()
        message = (
            f"bad key {key}, {quote(key, safe='')}, {coded}, {key[:9]}...{key[-6:]}, ends with {key[-6:]}"
        )
        return json_body({"error": {"message": message, "type": key, "code": key}}, status)

    return answer


def in_page(status: int) -> Echo:
    def answer(request: Received) -> Response:
        html = {"content-type": f"text/{sent(request).replace('/', '.')}"}
        return Response([f"<html>Who is {sent(request)}?</html>"], status, html)

    return answer


def in_stream(request: Received) -> Response:
    error = {"error": {"message": f"bad {sent(request)}", "type": "authentication_error"}}
    return Response(events({"choices": [{"index": 0, "delta": {"content": "Hel"}}]}, error, done=False))


def in_gateway_event(request: Received) -> Response:
    return Response(events({"code": 500, "message": f"upstream refused {sent(request)}"}, done=False))


def in_redirect(request: Received) -> Response:
    key = sent(request)
    return Response(status=307, headers={"location": f"/login/{key}/{quote(key, safe='')}?key={key}"})


def in_bad_header(request: Received) -> Response:
    return Response(status=200, headers={f"no header {sent(request)}": "x"})


def in_other_headers(request: Received) -> Response:
    key = sent(request)
    headers = {"retry-after": key, "x-request-id": key, "content-type": "application/json"}
    return Response(['{"error": {"message": "no"}}'], 429, headers, length=True)


ECHOES: dict[str, Echo] = {
    "body 400": in_body(400),
    "body 401": in_body(401),
    "body 403": in_body(403),
    "body 404": in_body(404),
    "body 429": in_body(429),
    "body 500": in_body(500),
    "page 200": in_page(200),
    "page 401": in_page(401),
    "page 502": in_page(502),
    "stream": in_stream,
    "gateway event": in_gateway_event,
    "redirect": in_redirect,
    "bad header": in_bad_header,
    "other headers": in_other_headers,
}


def check(what: str, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    found = [trace for trace in TRACES if trace.encode() in data]
    assert not found, f"{what}: {found}"


@pytest.fixture(params=["variable", "kept", "printed", "header"])
def source(request: pytest.FixtureRequest) -> str:
    """Where the key comes from."""
    return str(request.param)


def declare(run: Run, home: Path, url: str, source: str) -> dict[str, str]:
    """Declare the provider `work`; gives the environment that its commands need."""
    flags = {
        "variable": "--api-key-env WORK_KEY",
        "kept": "",
        "printed": "--api-key-cmd 'printenv WORK_KEY'",
        "header": "--header authorization=key:work",
    }[source]
    run(f"providers create work --kind openai --base-url {url}/v1 {flags}")
    if source in ("kept", "header"):
        key = f"Bearer {KEY}" if source == "header" else KEY
        path = home / "keys.json"
        path.write_text(json.dumps({"work": {"key": key, "origin": url}}))
        path.chmod(0o600)
    return {"WORK_KEY": KEY, "AGENTCTL_ATTEMPTS": "2"}


@pytest.mark.parametrize("echo", ECHOES)
def test_a_server_that_sends_the_key_back_brings_it_nowhere(
    run: Run, start: Start, environ: dict[str, str], echo: str
) -> None:
    home = Path(environ["AGENTCTL_HOME"])
    with Server(ECHOES[echo]) as server:
        env = declare(run, home, server.url, "variable")
        for format in ("json", "stream-json", "text"):  # noqa: A001
            outcome = finish(start, f"chat 'a b' -m work/x --debug -o {format}", env)
            check(f"{format} stdout", outcome.stdout)
            check(f"{format} stderr", outcome.stderr)
        assert sent(server.requests[0]) == KEY
    check_what_stays(run, home)


def test_a_key_stays_hidden_wherever_it_comes_from(
    run: Run, agentctl: Run, environ: dict[str, str], source: str
) -> None:
    home = Path(environ["AGENTCTL_HOME"])
    run("providers list")
    with Server(in_body(401)) as server:
        env = declare(run, home, server.url, source)
        outcome = agentctl("chat 'a b' -m work/x --debug -o json", code=7, env=env)
        assert sent(server.requests[0]) == KEY
    check("stdout", outcome.stdout)
    check("stderr", outcome.stderr)
    for line in ("providers list", "providers show work", "models show work/x", "plan -f agents.yaml"):
        (Path.cwd() / "agents.yaml").write_text("agents: []")
        check(line, run(line, env=env).stdout)
    if source in ("kept", "header"):
        check("keys list", run("keys list -o json").stdout)
    check_what_stays(run, home)


def finish(start: Start, line: str, env: dict[str, str]) -> Outcome:
    """Run to whatever end it comes to, which is no success."""
    process = start(line, env=env)
    out, err = process.communicate(timeout=60)
    assert process.returncode in (7, 13, 75), err.decode()
    return Outcome(process.returncode, out.decode(), err.decode())


def check_what_stays(run: Run, home: Path) -> None:
    """The files of the database and everything that can be printed of it."""
    for path in home.iterdir():
        if path.name != "keys.json":
            check(path.name, path.read_bytes())
    for line in ("export", "sessions list -o json", "sessions messages @last -o json"):
        check(line, run(line).stdout)
