"""The answers of `explain` on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from prunescope.audit_jobs.pruning.conjunct_classes import UNSUPPORTED
from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.units import plural, size
from prunescope.audit_jobs.views.console import WIDE, PlainConsole, bar
from prunescope.collectors.plain import plain

_AROUND = "a function, cast or calculation is around the column"


def print_answer(answer: Mapping[str, Any]) -> None:
    """Prints one explained query: its funnel, and the effect of each conjunct."""
    console = PlainConsole()
    title = plain(f"{answer['table']}")
    if answer["outcome"] != REPLAYED:
        console.print(f"[bold]{escape(title)}[/]: {answer['outcome']}")
        console.print(escape(plain(answer["message"])))
        return
    console.print(
        f"[bold]{escape(title)}[/]  snapshot {answer['snapshot_id']}\n"
        f"WHERE {escape(plain(answer['written'] or answer['predicate']))}"
    )
    if answer["written"]:
        console.print(f"which implies {escape(plain(answer['predicate']))}")
    console.print()
    if answer["planner"] is not None:
        console.print(f"{answer['planner']} pushes {escape(plain(answer['pushed']))}\n")
    console.print(_funnel_table(answer))
    for line in _inside_files(answer):
        console.print(line)
    wasted = _wasted(answer)
    if wasted:
        console.print(f"all that the statistics allow would keep {wasted}")
    for cause, count in answer["unread"].items():
        console.print(f"row groups unknown for {count:,} kept files: {cause}")
    if answer["conjuncts"]:
        console.print()
        console.print(_conjunct_table(answer["conjuncts"], wide=console.width >= WIDE))
    for more in answer.get("more_scans", []):
        console.print()
        print_answer(more)


def _funnel_table(answer: Mapping[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("pass", "total", "considered", "kept", "", "pruned"):
        numeric = heading not in ("pass", "")
        table.add_column(heading, justify="right" if numeric else "left", no_wrap=True)
    for key in ("manifests", "data_files", "row_groups", "bytes"):
        funnel, show = answer[key], size if key == "bytes" else _count
        table.add_row(
            key.replace("_", " "),
            show(funnel["total"]),
            show(funnel["considered"]),
            show(funnel["kept"]),
            *_share(funnel["considered"], funnel["kept"]),
        )
    if answer["delete_files"]["total"]:
        deletes = answer["delete_files"]
        table.add_row("delete files", _count(deletes["total"]), "", _count(deletes["kept"]))
    return table


def _inside_files(answer: Mapping[str, Any]) -> Iterator[str]:
    """Lines on row groups that were ruled out and by what, on pages that could be, and on the
    interval of estimates."""
    ruled_out = [f"{count:,} by {source}" for source, count in answer["row_groups_by"].items()]
    if any(answer["row_groups_by"].values()):
        yield f"row groups ruled out: {', '.join(ruled_out)}"
    pages, rows = answer["pages"], answer["page_records"]
    if pages["considered"] and pages["kept"] is not None:
        yield (
            f"page indexes would keep {pages['kept']:,} of {pages['considered']:,} pages, "
            f"{rows['kept']:,} of {rows['considered']:,} rows"
        )
    if answer["footers"].get("skipped"):
        footers, interval = answer["footers"], answer["row_groups"].get("kept_interval")
        between = "" if interval is None else f", {interval[0]:,} to {interval[1]:,} (95 %)"
        yield (
            f"row groups estimated from {footers['read']:,} of {footers['needed']:,} footers"
            f"{between}"
        )


def _wasted(answer: Mapping[str, Any]) -> str:
    """The containers that the whole filter keeps, if fewer than those that the planner keeps."""
    potential = answer["potential"]
    less = [
        plural(potential[key], key.removesuffix("s").replace("_", " "))
        for key in ("manifests", "data_files", "row_groups")
        if None not in (potential[key], answer[key]["kept"])
        and potential[key] < answer[key]["kept"]
    ]
    return ", ".join(less)


_COUNTED = ("manifests", "data_files", "row_groups")
_OVERLAP = "ranges_overlap"


def _conjunct_table(conjuncts: Sequence[Mapping[str, Any]], *, wide: bool) -> Table:
    """The table of conditions. An implied condition stands below its own, with the containers that
    it rules out; the reason why it rules out none stands beside it, or below it if there is no
    room."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("condition", overflow="fold")
    table.add_column("class", no_wrap=True)
    table.add_column("pushed by")
    for heading in ("manifests", "files", "row groups"):
        table.add_column(heading, justify="right", no_wrap=True)
    if wide:
        table.add_column("why not")

    def add(condition: str, why_not: str, *cells: str) -> None:
        text = Text(plain(condition))
        if why_not and not wide:
            text.append(f"\n{why_not}", style="dim")
        blank = [""] * (len(table.columns) - 1 - len(cells) - wide)
        table.add_row(text, *cells, *blank, *([why_not] if wide else []))

    above = None
    for conjunct in conjuncts:
        written = conjunct["written"]
        engines = [engine for engine, does in conjunct["pushed_by"].items() if does]
        is_kept = conjunct["class"] == UNSUPPORTED or not engines
        if written and written != above:
            add(written, _AROUND if is_kept else "")
        above = written
        add(
            f"implies {conjunct['predicate']}" if written else conjunct["predicate"],
            _why_not(conjunct),
            conjunct["class"],
            ", ".join(engines) or "–",
            *(_pruned(conjunct[f"{name}_pruned"]) for name in _COUNTED),
        )
    return table


def _why_not(conjunct: Mapping[str, Any]) -> str:
    """The reason why a condition rules out nothing. "Ranges overlap" is left out if another pass
    rules something out: it is true of everything that a pass keeps."""
    does = any(conjunct[f"{name}_pruned"] for name in _COUNTED)
    reasons = dict.fromkeys(conjunct["reasons"].values())
    return ", ".join(r for r in reasons if not (does and r == _OVERLAP)).replace("_", " ")


def _pruned(count: int | None) -> str:
    if count is None:
        return "?"
    return f"−{count:,}" if count else "0"


def _share(considered: int | None, kept: int | None) -> tuple[str, str]:
    if considered is None or kept is None:
        return "", "?"
    if not considered:
        return "", "–"
    return bar(kept / considered), f"{1 - kept / considered:.0%}"


def _count(count: int | None) -> str:
    return "?" if count is None else f"{count:,}"
