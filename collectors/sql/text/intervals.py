"""Intervals of several units in one text."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

_ONE_UNIT = re.compile(r"\s*[+-]?[0-9]+(\.[0-9]+)?\s*[a-zA-Z]*\s*")


class WholeIntervals:
    """Keeps the text of `INTERVAL '3 days 02:00:00'` as it is: sqlglot reads the first unit, and
    drops the rest."""

    def _parse_interval_span(self, this: exp.Expr, *args: Any, **options: Any) -> Any:
        text = this.name if isinstance(this, exp.Literal) and this.is_string else ""
        found = super()._parse_interval_span(this, *args, **options)  # type: ignore[misc]
        is_cut = isinstance(found, exp.Interval) and found.name != text
        if text and is_cut and not _ONE_UNIT.fullmatch(text):
            return exp.Interval(this=exp.Literal.string(text))
        return found
