"""The conditions that a filter of documents sets, as SQL."""

from __future__ import annotations

from typing import Any

from agentctl.domain.document import DocumentFilter
from agentctl.domain.surrogates import mend
from agentctl.store.document_access import deleted, readable

Values = dict[str, Any]


def conditions(user_id: int, wanted: DocumentFilter, alias: str = "d") -> tuple[str, Values]:
    """What follows WHERE for rows of `agent_documents`, and its named values; who may read is part of it.

    Order, page and cursor are the caller's.
    """
    d = alias
    tests = [deleted(d) if wanted.deleted else readable(wanted.reach, d)]
    values: Values = {"user": user_id}
    if wanted.archived is not None and not wanted.deleted:
        # Written out, so that the order of an index may be used.
        tests.append(f"{d}.archived = {int(wanted.archived)}")
    for column, value in (("type", wanted.type), ("tier", wanted.tier), ("session_id", wanted.session)):
        if value is not None:
            tests.append(f"{d}.{column} = :{column}")
            values[column] = mend(value)
    if wanted.session is not None:
        # Others are not told which session a document comes from, so that they must not find it by one.
        tests.append(f"{d}.user_id = :user")
    if wanted.since is not None:
        tests.append(f"{d}.created_at >= :since")
        values["since"] = wanted.since
    if wanted.until is not None:
        tests.append(f"{d}.created_at < :until")
        values["until"] = wanted.until
    if wanted.tag is not None:
        tests.append(f"instr(',' || {d}.tags || ',', ',' || :tag || ',') > 0")
        values["tag"] = mend(wanted.tag)
    if wanted.query:
        tests.append(rf"({d}.title LIKE :like ESCAPE '\' OR {d}.content LIKE :like ESCAPE '\')")
        values["like"] = f"%{escape_like(mend(wanted.query))}%"
    return " AND ".join(tests), values


def escape_like(text: str) -> str:
    r"""`text` as LIKE finds it literally with `ESCAPE '\'`."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
