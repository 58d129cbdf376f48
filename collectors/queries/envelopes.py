"""Records within the JSON that shippers of logs wrap around them: Kafka, Vector, Fluentd, Logstash,
Elasticsearch. Each has other names for the member that holds the record, as an object or as its
text, so a record is known by its own members."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping

from prunescope.collectors.queries.json_input import UnreadableInput, decode_json

_BASE64 = re.compile("e[w-z][A-Za-z0-9+/]")
"""The beginning of an object in base64."""
_DEPTH = 3
"""Envelopes within each other. A hit of Elasticsearch that Logstash wrote has two."""

JsonObject = dict[str, object]


def opened(record: JsonObject, is_it: Callable[[JsonObject], bool]) -> JsonObject:
    """The outermost object in `record`, itself included, for which `is_it` holds; else `record`."""
    level = [record]
    for _ in range(1 + _DEPTH):
        for candidate in level:
            if is_it(candidate):
                return candidate
        level = [inner for candidate in level for inner in _objects(candidate)]
    return record


def _objects(record: Mapping[str, object]) -> Iterator[JsonObject]:
    """The objects that are members, or texts of members."""
    for value in record.values():
        if isinstance(value, str) and (text := _object_text(value)) is not None:
            try:
                decoded = decode_json(text)
            except UnreadableInput:
                continue
            if isinstance(decoded, dict):
                yield decoded
        elif isinstance(value, dict):
            yield value


def _object_text(value: str) -> str | bytes | None:
    """The text of an object that a member is, as it is or in base64, as proxies of Kafka do."""
    if value.lstrip().startswith("{"):
        return value
    if not _BASE64.match(value):
        return None
    try:
        decoded = b64decode(value, validate=True)
    except ValueError:
        return None
    return decoded if decoded.startswith(b"{") else None
