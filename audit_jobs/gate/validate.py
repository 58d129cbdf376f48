"""Validating a run before it is published."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from audit_jobs.findings.rows import keyed
from audit_jobs.gate.set_aside import input_of
from audit_jobs.records import AuditResult
from audit_jobs.sinks.arrow_rows import encodable
from audit_jobs.sinks.audit_rows import Row, conjunct_rows, finding_rows, run_row, scan_plan_rows
from audit_jobs.sinks.audit_schemas import (
    AUDIT_RUNS,
    CONJUNCTS,
    FINDINGS,
    PASSES,
    SCAN_PLANS,
    AuditTable,
)
from collectors.queries.observed import TableName

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
    tables: frozenset[TableName] = frozenset()

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
    def of_tables(self) -> dict[TableName, list[FailedCheck]]:
        """What does not hold of the rows of single tables."""
        found: dict[TableName, list[FailedCheck]] = {}
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
        frames = dict(_frames(result))
        suites = {
            name: gx.ExpectationSuite(name=name, expectations=of_frame)
            for name, of_frame in expectations().items()
        }
        found = [
            _checkpoint(gx, context, name, suites[name]).run(batch_parameters={"dataframe": frame})
            for name, frame in frames.items()
        ]
    outcomes = [
        (name, outcome)
        for name, run in zip(frames, found, strict=True)
        for validation in run.run_results.values()
        for outcome in validation.results
    ]
    owners = _owners(result)
    failed = (_failed(name, found, owners) for name, found in outcomes if not found.success)
    return Verdict(len(outcomes), tuple(failed))


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


def _owners(result: AuditResult) -> dict[tuple[str, str], set[TableName | None]]:
    """The tables that rows are about, by frame and key; keys that are there twice have two."""
    owners: dict[tuple[str, str], set[TableName | None]] = {}
    for scan in result.scans:
        for frame in (SCAN_PLANS.name, CONJUNCTS.name):
            owners.setdefault((frame, scan.scan_key), set()).add(scan.table)
    for key, finding in keyed(result.findings):
        owners.setdefault((FINDINGS.name, key), set()).add(finding.table)
    return owners


def _tables(
    table: str, keys: Iterable[Any], owners: Mapping[tuple[str, str], set[TableName | None]]
) -> frozenset[TableName]:
    about = {name for key in keys for name in owners.get((table, str(key)), {None})}
    return frozenset() if None in about else frozenset(name for name in about if name is not None)


def _failed(
    table: str, outcome: Any, owners: Mapping[tuple[str, str], set[TableName | None]]
) -> FailedCheck:
    settings = outcome.expectation_config.kwargs
    subject = [settings[key] for key in ("column_B", "column", "column_A") if key in settings]
    words = outcome.expectation_config.type.removeprefix("expect_").replace("_", " ")
    check = f"{words} ({', '.join(map(str, subject))})" if subject else words
    rows = outcome.result.get("unexpected_index_list") or []
    names = _KEYS.get(table, [])
    keys = tuple("/".join(str(row[name]) for name in names) for row in rows[:_MAX_ROWS] if names)
    count = outcome.result.get("unexpected_count") or len(keys)
    about = _tables(table, (row[names[0]] for row in rows if names), owners)
    return FailedCheck(table, check, count, keys, about)


def _frames(result: AuditResult) -> Iterator[tuple[str, pd.DataFrame]]:
    from audit_jobs.gate.expectations import ACCOUNTING, SCAN  # noqa: PLC0415

    scans = list(scan_plan_rows(result))
    names = [f"{name}_considered" for name in PASSES]
    of_scan = {row["scan_key"]: {f"{SCAN}{n}": row.get(n) for n in names} for row in scans}
    conjuncts = [{**row, **of_scan[row["scan_key"]]} for row in conjunct_rows(result)]
    yield SCAN_PLANS.name, _frame(scans, SCAN_PLANS)
    yield CONJUNCTS.name, _frame(conjuncts, CONJUNCTS, [f"{SCAN}{name}" for name in names])
    findings = list(finding_rows(result))
    yield FINDINGS.name, _frame(findings, FINDINGS)
    yield AUDIT_RUNS.name, _frame([run_row(result)], AUDIT_RUNS)
    counts = {
        "inputs": sum({input_of(row["scan_key"]): row["inputs"] for row in scans}.values()),
        "outcomes": sum(result.run.queries.values()),
        "scans": len(result.scans),
        "scan_rows": len(scans),
        "findings": sum(count for _, count in run_row(result)["findings"]),
        "finding_rows": sum(row["suppressed"] is None for row in findings),
    }
    yield ACCOUNTING, pd.DataFrame([counts])


def _frame(rows: Sequence[Row], table: AuditTable, extra: Sequence[str] = ()) -> pd.DataFrame:
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
