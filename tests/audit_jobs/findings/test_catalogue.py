"""Every cause is listed, documented, and shown by a scenario."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import prunescope.audit_jobs.findings
import prunescope.audit_jobs.findings.causes
from prunescope.audit_jobs.findings.catalogue import BY_ID, CAUSES
from tests.audit_jobs.findings.causes.tables import FOUND, SILENT

ROOT = Path(__file__).parents[3]


def test_every_module_of_causes_is_in_the_list_under_its_own_name() -> None:
    folder = Path(prunescope.audit_jobs.findings.causes.__path__[0])
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert modules == {cause.id for cause in CAUSES}
    assert len(BY_ID) == len(CAUSES)
    assert {cause.find.__module__.rpartition(".")[2]: cause.id for cause in CAUSES} == {
        cause.id: cause.id for cause in CAUSES
    }


def test_no_module_knows_a_cause_by_its_id_but_its_own() -> None:
    """What causes claim, and which of them has it, takes no edit of a module that all share."""
    folder = Path(prunescope.audit_jobs.findings.__path__[0])
    known = {
        path.stem: ids - {path.stem}
        for path in folder.rglob("*.py")
        if (ids := set(BY_ID) & _texts(path))
    }
    assert set(known) == set(BY_ID)
    assert not any(known.values()), known


def _texts(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def test_every_cause_has_its_section_in_the_catalogue_page() -> None:
    page = (ROOT / "docs" / "findings.md").read_text()
    causes = [(cause.id, cause.title) for cause in CAUSES]
    lines = [f"| [`{name}`](#{name}) | {title} |" for name, title in causes]
    heads = [f'<a id="{name}"></a>\n## {title}' for name, title in causes]
    missing = [text for text in (*lines, *heads) if f"{text}\n" not in page]
    assert missing == [], "docs/findings.md does not have them"
    sections = re.findall(r'<a id="(\w+)"></a>\n## (.+)\n', page)
    assert sections == causes
    listed = re.findall(r"(?m)^\| \[`(\w+)`\]\(#(\w+)\) \| (.+) \|$", page)
    assert listed == [(name, name, title) for name, title in causes]


def test_every_cause_is_shown_by_a_test_that_makes_it_and_one_that_does_not() -> None:
    """The tables of the causes beside it, of which `test_causes` tells what is found."""
    folder = "tests/audit_jobs/findings/causes"
    assert [f"{folder}/{name}.py is missing" for name in BY_ID if name not in FOUND] == []
    for cause in CAUSES:
        assert any(case.night.findings(cause.id) for case in FOUND[cause.id].values()), cause.id
        assert any(not night.findings(cause.id) for night in SILENT[cause.id].values()), cause.id


def test_every_cause_is_named_by_a_scenario() -> None:
    texts = [
        path.read_text()
        for folder in ("scenarios", "integration")
        for path in (ROOT / "tests" / folder).glob("test_*.py")
    ]
    named = {cause.id for cause in CAUSES if any(f'"{cause.id}"' in text for text in texts)}
    missing = [f"tests/scenarios/test_{name}.py is missing" for name in BY_ID if name not in named]
    assert missing == []
