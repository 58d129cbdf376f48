"""Partition keys for Spark, chosen so that N groups come in N partitions.

`repartition` by columns places rows by the Murmur3 hash (x86, 32 bits, of seed 42) of their values,
modulo the number of partitions. Of eight groups that are placed so, about five partitions get any:
one task has two or three, and the others wait for it. If an engine hashes differently, groups are
still whole, because equal numbers stay together.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import count

_SEED = 42
_BITS = 0xFFFFFFFF


@lru_cache(maxsize=16)
def keys(partitions: int) -> tuple[int, ...]:
    """A number, as Spark's `int`, for each of `partitions` partitions: the number hashes to that
    partition."""
    found: dict[int, int] = {}
    for number in count():
        found.setdefault(spark_hash(number) % partitions, number)
        if len(found) == partitions:
            break
    return tuple(found[partition] for partition in range(partitions))


def spark_hash(number: int) -> int:
    """The value of `hash(number)` in Spark SQL, for a 32-bit integer that is not negative."""
    mixed = _rotated(number * 0xCC9E2D51 & _BITS, 15) * 0x1B873593 & _BITS
    mixed = (_rotated(_SEED ^ mixed, 13) * 5 + 0xE6546B64 & _BITS) ^ 4
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & _BITS
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & _BITS
    mixed ^= mixed >> 16
    return mixed - (1 << 32) if mixed >> 31 else mixed


def _rotated(bits: int, by: int) -> int:
    return (bits << by | bits >> 32 - by) & _BITS
