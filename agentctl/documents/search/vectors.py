"""Numbers of a vector as bytes, and how near two vectors are."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from operator import mul
from struct import pack, unpack

Vector = Sequence[float]


def normalize(vector: Vector) -> list[float]:
    """The vector at length 1; one of zeros, or with what is no number, becomes zeros."""
    numbers = [float(each) for each in vector]
    length = sqrt(sum(each * each for each in numbers))
    return [each / length for each in numbers] if 0 < length < float("inf") else [0.0] * len(numbers)


def to_bytes(vector: Vector) -> bytes:
    """Two bytes a number, which is more than enough to tell texts apart."""
    return pack(f"<{len(vector)}e", *vector)


def from_bytes(packed: bytes) -> tuple[float, ...]:
    """The numbers that `to_bytes` packed, nearly."""
    return unpack(f"<{len(packed) // 2}e", packed)


def to_signs(vector: Vector) -> bytes:
    """One bit a number: in how many two vectors differ says roughly how near they are (Charikar 2002)."""
    bits = int("0" + "".join("1" if each > 0 else "0" for each in vector), 2)
    return bits.to_bytes((len(vector) + 7) // 8)


def distance(first: int, second: bytes) -> int:
    """In how many signs two vectors differ."""
    return (first ^ int.from_bytes(second)).bit_count()


def nearness(first: Vector, second: Vector) -> float:
    """The cosine of two normalized vectors."""
    return float(sum(map(mul, first, second)))
