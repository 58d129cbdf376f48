"""The three plans of one scan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

_T = TypeVar("_T")
_U = TypeVar("_U")


@dataclass(frozen=True, slots=True)
class PlanTriple(Generic[_T]):
    """One value for each plan of a scan."""

    pushed: _T
    """The plan of the filter that the engine pushes, by its planner's rules."""
    whole: _T
    """The plan of the whole filter, by the same rules."""
    potential: _T
    """The plan of the whole filter, by all that the statistics allow."""

    def map(self, function: Callable[[_T], _U]) -> PlanTriple[_U]:
        """The results of a function, which is called once where the first two are equal."""
        pushed = function(self.pushed)
        whole = pushed if self.whole == self.pushed else function(self.whole)
        return PlanTriple(pushed, whole, function(self.potential))

    def __iter__(self) -> Iterator[_T]:
        return iter((self.pushed, self.whole, self.potential))
