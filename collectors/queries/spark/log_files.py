"""The files of Spark's event logs: which belong together, and the lines in them.

Spark names a log `<appId>[.<codec>][.inprogress]`, or, rolling, a directory `eventlog_v2_<appId>`
with files `events_<n>_<appId>[.<codec>][.compact]` (EventLogFileWriters, Spark 3.0 to 4.1). The
codecs frame their data as Spark's CompressionCodec writes it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import IO, cast

import pyarrow as pa
import zstandard

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries import content
from prunescope.collectors.queries.content import beginning, form_of, not_read
from prunescope.collectors.queries.lines import (
    CHUNK,
    MAX_LINE,
    Measured,
    UnsupportedCodec,
    bounded,
    large_window,
    split_lines,
)
from prunescope.collectors.storage.files import Storage

_ROLLING = "eventlog_v2_"
_ROLLED = re.compile(r"events_(?P<number>\d{1,9})_.*?(?P<compact>\.compact)?")
_IN_PROGRESS = ".inprogress"
# The largest block that is unpacked: Spark's are 32 KiB to 1 MiB.
_MAX_BLOCK = 64 << 20

_ENDINGS = {
    "zstd": content.ZSTD,
    "zst": content.ZSTD,
    "lz4": content.LZ4_BLOCKS,
    "snappy": content.SNAPPY_BLOCKS,
    "gz": content.GZIP,
    "lzf": "lzf",
}

_LZ4_MAGIC = b"LZ4Block"
_LZ4_HEADER = 21  # magic, token, compressed and decompressed length, checksum
_LZ4_RAW, _LZ4_PACKED = 0x10, 0x20
_GZIP_CHUNK = 1 << 14
_SNAPPY_MAGIC = b"\x82SNAPPY\x00"
_SNAPPY_HEADER = 16  # magic, version, compatible version


class CorruptLog(QueryError):
    """A log cannot be unpacked from here on, and it is not merely cut off."""

    code = Outcome.UNREADABLE_FILE


def group_logs(files: Sequence[str]) -> list[tuple[str, ...]]:
    """The files that make up each log, in order. A compacted file stands for those before it
    (RollingEventLogFilesFileReader); checksums, the status files of rolling logs, and the
    unfinished file of a log that is there finished are left out."""
    names = set(files)
    groups: dict[str, list[str]] = {}
    for file in files:
        folder, _, name = file.rpartition("/")
        if name.startswith((".", "_", "appstatus")) or name.endswith(".crc"):
            continue
        if file.endswith(_IN_PROGRESS) and file.removesuffix(_IN_PROGRESS) in names:
            continue
        if not folder.rpartition("/")[2].startswith(_ROLLING):
            groups.setdefault(file, []).append(file)
        elif _rolled(file) is not None:
            groups.setdefault(folder, []).append(file)
    return [_ordered(group) for group in groups.values()]


def is_missing_before(path: str, previous: str) -> bool:
    """True if files of a rolling log are missing between two of its files."""
    one, other = _rolled(previous), _rolled(path)
    return one is not None and other is not None and int(other["number"]) > int(one["number"]) + 1


def _rolled(file: str) -> re.Match[str] | None:
    return _ROLLED.fullmatch(file.rpartition("/")[2])


def _ordered(files: list[str]) -> tuple[str, ...]:
    if len(files) == 1:
        return tuple(files)
    rolled = sorted(
        (int(found["number"]), found["compact"] is not None, file)
        for file in files
        if (found := _rolled(file))
    )
    compacted = max((number for number, is_compact, _ in rolled if is_compact), default=-1)
    return tuple(
        file
        for number, is_compact, file in rolled
        if number > compacted or (number == compacted and is_compact)
    )


def log_lines(path: str, storage: Storage) -> Iterator[bytes | None]:
    """The lines of one file; None for one that is longer than MAX_LINE. The last line may be cut
    off, as the file may be: what can be unpacked is read, a block at a time.

    Raises CorruptLog, UnsupportedCodec, UnpacksTooMuch, OSError, and TableError where no FileIO
    opens it.
    """
    with storage.open(path) as raw:
        packed = Measured(raw)
        unpack = _unpacker(form_of(beginning(raw), path), path)
        for _, line in split_lines(bounded(unpack(packed), packed), MAX_LINE):
            yield line


def _unpacker(form: str | None, path: str) -> Callable[[Measured], Iterator[bytes]]:
    """The function that unpacks a form; without a form, the one for the file's name."""
    name = path.rpartition("/")[2]
    for ending in (".compact", _IN_PROGRESS):
        name = name.removesuffix(ending)
    match form or _ENDINGS.get(name.rpartition(".")[2]):
        case None:
            return _plain
        case content.ZSTD:
            return _zstd
        case content.LZ4_BLOCKS:
            return _lz4
        case content.SNAPPY_BLOCKS:
            return _snappy
        case content.GZIP:
            return _gzip
        case "lzf":
            raise UnsupportedCodec(
                "the log is compressed with lzf, which is not read; set "
                "spark.eventLog.compression.codec to zstd, lz4 or snappy"
            )
        case other:
            raise not_read(other)


