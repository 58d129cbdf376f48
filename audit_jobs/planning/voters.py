"""Voters: the scans of a block whose kept files are recorded. These are the scans of the smallest
hashes, so that they do not depend on how blocks divide a table's scans."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.health.files_of_scans import Voters
from prunescope.audit_jobs.health.sketch import MAX_VOTERS, hash_of
from prunescope.audit_jobs.planning.work import Block
from prunescope.audit_jobs.pruning.literals import Literals
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.shapes import Shape

Hashes = npt.NDArray[np.uint64]


@lru_cache(maxsize=16)
def voters_of(block: Block) -> Voters:
    """The voters among those scans of a block that are planned by all that the statistics allow.
    The hash of a scan combines its filter and its snapshot."""
    scans, hashes = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
    for shape in block.shapes:
        of_rows = _of_shape(shape)
        for part in shape.planned:
            if part.rules == FLOOR:
                scans.append(part.scans)
                hashes.append(of_rows[part.rows])
    snapshots = np.zeros(block.count, np.uint64)
    for snapshot_id, positions in block.snapshots.items():
        snapshots[positions] = hash_of(str(snapshot_id))
    found = np.concatenate(scans)
    mixed = _mixed(np.concatenate(hashes), snapshots[found])
    first = np.argsort(mixed, kind="stable")[:MAX_VOTERS]
    return Voters(found[first], mixed[first])


def _of_shape(shape: Shape) -> Hashes:
    """The hashes of a shape's rows of literals."""
    found = np.full(shape.count, hash_of(repr(shape.conjuncts)), np.uint64)
    for leaf in shape.leaves:
        found = _mixed(found, _of_rows(leaf.literals))
    return found


def _of_rows(literals: Literals) -> Hashes:
    """The hash of each row's values, independent of their order."""
    values = literals.values
    if values.dtype == object:
        numbers = np.array([hash_of(repr(value)) for value in values.tolist()], np.uint64)
    else:
        numbers = np.ascontiguousarray(values).view(np.uint64)
    before = np.zeros(len(values) + 1, np.uint64)
    np.cumsum(_mixed(numbers, np.ones_like(numbers)), out=before[1:])
    return before[literals.offsets[1:]] - before[literals.offsets[:-1]]


def _mixed(hashes: Hashes, others: Hashes) -> Hashes:
    """Hashes of pairs (the finalizer of SplitMix64), modulo 2^64."""
    mixed = hashes * np.uint64(0x9E3779B97F4A7C15) ^ others
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
