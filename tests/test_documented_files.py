"""What the documentation for contributors names is there, and what it lists is complete."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from tests.documented import ROOT, blocks

DOCUMENTS = (
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/adr/README.md",
    "docs/architecture.md",
    "docs/glossary.md",
    "docs/index.md",
    "docs/night.md",
    "docs/versioning.md",
    *(f"docs/upstream/{path.name}" for path in (ROOT / "docs" / "upstream").glob("*.md")),
)
# In backticks: a path with a slash, or the name of a file; perhaps with a test in it.
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w.-]+\.(?:md|py|toml|txt|yaml))(?:::(\w+))?`")
LINKED = re.compile(r"\]\(([^():#]+)(?:#[\w-]*)?\)")
LISTED_ELSEWHERE = {"adr": "docs/adr/README.md", "upstream": "docs/upstream/README.md"}
"""Folders whose pages another page lists, as tests say; the index names that page."""
KINDS_OF_CHANGE = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
DECISION = re.compile(r"(?m)^- \[([^]]+)\]\(([^)]+)\):\s+(\S.*)$")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_that_is_named_exists(name: str) -> None:
    document = ROOT / name
    text = document.read_text(encoding="utf-8")
    named = [(ROOT / path, test) for path, test in NAMED.findall(text)]
    linked = [(document.parent / path, "") for path in LINKED.findall(text)]
    assert named or linked
    assert [f"{path}::{test}" for path, test in named + linked if not _is_there(path, test)] == []


def test_the_index_links_every_page() -> None:
    docs = ROOT / "docs"
    linked = _linked(docs / "index.md")
    pages = set(docs.rglob("*.md")) - {docs / "index.md"}
    listed = {page for page in pages if page.parent.name in LISTED_ELSEWHERE}
    assert pages - listed - linked == set()
    assert {ROOT / page for page in LISTED_ELSEWHERE.values()} <= linked


def test_the_index_and_the_navigation_have_the_same_pages() -> None:
    docs = ROOT / "docs"
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    navigation = text.partition("\nnav:\n")[2].partition("\n\n")[0]
    pages = {docs / name for name in re.findall(r"[\w/-]+\.md", navigation)}
    linked = {page for page in _linked(docs / "index.md") if page.is_relative_to(docs)}
    assert linked - pages == set(), "mkdocs.yml does not have them"
    assert pages - linked == {docs / "index.md"}, "docs/index.md does not link them"


def _linked(page: Path) -> set[Path]:
    links = LINKED.findall(page.read_text(encoding="utf-8"))
    return {(page.parent / path).resolve() for path in links if path.endswith(".md")}


def test_every_decision_is_in_the_index_by_its_title() -> None:
    folder = ROOT / "docs" / "adr"
    text = (folder / "README.md").read_text(encoding="utf-8")
    index = [(path, title) for title, path, _ in DECISION.findall(text)]
    decisions = sorted(folder.glob("[0-9]*.md"))
    assert index == [(path.name, _title(path)) for path in decisions]


def test_the_changelog_has_its_headings_and_nothing_outside_of_them() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "\n\n\n" not in text
    _, *versions = re.split(r"(?m)^## ", text)
    assert versions
    for version in versions:
        before, *sections = re.split(r"(?m)^### ", version)
        assert "- " not in before
        titles = [section.partition("\n")[0] for section in sections]
        assert titles == [title for title in KINDS_OF_CHANGE if title in titles]
        assert all(re.match(r"\w+\n\n- ", section) for section in sections)


def test_pictures_name_what_there_is() -> None:
    texts = [block.text for block in blocks("mermaid")]
    named = {
        path for text in texts for path in re.findall(r"(?:collectors|audit_jobs)/[\w/.]+", text)
    }
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_the_table_of_stages_has_what_the_driver_asks_for() -> None:
    """Of each module that asks stages for items of some kinds, all of these."""
    night = (ROOT / "docs" / "night.md").read_text()
    rows = [row for row in night.splitlines() if row.startswith("| `")]
    told = {kind for row in rows for kind in re.findall(r"`([A-Z_]+)`", row.split("|")[-2])}
    modules = ("planning/driver.py", "jobs/scan_stages.py", "jobs/trials.py")
    codes = [(ROOT / "audit_jobs" / module).read_text() for module in modules]
    asked = {
        kind
        for code in codes
        for kinds in re.findall(r"\.found\(([^)]*)\)", code)
        for kind in re.findall(r"[A-Z_]+", kinds)
    }
    assert "BUNDLES" in asked
    assert asked <= told


def test_the_floors_are_those_that_are_checked() -> None:
    """In the order of the contracts of pyproject.toml, which have more of them."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = pyproject["tool"]["importlinter"]["contracts"]
    checked = [
        {name: number for number, floor in enumerate(each["layers"]) for name in floor.split(" | ")}
        for each in contracts
        if each["type"] == "layers"
    ]
    (picture,) = (b.text for b in blocks("text") if b.page == "docs/architecture.md")
    chains = re.sub(r"\n +>", " >", re.sub(r" +\(of .*", "", picture)).splitlines()
    assert len(chains) == len(checked)
    for chain, floors in zip(chains, checked, strict=True):
        told = [floor.removesuffix(", …").split(", ") for floor in chain.split(" > ")]
        numbers = [{floors[name] for name in floor} for floor in told]
        assert [len(each) for each in numbers] == [1] * len(told), chain
        assert numbers == sorted(numbers, key=max), chain


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _is_there(path: Path, test: str) -> bool:
    if not test:
        return path.exists()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == test for node in tree.body)
