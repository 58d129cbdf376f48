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


def statements(block: Block, engine: str) -> list[str]:
    """The statements of an SQL block that comments say are an engine's (`-- Spark` above them, or
    at the end of their line). What is no whole statement is none."""
    found: list[str] = []
    current = ""
    lines: list[str] = []
    for line in block.text.splitlines():
        code, _, comment = line.partition("-- ")
        if not code.strip():
            current = comment
            continue
        lines.append(code.rstrip())
        if code.rstrip().endswith(";"):
            whose = comment if comment.startswith(("Spark", "Trino")) else current
            if engine in whose:
                found.append(" ".join(" ".join(lines).split()).removesuffix(";"))
            lines = []
    return [statement for statement in found if "…" not in statement]
