"""Why a file could not be read, whichever client was to read it."""

from __future__ import annotations

import errno
import os
import re
from enum import Enum

from collectors.errors import StorageError, TableError, UnreadableMetadata
from collectors.outcomes import Outcome
from collectors.storage.locations import shown


class Kind(Enum):
    """What went wrong, as far as it matters for what to do next."""

    MISSING = "there is no such file"
    REFUSED = "access was refused; check the credentials and what they may read"
    BAD_REQUEST = (
        "the storage refused the request; have the credentials expired, and is the region right?"
    )
    THROTTLED = "the storage asked for fewer requests, time and again; run less at once"
    TRANSIENT = "the storage failed or the connection broke, time and again; try again later"
    UNREACHABLE = "the storage did not answer as expected; check the endpoint and the region"
    UNKNOWN_PLACE = (
        "no client is made for it; it must begin with s3://, gs:// or abfss://, and abfss:// needs "
        "adls.account-name among the catalog's properties (--adls-account)"
    )
    NOT_ALLOWED = (
        "a table must not have just anything read; if this is to be read, add its folder or bucket "
        "to locations.allow of the configuration, or map it to itself with --path-map"
    )
    NOT_A_FILE = "that is no regular file"
    TOO_LARGE = "the file is larger than any of its kind should be"
    TOO_SLOW = "the storage took too long to hand it over"
    DAMAGED = "the file has another checksum than the storage noted; restore it"
    SHORT = "the file ends before its own metadata says; it may have been overwritten"


class FileUnreadable(OSError):
    """One file could not be read; others can.

    Of what a client said, the message holds the name or the status of the error only, as `said`:
    clients quote access keys and signed addresses.
    """

    def __init__(self, path: str, kind: Kind, said: str = "") -> None:
        self.kind = kind
        self.said = said
        super().__init__(f"{shown(path)}: {self.why}")

    @property
    def why(self) -> str:
        """The message, but for the path."""
        return f"{self.said}: {self.kind.value}" if self.said else self.kind.value


class FileMissing(FileUnreadable, FileNotFoundError):
    """There is no such file."""

    def __init__(self, path: str, said: str = "") -> None:
        super().__init__(path, Kind.MISSING, said)


_AWS_ERROR = re.compile(r"AWS Error (?P<name>\w+)(?: \(HTTP status (?P<status>\d+)\))? during")
"""How Arrow 26 words an error of the AWS SDK; one that the SDK has no name for is `UNKNOWN`,
with its status."""

_MISSING = {"RESOURCE_NOT_FOUND", "NO_SUCH_KEY", "NO_SUCH_BUCKET", "404"}
_REFUSED = {
    *("ACCESS_DENIED", "INVALID_ACCESS_KEY_ID", "INVALID_CLIENT_TOKEN_ID", "INVALID_SIGNATURE"),
    *("MISSING_AUTHENTICATION_TOKEN", "SIGNATURE_DOES_NOT_MATCH", "UNRECOGNIZED_CLIENT"),
    *("401", "403"),
}
_THROTTLED = {"SERVICE_UNAVAILABLE", "SLOW_DOWN", "THROTTLING", "429", "503"}
_TRANSIENT = {
    *("INTERNAL_FAILURE", "NETWORK_CONNECTION", "REQUEST_TIMEOUT"),
    *("408", "500", "502", "504"),
}

_OTHER_CHECKSUM = re.compile("checksums mismatch|did not match calculated checksum")
"""How Arrow 26 and botocore word that content is not what was uploaded with a checksum."""

_NOBODY_THERE = re.compile(r"curlCode: (?:5|6|7|35|60),")
"""curl could not resolve a name, connect, or agree on TLS: waiting seldom mends an address."""

_NO_NAMES = (errno.ENAMETOOLONG, errno.ELOOP)
"""Of a local path that no file can have, or whose links lead round in a circle."""
_NUL = "embedded null byte"
"""What Python says of a path that has one, which no file does either."""


