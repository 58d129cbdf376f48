"""Publishing a run to the audit tables, so that a reader sees all of it or nothing."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError, ValidationException
from pyiceberg.schema import Schema
from pyiceberg.table import TableProperties

from audit_jobs.errors import PublishFailed, WindowTaken
from audit_jobs.results.arrow import to_arrow
from audit_jobs.results.result import AuditResult
from audit_jobs.results.schemas import (
    AUDIT_RUNS,
    CONJUNCTS,
    SCAN_PLANS,
    AuditTable,
    day_of_window,
)
from audit_jobs.results.table_rows import TABLE_ROWS, run_row
from audit_jobs.sinks.claims import Claim, look

if TYPE_CHECKING:
    from pyiceberg.table import Table

_ATTEMPTS = 20
_LONGEST_WAIT = 0.2
_ORDER = ("catalog", "namespace", "table", "fingerprint", "scan_key")
"""In which rows of scan_plans are written."""


def publish(
    result: AuditResult, catalog: Catalog, namespace: str, *, replace_overlapping: bool = False
) -> None:
    """Writes a run to the audit tables; raises PublishFailed, and WindowTaken where another run
    claims its window meanwhile.

    In each table the run replaces all rows whose window lies within its own, or, on demand,
    overlaps it, in one commit; other windows stay. `audit_runs` comes last: a run is visible only
    through its row there, and readers of the other tables join on `run_id`. Earlier runs of the
    window are withdrawn from `audit_runs` before their rows are replaced, so that at any moment
    each visible run is complete. What a killed run leaves is never visible; the next run of its
    window replaces it.

    Tables and namespace are created where they are missing, and columns that an existing table
    lacks are added. Other runs may publish at the same time: conflicting commits are repeated, and
    of runs whose rows replace each other the last to begin is published: see `claims`.
    """
    for _ in publishing(result, catalog, namespace, replace_overlapping=replace_overlapping):
        pass


def publishing(
    result: AuditResult, catalog: Catalog, namespace: str, *, replace_overlapping: bool = False
) -> Iterator[None]:
    """`publish`, step by step: yields before each commit."""
    claim = Claim(result.run.run_id, result.run.window, replace_overlapping)
    nothing = to_arrow((), AUDIT_RUNS)
    yield from _writing(catalog, namespace, AUDIT_RUNS, claim, nothing, begins=True)
    for audit_table, data in rows_by_table(result):
        yield from _writing(catalog, namespace, audit_table, claim, data)
    last = to_arrow([run_row(result)], AUDIT_RUNS)
    yield from _writing(catalog, namespace, AUDIT_RUNS, claim, last)


def rows_by_table(result: AuditResult) -> Iterator[tuple[AuditTable, pa.Table]]:
    """The rows of each audit table but `audit_runs`, in the order in which they are written: those
    of scans by table and fingerprint, so that files and row groups of others can be skipped."""
    none = [to_arrow((), SCAN_PLANS)]
    plans = pa.concat_tables(none + [part.scan_plans for part in result.rows])
    plans = plans.sort_by([(name, "ascending") for name in _ORDER])
    yield SCAN_PLANS, plans
    none = [to_arrow((), CONJUNCTS)]
    conjuncts = pa.concat_tables(none + [part.conjuncts for part in result.rows])
    scans = pc.index_in(conjuncts["scan_key"], plans["scan_key"].combine_chunks())
    keys = pa.table({"scan": scans, "position": conjuncts["position"]})
    order = pc.sort_indices(keys, [("scan", "ascending"), ("position", "ascending")])
    yield CONJUNCTS, conjuncts.take(order)
    for audit_table, rows_of in TABLE_ROWS:
        yield audit_table, to_arrow(rows_of(result), audit_table)


def mark_failed(result: AuditResult, catalog: Catalog, namespace: str) -> None:
    """Writes a row of status `failed` to `audit_runs`, in place of earlier ones of the window;
    what an earlier run published stays. Raises PublishFailed."""
    stale = f"{Claim(result.run.run_id, result.run.window).stale} and status = 'failed'"
    data = to_arrow([{**run_row(result), "status": "failed", "scans": 0}], AUDIT_RUNS)
    for _ in _committing(catalog, namespace, AUDIT_RUNS, lambda t: _replace(t, stale, data, {})):
        pass


def _writing(
    catalog: Catalog,
    namespace: str,
    audit_table: AuditTable,
    claim: Claim,
    data: pa.Table,
    *,
    begins: bool = False,
) -> Iterator[None]:
    """Replaces the rows that a claim replaces, in one commit, as long as the claim stands."""
    # A claim is a snapshot of its own, though it may change nothing.
    of_runs = audit_table is AUDIT_RUNS

    def check(table: Table) -> None:
        if not begins:
            look(table if of_runs else _open(catalog, namespace, AUDIT_RUNS), claim)

    def commit(table: Table) -> None:
        _replace(table, claim.stale, data, claim.summary, always=of_runs)

    yield from _committing(catalog, namespace, audit_table, commit, check)


def _committing(
    catalog: Catalog,
    namespace: str,
    audit_table: AuditTable,
    commit: Callable[[Table], None],
    check: Callable[[Table], None] = lambda _: None,
) -> Iterator[None]:
    """Loads a table, checks and commits, and does so again where others have committed to it
    meanwhile. Yields before each commit."""
    name = f"{namespace}.{audit_table.name}"
    conflict: Exception | None = None
    try:
        for attempt in range(_ATTEMPTS):
            table = _open(catalog, namespace, audit_table)
            check(table)
            yield
            try:
                commit(table)
            except (CommitFailedException, ValidationException) as error:
                conflict = error
                time.sleep(_LONGEST_WAIT * random.random() * attempt / _ATTEMPTS)  # noqa: S311
            else:
                return
    except WindowTaken:
        raise
    except Exception as error:
        raise PublishFailed(
            f"audit table {name} in catalog {catalog.name!r} cannot be written "
            f"({type(error).__name__}); check permissions and storage, then run the window again"
        ) from error
    raise PublishFailed(
        f"audit table {name} in catalog {catalog.name!r} was changed by others during each of "
        f"{_ATTEMPTS} attempts to commit; run the window again"
    ) from conflict


def _open(catalog: Catalog, namespace: str, audit_table: AuditTable) -> Table:
    """The table as it is now, with at least our columns."""
    wanted = audit_table.schema()
    identifier = (*namespace.split("."), audit_table.name)
    try:
        table = catalog.load_table(identifier)
    except NoSuchTableError:
        catalog.create_namespace_if_not_exists(identifier[:-1])
        table = catalog.create_table_if_not_exists(
            identifier,
            wanted,
            partition_spec=day_of_window(wanted),
            properties={"format-version": "2", "comment": audit_table.comment},
        )
    present = set(table.schema().column_names)
    missing = [field for field in wanted.fields if field.name not in present]
    if missing:
        with table.update_schema() as update:
            update.union_by_name(Schema(*missing))
    return table


def _replace(
    table: Table, stale: str, data: pa.Table, summary: dict[str, str], *, always: bool = False
) -> None:
    # PyIceberg would repeat a commit itself, on whatever others have written, without a check.
    once = {**table.metadata.properties, TableProperties.COMMIT_NUM_RETRIES: "0"}
    table.metadata = table.metadata.model_copy(update={"properties": once})
    with warnings.catch_warnings(), table.transaction() as transaction:
        # PyIceberg warns where there is nothing to delete: the usual case here.
        warnings.filterwarnings("ignore", "Delete operation did not match any records")
        transaction.delete(stale, snapshot_properties=summary)
        if data.num_rows or always:
            transaction.append(data, snapshot_properties=summary)
