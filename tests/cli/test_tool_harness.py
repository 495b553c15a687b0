"""What holds around every call of a tool, in real processes: with tools that do what they should not."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.message import ToolOutput
from agentctl.domain.tool import Tool
from agentctl.store import Store
from tests.conftest import Outcome
from tests.terminal import Terminal
from tests.wild import install_wild

Run = Callable[..., Outcome]
Script = Callable[..., str]
KEY = "sk-very-secret-0123456789"

# How a tool may misbehave, and what the model is to read of it.
MISDEEDS = {
    "sys.exit(3)": "SystemExit: 3",
    "(_ for _ in ()).throw(KeyboardInterrupt())": "KeyboardInterrupt",
    "(_ for _ in ()).throw(asyncio.CancelledError())": "CancelledError",
    "(_ for _ in ()).throw(Strange())": "the tool failed unexpectedly (Strange)",
    "[].append": "no JSON",
    "float('nan')": "no JSON",
    "Sly(a=1)": "no JSON",
    "10 ** 5000": "no JSON",
    "swallow()": "no JSON",
    "'x' * 30_000_000": "larger than 20 MB",
    "os._exit(0)": "the tool ended without an answer (exit code 0)",
    "os._exit(7)": "the tool ended without an answer (exit code 7)",
    "os.abort()": "the tool crashed (SIGABRT)",
    "ctypes.string_at(0)": "the tool crashed (SIGSEGV)",
    "os.kill(os.getpid(), 9)": "the tool was killed",
    "os.closerange(0, 64)": "the tool ended without an answer",
    "[os.write(fd, b'a' * 64) for fd in range(3, 9)]": "the tool",
    "bytearray(10 ** 9) and None": "the tool needed more than 400 MB of memory",
    "[print('PRIN' + 'TED' * 9_000_000) for _ in range(9)]": "the tool printed more than 100 MB",
    "os.environ['MINE_KEY']": "KeyError",
}
# What has no end.
HANGS = (
    "time.sleep(60)",
    "all(iter(lambda: 1, 0))",
    "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)) or time.sleep(60)",
    "threading.Thread(target=time.sleep, args=(60,)).start() or time.sleep(60)",
)
# What it may do that is no failure.
TRICKS = {
    "print('PRIN' + 'TED') or 'ok'": "ok",
    "print('PRIN' + 'TED', file=sys.stderr) or 'ok'": "ok",
    "sys.stdout.buffer.write(b'PRIN' + b'TED') and 'ok'": "ok",
    "os.write(1, b'PRIN' + b'TED') and 'ok'": "ok",
    "subprocess.run(['echo', 'PRIN' + 'TED']) and 'ok'": "ok",
    "sys.stdout.close() or 'ok'": "ok",
    "os.chdir('/') or 'ok'": "ok",
    "signal.signal(signal.SIGINT, signal.SIG_IGN) and 'ok'": "ok",
    "threading.Thread(target=time.sleep, args=(60,)).start() or 'ok'": "ok",
    "subprocess.Popen(['sleep', '600'], start_new_session=True) and 'ok'": "ok",
    "fork()": "parent",
}


def declare(store: Store, *tools: Tool, **agent: Any) -> None:
    """An agent `wild` with these tools, or with the one that does anything."""
    given = tools or (Tool("wild", "Wild", "wild", config={"timeout": 20}),)
    for tool in given:
        store.tools.put(tool)
    slugs = tuple(AgentTool(tool.slug) for tool in given)
    store.agents.put(Agent("wild", "Wild", tools=slugs, title_strategy="none", **agent))


def calling(*calls: dict[str, Any], name: str = "wild") -> dict[str, Any]:
    """A reply that calls the tool with each of these arguments."""
    return {"tool_calls": [{"name": name, "arguments": arguments} for arguments in calls]}


def outputs(store: Store) -> list[ToolOutput]:
    """What the model read of the calls of the newest session, in the order of the history."""
    row = store.database.one("SELECT id FROM agent_sessions ORDER BY created_at DESC")
    assert row is not None
    history = store.messages.history(row["id"])
    return [part for message in history for part in message.parts if isinstance(part, ToolOutput)]


@pytest.fixture
def wild(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that finds the types of tests/wild.py."""
    return install_wild(tmp_path / "packages")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "stream-json"])
