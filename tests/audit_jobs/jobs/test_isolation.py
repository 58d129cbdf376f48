"""What goes wrong with one table is an outcome of that table, and of nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from prunescope.audit_jobs.findings.catalogue import CAUSES
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.results.result import AuditResult
from tests.audit_jobs.jobs.lakes import audited, outcomes, write_table
from tests.collectors.tables.hostile_metadata import hostile

GOOD, BAD = "healthy", "ill"


class PanicError(BaseException):
    """Stands for what libraries in Rust raise."""


RAISED = [ZeroDivisionError, SystemExit, RecursionError, MemoryError, PanicError]

STEPS = {
    # What is done for each table, by the module that does it, and what then becomes of its query.
    "opening": ("prunescope.audit_jobs.jobs.tables.open_metadata_file", "internal_error"),
    "binding": ("prunescope.audit_jobs.workload.bind.resolve_snapshot", "internal_error"),
    "preparing": ("prunescope.audit_jobs.workload.distinct.table_works", "internal_error"),
    "contexts": ("prunescope.audit_jobs.jobs.measuring.table_contexts", "internal_error"),
    "measures": ("prunescope.audit_jobs.jobs.measuring.measure_of", "replayed"),
    "blocks": ("prunescope.audit_jobs.planning.local.table_work", "internal_error"),
    "manifest-list": (
        "prunescope.audit_jobs.planning.manifest_stage.read_manifest_list",
        "internal_error",
    ),
    "summaries": ("prunescope.audit_jobs.planning.manifest_stage.plan_manifests", "internal_error"),
    "manifests": ("prunescope.collectors.tables.manifests.read_whole", "internal_error"),
    "entries": ("prunescope.audit_jobs.planning.file_stage.file_batch", "unreadable_metadata"),
    "row-groups": (
        "prunescope.audit_jobs.planning.row_group_stage.plan_evidence",
        "internal_error",
    ),
    "sampling": ("prunescope.audit_jobs.planning.row_sample_stage.rows_of_files", "replayed"),
    "summing-up": ("prunescope.audit_jobs.results.conclude_stage.concluded", "internal_error"),
    "measuring": ("prunescope.audit_jobs.jobs.measuring.table_health", "replayed"),
    "writing-down": ("prunescope.audit_jobs.results.query_records.scan_record", "internal_error"),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("lake")
    return {name: write_table(folder / name, name) for name in (GOOD, BAD)}


def concerns(value: Any, name: str) -> bool:
    """Whether anything in a call is about a table: its paths, and so what is made of them, have
    its name in them."""
    return any(text in repr(value) for text in (f"{name}/", f".{name}", f"'{name}'"))


@pytest.mark.parametrize(
    "raised",
    [
        ZeroDivisionError,
        PanicError,
        *(pytest.param(other, marks=pytest.mark.slow) for other in RAISED[1:-1]),
    ],
)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.slow
def test_what_a_step_raises_for_one_table_is_that_tables_outcome(
    step: str,
    raised: type[BaseException],
    tables: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target, expected = STEPS[step]
    module, _, function = target.rpartition(".")
    original = getattr(__import__(module, fromlist=[function]), function)

    def fails_for_one(*args: Any, **kwargs: Any) -> Any:
        if concerns(args[:2], BAD):
            raise raised
        return original(*args, **kwargs)

    monkeypatch.setattr(target, fails_for_one)
    result = audited(tables)
    if raised is MemoryError and expected != "replayed":
        expected = "out_of_memory"
    assert outcomes(result) == {GOOD: "replayed", BAD: expected}
    assert sum(result.run.queries.values()) == 2
    named = {**result.run.tables_failed, **result.run.tables_unmeasured}
    scans = {
        row["query_id"]: row["message"] or "" for row in result.scan_plans("query_id", "message")
    }
    told = f"{named.get(f'lake.db.{BAD}', '')} {scans[BAD]}"
    assert raised.__name__ in told
    assert f"lake.db.{GOOD}" not in named
    assert result.run.status == ("succeeded" if expected == "replayed" else "partial")


@pytest.mark.slow
@pytest.mark.parametrize("raised", RAISED)
def test_a_cause_that_fails_on_one_table_is_told_and_the_others_are_judged(
    raised: type[BaseException], tables: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = CAUSES
    asked: list[str] = []

    def find(usage: Any) -> Iterator[NoReturn]:
        asked.append(usage.table.table)
        if usage.table.table == BAD:
            raise raised
        yield from ()

    monkeypatch.setattr(
        "prunescope.audit_jobs.findings.judge.CAUSES", (replace(first, find=find), *others)
    )
    result = audited(tables)
    assert sorted(asked) == [GOOD, BAD]
    (told,) = result.run.causes_failed.items()
    assert told[0] == f"{first.id} of lake.db.{BAD}"
    assert raised.__name__ in told[1]
    assert outcomes(result) == {GOOD: "replayed", BAD: "replayed"}
    assert (result.run.status, result.run.tables_failed) == ("partial", {})


def test_an_interrupt_ends_the_run(
    tables: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("prunescope.audit_jobs.results.conclude_stage.conclude", interrupted)
    with pytest.raises(KeyboardInterrupt):
        audited(tables)


def test_a_message_holds_nothing_of_what_was_raised() -> None:
    def secret() -> NoReturn:
        raise ValueError("WHERE card = '4111'")

    assert "4111" not in str(attempt("counting", secret))


def test_a_table_whose_layout_cannot_be_measured_has_not_failed(
    tables: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A manifest that no query needs is gone: they read an older snapshot."""

    def nothing(*_: Any) -> dict[int, Any]:
        return {}

    monkeypatch.setattr("prunescope.audit_jobs.planning.driver.complete_layouts", nothing)
    result = audited(tables)
    assert set(outcomes(result).values()) == {"replayed"}
    assert result.run.tables_failed == {}
    assert set(result.run.tables_unmeasured) == {f"lake.db.{GOOD}", f"lake.db.{BAD}"}
    assert result.run.status == "succeeded"


@pytest.mark.slow
def test_metadata_of_every_wrong_kind_is_an_outcome_beside_a_healthy_table(
    tables: dict[str, Path], tmp_path: Path
) -> None:
    """One run over some hundred tables, each with one field of its metadata wrong."""
    document = json.loads(tables[BAD].read_text())
    wrong: dict[str, Path] = {GOOD: tables[GOOD]}
    for number, (_, changed) in enumerate(hostile({**document, "properties": {}})):
        if number % 7 == 0 or changed.get("properties"):
            path = tmp_path / f"{number}.metadata.json"
            path.write_text(json.dumps(changed))
            wrong[f"t{number}"] = path
    result: AuditResult = audited(wrong)
    found = outcomes(result)
    assert found[GOOD] == "replayed"
    assert len(found) == len(wrong)
    assert "unreadable_metadata" in found.values()
    assert "internal_error" not in found.values()
