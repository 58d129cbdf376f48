"""Why a file could not be read, whichever client was to read it."""

from __future__ import annotations

import errno
import re
from enum import Enum


class Kind(Enum):
    """What went wrong, as far as it matters for what to do next."""

    MISSING = "there is no such file"
    REFUSED = "access was refused; check the credentials and what they may read"
    TRANSIENT = "the storage was busy or the connection broke, time and again; run less at once"
    UNREACHABLE = "the storage did not answer as expected; check the endpoint and the region"
    SHORT = "the file ends before its own metadata says; it may have been overwritten"


class FileUnreadable(OSError):
    """One file could not be read; others can.

    The message holds nothing that a client said: clients quote access keys and signed addresses.
    """

    def __init__(self, path: str, kind: Kind) -> None:
        super().__init__(f"{path}: {kind.value}")
        self.kind = kind


class FileMissing(FileUnreadable, FileNotFoundError):
    """There is no such file."""

    def __init__(self, path: str) -> None:
        super().__init__(path, Kind.MISSING)


_AWS_ERROR = re.compile(r"AWS Error (?P<name>\w+)(?: \(HTTP status (?P<status>\d+)\))? during")
"""How Arrow 26 words an error of the AWS SDK; one that the SDK has no name for is `UNKNOWN`,
with its status."""

_MISSING = {"RESOURCE_NOT_FOUND", "NO_SUCH_KEY", "NO_SUCH_BUCKET", "404"}
_REFUSED = {
    *("ACCESS_DENIED", "INVALID_ACCESS_KEY_ID", "INVALID_CLIENT_TOKEN_ID", "INVALID_SIGNATURE"),
    *("MISSING_AUTHENTICATION_TOKEN", "SIGNATURE_DOES_NOT_MATCH", "UNRECOGNIZED_CLIENT"),
    *("401", "403"),
}
_TRANSIENT = {
    *("INTERNAL_FAILURE", "NETWORK_CONNECTION", "REQUEST_TIMEOUT", "SERVICE_UNAVAILABLE"),
    *("SLOW_DOWN", "THROTTLING"),
    *("408", "429", "500", "502", "503", "504"),
}

_NOBODY_THERE = re.compile(r"curlCode: (?:5|6|7|35|60),")
"""curl could not resolve a name, connect, or agree on TLS: waiting seldom mends an address."""


def unreadable(path: str, error: Exception) -> FileUnreadable:
    """What an exception means that a client raised while it read a file."""
    if isinstance(error, FileUnreadable):
        return error
    kind = _kind(error)
    return FileMissing(path) if kind is Kind.MISSING else FileUnreadable(path, kind)


def _kind(error: Exception) -> Kind:
    if isinstance(error, FileNotFoundError):
        return Kind.MISSING
    if isinstance(error, PermissionError):
        return Kind.REFUSED
    if isinstance(error, ConnectionRefusedError):
        return Kind.UNREACHABLE
    if isinstance(error, TimeoutError | ConnectionError):
        return Kind.TRANSIENT
    # s3fs 2026.9 words a range past the end of the file, HTTP status 416, as EINVAL.
    if isinstance(error, OSError) and error.errno == errno.EINVAL:
        return Kind.SHORT
    aws = _AWS_ERROR.search(str(error))
    code = (aws["status"] or aws["name"]) if aws else None
    if code in _MISSING:
        return Kind.MISSING
    if code in _REFUSED:
        return Kind.REFUSED
    if code == "416":
        return Kind.SHORT
    if code in _TRANSIENT and not _NOBODY_THERE.search(str(error)):
        return Kind.TRANSIENT
    return Kind.UNREACHABLE
