"""The ranges of values that columns have in the files that filters keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.jobs.kept_files import kept_files
from prunescope.audit_jobs.planning.work import TableContext
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.predicates.model import FALSE, BoundComparison, Field, Predicate, all_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import ColumnStatistics


@dataclass(slots=True)
class KeyRange:
    """The bounds of a column in some files: `low` and `high` are None if no file has a value, and
    meaningless if some file's bounds are unknown (not `is_known`)."""

    low: Any = None
    high: Any = None
    is_known: bool = True

    def add(self, column: ColumnStatistics | None, kept: BoolArray) -> None:
        """Widens the range by more files, of which `kept` ones count."""
        if not self.is_known or not kept.any():
            return
        if column is None:
            self.is_known = False
            return
        mask = pa.array(kept)
        lower, upper = column.lower.filter(mask), column.upper.filter(mask)
        if lower.null_count or upper.null_count:
            self.is_known = False
            return
        self._add(pc.min(lower).as_py(), pc.max(upper).as_py())

    def _add(self, low: Any, high: Any) -> None:
        self.low = low if self.low is None else min(self.low, low)
        self.high = high if self.high is None else max(self.high, high)

    @classmethod
    def of_all(cls, ranges: Iterable[KeyRange]) -> KeyRange:
        """The range of all values in several ranges."""
        found = cls()
        for one in ranges:
            found.is_known &= one.is_known
            if one.low is not None:
                found._add(one.low, one.high)
        return found

    def of(self, field: Field) -> Predicate | None:
        """The condition that a column lies in the range; None if the range is unknown."""
        if not self.is_known:
            return None
        if self.low is None:
            return FALSE
        return all_of(
            BoundComparison(Op.GT_EQ, field, (self.low,)),
            BoundComparison(Op.LT_EQ, field, (self.high,)),
        )


def key_ranges(context: TableContext, wanted: Sequence[tuple[Predicate, Field]]) -> list[KeyRange]:
    """The ranges of columns in the files that hold rows which pass a filter, and are not null
    there. Raises PrunescopeError."""
    scans = [
        Scan(number, all_of(passed, BoundComparison(Op.NOT_NULL, field)), FLOOR)
        for number, (passed, field) in enumerate(wanted)
    ]
    found = [KeyRange(is_known=field.type != "uuid") for _, field in wanted]
    for files, parts in kept_files(context, scans):
        for part in parts:
            for number, kept in zip(part.scans.tolist(), part.kept, strict=True):
                field = wanted[number][1]
                found[number].add(files.metrics.columns.get((field.field_id, field.type)), kept)
    return found
