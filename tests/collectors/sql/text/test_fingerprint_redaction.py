"""No literal of a query gets into what is shown of it: canaries in every place of a query."""

from __future__ import annotations

import pytest

from prunescope.collectors.errors import QueryError
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import And, Or, Predicate, Unsupported
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.fingerprint import redact
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.sql.text.statements import statements

WORD, NUMBER = "canary", "70707"
COLUMNS = {TableName(None, (), "t"): ("a", "b", "c", "ts", "j", "m")}

LITERALS = {
    "string": "'canary'",
    "quote in a string": "'can''canary'",
    "national string": "N'canary'",
    "integer": "70707",
    "negative": "-70707",
    "decimal": "70707.70707",
    "exponent": "70707e7",
    "leading dot": ".70707",
    "hexadecimal": "X'70707070'",
    "typed date": "DATE '70707-01-01'",
    "typed timestamp": "TIMESTAMP '70707-01-01 canary'",
    "time zone in a timestamp": "TIMESTAMP '2020-01-01 00:00:00 canary'",
    "time": "TIME '70707 canary'",
    "cast": "CAST('canary' AS VARCHAR(10))",
    "interval": "now() - INTERVAL '70707' DAY",
    "interval with a unit inside": "now() - INTERVAL '70707 canary'",
    "interval of a range": "now() - INTERVAL '70707-1' YEAR TO MONTH",
    "function argument": "lower('canary')",
    "unit of a function": "date_trunc('canary', ts)",
    "time zone": "ts AT TIME ZONE 'canary'",
    "json path": "json_extract_scalar(j, '$.canary[70707]')",
    "subscript": "m['canary']",
    "array": "ARRAY['canary', 70707]",
    "row": "ROW('canary', 70707)",
    "case": "CASE WHEN a = 'canary' THEN 70707 ELSE 'canary' END",
    "concatenation": "'x' || 'canary' || b",
    "block comment": "1 /* canary 70707 */",
    "line comment": "1 -- canary 70707\n",
    "nested query": "(SELECT max(a) FROM t WHERE b = 'canary' LIMIT 70707)",
    "format": "date_format(ts, 'canary')",
    "format of a parse": "date_parse(b, 'canary')",
    "regular expression": "regexp_extract(b, 'canary', 70707)",
    "extract": "extract(canary FROM ts)",
}
DIALECT_LITERALS = {
    "trino": {
        "unicode": "U&'canary'",
        "other escape": "U&'canary#0041' UESCAPE '#'",
        "decimal type": "DECIMAL '70707.7'",
        "json": "JSON '{\"canary\": 70707}'",
        "address": "IPADDRESS 'canary'",
        "date_add": "date_add('canary', 70707, ts)",
        "lambda": "any_match(m, x -> x = 'canary')",
        "try": "try_cast('canary' AS BIGINT)",
        "char": "CHAR 'canary'",
        "json query": "json_value(j, 'lax $.canary' DEFAULT 'canary' ON EMPTY)",
        "list": "listagg(b, 'canary') WITHIN GROUP (ORDER BY a)",
    },
    "spark": {
        "double quotes": '"canary"',
        "raw": "r'canary'",
        "escape": "'\\'canary'",
        "suffixes": "70707L + 70707S + 70707.7BD + 70707D",
        "adjacent": "'x' 'canary'",
        "named": "named_struct('x', 'canary', 'y', 70707)",
        "map": "map('canary', 70707)",
        "make interval": "ts + INTERVAL 70707 DAYS 70707 HOURS",
        "json path": "get_json_object(j, '$.canary')",
        "variant": "j:canary.x[70707]",
    },
    "snowflake": {
        "dollars": "$$canary 70707$$",
        "cast": "'canary'::DATE",
        "variant": "j:x['canary']",
        "unit": "DATEADD('canary', 70707, ts)",
        "try": "TRY_TO_DATE('canary', 'canary')",
        "object": "OBJECT_CONSTRUCT('canary', 70707)",
        "stage": "@canary_is_a_name",
    },
    "clickhouse": {
        "type": "toDateTime64(b, 3, 'canary')",
        "enum": "CAST(a AS Enum8('canary' = 7))",
    },
    "bigquery": {"triple": "'''canary'''", "bytes": "b'canary'", "raw": 'r"canary"'},
    "postgres": {
        "escape": "E'canary\\n'",
        "tagged": "$tag$canary$tag$",
        "bits": "B'1' || 'canary'",
    },
    "mysql": {"charset": "_utf8'canary'", "hexadecimal": "0x70707070"},
}
DIALECT_LITERALS["databricks"] = DIALECT_LITERALS["spark"]
DIALECT_LITERALS["athena"] = DIALECT_LITERALS["trino"]

