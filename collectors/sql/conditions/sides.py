"""How comparisons in SQL read from their other side, and with what is equal."""

from __future__ import annotations

from sqlglot import exp

FLIPPED: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
    exp.EQ: exp.EQ,
}
"""How a comparison reads from its other side."""

OR_EQUAL: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.LT: exp.LTE,
    exp.LTE: exp.LTE,
    exp.GT: exp.GTE,
    exp.GTE: exp.GTE,
}
"""Those that ask for an order, with what is equal as well."""
