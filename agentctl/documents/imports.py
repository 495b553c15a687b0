"""Documents from files: a file that was imported before changes its document instead of making another."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from agentctl.documents.checks import hash_content
from agentctl.documents.faults import InvalidDocument
from agentctl.documents.shelf import Shelf, require_user
from agentctl.domain.document import Created, Document, DocumentChange, NewDocument
from agentctl.domain.value import value
from agentctl.store.document_sources import find_imported

_ID = re.compile(r"ad_[0-9a-z]{1,16}_[0-9a-z]{1,16}")


@value
class Imported:
    """What became of one file."""

    document: Document
    outcome: Literal["created", "updated", "unchanged"]


class Imports:
    """Stores what files say; sessions are not taken from files."""

    def __init__(
        self,
        shelf: Shelf,
        create: Callable[[int, NewDocument], Created],
        update: Callable[[int, str, DocumentChange], Document],
    ) -> None:
        self._shelf = shelf
        self._create = create
        self._update = update

    def match(self, user_id: int | None, new: NewDocument) -> Document | None:
        """The user's own document that a file stands for: by its id, else by the path it came from.

        Where several came from one path, the one with the same content. Raises InvalidDocument for an id
        that is none.
        """
        user = require_user(user_id)
        if new.id is not None and not _ID.fullmatch(new.id):
            raise InvalidDocument(f'"{new.id[:60]}" is no id of a document', hint="Leave the id out.")
        found = self._shelf.documents.get(user, new.id) if new.id else None
        if found or not new.source_path:
            return found
        return find_imported(self._shelf.store.database, user, new.source_path, hash_content(new.content))

    def put(self, user_id: int | None, new: NewDocument) -> Imported:
        """Store a file: make its document, change it, or find that nothing is new.

        An id that is taken, by whomever, is not used again. Raises as `create` and `update` do.
        """
        user = require_user(user_id)
        with self._shelf.store.transaction():
            found = self.match(user, new)
            if found is None:
                created = self._create(user, self._without_session(new))
                return Imported(created.document, "unchanged" if created.existing else "created")
            after = self._update(user, found.id, _change(new))
            return Imported(after, "unchanged" if after.rev == found.rev else "updated")

    def _without_session(self, new: NewDocument) -> NewDocument:
        taken = new.id is not None and self._shelf.documents.exists(new.id)
        return replace(
            new,
            id=None if taken else new.id,
            session_id=None,
            tier="long_term" if new.tier == "session" else new.tier,
        )


def _change(new: NewDocument) -> DocumentChange:
    return DocumentChange(
        title=new.title,
        content=new.content,
        summary=new.summary,
        tags=new.tags,
        type=new.type,
        summary_from_file=True,
        summary_length=new.summary_length,
    )
