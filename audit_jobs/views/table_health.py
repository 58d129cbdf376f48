"""The health of tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.jobs.survey import Surveyed
from prunescope.audit_jobs.units import size
from prunescope.audit_jobs.views.console import PlainConsole
from prunescope.audit_jobs.views.grouped_messages import alike
from prunescope.collectors.safe_text import plain
from prunescope.collectors.tables.metrics_modes import WITHOUT_BOUNDS

_NUMBERS = ("size", "files", "small", "deletes", "old", "manifests", "expire")


def print_tables(found: Sequence[Surveyed], limit: int | None) -> None:
    """Prints a row for each table; a row for each column or partitioning by which its containers
    can be told apart; and failures."""
    console = PlainConsole()
    shown = found[:limit]
    numbers = _table("table", _NUMBERS)
    orders = _table("a value of", ("is in", "of", "with bounds"))
    for one in shown:
        if one.failure is None:
            numbers.add_row(Text(plain(str(one.name))), *_numbers(one.health, one))
        for row in _orders(one):
            orders.add_row(*row)
    if numbers.row_count:
        console.print(numbers)
    if orders.row_count:
        console.print()
        console.print(orders)
    notes = ((str(one.name), note) for one in shown for note in _notes(one))
    for name, note in alike(notes):
        console.print(Text(plain(f"{name}: {note}"), style="yellow"))
    if len(found) > len(shown):
        console.print(f"… {len(found) - len(shown):,} more")


def _table(name: str, numbers: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name, overflow="fold")
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _numbers(health: TableHealth | None, one: Surveyed) -> Sequence[str]:
    expirable = "" if one.condition is None else f"{one.condition.expirable:,}"
    if health is None:
        return ("", "0", "", "", "", "", expirable)
    old = sum(n for spec, n in health.files_by_spec.items() if spec != health.spec_id)
    about = "" if health.measured == 1 else "~"
    deletes = health.position_delete_files + health.equality_delete_files + health.deletion_vectors
    return (
        f"{about}{size(health.bytes)}",
        f"{about}{health.data_files:,}",
        f"{about}{health.small_files:,}",
        f"{deletes:,}",
        f"{old:,}",
        f"{health.manifests:,}",
        expirable,
    )


def _orders(one: Surveyed) -> Iterator[tuple[Text, str, str, str]]:
    """Rows with the number of manifests that hold a partition, and of files that hold a value of
    each column."""
    health, condition = one.health, one.condition
    if health is None or condition is None:
        return
    if health.manifest_depth is not None:
        name = Text.assemble(plain(str(one.name)), ("  (partitions)", "dim"))
        yield name, f"{health.manifest_depth:,.1f}", f"{health.manifests:,} manifests", ""
    for column in one.columns:
        kind = "sorted" if column.name in condition.sorted_by else "partition"
        name = Text.assemble(plain(f"{one.name}  {column.name}"), (f" ({kind})", "dim"))
        depth = "?" if column.depth is None else f"{column.depth:,.1f}"
        bounded = "?" if column.bounded is None else f"{column.bounded:.0%}"
        yield name, depth, f"{health.data_files:,} files", bounded


def _notes(one: Surveyed) -> Iterator[str]:
    if one.failure is not None:
        yield one.failure
    elif one.health is None:
        yield "it has no snapshot"
    if one.condition is not None and one.condition.metrics in WITHOUT_BOUNDS:
        yield f"write.metadata.metrics.default is {one.condition.metrics}: no bounds are written"
