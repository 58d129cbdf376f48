"""What was published stays, whole, until another run of its window is there, whole."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import ArrowScan, PyArrowFileIO
from pyiceberg.table import Table
from pyiceberg.types import StringType

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, RUN_TABLES
from prunescope.audit_jobs.sinks.audit_tables import publish, publishing
from prunescope.collectors.storage.locations import local_path
from tests.audit_jobs.sinks.published import (
    NAMESPACE,
    load,
    refuse_files_of,
    run_ids,
    visible_scans,
)
from tests.audit_jobs.sinks.results import FOUND, HOUR, MIDNIGHT, audit_result, replayed

pytestmark = pytest.mark.slow

EARLIER = {("run-1", "a"), ("run-1", "b")}


@pytest.fixture
def published(catalog: SqlCatalog) -> SqlCatalog:
    """With a run of the day."""
    publish(audit_result(replayed("a"), replayed("b"), findings=(FOUND,)), catalog, NAMESPACE)
    return catalog


class CutOffError(BaseException):
    """Stands for a signal that ends the process."""


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def killed(*_: object) -> None:
    raise CutOffError


def from_the_nth(
    number: int, function: Callable[..., Any], then: Callable[..., None], *, after: bool = False
) -> Callable[..., Any]:
    """A function that fails, or does its work and fails then, from its n-th call on."""
    calls = count(1)

    def counted(*arguments: Any, **options: Any) -> Any:
        is_late = next(calls) >= number
        if is_late and not after:
            then()
        answer = function(*arguments, **options)
        if is_late:
            then()
        return answer

    return counted


WRITE = (PyArrowFileIO, "new_output")
COMMIT = (SqlCatalog, "commit_table")
REST = pytest.mark.exhaustive


@pytest.mark.parametrize(
    ("step", "then", "after"),
    [
        pytest.param(WRITE, full, False, id="disk-full", marks=REST),
        pytest.param(WRITE, killed, False, id="killed-at-a-file", marks=REST),
        pytest.param(COMMIT, full, False, id="commit-fails", marks=REST),
        pytest.param(COMMIT, killed, False, id="killed-before-a-commit", marks=REST),
        pytest.param(COMMIT, killed, True, id="killed-after-a-commit"),
    ],
)
def test_at_every_write_and_commit_the_window_has_one_whole_run(
    published: SqlCatalog,
    capsys: pytest.CaptureFixture[str],
    step: tuple[type, str],
    then: Callable[..., None],
    after: bool,
) -> None:
    """Each attempt fails one step later, on what those before have left."""
    shown, ended = EARLIER, []
    for number in count(1):
        run_id = f"attempt-{number}"
        late = audit_result(replayed("a"), replayed("c"), findings=(FOUND,), run_id=run_id)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(*step, from_the_nth(number, getattr(*step), then, after=after))
            try:
                publish(late, published, NAMESPACE)
                ended.append("done")
            except (PublishFailed, CutOffError) as error:
                ended.append(type(error).__name__)
        found, ours = visible_scans(published), {(run_id, "a"), (run_id, "c")}
        assert found == ours if ended[-1] == "done" else found in (shown, ours), number
        shown = found
        warned = capsys.readouterr().err
        if ended[-1] == "done" and not warned:
            break
    assert len(ended) > 8
    # Once it is through, only its rows are there.
    for table in RUN_TABLES:
        assert set(run_ids(published, table)) <= {run_id}


def drop(column: str) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        with table.update_schema(allow_incompatible_changes=True) as update:
            update.delete_column(column)

    return change


def make_text(column: str) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        drop(column)(table)
        with table.refresh().update_schema() as update:
            update.add_column(column, StringType())

    return change


def add_required(column: str) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        with table.update_schema(allow_incompatible_changes=True) as update:
            update.add_column(column, StringType(), required=True, default_value="x")

    return change


def require(column: str) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        with table.update_schema(allow_incompatible_changes=True) as update:
            update.update_column(column, required=True)

    return change


def add_optional(column: str) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        with table.update_schema() as update:
            update.add_column(column, StringType())

    return change


def lose_metadata(table: Table) -> None:
    Path(str(local_path(table.metadata_location))).unlink()


CHANGED = [
    pytest.param("scan_plans", drop("outcome"), r"add the column outcome \(string\)", id="drop"),
    pytest.param("audit_runs", drop("status"), r"add the column status \(string\)", id="of-runs"),
    pytest.param(
        "findings", make_text("rank"), "make the column rank int, which is string", id="optional"
    ),
    pytest.param(
        "table_health",
        make_text("bytes"),
        "make the column bytes long, which is string",
        id="type",
    ),
    pytest.param(
        "scan_plans",
        add_required("team"),
        "make the column team optional, which is not ours",
        id="foreign",
    ),
    pytest.param(
        "scan_plans",
        require("predicate"),
        "make the column predicate optional, as it is for us",
        id="required",
    ),
    pytest.param("findings", lose_metadata, "there is no such file", id="no-metadata"),
]


@pytest.mark.parametrize(("name", "change", "told"), CHANGED)
def test_a_table_that_does_not_fit_is_told_by_column_and_what_was_published_stays(
    published: SqlCatalog, name: str, change: Callable[[Table], None], told: str
) -> None:
    change(load(published, name))
    before = [load(published, t).metadata_location for t in RUN_TABLES if t.name != name]
    rows = run_ids(published, SCAN_PLANS)
    with pytest.raises(PublishFailed, match=rf"{NAMESPACE}\.{name} in catalog 'lake'.*{told}"):
        publish(audit_result(replayed("c"), run_id="run-2"), published, NAMESPACE)
    assert before == [load(published, t).metadata_location for t in RUN_TABLES if t.name != name]
    assert run_ids(published, SCAN_PLANS) == rows


def test_a_table_of_other_columns_is_told_with_some_of_them(published: SqlCatalog) -> None:
    old = load(published, "conjuncts").schema()
    published.drop_table(f"{NAMESPACE}.findings")
    published.create_table(f"{NAMESPACE}.findings", old)
    with pytest.raises(PublishFailed, match=r"add the column finding_key.* and \d+ more"):
        publish(audit_result(replayed("c"), run_id="run-2"), published, NAMESPACE)
    assert visible_scans(published) == EARLIER


def test_a_place_that_cannot_be_written_leaves_what_was_published(
    published: SqlCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_files_of(monkeypatch, "findings")
    with pytest.raises(PublishFailed, match=r"findings in catalog 'lake' cannot be written: EROFS"):
        publish(audit_result(replayed("c"), findings=(FOUND,), run_id="r"), published, NAMESPACE)
    assert visible_scans(published) == EARLIER


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(drop("predicate"), id="dropped"),
        pytest.param(add_optional("team"), id="foreign"),
    ],
)
def test_a_table_that_fits_otherwise_is_written(
    published: SqlCatalog, change: Callable[[Table], None]
) -> None:
    change(load(published, SCAN_PLANS))
    publish(audit_result(replayed("c"), run_id="run-2"), published, NAMESPACE)
    assert visible_scans(published) == {("run-2", "c")}


def test_overlapping_runs_stay_where_the_one_that_replaces_them_fails(
    published: SqlCatalog,
) -> None:
    drop("outcome")(load(published, SCAN_PLANS))
    rows = run_ids(published, AUDIT_RUNS)
    late = audit_result(replayed("c"), run_id="run-2", start=MIDNIGHT + HOUR)
    with pytest.raises(PublishFailed):
        publish(late, published, NAMESPACE, replace_overlapping=True)
    assert run_ids(published, AUDIT_RUNS) == rows


def up_to_cleaning(steps: Iterator[None], catalog: SqlCatalog, run_id: str) -> None:
    """Goes on until a run is shown, and its next commit would delete what it replaces."""
    while run_id not in run_ids(catalog, AUDIT_RUNS):
        next(steps)


def test_what_a_later_run_has_added_is_not_deleted_as_replaced(published: SqlCatalog) -> None:
    slow = publishing(audit_result(replayed("s"), run_id="slow"), published, NAMESPACE)
    up_to_cleaning(slow, published, "slow")
    later = publishing(audit_result(replayed("l"), run_id="later"), published, NAMESPACE)
    while "later" not in run_ids(published, SCAN_PLANS):
        next(later)
    list(slow)
    assert visible_scans(published) == {("slow", "s")}
    list(later)
    assert visible_scans(published) == {("later", "l")}
    assert run_ids(published, SCAN_PLANS) == ["later"]
    assert run_ids(published, CONJUNCTS) == ["later"] * 2


def test_rows_that_are_replaced_go_without_reading_data(
    published: SqlCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the bounds of files: those of a large night do not come to the driver."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("data was read")

    ids = [f"{half}{digit * 16}" for half in ("a" * 16, "b" * 16) for digit in "19"]
    for run_id in ids:
        with monkeypatch.context() as patch:
            patch.setattr(ArrowScan, "to_table", refuse)
            publish(audit_result(replayed("c"), run_id=run_id), published, NAMESPACE)
        assert run_ids(published, CONJUNCTS) == [run_id] * 2


def test_rows_that_cannot_be_deleted_are_a_warning(
    published: SqlCatalog, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = publishing(audit_result(replayed("s"), run_id="slow"), published, NAMESPACE)
    up_to_cleaning(slow, published, "slow")
    with monkeypatch.context() as patch:
        patch.setattr(SqlCatalog, "commit_table", full)
        list(slow)
    told = capsys.readouterr().err
    assert "run slow is published, but rows that it replaces stay: audit table" in told
    assert visible_scans(published) == {("slow", "s")}
    assert set(run_ids(published, SCAN_PLANS)) == {"run-1", "slow"}
    publish(audit_result(replayed("n"), run_id="next"), published, NAMESPACE)
    assert run_ids(published, SCAN_PLANS) == ["next"]


def test_the_same_run_again_doubles_no_row(published: SqlCatalog) -> None:
    for _ in range(2):
        publish(audit_result(replayed("c"), run_id="r"), published, NAMESPACE)
    assert [run_ids(published, t) for t in (AUDIT_RUNS, SCAN_PLANS)] == [["r"], ["r"]]
    assert run_ids(published, CONJUNCTS) == ["r"] * 2
