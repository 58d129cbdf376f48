"""Where statements that join tables differ, and audits of IO plans, beside the differences of
single scans; each as a rule that says which scans it explains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.differential.trino import differences
from tests.differential.trino.differences import Kind, kinds
from tests.differential.trino.judging import Ran


@dataclass(frozen=True)
class Difference:
    """A known difference, by what Trino does and the product does not, and the scans (of a table by
    a statement) in which it can show."""

    name: str
    explains: Callable[[Ran, str], bool]


def _others_find_nothing(one: Ran, table: str) -> bool:
    """Whether no row of a table that it is joined with can match, as the product tells as well."""
    others = (found for name, found in one.compared.items() if name != table)
    return not one.scans and any(found.pushed is None for found in others)


def is_inferred(one: Ran, table: str) -> bool:
    """Whether the domains differ in the column of the join alone, and the other table has one."""
    others = (found for name, found in one.compared.items() if name != table)
    return set(one.compared[table].domains) == {"n"} and any(
        "n" in (found.their_domains or {}) for found in others
    )


def _is_not_printed(one: Ran, table: str) -> bool:
    found = one.compared[table]
    return any(
        "." in name or found.types[name] in ("binary", "float")
        for name in found.their_domains or {}
    )


JOINS = (
    Difference("reads nothing for a join with what is empty", _others_find_nothing),
    Difference("infers conditions across the equalities of a join", is_inferred),
)
"""Of what is pushed: of a table alone the product keeps more than Trino does of the statement."""

IO_PLANS = (
    Difference(
        "names nested fields without those around them, and prints no varbinary and real exactly"
        " (IoPlanPrinter)",
        _is_not_printed,
    ),
)
"""Of audits of IO plans, which keep more than Trino."""


def unknown(one: Ran, table: str) -> list[Kind]:
    """How the scan of a table differs without a rule that says why."""
    scan = one.compared[table]
    return [
        kind
        for kind in kinds(scan)
        if not differences.explanations(scan, kind) and not joins(one, table, kind)
    ]


def joins(one: Ran, table: str, kind: Kind) -> list[Difference]:
    """Which differences of joins can make a scan differ in this way."""
    if kind not in (Kind.MORE, Kind.PUSHED):
        return []
    return [known for known in JOINS if known.explains(one, table)]
