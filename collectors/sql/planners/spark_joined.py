"""Conditions with common parts, as Spark rewrites them before it infers or pushes any:

    (a OR b) AND (a OR f(c))        is a OR (b AND f(c)), of which it pushes nothing
    (a AND f(b)) OR (a AND f(c))    is a AND (f(b) OR f(c)), of which it pushes a

It compares them from left to right, and leaves alone those after one that has no such part
(BooleanSimplification, as 3.5.9 and 4.1.4 were seen to do it). Conditions that it pushes anyway are
left as they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from prunescope.collectors.predicates.model import And, Or, Predicate, all_of, any_of, meaning
from prunescope.collectors.sql.planners.profile import is_whole

_Combine = Callable[..., Predicate]


def joined(predicate: Predicate) -> Predicate:
    """A filter with the common parts of conditions that are not pushed, and of others, factored
    out."""
    if not isinstance(predicate, And | Or) or is_whole(predicate):
        return predicate
    children = [*map(joined, predicate.children)]
    if isinstance(predicate, And):
        return _joined(children, Or, all_of, any_of)
    return _joined(children, And, any_of, all_of)


def _joined(
    children: Sequence[Predicate], node: type[And | Or], outer: _Combine, inner: _Combine
) -> Predicate:
    """The children of an AND (`outer`), the first of which are joined to what they have in common
    as ORs (`node`, `inner`), or the other way round."""
    common: dict[Hashable, Predicate] = {}
    parts: list[dict[Hashable, Predicate]] = []
    for child in children:
        split = child.children if isinstance(child, node) else (child,)
        own = {meaning(part): part for part in split}
        left = {key: part for key, part in common.items() if key in own} if parts else own
        if not left:
            break
        common = left
        parts.append(own)
    together = children[: len(parts)]
    if len(parts) < 2 or all(map(is_whole, together)):
        return outer(*children)
    rests = (inner(*(part for key, part in own.items() if key not in common)) for own in parts)
    return outer(inner(*common.values(), outer(*rests)), *children[len(parts) :])
