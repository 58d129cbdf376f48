"""Files that are there as a whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copymode


def replace_text(path: Path, text: str) -> None:
    """Replaces a file as a whole, that which a link leads to, and keeps its mode; a pipe or a
    device is written to. What was there stays where that fails: raises OSError."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    path = path.resolve()
    written = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        written.write_text(text, encoding="utf-8")
        if path.exists():
            copymode(path, written)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)
