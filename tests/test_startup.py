"""Nothing heavy is imported before it is needed: what each command may load, held by a real process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentctl.app.documents import Documents
from agentctl.domain.document import NewDocument
from agentctl.domain.grant import Grant
from agentctl.domain.model import Model, Provider
from agentctl.domain.tool import Tool
from agentctl.providers.key_file import KeyFile, StoredKey
from agentctl.store import Store
from tests.conftest import make_environ
from tests.waiting import ask, begin_run

HEAVY = {
    "asyncio",
    "httpx2",
    "importlib.metadata",
    "jinja2",
    "jsonschema",
    "rich",
    "sqlite_utils",
    "xllamacpp",
    "yaml",
}
PROBE = """
import sys
from agentctl.cli.boundary import run
code = run(sys.argv[2:])
loaded = sorted(set(sys.argv[1].split(",")) & set(sys.modules))
print("loaded:", ",".join(loaded), "code:", code, file=sys.stderr)
"""
# Command -> what it may load of the heavy modules; the database is up to date and stdout is a pipe.
ALLOWED: dict[str, set[str]] = {
    "--help": set(),
    "--version": set(),
    "agents list": set(),
    "agents show coder": set(),
    "apply --yes": {"yaml"},
    "approvals approve ap_00000000_00000001": set(),
    "approvals audit": set(),
    "approvals audit --verify": set(),
    "approvals cleanup": set(),
    "approvals deny ap_00000000_00000002 --reason no": set(),
    "approvals grant --agent default --tool calculator --where expression=1": set(),
    "approvals grants": set(),
    "approvals list": set(),
    "approvals resolve ap_00000000_00000003 --ran": set(),
    "approvals revoke ag_00000000_00000001": set(),
    "approvals show ap_00000000_00000001": set(),
    "attach @last": {"asyncio"},
    "chat --help": set(),
    # Without a key it ends before any request; the engine itself needs asyncio, nothing else.
    "chat 'a b' -m openai/x": {"asyncio"},
    "docs archive @last": set(),
    "docs context --query words": set(),
    "docs create x.md --title T": set(),
    "docs delete ad_1_00000001 --yes": set(),
    "docs diff @last": set(),
    "docs edit --help": set(),
    "docs export": set(),
    "docs history @last": set(),
    "docs import x.md": set(),
    "docs list": set(),
    "docs pin @last": set(),
    "docs promote @last": set(),
    "docs purge ad_1_00000002 --yes": set(),
    "docs reindex": set(),
    "docs restore @last --rev 1": set(),
    "docs search words": set(),
    "docs share @last --public": set(),
    "docs show @last": set(),
    "docs stats": set(),
    "docs title @last --strategy first-line": set(),
    "docs undelete ad_1_00000002": set(),
    "docs update @last --title y": set(),
    # It asks the declared providers; the embedded model that the agents need is not fetched (exit 5).
    "doctor": {"asyncio", "httpx2", "importlib.metadata", "yaml"},
    "export": set(),
    "init sub": set(),
    "keys delete team --yes": set(),
    "keys list": set(),
    "keys set team": set(),
    "models create new --provider openai": {"yaml"},
    "models default openai/x": set(),
    "models delete fast --yes": {"yaml"},
    "models list": set(),
    "models list --agent coder --all": set(),
    "models prefer openai/x": set(),
    "models resolve coder": set(),
    "models show openai/x": set(),
    # The scripted model is a YAML file.
    "models test script/r.yaml": {"asyncio", "yaml"},
    "models update fast --name y": {"yaml"},
    "plan": {"yaml"},
    "policy explain default calculator": set(),
    "providers create mine --kind openai --api-key-env A": {"yaml"},
    "providers delete work --yes": {"yaml"},
    "providers list": set(),
    "providers show openai": set(),
    "providers update work --api-key-env B": {"yaml"},
    "runs list": set(),
    "runs show": set(),
    "sessions fork @last": set(),
    "sessions list": set(),
    "sessions list -o csv": set(),
    "sessions list -o json": set(),
    "sessions list -o yaml": set(),
    "sessions messages @last": set(),
    "sessions rename @last x": set(),
    "sessions show @last": set(),
    "sessions title --pending": {"asyncio"},
    "stop @last": set(),
    "tools create new --type uuid": {"yaml"},
    "tools delete mine --yes": {"yaml"},
    "tools disable mine": {"yaml"},
    "tools enable mine": {"yaml"},
    "tools list": set(),
    "tools run calculator --arg expression=1": {"asyncio"},
    "tools show calculator": set(),
    # Only a list of all types has to look through what is installed.
    "tools types": {"importlib.metadata"},
    "tools types calculator": set(),
    "tools update mine --config timeout=5": {"yaml"},
    "usage --since 7d": set(),
    "validate": {"yaml"},
}


def loaded_by(line: str, environ: dict[str, str], folder: Path) -> set[str]:
    import shlex

    process = subprocess.run(
        [sys.executable, "-c", PROBE, ",".join(sorted(HEAVY)), *shlex.split(line)],
        cwd=folder,
        env={**environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        input="a-key" if line.startswith("keys set") else None,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "loaded: " in process.stderr, process.stderr
    report = process.stderr.rpartition("loaded: ")[2]
    expected = 7 if "openai" in line and line.startswith("chat") else 5 if line == "doctor" else 0
    assert report.strip().endswith(f"code: {expected}"), process.stderr
    return set(filter(None, report.split(" code:")[0].split(",")))


def _write_documents(store: Store, folder: Path) -> None:
    service, user = Documents(store).service, store.users.ensure("tester").id
    for number in (1, 2):
        service.create(user, NewDocument("T", "Some words.", id=f"ad_1_0000000{number}"))
    service.trash.delete(user, ["ad_1_00000002"])
    (folder / "x.md").write_text("Other words.")


@pytest.fixture(scope="module")
def in_use(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose `home` somebody has worked with; made once, for it takes three processes."""
    folder = tmp_path_factory.mktemp("in_use")
    environ = make_environ(folder)
    store = Store(folder / "home" / "agentctl.db")
    store.providers.put(Provider("work", "openai"))
    store.models.put(Model("fast", "openai", "x"))
    store.tools.put(Tool("mine", "Mine", "uuid"))
    _write_documents(store, folder)
    KeyFile(folder / "home" / "keys.json").put("team", StoredKey("a-key"))
    loaded_by("init", environ, folder)
    loaded_by("apply --yes", environ, folder)
    _wait_for_answers(store)
    store.close()
    (folder / "r.yaml").write_text("replies: [{text: hi}]")
    loaded_by("chat 'a b' -m script/r.yaml", environ, folder)
    return folder


