"""The tool type `command`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agentctl.domain.tool import ToolContext
from agentctl.tools.base import Fault, Risk, Services, ToolError, ToolType
from agentctl.tools.command.config import (
    CommandConfig,
    check_config,
    declared_arguments,
    find_variables,
    may_begin_with_dash,
)
from agentctl.tools.command.template import fill, parse_words, show
from agentctl.tools.signals import name_signal

if TYPE_CHECKING:
    from agentctl.tools.command.process import Launch

_EXCERPT = 1_500


class Command(ToolType):
    """Runs the program that its config declares, with the words of the config and values of the model."""

    type = "command"
    description = "Runs one declared program and gives its output and exit code. Example: {}."
    Config = CommandConfig
    risk = "execute"
    needs_approval = True
    idempotent = False
    reads_private = True
    slack = 5.0

    def __init__(self, config: CommandConfig, services: Services) -> None:
        super().__init__(config, services)
        self.config: CommandConfig = config
        self._words = parse_words(config.argv)[0]
        self._declared = declared_arguments(config)[0]
        self._dashes = may_begin_with_dash(config)

    @classmethod
    def check_config(cls, config: CommandConfig) -> list[Fault]:
        """Faults of the template, of the declared arguments, and between them."""
        return list(check_config(config))

    @classmethod
    def risk_of(cls, config: CommandConfig) -> Risk:
        """`read` for a program that changes nothing."""
        return "read" if config.read_only else "execute"

    @classmethod
    def find_variables(cls, config: CommandConfig) -> list[str]:
        """The environment variables that the program is given."""
        return find_variables(config)

    def describe(self) -> str:
        """The command line itself, with its places."""
        return f"Runs: {show(self.config.argv)}. Gives stdout, stderr and the exit code."

    def arguments_schema(self) -> dict[str, Any]:
        """The schema of what the config declares."""
        return self._declared.schema()

    def check(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """The values, and their faults; those that only the filled words show as well."""
        values, faults = self._declared.check(arguments)
        if not faults:
            try:
                fill(self._words, values, self._dashes)
            except ToolError as error:
                faults = [str(error)]
        return values, faults

    def asks_first(self) -> bool:
        """A program that changes nothing needs no approval."""
        return not self.config.read_only

    def find_surroundings(self, context: ToolContext) -> str:
        """The same program says something else in another folder."""
        return f"{super().find_surroundings(context)} {os.path.join(self.services.cwd, self.config.cwd)}"

    def is_idempotent(self) -> bool:
        """As declared; else where it changes nothing."""
        return self.config.read_only if self.config.idempotent is None else self.config.idempotent

    async def run(self, arguments: dict[str, Any], context: ToolContext) -> dict[str, Any]:
        """`exit_code, stdout, stderr, truncated`. Raises ToolError, with them, for any other code than 0.

        A program that a signal ended has the code 128 plus its number, as shells report it, and `signal`.
        """
        if sys.platform == "win32":
            raise ToolError("this tool needs a POSIX system (Linux or macOS)")
        from agentctl.tools.command.process import run_program

        limits = self.config
        ended = await run_program(
            self._launch(arguments), seconds=limits.timeout, most_output=limits.max_bytes
        )
        code = ended.code
        data: dict[str, Any] = {
            "exit_code": 128 - code if code is not None and code < 0 else code,
            "stdout": ended.stdout.text(),
            "stderr": ended.stderr.text(),
            "truncated": bool(ended.stdout.left_out or ended.stderr.left_out),
        }
        if code is not None and code < 0:
            data["signal"] = name_signal(-code)
        if code in self.config.ok_codes:
            return data
        why = ended.why or (f"it was ended by {data['signal']}" if "signal" in data else f"exit code {code}")
        raise ToolError(f"{self.config.argv[0]} failed: {why}{_excerpt(data)}", data=data)

    def _launch(self, values: dict[str, Any]) -> Launch:
        from agentctl.tools.command.environment import build_environment
        from agentctl.tools.command.process import Launch

        # New for every call: with it, all that the call started is found again.
        mark = os.urandom(12).hex()
        environment = build_environment(self.config.env, self.services.find_variable, mark)
        stdin = values.get(self.config.stdin or "")
        words = fill(self._words, values, self._dashes)
        return Launch(
            words=words,
            program=_find_program(words[0], environment["PATH"]),
            cwd=self._find_folder(),
            environment=environment,
            mark=mark,
            stdin=None if stdin is None else stdin.encode(),
        )

    def _find_folder(self) -> str:
        folder = os.path.join(self.services.cwd, self.config.cwd)
        if not os.path.isdir(folder):
            raise ToolError(f"the folder {folder} does not exist")
        return folder


def _find_program(name: str, path: str) -> str:
    from shutil import which

    found = which(name, path=path)
    if found is None:
        where = "" if "/" in name else " on PATH"
        raise ToolError(f"there is no program {name}{where}")
    return found


def _excerpt(data: Mapping[str, Any]) -> str:
    """The end of what a failed program said."""
    said = data["stderr"].strip() or data["stdout"].strip()
    if len(said) > _EXCERPT:
        said = "..." + said[-_EXCERPT:]
    return f"\n{said}" if said else ""