def test_nothing_that_a_tool_does_takes_the_run_or_the_answer_with_it(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str], form: str
) -> None:
    declare(store)
    provider(store)
    does = [*MISDEEDS, *TRICKS]
    model = script(calling(*({"how": how} for how in does)), {"text": "All is well."})
    outcome = agentctl(f"chat wild 'go on' -m {model} -o {form}", env={**wild, "MINE_KEY": KEY})
    if form == "text":
        assert outcome.stdout == "All is well.\n"
    else:
        lines = [json.loads(line) for line in outcome.stdout.splitlines()]
        assert lines[-1]["result"] == "All is well."
        assert sum(line["type"] == "tool.result" for line in lines) == len(does)
    assert "PRINTED" not in outcome.stderr
    read = dict(zip(does, outputs(store), strict=True))
    for how, words in {**MISDEEDS, **TRICKS}.items():
        assert words in read[how].text, how
        assert read[how].success is (how in TRICKS), how


def test_a_tool_that_never_ends_is_ended(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str]
) -> None:
    declare(store, Tool("wild", "Wild", "wild", config={"timeout": 1}))
    model = script(calling(*({"how": how} for how in HANGS)), {"text": "All is well."})
    assert agentctl(f"chat wild 'go on' -m {model}", env=wild).stdout == "All is well.\n"
    for output in outputs(store):
        assert "took longer than 1 s" in output.text


def test_what_a_tool_prints_is_kept_for_who_looks_for_it(
    agentctl: Run, store: Store, wild: dict[str, str]
) -> None:
    declare(store)
    run = "tools run wild --arg how='print(\"mind the gap\")' -o json"
    result = agentctl(run, env=wild).json()
    assert result["metadata"]["printed"] == "mind the gap\n"
    assert result["data"] is None


def test_a_tool_of_a_package_may_ask_what_belongs_to_another_thread(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str]
) -> None:
    declare(store)
    agentctl(f"chat wild 'who am I' -m {script(calling({'how': 'user'}), {'text': 'ok'})}", env=wild)
    assert '{"name": "tester"}' in outputs(store)[0].text


@pytest.mark.slow
def test_fifty_calls_run_eight_at_a_time_and_stay_in_order(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str], tmp_path: Path
) -> None:
    declare(store)
    (tmp_path / "now").mkdir()
    text = f"{tmp_path}/now/n"
    calls = [{"how": "sleep", "text": f"{text}{n}", "seconds": 0.2 + 0.02 * (n % 5)} for n in range(50)]
    agentctl(f"chat wild 'count them' -m {script(calling(*calls), {'text': 'ok'})}", env=wild)
    found = outputs(store)
    assert [json.loads(each.text.split("\n")[2])["text"] for each in found] == [f"n{n}" for n in range(50)]
    assert 2 <= max(json.loads(each.text.split("\n")[2])["most"] for each in found) <= 8


@pytest.mark.slow
def test_many_calls_that_end_in_another_order_are_replayed_as_they_were(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str], tmp_path: Path
) -> None:
    declare(store)
    (tmp_path / "now").mkdir()
    times = [3 if n == 0 else 0.01 * n for n in range(12)]
    calls = [{"how": "sleep", "text": f"{tmp_path}/now/n{n}", "seconds": times[n]} for n in range(12)]
    line = "chat wild 'count them' -o stream-json"
    model = script(calling(*calls), {"text": "ok"})
    recorded = agentctl(f"{line} -m {model} --record tape.jsonl", env=wild)
    home = {**wild, "AGENTCTL_HOME": str(tmp_path / "fresh")}
    declare(Store(tmp_path / "fresh" / "agentctl.db"))
    assert agentctl(f"{line} --replay tape.jsonl", env=home).stdout == recorded.stdout
    finished = [json.loads(each) for each in recorded.stdout.splitlines() if '"tool.result"' in each]
    assert [each["data"]["text"] for each in finished][-1] == "n0"


def test_a_tool_result_never_steers_the_terminal(
    agentctl: Run,
    script: Script,
    store: Store,
    wild: dict[str, str],
    environ: dict[str, str],
    tmp_path: Path,
) -> None:
    declare(store)
    how = "(_ for _ in ()).throw(ToolError('\\x1b]0;owned\\x07 \\x1b[31mred \\x9b2J'))"
    model = script(calling({"how": how}), {"text": "ok"})
    text = agentctl(f"chat wild 'go on' -m {model}", env=wild)
    assert not set(text.stderr + text.stdout) & {"\x1b", "\x07", "\x9b"}
    events = agentctl(f"chat wild 'go on' -m {model} -o stream-json", env=wild).stdout
    assert "\x1b" not in events
    (result,) = [json.loads(line) for line in events.splitlines() if '"tool.result"' in line]
    assert "\x1b[31m" in result["error"]
    for form in ("json", "yaml"):
        shown = agentctl(f"sessions messages -o {form}", env=wild).stdout
        assert not set(shown) & {"\x1b", "\x07"}
    terminal = Terminal("sessions messages", cwd=tmp_path, environ=environ)
    assert terminal.end() == 0
    assert "red" in terminal.seen
    assert not set(terminal.seen) & {"\x1b", "\x07", "\x9b"}
    run = subprocess.list2cmdline(["tools", "run", "wild", "--arg", f"how={how}"])
    assert "\x1b" not in agentctl(run, env=wild, code=15).stderr