def _wait_for_answers(store: Store) -> None:
    place = begin_run(store)
    for number, kind in enumerate(("call", "call", "unknown"), start=1):
        ask(store, place, id=f"ap_00000000_0000000{number}", kind=kind)
    store.grants.add(Grant("ag_00000000_00000001", place[0], "default", "calculator"))
    # Live runs come before the newest one, which other commands are to find.
    store.database.execute("UPDATE agent_runs SET status = 'failed'")


@pytest.mark.parametrize("line", ALLOWED)
def test_a_command_loads_only_what_it_uses(
    line: str, environ: dict[str, str], tmp_path: Path, in_use: Path
) -> None:
    shutil.copytree(in_use, tmp_path, dirs_exist_ok=True)
    assert loaded_by(line, environ, tmp_path) <= ALLOWED[line]


def test_a_scripted_chat_loads_no_http_client(environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("replies: [{text: hi}]")
    loaded = loaded_by("chat 'a b' -m script/r.yaml", environ, tmp_path)
    loaded = loaded_by("chat 'a b' -m script/r.yaml", environ, tmp_path)
    assert loaded <= {"asyncio", "yaml"}


def test_every_command_is_listed_here() -> None:
    from tests.test_registries import ALL

    leaves = {path for path, _, command in ALL if not hasattr(command, "list_commands")}
    missing = {
        leaf for leaf in leaves if not any(line == leaf or line.startswith(f"{leaf} ") for line in ALLOWED)
    }
    # These need a network, a model or a run that stopped: they have tests of their own.
    assert missing == {"models pull", "models rm", "resume"}
