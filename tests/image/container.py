"""Running programs in the built image as a cluster would: nobody's user, a read-only root, and only
what is mounted to write to. It takes root, and neither a daemon nor a runtime of containers."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

USER = 185
_DEVICES = ("null", "zero", "random", "urandom")


@dataclass(frozen=True, slots=True)
class Image:
    """An image whose root file system is mounted, and how it is configured."""

    root: Path
    config: Mapping[str, Any]
    """`Entrypoint`, `Cmd`, `Env`, `User` and `WorkingDir`, as OCI has them."""

    @property
    def environment(self) -> dict[str, str]:
        """The variables that every container of it has."""
        return dict(variable.split("=", 1) for variable in self.config["Env"])


@dataclass(frozen=True, slots=True)
class Container:
    """A command in an image."""

    image: Image
    arguments: Sequence[str]
    entrypoint: Sequence[str] | None = None
    """Instead of the image's."""
    environment: Mapping[str, str] = field(default_factory=dict)
    volumes: Mapping[str, Path] = field(default_factory=dict)
    """Folders, by where they are mounted; `/tmp` is there in any case."""
    read_only: frozenset[str] = frozenset()
    """The volumes that cannot be written to."""
    has_network: bool = False
    """Whether it has this machine's network, or only a loopback of its own."""

    def command(self) -> list[str]:
        """The command that runs it, in namespaces of its own that end with it."""
        namespaces = ["--mount", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc"]
        if not self.has_network:
            namespaces.append("--net")
        return ["unshare", *namespaces, "sh", "-euc", self._script()]

    def run(self, timeout: float = 400) -> subprocess.CompletedProcess[str]:
        """Runs it to its end."""
        return subprocess.run(
            self.command(), capture_output=True, text=True, check=False, timeout=timeout
        )

    @contextmanager
    def running(self, log: Path) -> Iterator[subprocess.Popen[bytes]]:
        """Runs it meanwhile, and writes what it prints to a file."""
        with self.start(log) as process:
            try:
                yield process
            finally:
                stop(process)

    def start(self, log: Path) -> subprocess.Popen[bytes]:
        """Starts it, and adds what it prints to a file."""
        with log.open("ab") as printed:
            return subprocess.Popen(self.command(), stdout=printed, stderr=printed)

    def _script(self) -> str:
        root = self.image.root
        lines = ["mount --make-rprivate /", f"mount --bind {root} {root}", f"cd {root}"]
        lines += ["mount -t proc proc proc", "mount -t tmpfs -o mode=755,size=64m tmpfs dev"]
        for device in _DEVICES:
            lines += [f"touch dev/{device}", f"mount --bind /dev/{device} dev/{device}"]
        lines += [
            "ln -s /proc/self/fd dev/fd",
            "mkdir dev/shm",
            "mount -t tmpfs -o mode=1777 tmpfs dev/shm",
        ]
        lines.append("mount -t tmpfs -o mode=1777 tmpfs tmp")
        for target, folder in self.volumes.items():
            # The image's own links lead into the image.
            lines.append(f"chroot . mkdir -p {shlex.quote(target)}")
            lines.append(f'inside=".$(chroot . realpath {shlex.quote(target)})"')
            lines.append(f'mount --bind {shlex.quote(str(folder))} "$inside"')
            if target in self.read_only:
                lines.append('mount -o remount,bind,ro "$inside"')
        hosts = 'printf "127.0.0.1 localhost %s\\n" "$(hostname)" > dev/hosts'
        lines += [hosts, "mount --bind dev/hosts etc/hosts", f"mount -o remount,bind,ro {root}"]
        if not self.has_network:
            lines.append("ip link set lo up")
        config = self.image.config
        entrypoint = config.get("Entrypoint", []) if self.entrypoint is None else self.entrypoint
        variables = self.image.environment | dict(self.environment)
        begin = 'cd "$0" && exec "$@"'
        started = [
            *("setpriv", "--no-new-privs", "chroot", f"--userspec={config['User']}"),
            *(f"--groups={USER}", ".", "/usr/bin/env", "-i"),
            *(f"{name}={value}" for name, value in variables.items()),
            *("/bin/sh", "-c", begin, config["WorkingDir"], *entrypoint, *self.arguments),
        ]
        return "\n".join([*lines, f"exec {shlex.join(started)}"])


def stop(process: subprocess.Popen[bytes], grace: float = 30) -> int:
    """Asks the program of a container to end, kills it after a while, and tells its exit code."""
    send(process, signal.SIGTERM)
    try:
        return process.wait(grace)
    except subprocess.TimeoutExpired:
        send(process, signal.SIGKILL)
        return process.wait()


def send(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Sends a signal to the program of a container: what started it would not pass it on."""
    if process.poll() is None:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        for child in children.read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), number)


@contextmanager
def mounted(name: str) -> Iterator[Image]:
    """The image of a name that a builder of this machine has."""
    container = _buildah("from", "--pull-never", name)
    try:
        root = Path(_buildah("mount", container))
        inspected = json.loads(_buildah("inspect", container))
        yield Image(root, inspected["OCIv1"]["config"])
    finally:
        _buildah("rm", container)


def _buildah(*arguments: str) -> str:
    done = subprocess.run(["buildah", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"buildah {arguments[0]}: {done.stderr}")
    return done.stdout.strip()
