from __future__ import annotations

import time

import pytest

from agentctl.net.sse import Event, EventFramer, EventSizeError


def frame(*chunks: bytes, max_event: int = 1 << 24) -> list[Event]:
    framer = EventFramer(max_event)
    return [event for chunk in chunks for event in framer.feed(chunk)] + framer.close()


def data(*chunks: bytes) -> list[str]:
    return [event.data for event in frame(*chunks)]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"], ids=["LF", "CR", "CRLF"])
def test_each_of_the_three_line_ends_frames_events(end: bytes) -> None:
    stream = end.join([b"data: a", b"data: b", b"", b"event: x", b"data: c", b"", b""])
    assert frame(stream) == [Event("", "a\nb"), Event("x", "c")]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_size_of_the_reads_changes_nothing(size: int) -> None:
    stream = "\ufeffdata: 你好 🌍\r\n\r\n: note\rid: 7\rdata:b\n\nevent: error\r\ndata:c\r\n\r\n".encode()
    chunks = [stream[i : i + size] for i in range(0, len(stream), size)]
    assert frame(*chunks) == [Event("", "你好 🌍"), Event("", "b"), Event("error", "c")]


def test_a_line_feed_after_a_split_crlf_ends_no_second_line() -> None:
    assert data(b"data: a\r", b"\n", b"data: b\r", b"\n\r", b"\n") == ["a\nb"]


def test_other_separators_of_unicode_are_text() -> None:
    text = "a\u2028b\u0085c\u2029d\x0be\x0cf\x1cg"
    assert data(f"data: {text}\n\n".encode()) == [text]


def test_comments_and_events_without_data_are_ignored() -> None:
    assert data(b": note\n\n:\n\nevent: ping\n\ndata:\n\ndata\n\ndata:  \n\ndata: x\n\n") == ["x"]


def test_the_name_of_an_event_ends_with_it() -> None:
    assert frame(b"event: error\ndata: a\n\ndata: b\n\n") == [Event("error", "a"), Event("", "b")]


def test_what_the_end_cuts_off_is_given_and_marked() -> None:
    assert frame(b"data: a\n\ndata: b") == [Event("", "a"), Event("", "b", whole=False)]
    assert frame(b"data: a\n") == [Event("", "a", whole=False)]


@pytest.mark.parametrize("body", [b'{\n "a": 1,\n\n "b": 2\n}\n', b"<html>\n\n</html>", b"\xef\xbb\xbf[1]"])
@pytest.mark.parametrize("size", [1, 1000])
def test_a_document_without_framing_is_kept_whole(body: bytes, size: int) -> None:
    chunks = [body[i : i + size] for i in range(0, len(body), size)]
    assert frame(*chunks) == [Event("", body.decode("utf-8-sig"), whole=False)]


def test_an_unframed_document_may_follow_events() -> None:
    assert data(b'data: a\n\n{"error":\n', b'"x"}\n\n') == ["a", '{"error":\n"x"}\n\n']


def test_json_that_goes_on_without_the_prefix_stays_one_event() -> None:
    assert data(b'data: {\n  "a": 1\n}\n\ndata: b\n\n') == ['{\n  "a": 1\n}', "b"]


def test_what_is_no_field_is_remembered_for_the_message() -> None:
    framer = EventFramer()
    assert framer.feed(b"Bad Gateway\nretry: 5\n\n") == []
    assert framer.ignored == "Bad Gateway"


def test_broken_utf_8_is_replaced() -> None:
    assert data(b"data: a\xff\xe4\xbdb\n\n") == ["a\ufffd\ufffdb"]


@pytest.mark.parametrize(
    "chunks",
    [[b"data: " + b"x" * 300], [b"data: " + b"x" * 60 + b"\n"] * 5, [b"x" * 100] * 3, [b"{\n", b"x" * 300]],
    ids=["one line", "many lines", "no line end", "no framing"],
)
def test_an_event_beyond_the_limit_is_an_error(chunks: list[bytes]) -> None:
    with pytest.raises(EventSizeError, match="more than"):
        frame(*chunks, max_event=256)


def test_many_small_events_never_reach_the_limit() -> None:
    assert len(frame(*[b"data: " + b"x" * 100 + b"\n\n"] * 50, max_event=256)) == 50


def test_a_big_event_in_single_bytes_takes_linear_time() -> None:
    # Quadratic joining would take minutes here; the guard is far from both.
    start = time.process_time()
    stream = b"data: " + b"x" * 1_500_000 + b"\n\n"
    (event,) = frame(*[stream[i : i + 1] for i in range(len(stream))])
    assert len(event.data) == 1_500_000
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "event",
    [
        b"event: a\ndata: 1\n\n",
        b"event:a\ndata: 1\n\n",
        b"event: a\r\ndata: 1\r\n\r\n",
        b"event: a\rdata: 1\n\n",
        b"event: a\ndata:1\n\n",
        b"event: a\ndata: 1\ndata: 2\n\n",
        b"event: a\ndata:  \n\n",
        b"event: a\n\n\n",
        b"event: \ndata: 1\n\n",
        b"event: a\nid: 7\ndata: 1\n\n",
    ],
)
def test_an_event_in_one_read_is_what_it_is_in_single_bytes(event: bytes) -> None:
    stream = [event, b"data: x\n\n", event]
    single = b"".join(stream)
    assert frame(*stream) == frame(*(single[i : i + 1] for i in range(len(single))))