def test_results_are_had_again_across_processes_and_users_share_none(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str], tmp_path: Path
) -> None:
    declare(store, Tool("wild", "Wild", "wild", config={"cache": 3600}))
    line = f"tools run wild --arg how=count --arg text={tmp_path / 'count'} -o json"
    first = agentctl(line, env=wild).json()
    again = agentctl(line, env=wild).json()
    other = agentctl(line, env={**wild, "AGENTCTL_USER": "other"}).json()
    assert [each["data"]["calls"] for each in (first, again, other)] == [1, 1, 2]
    assert [each["metadata"].get("cached") for each in (first, again, other)] == [None, True, None]
    arguments = {"how": "count", "text": str(tmp_path / "count")}
    agentctl(f"chat wild 'count' -m {script(calling(arguments), {'text': 'ok'})}", env=wild)
    assert '{"calls": 1}' in outputs(store)[0].text
    assert outputs(store)[0].text.startswith("<untrusted ")


@pytest.mark.parametrize(
    ("config", "how"),
    [({}, "count"), ({"cache": 3600}, "fail and count"), ({"cache": 3600, "idempotent": False}, "count")],
)
def test_nothing_is_kept_of_other_calls(
    agentctl: Run, store: Store, wild: dict[str, str], tmp_path: Path, config: dict[str, Any], how: str
) -> None:
    declare(store, Tool("wild", "Wild", "wild", config={k: v for k, v in config.items() if k == "cache"}))
    store.database.execute("UPDATE agent_tools SET config = ?", (json.dumps(config),))
    log = tmp_path / "count"
    for _ in range(2):
        line = f"tools run wild --arg how='{how}' --arg text={log}"
        agentctl(line, env=wild, code=5 if "idempotent" in config else 15 if "fail" in how else 0)
    assert (len(log.read_text()) if log.exists() else 0) == (0 if "idempotent" in config else 2)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("{cache: 60, risk: write}", "cache: only for a tool that is idempotent and neither writes nor"),
        ("{cache: 60, idempotent: false}", "cache: only for a tool that is idempotent"),
        ("{risk: danger}", "risk: must be one of read, write, network, execute"),
    ],
)
def test_what_cannot_be_kept_is_a_fault_of_the_yaml(
    run: Run, tmp_path: Path, config: str, words: str
) -> None:
    (tmp_path / "tools.yaml").write_text(f"tools: [{{slug: c, type: calculator, config: {config}}}]\n")
    assert words in run("validate -f tools.yaml", code=5).stderr


def test_results_of_a_program_that_only_reads_are_kept_for_each_folder(
    agentctl: Run, store: Store, tmp_path: Path
) -> None:
    code = "import os; open(os.environ['HOME'] + '/count', 'a').write('x'); print(os.getcwd())"
    config = {"argv": [sys.executable, "-c", code], "read_only": True, "cache": 60}
    store.tools.put(Tool("where", "Where", "command", config=config))
    (tmp_path / "other").mkdir()
    for folder in (tmp_path, tmp_path / "other"):
        for _ in range(2):
            said = agentctl("tools run where -o json", cwd=folder, env={"HOME": str(tmp_path)}).json()
            assert said["data"]["stdout"] == f"{folder}\n"
    assert (tmp_path / "count").read_text() == "xx"


def test_a_risk_can_only_be_raised(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{slug: f, type: fetch, config: {risk: read}}]\n")
    assert (
        "risk: without this key it is network, and can only be raised"
        in run("validate -f tools.yaml", code=5).stderr
    )


def provider(store: Store) -> None:
    """A provider whose key is in MINE_KEY."""
    from agentctl.domain.model import Provider

    store.providers.put(Provider("mine", "openai", api_key_env="MINE_KEY"))


