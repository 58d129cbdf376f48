"""Truths of unseen forms: the engine that needs no server says the same."""

from __future__ import annotations

import pytest

from tests.unseen_forms.by_duckdb import in_duckdb
from tests.unseen_forms.contradictions import contradictions
from tests.unseen_forms.engines import answer
from tests.unseen_forms.forms import SETS, Form, Kind, dialects, forms
from tests.unseen_forms.hostile import rows


@pytest.mark.slow  # 145 forms with up to 2,800 rows each
@pytest.mark.parametrize("of", SETS)
def test_duckdb_says_what_its_truths_say(of: str) -> None:
    matching = in_duckdb()
    for form in forms("duckdb", of):
        drawn = rows(form)
        assert contradictions(form, drawn, answer(matching, form, drawn)) == [], form.where


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(form, id=f"{of}-{dialect}-{form.name}")
        for of in SETS
        for dialect in dialects(of)
        for form in forms(dialect, of)
        if form.kind is Kind.EXACT and not form.is_trap
    ],
)
def test_hostile_rows_are_on_both_sides_of_a_truth(form: Form) -> None:
    drawn = rows(form)
    values = [values for box in form.boxes for values in box.axes.values()]
    if any(each.intervals or each.has_null for each in values):
        assert any(map(form.must_keep, drawn))
    assert any(map(form.may_drop, drawn))
