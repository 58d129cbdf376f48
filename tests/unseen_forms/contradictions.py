"""What an engine says against the truth of a form."""

from __future__ import annotations

from collections.abc import Sequence

from tests.unseen_forms.engines import Answer
from tests.unseen_forms.forms import Form
from tests.unseen_forms.value_sets import Row, shown


def contradictions(form: Form, drawn: Sequence[Row], found: Answer) -> list[str]:
    """Rows of which the truth says something else than the engine, as lines."""
    lines = []
    for number, row in enumerate(drawn):
        if number in found.failing:
            continue
        if number in found.matching and form.may_drop(row):
            lines.append(f"matches, against the truth: {shown(row)}")
        elif number not in found.matching and form.must_keep(row):
            lines.append(f"does not match, against the truth: {shown(row)}")
    return lines
