"""Private folders for Spark's files: rows that Spark spills and sends to itself have the texts of
queries, so nobody else may look into its folders, and none is to stay.

A run makes a folder of its own, which is removed when its process ends. It holds a lock on the
folder until then, so that the next run of the same user recognises folders of processes that were
killed, whatever ids processes have, in a container or outside: it removes unlocked folders.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp

_PREFIX = "prunescope-spark-"
_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def private_files(conf: Mapping[str, str]) -> Iterator[None]:
    """Has a JVM that is started meanwhile, and its children, keep all files in private folders: in
    the place that the environment or the settings of Spark name, or else where temporary files are.
    Raises OSError if no folder can be made."""
    configured = os.environ.get("SPARK_LOCAL_DIRS") or conf.get("spark.local.dir") or gettempdir()
    parents = [Path(parent.strip()) for parent in configured.split(",")]
    for parent in parents:
        parent.mkdir(parents=True, exist_ok=True)  # as Spark does
        remove_abandoned(parent)
    folders = [private_folder(parent) for parent in parents]
    java = f'"-Djava.io.tmpdir={folders[0]}"'
    settings = {
        "SPARK_LOCAL_DIRS": ",".join(map(str, folders)),
        "SPARK_SUBMIT_OPTS": " ".join(filter(None, (os.environ.get("SPARK_SUBMIT_OPTS"), java))),
        "TMPDIR": str(folders[0]),
    }
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def private_folder(parent: Path) -> Path:
    """A new folder that only this user can look into, removed when this process ends."""
    while True:
        folder = Path(mkdtemp(prefix=_PREFIX, dir=parent))
        held = os.open(folder, _OPEN)
        fcntl.flock(held, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(folder.lstat(), os.fstat(held)):
                # The lock is held until this process ends, however it does.
                atexit.register(shutil.rmtree, folder, ignore_errors=True)
                return folder
        os.close(held)  # somebody took it for abandoned before it was held


def remove_abandoned(parent: Path) -> None:
    """Removes the folders of this user's processes that are gone. Leaves links, and folders that
    belong to others or that others can look into."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            held = os.open(folder, _OPEN)
            try:
                status = os.fstat(held)
                if status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) == stat.S_IRWXU:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder)
            finally:
                os.close(held)
