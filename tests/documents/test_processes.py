"""Many processes at once: nothing is lost, and what belongs together stays together."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agentctl.documents.checks import hash_content
from agentctl.domain.document import DocumentFilter

PROCESSES = 50
EACH = 20
# A process of its own that writes, as a command would.
WRITER = """
import sys
from agentctl.documents.service import DocumentService
from agentctl.domain.document import DocumentChange, NewDocument
from agentctl.store import Store

class Index:
    def put(self, document): pass
    def drop(self, ids): pass

path, user, number, shared = sys.argv[1:]
service = DocumentService(Store(path), Index())
for each in range(EACH):
    made = service.create(int(user), NewDocument(f"{number}.{each}", f"document {number}.{each}", "memory"))
service.update(int(user), shared, DocumentChange(append=f"line of {number}"))
service.update(int(user), made.document.id, DocumentChange(append="changed"))
""".replace("EACH", str(EACH))


@pytest.mark.slow
def test_fifty_processes_that_each_create_twenty_leave_a_thousand(service, store, ann, make) -> None:
    shared = make("start", title="shared")
    command = [sys.executable, "-c", WRITER, store.path, str(ann)]
    running = [
        subprocess.Popen([*command, str(number), shared.id], stderr=subprocess.PIPE)
        for number in range(PROCESSES)
    ]
    ends = [(process.communicate(timeout=300)[1], process.returncode) for process in running]
    assert ends == [(b"", 0)] * PROCESSES
    documents = service.list(ann, DocumentFilter(page_size=None)).items
    assert len(documents) == PROCESSES * EACH + 1
    assert len({document.title for document in documents}) == PROCESSES * EACH + 1
    # All appended to one document, and no line overwrote another.
    after = service.read(ann, shared.id)
    assert sorted(after.text.splitlines()[1:]) == sorted(f"line of {number}" for number in range(PROCESSES))
    assert after.rev == PROCESSES + 1
    assert [each.rev for each in service.history.list(ann, shared.id)] == list(range(PROCESSES + 1, 0, -1))
    for document in (service.read(ann, each.id) for each in documents):
        assert document.hash == hash_content(document.text)
        assert len(service.history.list(ann, document.id)) == document.rev
    assert store.database.one("PRAGMA integrity_check")[0] == "ok"
    assert store.database.execute("PRAGMA foreign_key_check").fetchall() == []
