"""Facts that a location alone tells."""

from __future__ import annotations

from functools import lru_cache

from prunescope.collectors.addresses import address_shown

_SAME = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfss": "abfs", "wasb": "abfs", "wasbs": "abfs"}
"""Schemes by which the same files are known."""

_OF_TABLES = ("metadata", "data")
"""Folders that Iceberg's writers make in that of a table."""


def storage_root(location: str) -> str:
    """Scheme and bucket of a location: files that share both are reachable, or not, together."""
    # No parser of URLs: these refuse what storages, or owners of tables, call their buckets.
    scheme, _, rest = location.partition(":")
    if "/" in scheme or not rest:
        return ""
    bucket = rest[2:].partition("/")[0] if rest.startswith("//") else ""
    return f"{scheme.lower()}://{bucket}"


@lru_cache(maxsize=256)  # on the way to a file, that is asked several times
def local_path(location: str) -> str | None:
    """The path of a local location (`/a/b`, `a/b`, `file:/a/b`, `file:///a/b`), else None."""
    scheme, _, rest = location.partition(":")
    if scheme.lower() == "file" and "/" not in scheme:
        # Locations are not URL-encoded: a `%2F` in one is part of a directory's name.
        return "/" + rest.lstrip("/")
    return location if "/" in scheme or not rest else None


def normal_scheme(location: str) -> str:
    """The scheme of a location, normalised: one for all schemes that name the same files."""
    scheme = location.partition(":")[0].lower()
    return _SAME.get(scheme, scheme)


def is_place(text: str) -> bool:
    """True if a text is a location with more than a scheme, or a root: warehouses of REST catalogs
    may be names (`lake`, `arn:aws:s3tables:…`)."""
    local = local_path(text)
    if local is not None:
        return local.startswith("/") and local.strip("/") != ""
    return "://" in text and text.partition("://")[2].strip("/") != ""


def table_folder(location: str) -> str:
    """The folder of the table that a file seems to be of: the one above the last `metadata` or
    `data`, else the one that the file is in, else the file."""
    scheme, separator, path = location.rpartition("://")
    folders = path.split("/")[:-1]
    # The first is a bucket, or, of a local path, the root: neither is all of a table's.
    inside = [n for n, name in enumerate(folders) if n > 1 and name in _OF_TABLES]
    folder = scheme + separator + "/".join(folders[: inside[-1]] if inside else folders)
    return folder if is_place(folder) else location


def shown(location: str) -> str:
    """A location as messages show it: without credentials, which stand before the host or, in
    signed addresses, in the query."""
    scheme, found, rest = location.partition("://")
    if not found:
        return location
    host, slash, path = rest.partition("/")
    if scheme.lower() in ("http", "https"):
        return address_shown(location) or f"{scheme}://…"
    if scheme.lower() in ("abfs", "abfss", "wasb", "wasbs"):
        return location  # container@account
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"
