"""Advice on what is inside of files as JSON, and in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from audit_jobs.advice.changes import Change, Inside, Reading
from audit_jobs.advice.model import Advice
from audit_jobs.units import size


def inside_document(advice: Advice) -> dict[str, Any] | None:
    """What scans keep of row groups, and what to change; None where that is not known."""
    inside = advice.inside
    if inside is None:
        return None
    return {
        "now": asdict(inside.now),
        "layout": None if inside.layout is None else asdict(inside.layout),
        "then": None if inside.then is None else asdict(inside.then),
        "change": None if inside.change is None else change_document(inside.change),
        "gain_bytes": None if inside.gain is None else asdict(inside.gain),
        "break_even_days": inside_break_even(advice, inside),
        "fingerprints": [
            {"fingerprint": name, "now": now, "then": then}
            for name, (now, then) in sorted(inside.effects.items())
        ],
    }


def change_document(change: Change) -> dict[str, Any]:
    """What to change."""
    order = change.order
    return {
        "sort_columns": None if order is None else [column.name for column in order.columns],
        "row_group_bytes": change.row_group_bytes,
        "bloom_filters": [column.name for column in change.bloom_filters],
    }


def inside_sentences(advice: Advice) -> Iterator[str]:
    """The same for a terminal."""
    inside = advice.inside
    if inside is None:
        return
    whole = advice.now.bytes
    told = [("now", inside.now), ("of that layout", inside.layout)]
    if inside.change is not None:
        yield f"Inside of files: {inside.change}."
        told.append(("then", inside.then))
    known = (f"{name} {_text(one, whole)}" for name, one in told if one is not None)
    yield f"Of row groups a scan keeps {', '.join(known)}."
    days = inside_break_even(advice, inside)
    if days is not None:
        yield f"The rewrite of {size(whole)} for it is outweighed after {days:,.1f} days."


def _text(reading: Reading, whole: int) -> str:
    value, low, high = (
        part / whole for part in (reading.bytes.value, reading.bytes.low, reading.bytes.high)
    )
    return f"{value:.1%} of the table ({low:.1%} to {high:.1%}; {reading.groups:,.1f} of them)"


def inside_break_even(advice: Advice, inside: Inside) -> float | None:
    """After how many days a change outweighs the rewrite; None where nothing is to be changed, or
    the advised layout has all files rewritten anyway."""
    if inside.gain is None or inside.layout is not None:
        return None
    return advice.days_until(advice.now.bytes, inside.gain.value)
