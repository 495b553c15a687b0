from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from agentctl.errors import Busy, ConfigError, NotFound, UsageError
from agentctl.providers.recording.file import Writer, read_recording

HEAD = {"type": "recording", "version": 1, "session": "as_1"}
RUN = {"type": "run", "turn": 1}


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_what_is_written_is_read_and_nobody_else_can(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    writer = Writer(path)
    writer.begin("as_1")
    writer.write(RUN)
    writer.write({"type": "tool", "tool": "晴れ \ud83d"})
    writer.close()
    recording = read_recording(path)
    assert recording.session == "as_1"
    section = recording.find(1)
    assert section is not None
    assert section.lines["tool"] == [{"type": "tool", "tool": "晴れ \ud83d"}]
    assert recording.find(2) is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_half_a_line_at_the_end_is_left_out_and_nothing_is_glued_to_it(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", HEAD, RUN)
    path.write_text(f'{path.read_text()}{{"type": "too')
    assert len(read_recording(path).sections) == 1
    writer = Writer(path)
    writer.begin("as_1")
    writer.write({**RUN, "turn": 2})
    writer.close()
    assert [section.turn for section in read_recording(path).sections] == [1, 2]


def test_a_line_that_is_broken_elsewhere_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", HEAD, RUN, {"type": "tool"}, {"type": "end"})
    path.write_text(path.read_text().replace('{"type": "tool"}', "{"))
    with pytest.raises(ConfigError, match=r"r\.jsonl:3: "):
        read_recording(path)


@pytest.mark.parametrize(
    "text", ["{}\n", '{"type": {}}\n', "[1]\n", "hi\n", '{"type": "recording"}\n', "\x00\xff\n"]
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError):
        read_recording(path)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="newer"):
        read_recording(write(tmp_path / "r.jsonl", {**HEAD, "version": 2}))


def test_an_empty_file_is_an_empty_recording_and_none_is_not_found(tmp_path: Path) -> None:
    assert read_recording(write(tmp_path / "r.jsonl")).session is None
    with pytest.raises(NotFound):
        read_recording(tmp_path / "missing")
    with pytest.raises(NotFound):
        read_recording(tmp_path)


def test_only_files_are_recorded_into(tmp_path: Path) -> None:
    for path in (tmp_path, Path("/dev/null"), tmp_path / "missing" / "r.jsonl"):
        with pytest.raises(UsageError):
            Writer(path)


@pytest.mark.parametrize("turn", [None, "1", 1.5, True, []])
def test_a_run_without_its_turn_is_refused(tmp_path: Path, turn: object) -> None:
    path = write(tmp_path / "r.jsonl", HEAD, {"type": "run", "turn": turn})
    with pytest.raises(ConfigError, match="has no turn"):
        read_recording(path)


def test_lines_of_a_kind_that_is_no_word_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", HEAD, RUN, {"type": ["tool"]}, {"type": {}})
    assert read_recording(path).sections[0].lines["tool"] == []


def test_only_one_writer_at_a_time_has_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    writer = Writer(path)
    with pytest.raises(Busy, match="another process records into"):
        Writer(path)
    writer.close()
    Writer(path).close()


def test_a_file_is_not_touched_before_it_is_known_to_be_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no line end")
    Writer(path).close()
    assert path.read_text() == "no line end"
