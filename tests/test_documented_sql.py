"""What README and docs have people ask an engine can be parsed. Whole statements are parsed by the
engines themselves: tests/scenarios/test_statements.py and test_trino_parses.py."""

from __future__ import annotations

import re

import pytest
from sqlglot import exp, parse_one

from tests.documented import Statement, blocks, statements

FILLED = (
    (r"SELECT …", "SELECT * FROM t"),
    (r"\(…\)", "(1)"),
    (r" …$", " WHEN MATCHED THEN DELETE"),
)
"""What stands for what the documentation leaves out."""
NOT_RUN = (("BigQuery",), ("Snowflake",))
"""Engines that no test can ask."""
PARTS = [each for each in statements() if not each.is_whole or each.engines in NOT_RUN]


@pytest.mark.parametrize(
    ("statement", "engine"),
    [
        pytest.param(each, engine, id=f"{each.place}-{engine}-{each.text[:20]}")
        for each in PARTS
        for engine in each.engines
    ],
)
def test_what_no_engine_is_given_is_parsed(statement: Statement, engine: str) -> None:
    text = statement.text
    for left_out, filled in FILLED:
        text = re.sub(left_out, filled, text)
    assert "…" not in re.sub("'[^']*'", "", text)
    whole = f"SELECT * FROM t {text}" if text.startswith("WHERE") else text
    tree = parse_one(whole, dialect=engine.lower())
    assert isinstance(tree, exp.Query | exp.Merge | exp.Copy)
    assert tree.find(exp.Command) is None
    if isinstance(tree, exp.Copy):
        assert [type(source) for source in tree.args["files"]] == [exp.Subquery]


def test_every_block_has_statements() -> None:
    assert {each.place for each in statements()} == {block.place for block in blocks("sql")}
    text = "".join(block.text for block in blocks("sql"))
    begins = r"(?m)^(?:ALTER|CALL|COPY|MERGE|SELECT|SET) "
    whole = [each for each in statements() if not each.text.startswith("WHERE")]
    assert len(whole) == len(re.findall(begins, text))
