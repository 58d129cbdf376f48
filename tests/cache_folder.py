"""Where tests keep what they fetch or make once."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder, which may not be there yet."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "prunescope"
