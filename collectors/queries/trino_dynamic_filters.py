"""Dynamic filters of a Trino query: domains of join keys that it collected while it ran.

An event tells of each only an id (`statistics.dynamicFilterDomainStatistics[]`); the text plan
(`metadata.plan`) tells which column of which scan an id filters:

    ScanFilter[table = iceberg:sales.orders$data@77, dynamicFilters = {customer_id = #df_370}]
"""

from __future__ import annotations

import re

from collectors.predicates.model import Predicate, Reason, Unsupported
from collectors.queries.json_input import text

_SCAN = re.compile(
    r"\[table = (?P<catalog>[^:\s]+):(?P<schema>[^.\s]+)\.(?P<table>[^\s$@,]+)(?:\$data)?(?:@\d+)?"
    r"(?:[^\n]*?)dynamicFilters = \{(?P<filters>[^}\n]*)\}"
)
_FILTER = re.compile(r"\"?(?P<column>[^\s\"={},:]+)\"?(?:::\[?\w+\]?)?\s*=\s*#(?P<id>df_\d+)")
# Symbols of the plan are column names, with a number where there are several of one name.
_NUMBERED = re.compile(r"_\d+$")
_RANGES = re.compile(r"ranges=(\d{1,9})")

Key = tuple[str, str, str]
"""Catalog, schema and table, in lower case."""


def read_dynamic_filters(event: dict[str, object]) -> dict[Key, tuple[Predicate, ...]]:
    """Per table, a leaf for each of its columns that was filtered while the query ran: what is
    shown of a domain is its number of ranges. Filters whose column cannot be told are left
    out."""
    metadata, statistics = event.get("metadata"), event.get("statistics")
    if not isinstance(metadata, dict) or not isinstance(statistics, dict):
        return {}
    plan = text(metadata.get("plan"))
    domains = _domains(statistics.get("dynamicFilterDomainStatistics"))
    if plan is None or not domains:
        return {}
    found: dict[Key, dict[Predicate, None]] = {}
    for scan in _SCAN.finditer(plan):
        key = (scan["catalog"].lower(), scan["schema"].lower(), scan["table"].lower())
        for filter_ in _FILTER.finditer(scan["filters"]):
            if filter_["id"] in domains:
                column = _NUMBERED.sub("", filter_["column"])
                leaf = _leaf(column, domains[filter_["id"]])
                found.setdefault(key, {})[leaf] = None
    return {key: tuple(leaves) for key, leaves in found.items()}


def _domains(statistics: object) -> dict[str, int | None]:
    """The number of ranges of each domain that was collected, by the filter's id."""
    found = {}
    for entry in statistics if isinstance(statistics, list) else ():
        if isinstance(entry, dict):
            name, domain = text(entry.get("dynamicFilterId")), text(entry.get("simplifiedDomain"))
            if name is not None and domain is not None and domain.strip() not in ("ALL", "[ALL]"):
                ranges = _RANGES.search(domain)
                found[name] = None if ranges is None else int(ranges[1])
    return found


def _leaf(column: str, ranges: int | None) -> Predicate:
    size = "" if ranges is None else f" ({ranges} ranges)"
    shown = f"{column} IN dynamic filter{size}"
    return Unsupported(Reason.RUNTIME, shown, shown, (column,))
