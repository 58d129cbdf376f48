"""Content with a checksum over all of it and the key that it is kept under: damaged content, or
that of another key, is none."""

from __future__ import annotations

import xxhash

_MAGIC = b"prunescope cache 1\n"
_CHECKSUM, _LENGTH = 16, 4


def seal(key: str, content: bytes) -> bytes:
    """A key and content, sealed."""
    name = key.encode()
    body = len(name).to_bytes(_LENGTH, "big") + name + content
    return _MAGIC + xxhash.xxh3_128_digest(body) + body


def unseal(sealed: bytes | memoryview) -> tuple[str, bytes] | None:
    """The key and the content, None if these are damaged."""
    start = len(_MAGIC) + _CHECKSUM
    body = memoryview(sealed)[start:]
    if sealed[:start] != _MAGIC + xxhash.xxh3_128_digest(body):
        return None
    end = _LENGTH + int.from_bytes(body[:_LENGTH], "big")
    return str(body[_LENGTH:end], errors="replace"), bytes(body[end:])


def content_of(sealed: bytes, key: str) -> bytes | None:
    """The content, if it is whole and of this key."""
    found = unseal(sealed)
    return found[1] if found is not None and found[0] == key else None
