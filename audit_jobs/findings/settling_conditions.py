"""Whether a layout comes before the conditions that it serves are written otherwise: what other
scans lose by it until then counts against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from audit_jobs.findings.model import KEPT, Finding, Layout
from audit_jobs.findings.trials import Target, Tried, target_of
from audit_jobs.units import size


def once_written(finding: Finding, tried: Mapping[Target, Tried]) -> Finding:
    """A finding whose statements leave scans with more to read, as long as conditions are as they
    are, without these: what both win together stays at stake. Any other finding stays, and so does
    one that has the condition to write beside its statements."""
    fix, layout = finding.fix, finding.fix.layout
    is_asked = layout.moves_rows and finding.suppressed is None
    if not fix.spark or fix.rewrite is not None or not is_asked:
        return finding
    known = tried.get(target_of(layout))
    if known is None or not known.is_worse_yet:
        return finding
    advice = (
        "Write the conditions that the engine does not use as their findings say first, and audit "
        f"again: {_serves(layout)} them only then. {known.lost.losers} lose "
        f"{size(known.lost.bytes)} by it, which is more than is won until then."
    )
    return replace(finding, fix=replace(fix, spark=(), trino=(), advice=advice, layout=KEPT))


def _serves(layout: Layout) -> str:
    if layout.order:
        kind = "a Z-order" if layout.is_zorder else "a sort"
        return f"{kind} by {', '.join(layout.order)} serves"
    added = ", ".join(f"{transform}({name})" for transform, name in layout.added)
    return f"partitions by {added} serve" if added else "the present partitions serve"
