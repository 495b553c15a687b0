from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from agentctl.providers.local.place import Place
from agentctl.providers.local.prefix import PrefixCache


class Slot:
    """A server's slot that saves to real files."""

    def __init__(self, folder: Path, *, works: bool = True) -> None:
        self.folder = folder
        self.works = works
        self.done: list[str] = []

    async def ask(self, path: str, body: dict[str, Any]) -> bool:
        action = path.partition("action=")[2]
        self.done.append(action)
        if self.works and action == "save":
            (self.folder / body["filename"]).write_bytes(b"state")
        return self.works

    async def compute(self) -> None:
        self.done.append("compute")


def prepare(cache: PrefixCache, slot: Slot, place: Place, prompt: str = "p", runtime: str = "1") -> list[str]:
    slot.done.clear()
    asyncio.run(cache.prepare(place, [{"content": prompt}], runtime, slot.ask, slot.compute))
    return list(slot.done)


def make_place(tmp_path: Path) -> Place:
    (tmp_path / "run").mkdir(exist_ok=True)
    return Place(tmp_path / "run", "m", tmp_path / "run" / "m.sock")


def make_folder(tmp_path: Path) -> Path:
    (tmp_path / "prefixes").mkdir(exist_ok=True)
    return tmp_path / "prefixes"


def test_it_is_computed_once_and_restored_for_the_next_server(tmp_path: Path) -> None:
    folder, place = make_folder(tmp_path), make_place(tmp_path)
    cache, slot = PrefixCache(folder), Slot(folder)
    assert prepare(cache, slot, place) == ["compute", "save"]
    assert prepare(cache, slot, place) == []
    place.prefix.unlink()  # as a new server does
    assert prepare(cache, slot, place) == ["restore"]


def test_other_prompts_and_runtimes_have_states_of_their_own(tmp_path: Path) -> None:
    folder, place = make_folder(tmp_path), make_place(tmp_path)
    cache, slot = PrefixCache(folder), Slot(folder)
    prepare(cache, slot, place)
    assert prepare(cache, slot, place, prompt="q") == ["compute", "save"]
    assert prepare(cache, slot, place, runtime="2") == ["compute", "save"]
    assert prepare(cache, slot, place) == ["restore"]


def test_only_a_few_files_are_kept(tmp_path: Path) -> None:
    folder, place = make_folder(tmp_path), make_place(tmp_path)
    cache, slot = PrefixCache(folder), Slot(folder)
    for number in range(20):
        prepare(cache, slot, place, prompt=str(number))
    assert len(list(folder.iterdir())) <= 9


def test_a_server_that_saves_nothing_still_answers(tmp_path: Path) -> None:
    folder, place = make_folder(tmp_path), make_place(tmp_path)
    assert prepare(PrefixCache(folder), Slot(folder, works=False), place) == ["compute", "save"]
