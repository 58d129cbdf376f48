"""Regular expressions as automata that read sets of texts, given by the characters at each
place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from prunescope.collectors.sql.functions.letters import other_cases
from prunescope.collectors.sql.functions.spans import LAST

Ranges = tuple[tuple[str, str], ...]
Places = Sequence[tuple[str, str]]
"""The first and the last character that there may be at each place of a text."""
_ANY: Ranges = (("\0", LAST),)
_BEYOND_ASCII = ("\x80", LAST)
_CLASSES: dict[str, Ranges] = {
    "d": (("0", "9"),),
    "w": (("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z")),
    "s": (("\t", "\n"), ("\f", "\r"), (" ", " ")),
}
_DOUBTFUL: Ranges = (("\t", "\r"), ("\x1c", "\x1f"), _BEYOND_ASCII)
"""Signs that only some engines have in classes of letters."""
_LINE_ENDS: Ranges = (("\n", "\r"), ("\x85", "\x85"), ("\u2028", "\u2029"))
"""Line ends, which a dot stands for in some engines only."""
_MOST_IN_RANGE = 25
"""Letters after the first one of a range, at which texts are told apart."""
_TWO_LETTERS = "\u0130"
"""A letter that is two in lower case for some engines."""


@dataclass(frozen=True, slots=True)
class Letters:
    """The characters that are read for certain, and those that may be read."""

    sure: Ranges
    may_be: Ranges

    def others(self) -> Letters:
        """The complement of these characters."""
        return Letters(_others(self.may_be), _others(self.sure))

    def have_all(self, least: str, most: str) -> bool:
        """True if all characters of a range are read for certain."""
        return any(low <= least and most <= high for low, high in _joined(self.sure))

    def may_have(self, least: str, most: str) -> bool:
        """True if some character of a range may be read."""
        return any(low <= most and least <= high for low, high in self.may_be)


def _joined(ranges: Ranges) -> Iterator[tuple[str, str]]:
    """Sorted ranges, with those joined that touch."""
    found: tuple[str, str] | None = None
    for low, high in sorted(ranges):
        if found is not None and ord(low) <= ord(found[1]) + 1:
            found = found[0], max(found[1], high)
            continue
        if found is not None:
            yield found
        found = low, high
    if found is not None:
        yield found


def _others(ranges: Ranges) -> Ranges:
    found, start = [], 0
    for low, high in _joined(ranges):
        if ord(low) > start:
            found.append((chr(start), chr(ord(low) - 1)))
        start = ord(high) + 1
    if start <= ord(LAST):
        found.append((chr(start), LAST))
    return tuple(found)


@dataclass
class Automaton:
    """A nondeterministic automaton. `steps` lead on by a letter, `skips` always, `starts` and
    `ends` only at the start or end of a text. State 0 is the first, and `last` accepts."""

    is_whole: bool
    steps: dict[int, list[tuple[Letters, int]]] = field(default_factory=dict)
    skips: dict[int, list[int]] = field(default_factory=dict)
    starts: dict[int, list[int]] = field(default_factory=dict)
    ends: dict[int, list[int]] = field(default_factory=dict)
    last: int = 0
    count: int = 1
    any_case: bool = False

    def state(self) -> int:
        """A new state."""
        self.count += 1
        return self.count - 1

    def reads(self, places: Places, shortest: int, *, is_open: bool) -> tuple[bool, bool]:
        """Returns whether some text of such characters may be accepted, and whether all are for
        certain. Texts have at least `shortest` characters, and continue with any if `is_open`."""
        may = sure = self._closed({0}, is_start=True)
        restarts = frozenset() if self.is_whole else self._closed({0})
        is_found, is_sure = False, True
        for place, (least, most) in enumerate(places):
            if self._is_done(sure):
                return True, is_sure
            is_found |= self._is_done(may)
            if place >= shortest:
                is_found |= self._ends(may)
                is_sure &= self._ends(sure)
            may = self._after(may, least, most) | restarts
            sure = self._surely_after(sure, least, most) | restarts
        if self._is_done(sure):
            return True, is_sure
        is_found |= self._is_done(may) or self._ends(may) or (is_open and bool(may & self._alive))
        return is_found, is_sure and self._ends(sure) and not (is_open and not self._goes_on(sure))

    def beginnings(self, most: int) -> list[str]:
        """Texts with which accepted ones begin, as long as there are at most `most`. Of a range of
        letters they have the ends."""
        found: list[str] = []
        left = [("", self._closed({0}, is_start=True))]
        while left:
            text, states = left.pop(0)
            pairs = {
                pair
                for state in states
                for letters, _ in self.steps.get(state, ())
                for pair in letters.sure
            }
            ends = sorted({end for pair in pairs for end in pair})
            is_wide = any(ord(high) - ord(low) > _MOST_IN_RANGE for low, high in pairs)
            is_many = len(found) + len(left) + len(ends) > most
            if not ends or is_wide or is_many or self._is_done(states):
                found.append(text)
            else:
                left += [(text + end, self._after(states, end, end)) for end in ends]
        return found

    @cached_property
    def _alive(self) -> frozenset[int]:
        """The states from which the last one can be reached after the start of a text."""
        found = frozenset((self.last,))
        while True:
            more = frozenset(
                state
                for state in range(self.count)
                if found
                & {
                    *(to for _, to in self.steps.get(state, ())),
                    *self.skips.get(state, ()),
                    *self.ends.get(state, ()),
                }
            )
            if more <= found:
                return found
            found |= more

    def _is_done(self, states: frozenset[int]) -> bool:
        return not self.is_whole and self.last in states

    def _ends(self, states: frozenset[int]) -> bool:
        return self.last in self._closed(states, is_end=True)

    def _goes_on(self, states: frozenset[int]) -> bool:
        """True if every continuation from some states is accepted."""
        for _ in range(self.count):
            following = self._surely_after(states, "\0", LAST)
            if following == states:
                return self.last in states
            states = following
        return False

    def _after(self, states: frozenset[int], least: str, most: str) -> frozenset[int]:
        found = self._closed(
            to
            for state in states
            for letters, to in self.steps.get(state, ())
            if letters.may_have(least, most)
        )
        if self.any_case and least <= _TWO_LETTERS <= most:
            for each in _TWO_LETTERS.lower():
                states = self._after(states, each, each)
            found |= states
        return found

    def _surely_after(self, states: frozenset[int], least: str, most: str) -> frozenset[int]:
        found = self._closed(
            to
            for state in states
            for letters, to in self.steps.get(state, ())
            if letters.have_all(least, most)
        )
        if self.any_case and least <= _TWO_LETTERS <= most:
            for each in _TWO_LETTERS.lower():
                states = self._surely_after(states, each, each)
            found &= states
        return found

    def _closed(
        self, states: Iterable[int], *, is_start: bool = False, is_end: bool = False
    ) -> frozenset[int]:
        found, left = set[int](), [*states]
        while left:
            state = left.pop()
            if state not in found:
                found.add(state)
                left += self.skips.get(state, ())
                left += self.starts.get(state, ()) if is_start else ()
                left += self.ends.get(state, ()) if is_end else ()
        return frozenset(found)


def automaton_of(
    pattern: str, *, is_whole: bool, any_line: bool = False, any_case: bool = False
) -> Automaton:
    """The automaton of a regular expression that `constants.patterns` knows or has translated. With
    `any_line`, a dot is any character, line ends included."""
    made = Automaton(is_whole, any_case=any_case)
    made.last = _Reader(pattern, made, any_line=any_line).branches(0)
    return made


class _Reader:
    """Parses a regular expression from left to right. Each part leads from a state to another."""

    def __init__(self, pattern: str, made: Automaton, *, any_line: bool) -> None:
        self._left = pattern
        self._made = made
        self._any_line = any_line

    def _take(self, size: int = 1) -> str:
        found, self._left = self._left[:size], self._left[size:]
        return found

    def branches(self, start: int) -> int:
        """The state after alternatives."""
        end = self._made.state()
        self._skip(self._branch(self._from(start)), end)
        while self._left.startswith("|"):
            self._take()
            self._skip(self._branch(self._from(start)), end)
        return end

    def _from(self, start: int) -> int:
        state = self._made.state()
        self._skip(start, state)
        return state

    def _skip(self, start: int, end: int) -> None:
        self._made.skips.setdefault(start, []).append(end)

    def _branch(self, state: int) -> int:
        while self._left and self._left[0] not in "|)":
            rest = self._left
            end = self._part(state)
            least, most = self._repeats()
            if (least, most) != (1, 1):
                after = self._left
                end = self._repeated(rest, state, least, most)
                self._left = after
            state = end
        return state

    def _repeated(self, part: str, state: int, least: int, most: int | None) -> int:
        """The state after a part that is repeated."""
        for _ in range(least):
            state = self._again(part, state)
        end = self._from(state)
        if most is None:
            start = self._from(state)
            self._skip(self._again(part, start), start)
            self._skip(start, end)
        for _ in range((most or 0) - least):
            state = self._again(part, state)
            self._skip(state, end)
        return end

    def _again(self, part: str, state: int) -> int:
        self._left = part
        return self._part(self._from(state))

    def _repeats(self) -> tuple[int, int | None]:
        known: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        sign, found = self._left[:1], (1, 1)
        if sign in known and sign:
            self._take()
            told: tuple[int, int | None] = known[sign]
        elif sign == "{":
            least, comma, most = self._take(self._left.index("}") + 1)[1:-1].partition(",")
            told = int(least), int(most) if most else None if comma else int(least)
        else:
            return found
        if self._left.startswith("?"):
            self._take()
        return told

    def _part(self, state: int) -> int:
        sign, end = self._take(), self._made.state()
        if sign in "^$":
            only = self._made.starts if sign == "^" else self._made.ends
            only.setdefault(state, []).append(end)
            if sign == "$":  # or before the last line ends
                lines, before = Letters((), _LINE_ENDS), self._made.state()
                self._made.steps.setdefault(state, []).append((lines, before))
                self._made.steps.setdefault(before, []).append((lines, before))
                self._skip(before, end)
            return end
        if sign == "(":
            if self._left.startswith("?:"):
                self._take(2)
            end = self.branches(state)
            self._take()
            return end
        self._made.steps.setdefault(state, []).append((self._letters(sign), end))
        return end

    def _letters(self, sign: str) -> Letters:
        if sign == ".":
            return Letters(_ANY if self._any_line else _others(_LINE_ENDS), _ANY)
        if sign == "[":
            return self._class()
        return self._escaped() if sign == "\\" else self._one(sign, sign)

    def _escaped(self) -> Letters:
        sign = self._take()
        ranges = _CLASSES.get(sign.lower())
        if ranges is None:
            return self._one(sign, sign)
        found = Letters(ranges, ranges + _DOUBTFUL)
        return found.others() if sign.isupper() else found

    def _one(self, low: str, high: str) -> Letters:
        if not self._made.any_case:
            return Letters(((low, high),), ((low, high),))
        letters = map(chr, range(ord(low), ord(high) + 1))
        # Those that are several letters in another case are no one letter of a text.
        cases = {case for each in letters for case in other_cases(each) if len(case.upper()) == 1}
        beyond = () if high.isascii() else (_BEYOND_ASCII,)
        sure = tuple((each, each) for each in cases if each.isascii() or each == low)
        return Letters(sure, (*((each, each) for each in cases), *beyond))

    def _class(self) -> Letters:
        is_negated = self._left.startswith("^")
        self._take(is_negated)
        sure: Ranges = ()
        may_be: Ranges = ()
        while not self._left.startswith("]"):
            sign = self._take()
            if sign != "\\" and self._left[:1] == "-" and self._left[1:2] not in ("]", ""):
                self._take()
                found = self._one(sign, self._take())
            else:
                found = self._escaped() if sign == "\\" else self._one(sign, sign)
            sure, may_be = sure + found.sure, may_be + found.may_be
        self._take()
        found = Letters(sure, may_be)
        return found.others() if is_negated else found
