"""Forms held against what is read of them: `python -m tests.unseen_forms.measure [set]`.

Each hostile row of a form is a container of its own, whose bounds are the values of the row. Of the
predicate that `prunescope.collectors.sql` makes of the condition, the table says by dialect how
many forms are answered

- exactly: the containers that are kept are those of the rows that match;
- wider: others are kept as well, or all of them (`not read`);
- UNSOUND: the container of a row that matches is ruled out.

Of a form without a range, and of the values between a truth that is not exact and its witnesses,
nothing more than the witnesses has to be kept. Ends with 1 if a form is unsound.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tests.unseen_forms.containers import kept_rows, predicate_of
from tests.unseen_forms.forms import FIRST, SETS, Form, Kind, dialects, forms
from tests.unseen_forms.hostile import rows
from tests.unseen_forms.value_sets import Row, shown


class Result(Enum):
    """How the predicate of a form compares with its truth."""

    EXACT = "exact"
    WIDER = "wider"
    NOT_READ = "not read"
    UNSOUND = "UNSOUND"


@dataclass(frozen=True)
class Measured:
    """A form, what became of it at the hostile rows, the rows that are lost, and whether each row
    that is kept in vain has a null."""

    form: Form
    result: Result
    lost: tuple[Row, ...]
    nulls_alone: bool


def measured(form: Form) -> Measured:
    """A form held against the predicate that is read of it."""
    drawn = rows(form)
    predicate = predicate_of(form.where, form.dialect, form.zone, form.columns)
    kept = kept_rows(predicate, form.columns, drawn)
    lost = tuple(r for r, keep in zip(drawn, kept, strict=True) if not keep and form.must_keep(r))
    more = [r for r, keep in zip(drawn, kept, strict=True) if keep and form.may_drop(r)]
    if lost:
        result = Result.UNSOUND
    elif not more:
        result = Result.EXACT
    else:
        result = Result.NOT_READ if all(kept) else Result.WIDER
    return Measured(form, result, lost, not any(None not in row.values() for row in more))


def _report(dialect: str, found: Sequence[Measured]) -> str:
    """A line of the table: forms with a range, those that are traps apart."""
    cells = [dialect]
    for is_trap in (False, True):
        part = [each for each in found if each.form.is_trap is is_trap]
        ranges = Counter(each.result for each in part if each.form.kind is not Kind.NONE)
        cells += [str(sum(ranges.values())), *(str(ranges[result]) for result in Result)]
        if is_trap:
            free = Counter(each.result for each in part if each.form.kind is Kind.NONE)
            cells += [str(sum(free.values())), str(free[Result.UNSOUND])]
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str]) -> int:
    """Print the table of a set, the forms that are unsound, and those that are missed by topic."""
    parser = argparse.ArgumentParser(prog="python -m tests.unseen_forms.measure")
    parser.add_argument("set", nargs="?", choices=SETS, default=FIRST)
    of = parser.parse_args(arguments).set
    found = {name: [measured(form) for form in forms(name, of)] for name in dialects(of)}
    everything = [each for of_dialect in found.values() for each in of_dialect]
    results = [result.value for result in Result]
    titles = ["", "ranges", *results, "traps with one", *results, "without", "UNSOUND"]
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    lines += [_report(dialect, of_dialect) for dialect, of_dialect in found.items()]
    lines += [_report("all", everything), ""]
    for each in everything:
        if each.result is Result.UNSOUND:
            lines.append(f"UNSOUND {each.form.dialect} {each.form.name}: {each.form.where}")
            lines += [f"  lost: {shown(row)}" for row in each.lost[:3]]
    topics: dict[str, list[Measured]] = {}
    for each in everything:
        if each.result in (Result.WIDER, Result.NOT_READ):
            topics.setdefault(each.form.topic, []).append(each)
    for topic, missed in sorted(topics.items(), key=lambda item: -len(item[1])):
        of_topic = sum(each.form.topic == topic for each in everything)
        lines.append(f"\n{topic}: {len(missed)} of {of_topic} missed")
        lines += [
            f"  {each.result.value}{' by nulls alone' * each.nulls_alone}: "
            f"{each.form.dialect} {each.form.name}: {each.form.where}"
            for each in missed
        ]
    print("\n".join(lines))  # noqa: T201
    return int(any(each.result is Result.UNSOUND for each in everything))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
