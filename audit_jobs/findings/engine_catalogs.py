"""Names that engines have for a table's catalog, from its scans in a log."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from prunescope.collectors.sql.planners.profiles import planner_of


def engine_catalogs(
    scans: Iterable[tuple[str | None, Mapping[str, int]]],
) -> tuple[tuple[str, str], ...]:
    """Pairs of engine and the catalog name that most of its scans use; the alphabetically first on
    a tie. `scans` has (engine, number of scans by catalog name)."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for engine, named in scans:
        planner = planner_of(engine, None)
        if planner is not None:
            found[planner.engine].update(named)
    return tuple(
        (engine, min(named, key=lambda name: (-named[name], name)))
        for engine, named in sorted(found.items())
        if named
    )
