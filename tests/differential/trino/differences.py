"""Where the product differs from Trino, each as a rule that says which conditions explain it.
Anything that no rule explains is a fault on one side or the other.

Where the product keeps fewer files, no row is lost: a rule of Kind.FEWER says why no row that SQL
wants can be there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from prunescope.audit_jobs.pruning.conjunct_classes import ENFORCED
from prunescope.collectors.predicates.column_domains import MAX_RANGES
from prunescope.collectors.predicates.model import FALSE, Or, conjuncts
from prunescope.collectors.predicates.operators import Op
from tests.differential.leaves import leaves
from tests.differential.trino.comparison import Compared, columns


class Kind(Enum):
    """Whether the product keeps more files or fewer, says that less is pushed or that more is, or
    differs in the class of a conjunct."""

    MORE = auto()
    FEWER = auto()
    PUSHED = auto()
    CLAIMED = auto()
    CLASS = auto()


@dataclass(frozen=True)
class Difference:
    """A known difference, by what Trino does and the product does not, the scans in which it can
    show, and a condition on a table of which it does, alone."""

    name: str
    kinds: frozenset[Kind]
    explains: Callable[[Compared], bool]
    case: str
    table: str = "plain"


def kinds(scan: Compared) -> frozenset[Kind]:
    """How a scan differs."""
    theirs, ours = scan.files
    found = {
        Kind.FEWER: theirs,
        Kind.MORE: ours,
        Kind.PUSHED: scan.domains.keys() - scan.claimed,
        Kind.CLAIMED: scan.claimed,
        Kind.CLASS: scan.classes,
    }
    return frozenset(kind for kind, differs in found.items() if differs)


def explanations(scan: Compared, kind: Kind) -> list[Difference]:
    """Which known differences can make a scan differ in this way."""
    return [known for known in DIFFERENCES if kind in known.kinds and known.explains(scan)]


def unknown_kinds(scan: Compared) -> list[Kind]:
    """How a scan differs without a rule that says why."""
    return [kind for kind in kinds(scan) if not explanations(scan, kind)]


_LESS = frozenset({Kind.MORE, Kind.PUSHED, Kind.CLASS})


def _function(columns: str) -> str:
    """A function of a date or time, of one of some columns, up to its last parenthesis."""
    of = rf"(?:{columns})\)"
    truncated = rf"date_trunc\('\w+', {of}"
    return rf"(?:CAST\((?:{columns}) AS date\)|date\({of}|{truncated}|{_year(columns)})"


def _year(columns: str) -> str:
    return rf"(?:year\((?:{columns})\)|extract\(YEAR FROM (?:{columns})\))"


_PLAIN, _TIMES = "dt|tsn", "dt|tsn|ts"
# Of a column without time zone: what is outside of something, or of a list of years.
_UNWRAPPED = "|".join(
    (
        rf"{_function(_PLAIN)} (?:NOT BETWEEN|IS DISTINCT FROM)",
        rf"NOT \(.*{_function(_PLAIN)} (?:BETWEEN|IS NOT DISTINCT FROM)",
        rf"{_year(_PLAIN)} NOT IN \(|NOT \(.*{_year(_PLAIN)} IN \(",
    )
)


def _written(pattern: str) -> Callable[[Compared], bool]:
    found = re.compile(pattern)
    return lambda scan: found.search(scan.condition.sql) is not None


def _keeps_identity(scan: Compared) -> bool:
    """Whether a part of the condition that is not all pushed reads an identity partition field, or
    the whole is known to be false, of which Trino keeps some to itself."""
    return scan.whole == FALSE or any(
        said["class"] != ENFORCED and not columns(part).isdisjoint(scan.identities)
        for part, said in zip(conjuncts(scan.whole), scan.answer["conjuncts"], strict=True)
    )


# From one value to the next; times are counted in picoseconds.
_STEPS = {"integer": 1, "bigint": 1, "time(6)": 1_000_000}


def _asks_between_neighbours(scan: Compared) -> bool:
    """Whether Trino's connector took a range of whole numbers, or of times, that holds none."""
    if scan.theirs is None:
        return False
    taken = (*(scan.theirs.enforced or {}).values(), *(scan.theirs.unenforced or {}).values())
    return any(
        domain["type"] in _STEPS
        and None not in (low, high)
        and not (low_in or high_in)
        and high - low == _STEPS[domain["type"]]
        for domain in taken
        for low, low_in, high, high_in in domain["ranges"]
    )


