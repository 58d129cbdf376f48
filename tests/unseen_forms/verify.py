"""Truths of forms held against the engines that run here: `python -m tests.unseen_forms.verify`.

Prints each form whose truth an engine contradicts, with rows, and ends with 1 if there is one.
Rows at which a condition raises an error are left out: such a query has no rows at all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.unseen_forms.engines import ENGINES, Answer, answer
from tests.unseen_forms.forms import Form, forms
from tests.unseen_forms.hostile import rows
from tests.unseen_forms.value_sets import Row, shown

_MOST_SHOWN = 6  # rows of a contradicted form


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


def main(arguments: Sequence[str]) -> int:
    """Verify the forms of all dialects that have an engine here, or of those named."""
    parser = argparse.ArgumentParser(prog="python -m tests.unseen_forms.verify")
    parser.add_argument("dialects", nargs="*", choices=sorted(ENGINES), default=sorted(ENGINES))
    contradicted = 0
    for dialect in parser.parse_args(arguments).dialects:
        matching = ENGINES[dialect]()
        held = 0
        for form in forms(dialect):
            drawn = rows(form)
            found = answer(matching, form, drawn)
            lines = contradictions(form, drawn, found)
            if len(found.failing) == len(drawn):
                lines.append("fails at every row")
            if not lines:
                held += 1
                continue
            contradicted += 1
            print(f"{dialect} {form.name}: {form.where}")  # noqa: T201
            for line in lines[:_MOST_SHOWN]:
                print(f"  {line}")  # noqa: T201
            if len(lines) > _MOST_SHOWN:
                print(f"  … {len(lines) - _MOST_SHOWN} more")  # noqa: T201
        print(f"{dialect}: {held} truths held, {len(forms(dialect)) - held} did not")  # noqa: T201
    return min(contradicted, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
