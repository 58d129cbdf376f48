"""Advice on a terminal: the best layout of each table, how sure that is, and what to run."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from audit_jobs.advice.inside_document import inside_sentences
from audit_jobs.advice.inside_statements import advised_migration
from audit_jobs.advice.intervals import Interval
from audit_jobs.advice.limits import limits
from audit_jobs.advice.manifest_document import manifest_sentences
from audit_jobs.advice.minimal_document import minimal_migration, minimal_sentences
from audit_jobs.advice.model import Advice, Prediction
from audit_jobs.jobs.advise import Advised
from audit_jobs.units import size
from audit_jobs.views.beyond_text import print_beyond
from audit_jobs.views.console import PlainConsole
from audit_jobs.views.diet_text import print_diet
from collectors.observed import TableName
from collectors.plain import plain

_OTHERS = 3
_EFFECTS = 5


def print_advice(found: Advised, asked: Sequence[str], *, details: bool, literals: bool) -> None:
    """The advice for all tables: those of the largest gain first, and those without any last.
    Values of rows are told with `literals` only."""
    console = PlainConsole()
    ranked = sorted(found.tables, key=lambda name: -_saved_a_day(found.tables[name][1]))
    for name in ranked:
        _print_table(console, name, found.tables[name][1], details=details)
        _print_minimal(console, name, found.tables[name][1], literals=literals)
        print_diet(console, name, found.diets[name])
        print_beyond(console, name, found.beyond[name], literals=literals)
        console.print()
    for name, why in found.failed.items():
        line = f"{name}: {why.code}: {why.message or ''}"
        console.print(Text(plain(line), style="yellow"))
    if not found.tables and not found.failed:
        which = " or ".join(asked) or "a table"
        console.print(Text(plain(f"No query of the window reads {which}.")))
    if found.left_out:
        told = ", ".join(f"{count:,} {reason}" for reason, count in sorted(found.left_out.items()))
        console.print(f"Left out of the log: {told}", highlight=False)


def _saved_a_day(advice: Advice) -> float:
    return 0.0 if advice.best is None else advice.best.gain.value * advice.runs / advice.days


def _print_table(console: Console, name: TableName, advice: Advice, *, details: bool) -> None:
    best = advice.best
    console.print(Text(plain(str(name)), style="bold"))
    if best is None:
        console.print("  Keep it as it is: no layout that was scored wins more than may be chance.")
    else:
        console.print(f"  {plain(str(best.candidate)).capitalize()}", highlight=False)
    console.print(_comparison(advice))
    if best is not None:
        days = advice.break_even_days
        if days is not None:
            console.print(
                f"  The rewrite of {size(advice.now.bytes)} is outweighed after {days:,.1f} days.",
                highlight=False,
            )
        _print_sizes(console, best)
    for sentence in (*inside_sentences(advice), *manifest_sentences(advice.manifests)):
        console.print(Text(plain(f"  {sentence}")))
    _print_statements(console, name, advice)
    for limit in limits(advice):
        console.print(Text(plain(f"  {limit}"), style="dim"))
    if details:
        console.print(_effects(advice))


def _comparison(advice: Advice) -> Table:
    """What a scan keeps on average: now, of the layouts, and at least."""
    table = Table.grid(padding=(0, 2))
    for justify in ("left", "right", "left", "right"):
        table.add_column(justify=justify)
    whole = advice.now.bytes
    table.add_row("  a scan keeps", "", "of the table, in 90 of 100 weeks", "files")
    table.add_row("  now", *_shares(advice.kept, whole), f"{advice.files_kept:,.1f}")
    shown = [] if advice.best is None else [advice.best]
    for prediction in (*shown, *advice.others[:_OTHERS]):
        name = Text(plain(f"  {prediction.candidate}"))
        table.add_row(name, *_shares(prediction.bytes, whole), f"{prediction.files:,.1f}")
    table.add_row("  rows that match", f"{advice.least / whole:.1%}", "no layout keeps less", "")
    return table


def _shares(bytes_kept: Interval, whole: int) -> tuple[str, str]:
    low, high = bytes_kept.low / whole, bytes_kept.high / whole
    return f"{bytes_kept.value / whole:.1%}", f"{low:.1%} to {high:.1%}"


def _print_sizes(console: Console, best: Prediction) -> None:
    sizes = best.sizes
    console.print(
        f"  Partitions: {sizes.partitions:,} of {size(sizes.partition_bytes)}; files: "
        f"{sizes.files:,} of {size(sizes.file_bytes)} (medians)",
        highlight=False,
    )


def _print_statements(console: Console, name: TableName, advice: Advice) -> None:
    found = advised_migration(name, advice)
    if found is None:
        return
    for engine, lines in (("Spark", found.spark), ("Trino", found.trino)):
        for line in lines:
            console.print(Text(plain(f"  {engine}: {line};")), soft_wrap=True)
    for note in found.notes:
        console.print(Text(plain(f"  {note}"), style="dim"))


def _print_minimal(console: Console, name: TableName, advice: Advice, *, literals: bool) -> None:
    for sentence in minimal_sentences(advice):
        console.print(Text(plain(f"  {sentence}")))
    found = minimal_migration(name, advice, literals=literals)
    if found is not None:
        for engine, lines in (("Spark", found.spark), ("Trino", found.trino)):
            for line in lines:
                console.print(Text(plain(f"  {engine}, these alone: {line};")), soft_wrap=True)


def _effects(advice: Advice) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_row("  shape of query", "runs", "keeps now", "then", "rows that match")
    losers = advice.losers if advice.best is not None else ()
    told = dict.fromkeys((*advice.effects[:_EFFECTS], *losers))
    for one in told:
        table.add_row(
            f"  {one.fingerprint or '(no text)'}",
            f"{one.runs:,.0f}",
            size(one.now),
            size(one.then),
            size(one.least),
        )
    return table
