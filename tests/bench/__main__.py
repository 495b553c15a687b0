"""Prints the table of `make bench`: each promised path, its baseline, their ratio and the promise."""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.data import fill_sessions, write_agents
from tests.bench.documents import measure_search
from tests.bench.locomo import print_locomo
from tests.bench.measure import Command, compare

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHUNKS = 2_000
# Milliseconds.
SLOW_SEARCH = 20.0
Case = tuple[str, Command, str, Command, float, int]


def cases(folder: Path, port: int) -> Iterator[Case]:
    """Name, subject, name of the baseline, baseline, promised ratio, rounds."""
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AGENTCTL_")},
        "AGENTCTL_HOME": str(folder / "home"),
        "AGENTCTL_USER": "bench",
        "BENCH_KEY": "sk-bench",
        "PYTHONPATH": str(ROOT),
    }
    python, agentctl = sys.executable, str(Path(sys.executable).with_name("agentctl"))
    click = Command([python, "-c", "import click"], environ)
    full = {**environ, "AGENTCTL_DB": str(folder / "full.db")}
    for words in (["--version"], ["--help"]):
        yield f"agentctl {words[0]}", Command([agentctl, *words], environ), "import click", click, 1.25, 21
    words = ["sessions", "list", "-o", "json", "--limit", "50", "--quiet"]
    yield "sessions list, 50 of 10,000", Command([agentctl, *words], full), "import click", click, 1.5, 21
    bare = Command([python, str(HERE / "bare_stream.py"), f"http://127.0.0.1:{port}/v1"], environ)
    # `default` here has no tools, as the bare script has none; `helper` has all that are shipped.
    for agent, what in (("default", ""), ("helper", ", 7 tools")):
        chat = ["chat", agent, "hello there", "--no-stdin", "--quiet", "-m", "bench/bench"]
        subject = Command([agentctl, *chat], full)
        yield f"chat, {CHUNKS:,} chunks{what}", subject, "bare httpx2 stream", bare, 1.25, 11
    agents = write_agents(folder)
    yaml = f"import yaml; yaml.load(open({str(agents)!r}), yaml.CSafeLoader)"
    yield (
        "plan, 1,000 agents",
        Command([agentctl, "plan", "-f", str(agents), "-o", "ids"], environ),
        "yaml.load alone",
        Command([python, "-c", yaml], environ),
        3.0,
        7,
    )


def prepare(folder: Path, port: int) -> None:
    """Fill the database and declare the provider that the chat asks."""
    # Whoever installs a wheel has its byte code; a checkout may not, so both sides start with it.
    compileall.compile_dir(str(ROOT / "agentctl"), quiet=2)
    fill_sessions(folder / "full.db", "bench")
    declared = folder / "provider.yaml"
    declared.write_text(
        "providers:\n"
        f"  - {{slug: bench, kind: openai, base_url: 'http://127.0.0.1:{port}/v1', api_key_env: BENCH_KEY}}\n"
    )
    environ = {**os.environ, "AGENTCTL_DB": str(folder / "full.db"), "AGENTCTL_USER": "bench"}
    command = [sys.executable, "-m", "agentctl", "apply", "--yes", "--quiet", "-f", str(declared)]
    subprocess.run(command, env=environ, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Measure everything and print one line each; a broken promise is said and ends in exit 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--locomo", type=Path, help="a file with dialogues of LoCoMo, one JSON object a line")
    arguments = parser.parse_args()
    broken = measure_processes()
    broken = print_search() or broken
    if arguments.locomo:
        broken = not print_locomo(arguments.locomo) or broken
    raise SystemExit(broken)


def print_search() -> bool:
    """One line for a search in this process, and one for the slow ones; whether a promise is broken."""
    with tempfile.TemporaryDirectory() as name:
        speed = measure_search(Path(name))
    is_slow, is_over = speed.slow > SLOW_SEARCH, speed.ratio > 1
    print(
        f"{'search in 10,000 documents':30} {speed.median:7.1f} {'bare full-text query':22} {speed.bare:7.1f}"
        f" {speed.ratio:6.2f} {1:6.2f}{'  over' if is_over else ''}\n"
        f"{'  95 of 100 take at most':30} {speed.slow:7.1f} {'':22} {'':7} {'':6} {SLOW_SEARCH:6.2f}"
        f"{'  over' if is_slow else ''}"
    )
    return is_slow or is_over


def measure_processes() -> bool:
    """The table of whole processes; whether a promise is broken."""
    server = subprocess.Popen(
        [sys.executable, str(HERE / "stream_server.py"), str(CHUNKS)], stdout=subprocess.PIPE, text=True
    )
    broken = False
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(folder, port)
            print("CPU milliseconds of whole processes, medians; the ratio is the median of pairs\n")
            print(f"{'what':30} {'ms':>7} {'baseline':22} {'ms':>7} {'ratio':>6} {'bound':>6}")
            for what, subject, against, baseline, bound, rounds in cases(folder, port):
                mine, theirs, ratio = compare(subject, baseline, rounds)
                verdict = "" if ratio <= bound else "  over"
                broken = broken or ratio > bound
                print(
                    f"{what:30} {mine * 1000:7.0f} {against:22} {theirs * 1000:7.0f} {ratio:6.2f}"
                    f" {bound:6.2f}{verdict}",
                    flush=True,
                )
    finally:
        server.terminate()
        server.wait()
    return broken


main()
