"""Problems of a configuration, for people: where, what, and what to do.

Of values only names are shown (of types, catalogs): others may be credentials.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from typing import Any
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ValidationError

from prunescope.audit_jobs.suggestions import suggestion
from prunescope.collectors.tables.catalog_variables import variable

Place = tuple[str | int, ...]
"""The keys and indices that lead to a value."""

_YAML = "tag:yaml.org,2002:"
_MERGE = f"{_YAML}merge"

_MAX_NODES = 1_000_000
"""Values of a section with all that aliases stand for; of more, reading would not end."""

_VARIABLE = re.compile(r"\$\{\w+(?::?[-?+=][^}]*)?\}|^\$[A-Z_][A-Z0-9_]*$")
"""`${NAME}`, `${NAME:-default}`, or nothing but `$NAME`. Spark's own `${env:NAME}` is none."""
_VARIABLES_READ = (
    "PYICEBERG_CATALOG__NAME__KEY for properties of catalogs, AWS_… and OTEL_EXPORTER_OTLP_HEADERS"
)

_SAYS = {
    "missing": "is missing",
    "too_short": "must not be empty",
    "string_too_short": "must not be empty",
    "string_type": "write text; put numbers, true and false into quotes",
    "invalid_key": "a key is text; put a number into quotes",
    "string_pattern_mismatch": "write a version: 1.10.0",
    "path_type": "write a path",
    "tuple_type": "write a list: [a, b]",
    "dict_type": "write keys and values below it, indented further than it, or leave it out",
    "model_type": "write keys and values below it, indented further than it, or leave it out",
    "model_attributes_type": "write keys and values: {{type: …, paths: […]}}",
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
    "float_parsing": "write a number",
    "finite_number": "write a number",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "date_type": "write a date: 2026-03-10",
    "date_parsing": "write a date: 2026-03-10",
    "date_from_datetime_parsing": "write a date: 2026-03-10",
    "date_from_datetime_inexact": "write a date: 2026-03-10",
    "greater_than_equal": "must be {ge:g} or more",
    "greater_than": "must be more than {gt:g}",
    "less_than_equal": "must be {le:g} or less",
    "literal_error": "write {expected}",
}
"""Pydantic's kinds of errors, in the words of whoever writes the file."""


_SCALARS = {
    "timestamp": _SAYS["date_type"],
    "int": _SAYS["int_type"],
    "float": _SAYS["float_type"],
    "bool": _SAYS["bool_type"],
}
"""Likewise, by what YAML takes a scalar for."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with the value at a place."""

    place: Place
    what: str

    def line(self, document: yaml.Node | None) -> int | None:
        """The line of the place, counted from 1; None if there is no file, or no such key."""
        node, line = document, None
        for part in self.place:
            found = _inside(node, part)
            if found is None:
                # What is missing is so from the section around it, unless that is the file.
                return line
            node, line = found[1], found[0].start_mark.line + 1
        return line

    def told(self, document: yaml.Node | None) -> str:
        """The line that lists the problem."""
        line = self.line(document)
        where = "" if line is None else f"line {line}: "
        return f"{where}{_shown(self.place)}: {self.what}"


def not_yaml(error: yaml.YAMLError, text: str) -> str:
    """The line at which a text is no YAML, the reason, and common remedies, because YAML reports
    only where it stopped."""
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return f", line {line}, cannot be read as YAML: {error.reason}"
    place, problem = (getattr(error, f"problem{kind}", None) for kind in ("_mark", ""))
    where = f", line {place.line + 1}," if place else ""
    what = f": {problem}" if problem else ""
    advice = (
        "indent with spaces, keys of one section alike; put texts with ': ' or ' #' into quotes"
    )
    return f"{where} cannot be read as YAML{what}; {advice}"


def problems_of_tree(root: yaml.Node | None) -> Iterator[Problem]:
    """Values that YAML's own types cannot take, or would take for something else, found before
    these read them."""
    if not isinstance(root, yaml.MappingNode):
        return
    sizes: dict[int, float] = {}
    too_large = [
        Problem((str(key.value),), f"holds itself, or more than {_MAX_NODES:,} values; write less")
        for key, value in root.value
        if _size(value, sizes) > _MAX_NODES
    ]
    yield from too_large or _problems_in(root, ())


def _size(node: yaml.Node, sizes: dict[int, float]) -> float:
    """The number of nodes with aliases in full; infinite if one holds itself."""
    if id(node) not in sizes:
        sizes[id(node)] = inf
        sizes[id(node)] = 1 + sum(_size(child, sizes) for child in _children(node))
    return sizes[id(node)]


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


def _problems_in(node: yaml.Node, place: Place) -> Iterator[Problem]:
    """Scalars that are not what they look like, and keys that stand twice in one section: YAML
    would take the last one."""
    if isinstance(node, yaml.ScalarNode):
        if not _is_readable(node):
            what = _SCALARS.get(node.tag.removeprefix(_YAML), "write another value")
            yield Problem(place, f"{what}; put text into quotes")
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _problems_in(item, (*place, number))
    elif isinstance(node, yaml.MappingNode):
        lines: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
            if name in lines and key.tag != _MERGE:
                yield Problem((*place, name), f"is there again in line {line}; leave one out")
            lines.setdefault(name, line)
            if key.tag != _MERGE:
                yield from _problems_in(key, (*place, name))
            yield from _problems_in(value, (*place, name))


