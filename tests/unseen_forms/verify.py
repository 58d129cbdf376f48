"""Truths of forms held against the engines that run here: `python -m tests.unseen_forms.verify`.

Prints each form whose truth an engine contradicts, with rows, and ends with 1 if there is one.
Rows at which a condition raises an error are left out: such a query has no rows at all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence

from tests.unseen_forms.by_clickhouse import in_clickhouse
from tests.unseen_forms.by_duckdb import in_duckdb
from tests.unseen_forms.by_spark import in_spark
from tests.unseen_forms.contradictions import contradictions
from tests.unseen_forms.engines import Matching, answer
from tests.unseen_forms.forms import FIRST, SETS, forms
from tests.unseen_forms.hostile import rows

ENGINES: Mapping[str, Callable[[], Matching]] = {
    "clickhouse": in_clickhouse,
    "duckdb": in_duckdb,
    "spark": in_spark,
}
_MOST_SHOWN = 6  # rows of a contradicted form


def main(arguments: Sequence[str]) -> int:
    """Verify the forms of all dialects that have an engine here, or of those named."""
    parser = argparse.ArgumentParser(prog="python -m tests.unseen_forms.verify")
    parser.add_argument("dialects", nargs="*", choices=sorted(ENGINES), default=sorted(ENGINES))
    contradicted = 0
    parser.add_argument("--set", choices=SETS, default=FIRST)
    options = parser.parse_args(arguments)
    for dialect in options.dialects:
        written = forms(dialect, options.set)
        matching = ENGINES[dialect]()
        held = 0
        for form in written:
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
        print(f"{dialect}: {held} truths held, {len(written) - held} did not")  # noqa: T201
    return min(contradicted, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
