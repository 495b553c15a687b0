from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.errors import Busy, ConfigError, NotFound, TemporaryFailure, UsageError
from agentctl.net.download import is_safe
from agentctl.providers.local.models import CATALOGUE, DEFAULT, locate
from agentctl.providers.local.own import name_file, pull_own
from agentctl.providers.locks import FileLock
from tests.loopback import Received, Response, Server

MODEL = b"GGUF" + bytes(5000)
SHA = hashlib.sha256(MODEL).hexdigest()


def ignore(done: int, total: int, label: str) -> None:
    """Progress that nobody looks at."""


def serve(body: bytes = MODEL, **values: Any) -> Server:
    return Server(Response([body], headers={}, length=True, **values))


def redirect(url: str) -> Callable[[Received], Response]:
    return lambda request: Response(
        [MODEL] if request.target.endswith("/file") else [],
        200 if request.target.endswith("/file") else 302,
        {} if request.target.endswith("/file") else {"location": url},
        length=True,
    )


def left_over(cache: Path) -> list[str]:
    return sorted(path.name for path in (cache / "models").iterdir())


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://models.example/a.gguf", True),
        ("http://127.0.0.1:8080/a.gguf", True),
        ("http://[::1]/a.gguf", True),
        ("http://localhost/a.gguf", True),
        ("http://models.example/a.gguf", False),
        ("http://127.0.0.1.example/a.gguf", False),
        ("http://10.0.0.1/a.gguf", False),
        ("ftp://models.example/a.gguf", False),
        ("file:///etc/a.gguf", False),
        ("https:///a.gguf", False),
        ("https://[::1/a.gguf", False),
    ],
)
def test_only_places_that_nobody_can_stand_before_are_safe(url: str, safe: bool) -> None:
    assert is_safe(url) == safe
    if not safe:
        with pytest.raises(UsageError, match="https"):
            name_file(url)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("https://h/x/My-Model.Q4.gguf?download=true", "My-Model.Q4.gguf"),
        ("/somewhere/a.gguf", "a.gguf"),
        ("https://h/", None),
        ("https://h/a.bin", None),
        ("https://h/%2e%2e%2fa.gguf", "a.gguf"),
        ("https://h/.a.gguf", None),
        ("x/$(a).gguf", None),
        ("https://h/%00a.gguf", None),
    ],
)
def test_the_name_in_the_cache_is_a_plain_one(source: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(UsageError):
            name_file(source)
    else:
        assert name_file(source) == name


def test_a_file_from_a_url_is_a_model_from_then_on(tmp_path: Path) -> None:
    with serve() as server:
        path = pull_own(f"{server.url}/tiny.gguf", tmp_path, sha256=SHA, progress=ignore)
        again = pull_own(f"{server.url}/tiny.gguf", tmp_path, sha256=SHA, progress=ignore)
        assert len(server.requests) == 1
        assert server.requests[0].headers["accept-encoding"] == "identity"
    assert path == again == locate("tiny", tmp_path).path
    assert path.read_bytes() == MODEL
    assert left_over(tmp_path) == ["tiny.gguf"]


def test_a_file_from_a_path_is_copied(tmp_path: Path) -> None:
    source = tmp_path / "here.gguf"
    source.write_bytes(MODEL)
    told: list[tuple[int, int]] = []
    path = pull_own(
        str(source), tmp_path / "cache", sha256=None, progress=lambda *step: told.append(step[:2])
    )
    assert path.read_bytes() == MODEL
    assert told[-1] == (len(MODEL), len(MODEL))


def test_another_hash_is_refused_before_and_after(tmp_path: Path) -> None:
    other = "0" * 64
    with serve() as server:
        url = f"{server.url}/tiny.gguf"
        with pytest.raises(TemporaryFailure, match=f"sha256 {SHA} instead of {other}"):
            pull_own(url, tmp_path, sha256=other, progress=ignore)
        assert left_over(tmp_path) == []
        pull_own(url, tmp_path, sha256=None, progress=ignore)
        with pytest.raises(ConfigError, match="another file is there") as caught:
            pull_own(url, tmp_path, sha256=other, progress=ignore)
    assert "agentctl models rm tiny" in str(caught.value.hint)
    with pytest.raises(UsageError, match="64 hexadecimal digits"):
        pull_own("x.gguf", tmp_path, sha256="abc", progress=ignore)


@pytest.mark.parametrize("body", [b"<!doctype html><title>Sign in</title>", b"GG", b""])
def test_what_is_no_model_is_not_kept(tmp_path: Path, body: bytes) -> None:
    with serve(body) as server, pytest.raises(ConfigError, match="no GGUF file"):
        pull_own(f"{server.url}/tiny.gguf", tmp_path, sha256=None, progress=ignore)
    assert left_over(tmp_path) == []


def test_a_redirect_to_an_unsafe_place_is_refused_and_a_safe_one_followed(tmp_path: Path) -> None:
    # 0.0.0.0 leads to this machine too, but is not known to.
    with (
        serve() as elsewhere,
        Server(redirect(f"http://0.0.0.0:{elsewhere.port}/file")) as server,
        pytest.raises(TemporaryFailure, match="without TLS"),
    ):
        pull_own(f"{server.url}/tiny.gguf", tmp_path, sha256=SHA, progress=ignore)
    assert left_over(tmp_path) == []
    with Server(redirect("/file")) as server:
        url = f"{server.url}/tiny.gguf"
        assert pull_own(url, tmp_path, sha256=SHA, progress=ignore).read_bytes() == MODEL


def test_a_broken_download_leaves_nothing(tmp_path: Path) -> None:
    short = Response([MODEL[:1000]], headers={"content-length": "5004"}, cut=True)
    with Server(short) as server, pytest.raises(TemporaryFailure):
        pull_own(f"{server.url}/tiny.gguf", tmp_path, sha256=None, progress=ignore)
    assert left_over(tmp_path) == []


def test_a_file_named_like_one_of_the_catalogue_must_be_that_one(tmp_path: Path) -> None:
    known = CATALOGUE[DEFAULT]
    with serve() as server:
        url = f"{server.url}/{known.file}"
        with pytest.raises(TemporaryFailure, match="another file"):
            pull_own(url, tmp_path, sha256=None, progress=ignore)
        with pytest.raises(UsageError, match=known.sha256):
            pull_own(url, tmp_path, sha256=SHA, progress=ignore)


def test_a_path_that_leads_nowhere_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no such file"):
        pull_own(str(tmp_path / "none.gguf"), tmp_path, sha256=None, progress=ignore)


def test_two_do_not_fetch_the_same_file_at_once(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    lock = FileLock(tmp_path / "models" / "tiny.lock")
    assert lock.try_take()
    with pytest.raises(Busy):
        pull_own("http://127.0.0.1:9/tiny.gguf", tmp_path, sha256=None, progress=ignore)
    lock.release()
