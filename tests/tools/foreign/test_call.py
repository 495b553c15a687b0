"""A tool of a package in its own process: what it is given, what it may ask for, and what is left of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.tool import Tool
from agentctl.store import Store
from tests.packages import install
from tests.tools.guard.processes import is_alive, wait_until

ASKING = """
import os
from dataclasses import field
from agentctl.domain.session_search import SessionSearch
from agentctl.domain.value import value
from agentctl.errors import CredentialsError
from agentctl.tools.base import ToolConfig, ToolError, ToolType

@value
class Arguments:
    how: str = field(metadata={"description": "What to ask."})
    number: int = field(default=5, metadata={"description": "A number."})

@value
class Config(ToolConfig):
    origin: str = field(default="https://api.example", metadata={"description": "Where."})
    sizes: tuple[int, ...] = field(default=(1, 2), metadata={"description": "Some."})

class Extra(ToolType):
    type = "extra"
    description = "Asks. Example: {}."
    Arguments = Arguments
    Config = Config

    @classmethod
    def find_variables(cls, config):
        return ["PLAIN", "AGENTCTL_HOME", "FIXED=yes"]

    @classmethod
    def find_routes(cls, config):
        return [({"env": "MOON_KEY"}, config.origin)]

    async def run(self, arguments, context):
        services, me = self.services, context.user_id
        def search(user):
            return services.search_sessions(SessionSearch(user, "moon", 5))
        def secret(name, origin):
            return len(services.find_secret({"env": name}, origin))
        return {"said": eval(arguments.how)}
"""
Ask = Callable[..., Any]
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks at processes through /proc"
)


@pytest.fixture
def ask(agentctl: Callable[..., Any], store: Store, tmp_path: Path) -> Ask:
    """What the tool finds for an expression, or the error of the call."""
    folder = install(tmp_path / "site", ASKING)
    env = {
        "PYTHONPATH": f"{Path(__file__).parents[3]}:{folder}",
        "PLAIN": "1",
        "OTHER": "2",
        "MOON_KEY": "k" * 20,
    }

    def call(how: str, code: int = 0) -> Any:
        store.tools.put(Tool("asks", "Asks", "extra", config={"sizes": [3, 4]}))
        result = agentctl(f'tools run asks --arg how="{how}" -o json', env=env, code=code).json()
        return result["error"] if code else result["data"]["said"]

    return call


def test_a_tool_finds_its_settings_arguments_and_caller(ask: Ask, tmp_path: Path) -> None:
    assert ask("[self.config.sizes, arguments.number, context.tool_slug]") == [[3, 4], 5, "asks"]
    assert ask("[type(self.config.sizes).__name__, services.find_user(me).name]") == ["tuple", "tester"]
    assert ask("[services.cwd, os.getcwd()]") == [str(tmp_path)] * 2
    assert ask("[services.find_user(me + 1), list(search(me)), list(search(me + 1))]") == [None, [], []]


def test_its_environment_is_that_of_a_program_and_what_its_type_names(ask: Ask) -> None:
    names = "[os.environ.get(name) for name in ('PLAIN', 'OTHER', 'MOON_KEY', 'AGENTCTL_HOME', 'FIXED')]"
    assert ask(names) == ["1", None, None, None, "yes"]
    assert ask("'AGENTCTL_INSIDE_TOOL' in os.environ") is True
    assert ask("[services.find_variable('OTHER'), services.find_variable('MOON_KEY')]") == ["2", None]


def test_it_gets_the_secrets_that_its_type_declares_and_no_others(ask: Ask) -> None:
    assert ask("secret('MOON_KEY', 'https://api.example')") == 20
    for how in ("secret('OTHER', 'https://api.example')", "secret('MOON_KEY', 'https://evil.example')"):
        assert "CredentialsError: find_routes of the tool type names no such secret" in ask(how, code=15)


@needs_proc
def test_its_limits_are_set_before_it_is_loaded(ask: Ask) -> None:
    assert ask("__import__('resource').getrlimit(__import__('resource').RLIMIT_CORE)") == [0, 0]
    assert ask("__import__('resource').getrlimit(__import__('resource').RLIMIT_DATA)[0]") == 1_000_000_000


WILD = """
import os, subprocess, time
from agentctl.tools.base import ToolType

class Extra(ToolType):
    type = "extra"
    description = "Leaves things. Example: {}."

    async def run(self, arguments, context):
        left = [subprocess.Popen(["sleep", "600"], start_new_session=True).pid]
        if (pid := os.fork()) == 0:
            time.sleep(600)
        left.append(pid)
        with open(LOG, "w") as file:
            file.write(" ".join(map(str, [os.getpid(), *left])))
        os.rename(LOG, LOG + ".done")
        time.sleep(SECONDS)
        return left
"""


@pytest.fixture
def leaving(start: Callable[..., Any], store: Store, tmp_path: Path) -> Callable[[int], Any]:
    """Start a tool that leaves processes behind; the process of the command, and all that came of it."""
    log = tmp_path / "log"

    def call(seconds: int) -> Any:
        source = WILD.replace("LOG", repr(str(log))).replace("SECONDS", str(seconds))
        env = {"PYTHONPATH": f"{Path(__file__).parents[3]}:{install(tmp_path / 'site', source)}"}
        store.tools.put(Tool("leaves", "Leaves", "extra"))
        process = start("tools run leaves", env=env)
        done = Path(f"{log}.done")
        assert wait_until(done.exists)
        return process, [int(pid) for pid in done.read_text().split()]

    return call


@needs_proc
def test_nothing_is_left_of_a_tool_that_gave_its_answer(leaving: Callable[[int], Any]) -> None:
    process, pids = leaving(0)
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert wait_until(lambda: not any(map(is_alive, pids)))


@needs_proc
def test_nothing_is_left_of_a_tool_that_is_stopped(leaving: Callable[[int], Any]) -> None:
    process, pids = leaving(600)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert wait_until(lambda: not any(map(is_alive, pids)))


@needs_proc
def test_a_tool_ends_with_an_agentctl_that_is_killed(leaving: Callable[[int], Any]) -> None:
    process, (pid, apart, copy) = leaving(600)
    process.kill()
    process.communicate(timeout=30)
    assert wait_until(lambda: not is_alive(pid) and not is_alive(copy))
    os.kill(apart, signal.SIGKILL)  # what left the group by itself is found by nobody then
