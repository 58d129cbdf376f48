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

from audit_jobs.pruning.conjunct_classes import ENFORCED
from collectors.predicates.model import FALSE, BoundComparison, Or, conjuncts
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


_LESS = frozenset({Kind.MORE, Kind.PUSHED, Kind.CLASS})

# A function of a date or time, as the generator writes it, up to its last parenthesis.
_FUNCTION = r"(?:CAST\(\w+ AS date\)|date\(\w+\)|date_trunc\([^)]*\)|year\(\w+\)|extract\([^)]*\))"


def _written(pattern: str) -> Callable[[Compared], bool]:
    found = re.compile(pattern)
    return lambda scan: found.search(scan.condition.sql) is not None


def _compares_zero(scan: Compared) -> bool:
    """Whether a floating-point column is compared with zero."""
    return any(
        leaf.field.type in ("float", "double") and 0 in leaf.values for leaf in leaves(scan.whole)
    )


def _keeps_identity(scan: Compared) -> bool:
    """Whether a part of the condition that is not all pushed reads an identity partition field, or
    the whole is known to be false, of which Trino keeps some to itself."""
    return scan.whole == FALSE or any(
        said["class"] != ENFORCED and not columns(part).isdisjoint(scan.identities)
        for part, said in zip(conjuncts(scan.whole), scan.answer["conjuncts"], strict=True)
    )


def _asks_between_neighbours(scan: Compared) -> bool:
    """Whether Trino's connector took a range of whole numbers that holds none."""
    if scan.theirs is None:
        return False
    taken = (*(scan.theirs.enforced or {}).values(), *(scan.theirs.unenforced or {}).values())
    return any(
        domain["type"] in ("integer", "bigint")
        and None not in (low, high)
        and not (low_in or high_in)
        and high - low == 1
        for domain in taken
        for low, low_in, high, high_in in domain["ranges"]
    )


def _has_alternatives(scan: Compared) -> bool:
    return any(isinstance(part, Or) and _is_mixed(part) for part in conjuncts(scan.whole))


def _is_mixed(part: Or) -> bool:
    """Whether an OR is more than one of comparisons of one column with an order."""
    leaves = [child for child in part.children if isinstance(child, BoundComparison)]
    fields = {leaf.field for leaf in leaves}
    is_plain = len(leaves) == len(part.children) and len(fields) == 1
    return not is_plain or any(field.type in ("uuid", "float", "double") for field in fields)


DIFFERENCES = (
    Difference(
        "sorts -0.0 before 0.0 (table spec, bounds; for SQL they are equal)",
        frozenset({Kind.MORE, Kind.FEWER}),
        _compares_zero,
        "d < 0e0",
    ),
    Difference(
        "reads files for whole numbers between two neighbours, which there are none",
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
        "unwraps lists and BETWEEN of functions of dates and times, and IS DISTINCT FROM, for some"
        " types of columns",
        _LESS,
        _written(rf"{_FUNCTION} (?:NOT )?(?:IN|BETWEEN|IS DISTINCT)\b|NOT \(.*{_FUNCTION} IS NOT"),
        "year(ts) BETWEEN 2023 AND 2024",
    ),
    Difference(
        "computes these constants",
        _LESS,
        _written(
            r"nan\(\)|infinity\(\)|\(1 = 1\)|INTERVAL '1' (?:MONTH|YEAR)|AS char\(|(?:upp|low)er\('"
            r"|\(SELECT"
        ),
        "s = upper('ab')",
    ),
    Difference(
        "computes with dates before the year 1 and after 9999",
        _LESS,
        _written(
            rf"{_FUNCTION} (?:IS (?:NOT )?DISTINCT FROM|\S+) (?:9999\b|DATE '(?:9999|0001-01-01))"
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
        "looks through casts of a column that lose nothing (UnwrapCastInComparison)",
        _LESS,
        _written(r"CAST\((?:dt|i|l|f|dec|tsn) AS (?:timestamp|bigint|double|decimal)"),
        "CAST(i AS bigint) = 5",
    ),
    Difference(
        "rounds numbers to those that a REAL can hold",
        _LESS,
        _written(r"\bf (?:=|<>|<=?|>=?|IS (?:NOT )?DISTINCT FROM) \d"),
        "f > 0.1",
    ),
    Difference(
        "looks through the cast of a decimal that is not equal to an approximate number",
        _LESS,
        _written(r"\bdec (?:IS DISTINCT FROM|\S+) \S*\de\d"),
        "dec <> 0.01e0",
    ),
    Difference(
        "knows which ranges of UUIDs are empty, or everything (here, they have no order)",
        _LESS,
        _written(r"\bu\b"),
        "u = UUID '0f8fad5b-d9cb-469f-a165-70867728950e'"
        " AND u = UUID '00000000-0000-0000-0000-000000000000'",
    ),
    Difference(
        "plans an OR of ANDs as an AND of ORs, or sees that an arm never holds, or that one always"
        " does",
        _LESS,
        _has_alternatives,
        "NOT (DOUBLE '-1e+300' <> d AND d = DOUBLE '-1e+300')",
    ),
    Difference(
        "sees that a period is none beside an OR (here, it may be of a column with a time zone)",
        _LESS,
        _written(r"date_trunc\([^)]*\) = .* OR "),
        "date_trunc('month', dt) = DATE '2024-02-15' OR i = 5",
    ),
    Difference(
        "pushes several ranges of a nested field, if there is no other condition",
        _LESS,
        _written(r"\bst\.[xy]\b"),
        "st.x > 5 OR st.x < 1",
    ),
)
