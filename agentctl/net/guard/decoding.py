"""Unpacks a body as it arrives, in small pieces, so that a bomb costs no more than what is kept of it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from agentctl.net.guard.failure import Refused

ACCEPTED = "gzip, deflate"
PIECE = 1 << 16
_MOST_LAYERS = 2
_IDENTITY = ("", "identity")
_GZIP = ("gzip", "x-gzip")
_GZIP_MAGIC = b"\x1f\x8b"


class Decoder:
    """The layers of a `content-encoding`, outermost last as the header lists them.

    No layer may hand out more than `limit` bytes, for the one below could turn any amount into nothing.
    Raises Refused for an encoding that cannot be read, and for layers that no honest server puts on.
    """

    def __init__(self, encoding: str, limit: int) -> None:
        names = [name.strip().lower() for name in encoding.split(",")]
        layers = [name for name in names if name not in _IDENTITY]
        for name in layers:
            if name not in (*_GZIP, "deflate"):
                raise Refused(f"the answer is packed in a way that cannot be read ({name[:40]})")
        if len(layers) > _MOST_LAYERS:
            raise Refused(f"the answer is packed {len(layers)} times over")
        self._layers = [_Layer(name in _GZIP, limit) for name in reversed(layers)]

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What `data` unpacks to, in pieces. Raises Refused for data that is damaged."""
        yield from self._feed(data, 0)

    def finish(self) -> None:
        """No more comes. Raises Refused where that is in the middle of a layer."""
        if any(layer.is_cut for layer in self._layers):
            raise Refused("the answer is damaged: it ends too early")

    def _feed(self, data: bytes, depth: int) -> Iterator[bytes]:
        if depth == len(self._layers):
            yield data
            return
        last = depth == len(self._layers) - 1
        for piece in self._layers[depth].feed(data, bounded=not last):
            yield from self._feed(piece, depth + 1)


class _Layer:
    def __init__(self, gzip: bool, limit: int) -> None:
        self._gzip = gzip
        self._limit = limit
        self._count = 0
        self._held = b""
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16) if gzip else None
        self._begun = False
        self._ended = False

    @property
    def is_cut(self) -> bool:
        unpacker = self._unpacker
        return self._begun and not self._ended and not (unpacker is not None and unpacker.eof)

    def feed(self, data: bytes, *, bounded: bool) -> Iterator[bytes]:
        self._begun = self._begun or bool(data)
        if self._unpacker is None:
            self._held += data
            if len(self._held) < 2:
                return
            data = self._held
            self._unpacker = zlib.decompressobj(zlib.MAX_WBITS if _is_framed(data) else -zlib.MAX_WBITS)
        while data and not self._ended:
            while piece := self._unpack(self._unpacker, data):
                self._count += len(piece)
                if bounded and self._count > self._limit:
                    raise Refused("the answer unpacks into more than it may")
                yield piece
                data = self._unpacker.unconsumed_tail
            data = self._next_member(self._unpacker)

    def _unpack(self, unpacker: zlib._Decompress, data: bytes) -> bytes:
        try:
            return unpacker.decompress(data, PIECE)
        except zlib.error as error:
            raise Refused(f"the answer is damaged: {error}") from None

    def _next_member(self, unpacker: zlib._Decompress) -> bytes:
        """What follows the end of a gzip member: another one, or padding that means nothing."""
        rest = unpacker.unused_data
        if not unpacker.eof or rest in (b"", _GZIP_MAGIC[:1]):
            return b""
        if not self._gzip or rest[:2] != _GZIP_MAGIC:
            self._ended = True
            return b""
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        return rest


def _is_framed(data: bytes) -> bool:
    """Whether `deflate` has the frame that it must have; some servers leave it away (RFC 9110, 8.4.1.2)."""
    return data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0
