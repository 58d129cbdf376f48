"""In which comparisons of which scans a difference can show. Comparisons are those without NOT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from tests.differential.readers.comparison import Compared
from tests.differential.readers.conditions import (
    COMPARISONS,
    Both,
    Condition,
    Either,
    Leaf,
    Not,
    Op,
    leaves,
    without_not,
)
from tests.differential.readers.tables import PARTITIONINGS

LISTS = (Op.IN, Op.NOT_IN)
CHECKS = (Op.IS_NULL, Op.NOT_NULL)
RANGES = (Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ)
NAN_CHECKS = (Op.IS_NAN, Op.NOT_NAN)
# What NaN satisfies, where it is greater than every number; to SQL, it satisfies what a NOT is of.
_OF_NAN = (Op.GT, Op.GT_EQ, Op.NOT_EQ, Op.NOT_IN, Op.IS_NAN)


def of(*ops: Op, of_type: str | None = None) -> Callable[[Leaf, Compared], bool]:
    """Whether a comparison is one of these, and of a column of a type."""
    return lambda leaf, _: leaf.op in ops and of_type in (None, leaf.type)


def is_long(limit: int) -> Callable[[Leaf, Compared], bool]:
    """Whether it is a list of more values."""
    return lambda leaf, _: leaf.op in LISTS and len(leaf.values) > limit


def _nans(rows: pa.Table, leaf: Leaf) -> int:
    return int(pc.sum(pc.is_nan(rows[leaf.column])).as_py() or 0) if leaf.type == "double" else 0


def answers_nan(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row of which the answers differ has NaN."""
    return _nans(scan.odd_rows, leaf) > 0


def turns_nan(leaf: Leaf, scan: Compared) -> bool:
    """The same of a comparison under a NOT."""
    return leaf in _under_not(scan.condition) and answers_nan(leaf, scan)


