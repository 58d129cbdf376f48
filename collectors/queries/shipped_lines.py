"""Lines as what ships them writes them: with a prefix, as of CRI or syslog, or in pieces, as of
Docker and CRI, which cut lines at 16 KiB."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from prunescope.collectors.observed import Rejected
from prunescope.collectors.outcomes import Outcome

Piece = tuple[str, bytes | Rejected]
"""A location, and what stands there: text, or why there is none."""

_SEQUENCE = b"\x1e"
"""Before each text of a JSON sequence (RFC 7464)."""
_DOCKER = re.compile(rb'\{"log":("(?:[^"\\]|\\.)*+"),"stream":"(\w+)"[,}].*\}\s*', re.DOTALL)
_DOCKERS = 16 << 10
"""Bytes of a piece of Docker's, but for the last, whose end has the line's."""
_CRI = re.compile(rb"\S+ (stdout|stderr) ([FP])(?::\S*)? (.*)", re.DOTALL)
_CUT_CHARACTER = "\ufffd".encode()


def whole_lines(lines: Iterable[Piece], source: str, *, longest: int) -> Iterator[Piece]:
    """Lines put together of their pieces, those of each stream apart, and without a prefix. What a
    file ends within stands for itself. Rejected are those of more than `longest` bytes, and those
    of which a character was cut in two, which Docker writes as another one."""
    pending: dict[bytes, tuple[str, bytearray]] = {}
    for location, line in lines:
        found = None if isinstance(line, Rejected) else _piece(line)
        if found is None or isinstance(line, Rejected):
            yield location, line if isinstance(line, Rejected) else _without_prefix(line)
            continue
        stream, text, is_last = found
        start, before = pending.pop(stream, (location, bytearray()))
        if not is_last:
            pending[stream] = start, before + text if len(before) <= longest else before
        elif not before:
            yield location, line if line.startswith(b"{") else _logged(text)
        elif len(before) + len(text) > longest:
            too_long = f"longer than {longest} bytes"
            yield start, Rejected(source, start, Outcome.LINE_TOO_LONG, too_long)
        elif _CUT_CHARACTER in bytes(before) + text:
            cut = "a character may have been cut in two where the line was: its text is not known"
            yield start, Rejected(source, start, Outcome.MALFORMED_JSON, cut)
        else:
            yield start, _logged(bytes(before) + text)
    yield from ((start, _logged(bytes(text))) for start, text in pending.values())


def _piece(line: bytes) -> tuple[bytes, bytes, bool] | None:
    """The stream of a line of a container, its text, and whether a line of the container ends
    there; None for any other line."""
    docker = _DOCKER.fullmatch(line) if line.startswith(b'{"log":"') else None
    if docker is not None:
        try:
            text: str = json.loads(docker[1])
        except ValueError:
            return None
        encoded = text.encode("utf-8", "surrogatepass")
        return docker[2], encoded, text.endswith("\n") or len(encoded) < _DOCKERS
    cri = _CRI.match(line)
    if cri is None:
        return None
    return cri[1], cri[3] if cri[2] == b"F" else cri[3].rstrip(b"\r\n"), cri[2] == b"F"


def _logged(text: bytes) -> bytes:
    """The text of a line of a container as a document. What does not begin one is no damaged query,
    but what the program says besides."""
    text = text.strip()
    if text.startswith((b"{", b"[")):
        return text + b"\n"
    return json.dumps({"log": text.decode("utf-8", "replace")}).encode() + b"\n"


def _without_prefix(line: bytes) -> bytes:
    """A line without what stands before the object that ends it: the mark of a sequence, or times,
    names and tags, as of Fluentd and syslog."""
    line = line.lstrip(_SEQUENCE)
    if line[:1].isspace() or line[:1] in (b"{", b"[", b"}", b"]", b'"'):
        return line
    begin = line.find(b"{")
    return line[begin:] if begin > 0 and line.rstrip().endswith(b"}") else line
