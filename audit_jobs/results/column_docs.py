"""The reference of the audit tables' columns, docs/columns.md, from their schemas."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.results.audit_table import AuditTable, Column
from prunescope.audit_jobs.results.schemas import RUN_TABLES, SCHEMA_VERSION

_HEAD = f"""# Columns of the audit tables

<!-- Written by `make generated`: change the schemas, not this file. -->

Version {SCHEMA_VERSION} (`audit_tables` in `audit_runs.versions`). The tables have the same texts
as comments, and [audit.md](audit.md#audit-tables) says what a row is and how tables are joined.
What is not required is null where it is not known, and never 0 for that.
"""


def document() -> str:
    """The file's text."""
    return "\n".join([_HEAD, *(line for table in RUN_TABLES for line in _section(table))])


def _section(table: AuditTable) -> Iterator[str]:
    yield f"## `{table.name}`\n\n{table.comment}.\n"
    yield "| column | type | meaning |\n|---|---|---|"
    for column in table.columns:
        yield f"| `{column.name}` | {type_of(column)} | {column.doc} |"
    yield ""


def type_of(column: Column) -> str:
    """A column's type, as text."""
    container = "" if column.container is None else f"{column.container} of "
    return f"{container}{column.type}{', required' if column.required else ''}"
