"""Files that are there as a whole, or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path
from shutil import copymode


def replace_text(path: Path, text: str) -> None:
    """Replaces a file as a whole, that which a link leads to, and keeps its mode; a pipe or a
    device is written to. What was there stays where that fails: raises OSError, also for a link
    that somebody else has put there."""
    if path.is_symlink() and path.lstat().st_uid not in (os.geteuid(), 0):
        raise OSError(errno.EPERM, "it is a link of another user")
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    path = path.resolve()
    # A name that nobody can foresee, and no file that was there: folders may be everybody's.
    written = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
        if path.exists():
            copymode(path, written)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)
