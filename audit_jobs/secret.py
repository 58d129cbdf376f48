"""The secret of an installation, the key of hashes of literals: without it, nobody can find a
literal by trying values until one has a published hash."""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.collectors.errors import what_failed

VARIABLE = "PRUNESCOPE_SECRET"
"""The environment variable that holds it, wherever a file does as well."""

_BYTES = 32
_MIN_CHARACTERS = 32
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Secret:
    """A key that no message, log or row shows. Tasks get it as they get credentials of storage:
    within the functions that they run."""

    key: bytes = field(repr=False)

    def digest(self, *identity: object) -> str:
        """Hexadecimal digits that are the same for the same identity in every run of one secret,
        and for no other."""
        told = repr(identity).encode(errors="surrogatepass")
        return hmac.new(self.key, told, "sha256").hexdigest()[:_DIGITS]


def random_secret() -> Secret:
    """A secret that nobody else has, and that is gone when the run ends."""
    return Secret(secrets.token_bytes(_BYTES))


def find_secret(file: Path | None) -> Secret | None:
    """The secret in the environment, or else in a file; None if neither is configured. Raises
    BadConfiguration for one that is too short, cannot be read, or can be read by others."""
    text = os.environ.get(VARIABLE, "")
    if text:
        return _of(text, VARIABLE)
    return None if file is None else _of(_private_text(file), f"secret_file {file}")


def make_secret(file: Path) -> None:
    """Writes a new secret to a file that nobody else can read. One that is there stays. Raises
    OSError."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(f"{secrets.token_hex(_BYTES)}\n")
    except OSError:
        file.unlink()  # a part of one would stay
        raise


def _of(text: str, name: str) -> Secret:
    found = text.strip()
    if len(found) < _MIN_CHARACTERS:
        raise BadConfiguration(
            f"{name} has fewer than {_MIN_CHARACTERS} characters, and could be found by trying; "
            f"make one: head -c {_BYTES} /dev/urandom | base64"
        )
    return Secret(found.encode())


def _private_text(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as opened:
            status = os.fstat(opened.fileno())
            if status.st_uid not in (os.geteuid(), 0):
                raise BadConfiguration(
                    f"secret_file {file} belongs to another user, who may know and change it; make "
                    f"one of your own, or set {VARIABLE} instead"
                )
            if stat.S_IMODE(status.st_mode) & 0o077:
                raise BadConfiguration(
                    f"secret_file {file} can be read by others: chmod 600 {file}; if somebody may "
                    "have read it, replace it (docs/security.md says what that changes)"
                )
            return opened.read()
    except FileNotFoundError as error:
        raise BadConfiguration(
            f"there is no secret_file {file}; make one (umask 077; head -c {_BYTES} /dev/urandom | "
            f"base64 > {file}), or set {VARIABLE} instead"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(
            f"secret_file {file} cannot be read ({what_failed(error)}); correct its name or owner, "
            f"or set {VARIABLE} instead"
        ) from error
