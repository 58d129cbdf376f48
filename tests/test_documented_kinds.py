"""Every kind of source, catalog and export has a page, which shows how it is configured, and every
planner a place."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from prunescope.audit_jobs.sources.registry import SOURCES
from prunescope.audit_jobs.starter.catalogs import CATALOGS
from prunescope.collectors.queries.exports import EXPORTS
from prunescope.collectors.sql.planners.registry import PROFILES
from tests.documented import ROOT, blocks


def sources(page: str) -> list[dict[str, Any]]:
    """Those of all configurations that a page shows, in whole or in part."""
    return [source for part in _configured(page) for source in part.get("sources", ())]


def _configured(page: str) -> list[dict[str, Any]]:
    # tests/test_documented_commands.py has them validated.
    return [yaml.safe_load(block.text) for block in blocks("yaml") if block.page == page]


@pytest.mark.parametrize("kind", [source.type for source in SOURCES])
def test_every_source_has_a_page(kind: str) -> None:
    page = (ROOT / "docs" / "logs" / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"(?m)^\| \[`{kind}`\]\((\w+\.md)(?:#(\w+))?\) \|", page)
    assert found is not None, f"docs/logs/README.md has no line for {kind}"
    own = f"docs/logs/{found[1]}"
    shown = {source["type"] for source in sources(own)}
    assert kind in shown, f"{own} has no block of YAML with sources of type {kind}"
    anchor = found[2]
    assert anchor is None or f"\n## `{anchor}`\n" in (ROOT / own).read_text(encoding="utf-8")


@pytest.mark.parametrize("engine", [profile.engine for profile in PROFILES])
def test_every_planner_is_explained(engine: str) -> None:
    page = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"(?s)`--planner [^`]+` plans by the rules of ([^.]+)\.", page)
    assert f"`{engine}`" in told, "docs/explain.md does not say what it plans by"


@pytest.mark.parametrize("kind", CATALOGS)
def test_every_catalog_has_a_page(kind: str) -> None:
    shown = [
        catalog["properties"]["type"]
        for part in _configured(f"docs/catalogs/{kind}.md")
        for catalog in part["catalogs"].values()
    ]
    assert shown == [kind]


@pytest.mark.parametrize("export", EXPORTS)
def test_every_export_has_a_page(export: str) -> None:
    assert export in [source.get("export") for source in sources(f"docs/logs/{export}.md")]
