"""Rows in place of those that may not or cannot be read: values spread evenly between the bounds
that manifests have of each file.

They are an assumption, as is everything that rests on bounds alone. The values of a file are those
that its bounds allow: columns that are correlated from file to file are so here. Inside of a file,
columns are independent, and rows are in no order: an order by one of two correlated columns does
less for the other one here, or spoils more of it, than it would. That errs to layouts that are not
asked for. The other assumption errs to either side: all values between two bounds are equally
frequent. If most rows have one of few values, or an outlier moves a bound, scans keep more of a
layout than they seem to, or less. Nor does any row have a null, unless all of a file are known to.

Strings between two bounds are unknown. Their columns are not drawn, and if scans skip files by such
a column (see `may_rule_out`), the reads of other layouts are unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import isfinite

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.advice.candidates import Term
from prunescope.audit_jobs.health.sketch import SampledFile
from prunescope.audit_jobs.pruning.literals import as_values
from prunescope.audit_jobs.pruning.transforms import apply_all
from prunescope.audit_jobs.tuning import FOR_BUCKETS, HALF
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import ColumnKey, Statistics, constant, from_values
from prunescope.collectors.types import arrow_type, decimal_parameters, from_unscaled, unscaled

TermsOfSpecs = Mapping[int, tuple[Term, ...]]


def rows_of_bounds(
    files: Sequence[SampledFile],
    columns: Iterable[ColumnKey],
    terms: TermsOfSpecs,
    seed: int,
    each: int,
) -> list[Statistics]:
    """Drawn rows for each file, at most `each`, as containers of one row. They have those of the
    columns, which must be among the measured ones, whose values can be drawn. Rows of a file are in
    one partition by the `terms` of its spec."""
    generator = np.random.default_rng(seed)
    chosen = tuple(columns)
    found = []
    for file in files:
        count = max(0, min(each, file.records))
        drawn = {}
        for key in chosen:
            buckets = [
                term.transform
                for term in terms.get(file.spec_id, ())
                if term.key == key and term.transform.startswith("bucket")
            ]
            values = _values(file, key, count * FOR_BUCKETS if buckets else count)
            if values is not None and buckets:
                values = _of_first(buckets, key[1], values)
            if values is not None:
                places = np.arange(count) * len(values) // max(1, count)
                in_any_order = pa.array(generator.permutation(places))
                drawn[key] = from_values(pa.array(values, arrow_type(key[1])).take(in_any_order))
        found.append(Statistics(count, constant(False, count), drawn))
    return found


def may_rule_out(
    files: Sequence[SampledFile], columns: Iterable[ColumnKey], terms: TermsOfSpecs
) -> bool:
    """True if scans of some of these columns may skip files that are partitioned by these terms: by
    partitions, or by bounds, unless files span most of all bounds on average."""
    partitioned = {term.key for of_spec in terms.values() for term in of_spec}
    return any(key in partitioned or _are_apart(files, key) for key in columns)


def _are_apart(files: Sequence[SampledFile], key: ColumnKey) -> bool:
    bounds = [file.bounds[key] for file in files if key in file.bounds]
    ends = sorted({value for of_file in bounds for value in of_file})
    places = {value: place for place, value in enumerate(ends)}
    spans = [places[high] - places[low] for low, high in bounds]
    return sum(spans) < HALF * len(spans) * (len(ends) - 1)


def _values(file: SampledFile, key: ColumnKey, count: int) -> Sequence[PhysicalValue | None] | None:
    """Values of a column from the lowest to the highest one; None if they are unknown."""
    if key not in file.bounds:
        return None if key in file.untold else [None] * count
    match file.bounds[key]:
        case low, high if low == high:
            return [low] * count
        case Decimal() as low, Decimal() as high:
            _, scale = decimal_parameters(key[1])
            numbers = _whole(unscaled(low, scale), unscaled(high, scale), count)
            return None if numbers is None else [from_unscaled(n, scale) for n in numbers]
        case float() as low, float() as high:
            # Not where bounds contradict each other, or one is NaN.
            is_range = low < high and isfinite(high - low)
            return np.linspace(low, high, count).tolist() if is_range else None
        case int() as low, int() as high:
            return _whole(low, high, count)
    return None


def _whole(low: int, high: int, count: int) -> list[int] | None:
    """Whole numbers, all equally frequent, with both ends."""
    if low > high:
        return None
    return [low + (high - low + 1) * place // count for place in range(count - 1)] + [high][:count]


def _of_first(
    buckets: Sequence[str], type_name: str, values: Sequence[PhysicalValue | None]
) -> Sequence[PhysicalValue | None] | None:
    """The values that are in the same buckets as the first; None if the last one is not."""
    known = [value for value in values if value is not None]
    if not known:
        return values
    all_of = as_values(known, type_name)
    found = [apply_all(bucket, type_name, all_of) for bucket in buckets]
    same = np.all([codes == codes[0] for codes in found], axis=0)
    return [known[place] for place in np.flatnonzero(same).tolist()] if same[-1] else None
