"""Conditions as authors write them: quoted, and with literals only where they are shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit_jobs.findings.engines import written
from audit_jobs.findings.usage import Condition
from collectors.predicates.model import BoundComparison, Field, Predicate, any_of
from collectors.predicates.operators import Op
from collectors.predicates.render import redact, render
from tests.audit_jobs.findings.groups import group_of
from tests.audit_jobs.sinks.results import replayed

NAME = BoundComparison(Op.EQ, Field(1, "Full name", "string"), (b"Ada",))
ZONED = BoundComparison(Op.GT_EQ, Field(2, "at", "timestamptz"), (0,))
BARE = BoundComparison(Op.GT_EQ, Field(3, "local", "timestamp"), (0,))


@pytest.mark.parametrize(
    ("predicate", "engine", "shown", "expected"),
    [
        (NAME, "trino", True, "\"Full name\" = 'Ada'"),
        (NAME, "athena", False, '"Full name" = ?'),
        (NAME, "spark", False, "`Full name` = ?"),
        (any_of(NAME, ZONED), "trino", False, '"Full name" = ? OR "at" >= ?'),
        (ZONED, "spark", True, "`at` >= TIMESTAMP '1970-01-01 00:00:00 UTC'"),
        (BARE, "spark", True, "`local` >= TIMESTAMP_NTZ '1970-01-01 00:00:00'"),
        (BARE, "trino", True, "\"local\" >= TIMESTAMP '1970-01-01 00:00:00'"),
    ],
)
def test_written(predicate: Predicate, engine: str, shown: bool, expected: str) -> None:
    text = render(predicate) if shown else redact(predicate)
    condition = Condition(text, predicate, "unenforced", False, 0, 0, 0, {})
    group = group_of([replace(replayed("0/0"), engine=engine)])
    assert written(group, condition) == expected
