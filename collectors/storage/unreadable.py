"""Reasons why a file could not be read, whichever client was to read it."""

from __future__ import annotations

import errno
import json
import os
import re
from enum import Enum

from prunescope.collectors.errors import StorageError, TableError, UnreadableMetadata
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.storage.locations import shown, table_folder


class Kind(Enum):
    """The kind of a failure, as far as it matters for the remedy."""

    MISSING = "there is no such file"
    REFUSED = "access was refused; check the credentials and what they may read"
    BAD_REQUEST = (
        "the storage refused the request; have the credentials expired, and is the region right?"
    )
    EXPIRED = (
        "the credentials have expired, and no others could be had; renew them, or see that the "
        "catalog that hands them out can be reached for as long as the run takes"
    )
    OTHER_CLOCK = "the storage has another time than this machine; set the clock of the machine"
    ELSEWHERE = (
        "the bucket is in another region, or at another endpoint; check the properties s3.region "
        "and s3.endpoint of the catalog"
    )
    THROTTLED = "the storage asked for fewer requests, time and again; run less at once"
    TRANSIENT = "the storage failed or the connection broke, time and again; try again later"
    NO_TLS = (
        "TLS failed; does the endpoint begin with https:// where it is http://, and is its "
        "certificate trusted?"
    )
    UNREACHABLE = "the storage did not answer as expected; check the endpoint and the region"
    UNKNOWN_PLACE = (
        "no client is made for it; it must begin with s3://, gs:// or abfss://, and abfss:// needs "
        "adls.account-name among the catalog's properties (--adls-account)"
    )
    NOT_ALLOWED = (
        "neither the catalog nor the configuration names this place for files of the table; if "
        "they may be read there, map it to itself (explain --path-map), or add to audit.yaml:"
    )
    NOT_A_FILE = "that is no regular file"
    TOO_LARGE = "the file is larger than any of its kind should be"
    TOO_SLOW = "the storage took too long to hand it over"
    DAMAGED = "the file has another checksum than the storage noted; restore it"
    SHORT = "the file ends before its own metadata says; it may have been overwritten"


OF_CREDENTIALS = (Kind.REFUSED, Kind.BAD_REQUEST, Kind.EXPIRED)
"""Kinds of failure that other credentials may mend."""


class FileUnreadable(OSError):
    """One file could not be read; others can.

    The message holds the name or the status of the client's error only, as `said`: clients quote
    access keys and signed addresses. `credentials` names the credentials that were refused.
    """

    def __init__(self, path: str, kind: Kind, said: str = "", credentials: str = "") -> None:
        self.kind = kind
        self.said = said
        self.credentials = credentials if kind in OF_CREDENTIALS else ""
        self.place = table_folder(shown(path)) if kind is Kind.NOT_ALLOWED else None
        """The place that would have to be allowed."""
        super().__init__(f"{shown(path)}: {self.why}")

    @property
    def why(self) -> str:
        """The message without the path."""
        if self.place is not None:
            return f"{self.kind.value} {allowing(self.place)}"
        told = f"{self.said}: {self.kind.value}" if self.said else self.kind.value
        return f"{told}; {self.credentials}" if self.credentials else told


def allowing(place: str) -> str:
    """The line of a configuration that lets files of tables be read in a place."""
    return f"locations: {{allow: [{json.dumps(place, ensure_ascii=False)}]}}"


class FileMissing(FileUnreadable, FileNotFoundError):
    """There is no such file."""

    def __init__(self, path: str, said: str = "") -> None:
        super().__init__(path, Kind.MISSING, said)


_AWS_ERROR = re.compile(r"AWS Error (?P<name>\w+)(?: \(HTTP status (?P<status>\d+)\))? during")
"""Matches Arrow 26's message for an error of the AWS SDK; one that the SDK has no name for is
`UNKNOWN`, with its status."""
_UNNAMED = re.compile(r"Unable to parse ExceptionName: (?P<code>\w+)")
"""Matches the service's own name for such an error, which Arrow adds if the answer had a body: that
to a HEAD has none. Arrow has the SDK read the body out of a buffer as long as the requested range,
which ends with remains of earlier answers: where that is no XML, Arrow adds no name.
"""
_CODE = re.compile(r"\w{1,64}")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_KINDS = {
    Kind.MISSING: ("RESOURCE_NOT_FOUND", "NO_SUCH_KEY", "NO_SUCH_BUCKET", "404"),
    Kind.REFUSED: (
        *("ACCESS_DENIED", "INVALID_ACCESS_KEY_ID", "INVALID_CLIENT_TOKEN_ID", "INVALID_SIGNATURE"),
        *("MISSING_AUTHENTICATION_TOKEN", "SIGNATURE_DOES_NOT_MATCH", "UNRECOGNIZED_CLIENT"),
        *("401", "403"),
    ),
    # A token that is none is one that was cut off or is of another service: asking for another
    # is what helps.
    Kind.EXPIRED: ("EXPIRED_TOKEN", "INVALID_TOKEN", "TOKEN_REFRESH_REQUIRED", "REQUEST_EXPIRED"),
    Kind.OTHER_CLOCK: ("REQUEST_TIME_TOO_SKEWED",),
    Kind.ELSEWHERE: (
        *("PERMANENT_REDIRECT", "TEMPORARY_REDIRECT", "REDIRECT", "301", "307"),
        *("AUTHORIZATION_HEADER_MALFORMED", "ILLEGAL_LOCATION_CONSTRAINT_EXCEPTION"),
    ),
    # What S3 answers where a token has expired, and to a HEAD without a word.
    Kind.BAD_REQUEST: ("400",),
    Kind.SHORT: ("INVALID_RANGE", "416"),
    Kind.THROTTLED: ("SERVICE_UNAVAILABLE", "SLOW_DOWN", "THROTTLING", "429", "503"),
    Kind.TRANSIENT: (
        *("INTERNAL_ERROR", "INTERNAL_FAILURE", "NETWORK_CONNECTION", "REQUEST_TIMEOUT"),
        *("408", "500", "502", "504"),
    ),
}
_BY_CODE = {code: kind for kind, codes in _KINDS.items() for code in codes}
"""Kinds of failure by the codes of services, spelt as the AWS SDK spells them, and by statuses."""

