"""`agentctl docs`: what agents remember and deliver, and what you give them."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "archive": "Put documents out of the way.",
    "context": "Show what of your documents would be put before a model.",
    "create": "Store a text as a document.",
    "delete": "Delete documents.",
    "diff": "Show what changed in a document.",
    "edit": "Change a document in your editor.",
    "export": "Write documents to files, or as JSON lines.",
    "history": "List what a document said before.",
    "import": "Store the Markdown and JSON lines of files and folders.",
    "list": "List your documents, newest first.",
    "pin": "Put documents before the model in every run that remembers.",
    "promote": "Keep documents for good, neither archived nor pinned.",
    "purge": "Remove deleted documents for good.",
    "reindex": "Build the search index of all documents anew.",
    "restore": "Make an earlier revision of a document the newest.",
    "search": "Find documents by what they say, best first.",
    "share": "Say who else may read a document.",
    "show": "Show one document.",
    "stats": "Count your documents.",
    "title": "Give documents new titles.",
    "undelete": "Take deletes back.",
    "update": "Change a document.",
}

command = Group(__name__, COMMANDS, name="docs", help="Keep, find, change and share documents.")
