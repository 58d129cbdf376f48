"""The answers of `explain` on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prunescope.audit_jobs.pruning.conjunct_classes import (
    ENFORCED,
    RUNTIME,
    UNENFORCED,
    UNSUPPORTED,
)
from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.units import plural, size
from prunescope.audit_jobs.views.console import WIDE, PlainConsole, bar
from prunescope.collectors.safe_text import plain

_NOT_SARGABLE = "not sargable: function, cast or arithmetic on the column"
_NOT_PUSHED = "not pushed down"
_EVERY_ROW = "TRUE"
"""The predicate of an engine that pushes no condition down."""
_CLASSES = {
    ENFORCED: "answered by partitioning",
    UNENFORCED: "may prune, rows are filtered again",
    RUNTIME: "known only at run time",
}
_SOURCES = {"statistics": "statistics", "dictionary": "dictionaries", "bloom": "bloom filters"}


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
        console.print(f"implied range: {escape(plain(answer['predicate']))}")
    console.print()
    if answer["planner"] is not None:
        nothing = answer["pushed"] == _EVERY_ROW
        pushed = "nothing" if nothing else escape(plain(answer["pushed"]))
        console.print(f"{answer['planner']} pushes down {pushed}\n")
    console.print(_funnel_table(answer))
    for line in _inside_files(answer):
        console.print(line)
    wasted = _wasted(answer)
    if wasted:
        console.print(f"best case with current statistics: {wasted}")
    for cause, count in answer["unread"].items():
        console.print(f"row groups unknown for {count:,} kept files: {cause}")
    _print_conjuncts(console, answer["conjuncts"])
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
            _kept(funnel, show),
            *_share(funnel["considered"], funnel["kept"]),
        )
    if answer["delete_files"]["total"]:
        deletes = answer["delete_files"]
        table.add_row("delete files", _count(deletes["total"]), "", _count(deletes["kept"]))
    return table


def _kept(funnel: Mapping[str, Any], show: Callable[[int | None], str]) -> str:
    """The kept containers, or between which numbers they are where only that is known."""
    interval = funnel.get("kept_interval")
    if funnel["kept"] is not None or interval is None:
        return show(funnel["kept"])
    return "–".join(map(show, interval))


def _inside_files(answer: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the row groups that each kind of statistics prunes, on the pages that indexes could
    prune, and on the interval of estimates."""
    pruned = [
        f"{count:,} by {_SOURCES[source]}"
        for source, count in answer["row_groups_by"].items()
        if count
    ]
    if pruned:
        yield f"row groups pruned: {', '.join(pruned)}"
    pages, rows = answer["pages"], answer["page_records"]
    if pages["considered"] and pages["kept"] is not None:
        yield (
            f"with page indexes: {pages['kept']:,} of {pages['considered']:,} pages, "
            f"{rows['kept']:,} of {rows['considered']:,} rows"
        )
    if answer["footers"].get("skipped"):
        footers, interval = answer["footers"], answer["row_groups"].get("kept_interval")
        between = "" if interval is None else f", 95 % interval {interval[0]:,}–{interval[1]:,}"
        yield (
            f"row groups: estimate from {footers['read']:,} of {footers['needed']:,} footers"
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


_COUNTED = {"manifests": "manifests", "data_files": "files", "row_groups": "row groups"}
_OVERLAP = "ranges_overlap"
_INDENT = 2


def _print_conjuncts(console: Console, conjuncts: Sequence[Mapping[str, Any]]) -> None:
    """Prints a block for each condition: its SQL, what engines do with it, and what it, or each
    condition that it implies, would prune by itself."""
    for written, parts in groupby(conjuncts, key=lambda part: part["written"]):
        for own in [list(parts)] if written else [[part] for part in parts]:
            _print_block(console, written, own)


def _print_block(console: Console, written: str | None, parts: Sequence[Mapping[str, Any]]) -> None:
    condition = written or parts[0]["predicate"]
    console.print()
    line = Table.grid(padding=(0, _INDENT))
    line.add_row(Text("CONDITION", style="bold"), Text(plain(condition)))
    console.print(line)
    console.print(Text("; ".join(_effects(parts, is_implied=bool(written)))))
    console.print()
    table = Table(box=None, pad_edge=False, header_style="dim", expand=True)
    table.add_column("would prune by itself", overflow="fold", ratio=1)
    for heading in _COUNTED.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for part in parts:
        text = Text(plain(part["predicate"]))
        if why_not := _why_not(part):
            text.append(f"\n{why_not}", style="dim")
        table.add_row(text, *(_count(part[f"{name}_pruned"]) for name in _COUNTED))
    width = min(console.width, WIDE)
    console.print(Padding(table, (0, 0, 0, _INDENT)), width=width)


def _effects(parts: Sequence[Mapping[str, Any]], *, is_implied: bool) -> Iterator[str]:
    """The effects of a condition: how engines take it, and which push it down."""
    pushing = dict.fromkeys(
        engine for part in parts for engine, does in part["pushed_by"].items() if does
    )
    classes = dict.fromkeys(part["class"] for part in parts)
    if is_implied and (not pushing or UNSUPPORTED in classes):
        yield _NOT_SARGABLE
    yield from (_CLASSES[name] for name in classes if name != UNSUPPORTED)
    yield f"pushed down by {', '.join(map(str.capitalize, pushing))}" if pushing else _NOT_PUSHED


def _why_not(conjunct: Mapping[str, Any]) -> str:
    """The reasons why a condition prunes nothing, by pass. "Ranges overlap" is left out if another
    pass prunes something: it is true of everything that a pass keeps."""
    does = any(conjunct[f"{name}_pruned"] for name in _COUNTED)
    passes: dict[str, list[str]] = {}
    for name, reason in conjunct["reasons"].items():
        if not (does and reason == _OVERLAP):
            passes.setdefault(reason, []).append(_COUNTED[name])
    return "; ".join(
        f"{', '.join(names)}: {reason.replace('_', ' ')}" for reason, names in passes.items()
    )


def _share(considered: int | None, kept: int | None) -> tuple[str, str]:
    if considered is None or kept is None:
        return "", "unknown"
    if not considered:
        return "", "–"
    return bar(kept / considered), f"{1 - kept / considered:.0%}"


def _count(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"
