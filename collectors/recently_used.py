"""A mapping that forgets what was not used for the longest time."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Recent(Generic[_Key, _Value]):
    """At most `limit` values by key. Not for several threads at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: OrderedDict[_Key, _Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: _Key) -> bool:
        return key in self._values

    def get(self, key: _Key) -> _Value | None:
        """The value of a key, which is used now; None if there is none."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: _Key, value: _Value) -> None:
        """Keeps a value, and forgets another if there are too many."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._limit:
            self._values.popitem(last=False)

    def items(self) -> list[tuple[_Key, _Value]]:
        """All keys and their values, the least recently used first. None is used by that."""
        return list(self._values.items())

    def replace(self, key: _Key, value: _Value) -> None:
        """Replaces the value of a key that is there, which is not used by that."""
        self._values[key] = value
