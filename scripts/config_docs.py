"""`python -m scripts.config_docs`: writes the keys of audit.yaml into docs/configuration.md.

They are those of `prunescope.audit_jobs.config` and of the sources, and what each means is the text
below it there.
"""

from __future__ import annotations

import ast
import datetime as dt
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from prunescope.audit_jobs import config, findings_config, publishing_config
from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.sources import source
from prunescope.audit_jobs.sources.registry import SOURCES

PAGE = Path(__file__).parent.parent / "docs" / "configuration.md"
_LINKS_WITHIN = re.compile(r"\]\(#")
"""Texts of keys link to sections of docs/audit.md."""
_MARKS = ("<!-- keys: written by scripts/config_docs.py -->\n", "<!-- end of keys -->\n")


def table() -> str:
    """The table of keys, by the sections of the file."""
    rows = ["| key | default | meaning |", "|---|---|---|", *_rows(AuditConfig, "")]
    return _LINKS_WITHIN.sub("](audit.md#", "\n".join(rows)) + "\n"


def document(text: str) -> str:
    """The page with the table of today."""
    before, _, rest = text.partition(_MARKS[0])
    _, _, after = rest.partition(_MARKS[1])
    return f"{before}{_MARKS[0]}\n{table()}\n{_MARKS[1]}{after}"


def _rows(section: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in section.model_fields.items():
        key, below = f"{prefix}{field.alias or name}", _sections_of(field.annotation)
        if below:
            yield from _rows_below(key, field, below)
        else:
            yield f"| `{key}` | {_default(field)} | {_meaning(section, name)} |"


def _rows_below(key: str, field: FieldInfo, below: list[type[BaseModel]]) -> Iterator[str]:
    origin = get_origin(field.annotation)
    path = f"{key}.NAME." if origin is dict else f"{key}[]." if origin is tuple else f"{key}."
    if len(below) == 1:
        yield from _rows(below[0], path)
        return
    yield f"| `{path}type` | required | {', '.join(f'`{_type(each)}`' for each in below)} |"
    shared = set.intersection(*(set(section.model_fields) for section in below))
    for section in below:
        for row, name in zip(_rows(section, path), section.model_fields, strict=True):
            if name not in shared:
                yield f"{row.removesuffix(' |')} (`{_type(section)}`) |"
            elif section is below[0] and name != "type":
                yield row


def _type(section: type[BaseModel]) -> str:
    """What tells a section from the others that may stand at its place."""
    return str(*get_args(section.model_fields["type"].annotation))


def _sections_of(annotation: Any) -> list[type[BaseModel]]:
    """The sections that a type holds, itself or within lists, maps and unions."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [section for part in get_args(annotation) for section in _sections_of(part)]


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    match field.default:
        case None:
            return "–"
        case () | {}:
            return "none"
        case bool(value):
            return f"`{str(value).lower()}`"
        case int() | float() | str() | dt.date() as value:
            return f"`{value:_}`" if isinstance(value, int) else f"`{value}`"
        case other:
            raise TypeError(f"no text for {other!r}")


def _meaning(section: type[BaseModel], name: str) -> str:
    """What stands below a key in the section that has it, or in the one it is made of."""
    if name == "type":
        return ""  # told where sections are told apart
    for each in section.__mro__:
        if found := _TEXTS.get((each.__name__, name)):
            return found
    raise KeyError(f"{section.__name__}.{name} has no text below it")


def _texts(source: str) -> Iterator[tuple[tuple[str, str], str]]:
    for section in ast.parse(source).body:
        if isinstance(section, ast.ClassDef):
            for field, text in zip(section.body, section.body[1:], strict=False):
                match field, text:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(said))),
                    ):
                        yield (section.name, name), " ".join(said.split())


_MODULES = (
    config,
    findings_config,
    publishing_config,
    source,
    *(sys.modules[each.section.__module__] for each in SOURCES),
)
_TEXTS = {key: text for module in _MODULES for key, text in _texts(inspect.getsource(module))}

if __name__ == "__main__":
    PAGE.write_text(document(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
