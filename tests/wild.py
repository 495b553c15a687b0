"""A tool type of a package that does whatever a tool should not, and two that read pages and memories."""

from __future__ import annotations

from pathlib import Path

from tests.packages import install

WILD = """
import asyncio, ctypes, os, signal, socket, subprocess, sys, threading, time
from dataclasses import field
from agentctl.domain.value import value
from agentctl.tools.base import ToolConfig, ToolError, ToolType

@value
class Arguments:
    how: str = field(metadata={"description": "What to do."})
    text: str = field(default="", metadata={"description": "With what."})
    seconds: float = field(default=0.0, metadata={"description": "For how long."})

async def swallow():
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass

class Strange(Exception):
    def __str__(self):
        raise RuntimeError("cannot even say it")

class Sly(dict):
    def items(self):
        raise RuntimeError("no")

def leave(first):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.environ.clear()
            print(os.getpid())
            time.sleep(600)
        os._exit(0)
    return first

def fork():
    if os.fork() == 0:
        return "child"
    return "parent"

class Extra(ToolType):
    type = "wild"
    description = "Does it. Example: {}."
    Arguments = Arguments
    memory = 400

    async def run(self, arguments, context):
        how, text = arguments.how, arguments.text
        if how == "sleep":
            # The folder holds one file for each call that runs.
            folder, _, name = text.rpartition("/")
            open(text, "w").close()
            most = len(os.listdir(folder))
            await asyncio.sleep(arguments.seconds)
            os.remove(text)
            return {"text": name, "most": most}
        if how == "count":
            with open(text, "a") as file:
                file.write("x")
            return {"calls": len(open(text).read())}
        if how == "fail and count":
            with open(text, "a") as file:
                file.write("x")
            raise ToolError("no")
        if how == "user":
            return {"name": self.services.find_user(context.user_id).name}
        if how == "file":
            said = open(text).read()
            print(said)
            return {"value": said, said: [said * 2]}
        if how == "file error":
            raise ToolError("x" * 1990 + open(text).read())
        return eval(how, {**globals(), "text": text})
"""

PAGE = """
from dataclasses import field
from agentctl.domain.value import value
from agentctl.tools.base import ToolConfig, ToolType

@value
class Arguments:
    url: str = field(metadata={"description": "Which."})

@value
class Config(ToolConfig):
    page: str = field(default="", metadata={"description": "What every page says."})
    log: str = field(default="", metadata={"description": "Where requests are written down."})

class Extra(ToolType):
    type = "page"
    description = "Reads a page. Example: {}."
    Arguments = Arguments
    Config = Config
    risk = "network"

    def find_host(self, arguments):
        return arguments.url.split("/")[2]

    async def run(self, arguments, context):
        with open(self.config.log, "a") as file:
            file.write(arguments.url + "\\n")
        return {"text": self.config.page}
"""

DIARY = """
from dataclasses import field
from agentctl.domain.value import value
from agentctl.tools.base import ToolType

@value
class Arguments:
    action: str = field(metadata={"description": "read or delete."})

class Extra(ToolType):
    type = "diary"
    description = "Reads and deletes documents. Example: {}."
    Arguments = Arguments
    reads_private = True

    async def run(self, arguments, context):
        return {"text": f"{arguments.action}: the PIN is 4711"}
"""


def install_wild(folder: Path) -> dict[str, str]:
    """Install all three; the environment of a process that finds them."""
    for name, source in (("wild", WILD), ("page", PAGE), ("diary", DIARY)):
        install(folder, source, name=name, package=f"{name}-tools")
    return {"PYTHONPATH": f"{Path(__file__).parent.parent}:{folder}"}