_OTHER_CHECKSUM = re.compile("checksums mismatch|did not match calculated checksum")
"""Matches messages of Arrow 26 and botocore that content differs from what was uploaded with a
checksum."""

_CURL = re.compile(r"curlCode: (?P<code>\d+),")
_NOBODY_THERE = {
    **dict.fromkeys(("5", "6", "7"), Kind.UNREACHABLE),
    **dict.fromkeys(("35", "60"), Kind.NO_TLS),
}
"""curl could not resolve a name, connect, or agree on TLS: waiting seldom mends an address."""

_NO_NAMES = (errno.ENAMETOOLONG, errno.ELOOP)
"""Errors of a local path that no file can have, or whose links lead round in a circle."""
_NUL = "embedded null byte"
"""Python's message about a path with a null byte, which no file has either."""


def why_storage_failed(error: BaseException) -> str | None:
    """The reason why writing to a storage failed, without a path; None if another error than one of
    the storage was raised: clients of HTTP derive their errors from OSError as well."""
    if not isinstance(error, OSError) or type(error).__module__.startswith("requests"):
        return None
    found = unreadable("", error)
    of_a_disk = found.kind is Kind.UNREACHABLE or error.errno in (errno.ENOTDIR, *_NO_NAMES)
    if of_a_disk and error.errno is not None:
        return f"{found.said}: {os.strerror(error.errno)}"  # a disk's words, and no one else's
    return found.why


def unreadable(path: str, error: Exception, credentials: str = "") -> FileUnreadable:
    """The FileUnreadable for an exception that a client raised while it read a file."""
    if isinstance(error, FileUnreadable):
        return error
    kind, said = _kind(error), _said(error)
    return (
        FileMissing(path, said)
        if kind is Kind.MISSING
        else FileUnreadable(path, kind, said, credentials)
    )


def _said(error: Exception) -> str:
    told = _codes(error)
    if told:
        return next((code for code in told if _kind_of_code(code) is not None), told[0])
    return errno.errorcode.get(error.errno or 0, "") if isinstance(error, OSError) else ""


def _codes(error: Exception) -> list[str]:
    """Names that a service gave an error, the most telling first."""
    aws = _AWS_ERROR.search(str(error))
    if aws:
        unnamed = _UNNAMED.search(str(error))
        status = f"{aws['name']}, HTTP status {aws['status']}" if aws["status"] else aws["name"]
        return [status] if unnamed is None else [unnamed["code"], status]
    # Of botocore, for which s3fs raises an error of Python's.
    response = getattr(error.__cause__, "response", None)
    if not isinstance(response, dict):
        return []
    said = str(response.get("Error", {}).get("Code", ""))
    status = str(response.get("ResponseMetadata", {}).get("HTTPStatusCode", ""))
    return [code for code in (said, status) if _CODE.fullmatch(code)]


def _kind_of_code(code: str) -> Kind | None:
    name, _, status = code.partition(", HTTP status ")
    return _BY_CODE.get(status or _WORDS.sub("_", name).upper())


def _kind(error: Exception) -> Kind:
    codes = filter(None, map(_kind_of_code, _codes(error)))
    found = next(codes, None)
    curl = _CURL.search(str(error)) if found is Kind.TRANSIENT else None
    if curl is not None and curl["code"] in _NOBODY_THERE:
        return _NOBODY_THERE[curl["code"]]
    if found is not None:
        return found
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
    return Kind.UNREACHABLE


_CODES = {
    Kind.REFUSED: Outcome.ACCESS_DENIED,
    Kind.BAD_REQUEST: Outcome.ACCESS_DENIED,
    Kind.EXPIRED: Outcome.ACCESS_DENIED,
    Kind.OTHER_CLOCK: Outcome.ACCESS_DENIED,
    Kind.ELSEWHERE: Outcome.STORAGE_UNREACHABLE,
    Kind.THROTTLED: Outcome.STORAGE_THROTTLED,
    Kind.TRANSIENT: Outcome.STORAGE_UNREACHABLE,
    Kind.UNREACHABLE: Outcome.STORAGE_UNREACHABLE,
    Kind.NO_TLS: Outcome.STORAGE_UNREACHABLE,
    Kind.UNKNOWN_PLACE: Outcome.STORAGE_UNREACHABLE,
    Kind.NOT_ALLOWED: Outcome.LOCATION_NOT_ALLOWED,
    Kind.NOT_A_FILE: Outcome.NOT_A_FILE,
    Kind.TOO_LARGE: Outcome.FILE_TOO_LARGE,
    Kind.TOO_SLOW: Outcome.STORAGE_TOO_SLOW,
}


def table_error(what: str, error: FileUnreadable) -> TableError:
    """The error of a table whose metadata file, named by `what`, could not be read."""
    code = _CODES.get(error.kind)
    message = f"{what} cannot be read: {error}"
    return UnreadableMetadata(message) if code is None else StorageError(message, code, error.place)
