"""The operations of the `memory` tool by command, each in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from agentctl.documents.service import DocumentService
from agentctl.domain.document import Document, DocumentChange
from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolError
from agentctl.tools.memory.config import MemoryArguments, MemoryConfig
from agentctl.tools.memory.paths import to_place

# More than anybody keeps in one folder.
MOST = 1_000


@value
class Call:
    """One call: what was asked, how the tool is set, who asks, and the documents."""

    arguments: MemoryArguments
    config: MemoryConfig
    context: ToolContext
    service: DocumentService

    def find(self, path: str | None) -> Document | None:
        """The file at a path, with its text."""
        return self.service.folders.at(self.context.user_id, to_place(path or ""))

    def below(self, path: str | None, most: int = MOST) -> list[Document]:
        """The files in a folder and in those below, without texts."""
        return self.service.folders.below(self.context.user_id, to_place(path or ""), most)

    def require(self, path: str | None) -> Document:
        """The file at a path, with its text; raises ToolError for none and for a folder."""
        found = self.find(path)
        if found is None:
            is_folder = bool(self.below(path, 1))
            raise ToolError(f"The path {path} is a directory" if is_folder else missing(path))
        return found

    def rewrite(self, document: Document, content: str) -> None:
        """Give a file another text, unless somebody else did meanwhile."""
        change = DocumentChange(content=content, untrusted=self.context.saw_untrusted)
        self.service.update(
            self.context.user_id,
            document.id,
            change,
            rev=document.rev,
            most=self.config.max_content_length,
        )


Operation = Callable[[Call], dict[str, Any]]

OPERATIONS = {
    "create": "agentctl.tools.memory.operations.create:create",
    "delete": "agentctl.tools.memory.operations.delete:delete",
    "insert": "agentctl.tools.memory.operations.insert:insert",
    "rename": "agentctl.tools.memory.operations.rename:rename",
    "str_replace": "agentctl.tools.memory.operations.replace:replace",
    "view": "agentctl.tools.memory.operations.view:view",
}


def missing(path: str | None) -> str:
    """The words for a path where nothing is."""
    return f"The path {path} does not exist. Please provide a valid path."


def load_operation(command: str) -> Operation:
    """The function that does this command."""
    module, _, name = OPERATIONS[command].partition(":")
    operation: Operation = getattr(import_module(module), name)
    return operation
