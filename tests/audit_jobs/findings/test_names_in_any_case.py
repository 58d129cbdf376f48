"""Columns whose names differ in case only are others, and a name in any case is that of one."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.findings.causes.type_mismatch import CAUSE
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.schema import SchemaColumn
from tests.audit_jobs.findings.usages import NAME, Night, opaque, part, scan

NIGHT = Night(
    tuple(
        scan(
            part(opaque(Reason.TYPE_MISMATCH, f"{name} = 5", f"{name} = ?", name), pushed=False),
            kept=100,
            fingerprint=name,
        )
        for name in ("name", "NAME")
    ),
    spec=[(NAME, "identity")],
)


def _usage(*also: SchemaColumn) -> TableUsage:
    """The night's, of a table that has further columns."""
    usage = NIGHT.usage
    schema = usage.metadata.schema(None)
    more = replace(schema, columns=(*schema.columns, *also))
    return replace(usage, metadata=replace(usage.metadata, schemas={0: more}))


def _told(usage: TableUsage) -> list[tuple[tuple[str, ...], object, object]]:
    return [
        (finding.columns, finding.evidence["partition_fields"], finding.evidence["column_type"])
        for finding in CAUSE.find(usage)
    ]


def test_a_name_in_another_case_is_that_of_the_column() -> None:
    assert _told(_usage()) == [
        (("NAME",), ["name"], "string"),
        (("name",), ["name"], "string"),
    ]


def test_columns_that_differ_in_case_only_are_others() -> None:
    number = SchemaColumn(8, ("NAME",), "int", False, False, False)
    assert _told(_usage(number)) == [(("name",), ["name"], "string")]