def _excludes_many(scan: Compared) -> bool:
    """Whether a list excludes more values than a domain may have ranges."""
    return any(
        leaf.op is Op.NOT_IN and len(leaf.values) >= MAX_RANGES for leaf in leaves(scan.whole)
    )


def _compares_uuids_twice(scan: Compared) -> bool:
    """Whether UUIDs are compared with a value, and with another one or null, and nothing else
    differs."""
    sql = scan.condition.sql
    asked = sql.count("UUID '"), sql.count("u IS ")
    return asked[0] > 0 and sum(asked) > 1 and scan.domains.keys() <= {"", "u"}


def _has_several_ranges(scan: Compared) -> bool:
    """Whether domains differ in nested fields alone, of which Trino's connector took more than one
    range, or all values."""
    return bool(scan.domains) and all(
        "." in name
        and theirs is not None
        and (len(theirs.ranges) + theirs.nulls > 1 or theirs.is_null_check)
        for name, (theirs, _) in scan.domains.items()
    )


def _has_floating_alternatives(scan: Compared) -> bool:
    """Whether an OR is of comparisons of one floating-point column, and nothing else differs."""
    return len(scan.domains) == 1 and any(
        isinstance(part, Or)
        and {leaf.field.type for leaf in leaves(part)} <= {"float", "double"}
        and columns(part) == scan.domains.keys()
        for part in conjuncts(scan.whole)
    )


DIFFERENCES = (
    Difference(
        "reads files for whole numbers or times between two neighbours, which there are none",
        frozenset({Kind.FEWER}),
        _asks_between_neighbours,
        "l > -0.5 AND l NOT IN (-21, 0) AND l < 7",
        "month_tsn",
    ),
    Difference(
        "judges conditions that it does not push by the values of identity partitions"
        " (IcebergSplitSource.partitionMatchesConstraint)",
        frozenset({Kind.MORE}),
        _keeps_identity,
        "upper(s) = 'AB'",
        "identity_s",
    ),
    Difference(
        "unwraps functions of dates and times where they are outside of something",
        _LESS,
        _written(_UNWRAPPED),
        "year(dt) NOT IN (2022, 2024)",
    ),
    Difference(
        "computes with dates before the year 1 and after 9999",
        _LESS,
        _written(
            rf"{_function(_TIMES)} (?:IS (?:NOT )?DISTINCT FROM|BETWEEN DATE '\S+' AND|\S+)"
            r" (?:\(\d+, |\()?(?:9999\b|DATE '(?:9999|0001-01-01))"
        ),
        "year(dt) = 9999",
    ),
    Difference(
        "rounds literals of times of day that are no whole microseconds",
        _LESS,
        _written(r"TIME '\d\d:\d\d:\d\d\.\d{7}"),
        "t = TIME '12:00:00.1234567'",
    ),
    Difference(
        "judges the bounds of files by more ranges than it plans manifests by"
        " (ICEBERG_DOMAIN_COMPACTION_THRESHOLD)",
        frozenset({Kind.MORE}),
        _excludes_many,
        f"l NOT IN ({', '.join(str(7 * number) for number in range(-3, MAX_RANGES))})",
        "v3",
    ),
    Difference(
        "undoes casts of a number that is cast",
        _LESS,
        _written(r"CAST\(CAST\((?:n|i|l|f|d|dec) AS"),
        "CAST(CAST(i AS bigint) AS double) = 5e0",
    ),
    Difference(
        "knows which ranges of UUIDs are empty, or everything (here, they have no order)",
        _LESS,
        _compares_uuids_twice,
        "u = UUID '0f8fad5b-d9cb-469f-a165-70867728950e'"
        " AND u = UUID '00000000-0000-0000-0000-000000000000'",
    ),
    Difference(
        "leaves the arm of an OR out that asks for NaN, which nothing equals",
        frozenset({Kind.CLASS}),
        _written(r"nan\(\)"),
        "t >= TIME '23:59:59.999999' OR d = nan()",
    ),
    Difference(
        "sees what an OR of comparisons of a floating-point column lets through (here, NaN may be)",
        _LESS,
        _has_floating_alternatives,
        "NOT (DOUBLE '-1e+300' <> d AND d = DOUBLE '-1e+300')",
    ),
    Difference(
        "pushes several ranges of a nested field, if there is no other condition",
        _LESS,
        _has_several_ranges,
        "st.x NOT IN (1, 2, 3)",
    ),
)
