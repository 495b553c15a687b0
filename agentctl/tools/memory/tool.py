"""The tool type `memory`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from agentctl.domain.tool import ToolContext
from agentctl.errors import AgentctlError
from agentctl.tools.base import Holding, Risk, ToolError, ToolType
from agentctl.tools.document.reach import find_marked
from agentctl.tools.document.tool import NEEDS_USER
from agentctl.tools.memory.checks import find_faults
from agentctl.tools.memory.config import MemoryArguments, MemoryConfig
from agentctl.tools.memory.operations import Call, load_operation, missing


class MemoryTool(ToolType):
    """The memories of the user's agents, as files."""

    type = "memory"
    description = (
        "Keeps notes about the user and the work across sessions, as files below /memories. Look there "
        "before you begin, and note what will matter later. Directories need not be made. "
        'Example: {"command": "create", "path": "/memories/user/tea.md", "file_text": "Likes oolong."}.'
    )
    Arguments = MemoryArguments
    Config = MemoryConfig
    risk: ClassVar[Risk] = "write"
    idempotent = False
    reads_private = True

    config: MemoryConfig

    def describe(self) -> str:
        """Also within which limits."""
        asked = ", ".join(self.config.approval_required_actions)
        limit = f" A file has at most {self.config.max_content_length} characters."
        return self.description + limit + (f" The user is asked before: {asked}." if asked else "")

    def check(self, arguments: Mapping[str, Any]) -> tuple[Any, list[str]]:
        """Also what belongs to the command."""
        values, faults = super().check(arguments)
        return values, faults or find_faults(values, self.config.max_content_length)

    def find_action(self, arguments: Mapping[str, Any]) -> str | None:
        """Rules may name a command: `memory:delete`."""
        command = arguments.get("command")
        return command if isinstance(command, str) else None

    def find_held(self, data: Any) -> tuple[Holding, ...]:
        """What was stored after untrusted text was read is as untrusted."""
        return find_marked(data)

    def find_hindrance(self, arguments: MemoryArguments, context: ToolContext) -> str | None:
        """No user, or no such path: nobody has to be asked about that."""
        if context.user_id is None:
            return NEEDS_USER
        path = arguments.old_path if arguments.command == "rename" else arguments.path
        if arguments.command in ("view", "create"):
            return None
        call = self._call(arguments, context)
        return None if call.find(path) or call.below(path, 1) else missing(path)

    def explain(self, arguments: MemoryArguments, context: ToolContext) -> str | None:
        """What stands at the path, for the person who is asked."""
        path = arguments.old_path if arguments.command == "rename" else arguments.path
        if context.user_id is None or path is None:
            return None
        call = self._call(arguments, context)
        document = call.find(path)
        if document is not None:
            return f'memory "{document.title}", {document.content_chars:,} characters'
        count = len(call.below(path))
        return f"{count} memories below {path}" if count else None

    async def run(self, arguments: MemoryArguments, context: ToolContext) -> dict[str, Any]:
        """What the operation gives. Raises ToolError with the words of the service."""
        if context.user_id is None:
            raise ToolError(NEEDS_USER)
        # The second fence, as in `document`: the command itself must have been allowed.
        if arguments.command in self.config.approval_required_actions and not context.approved:
            raise ToolError(f'action "{arguments.command}" needs the user\'s approval')
        try:
            return load_operation(arguments.command)(self._call(arguments, context))
        except AgentctlError as error:
            raise ToolError(error.message) from error

    def _call(self, arguments: MemoryArguments, context: ToolContext) -> Call:
        return Call(arguments, self.config, context, self.services.documents().service)
