"""A machine that systemd runs, as a container over the files of this one: what is written there
goes with it, and nothing is started but what a test starts. It takes root."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_WITHIN = 60.0
"""Seconds within which it boots, and within which what was started has its effect."""


class CannotBoot(Exception):
    """Systemd does not come up in a container here: what is tested has no part in that yet."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A running machine, by the process that systemd is."""

    leader: int

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Runs a command there, as root."""
        enter = ["nsenter", f"--target={self.leader}", "--all", "--root", "--wdns=/srv/project"]
        return subprocess.run([*enter, *command], capture_output=True, text=True, check=False)

    def output(self, *command: str) -> str:
        """What a command prints that must not fail."""
        done = self.run(*command)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def properties(self, unit: str, *names: str) -> dict[str, str]:
        """What systemd knows of a unit."""
        shown = self.output("systemctl", "show", f"--property={','.join(names)}", unit)
        return dict(line.split("=", 1) for line in shown.splitlines())


@contextmanager
def booted(folder: Path, folders: Mapping[str, Path]) -> Iterator[Machine]:
    """A machine that sees some folders, by where they are there; none can be written to. Raises
    CannotBoot."""
    root = folder / "root"
    root.mkdir()
    # Over a mount of its own, as the root of this machine itself is refused.
    command = [
        *("unshare", "--mount", "sh", "-euc", 'mount --bind / "$0" && exec "$@"', str(root)),
        *("systemd-nspawn", "--quiet", f"--directory={root}", "--volatile=overlay", "--boot"),
        *("--register=no", "--keep-unit", "--private-network", "--machine=prunescope-test"),
        *("--link-journal=no", "--console=pipe"),
        *(f"--bind-ro={source}:{target}" for target, source in folders.items()),
        "systemd.unit=basic.target",
    ]
    variables = os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
    log = folder / "boot.log"
    with (
        log.open("wb") as printed,
        subprocess.Popen(
            command, env=variables, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed
        ) as process,
    ):
        try:
            yield Machine(_leader(process, log))
        finally:
            # Whatever is inside ends with it.
            for child in _children(process):
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)


def _leader(process: subprocess.Popen[bytes], log: Path) -> int:
    deadline = time.monotonic() + _WITHIN
    while process.poll() is None and time.monotonic() < deadline:
        for child in _children(process):
            state = Machine(child).run("systemctl", "is-system-running").stdout.strip()
            if state in {"running", "degraded"}:
                return child
        time.sleep(0.2)
    raise CannotBoot(log.read_text(errors="replace")[-4_000:])


def _children(process: subprocess.Popen[bytes]) -> list[int]:
    try:
        told = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    except FileNotFoundError:
        return []
    return [int(child) for child in told.split()]


def until(condition: Callable[[], object], machine: Machine, unit: str) -> None:
    """Waits for something to come true; if it does not, or a unit fails, the journal has why."""
    deadline = time.monotonic() + _WITHIN
    while not condition():
        failed = machine.run("systemctl", "is-failed", "--quiet", unit).returncode == 0
        journal = machine.run("journalctl", "--no-pager", f"--unit={unit}").stdout
        assert not failed, journal[-4_000:]
        assert time.monotonic() < deadline, journal[-4_000:]
        time.sleep(0.3)
