"""Validating a run before it is published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.findings.rows import keyed
from prunescope.audit_jobs.gate.checker import KEYS, Check, checker, quietly
from prunescope.audit_jobs.results.arrow import encodable
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.keys import is_first
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.rows import ScanRows, joined
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, PASSES, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, FINDINGS
from prunescope.audit_jobs.results.sums import TableKey, key_of, table_key
from prunescope.audit_jobs.results.table_rows import finding_rows, run_row

Owners = Callable[[str, str], set[TableKey | None]]
"""The tables that the rows of a frame and a key are about; keys that are there twice have two."""

_MAX_ROWS = 20
_CHECKED = 16_384
"""Scans that are checked together: each takes kilobytes as pandas has it, and however few they are,
it takes half a second."""


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """An expectation that does not hold: its frame, its text, the number of failing rows, the keys
    of some of them, and the tables that all of them are about; no tables if some rows are about
    none."""

    table: str
    check: str
    count: int
    rows: tuple[str, ...]
    tables: frozenset[TableKey] = frozenset()

    def __str__(self) -> str:
        rows = f": rows {', '.join(self.rows)}" if self.rows else ""
        more = self.count - len(self.rows)
        return f"{self.table}: {self.check}{rows}{f' and {more:,} more' if more > 0 else ''}"


@dataclass(slots=True)
class Checked:
    """The number of expectations checked, and those that do not hold; of rows of scans, the numbers
    of their keys and of the inputs for which they stand."""

    checks: int = 0
    failed: list[FailedCheck] = field(default_factory=list)
    keys: int = 0
    inputs: int = 0

    def add(self, others: Checked) -> None:
        """Adds the checks of other rows."""
        self.checks += others.checks
        self.failed += others.failed
        self.keys += others.keys
        self.inputs += others.inputs


@dataclass(frozen=True, slots=True)
class GateResult:
    """The number of expectations checked, and those that do not hold."""

    checks: int
    failed: tuple[FailedCheck, ...]

    @property
    def of_tables(self) -> dict[TableKey, list[FailedCheck]]:
        """The failed checks on rows of single tables, by table."""
        found: dict[TableKey, list[FailedCheck]] = {}
        for check in self.failed:
            for name in check.tables:
                found.setdefault(name, []).append(check)
        return found


def validate(result: AuditResult, directory: Path | None) -> GateResult:
    """Checks the rows of a run against all expectations.

    With a directory, Great Expectations keeps its results there, and renders its Data Docs
    (`gx/uncommitted/data_docs/local_site/index.html`). No literal of a query is among them: the
    rows of the audit tables have none unless the user asked for it, and only keys and counts of
    failing rows are kept.
    """
    check = partial(_check_rows, directory=directory)
    # Great Expectations keeps what it finds where it runs.
    found = result.rows.each(check) if directory is None else check(result.rows)
    checked = Checked()
    for of_task in found:
        checked.add(of_task)
    checked.add(_checked([_of_run(result, checked)], checker(directory)))
    return GateResult(checked.checks, tuple(checked.failed))


def _check_rows(parts: Iterable[ScanRows], directory: Path | None) -> Iterator[Checked]:
    """Checks the rows of scans, some tens of thousands at a time."""
    check: Check | None = None
    for part in joined(parts, _CHECKED):
        check = check or checker(directory)
        keys = part.scan_plans["scan_key"]
        checked = _checked([_of_scans(part)], check)
        checked.keys = len(pc.unique(keys))
        checked.inputs = pc.sum(part.scan_plans["inputs"].filter(is_first(keys))).as_py() or 0
        yield checked


def _checked(frames: Iterable[tuple[Mapping[str, pd.DataFrame], Owners]], check: Check) -> Checked:
    found = Checked()
    with quietly():
        for named, owners in frames:
            for name, frame in named.items():
                results = check(name, frame)
                found.checks += len(results)
                wrong = (each for each in results if not each.success)
                found.failed += (_failed(name, each, owners) for each in wrong)
    return found


def _failed(table: str, outcome: Any, owners: Owners) -> FailedCheck:
    settings = outcome.expectation_config.kwargs
    subject = [settings[key] for key in ("column_B", "column", "column_A") if key in settings]
    words = outcome.expectation_config.type.removeprefix("expect_").replace("_", " ")
    check = f"{words} ({', '.join(map(str, subject))})" if subject else words
    rows = outcome.result.get("unexpected_index_list") or []
    names = KEYS.get(table, [])
    keys = tuple("/".join(str(row[name]) for name in names) for row in rows[:_MAX_ROWS] if names)
    count = outcome.result.get("unexpected_count") or len(keys)
    about: set[TableKey | None] = set()
    for row in rows if names else ():
        about |= owners(table, str(row[names[0]])) or {None}
    of_tables = frozenset(name for name in about if name is not None)
    return FailedCheck(table, check, count, keys, frozenset() if None in about else of_tables)


def _of_scans(part: ScanRows) -> tuple[dict[str, pd.DataFrame], Owners]:
    """The frames of rows of scans; a conjunct's row has the counts that its scan considers."""
    from prunescope.audit_jobs.gate.expectations import SCAN, columns_read  # noqa: PLC0415

    plans = part.scan_plans
    names = [f"{name}_considered" for name in PASSES]
    scans = pc.index_in(part.conjuncts["scan_key"], plans["scan_key"].combine_chunks())
    conjuncts = part.conjuncts
    for name in names:
        conjuncts = conjuncts.append_column(f"{SCAN}{name}", plans[name].take(scans))
    checked = {SCAN_PLANS.name: plans, CONJUNCTS.name: conjuncts}
    frames = {name: _frame(rows, columns_read(name)) for name, rows in checked.items()}

    @cache
    def tables() -> dict[str, set[TableKey | None]]:
        found: dict[str, set[TableKey | None]] = {}
        for row in plans.select(["scan_key", *TableKey._fields]).to_pylist():
            found.setdefault(row["scan_key"], set()).add(_about(row))
        return found

    return frames, lambda _, key: tables().get(key, set())


def _of_run(result: AuditResult, rows: Checked) -> tuple[dict[str, pd.DataFrame], Owners]:
    """The frames of findings, of the run, and of its own counts beside those of its rows."""
    from prunescope.audit_jobs.gate.expectations import ACCOUNTING  # noqa: PLC0415

    findings = list(finding_rows(result))
    counts = {
        "inputs": rows.inputs,
        "scans": result.rows.count,
        "scan_rows": rows.keys,
        "outcomes": sum(result.run.queries.values()),
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


def _about(row: Row) -> TableKey | None:
    return None if row["table"] is None else table_key(row)


def _frame(rows: pa.Table, read: frozenset[str]) -> pd.DataFrame:
    """Rows in pandas, with nullable whole numbers; of columns that no expectation reads, only the
    names."""
    whole = {pa.int64(): pd.Int64Dtype(), pa.int32(): pd.Int32Dtype()}
    values = rows.select([name for name in rows.column_names if name in read])
    frame = values.to_pandas(types_mapper=whole.get)
    return frame.reindex(columns=rows.column_names, fill_value=False)


def _frame_of(rows: Sequence[Row], table: AuditTable, extra: Sequence[str] = ()) -> pd.DataFrame:
    """Rows in pandas, with a column for each key of any row, and each column of the table. Counts
    stay whole numbers if some are null."""
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
