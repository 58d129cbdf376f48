"""The fenced blocks of README and docs: what people copy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    ROOT / "helm" / "prunescope" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {
    found[2] for page in PAGES for found in _FENCE.finditer(page.read_text(encoding="utf-8"))
}
INDENTED = re.compile(r"(?m)^\n {4}\S")
_BEGINS = re.compile(r"(?:ALTER|CALL|COPY|MERGE|SELECT|SET|WHERE)\b")
_ENGINES = ("Spark", "Trino")
_OF_PAGES = {
    "docs/audit.md": ("Trino",),
    "docs/logs/bigquery.md": ("BigQuery",),
    "docs/logs/snowflake.md": ("Snowflake",),
}
_HERE = re.compile(r"<<'(\w+)'\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """What stands in a fence, and where."""

    page: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        """For the name of a test."""
        return f"{self.page}:{self.line}"


def blocks(*languages: str) -> list[Block]:
    """The blocks of some languages; those of YAML, in documents that a shell writes too."""
    return [block for page in PAGES for block in _in(page) if block.language in languages]


def outside_of_fences(page: Path) -> str:
    """The text of a page without its blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def _in(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    name = str(page.relative_to(ROOT))
    for found in _FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(name, line, found[2], found[3])
        for here in _HERE.finditer(found[3]):
            yield Block(name, line, here[1].lower(), here[2])


def commands(block: Block) -> list[str]:
    """The command lines of a shell's block, continued ones in one, without comments."""
    text = _HERE.sub(">", block.text).replace("\\\n", " ")
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines())
    return [part.strip() for line in lines for part in re.split(r"&&|\|(?!\|)", line) if part]


class Statement(NamedTuple):
    """A statement of SQL in one line, or the WHERE of one, and the engines that it is for."""

    place: str
    text: str
    engines: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether an engine can be given it as it stands."""
        return "…" not in self.text and not self.text.startswith("WHERE")


def statements() -> list[Statement]:
    """Those of all SQL blocks. A comment above them, or at the end of their line, says whose they
    are; without one, they are everybody's, or of the engine that their page is about."""
    return [found for block in blocks("sql") for found in _statements(block)]


def _statements(block: Block) -> Iterator[Statement]:
    engines: tuple[str, ...] = _OF_PAGES.get(block.page, _ENGINES)
    lines: list[str] = []
    told = engines
    for line in (*block.text.splitlines(), ""):
        code, _, comment = line.partition("-- ")
        whose = comment.partition(",")[0]
        named = tuple(engine for engine in _ENGINES if engine in whose)
        if lines and (not code.strip() or _begins(code, lines[0])):
            yield Statement(block.place, " ".join(" ".join(lines).split()).rstrip(";"), told)
            lines, told = [], engines
        if code.strip():
            lines.append(code)
            told = named or told
        else:
            engines = told = named or engines


def _begins(line: str, first: str) -> bool:
    """Whether a line begins a statement behind one that begins with `first`."""
    is_within = line.startswith("WHERE") and first.startswith(("SELECT", "COPY"))
    return _BEGINS.match(line) is not None and not is_within
