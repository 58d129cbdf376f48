"""Admission of a run to publishing, without the tables whose rows contradict themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from prunescope.audit_jobs.errors import GateClosed
from prunescope.audit_jobs.gate.set_aside import set_aside
from prunescope.audit_jobs.gate.validate import FailedCheck, validate
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.results.arrow import to_arrow
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.sums import TableKey, key_of
from prunescope.audit_jobs.results.table_rows import TABLE_ROWS
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName

_TOLD = 3


def admit(result: AuditResult, directory: Path | None) -> AuditResult:
    """The result without the tables whose rows cannot be written or contradict each other: these
    are set aside, and named. For the directory see `validate`.

    Raises GateClosed if a contradiction concerns no table, but the sums of the run itself.
    """
    result = set_aside(result, _unwritable(result))
    done: set[TableKey] = set()
    while True:
        checked = validate(result, directory)
        wrong = {table: checks for table, checks in checked.of_tables.items() if table not in done}
        if not wrong:
            break
        # Once more for the rest: what one table had wrong may have hidden another's.
        done |= wrong.keys()
        result = set_aside(result, {name: _message(checks) for name, checks in wrong.items()})
    if checked.failed:
        raise GateClosed(checked.failed)
    return result


def _message(checks: list[FailedCheck]) -> str:
    told = "; ".join(f"{check.table}: {check.check}" for check in checks[:_TOLD])
    more = f" and {len(checks) - _TOLD} more" if len(checks) > _TOLD else ""
    return (
        f"its rows contradict each other ({told}{more}): its metadata may be wrong, or prunescope; "
        "please report it"
    )


def _unwritable(result: AuditResult) -> dict[TableKey, str]:
    """The tables of which a row does not fit the audit tables."""
    found = {key_of(name): message for name, message in result.rows.unwritable.items()}
    if not isinstance(attempt("writing rows", _write, result), PrunescopeError):
        return found
    names = [health.table for health in result.health]
    names += [finding.table for finding in (*result.findings, *result.small_findings)]
    for name in dict.fromkeys(names):
        error = attempt(f"writing the rows of {name}", _write, _only(result, name))
        if isinstance(error, PrunescopeError):
            found.setdefault(key_of(name), str(error))
    return found


def _write(result: AuditResult) -> None:
    for audit_table, rows_of in TABLE_ROWS:
        to_arrow(rows_of(result), audit_table)


def _only(result: AuditResult, name: TableName) -> AuditResult:
    return replace(
        result,
        health=tuple(health for health in result.health if health.table == name),
        findings=tuple(found for found in result.findings if found.table == name),
        small_findings=tuple(found for found in result.small_findings if found.table == name),
    )
