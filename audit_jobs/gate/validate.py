"""Validating a run before it is published."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.findings.rows import keyed
from audit_jobs.results.arrow import encodable
from audit_jobs.results.columns import Row
from audit_jobs.results.result import AuditResult
from audit_jobs.results.rows import ScanRows
from audit_jobs.results.schemas import (
    AUDIT_RUNS,
    CONJUNCTS,
    FINDINGS,
    PASSES,
    SCAN_PLANS,
    AuditTable,
)
from audit_jobs.results.sums import TableKey, key_of, table_key
from audit_jobs.results.table_rows import finding_rows, run_row

if TYPE_CHECKING:
    from great_expectations import Checkpoint, ExpectationSuite
    from great_expectations.data_context import AbstractDataContext

_MAX_ROWS = 20
_KEYS = {
    SCAN_PLANS.name: ["scan_key"],
    CONJUNCTS.name: ["scan_key", "position"],
    FINDINGS.name: ["finding_key"],
}


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """An expectation that does not hold: of which frame, what it says, of how many rows it does
    not hold, the keys of some of them, and the tables that all of them are about; none where some
    are about no table."""

    table: str
    check: str
    count: int
    rows: tuple[str, ...]
    tables: frozenset[TableKey] = frozenset()

    def __str__(self) -> str:
        rows = f": rows {', '.join(self.rows)}" if self.rows else ""
        more = self.count - len(self.rows)
        return f"{self.table}: {self.check}{rows}{f' and {more:,} more' if more > 0 else ''}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many expectations were checked, and those that do not hold."""

    checks: int
    failed: tuple[FailedCheck, ...]

    @property
    def of_tables(self) -> dict[TableKey, list[FailedCheck]]:
        """What does not hold of the rows of single tables."""
        found: dict[TableKey, list[FailedCheck]] = {}
        for check in self.failed:
            for name in check.tables:
                found.setdefault(name, []).append(check)
        return found


def validate(result: AuditResult, directory: Path | None) -> Verdict:
    """Checks the rows of a run against all expectations.

    With a directory, Great Expectations keeps its results there, and renders its Data Docs
    (`gx/uncommitted/data_docs/local_site/index.html`). No literal of a query is among them: the
    rows of the audit tables have none unless the user asked for it, and of a row that fails, keys
    and counts are kept.
    """
    # Both are settings of a library that this process uses once; it takes seconds to import.
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import great_expectations as gx  # noqa: PLC0415
        from great_expectations.data_context.types.base import (  # noqa: PLC0415
            ProgressBarsConfig,
        )

        from audit_jobs.gate.expectations import expectations  # noqa: PLC0415

        context = (
            gx.get_context(mode="ephemeral")
            if directory is None
            else gx.get_context(mode="file", project_root_dir=str(directory))
        )
        context.variables.progress_bars = ProgressBarsConfig(globally=False)
        suites = {
            name: gx.ExpectationSuite(name=name, expectations=of_frame)
            for name, of_frame in expectations().items()
        }
        checks = 0
        failed: list[FailedCheck] = []
        for frames, owners in (*map(_of_scans, result.rows), _of_run(result)):
            for name, frame in frames.items():
                checkpoint = _checkpoint(gx, context, name, suites[name])
                run = checkpoint.run(batch_parameters={"dataframe": frame})
                for validation in run.run_results.values():
                    checks += len(validation.results)
                    wrong = (found for found in validation.results if not found.success)
                    failed += (_failed(name, found, owners) for found in wrong)
    return Verdict(checks, tuple(failed))


def _checkpoint(
    gx: Any, context: AbstractDataContext, name: str, suite: ExpectationSuite
) -> Checkpoint:
    source = context.data_sources.add_or_update_pandas(name)
    batch = source.add_dataframe_asset(name).add_batch_definition_whole_dataframe("run")
    definition = gx.ValidationDefinition(
        name=name, data=batch, suite=context.suites.add_or_update(suite)
    )
    return context.checkpoints.add_or_update(
        gx.Checkpoint(
            name=name,
            validation_definitions=[context.validation_definitions.add_or_update(definition)],
            actions=[gx.checkpoint.UpdateDataDocsAction(name="docs")],
            result_format={
                "result_format": "COMPLETE",
                "unexpected_index_column_names": _KEYS.get(name, []),
            },
        )
    )


Owners = Callable[[str, str], set[TableKey | None]]
"""The tables that the rows of a frame and a key are about; keys that are there twice have two."""


