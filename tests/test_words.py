"""One word for one thing: what the glossary says of a word, the code does not say of another. And
docstrings say what something is or does in their first word."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("audit_jobs", "collectors")
DOCUMENTED = (*PACKAGES, "dashboards")

TWICE = {
    "FINDINGS": "the table of findings, and the metric that counts its rows",
    "STAGES": "how many stages a job announces, which each job says of itself",
}
"""Names of several modules, and why."""

CLAUSES = {
    *("What", "Whether", "Where", "When", "Which", "How", "That", "Those", "Of", "See", "It"),
    *("They", "As", "If", "By", "In", "For"),
}
"""Words with which a sentence begins that names neither an action nor a thing."""

ROW = re.compile(r"(?m)^\| ([a-z ,]+) \| [^|]+ \| (`[^|]+) \|$")
TYPE = re.compile(r"(?m)^(?:class ([A-Z]\w*)|([A-Z]\w*[a-z]\w*) = (?!TypeVar\())")
TABLE = re.compile(r"(?m)^([A-Z][A-Z_]*S)(?:: [^\n]+?)? = ")


def test_a_type_that_a_word_names_is_where_the_glossary_says() -> None:
    """A class or an alias, in one module."""
    types = _defined(TYPE)
    elsewhere = {
        name: sorted(types[name])
        for name, where in ((_type(word), where) for word, where in _glossary().items())
        if name in types and not (len(types[name]) == 1 and types[name] <= where)
    }
    assert elsewhere == {}


def test_what_lists_all_that_a_word_names_is_in_one_module() -> None:
    tables = _defined(TABLE)
    names = {f"{word.upper().replace(' ', '_')}S" for word in _glossary()}
    assert {name for name in names if len(tables.get(name, ())) > 1} == set(TWICE)


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    begun = {
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}: {text.splitlines()[0]}"
        for package in DOCUMENTED
        for path in (ROOT / package).rglob("*.py")
        for node, text in _documented(ast.parse(path.read_text()))
        if re.split(r"\W", text)[0] in CLAUSES
    }
    assert begun == set()


def _documented(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Modules, classes, functions and names that are assigned, each with its docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if text := ast.get_docstring(node):
                yield node, text
            for assigned, noted in pairwise(node.body):
                match assigned, noted:
                    case ast.Assign() | ast.AnnAssign(), ast.Expr(value=ast.Constant(str(note))):
                        yield assigned, note


def _glossary() -> dict[str, frozenset[str]]:
    """The words, and the modules that have them."""
    text = (ROOT / "docs" / "glossary.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    found = [ROW.fullmatch(row) for row in rows]
    assert rows
    assert [row for row, match in zip(rows, found, strict=True) if match is None] == []
    return {
        word: frozenset(re.findall(r"`([^`]+)`", match[2]))
        for match in found
        if match is not None
        for word in match[1].split(", ")
    }


def _type(word: str) -> str:
    return "".join(part.capitalize() for part in word.split())


def _defined(pattern: re.Pattern[str]) -> dict[str, set[str]]:
    """The modules that define each name."""
    found: dict[str, set[str]] = defaultdict(set)
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for groups in pattern.finditer(path.read_text()):
                found[next(filter(None, groups.groups()))].add(str(path.relative_to(ROOT)))
    return found
