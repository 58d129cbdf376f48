"""JSON documents in a file: one on each line, printed over several lines, or in an array."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from collectors.observed import Rejected
from collectors.outcomes import Outcome
from collectors.queries.json_structure import array_elements

Piece = tuple[str, bytes | Rejected]
"""A location, and what stands there: text, or why there is none."""

# How printers begin and end a document that they spread over lines: jq, Python and the AWS CLI
# put each bracket on a line of its own, Jackson opens an array together with its first element.
_OPENING = frozenset({b"{", b"[", b"[{", b"[ {"})
_CLOSING = {b"{": frozenset({b"}"}), b"[": frozenset({b"]", b"}]", b"} ]"})}

_ARRAY = re.compile(rb"\s*\[")


def split_documents(lines: Iterable[Piece], source: str, *, longest: int) -> Iterator[Piece]:
    """The documents of a file whose lines are `lines`, as text that may not be JSON at all. One
    of more than `longest` bytes is rejected.

    A line is a document, unless it is nothing but an opening bracket: then it begins one that
    ends with its closing bracket, unindented like the opening one. A document that a new one
    interrupts, or that the file ends in, stands for itself. Arrays become their elements, also
    those of which each line has one.
    """
    start, document, is_whole = "", bytearray(), False
    for location, line in lines:
        if document and _interrupts(document, line, is_whole=is_whole):
            yield from _finished(start, document, source, longest)
            document.clear()
        if isinstance(line, Rejected):
            yield location, line
        elif not document and line.rstrip() not in _OPENING:
            if line.strip() != b"]":  # of an array of which each line before had an element
                yield from _elements(location, _element(line))
        else:
            start = start if document else location
            if len(document) <= longest:
                document += line
            is_whole = line.rstrip().endswith(b"}")
            if line.rstrip() in _CLOSING[bytes(document[:1])]:
                yield from _finished(start, document, source, longest)
                document.clear()
    if document:
        yield from _finished(start, document, source, longest)


def _element(line: bytes) -> bytes:
    """A line without what makes it one of an array's, which no document ends with."""
    text = line.strip()
    if text.startswith(b"[") and text.endswith(b"},"):
        return text[1:-1]
    return text[:-1] if text.startswith(b"{") and text.endswith((b"},", b"}]")) else line


def _interrupts(document: bytearray, line: bytes | Rejected, *, is_whole: bool) -> bool:
    """Elements of an array can begin unindented, members of an object cannot; nor can an element
    where the line before ends one and has no comma. `collectors.queries.parts` relies on that."""
    if isinstance(line, Rejected):
        return True
    return line.startswith(b"{") and (is_whole or document.startswith(b"{"))


def _finished(start: str, document: bytearray, source: str, longest: int) -> Iterator[Piece]:
    if len(document) > longest:
        too_long = f"longer than {longest} bytes"
        yield start, Rejected(source, start, Outcome.LINE_TOO_LONG, too_long)
    else:
        yield from _elements(start, bytes(document))


def _elements(location: str, document: bytes) -> Iterator[Piece]:
    """The elements of an array, each as it is written. Anything else stands for itself."""
    if not _ARRAY.match(document):
        yield location, document
        return
    for number, element in enumerate(array_elements(document)):
        yield f"{location}[{number}]", element
