"""`python -m tests.workloads.steadiness` measures whether advice on layouts stays what it is.

Of some made tables (`--pairs`), evenly over their names. *Done*: once the change of the layout was
made that findings ask for, none asks for another on the day after, whose audit knows the day.
*Flaps*: the log of a day like this one, drawn from its queries (`--draws` of them, `--times` as
long), leads to the same change. *Later*: nor does such a log, once the change was made.
*Elsewhere*: the same log leads to the same change of a copy of the table, of which other files and
rows are drawn. Prints each pair that is not steady: what
each alternative wins, of what scans read, and sums.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from prunescope.audit_jobs.findings.model import KEPT, Change
from prunescope.audit_jobs.tuning import ALIKE
from tests.workloads.corpus import PAIRS
from tests.workloads.lake import Tables
from tests.workloads.layouts import CannotApply, apply
from tests.workloads.model import Pair
from tests.workloads.side_by_side import side_by_side
from tests.workloads.tomorrow import Advice, Log, advice, drawn

STEADY = ("same", "more columns")
"""How advice may differ: it is of one kind."""


@dataclass(frozen=True)
class Night:
    """What a log leads to; and how many shapes it lacks of those that the day asked once."""

    advice: Advice
    missing: int = 0


@dataclass(frozen=True)
class Steadiness:
    """What the day of a pair leads to, and days like it; and both once that is done, `done` None
    where it asks for nothing, or with a reason where tables cannot show what."""

    name: str
    day: Advice
    tomorrow: tuple[Night, ...]
    elsewhere: tuple[Night, ...]
    done: Advice | None = None
    later: tuple[Night, ...] = ()
    reason: str | None = None

    def differing(self, nights: Sequence[Night]) -> list[tuple[str, Night]]:
        """The nights that lead to something of another kind than the day, and to what."""
        told = ((difference(self.day.change, one.advice.change), one) for one in nights)
        return [(kind, one) for kind, one in told if kind not in STEADY]

    @property
    def asked_later(self) -> list[Night]:
        """The later days that ask for yet another layout."""
        return [one for one in self.later if one.advice.change != KEPT]


def difference(was: Change, now: Change) -> str:
    """How one change of a layout differs from another, by kind."""
    if was.layout == now.layout and (was == KEPT) == (now == KEPT):
        return "same"
    if KEPT in (was, now):
        return "asked, then nothing" if now == KEPT else "nothing, then asked"
    if (*map(sorted, (was.added, was.dropped)),) != (*map(sorted, (now.added, now.dropped)),):
        columns = [{name for _, name in (*one.added, *one.dropped)} for one in (was, now)]
        return "partitions of another width" if columns[0] == columns[1] else "other partitions"
    a, b = was.layout, now.layout
    is_by_ranges = "identity" not in (a.rounded, b.rounded)
    if is_by_ranges and a.order[:1] == b.order[:1] and a.rounded != b.rounded:
        return "ranges of another width"
    if (a.is_zorder, a.rounded) != (b.is_zorder, b.rounded):
        return "another kind of order" if a.order and b.order else "an order or none"
    firsts = [{*one.order} if one.is_zorder else {*one.order[:1]} for one in (a, b)]
    if firsts[0] == firsts[1] or (a.is_zorder and (firsts[0] < firsts[1] or firsts[1] < firsts[0])):
        return "more columns"
    return "another first column" if a.order and b.order else "an order or none"


def measured(name: str, *, draws: int, times: int) -> Steadiness:
    """Audits a pair, days like its own, and both once what it asks for is done."""
    pair = PAIRS[name]
    logs = [drawn(pair, number, times) for number in range(draws)]
    with tempfile.TemporaryDirectory() as directory:
        tables = Tables(Path(directory))
        day = advice(pair, tables, tables.of(pair), pair.queries)
        tomorrow = _nights(pair, tables, tables.of(pair), logs, day)
        copies = (tables.write(f"{name}.{number}", pair.layout()) for number in range(draws))
        elsewhere = tuple(Night(advice(pair, tables, copy, pair.queries)) for copy in copies)
        found = Steadiness(name, day, tomorrow, elsewhere)
        if day.change == KEPT:
            return found
        try:
            metadata = tables.write(f"{name}.done", apply(day.statements, pair.layout()))
        except CannotApply as error:
            return replace(found, reason=str(error))
        done = advice(pair, tables, metadata, pair.queries, day)
        return replace(found, done=done, later=_nights(pair, tables, metadata, logs, day))


def _nights(
    pair: Pair, tables: Tables, metadata: str, logs: Sequence[Log], day: Advice
) -> tuple[Night, ...]:
    """What days after a day lead to."""
    return tuple(
        Night(advice(pair, tables, metadata, log.queries, day), log.missing) for log in logs
    )


def lines(one: Steadiness) -> Iterator[str]:
    """What is not steady about a pair."""
    if one.reason is not None:
        yield f"{one.name}: cannot be done: {one.reason}"
    if one.done is not None and one.done.change != KEPT:
        told = f"{_told(one.day)}; then {_told(one.done)}"
        yield f"{one.name}: DONE {told}; {_then(one.day, one.done, one.day.read)}"
    for what, nights in (("FLAPS", one.tomorrow), ("ELSEWHERE", one.elsewhere)):
        for kind, night in one.differing(nights):
            told = f"{_told(one.day)}; {_told(night.advice)}{_lacking(night)}"
            yield f"{one.name}: {what} ({kind}) {told}; {_both(one.day, night.advice)}"
    if one.done is not None and one.done.change == KEPT:
        for number, night in enumerate(one.later):
            if night.advice.change == KEPT:
                continue
            before = one.tomorrow[number].advice.read
            yield (
                f"{one.name}: LATER {_told(one.day)}; then {_told(night.advice)}{_lacking(night)};"
                f" {_then(one.day, night.advice, before)}"
            )


def _told(of: Advice) -> str:
    if of.change != KEPT:
        return f"{shortly(of.change)} ({of.cause})"
    return "nothing" if of.chosen == KEPT else f"nothing ({shortly(of.chosen)} is chosen)"


def shortly(change: Change) -> str:
    """A change of a layout in a few words."""
    layout = change.layout
    words = [f"+{transform}({name})" for transform, name in layout.added]
    words += [f"-{transform}({name})" for transform, name in layout.dropped]
    if layout.order:
        kind = "zorder" if layout.is_zorder else "keep" if change.keeps else "sort"
        ranges = "" if layout.rounded == "identity" else f" by {layout.rounded}"
        words.append(f"{kind} {', '.join(layout.order)}{ranges}")
    return " ".join(words) or ("rewrite" if change.rewrites else "nothing")


def _lacking(night: Night) -> str:
    return f", {night.missing} shapes lacking" if night.missing else ""


def _both(was: Advice, now: Advice) -> str:
    """What both alternatives win on both days."""
    shares = [
        f"{_share(day.won_by(was.change))} and {_share(day.won_by(now.change))}"
        for day in (was, now)
    ]
    return f"won {shares[0]}, then {shares[1]}{' ALIKE' if are_alike(was, now) else ''}"


def _then(was: Advice, now: Advice, before: int) -> str:
    """What the first change wins, and the next one in its place; and the latter of what is read
    then, and how much that is of what these queries read before."""
    left, next_ = now.read / max(1, before), now.won_by(now.change)
    of_all = None if next_ is None else next_ * left
    return (
        f"won {_share(was.won_by(was.change))} (and {_share(was.won_by(now.change))}), "
        f"then {_share(next_)} of {_share(left)}, {_share(of_all)} of all"
    )


def are_alike(was: Advice, now: Advice) -> bool:
    """Whether on some day the alternatives win the same, but for what makes no better one."""
    for day in (was, now):
        both = [day.won_by(was.change), day.won_by(now.change)]
        if None not in both and abs((both[0] or 0) - (both[1] or 0)) <= ALIKE:
            return True
    return False


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def sums(found: Sequence[Steadiness]) -> Counter[str]:
    """How many pairs are steady, and how the others are not."""
    counted: Counter[str] = Counter(pairs=len(found))
    for one in found:
        counted["pairs that ask for a layout"] += one.day.change != KEPT
        counted["cannot be done"] += one.reason is not None
        counted["done, and asked for more"] += one.done is not None and one.done.change != KEPT
        counted["flapping elsewhere"] += bool(one.differing(one.elsewhere))
        flaps = one.differing(one.tomorrow)
        counted["flapping pairs"] += bool(flaps)
        whole = [(kind, night) for kind, night in flaps if not night.missing]
        counted["flapping pairs, by days that lack no shape"] += bool(whole)
        counted["flapping pairs, by alternatives alike"] += any(
            are_alike(one.day, night.advice) for _, night in flaps
        )
        counted["days"] += len(one.tomorrow)
        counted["days that differ"] += len(flaps)
        for kind in {kind for kind, _ in flaps}:
            counted[f"flapping pairs: {kind}"] += 1
        is_settled = one.done is not None and one.done.change == KEPT
        counted["done, and asked for more later"] += is_settled and bool(one.asked_later)
    return counted


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures some pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200, help="how many, over all names")
    parser.add_argument("--draws", type=int, default=5, help="days like that of a pair")
    parser.add_argument("--times", type=int, default=1, help="how many times as long as it")
    parser.add_argument("names", nargs="*", help="names of pairs, instead of some")
    options = parser.parse_args(arguments)
    names = sorted(PAIRS)
    count = min(options.pairs, len(names))
    names = options.names or [names[len(names) * n // count] for n in range(count)]
    measure = partial(measured, draws=options.draws, times=options.times)
    found = []
    for one in side_by_side(measure, names):
        found.append(one)
        sys.stdout.writelines(f"{line}\n" for line in lines(one))
        sys.stdout.flush()
    sys.stdout.writelines(f"{name}: {count}\n" for name, count in sums(found).items())


if __name__ == "__main__":
    main()