def _is_readable(node: yaml.ScalarNode) -> bool:
    if node.tag in (f"{_YAML}int", f"{_YAML}float") and ":" in node.value:
        return False  # 12:30:45 is 45045 in YAML 1.1
    try:
        yaml.SafeLoader("").construct_object(node)
    except yaml.YAMLError:
        return True  # told by whoever reads the file, with its line
    except (ValueError, LookupError, AttributeError, ArithmeticError):
        return False
    return True


def unreplaced(node: yaml.Node | None, place: Place = ()) -> Iterator[Problem]:
    """Values that name an environment variable, which other programs replace: a catalog would be
    sent the name in place of a password."""
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from unreplaced(item, (*place, number))
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from unreplaced(value, (*place, str(key.value)))
    elif isinstance(node, yaml.ScalarNode) and _VARIABLE.search(node.value):
        match place:
            case ("catalogs", str(catalog), "properties", str(key)):
                what = f"leave the key out, and set {variable(catalog, key)}, which is read"
            case _:
                what = f"write the value; of the environment are read {_VARIABLES_READ}"
        yield Problem(place, f"environment variables are not replaced here; {what}")


def problems_of(error: ValidationError, model: type[BaseModel]) -> list[Problem]:
    """All that a validation of `model` found, each fault once."""
    found = list(error.errors(include_input=False, include_url=False))
    places = [_without_mark(tuple(one["loc"])) for one in found]
    schema = model.model_json_schema()
    problems = []
    meant: set[Place] = set()
    for one, loc in zip(found, places, strict=True):
        place, keys = _resolved(loc, schema)
        within = any(other[: len(loc)] == loc and other != loc for other in places)
        if one["type"] == "too_short" and within:
            continue
        what = _what(one, place, keys)
        if one["type"] == "extra_forbidden":
            meant.update((*place[:-1], key) for key in get_close_matches(str(place[-1]), keys, 1))
        if one["type"].startswith("union_tag"):
            place = (*place, "type")
        problems.append((one["type"], Problem(place, what)))
    return [p for kind, p in problems if kind != "missing" or p.place not in meant]


def is_http(address: str) -> bool:
    """True if an address is a URL of HTTP, with a host and, if any, a port. Python's own error
    quotes the address, and it may hold a password."""
    try:
        url = urlsplit(address)
        return url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        return False


def _what(error: Mapping[str, Any], place: Place, keys: Sequence[str]) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        return f"there is no such key; {suggestion(str(place[-1]), sorted(keys))}"
    if kind == "union_tag_invalid":
        tags = sorted(context["expected_tags"].replace("'", "").split(", "))
        return f"{context['tag']!r} is not known; {suggestion(context['tag'], tags)}"
    if kind == "union_tag_not_found":
        return f"is missing; known: {', '.join(sorted(keys))}"
    if kind == "value_error":
        return str(context["error"])
    if kind in _SAYS:
        return _SAYS[kind].format(**context)
    return str(error["msg"])


def _resolved(loc: Place, schema: Mapping[str, Any]) -> tuple[Place, Sequence[str]]:
    """The place that pydantic means, without its names of variants, and the keys, or the variants,
    of the section around the place, or at it."""
    place: list[str | int] = []
    node: Mapping[str, Any] = schema
    for number, part in enumerate(loc):
        node = _plain(node, schema)
        variants = node.get("discriminator", {}).get("mapping", {})
        if part in variants:
            node = {"$ref": variants[part]}
            continue
        place.append(part)
        if number < len(loc) - 1:
            inside = node.get("items") if isinstance(part, int) else None
            inside = inside or node.get("properties", {}).get(part)
            node = inside or node.get("additionalProperties") or {}
        elif isinstance(part, int):
            items = _plain(node.get("items", {}), schema)
            return tuple(place), list(items.get("discriminator", {}).get("mapping", {}))
    return tuple(place), list(node.get("properties", {}))


def _without_mark(loc: Place) -> Place:
    """The place without the mark that pydantic puts behind a key that is itself wrong."""
    return loc[:-1] if loc[-1:] == ("[key]",) else loc


def _plain(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that a schema refers to; of an optional one the one that is not null."""
    options = [option for option in node.get("anyOf", ()) if option.get("type") != "null"]
    if options:
        node = options[0]
    if "$ref" in node:
        found: Mapping[str, Any] = schema["$defs"][node["$ref"].rpartition("/")[2]]
        return found
    return node


def _inside(node: yaml.Node | None, part: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """The node of a key, or of an item, and that of its value."""
    if isinstance(node, yaml.MappingNode):
        return next(((k, v) for k, v in node.value if k.value == str(part)), None)
    is_item = isinstance(node, yaml.SequenceNode) and isinstance(part, int)
    if is_item and isinstance(node, yaml.SequenceNode) and int(part) < len(node.value):
        return node.value[int(part)], node.value[int(part)]
    return None


def _shown(place: Place) -> str:
    return "".join(_parts(place))


def _parts(place: Place) -> Iterator[str]:
    for number, part in enumerate(place):
        if isinstance(part, int):
            yield f"[{part}]"
        else:
            yield f".{part}" if number else part
