"""JSON documents in a file: one on each line, printed over several lines, or in an array."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from prunescope.collectors.observed import Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.json_structure import array_elements, object_members, objects_of
from prunescope.collectors.queries.shipped_lines import Piece, whole_lines

# How printers begin and end a document that they spread over lines: jq, Python and the AWS CLI
# put each bracket on a line of its own, Jackson opens an array together with its first element.
_OPENING = frozenset({b"{", b"[", b"[{", b"[ {"})
_CLOSING = {b"{": frozenset({b"}"}), b"[": frozenset({b"]", b"}]", b"} ]"})}

_ARRAY = re.compile(rb"\s*\[")

_LISTS: Mapping[str, tuple[str, ...]] = {
    "QueryExecutions": (),
    "res": (),
    "hits": (),
    "logEvents": ("logGroup", "messageType"),
    "events": ("searchedLogStreams", "nextToken", "nextForwardToken"),
    "data": ("meta", "rows"),
}
"""Members of which a service's answer has the list of its records, if it has one of the others
beside it: Athena's GetQueryExecution in batches, Databricks' query history, Elasticsearch's search,
twice within each other, CloudWatch's subscriptions and answers, and ClickHouse's format JSON."""

_TOGETHER = re.compile(rb"\}[ \t]*\{")
_ACTION = re.compile(rb'\s*\{\s*"(?:index|create|update|delete)"\s*:\s*\{[^{}]*\}\s*\}\s*')
"""The line before each record in the format of Elasticsearch's bulk requests."""


def split_documents(lines: Iterable[Piece], source: str, *, longest: int) -> Iterator[Piece]:
    """The documents of a file whose lines are `lines`, as text that may not be JSON at all. One
    of more than `longest` bytes is rejected.

    A line is a document, unless it is nothing but an opening bracket: then it begins one that
    ends with its closing bracket, unindented like the opening one. A document that a new one
    interrupts, or that the file ends in, stands for itself. Arrays become their elements, also
    those of which each line has one, and so do answers of services that are lists of records.
    """
    start, document, is_whole = "", bytearray(), False
    for location, line in whole_lines(lines, source, longest=longest):
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
    where the line before ends one and has no comma. `prunescope.collectors.queries.parts` relies on
    that."""
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
    """The elements of an array, or of an answer's list, and documents that follow each other
    without a line's end, each as it is written; none of an action. Anything else stands for
    itself."""
    if _ARRAY.match(document):
        for number, element in enumerate(array_elements(document)):
            yield f"{location}[{number}]", element
    elif len(together := _together(document)) > 1:
        for number, one in enumerate(together):
            yield from _elements(f"{location}[{number}]", one)
    elif (found := _list(document)) is not None:
        yield from _elements(location, found)
    elif not _ACTION.fullmatch(document):
        yield location, document


def _together(document: bytes) -> list[bytes]:
    return list(objects_of(document)) if _TOGETHER.search(document) else [document]


def _list(document: bytes) -> bytes | None:
    """The value of the member of _LISTS that the object `document` has."""
    if not any(b'"%s"' % name.encode() in document for name in _LISTS):
        return None
    try:
        members = dict(object_members(document))
    except ValueError:
        return None
    for name, beside in _LISTS.items():
        if name in members and (not beside or members.keys() & {*beside}):
            return members[name]
    return None
