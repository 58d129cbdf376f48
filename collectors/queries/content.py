"""Forms of the bytes of a log: their compression and the encoding of their text. The first bytes
tell both, whatever the name of the file."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import IO

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.lines import UnsupportedCodec

GZIP, ZSTD, LZ4_BLOCKS, SNAPPY_BLOCKS = "gzip", "zstd", "Java's LZ4 blocks", "Java's Snappy blocks"
_PARQUET = "Parquet"
_MAGIC: tuple[tuple[re.Pattern[bytes], str], ...] = (
    (re.compile(rb"\x1f\x8b"), GZIP),
    (re.compile(rb"\x28\xb5\x2f\xfd"), ZSTD),
    (re.compile(rb"LZ4Block"), LZ4_BLOCKS),
    (re.compile(rb"\x82SNAPPY\x00"), SNAPPY_BLOCKS),
    (re.compile(rb"\x04\x22\x4d\x18"), "LZ4 frames"),
    (re.compile(rb"\xff\x06\x00\x00sNaPpY"), "Snappy frames"),
    (re.compile(rb"BZh[1-9]1AY&SY"), "bzip2"),
    (re.compile(rb"\xfd7zXZ\x00"), "xz"),
    (re.compile(rb"PK\x03\x04"), "zip"),
    (re.compile(rb"PAR1"), _PARQUET),
    (re.compile(rb"ORC"), "ORC"),
    (re.compile(rb"Obj\x01"), "Avro"),
    (re.compile(rb"SQLite format 3\x00"), "SQLite"),
)
_NAMES = ((".gz", GZIP), (".zst", ZSTD), (".zstd", ZSTD))
_HEAD = 16
_BOM = codecs.BOM_UTF8


class BadText(QueryError):
    """The text of a log is not in the encoding that its first bytes indicate."""

    code = Outcome.UNREADABLE_FILE


def beginning(raw: IO[bytes]) -> bytes:
    """The first bytes of a file that is at its beginning, and is left there."""
    head = raw.read(_HEAD)
    raw.seek(0)
    return head


def form_of(head: bytes, path: str) -> str | None:
    """The compressed form of a file: by its first bytes, or if these tell nothing, by its name;
    None for a file that is text."""
    for magic, form in _MAGIC:
        if magic.match(head):
            return form
    return next((form for ending, form in _NAMES if path.endswith(ending)), None)


def not_read(form: str) -> UnsupportedCodec:
    """The error of a file in a form that is not read."""
    if form == _PARQUET:
        return UnsupportedCodec(
            "the file is Parquet by its content and not by its name; let its name end in .parquet"
        )
    return UnsupportedCodec(
        f"the file is {form}, which is not read; write it as text, or compress it with gzip or zstd"
    )


def utf8_mark(head: bytes) -> int | None:
    """The length of the byte-order mark, mostly 0, of a text in UTF-8 by its first bytes; None for
    one in another encoding."""
    return {"utf-8": 0, "utf-8-sig": len(_BOM)}.get(json.detect_encoding(head))


def as_utf8(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """A text in UTF-8 without a byte-order mark. In UTF-16 and UTF-32 it may be without one as
    well: JSON begins with two characters of ASCII, of which the zeros tell the encoding. Raises
    BadText."""
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= _HEAD:
            break
    encoding = json.detect_encoding(head)
    if encoding in ("utf-8", "utf-8-sig"):
        yield head.removeprefix(_BOM)
        yield from chunks
        return
    decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
    try:
        for chunk in chain((head,), chunks):
            yield decoder.decode(chunk).encode("utf-8", "surrogatepass")
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise BadText(f"the text is not {encoding.upper()} to its end; was it cut off?") from None