PLACES = {
    "condition": "SELECT a FROM t WHERE b = {}",
    "negated": "SELECT a FROM t WHERE NOT (b > {} OR b IS NULL)",
    "list": "SELECT a FROM t WHERE b IN ({}, {})",
    "range": "SELECT a FROM t WHERE b BETWEEN {} AND {}",
    "pattern": "SELECT a FROM t WHERE b LIKE {}",
    "item": "SELECT {} AS x FROM t",
    "join": "SELECT 1 FROM t JOIN t AS u ON t.a = u.a AND u.b = {}",
    "group": "SELECT count(*) FROM t GROUP BY {} HAVING max(b) > {}",
    "window": "SELECT lag(a, 1, {}) OVER (PARTITION BY {} ORDER BY b) FROM t",
    "order": "SELECT a FROM t ORDER BY coalesce(b, {})",
    "expression": "WITH w AS (SELECT {} AS x FROM t) SELECT x FROM w WHERE x = 1",
    "values": "SELECT * FROM t JOIN (VALUES ({}, 1)) AS v (x, y) ON t.a = v.x",
    "union": "SELECT a FROM t UNION ALL SELECT {} FROM t",
}


def _literals() -> list[object]:
    dialects = [*DIALECT_LITERALS]
    every = [(dialect, *item) for dialect in dialects for item in LITERALS.items()]
    own = [(dialect, *item) for dialect in dialects for item in DIALECT_LITERALS[dialect].items()]
    return [
        pytest.param(dialect, text, id=f"{dialect} {name}")
        for dialect, name, text in [*every, *own]
    ]


def assert_no_canary(text: str, *, names: str = "") -> None:
    for name in names.split():
        text = text.replace(name, "")
    assert WORD not in text.lower()
    assert NUMBER not in text


@pytest.mark.parametrize(("dialect", "literal"), _literals())
@pytest.mark.slow
def test_a_literal_is_in_nothing_that_is_shown(dialect: str, literal: str) -> None:
    for place in PLACES.values():
        sql = place.format(*[literal] * 2)
        try:
            tree = parse(sql, dialect)
        except QueryError as error:
            assert_no_canary(str(error))
            continue
        assert_no_canary(redact(tree, dialect), names="canary_is_a_name")
        for scan in extract(tree, dialect=dialect, columns=COLUMNS):
            for part in _unsupported(scan.predicate):
                assert_no_canary(part.redacted, names="canary_is_a_name")


def _unsupported(predicate: Predicate) -> list[Unsupported]:
    match predicate:
        case Unsupported():
            return [predicate]
        case And(children) | Or(children):
            return [part for child in children for part in _unsupported(child)]
    return []


