from __future__ import annotations

import asyncio
from pathlib import Path

from agentctl.providers.locks import FileLock, is_held
from tests.providers.local.processes import spawn

HOLD = """
import sys, time
from pathlib import Path
from agentctl.providers.locks import FileLock
assert FileLock(Path(sys.argv[1])).try_take()
print("held", flush=True)
time.sleep(60)
"""


def test_two_objects_exclude_each_other_in_one_process(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "l"), FileLock(tmp_path / "l")
    assert first.try_take()
    assert not second.try_take()
    assert not second.try_take(shared=True)
    first.release()
    assert second.try_take()


def test_shared_holders_only_exclude_exclusive_ones(tmp_path: Path) -> None:
    first, second, third = (FileLock(tmp_path / "l") for _ in range(3))
    assert first.try_take(shared=True)
    assert second.try_take(shared=True)
    assert not third.try_take()
    assert not is_held(tmp_path / "l")


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "l"
    holder = spawn(HOLD, str(path))
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    assert is_held(path)
    holder.kill()
    holder.communicate()
    assert not is_held(path)


def test_the_lock_of_a_removed_file_excludes_nobody(tmp_path: Path) -> None:
    path = tmp_path / "l"
    old, new = FileLock(path), FileLock(path)
    assert old.try_take()
    path.unlink()
    assert new.try_take()
    assert is_held(path)


def test_waiting_ends_when_the_holder_lets_go(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "l"), FileLock(tmp_path / "l")
    first.try_take()

    async def wait() -> None:
        waiting = asyncio.create_task(second.take())
        await asyncio.sleep(0.1)
        assert not second.held
        first.release()
        await asyncio.wait_for(waiting, 10)

    asyncio.run(wait())
    assert second.held