def database_bytes(store: Store) -> bytes:
    """All of the database as it lies on the disk."""
    connection = sqlite3.connect(store.path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return Path(store.path).read_bytes()


@pytest.mark.parametrize("how", ["file", "file error"])
def test_a_key_never_comes_out_of_a_tool(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str], tmp_path: Path, how: str
) -> None:
    provider(store)
    declare(store)
    (tmp_path / "key").write_text(KEY)
    model = script(calling({"how": how, "text": str(tmp_path / "key")}), {"text": "ok"})
    outcome = agentctl(f"chat wild 'tell me' -o stream-json -m {model}", env={**wild, "MINE_KEY": KEY})
    assert "***" in outputs(store)[0].text
    assert KEY[:10] not in outcome.stdout + outcome.stderr
    assert KEY[:10].encode() not in database_bytes(store)


@pytest.mark.parametrize("arguments", [{"how": f"print('{KEY}')"}, {"how": "1", KEY: 1}, f"{{broken {KEY}"])
def test_a_call_whose_arguments_hold_a_key_is_refused(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str], arguments: Any
) -> None:
    provider(store)
    declare(store)
    model = script({"tool_calls": [{"name": "wild", "arguments": arguments}]}, {"text": "ok"})
    outcome = agentctl(f"chat wild 'do it' -o stream-json -m {model}", env={**wild, "MINE_KEY": KEY})
    assert not outputs(store)[0].success
    assert KEY not in outcome.stdout + outcome.stderr
    assert KEY.encode() not in database_bytes(store)


def test_a_short_variable_is_no_secret(
    agentctl: Run, script: Script, store: Store, wild: dict[str, str]
) -> None:
    provider(store)
    declare(store)
    model = script(calling({"how": "'short-key-12345'"}), {"text": "ok"})
    agentctl(f"chat wild 'do it' -m {model}", env={**wild, "MINE_KEY": "short-key-12345"})
    assert "short-key-12345" in outputs(store)[0].text


def test_every_fault_of_arguments_goes_back_in_one_message(run: Run, script: Script, store: Store) -> None:
    arguments = {"pattern": "", "text": 5, "flags": "q" * 9, "replacement": [], "colour": 1, "patern": "x"}
    model = script(calling(arguments, name="regex_tester"), {"text": "ok"})
    run(f"chat 'try it' -m {model}")
    text = outputs(store)[0].text
    for word in ("pattern: ", "text: ", "flags: ", "replacement: ", "colour: ", "patern: "):
        assert word in text
    assert "\n" not in text


def test_a_whole_result_is_stored_where_the_model_reads_a_part(
    run: Run, script: Script, store: Store
) -> None:
    store.tools.put(Tool("enc", "Enc", "base64", config={"max_output": 200}))
    store.agents.put(Agent("a", "A", tools=(AgentTool("enc"),), title_strategy="none"))
    arguments = {"action": "encode", "text": "x" * 3000}
    run(f"chat a 'encode it' -m {script(calling(arguments, name='enc'), {'text': 'ok'})}")
    assert len(outputs(store)[0].text) <= 200
    row = store.database.one("SELECT result FROM agent_tool_calls")
    assert row is not None
    assert len(json.loads(row["result"])["data"]["text"]) == 4000


def test_a_stored_null_takes_the_default_and_says_so(run: Run, script: Script, store: Store) -> None:
    store.tools.put(Tool("calc", "Calc", "calculator", config={"timeout": None}))
    store.agents.put(Agent("a", "A", tools=(AgentTool("calc"),), title_strategy="none"))
    model = script(calling({"expression": "1+1"}, name="calc"), {"text": "ok"})
    result = run(f"chat a 'add them' -o json -m {model}").json()
    assert result["tool_calls"][0]["success"] is True
    (warning,) = result["warnings"]
    assert warning == {
        "kind": "tool_config",
        "message": 'tool "calc": config.timeout is null, so its default is used',
    }


@pytest.mark.parametrize("config", [{"allow_hosts": None}, {"deny_hosts": "x"}, {"allow_private": None}])
def test_what_bounds_a_tool_never_falls_back_to_something_wider(
    run: Run, script: Script, store: Store, config: dict[str, Any]
) -> None:
    store.tools.put(Tool("get", "Get", "fetch", config={"timeout": None, **config}))
    store.agents.put(Agent("a", "A", tools=(AgentTool("get"),), title_strategy="none"))
    model = script(calling({"url": "http://127.0.0.1:9"}, name="get"), {"text": "ok"})
    result = run(f"chat a 'get it' -o json -m {model}").json()
    assert result["result"] == "ok"
    assert "there is no tool" in result["tool_calls"][0]["error"]
    assert result["warnings"][0]["kind"] == "tool_not_ready"
