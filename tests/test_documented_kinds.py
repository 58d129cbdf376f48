"""Every kind of source, catalog and export has a page, which shows how it is configured."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from audit_jobs.sources.registry import SOURCES
from audit_jobs.starter.catalogs import CATALOGS
from collectors.queries.exports import EXPORTS
from tests.documented import blocks


def sources(page: str) -> list[dict[str, Any]]:
    """Those of all configurations that a page shows, in whole or in part."""
    return [source for part in _configured(page) for source in part.get("sources", ())]


def _configured(page: str) -> list[dict[str, Any]]:
    # tests/test_documented_commands.py has them validated.
    return [yaml.safe_load(block.text) for block in blocks("yaml") if block.page == page]


@pytest.mark.parametrize("kind", [source.type for source in SOURCES])
def test_every_source_has_a_page(kind: str) -> None:
    assert {source["type"] for source in sources(f"docs/sources/{kind}.md")} == {kind}


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
