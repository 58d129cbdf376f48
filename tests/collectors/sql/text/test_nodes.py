import pytest
from sqlglot import exp, parse_one

from prunescope.collectors.sql.text.boolean import nested_queries, own_nodes
from prunescope.collectors.sql.text.nodes import (
    copy_of,
    given,
    nodes_in_depth,
    nodes_of,
    nodes_that_are,
    rebuilt,
)

TEXTS = (
    "SELECT a, b + 1 AS c FROM t WHERE a IN (1, 2, 3) AND NOT b = 'x' GROUP BY ROLLUP (a, b)",
    "WITH x AS (SELECT 1) SELECT * FROM x JOIN (SELECT k FROM u) AS y ON x.k = y.k LIMIT 3",
    "SELECT * FROM t WHERE a = (SELECT max(a) FROM u WHERE u.k IN (SELECT 1)) OR EXISTS (SELECT 2)",
)


@pytest.mark.parametrize("sql", TEXTS)
def test_nodes_come_in_the_order_of_sqlglot(sql: str) -> None:
    tree = parse_one(sql)
    assert list(map(id, nodes_of(tree))) == list(map(id, tree.walk()))
    assert list(map(id, nodes_in_depth(tree))) == list(map(id, tree.dfs()))
    literals = list(map(id, tree.find_all(exp.Literal)))
    assert list(map(id, nodes_that_are(exp.Literal, tree))) == literals


@pytest.mark.parametrize("sql", TEXTS)
def test_what_is_in_nested_queries_is_not_the_own_of_a_condition(sql: str) -> None:
    where = parse_one(sql).find(exp.Where)
    if where is None:
        return

    def is_query(node: exp.Expr) -> bool:
        return isinstance(node, exp.Query)

    assert list(map(id, own_nodes(where))) == list(map(id, where.walk(prune=is_query)))
    queries = [id(node) for node in where.dfs(prune=is_query) if is_query(node)]
    assert list(map(id, nested_queries(where))) == queries


@pytest.mark.parametrize("sql", TEXTS)
def test_a_copy_is_another_tree_that_reads_the_same(sql: str) -> None:
    tree = parse_one(f"{sql} /* why */")
    tree.meta["mark"] = True
    copy = copy_of(tree)
    assert copy == tree
    assert copy.sql() == tree.sql()
    assert copy.meta == tree.meta
    assert not set(map(id, copy.walk())) & set(map(id, tree.walk()))
    for node, same in zip(copy.walk(), tree.copy().walk(), strict=True):
        assert (type(node.parent), node.arg_key, node.index) == (
            type(same.parent),
            same.arg_key,
            same.index,
        )


def test_what_is_changed_stands_in_the_copy_alone() -> None:
    tree = parse_one("SELECT /*+ BROADCAST(t) */ a, 1 FROM t WHERE b IN (1, 2)")
    before = tree.sql()

    def change(node: exp.Expr) -> exp.Expr | None:
        if isinstance(node, exp.Hint):
            return None
        return exp.Var(this="?") if isinstance(node, exp.Literal) else node

    changed = rebuilt(tree, change)
    assert changed.sql() == "SELECT a, ? FROM t WHERE b IN (?, ?)"
    assert [mark.index for mark in changed.find_all(exp.Var)] == [1, 0, 1]
    assert rebuilt(exp.Literal.number(1), change) == exp.Var(this="?")
    assert tree.sql() == before


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        pytest.param("TRY_CAST(a AS bigint)", {"this", "to", "safe"}, id="a flag"),
        pytest.param("count(*)", {"this", "big_int"}, id="an empty list"),
        pytest.param("CAST(a AS bigint)", {"this", "to"}, id="nothing else"),
    ],
)
def test_what_is_empty_is_not_given(expression: str, expected: set[str]) -> None:
    call = parse_one(expression, dialect="trino")
    assert given(call) == expected < set(call.args)
