"""Footers that scans need, as tasks: for each file a bitmap over the scans of each block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.planning.work import FooterTask, bitmaps
from prunescope.audit_jobs.pruning.packed import Packed, unpack
from prunescope.collectors.arrays import IntArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import FileBatch
from prunescope.collectors.tables.file_batches import partition_tuples
from prunescope.collectors.tables.manifests import ManifestEntries


class Unread:
    """Files of a batch whose footers scans of a block need. Bitmaps hold the scans of each such
    file."""

    def __init__(self, scans: int, files: int) -> None:
        self._scans = scans
        self.wanted = np.zeros(files, np.bool_)
        self._parts: list[tuple[IntArray, Packed]] = []

    def add(self, scans: IntArray, wanted: Packed) -> None:
        """Adds the files that some scans need, as masks over all files."""
        some = wanted.any(axis=1)
        if some.any():
            self._parts.append((scans[some], wanted[some]))
            needed = np.bitwise_or.reduce(wanted, axis=0)
            self.wanted |= unpack(needed[None, :], len(self.wanted))[0]

    def bitmaps(self) -> tuple[IntArray, list[bytes]]:
        """The files that are needed, and the bitmap over scans of each."""
        numbers = np.flatnonzero(self.wanted)
        masks = np.zeros((self._scans, len(numbers)), np.bool_)
        for scans, wanted in self._parts:
            masks[scans] = unpack(wanted, len(self.wanted))[:, numbers]
        return numbers, bitmaps(masks) if len(numbers) else []


class FooterTasks:
    """The files of a batch whose footers are needed, by block."""

    def __init__(
        self, files: FileBatch, entries: Sequence[ManifestEntries], spec: PartitionSpec
    ) -> None:
        self._files = files
        self._spec = spec
        self._entries = entries
        self._partitions: list[Mapping[int, Any]] | None = None
        self._wanted = np.zeros(len(files.paths), np.bool_)
        self.found: list[FooterTask] = []

    @property
    def files(self) -> int:
        """The number of files."""
        return int(np.count_nonzero(self._wanted))

    def add(self, block: int, unread: Unread) -> None:
        """Adds the files that the scans of a block need."""
        files = self._files
        self._wanted |= unread.wanted
        numbers, of_scans = unread.bitmaps()
        paths = files.paths.take(pa.array(numbers)).to_pylist()
        for number, path, bitmap in zip(numbers.tolist(), paths, of_scans, strict=True):
            if self._partitions is None:
                self._partitions = partition_tuples(self._entries, self._spec)
            self.found.append(
                FooterTask(
                    path=path,
                    size=int(files.size[number]),
                    records=max(0, int(files.records[number])),
                    row_groups=int(files.row_groups[number]),
                    spec_id=files.spec_id,
                    block=block,
                    partition=self._partitions[number],
                    scans=bitmap,
                )
            )