def _failed(table: str, outcome: Any, owners: Owners) -> FailedCheck:
    settings = outcome.expectation_config.kwargs
    subject = [settings[key] for key in ("column_B", "column", "column_A") if key in settings]
    words = outcome.expectation_config.type.removeprefix("expect_").replace("_", " ")
    check = f"{words} ({', '.join(map(str, subject))})" if subject else words
    rows = outcome.result.get("unexpected_index_list") or []
    names = _KEYS.get(table, [])
    keys = tuple("/".join(str(row[name]) for name in names) for row in rows[:_MAX_ROWS] if names)
    count = outcome.result.get("unexpected_count") or len(keys)
    about: set[TableKey | None] = set()
    for row in rows if names else ():
        about |= owners(table, str(row[names[0]])) or {None}
    of_tables = frozenset(name for name in about if name is not None)
    return FailedCheck(table, check, count, keys, frozenset() if None in about else of_tables)


def _of_scans(part: ScanRows) -> tuple[dict[str, pd.DataFrame], Owners]:
    """The frames of rows of scans; a conjunct's has what its scan considers."""
    from audit_jobs.gate.expectations import SCAN  # noqa: PLC0415

    plans = part.scan_plans
    names = [f"{name}_considered" for name in PASSES]
    scans = pc.index_in(part.conjuncts["scan_key"], plans["scan_key"].combine_chunks())
    conjuncts = part.conjuncts
    for name in names:
        conjuncts = conjuncts.append_column(f"{SCAN}{name}", plans[name].take(scans))
    frames = {SCAN_PLANS.name: _frame(plans), CONJUNCTS.name: _frame(conjuncts)}

    def owners(_: str, key: str) -> set[TableKey | None]:
        rows = plans.filter(pc.equal(plans["scan_key"], key)).select(TableKey._fields)
        return {_about(row) for row in rows.to_pylist()}

    return frames, owners


def _of_run(result: AuditResult) -> tuple[dict[str, pd.DataFrame], Owners]:
    """The frames of findings, of the run, and of its own counts."""
    from audit_jobs.gate.expectations import ACCOUNTING  # noqa: PLC0415

    findings = list(finding_rows(result))
    keys = [chunk for part in result.rows for chunk in part.scan_plans["scan_key"].chunks]
    counts = {
        "inputs": sum(_inputs(part) for part in result.rows),
        "outcomes": sum(result.run.queries.values()),
        "scans": sum(part.count for part in result.rows),
        "scan_rows": len(pc.unique(pa.chunked_array(keys, pa.large_string()))),
        "findings": sum(count for _, count in run_row(result)["findings"]),
        "finding_rows": sum(row["suppressed"] is None for row in findings),
    }
    frames = {
        FINDINGS.name: _frame_of(findings, FINDINGS),
        AUDIT_RUNS.name: _frame_of([run_row(result)], AUDIT_RUNS),
        ACCOUNTING: pd.DataFrame([counts]),
    }
    tables: dict[str, set[TableKey | None]] = {}
    for key, finding in keyed(result.findings):
        tables.setdefault(key, set()).add(key_of(finding.table))
    return frames, lambda _, key: tables.get(key, {None})


def _inputs(part: ScanRows) -> int:
    """How many inputs the rows stand for: of the rows of a query, the first counts."""
    keys = part.scan_plans["scan_key"]
    first = pc.invert(pc.match_substring_regex(keys, r"^\d+/0*[1-9]\d*$"))
    return pc.sum(part.scan_plans["inputs"].filter(first)).as_py() or 0


def _about(row: Row) -> TableKey | None:
    return None if row["table"] is None else table_key(row)


def _frame(rows: pa.Table) -> pd.DataFrame:
    """Rows as pandas has them, with whole numbers that may be null."""
    whole = {pa.int64(): pd.Int64Dtype(), pa.int32(): pd.Int32Dtype()}
    return rows.to_pandas(types_mapper=whole.get)


def _frame_of(rows: Sequence[Row], table: AuditTable, extra: Sequence[str] = ()) -> pd.DataFrame:
    """Rows with a column for everything that any of them, or the table, has. Counts stay whole
    numbers where some are null."""
    names = dict.fromkeys(
        [*(column.name for column in table.columns), *extra, *(key for row in rows for key in row)]
    )
    columns: dict[str, pd.Series[Any]] = {}
    for name in names:
        values = [row.get(name) for row in rows]
        whole = all(value is None or type(value) is int for value in values)
        columns[name] = (
            pd.Series(values, dtype="Int64")
            if whole
            else pd.Series([encodable(value) for value in values], dtype="object")
        )
    return pd.DataFrame(columns)
