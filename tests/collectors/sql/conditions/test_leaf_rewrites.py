"""A rewrite of a whole leaf that is added, as CONTRIBUTING.md says."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from collectors.predicates.model import Predicate, Unsupported
from collectors.predicates.render import render
from collectors.sql.conditions import leaf_rewrites
from collectors.sql.conditions.convert import convert
from collectors.sql.conditions.leaf_rewrite import Around, LeafRewrite, Replacement
from collectors.sql.conditions.reader import Reader
from collectors.sql.constants.session import Session
from collectors.sql.text.boolean import AllOf, Leaf, formula


def _pair(subject: exp.Expr) -> list[exp.Expr] | None:
    match subject:
        case exp.Anonymous(this="both", expressions=[_, _] as columns):
            return columns
    return None


def _replace(leaf: Leaf, _around: Around) -> Replacement | None:
    columns = _pair(leaf.expression.this) if isinstance(leaf.expression, exp.EQ) else None
    if columns is None or leaf.negated:
        return None
    value = leaf.expression.expression
    equal = [Leaf(exp.EQ(this=column.copy(), expression=value.copy()), False) for column in columns]
    return Replacement(AllOf(tuple(equal)), is_all=True)


def _said(condition: str) -> Predicate:
    tree = sqlglot.parse_one(condition, dialect="trino")
    return convert(formula(tree), Reader(lambda column: (column.name,), Session("trino")))


def test_a_rewrite_of_a_leaf_is_a_value_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(_said("both(a, b) = 8"), Unsupported)
    added = LeafRewrite(lambda subject, *_: _pair(subject) is not None, _replace)
    rewrites = (*leaf_rewrites.LEAF_REWRITES, added)
    monkeypatch.setattr(leaf_rewrites, "LEAF_REWRITES", rewrites)
    assert render(_said("both(a, b) = 8")) == "a = 8 AND b = 8"
    assert isinstance(_said("NOT both(a, b) = 8"), Unsupported)
    assert isinstance(_said("both(a, b) > 8"), Unsupported)
