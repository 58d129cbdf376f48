"""Files that are there as a whole, or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path
from shutil import copymode


def replace_text(path: Path, text: str, *, is_private: bool = False) -> None:
    """Replaces a file as a whole, or the file that a link leads to, and keeps its mode, or lets
    only its owner read it if it `is_private`; writes to a pipe or a device. If that fails, the old
    content stays: raises OSError, also for a link that somebody else has put there."""
    if path.is_symlink() and path.lstat().st_uid not in (os.geteuid(), 0):
        raise OSError(errno.EPERM, "it is a link of another user")
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    path = path.resolve()
    # A name that nobody can foresee, and no file that was there: folders may be everybody's.
    written = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    mode = 0o600 if is_private else 0o666
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
        if path.exists() and not is_private:
            copymode(path, written)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)
