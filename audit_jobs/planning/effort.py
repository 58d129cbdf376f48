"""Estimates of the seconds that work of the passes takes one process, part by part, before the work
begins: rather too many than too few, and infinite if nothing is known.

The estimates depend on the metadata to fetch or decode, and on the number of pairs of a scan and a
container to judge. They bound memory as well: every container and scan costs time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import inf

from prunescope.audit_jobs.planning.items import Item
from prunescope.audit_jobs.planning.work import Listed, TableContext
from prunescope.collectors.tables.manifests import is_kept
from prunescope.collectors.tables.metadata import Snapshot
from prunescope.collectors.tables.properties import count_of

FILES_UNKNOWN = 1_000
"""The files of a manifest whose list counts none."""

_REQUEST = 50e-3
"""The seconds of a request to a store that is far away."""
_LISTED_FILE = 5e-6
"""A manifest in a list takes three times as long, and few have less than three files."""
_KEPT, _KEPT_FILE = 0.3e-3, 1.5e-6
"""Taking a manifest from the cache, and each file in it."""
DECODED_FILE = 25e-6
_FOOTER = 10e-3
"""Requests for a footer, and for what else is looked at in a file: many are on their way."""
_SCAN = 30e-6
"""To have one here, and to take it apart."""
_JUDGED_FILE, _JUDGED_FOOTER = 3e-9, 100e-9
"""The seconds to judge a file, and a footer, for one scan."""

Contexts = Mapping[str, Mapping[int, TableContext]]
"""The contexts of each table, by schema id."""


def of_lists(contexts: Contexts) -> Iterator[float]:
    """Seconds to read each manifest list of all snapshots, infinite for a snapshot whose summary
    lacks numbers of files: only summaries tell the sizes of lists in advance."""
    snapshots = {
        (table, id_): snapshot
        for table, of_table in contexts.items()
        for context in of_table.values()
        for id_, snapshot in context.snapshots.items()
    }
    return map(_of_list, snapshots.values())


def _of_list(snapshot: Snapshot) -> float:
    names = "total-data-files", "total-delete-files"
    counts = [count_of(snapshot.summary, name) for name in names]
    return inf if None in counts else _REQUEST + _LISTED_FILE * sum(filter(None, counts))


def of_manifests(
    contexts: Contexts, listed: Iterable[Item] | None, scans: Mapping[str, int]
) -> Iterator[float]:
    """Seconds to read manifests (items of Listed), and to judge their files for the given numbers
    of distinct scans by table. `listed` is None if the items are not in this process, and unbounded
    in number."""
    if listed is None:
        yield inf
        return
    yield _SCAN * sum(scans.values())
    storages = {name: next(iter(found.values())).storage for name, found in contexts.items()}
    for item in listed:
        found: Listed = item.payload
        live = found.manifest.live_files
        files = FILES_UNKNOWN if live is None else live
        yield files * _JUDGED_FILE * scans[item.table]
        if is_kept(found.manifest, storages[item.table]):
            yield _KEPT + files * _KEPT_FILE
        else:
            yield _REQUEST + files * DECODED_FILE


def of_footers(footers: Iterable[tuple[str, int]], scans: Mapping[str, int]) -> Iterator[float]:
    """Seconds to read footers, in numbers by table, and to judge their row groups for the given
    numbers of scans."""
    yield _SCAN * sum(scans.values())
    for table, count in footers:
        yield count * (_FOOTER + _JUDGED_FOOTER * scans[table])
