"""What benchmarks print: a line for each work, beside its peer in the same run."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import click


def heading() -> None:
    """The first line."""
    click.echo(f"{'work':60} {'measured':>9} {'peer':>9} {'ratio':>9}  {'to reach':22}")


def show(work: str, measured: float, peer: float | None, reach: str, note: str = "") -> None:
    """A line: seconds (or what the work names), those of the peer, and their ratio beside what to
    reach."""
    ratio = "" if peer is None else f"{measured / peer:7.2f} ×"
    beside = "" if peer is None else f"{peer:9.2f}"
    click.echo(f"{work:60} {measured:9.2f} {beside:>9} {ratio:>9}  {reach:22} {note}".rstrip())


def medians(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The median of each side."""
    first, second = zip(*pairs, strict=True)
    return median(first), median(second)
