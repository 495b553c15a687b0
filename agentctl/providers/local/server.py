"""The process that holds an embedded model and answers on a unix socket until nobody needs it any more.

    python -m agentctl.providers.local.server MODEL --folder DIR --name NAME --socket PATH ...

One line on the file descriptor `--report` says what came of it: `ready`, or `failed:` and why.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from agentctl.providers.local.place import Place
from agentctl.providers.local.watch import wait_for_lock, watch
from agentctl.providers.locks import FileLock

_MOST_THREADS = 8


def main(arguments: list[str] | None = None) -> int:
    """Load, answer, end. Returns 1 where the model could not be loaded."""
    options = _parse(arguments)
    place = Place(Path(options.folder), options.name, Path(options.socket))
    os.umask(0o077)
    signal.signal(signal.SIGTERM, _end)
    alive = FileLock(place.alive)
    if not wait_for_lock(alive, seconds=2.0):
        _report(options.report, "failed: another server holds this model already")
        return 1
    place.socket.unlink(missing_ok=True)
    place.prefix.unlink(missing_ok=True)
    key = secrets.token_urlsafe(32)
    try:
        server, runtime = _load(options, key)
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        place.socket.unlink(missing_ok=True)
        _report(options.report, f"failed: {error}")
        return 1
    use = FileLock(place.use)
    try:
        _publish(place, key, runtime)
        _report(options.report, "ready")
        watch(place, idle=options.idle, use=use)
    finally:
        _withdraw(place, key)
    del server
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m agentctl.providers.local.server")
    parser.add_argument("model")
    for required in ("--folder", "--name", "--socket", "--slots"):
        parser.add_argument(required, required=True)
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--idle", type=float, default=60.0)
    parser.add_argument("--report", type=int)
    return parser.parse_args(arguments)


def _load(options: argparse.Namespace, key: str) -> tuple[Any, str]:
    """The running server and the version of its runtime."""
    # OpenMP reads this when it is loaded. Threads that spin while they wait starve each other on busy cores:
    # 0.7 to 2 tokens a second instead of 16.
    os.putenv("GOMP_SPINCOUNT", "1000")
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = options.model
    parameters.hostnames = [options.socket]
    parameters.api_keys = [key]
    parameters.slot_save_path = options.slots.rstrip("/") + "/"
    parameters.n_ctx = options.context
    parameters.n_parallel = 2
    parameters.kv_unified = True
    # Otherwise a slot that is not busy loses what it has computed.
    parameters.cache_idle_slots = False
    parameters.cache_ram_mib = 0
    parameters.warmup = False
    parameters.verbosity = -1
    parameters.ui = False
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = _count_threads()
    return xllamacpp.Server(parameters), str(xllamacpp.__version__)


def _count_threads() -> int:
    """One thread where the cores are taken already: two that wait for each other are slower than one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 1 if os.getloadavg()[0] > cores else min(cores, _MOST_THREADS)


def _publish(place: Place, key: str, runtime: str) -> None:
    new = place.key.with_suffix(".new")
    new.write_text(json.dumps({"key": key, "runtime": runtime, "pid": os.getpid()}))
    os.replace(new, place.key)


def _withdraw(place: Place, key: str) -> None:
    """Remove key and socket, unless a successor has put its own there."""
    try:
        ours = json.loads(place.key.read_text())["key"] == key
    except (OSError, ValueError, KeyError):
        return
    if ours:
        for path in (place.key, place.socket):
            path.unlink(missing_ok=True)


def _report(descriptor: int | None, line: str) -> None:
    if descriptor is None:
        sys.stderr.write(f"{line}\n")
        return
    try:
        os.write(descriptor, f"{line}\n".encode())
        os.close(descriptor)
    except OSError:  # whoever started us is gone; others may need us
        return


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    raise SystemExit(main())
