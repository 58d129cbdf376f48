"""A rewrite that is added, as CONTRIBUTING.md says."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import (
    Column,
    Comparison,
    Predicate,
    Reason,
    Unsupported,
    conjuncts,
)
from collectors.predicates.operators import Op
from collectors.predicates.render import render
from collectors.sql.conditions.convert import convert
from collectors.sql.conditions.reader import Reader
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path
from collectors.sql.constants.values import CannotConvert
from collectors.sql.rewrites import registry as sql_rewrites
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.boolean import formula


def _doubled(expression: exp.Expr, place: Place) -> Column | None:
    match expression:
        case exp.Anonymous(this="doubled", expressions=[operand]):
            path = column_path(operand, place.path_of)
            return None if path is None else Column(path)
    return None


def _compare(op: Op, found: Column, value: LiteralValue, _session: Session) -> Predicate:
    if not isinstance(value, int) or value % 2:
        raise CannotConvert(Reason.FUNCTION)
    return Comparison(op, found, (value // 2,))


def _rest(op: Op, _found: Column, _value: LiteralValue) -> Reason | None:
    return None if op is Op.EQ else Reason.FUNCTION


def _said(condition: str) -> Predicate:
    tree = sqlglot.parse_one(condition, dialect="trino")
    reader = Reader(lambda column: (column.name,), Session("trino"))
    return convert(formula(tree), reader)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("doubled(n) = 8", "n = 4"),
        ("8 = doubled(n)", "n = 4"),
        ("doubled(n) IN (2, 6)", "n = 1 OR n = 3"),
    ],
)
def test_a_rewrite_is_a_value_and_a_line(
    condition: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(_said(condition), Unsupported)
    added = Rewrite(_doubled, _compare, _rest)
    monkeypatch.setattr(sql_rewrites, "REWRITES", (*sql_rewrites.REWRITES, added))
    assert render(_said(condition)) == expected


def test_what_is_not_all_stays_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_rewrites, "REWRITES", (Rewrite(_doubled, _compare, _rest),))
    within, rest = conjuncts(_said("doubled(n) > 8"))
    assert render(within) == "n > 4"
    assert isinstance(rest, Unsupported)
    assert rest.text == "DOUBLED(n) > 8"
    assert isinstance(_said("doubled(n) > 7"), Unsupported)
