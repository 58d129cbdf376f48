"""The documentation has every key of audit.yaml."""

from __future__ import annotations

from scripts.config_docs import PAGE, document


def test_the_table_of_keys_is_what_the_configuration_has() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == document(written), "run `make config-docs`"
