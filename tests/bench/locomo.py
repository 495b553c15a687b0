"""How well documents are found, on dialogues of LoCoMo that lie outside the project.

The data (snap-research/LoCoMo, CC BY-NC 4.0) may be measured with and is no part of the project: one dialogue
a line, with `dialogue`, `sessions[{session,date,turns[{speaker,text}]}]`, `questions[{question,sessions}]`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from agentctl.documents.search.engine import search
from agentctl.documents.search.index import SearchIndex
from agentctl.documents.service import DocumentService
from agentctl.domain.document import NewDocument
from agentctl.store import Store


class Quality(NamedTuple):
    """Shares in percent, over questions: the first hit is right; the evidence is in the first five, ten."""

    hit_1: float
    recall_5: float
    recall_10: float
    mrr: float


# As published for sessions of LoCoMo; what a source does not say is left out.
PUBLISHED = (
    ("deja-vu", "69.6", "", "", ""),
    ("MemPalace", "", "", "92.4", ""),
    ("graph-memory", "", "82.9", "", ""),
    ("FTS5 as it comes, all words", "", "10.5", "", ""),
    ("FTS5 with porter, any word", "70.9", "86.9", "93.5", ""),
    ("ranks of four lists fused", "74.8", "88.7", "93.7", ".832"),
)
PROMISED = Quality(74.0, 88.0, 93.0, 0.0)


def print_locomo(path: Path) -> bool:
    """Print the table, and say whether the promise holds for the dialogues of this file together."""
    print(f"\n{'documents found in LoCoMo':34} {'hit@1':>6} {'R@5':>6} {'R@10':>6} {'MRR':>6}")
    everything: list[Quality] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(line)
        answers = list(_ask(dialogue))
        everything += answers
        _print(dialogue["dialogue"], _mean(answers))
    mean = _mean(everything)
    _print(f"here, {len(everything):,} questions", mean)
    for name, *figures in PUBLISHED:
        print(f"{name:34} " + " ".join(f"{figure:>6}" for figure in figures))
    return all(mine >= least for mine, least in zip(mean, PROMISED, strict=True))


def _ask(dialogue: dict[str, Any]) -> Iterator[Quality]:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "locomo.db")
        user = store.users.ensure("bench").id
        sessions = _fill(store, user, dialogue)
        for question in dialogue["questions"]:
            evidence = set(question["sessions"])
            if evidence:
                hits = search(store, user, question["question"]).hits
                yield _judge([sessions[hit.document.id] for hit in hits], evidence)
        store.close()


def _fill(store: Store, user: int, dialogue: dict[str, Any]) -> dict[str, int]:
    service = DocumentService(store, SearchIndex(store))
    sessions = {}
    with store.transaction():
        for session in dialogue["sessions"]:
            title = f"{dialogue['dialogue']} session {session['session']} {session['date']}"
            content = "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in session["turns"])
            created = service.create(user, NewDocument(title, content))
            sessions[created.document.id] = session["session"]
    return sessions


def _judge(found: list[int], evidence: set[int]) -> Quality:
    first = next((1 / rank for rank, session in enumerate(found, 1) if session in evidence), 0.0)
    five, ten = (100 * len(evidence & set(found[:most])) / len(evidence) for most in (5, 10))
    return Quality(100.0 * (first == 1), five, ten, first)


def _mean(answers: list[Quality]) -> Quality:
    return Quality(*(sum(column) / len(answers) for column in zip(*answers, strict=True)))


def _print(name: str, quality: Quality) -> None:
    mrr = f"{quality.mrr:.3f}".lstrip("0")
    print(f"{name:34} {quality.hit_1:6.1f} {quality.recall_5:6.1f} {quality.recall_10:6.1f} {mrr:>6}")
