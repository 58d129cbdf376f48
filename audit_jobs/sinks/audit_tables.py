"""Publishing a run to the audit tables, so that a reader sees all of it or nothing."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError, ValidationException
from pyiceberg.expressions import BooleanExpression
from pyiceberg.manifest import DataFile
from pyiceberg.schema import Schema
from pyiceberg.table import TableProperties, Transaction

from prunescope.audit_jobs.errors import PublishFailed, WindowTaken
from prunescope.audit_jobs.printing import tell
from prunescope.audit_jobs.results.arrow import to_arrow
from prunescope.audit_jobs.results.audit_table import AuditTable, day_of_window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS
from prunescope.audit_jobs.results.table_rows import TABLE_ROWS, run_row
from prunescope.audit_jobs.sinks.claims import Claim, look
from prunescope.audit_jobs.sinks.data_files import Target, write_scans
from prunescope.audit_jobs.sinks.fit import require_fit, require_same
from prunescope.audit_jobs.sinks.transactions import CommittedOnce
from prunescope.audit_jobs.status import Status
from prunescope.collectors.storage.unreadable import why_storage_failed
from prunescope.collectors.tables.catalog_errors import why_catalog_failed

if TYPE_CHECKING:
    from pyiceberg.table import Table

_Done = TypeVar("_Done")

_PROPERTIES = {
    "format-version": "2",
    # Each commit makes a file of metadata: without this, all but the last hundred are nobody's.
    TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED: "true",
}
"""Properties of an audit table when it is created."""
_ATTEMPTS = 20
LONGEST_WAIT = 0.2
"""Seconds before the last attempt."""


def publish(
    result: AuditResult, catalog: Catalog, namespace: str, *, replace_overlapping: bool = False
) -> None:
    """Writes a run to the audit tables; raises PublishFailed, and WindowTaken where another run
    claims its window meanwhile.

    The run replaces all runs whose windows lie within its own, or, on demand, overlap it; other
    windows stay. Its data files are written first, and its rows are appended beside earlier ones:
    a run is visible only through its row in `audit_runs`, and readers of the other tables join on
    `run_id`. One commit of `audit_runs` takes the earlier runs out and this one in, so that at any
    moment a window that was published has one whole run. Only then are rows deleted that nobody
    counts any more: of the runs replaced, and what killed ones have left.

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
    # What cannot be written is known before anything is committed.
    runs = _target(catalog, namespace, AUDIT_RUNS)
    found = list(files_by_table(result, catalog, namespace))
    with _blamed(catalog, namespace, AUDIT_RUNS):
        row = runs.written(to_arrow([run_row(result)], AUDIT_RUNS))
    yield from _claiming(catalog, namespace, claim)
    stale = []
    for audit_table, target, files in found:
        if (yield from _appending(catalog, namespace, audit_table, claim, target, files)):
            stale.append(audit_table)
    yield from _showing(catalog, namespace, claim, runs, row)
    for audit_table in stale:
        yield from _cleaning(catalog, namespace, audit_table, claim)


def files_by_table(
    result: AuditResult, catalog: Catalog, namespace: str
) -> Iterator[tuple[AuditTable, Target, Sequence[DataFile]]]:
    """The data files of each audit table but `audit_runs`, and the target for which they were
    written, in the order in which they are committed."""
    of_scans = (SCAN_PLANS, CONJUNCTS)
    targets = {table.name: _target(catalog, namespace, table) for table in of_scans}
    with _blamed(catalog, namespace, SCAN_PLANS):
        found = result.rows.each(partial(write_scans, targets=targets))
    for audit_table in of_scans:
        files = [file for name, file in found if name == audit_table.name]
        yield audit_table, targets[audit_table.name], files
    for audit_table, rows_of in TABLE_ROWS:
        target = _target(catalog, namespace, audit_table)
        with _blamed(catalog, namespace, audit_table):
            files = target.written(to_arrow(rows_of(result), audit_table))
        yield audit_table, target, files


def _target(catalog: Catalog, namespace: str, audit_table: AuditTable) -> Target:
    with _blamed(catalog, namespace, audit_table):
        return Target.of(_open(catalog, namespace, audit_table))


def mark_failed(result: AuditResult, catalog: Catalog, namespace: str) -> None:
    """Writes a row of status `failed` to `audit_runs`, in place of earlier ones of the window; the
    rows that an earlier run published stay. Raises PublishFailed."""
    stale = f"{Claim(result.run.run_id, result.run.window).stale} and status = '{Status.FAILED}'"
    row = {**run_row(result), "status": Status.FAILED, "scans": 0}
    target = _target(catalog, namespace, AUDIT_RUNS)
    with _blamed(catalog, namespace, AUDIT_RUNS):
        files = target.written(to_arrow([row], AUDIT_RUNS))
    for _ in _committing(
        catalog, namespace, AUDIT_RUNS, lambda runs: _replace(runs, stale, files, {}), target
    ):
        pass


def _claiming(catalog: Catalog, namespace: str, claim: Claim) -> Iterator[None]:
    """Commits a claim: a snapshot of its own, though it changes nothing."""
    yield from _committing(
        catalog, namespace, AUDIT_RUNS, lambda runs: _append(runs, (), claim.summary)
    )


