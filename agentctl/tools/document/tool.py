"""The tool type `document`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from agentctl.domain.tool import ToolContext
from agentctl.errors import AgentctlError
from agentctl.tools.base import Holding, Risk, ToolError, ToolType
from agentctl.tools.document.checks import find_faults
from agentctl.tools.document.config import DocumentArguments, DocumentConfig
from agentctl.tools.document.operations import Call, load_operation
from agentctl.tools.document.reach import find_marked

EXAMPLE = '{"action": "create", "title": "Coffee", "content": "Likes it black."}'
NEEDS_USER = "this tool needs a user"


class DocumentTool(ToolType):
    """The user's documents: memories of agents, and what they deliver."""

    type = "document"
    description = f"Keeps documents across sessions. Example: {EXAMPLE}."
    Arguments = DocumentArguments
    Config = DocumentConfig
    risk: ClassVar[Risk] = "write"
    idempotent = False
    reads_private = True

    config: DocumentConfig

    def describe(self) -> str:
        """What can be done, within which limits."""
        config = self.config
        asked = ", ".join(config.approval_required_actions)
        return (
            "Keeps documents across sessions. type memory is your own notes about the user and the work; "
            "type document is what you deliver to the user. Actions: create (title, content), read (id, or q "
            "to search; full_content for all of the text), update (id and what changes), delete (id), list "
            "(newest first, or q to search). Before you answer what you may have noted earlier, read with q. "
            f"Answers hold summaries of at most {config.token_budget} tokens together; content has at most "
            f"{config.max_content_length} characters."
            + (f" The user is asked before: {asked}." if asked else "")
            + f" Example: {EXAMPLE}."
        )

    def check(self, arguments: Mapping[str, Any]) -> tuple[Any, list[str]]:
        """Also what belongs to the action."""
        values, faults = super().check(arguments)
        return values, faults or find_faults(values, self.config.max_content_length)

    def find_action(self, arguments: Mapping[str, Any]) -> str | None:
        """Rules may name one of them: `document:delete`."""
        action = arguments.get("action")
        return action if isinstance(action, str) else None

    def find_holdings(self) -> tuple[Holding, ...]:
        """What others wrote is a stranger's word."""
        held = super().find_holdings()
        return (*held, "untrusted") if self.config.include_shared and "untrusted" not in held else held

    def find_held(self, data: Any) -> tuple[Holding, ...]:
        """What was stored after untrusted text was read is as untrusted."""
        return find_marked(data)

    def find_hindrance(self, arguments: DocumentArguments, context: ToolContext) -> str | None:
        """No user, or no such document: nobody has to be asked about that."""
        if context.user_id is None:
            return NEEDS_USER
        if arguments.action not in ("update", "delete") or arguments.id is None:
            return None
        try:
            self.services.documents().service.read(context.user_id, arguments.id)
        except AgentctlError as error:
            return error.message
        return None

    def explain(self, arguments: DocumentArguments, context: ToolContext) -> str | None:
        """Title, type and size of the document, for the person who is asked."""
        if context.user_id is None or arguments.id is None:
            return None
        document = self.services.documents().service.read(context.user_id, arguments.id)
        return f'{document.type} "{document.title}", {document.content_chars:,} characters'

    async def run(self, arguments: DocumentArguments, context: ToolContext) -> dict[str, Any]:
        """What the operation gives. Raises ToolError with the words of the service."""
        if context.user_id is None:
            raise ToolError(NEEDS_USER)
        # The second fence: whatever allowed the call, a person, a flag or a grant must have named the action.
        if arguments.action in self.config.approval_required_actions and not context.approved:
            raise ToolError(f'action "{arguments.action}" needs the user\'s approval')
        documents = self.services.documents()
        call = Call(arguments, self.config, context, documents)
        try:
            return load_operation(arguments.action)(call)
        except AgentctlError as error:
            raise ToolError(error.message) from error