def passes_nan(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row group is passed by that may have NaN, for all that statistics tell; or a row
    of NaN that SQL wants, with others of its file."""
    is_met = leaf.op in _OF_NAN or leaf in _under_not(scan.condition)
    is_asked = leaf.type == "double" and is_met
    return is_asked and (bool(scan.passed_by) or _nans(scan.passed_rows, leaf) > 0)


def is_null_in_whole_files(leaf: Leaf, scan: Compared) -> bool:
    """The same of files."""
    nulls = _of_nulls(leaf, scan)
    whole = sum(count == len(scan.ours.row_groups[path]) for path, count in nulls.items())
    return 0 < scan.files[0] <= whole


def _of_nulls(leaf: Leaf, scan: Compared) -> Counter[str]:
    """How many row groups of a file could be left out, and have nothing but nulls in a column."""
    asked = {leaf.column, *(other.column for other in leaves(scan.condition))}
    return Counter(
        home[0]
        for home, rows in scan.lake.rows.items()
        if not scan.ours.keeps(home) and any(rows[c].null_count == len(rows) for c in asked)
    )


def has_no_bounds(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row group that could be left out is in a file that has nothing but nulls and NaN
    in the column."""
    homes = scan.lake.homes
    files = {homes[rows["n"][0].as_py()][0] for rows in scan.left_out}
    bounded = {path for (path, _), rows in scan.lake.rows.items() if _present(rows[leaf.column])}
    return not files <= bounded


def _present(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """What is neither null nor NaN."""
    found = column.drop_null()
    return found.filter(pc.invert(pc.is_nan(found))) if pa.types.is_floating(found.type) else found


def has_null_booleans(leaf: Leaf, scan: Compared) -> bool:
    """Whether a boolean is compared, and a row group that could be left out holds nulls in it."""
    is_asked = leaf.type == "boolean" and leaf.op in (Op.EQ, Op.NOT_EQ)
    return is_asked and any(rows[leaf.column].null_count for rows in scan.left_out)


def is_presence(leaf: Leaf, scan: Compared) -> bool:
    """Whether it is IS NOT NULL of a column by which there are partitions, but of its values."""
    by = dict(PARTITIONINGS[scan.lake.name])
    return leaf.op is Op.NOT_NULL and by.get(leaf.column, "identity") != "identity"


def matches_null(leaf: Leaf, scan: Compared) -> bool:
    """Whether a NOT IN differs in rows with null in the column, or in row groups that have some."""
    found = (scan.odd_rows, *scan.left_out)
    return leaf.op is Op.NOT_IN and any(rows[leaf.column].null_count for rows in found)


def lists_zero(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row of which the answers differ has a zero where a list has one."""
    is_listed = leaf.type == "double" and leaf.op in LISTS and 0.0 in leaf.values
    return is_listed and 0.0 in scan.odd_rows[leaf.column].to_pylist()


def passes_zeros(leaf: Leaf, scan: Compared) -> bool:
    """Whether a list has 0.0, and a row group that is passed by has zeros and no other number: its
    bounds are -0.0 and 0.0, which are equal."""
    is_listed = leaf.type == "double" and leaf.op is Op.IN and 0.0 in leaf.values
    found = (set(_present(rows[leaf.column]).to_pylist()) for rows in scan.passed_by)
    return is_listed and any(numbers == {0.0} for numbers in found)


def begins_at_the_end(leaf: Leaf, scan: Compared) -> bool:
    """Whether a row group that could be left out begins with what comes right after a prefix."""
    if leaf.op is not Op.STARTS_WITH:
        return False
    (prefix,) = leaf.values
    after = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return any(pc.min(rows[leaf.column]).as_py() == after for rows in scan.left_out)


def stays_negated(leaf: Leaf, scan: Compared) -> bool:
    """Whether a list, a null check or a prefix stands under a NOT."""
    stays = leaf.op in (*LISTS, *CHECKS, Op.STARTS_WITH, Op.NOT_STARTS_WITH)
    return stays and leaf in _under_not(scan.condition)


def excludes_another(leaf: Leaf, scan: Compared) -> bool:
    """Whether something has to hold beside it that asks for the same column, and the two say more
    together than one by one."""
    parts = _parts(without_not(scan.condition))
    columns = (
        [{asked.column for asked in leaves(needed)} for needed in _needed(part)]
        for part in parts
        if leaf in leaves(part)
    )
    has_another = any(sum(leaf.column in asked for asked in found) > 1 for found in columns)
    return has_another and scan.is_one_by_one


def lists_all_there_are(leaf: Leaf, scan: Compared) -> bool:
    """Whether a NOT IN lists every value that there can be between the bounds of a row group that
    is passed by: all whole numbers, or the one value, beside which there are nulls."""
    if leaf.op is not Op.NOT_IN:
        return False
    listed, is_whole = {*leaf.values}, leaf.type in ("int", "long")
    found = [pc.min_max(rows[leaf.column]).as_py().values() for rows in scan.passed_by]
    return any(
        low is not None
        and ((is_whole and high - low < len(listed)) or low == high)
        and {*(range(low, high + 1) if is_whole else (low,))} <= listed
        for low, high in found
    )


def is_of_one_value(leaf: Leaf, scan: Compared) -> bool:
    """Whether a file or row group that is passed by holds one value in the column, or one and
    nulls, or nulls alone. Doubles may be NaN as well."""
    if leaf.type == "double":
        return False
    found = list(scan.passed_by)
    if scan.files[1]:
        rows = scan.lake.rows
        found += [
            pa.concat_tables(rows[home] for home in rows if home[0] == path)
            for path in scan.ours.files
        ]
    return any(len(pc.unique(rows[leaf.column].drop_null())) <= 1 for rows in found)


def is_of_unread_files(leaf: Leaf, scan: Compared) -> bool:
    """Whether nothing is read of a file that has row groups to be read."""
    del leaf
    read, kept = scan.theirs.row_groups or {}, scan.counted[1] or {}
    return any(count and not read.get(path, 0) for path, count in kept.items())


def is_by_one_field_of_several(leaf: Leaf, scan: Compared) -> bool:
    """Whether it is a range of a column of one of several partition fields."""
    sources = [source for source, _ in PARTITIONINGS[scan.lake.name]]
    return leaf.op in RANGES and len(sources) > 1 and leaf.column in sources


def is_least_integer(leaf: Leaf, scan: Compared) -> bool:
    """Whether it asks for the least integer, and the table has partitions by truncated ones."""
    transforms = PARTITIONINGS[scan.lake.name]
    return -(2**31) in leaf.values and (leaf.column, "truncate[10]") in transforms


def lists_what_another_excludes(leaf: Leaf, scan: Compared) -> bool:
    """The same of a list, a prefix or a null check."""
    return leaf.op in (*LISTS, *CHECKS, Op.STARTS_WITH) and excludes_another(leaf, scan)


def is_decimal_in_an_or(leaf: Leaf, scan: Compared) -> bool:
    """Whether a decimal is compared in an OR, and the table has partitions of more than values."""
    found = _parts(without_not(scan.condition))
    is_asked = any(isinstance(part, Either) and leaf in leaves(part) for part in found)
    transforms = {transform for _, transform in PARTITIONINGS[scan.lake.name]}
    return leaf.type == "decimal" and is_asked and bool(transforms - {"identity"})


def _is_plain(part: Either) -> bool:
    arms = list(_arms(part))
    names = {arm.column for arm in arms if isinstance(arm, Leaf) and arm.op in COMPARISONS}
    return len(names) == 1 and all(isinstance(a, Leaf) and a.op in COMPARISONS for a in arms)


def _arms(part: Condition) -> Iterator[Condition]:
    if isinstance(part, Either):
        for arm in part.parts:
            yield from _arms(arm)
    else:
        yield part


def _parts(condition: Condition) -> Iterator[Condition]:
    """The condition and all within it."""
    yield condition
    if isinstance(condition, Both | Either):
        for part in condition.parts:
            yield from _parts(part)


def _needed(condition: Condition) -> list[Condition]:
    """What has to hold where the condition does: comparisons, and alternatives as a whole."""
    match condition:
        case Both(parts):
            return [needed for part in parts for needed in _needed(part)]
    return [condition]


def _under_not(condition: Condition) -> list[Leaf]:
    """The comparisons under a NOT, without it."""
    match condition:
        case Not():
            return list(leaves(without_not(condition)))
        case Both(parts) | Either(parts):
            return [leaf for part in parts for leaf in _under_not(part)]
    return []
