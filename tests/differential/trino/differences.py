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

from collectors.predicates.model import BoundComparison, Or, conjuncts
from tests.differential.trino.comparison import Compared


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
    """A known difference, by what Trino does and the product does not, and the scans in which it
    can show."""

    name: str
    kinds: frozenset[Kind]
    explains: Callable[[Compared], bool]


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


def _reads_identity(scan: Compared) -> bool:
    """Whether the condition reads an identity partition field, and has a part that is not
    pushed."""
    return any(
        re.search(rf"(?<![\w.'\"]){re.escape(name)}\b", scan.condition.sql)
        for name in scan.identities
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
        _written(
            r"\b[fd]\b.*(?<![\d.])-?0(?:\.0)?(?:e0)?\b|(?<![\d.])-?0(?:\.0)?(?:e0)?\b.*\b[fd]\b"
        ),
    ),
    Difference(
        "reads files for whole numbers between two neighbours, which there are none",
        frozenset({Kind.FEWER}),
        _asks_between_neighbours,
    ),
    Difference(
        "judges conditions that it does not push by the values of identity partitions"
        " (IcebergSplitSource.partitionMatchesConstraint)",
        frozenset({Kind.MORE}),
        _reads_identity,
    ),
    Difference(
        "unwraps lists and BETWEEN of functions of dates and times, and IS DISTINCT FROM, for some"
        " types of columns",
        _LESS,
        _written(rf"{_FUNCTION} (?:NOT )?(?:IN|BETWEEN|IS DISTINCT)\b|NOT \(.*{_FUNCTION} IS NOT"),
    ),
    Difference(
        "computes these constants",
        _LESS,
        _written(
            r"nan\(\)|infinity\(\)|\(1 = 1\)|INTERVAL '1' (?:MONTH|YEAR)|AS char\(|(?:upp|low)er\('"
            r"|\(SELECT"
        ),
    ),
    Difference(
        "computes with dates before the year 1 and after 9999",
        _LESS,
        _written(r"\b9999\b|0001-01-01"),
    ),
    Difference(
        "rounds literals of times of day that are no whole microseconds",
        _LESS,
        _written(r"TIME '\d\d:\d\d:\d\d\.\d{7}"),
    ),
    Difference(
        "looks through casts of a column that lose nothing (UnwrapCastInComparison)",
        _LESS,
        _written(r"CAST\((?:dt|i|l|f|dec|tsn) AS (?:timestamp|bigint|double|decimal)"),
    ),
    Difference(
        "rounds numbers to those that a REAL can hold",
        _LESS,
        _written(r"\bf (?:=|<>|<=?|>=?|IS (?:NOT )?DISTINCT FROM) \d"),
    ),
    Difference(
        "looks through the cast of a decimal that is not equal to an approximate number",
        _LESS,
        _written(r"\bdec .*\de\d"),
    ),
    Difference(
        "knows which ranges of UUIDs are empty, or everything (here, they have no order)",
        _LESS,
        _written(r"\bu\b"),
    ),
    Difference(
        "plans an OR of ANDs as an AND of ORs, or sees that an arm never holds, or that one always"
        " does",
        _LESS,
        _has_alternatives,
    ),
    Difference(
        "pushes several ranges of a nested field, if there is no other condition",
        _LESS,
        _written(r"\bst\.[xy]\b"),
    ),
)
