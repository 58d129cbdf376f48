"""Dynamic filters of a Trino query: domains of join keys that it collected while it ran.

An event tells of each only an id and a domain (`statistics.dynamicFilterDomainStatistics[]`, SPI
of Trino 482). The text plan (`metadata.plan`) tells which column of which scan an id filters
(PlanPrinter; IcebergColumnHandle prints `id:name:type`, without the fields around it):

    ScanFilter[table = iceberg:sales.orders$data@77, dynamicFilters = {customer_4 = #df_370}]
        customer_4 := 2:customer:bigint
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from prunescope.collectors.observed import ObservedScan
from prunescope.collectors.predicates.model import Predicate, Reason, Unsupported
from prunescope.collectors.queries.json_input import text
from prunescope.collectors.queries.trino.domains import said_of

_TABLE = "[table = "
_FILTERS = "dynamicFilters = {"
# Any node of the plan, with the lines that join it to its parent.
_NODE = re.compile(r"[\s│├└─]*(?:Fragment \d|[A-Z]\w*\[)")
# Old versions print symbols in quotes.
_FILTER = re.compile(r"\"*(?P<symbol>[^\s\"]+)\"* = #(?P<id>\w+)")
_COLUMN = re.compile(r"[\s│]*+(?P<symbol>\S+) := -?\d+:(?P<name>.+):[^:]+")
_RANGES = re.compile(r"\branges=(\d{1,9})\b")
# The symbol of a column is its name in lower case, in which the last number can be another.
_NUMBER = re.compile(r"_\d*$")


def with_dynamic_filters(
    scans: Sequence[ObservedScan], event: Mapping[str, object]
) -> tuple[ObservedScan, ...]:
    """The scans, each with a `runtime` leaf for every column that a collected dynamic filter
    restricts, and with what it says of the column (`collected`) where that can be read. A leaf
    tells how many ranges the domain has, never a value.

    Whatever cannot be linked for certain is left out: filters of expressions and of nested
    fields, and those that not every scan of a table has.
    """
    metadata, statistics = event.get("metadata"), event.get("statistics")
    if not isinstance(metadata, dict) or not isinstance(statistics, dict):
        return tuple(scans)
    plan = text(metadata.get("plan"))
    domains = _collected(statistics.get("dynamicFilterDomainStatistics"))
    if plan is None or not domains:
        return tuple(scans)
    filtered = _filtered_columns(plan, {_printed(scan) for scan in scans})
    found = {table: _found(of_table, domains) for table, of_table in filtered.items()}
    return tuple(_with_filters(scan, found.get(_printed(scan), _NOTHING)) for scan in scans)


def _printed(scan: ObservedScan) -> str:
    """The table as a plan prints it, in lower case."""
    return f"{scan.table.catalog}:{'.'.join((*scan.table.namespace, scan.table.table))}".lower()


def _collected(statistics: object) -> dict[str, str]:
    """Each domain that restricts anything, by the filter's id."""
    found: dict[str, str] = {}
    for entry in statistics if isinstance(statistics, list) else ():
        if isinstance(entry, dict):
            name, domain = text(entry.get("dynamicFilterId")), text(entry.get("simplifiedDomain"))
            if name is not None and domain is not None and domain.strip("[] ") != "ALL":
                found[name] = domain
    return found


def _filtered_columns(plan: str, tables: set[str]) -> dict[str, set[tuple[str, str]]]:
    """Per table, the (column, id of a dynamic filter) that all of its scans have."""
    found: dict[str, set[tuple[str, str]]] = {}
    lines = plan.splitlines()
    starts = [number for number, line in enumerate(lines) if _NODE.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        table = _scanned_table(lines[start], tables)
        if table is not None:
            columns = _columns(lines[start + 1 : end])
            filters = _filters(lines[start])
            linked = {(columns[symbol], name) for symbol, name in filters if symbol in columns}
            found[table] = found[table] & linked if table in found else linked
    return found


def _scanned_table(node: str, tables: set[str]) -> str | None:
    table = re.split(r"[\s$@,\]]", node.partition(_TABLE)[2].lower(), maxsplit=1)[0]
    return table if table in tables else None


def _filters(node: str) -> list[tuple[str, str]]:
    # They stand last in a node, so that no literal of its filter can be taken for them.
    listed = node.rpartition(_FILTERS)[2].partition("}")[0].split(", ")
    matches = (_FILTER.fullmatch(entry) for entry in listed)
    return [(match["symbol"], match["id"]) for match in matches if match is not None]


def _columns(assignments: Sequence[str]) -> dict[str, str]:
    """The column of each symbol that stands for a whole column."""
    found = {}
    for line in assignments:
        match = _COLUMN.fullmatch(line.rstrip())
        if match is not None and _stem(match["symbol"].strip('"')) == _stem(match["name"].lower()):
            found[match["symbol"].strip('"')] = match["name"]
    return found


def _stem(name: str) -> str:
    return _NUMBER.sub("", name)


class _Found(NamedTuple):
    """The runtime leaves and collected predicates of a table, the same for all of its scans."""

    runtime: tuple[Predicate, ...]
    collected: tuple[Predicate, ...]


_NOTHING = _Found((), ())


def _found(filtered: set[tuple[str, str]], domains: Mapping[str, str]) -> _Found:
    linked = [(column, domains[name]) for column, name in sorted(filtered) if name in domains]
    said = (said_of(column, domain) for column, domain in linked)
    return _Found(
        tuple(_leaf(column, domain) for column, domain in linked),
        tuple(predicate for predicate in said if predicate is not None),
    )


def _with_filters(scan: ObservedScan, found: _Found) -> ObservedScan:
    return replace(scan, runtime=found.runtime, collected=found.collected)


def _leaf(column: str, domain: str) -> Predicate:
    ranges = _RANGES.search(domain)
    size = "" if ranges is None else f" ({ranges[1]} range{'' if int(ranges[1]) == 1 else 's'})"
    shown = f"{column} IN dynamic filter{size}"
    return Unsupported(Reason.RUNTIME, shown, shown, (column,))
