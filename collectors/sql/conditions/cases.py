"""The cases of CASE and IF."""

from __future__ import annotations

from sqlglot import exp


def parts_of(
    subject: exp.Case | exp.If,
) -> tuple[exp.Expr | None, list[exp.Expr], exp.Expr | None]:
    """What cases are compared with, if anything, the cases, and what is chosen otherwise."""
    base = subject.this if isinstance(subject, exp.Case) else None
    default = subject.args.get("default") or subject.args.get("false")
    return base, subject.args.get("ifs") or [subject], default


def condition_of(base: exp.Expr | None, case: exp.Expr) -> exp.Expr:
    """The condition of a case."""
    when: exp.Expr = case.this
    return when if base is None else exp.EQ(this=base.copy(), expression=when.copy())
