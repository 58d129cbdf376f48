"""Steps undone: from the numbers that a step results in to those that it was done to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from collectors.predicates.calculated_kinds import (
    SPARK_QUOTIENT_DIGITS,
    Kind,
    UnknownResult,
    common,
    kind_of_literal,
    result,
)
from collectors.predicates.calculations import (
    Absolute,
    Banded,
    Calculated,
    Conversion,
    Default,
    Linear,
    Multiple,
    Quotient,
    Rounded,
    Shifted,
    Step,
    Towards,
)
from collectors.predicates.literals import LiteralValue
from collectors.predicates.operators import Op
from collectors.predicates.spans import Span, Spans, hold, satisfying

# Doubles are exact to 2**-53 of themselves and singles to 2**-24, but for the least ones.
ROUNDING = {
    "double": (Fraction(1, 2**50), Fraction(1, 2**1000)),
    "float": (Fraction(1, 2**20), Fraction(1, 2**120)),
}
_HALF = Fraction(1, 2)
# Trino rounds by Math.round(), which ends at the bounds of the whole numbers of as many bits.
_MOST_UNITS = {"double": 2**62, "float": 2**30}


@dataclass(frozen=True, slots=True)
class Undone:
    """Numbers of which a step results in some numbers, all of them and, if `is_exact`, no others.
    `takes_nan` and `takes_null` tell what NaN and null become: one of the numbers, or, if None,
    what they were."""

    spans: Spans
    is_exact: bool = True
    takes_nan: bool | None = None
    takes_null: bool | None = None


def numbers(found: Calculated, kind: Kind) -> Undone:
    """The numbers of a kind of which the steps of a calculation make what satisfies its comparison.
    Raises UnknownResult where that is not known."""
    steps = found.calculation.steps
    if any(isinstance(step, Default) for step in steps[1:]):
        raise UnknownResult  # a step may have null for some numbers
    kinds = [kind]
    for step in steps:
        kinds.append(result(step, kinds[-1], is_spark=found.is_spark))
    spans, is_exact = _compared(found.op, found.value, kinds[-1])
    takes_nan, takes_null = found.matches_nan, False
    for step, before, after in zip(reversed(steps), kinds[-2::-1], kinds[:0:-1], strict=True):
        undone = undo(step, spans, before, after, is_spark=found.is_spark)
        spans, is_exact = undone.spans, is_exact and undone.is_exact
        takes_nan = takes_nan if undone.takes_nan is None else undone.takes_nan
        takes_null = takes_null if undone.takes_null is None else undone.takes_null
    return Undone(spans, is_exact, takes_nan, takes_null)


def _compared(op: Op, value: LiteralValue, kind: Kind) -> tuple[Spans, bool]:
    """The numbers of a kind that satisfy a comparison with a literal."""
    if kind.is_floating:
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise UnknownResult
        spans = satisfying(op, Fraction(float(value)))
        if kind.name == "double":
            return spans, True
        return [span.widened(*ROUNDING["float"]) for span in spans], False
    common(kind, kind_of_literal(value))
    assert isinstance(value, int | Decimal)
    return satisfying(op, Fraction(value)), True


def undo(step: Step, spans: Spans, before: Kind, after: Kind, *, is_spark: bool) -> Undone:
    """What a step makes one of the numbers in `spans` of. `before` and `after` are the types of
    what it is done to, and of its result. Raises UnknownResult where that is not known of them."""
    match step:
        case Linear():
            return _linear(step, spans, before, after, is_spark)
        case Quotient():
            return _quotient(step, spans, before, after, is_spark)
        case Absolute():
            return _absolute(spans, after, is_spark)
        case Rounded():
            return _rounded(step, spans, before, after)
        case Multiple(of):
            return _multiple(Fraction(of), spans)
        case Shifted():
            return _shifted(step, spans, before)
        case Banded():
            return _banded(step, spans)
        case Default(value):
            if not isinstance(value, int | float | Decimal):
                raise UnknownResult
            number = Fraction(float(value) if after.is_floating else value)
            return Undone(spans, takes_null=hold(spans, number))
        case Conversion():
            return _converted(spans, before, after, is_spark)
    raise UnknownResult


def _linear(step: Linear, spans: Spans, before: Kind, after: Kind, is_spark: bool) -> Undone:
    factor, offset = Fraction(step.factor), Fraction(step.offset)

    def inverse(span: Span) -> Span:
        return span.plus(-offset).times(1 / factor)

    if after.is_floating:
        # Powers of two change the exponent alone, and do not make numbers too small for it.
        if offset == 0 and factor.denominator == 1 and abs(factor.numerator).bit_count() == 1:
            return Undone([inverse(span) for span in spans])
        relative, least = ROUNDING[after.name]
        margin = least + abs(offset) * relative
        return Undone([inverse(span.widened(relative, margin)) for span in spans], is_exact=False)
    found = [inverse(span) for span in spans]
    if not (is_spark and after.is_integer):
        return Undone(found)
    wrapped = _wrapped(spans, inverse, before, after, whole_turns=abs(factor) == 1)
    low, high = sorted(factor * bound + offset for bound in before.limits)
    overflows = low < after.limits[0] or high > after.limits[1]
    return Undone([*found, *wrapped], is_exact=not overflows)


def _wrapped(
    spans: Spans, inverse: Callable[[Span], Span], before: Kind, after: Kind, whole_turns: bool
) -> Spans:
    """The numbers of which Spark's results are in `spans` after they were wrapped around; more
    than these where there may be several turns."""
    low, high = after.limits
    inside = [found for span in spans if (found := span.within(low, high)) is not None]
    if not inside:
        return []
    turn = high - low + 1
    beyond: Spans = [Span(None, Fraction(low - 1)), Span(Fraction(high + 1), None)]
    if whole_turns:
        beyond = [span.plus(way) for span in inside for way in (-turn, turn)]
    clipped = (inverse(span).within(*before.limits) for span in beyond)
    return [span for span in clipped if span is not None]


def _quotient(step: Quotient, spans: Spans, before: Kind, after: Kind, is_spark: bool) -> Undone:
    if after.is_integer:
        return Undone([_cut(span, closed=False).times(Fraction(step.divisor)) for span in spans])
    if not after.is_floating:
        # A unit of the last digit: half of one, and as much where the comparison rounds again.
        margin = Fraction(1, 10 ** (SPARK_QUOTIENT_DIGITS if is_spark else after.scale))
        found = [span.widened(Fraction(0), margin).times(Fraction(step.divisor)) for span in spans]
        return Undone(found, is_exact=False)
    # Of 32 bits, halves, quarters and so on are exact.
    divisor = step.divisor
    is_exact = before.name == "int" and isinstance(divisor, int) and abs(divisor).bit_count() == 1
    relative, least = ROUNDING[after.name]
    wider = spans if is_exact else [span.widened(relative, least) for span in spans]
    return Undone([span.times(Fraction(divisor)) for span in wider], is_exact)


def _rounded(step: Rounded, spans: Spans, before: Kind, after: Kind) -> Undone:
    if before.is_integer:
        return Undone(spans)
    unit = Fraction(1, 10**step.digits)
    takes_nan = None
    if before.is_floating and after.is_integer:
        takes_nan = hold(spans, Fraction(0))
        spans = _ending(spans, *after.limits)
    elif before.is_floating:
        most = _MOST_UNITS[before.name] * unit
        if any(abs(end) > most for span in spans for end in (span.low, span.high) if end):
            raise UnknownResult
        spans = [span.widened(*ROUNDING[after.name]) for span in spans]
    found = [_to_units(span.times(1 / unit), step.towards).times(unit) for span in spans]
    if before.is_floating:
        found = [span.widened(*ROUNDING[before.name]) for span in found]
    return Undone(found, not before.is_floating, takes_nan)


def _shifted(step: Shifted, spans: Spans, before: Kind) -> Undone:
    size = Fraction(2**step.bits)
    found = [_to_units(span, Towards.LESS).times(size) for span in spans]
    if not step.is_logical:
        return Undone(found)
    low, high = before.limits
    parts = [
        part
        for span in found
        for part in (span.within(0, high), span.plus(low - high - 1).within(low, -1))
    ]
    return Undone([part for part in parts if part is not None])


def _multiple(of: Fraction, spans: Spans) -> Undone:
    return Undone([_cut(span.times(1 / of), closed=False).times(of) for span in spans])


def _banded(step: Banded, spans: Spans) -> Undone:
    """All is computed with doubles, from differences that may be small beside the ends."""
    low, high = Fraction(step.low), Fraction(step.high)
    width = (high - low) / step.count
    relative, least = ROUNDING["double"]
    margin = (abs(low) + abs(high) + high - low) * relative * 8 + least
    found = []
    for span in spans:
        first, last = span.whole()
        starts = None if first is None or first <= 0 else low + (first - 1) * width
        ends = None if last is None or last > step.count else low + last * width
        if (first is None or first <= step.count + 1) and (last is None or last >= 0):
            found.append(Span(starts, ends).widened(Fraction(0), margin))
    return Undone(found, is_exact=False, takes_nan=False)


def _to_units(span: Span, towards: Towards) -> Span:
    """The numbers of which a whole number in the span is the nearest, or the next."""
    if towards is Towards.NEAREST:
        return _cut(span, closed=False, before_zero=_HALF)
    if towards is Towards.ZERO:
        return _cut(span, closed=False)
    low, high = span.whole()
    if low is not None and high is not None and low > high:
        return Span(Fraction(0), Fraction(0), low_open=True)
    less, greater = (0, 1) if towards is Towards.LESS else (1, 0)
    return Span(
        None if low is None else Fraction(low - less),
        None if high is None else Fraction(high + greater),
        low_open=towards is Towards.GREATER,
        high_open=towards is Towards.LESS,
    )


def _cut(span: Span, *, closed: bool, before_zero: Fraction = Fraction(1)) -> Span:
    """The numbers that are cut towards zero to a whole number in the span; with `before_zero` a
    half, that are rounded to one. `closed` spans hold their ends for certain."""
    low, high = span.whole()
    if low is not None and high is not None and low > high:
        return Span(Fraction(0), Fraction(0), low_open=True)
    away = 1 - before_zero
    found = Span()
    if low is not None:
        is_above = low > 0
        start = low - away if is_above else low - before_zero
        found = Span(start, None, low_open=not is_above)
    if high is not None:
        is_below = high < 0
        end = high + away if is_below else high + before_zero
        found = Span(found.low, Fraction(end), found.low_open, not is_below)
    return Span(found.low, found.high) if closed else found


def _absolute(spans: Spans, after: Kind, is_spark: bool) -> Undone:
    found = []
    for span in spans:
        inside = span.within(0, None)
        if inside is not None:
            found += [inside, inside.times(Fraction(-1))]
    if not (is_spark and after.is_integer):
        return Undone(found)
    least = Fraction(after.limits[0])
    is_held = hold(spans, least)
    is_exact = is_held or not hold(found, least)
    return Undone([*found, Span(least, least)] if is_held else found, is_exact)


def _converted(spans: Spans, before: Kind, after: Kind, is_spark: bool) -> Undone:
    if after.is_floating and not before.is_floating and before.name != "int":
        relative, least = ROUNDING[after.name]
        return Undone([span.widened(relative, least) for span in spans], is_exact=False)
    if not after.is_integer or before.is_integer:
        # Trino's TRY_CAST has null for what is beyond.
        return Undone(spans, is_exact=before.name != "long" or after.name != "int")
    if not is_spark:
        # Doubles just below a half may be rounded up.
        rounded = [_cut(span, closed=True, before_zero=_HALF) for span in spans]
        if before.is_floating:
            rounded = [span.widened(*ROUNDING["double"]) for span in rounded]
        return Undone(rounded, is_exact=False, takes_nan=False)
    if before.is_floating:
        spans = _ending(spans, *after.limits)
    cut = [_cut(span, closed=False) for span in spans]
    if before.is_floating or before.whole_digits < after.whole_digits:
        return Undone(cut, takes_nan=hold(spans, Fraction(0)))
    wrapped = _wrapped(spans, lambda span: span, before, after, whole_turns=False)
    return Undone([*cut, *wrapped], is_exact=False)


def _ending(spans: Spans, low: int, high: int) -> Spans:
    """The numbers that end in `spans` where those beyond the bounds become the bounds."""
    found = [inside for span in spans if (inside := span.within(low, high)) is not None]
    return [
        Span(
            None if span.holds(Fraction(low)) else span.low,
            None if span.holds(Fraction(high)) else span.high,
            span.low_open,
            span.high_open,
        )
        for span in found
    ]