def _plain(raw: Measured) -> Iterator[bytes]:
    while chunk := raw.read(CHUNK):
        yield chunk


def _gzip(raw: Measured) -> Iterator[bytes]:
    """Members, one after the other. A little at a time: what follows a member is copied."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        while pending := raw.read(_GZIP_CHUNK):
            while pending:
                yield unpacker.decompress(pending, CHUNK)
                pending = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                if unpacker.eof:
                    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    except zlib.error:
        raise _corrupt() from None


def _zstd(raw: Measured) -> Iterator[bytes]:
    """Frames, one after the other; the last may be cut off, which ends the stream silently."""
    reader = zstandard.ZstdDecompressor().stream_reader(
        cast(IO[bytes], raw), read_across_frames=True
    )
    try:
        # Not `read`: where damage follows, it loses what it has read.
        while chunk := reader.read1(CHUNK):
            yield chunk
    except zstandard.ZstdError as error:
        raise large_window(error) or _corrupt() from None


def _lz4(raw: Measured) -> Iterator[bytes]:
    """Java's LZ4BlockOutputStream (lz4-java 1.8): not the lz4 frame format. Its checksums are
    left alone, the lengths are checked."""
    codec = pa.Codec("lz4_raw")
    while len(header := raw.read(_LZ4_HEADER)) == _LZ4_HEADER:
        method, largest = header[8] & 0xF0, 1 << (10 + (header[8] & 0x0F))
        packed = int.from_bytes(header[9:13], "little")
        size = int.from_bytes(header[13:17], "little")
        if not header.startswith(_LZ4_MAGIC) or size > largest or packed > _MAX_BLOCK:
            raise _corrupt()
        block = raw.read(packed)
        if len(block) < packed:
            return
        if method == _LZ4_PACKED and packed and size:
            # Arrow does not tell how much of the buffer it filled.
            if size > 1 and _fits(codec, block, size - 1):
                raise _corrupt()
            yield _unpacked(codec, block, size)
        elif method == _LZ4_RAW and packed == size:
            yield block
        else:
            raise _corrupt()


def _snappy(raw: Measured) -> Iterator[bytes]:
    """snappy-java's SnappyOutputStream; a stream that was opened again has a second header."""
    codec = pa.Codec("snappy")
    header = raw.read(_SNAPPY_HEADER)
    if len(header) == _SNAPPY_HEADER and not header.startswith(_SNAPPY_MAGIC):
        raise _corrupt()
    while len(length := raw.read(4)) == 4:
        if length == _SNAPPY_MAGIC[:4]:
            rest = raw.read(_SNAPPY_HEADER - 4)
            if not _SNAPPY_MAGIC[4:].startswith(rest[:4]):
                raise _corrupt()
            continue
        packed = int.from_bytes(length, "big")
        if packed > _MAX_BLOCK:
            raise _corrupt()
        block = raw.read(packed)
        if len(block) < packed:
            return
        yield _unpacked(codec, block, _snappy_size(block))


def _snappy_size(block: bytes) -> int:
    """The size of the unpacked block: the varint in front of it."""
    size = 0
    for position, byte in enumerate(block[:5]):
        size |= (byte & 0x7F) << (7 * position)
        if byte < 0x80:
            return size
    raise _corrupt()


def _unpacked(codec: pa.Codec, block: bytes, size: int) -> bytes:
    if size > _MAX_BLOCK:
        raise _corrupt()
    try:
        content = cast(bytes, codec.decompress(block, size, asbytes=True)) if size else b""
    except (pa.ArrowException, OSError):
        raise _corrupt() from None
    if len(content) != size:
        raise _corrupt()
    return content


def _fits(codec: pa.Codec, block: bytes, size: int) -> bool:
    try:
        codec.decompress(block, size)
    except (pa.ArrowException, OSError):
        return False
    return True


def _corrupt() -> CorruptLog:
    return CorruptLog("the compressed log is damaged from here on; what stands before it was read")
