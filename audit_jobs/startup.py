"""Fast start of commands that answer within a second or two."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _NoPandas(MetaPathFinder):
    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is left out to start fast", name=fullname)
        return None


def leave_out_pandas() -> None:
    """Makes pandas look absent to this process.

    Arrow imports it with the first array, wherever it is installed, in case that array is a
    pandas series: half a second for a command that never sees one.
    """
    sys.meta_path.insert(0, _NoPandas())
