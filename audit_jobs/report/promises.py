"""Earlier advice in short, for the template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit_jobs.advice.promises import Advised, Followed, Kind, State, hit_rate
from audit_jobs.units import plural, size

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Promised:
    """A piece of advice that was followed: shares that its queries keep, in percent, of what it
    is about (`of`)."""

    table: str
    advice: str
    of: str
    advised: str
    queries: str
    before: float
    promised: float
    low: float
    high: float
    kept: float
    remark: str


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
        f"{plural(len(found), 'piece')} of advice so far: {told}.{rate}",
        tuple(_promised(one) for one in found if one.kept is not None)[:_SHOWN],
    )


def table_text(one: Followed) -> str:
    """The name of its table."""
    return ".".join(part for part in one.promise.table if part)


OF = {
    Kind.LAYOUT: "of the table",
    Kind.INSIDE: "of the table, in row groups",
    Kind.MANIFESTS: "of the manifests",
}
"""What shares are of."""


def advice_text(one: Followed) -> str:
    """What was advised."""
    advised = one.promise.advised
    assert advised is not None
    return ", ".join(_parts(advised, one.promise.kind))


def _parts(advised: Advised, kind: Kind) -> Iterator[str]:
    if advised.partition and kind is Kind.LAYOUT:
        yield f"partitioned by {', '.join(advised.partition)}"
    if advised.columns:
        columns = ", ".join(advised.columns)
        yield f"sorted by {columns if advised.is_told else f'{advised.order}({columns})'}"
    if advised.row_group_bytes is not None:
        yield f"row groups of {size(advised.row_group_bytes)}"
    if advised.bloom_filters:
        yield f"bloom filters of {', '.join(advised.bloom_filters)}"
    if advised.manifests_by:
        yield f"manifests in the order of {', '.join(advised.manifests_by)}"


def _promised(one: Followed) -> Promised:
    promised = one.promise.promised
    assert promised is not None
    assert one.kept is not None
    remark = "Within the interval."
    if one.within is None:
        remark = "Metadata does not tell in which order it was rewritten."
    elif not one.within:
        side = "Less" if one.kept < promised.low else "More"
        remark = f"{side} than was promised."
    return Promised(
        table=table_text(one),
        advice=advice_text(one),
        of=OF[one.promise.kind],
        advised=f"{one.promise.at.day} {one.promise.at:%B %Y}",
        queries=plural(one.scans, "scan"),
        before=_percent(one.promise.before),
        promised=_percent(promised.value),
        low=_percent(promised.low),
        high=_percent(promised.high),
        kept=_percent(one.kept),
        remark=remark,
    )


def _percent(share: float) -> float:
    return round(min(share, 1.0) * 100, 2)
