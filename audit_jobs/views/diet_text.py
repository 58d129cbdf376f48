"""Advice on column statistics on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from prunescope.audit_jobs.advice.unneeded_statistics import Diet
from prunescope.audit_jobs.advice.unneeded_statistics_document import diet_statements
from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.units import of
from prunescope.collectors.observed import TableName
from prunescope.collectors.safe_text import plain

_SHOWN = 8


def print_diet(console: Console, name: TableName, diet: Diet | Failed) -> None:
    """Prints a table's diet in some lines; nothing if there is none."""
    if isinstance(diet, Failed):
        line = f"  Statistics: {diet.code}: {diet.message or ''}"
        console.print(Text(plain(line), style="yellow"))
        return
    if diet.dropped:
        saved = f"{of(diet.bytes, diet.manifest_bytes)} of manifests"
        _print(console, f"Unused column statistics ({saved})", [o.column for o in diet.dropped])
    if diet.idle:
        named = [f"{one.column} ({one.runs:,.0f} scans)" for one in diet.idle]
        _print(console, "Statistics that scans use but that prune nothing", named)
    if diet.missing:
        named = [f"{one.column} ({one.runs:,.0f} scans)" for one in diet.missing]
        _print(console, "Filtered columns without bounds", named)
    for line in diet_statements(name, diet):
        console.print(Text(plain(f"  Spark: {line};")), soft_wrap=True)
    for limit in diet.limits:
        console.print(Text(plain(f"  {limit}"), style="dim"))


def _print(console: Console, what: str, named: list[str]) -> None:
    more = f" and {len(named) - _SHOWN:,} more" if len(named) > _SHOWN else ""
    console.print(Text(plain(f"  {what}: {', '.join(named[:_SHOWN])}{more}.")))
