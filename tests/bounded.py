"""Calls in a process of their own, of little memory and time."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prunescope.collectors.errors import PrunescopeError

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.bounded_preloaded"])

MEMORY = 1 << 30
"""Bytes of address space that a call may have besides what is loaded: a third of a worker's."""
SECONDS = 20.0
"""CPU time of a call, on a machine that does other work."""

_KILLED_AFTER = int(2 * SECONDS)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a call ended: its result, or the error's code and message; and what it took."""

    result: Any
    code: str
    message: str
    peak: int
    """Bytes of resident memory, besides what was there before."""
    seconds: float
    """CPU time."""


def bounded(
    call: Callable[..., Any],
    *args: Any,
    before: Callable[[], Any] | None = None,
    memory: int = MEMORY,
) -> Ended:
    """What a call does with so many bytes, `before` which something is done with as many as that
    takes. Its result has to pickle. One that ends its process, or raises what is not raised on
    purpose, has the code `died` or the name of what was raised."""
    ours, theirs = FORKING.Pipe(duplex=False)
    process = FORKING.Process(target=_run, args=(theirs, call, args, before, memory), daemon=True)
    process.start()
    theirs.close()
    try:
        ended: Ended = ours.recv()
    except EOFError:
        process.join()
        ended = Ended(None, "died", f"ended with {process.exitcode}", 0, 0.0)
    finally:
        process.join()
        ours.close()
    return ended


def _run(
    to: Any,
    call: Callable[..., Any],
    args: tuple[Any, ...],
    before: Callable[[], Any] | None,
    memory: int,
) -> None:
    if before is not None:
        before()
    Path("/proc/self/clear_refs").write_text("5")  # what is resident now is the most
    resident = _resident("VmRSS")
    most = _resident("VmSize") + memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (_KILLED_AFTER, _KILLED_AFTER))
    start = time.process_time()
    result, code, message = None, "", ""
    try:
        result = call(*args)
    except PrunescopeError as error:
        code, message = str(error.code), str(error)
    except BaseException as error:  # noqa: BLE001  # the test judges it
        code, message = type(error).__name__, str(error)[:500]
    seconds = time.process_time() - start
    to.send(Ended(result, code, message, max(0, _resident("VmHWM") - resident), seconds))


def _resident(name: str) -> int:
    """A line of this process's status, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name + ":"))