STATEMENTS = {
    "hint": ("SELECT /*+ BROADCAST(t), REPARTITION(70707, a), X('canary') */ a FROM t", "spark"),
    "hint that is unknown": ("SELECT /*+ canary 70707 ('x') */ a FROM t", "spark"),
    "escape": ("SELECT a FROM t WHERE b LIKE 'canary!%' ESCAPE 'canary'", "trino"),
    "limit": ("SELECT a FROM t OFFSET 70707 LIMIT 70707", "trino"),
    "fetch": ("SELECT a FROM t FETCH FIRST 70707 ROWS ONLY", "trino"),
    "sample": ("SELECT a FROM t TABLESAMPLE BERNOULLI (70707)", "trino"),
    "version": ("SELECT a FROM t FOR VERSION AS OF 70707", "trino"),
    "version by name": ("SELECT a FROM t VERSION AS OF 'canary'", "spark"),
    "time travel": ("SELECT a FROM t FOR TIMESTAMP AS OF TIMESTAMP '70707 canary'", "trino"),
    "time travel of snowflake": (
        "SELECT a FROM t AT(TIMESTAMP => 'canary'::TIMESTAMP)",
        "snowflake",
    ),
    "table function": ("SELECT * FROM TABLE(f(x => 'canary', y => 70707)), t", "trino"),
    "file as a table": ("SELECT * FROM read_files('canary', format => 'canary')", "databricks"),
    "pivot": ("SELECT * FROM t PIVOT (sum(a) FOR b IN ('canary' AS x, 70707 AS y))", "spark"),
    "match": (
        (
            "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (x y) "
            "DEFINE y AS y.b = 'canary' AND y.a > 70707)"
        ),
        "trino",
    ),
    "lateral view": ("SELECT * FROM t LATERAL VIEW explode(array('canary')) x AS y", "spark"),
    "properties": ("CREATE TABLE x WITH (p = 'canary', q = 70707) AS SELECT a FROM t", "trino"),
    "properties of spark": (
        (
            "CREATE TABLE x USING iceberg TBLPROPERTIES ('canary' = 'canary') COMMENT 'canary' "
            "LOCATION 'canary' AS SELECT a FROM t"
        ),
        "spark",
    ),
    "options": ("CACHE TABLE x OPTIONS ('canary' = 'canary') AS SELECT a FROM t", "spark"),
    "partition": ("INSERT OVERWRITE x PARTITION (b = 'canary') SELECT a FROM t", "spark"),
    "update": ("UPDATE t SET b = 'canary', a = 70707 WHERE c = 'canary'", "trino"),
    "merge": (
        (
            "MERGE INTO t USING u ON t.a = u.a AND t.b = 'canary' WHEN MATCHED AND u.c = 'canary' "
            "THEN UPDATE SET b = 70707 WHEN NOT MATCHED THEN INSERT (a) VALUES (70707)"
        ),
        "trino",
    ),
    "struct type": ("SELECT CAST(a AS STRUCT<x: INT COMMENT 'canary'>) FROM t", "spark"),
    "collation": ("SELECT a FROM t WHERE b COLLATE 'canary' = 'canary'", "snowflake"),
    "window frame": ("SELECT sum(a) OVER (ORDER BY b ROWS 70707 PRECEDING) FROM t", "trino"),
    "grouping": ("SELECT a FROM t GROUP BY GROUPING SETS ((a, 'canary'), (70707))", "trino"),
    "settings": ("SELECT a FROM t SETTINGS max_threads = 70707, x = 'canary'", "clickhouse"),
    "format": ("SELECT CAST(b AS DATE FORMAT 'canary') FROM t", "bigquery"),
    "unload": ("UNLOAD (SELECT a FROM t WHERE b = 'canary') TO 's3://canary/'", "athena"),
    "copy": (
        "COPY INTO 's3://canary' FROM (SELECT a FROM t) FILE_FORMAT = (X = 'canary')",
        "snowflake",
    ),
    "explain": ("EXPLAIN ANALYZE SELECT a FROM t WHERE b = 'canary' LIMIT 70707", "trino"),
    "set": ("SET x = 'canary'", "spark"),
    "time zone": ("SET TIME ZONE 'canary'", "trino"),
    "use": ("USE CATALOG 'canary'", "databricks"),
    "call": ("CALL p('canary', 70707)", "trino"),
    "execute": ("EXECUTE s USING 'canary', 70707", "trino"),
    "immediate": ("EXECUTE IMMEDIATE 'SELECT a FROM t WHERE b = ''canary'''", "trino"),
    "using": ("EXECUTE IMMEDIATE 'SELECT a FROM t WHERE b = ?' USING 'canary'", "trino"),
    "immediate of a variable": ("EXECUTE IMMEDIATE canary USING 70707", "spark"),
    "insert": ("INSERT INTO t VALUES ('canary', 70707)", "trino"),
    "drop": ("DELETE FROM t WHERE b = 'canary' RETURNING 'canary'", "postgres"),
    "broken string": ("SELECT a FROM t WHERE b = 'canary", "trino"),
    "broken condition": ("SELECT a FROM t WHERE b = = 'canary' 70707", "trino"),
    "broken end": ("SELECT a FROM t WHERE b IN ('canary', 70707", "trino"),
    "broken function": ("SELECT date_trunc('canary', 70707, 1, 2, 3, 4) FROM t", "trino"),
    "broken interval": ("SELECT INTERVAL 'canary 70707' 'canary' FROM t WHERE", "spark"),
    "broken path": ("SELECT json_extract(j, '$.[canary[70707') FROM t", "trino"),
    "broken path of snowflake": ("SELECT j:['canary FROM t", "snowflake"),
    "block": ("BEGIN SELECT 'canary'; LET x := 70707; END", "snowflake"),
    "several": ("SELECT 'canary' FROM t; SELECT FROM ('canary'; DROP TABLE x70707", "trino"),
}


@pytest.mark.parametrize(
    ("sql", "dialect"), [pytest.param(*parts, id=name) for name, parts in STATEMENTS.items()]
)
def test_a_statement_shows_no_literal(sql: str, dialect: str) -> None:
    try:
        found = statements(sql, dialect)
    except QueryError as error:
        assert_no_canary(str(error))
        return
    for statement in found:
        if statement.failure is not None:
            assert_no_canary(str(statement.failure))
        if statement.tree is not None:
            assert_no_canary(redact(statement.tree, dialect))


@pytest.mark.parametrize(
    "literal",
    [
        pytest.param("'secret'", id="string"),
        pytest.param("4242", id="number"),
        pytest.param("-42.42e10", id="double"),
        pytest.param("DATE '2042-02-04'", id="date"),
        pytest.param("TIMESTAMP '2042-02-04 00:00:00'", id="timestamp"),
        pytest.param("now() - INTERVAL '42' DAY", id="interval"),
        pytest.param("X'4242'", id="binary"),
        pytest.param("U&'secret'", id="unicode"),
        pytest.param("DECIMAL '42.42'", id="decimal"),
        pytest.param("json_extract(j, '$.secret')", id="json path"),
        pytest.param("m['secret'] /* secret 42 */", id="key and comment"),
        pytest.param("CAST('42' AS decimal(10, 2))", id="cast"),
    ],
)
def test_redacted_text_holds_no_literal(literal: str) -> None:
    text = redact(
        parse(f"SELECT a FROM t WHERE a = {literal} AND b IN ({literal})", "trino"), "trino"
    )
    assert "?" in text
    assert "42" not in text
    assert "secret" not in text