def _appending(
    catalog: Catalog,
    namespace: str,
    audit_table: AuditTable,
    claim: Claim,
    target: Target,
    files: Sequence[DataFile],
) -> Generator[None, None, bool]:
    """Adds a run's files, as long as its claim stands; whether there may be rows that it replaces.

    Whoever claimed the window before has added its files by then, or adds none: it loses."""

    def commit(table: Table) -> bool:
        is_stale = any(True for _ in table.scan(claim.stale).plan_files())
        if is_stale:
            # Of its own there are some where it is published again.
            _replace(table, claim.stale_of_its_own, files, claim.summary)
        elif files:
            _append(table, files, claim.summary)
        return is_stale

    return (yield from _committing(catalog, namespace, audit_table, commit, target, claim))


def _showing(
    catalog: Catalog, namespace: str, claim: Claim, target: Target, row: Sequence[DataFile]
) -> Iterator[None]:
    """Puts a run's row in place of those of the runs that it replaces, as long as its claim
    stands."""
    yield from _committing(
        catalog,
        namespace,
        AUDIT_RUNS,
        lambda runs: _replace(runs, claim.stale, row, claim.summary),
        target,
        claim,
    )


def _cleaning(
    catalog: Catalog, namespace: str, audit_table: AuditTable, claim: Claim
) -> Iterator[None]:
    """Deletes the rows that a published run replaces, but for those of a later claim. As nobody
    counts them, failing is a warning."""
    try:
        yield from _committing(
            catalog,
            namespace,
            audit_table,
            lambda table: _replace(table, claim.stale_of_others, (), claim.summary),
            claim=claim,
        )
    except WindowTaken:  # whose run deletes them
        return
    except PublishFailed as error:
        tell(f"run {claim.run_id} is published, but rows that it replaces stay: {error}")


def _committing(
    catalog: Catalog,
    namespace: str,
    audit_table: AuditTable,
    commit: Callable[[Table], _Done],
    target: Target | None = None,
    claim: Claim | None = None,
) -> Generator[None, None, _Done]:
    """Loads a table, checks that it is still the one that files were written for, and that the
    claim stands, if these are given, and commits. Repeats all of it if others have committed
    meanwhile. Yields before each commit."""
    conflict: Exception | None = None
    with _blamed(catalog, namespace, audit_table):
        for attempt in range(_ATTEMPTS):
            table = _open(catalog, namespace, audit_table)
            if target is not None:
                name = f"{namespace}.{audit_table.name}"
                require_same(target.metadata, table.metadata, name)
            if claim is not None:
                of_runs = audit_table is AUDIT_RUNS
                look(table if of_runs else _open(catalog, namespace, AUDIT_RUNS), claim)
            yield
            try:
                return commit(table)
            except (CommitFailedException, ValidationException) as error:
                conflict = error
                time.sleep(LONGEST_WAIT * random.random() * attempt / _ATTEMPTS)  # noqa: S311
    name = f"{namespace}.{audit_table.name}"
    raise PublishFailed(
        f"Cannot commit to audit table {name} in catalog {catalog.name!r}: other writers changed "
        f"it during all {_ATTEMPTS} attempts. Run the window again."
    ) from conflict


@contextmanager
def _blamed(catalog: Catalog, namespace: str, audit_table: AuditTable) -> Iterator[None]:
    """Turns all errors into PublishFailed, but for WindowTaken."""
    try:
        yield
    except (PublishFailed, WindowTaken):
        raise
    except Exception as error:
        name = f"{namespace}.{audit_table.name}"
        why = why_storage_failed(error)
        told = why or why_catalog_failed(error, catalog.name, catalog.properties)
        raise PublishFailed(
            f"audit table {name} in catalog {catalog.name!r} cannot be written: {told}; then run "
            "the window again"
        ) from error


def _open(catalog: Catalog, namespace: str, audit_table: AuditTable) -> Table:
    """The table as it is now, with at least our columns. Raises PublishFailed where it cannot take
    our rows."""
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
            properties={**_PROPERTIES, "comment": audit_table.comment},
        )
    require_fit(catalog, namespace, audit_table, table)
    present = set(table.schema().column_names)
    missing = [field for field in wanted.fields if field.name not in present]
    if missing:
        with table.update_schema() as update:
            update.union_by_name(Schema(*missing))
    return table


def _replace(
    table: Table,
    stale: str | BooleanExpression,
    files: Sequence[DataFile],
    summary: Mapping[str, str],
) -> None:
    """Replaces the rows that match a filter by files, in one commit; makes none if there are
    neither."""
    with warnings.catch_warnings(), CommittedOnce(table) as transaction:
        # PyIceberg warns where there is nothing to delete.
        warnings.filterwarnings("ignore", "Delete operation did not match any records")
        transaction.delete(stale, snapshot_properties=dict(summary))
        if files:
            _add(transaction, files, summary)


def _append(table: Table, files: Sequence[DataFile], summary: Mapping[str, str]) -> None:
    """Adds files in one commit: a snapshot, even of none."""
    with CommittedOnce(table) as transaction:
        _add(transaction, files, summary)


def _add(transaction: Transaction, files: Sequence[DataFile], summary: Mapping[str, str]) -> None:
    with transaction.update_snapshot(snapshot_properties=dict(summary)).fast_append() as append:
        for file in files:
            append.append_data_file(file)
