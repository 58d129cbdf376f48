"""Earlier advice in short, for the template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from audit_jobs.advice.promises import Followed, State, hit_rate
from audit_jobs.units import plural

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Promised:
    """A piece of advice that was followed: shares that its queries keep, in percent."""

    table: str
    layout: str
    advised: str
    queries: str
    before: float
    promised: float
    low: float
    high: float
    kept: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Promises:
    """Those of which is known what they brought, and a sentence on all."""

    sentence: str
    shown: tuple[Promised, ...]


def promises_of(found: Sequence[Followed]) -> Promises | None:
    """None where there was no advice."""
    if not found:
        return None
    hits, judged = hit_rate(found)
    states = Counter(one.state for one in found)
    told = ", ".join(f"{states[state]:,} {state.value}" for state in State if states[state])
    rate = f" Of {judged:,} that can be judged, {hits:,} kept what was promised." if judged else ""
    return Promises(
        f"{plural(len(found), 'layout')} advised so far: {told}.{rate}",
        tuple(_promised(one) for one in found if one.kept is not None)[:_SHOWN],
    )


def table_text(one: Followed) -> str:
    """The name of its table."""
    return ".".join(part for part in one.promise.table if part)


def layout_text(one: Followed) -> str:
    """What was advised."""
    advised = one.promise.advised
    assert advised is not None
    columns = ", ".join(advised.columns)
    order = columns if advised.is_told else f"{advised.order}({columns})"
    fields = ", ".join(advised.partition)
    return f"partitioned by {fields}, sorted by {order}" if fields else f"sorted by {order}"


def _promised(one: Followed) -> Promised:
    promised = one.promise.promised
    assert promised is not None
    assert one.kept is not None
    verdict = "Within the interval."
    if one.within is None:
        verdict = "Metadata does not tell in which order it was rewritten."
    elif not one.within:
        side = "Less" if one.kept < promised.low else "More"
        verdict = f"{side} than was promised."
    return Promised(
        table=table_text(one),
        layout=layout_text(one),
        advised=f"{one.promise.at.day} {one.promise.at:%B %Y}",
        queries=plural(one.scans, "scan"),
        before=_percent(one.promise.before),
        promised=_percent(promised.value),
        low=_percent(promised.low),
        high=_percent(promised.high),
        kept=_percent(one.kept),
        verdict=verdict,
    )


def _percent(share: float) -> float:
    return round(min(share, 1.0) * 100, 2)
