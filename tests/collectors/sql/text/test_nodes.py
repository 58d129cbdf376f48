import pytest
from sqlglot import exp, parse_one

from collectors.sql.text.boolean import nested_queries, own_nodes
from collectors.sql.text.nodes import nodes_of, nodes_that_are

TEXTS = (
    "SELECT a, b + 1 AS c FROM t WHERE a IN (1, 2, 3) AND NOT b = 'x' GROUP BY ROLLUP (a, b)",
    "WITH x AS (SELECT 1) SELECT * FROM x JOIN (SELECT k FROM u) AS y ON x.k = y.k LIMIT 3",
    "SELECT * FROM t WHERE a = (SELECT max(a) FROM u WHERE u.k IN (SELECT 1)) OR EXISTS (SELECT 2)",
)


@pytest.mark.parametrize("sql", TEXTS)
def test_nodes_come_in_the_order_of_sqlglot(sql: str) -> None:
    tree = parse_one(sql)
    assert list(map(id, nodes_of(tree))) == list(map(id, tree.walk()))
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
