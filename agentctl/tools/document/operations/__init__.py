"""The operations of the `document` tool by action, each in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.document.config import DocumentArguments, DocumentConfig

if TYPE_CHECKING:
    from agentctl.tools.document.desk import Desk


@value
class Call:
    """One call: what was asked, how the tool is set, who asks, and the documents."""

    arguments: DocumentArguments
    config: DocumentConfig
    context: ToolContext
    desk: Desk


Operation = Callable[[Call], dict[str, Any]]

OPERATIONS = {
    "create": "agentctl.tools.document.operations.create:create",
    "delete": "agentctl.tools.document.operations.delete:delete",
    "list": "agentctl.tools.document.operations.list:list_documents",
    "read": "agentctl.tools.document.operations.read:read",
    "update": "agentctl.tools.document.operations.update:update",
}


def load_operation(action: str) -> Operation:
    """The function that does this action."""
    module, _, name = OPERATIONS[action].partition(":")
    operation: Operation = getattr(import_module(module), name)
    return operation