def why_storage_failed(error: BaseException) -> str | None:
    """What went wrong with a storage that was to be written, without a path; None where it was not
    the storage: clients of HTTP derive their errors from OSError as well."""
    if not isinstance(error, OSError) or type(error).__module__.startswith("requests"):
        return None
    found = unreadable("", error)
    of_a_disk = found.kind is Kind.UNREACHABLE or error.errno in (errno.ENOTDIR, *_NO_NAMES)
    if of_a_disk and error.errno is not None:
        return f"{found.said}: {os.strerror(error.errno)}"  # a disk's words, and no one else's
    return found.why


def unreadable(path: str, error: Exception) -> FileUnreadable:
    """What an exception means that a client raised while it read a file."""
    if isinstance(error, FileUnreadable):
        return error
    kind, said = _kind(error), _said(error)
    return FileMissing(path, said) if kind is Kind.MISSING else FileUnreadable(path, kind, said)


def _said(error: Exception) -> str:
    aws = _AWS_ERROR.search(str(error))
    if aws:
        return f"{aws['name']}, HTTP status {aws['status']}" if aws["status"] else aws["name"]
    return errno.errorcode.get(error.errno or 0, "") if isinstance(error, OSError) else ""


def _kind(error: Exception) -> Kind:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Kind.MISSING
    if getattr(error, "errno", None) in _NO_NAMES or str(error) == _NUL:
        return Kind.MISSING
    if isinstance(error, PermissionError):
        return Kind.REFUSED
    if isinstance(error, ConnectionRefusedError):
        return Kind.UNREACHABLE
    if isinstance(error, TimeoutError | ConnectionError):
        return Kind.TRANSIENT
    # s3fs 2026.9 words SlowDown as EBUSY.
    if isinstance(error, OSError) and error.errno == errno.EBUSY:
        return Kind.THROTTLED
    # s3fs 2026.9 words a range past the end of the file, HTTP status 416, as EINVAL.
    if isinstance(error, OSError) and error.errno == errno.EINVAL:
        return Kind.SHORT
    if _OTHER_CHECKSUM.search(str(error)):
        return Kind.DAMAGED
    aws = _AWS_ERROR.search(str(error))
    code = (aws["status"] or aws["name"]) if aws else None
    if code in _MISSING:
        return Kind.MISSING
    if code in _REFUSED:
        return Kind.REFUSED
    # What S3 answers where a token has expired, and to a HEAD without a word.
    if code == "400":
        return Kind.BAD_REQUEST
    if code == "416":
        return Kind.SHORT
    if code in _THROTTLED:
        return Kind.THROTTLED
    if code in _TRANSIENT and not _NOBODY_THERE.search(str(error)):
        return Kind.TRANSIENT
    return Kind.UNREACHABLE


_CODES = {
    Kind.REFUSED: Outcome.ACCESS_DENIED,
    Kind.BAD_REQUEST: Outcome.ACCESS_DENIED,
    Kind.THROTTLED: Outcome.STORAGE_THROTTLED,
    Kind.TRANSIENT: Outcome.STORAGE_UNREACHABLE,
    Kind.UNREACHABLE: Outcome.STORAGE_UNREACHABLE,
    Kind.UNKNOWN_PLACE: Outcome.STORAGE_UNREACHABLE,
    Kind.NOT_ALLOWED: Outcome.LOCATION_NOT_ALLOWED,
    Kind.NOT_A_FILE: Outcome.NOT_A_FILE,
    Kind.TOO_LARGE: Outcome.FILE_TOO_LARGE,
    Kind.TOO_SLOW: Outcome.STORAGE_TOO_SLOW,
}


def table_error(what: str, error: FileUnreadable) -> TableError:
    """The failure of a table, of whose metadata `what` could not be read."""
    code = _CODES.get(error.kind)
    message = f"{what} cannot be read: {error}"
    return UnreadableMetadata(message) if code is None else StorageError(message, code)
