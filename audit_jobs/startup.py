"""Fast start of commands that answer within a second or two."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_BETWEEN_COLLECTIONS = 50_000
"""Objects that may be made until cycles are looked for. Modules make hundreds of thousands, which
stay: looking for cycles among them is a tenth of the start."""


class _NoPandas:
    @staticmethod
    def find_spec(
        fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is left out to start fast", name=fullname)
        return None


def start_fast() -> None:
    """Makes pandas look absent to this process, and looks for cycles of objects less often.

    Arrow imports pandas with the first array, wherever it is installed, in case that array is a
    pandas series: half a second for a command that never sees one.
    """
    gc.set_threshold(_BETWEEN_COLLECTIONS)
    sys.meta_path.insert(0, _NoPandas)
