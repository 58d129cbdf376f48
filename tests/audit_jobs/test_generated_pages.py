"""What the documentation has from code is what the code makes of it today."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import config_docs, reference_docs


@pytest.mark.parametrize("page", reference_docs.PAGES, ids=lambda page: page.name)
def test_references_have_every_column_and_every_metric(page: Path) -> None:
    is_todays = page.read_text(encoding="utf-8") == reference_docs.PAGES[page]()
    assert is_todays, "run `make generated`"


def test_the_table_of_keys_is_what_the_configuration_has() -> None:
    written = config_docs.PAGE.read_text(encoding="utf-8")
    is_todays = written == config_docs.document(written)
    assert is_todays, "run `make generated`"
