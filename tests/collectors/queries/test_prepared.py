import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.errors import UnparseableSql
from prunescope.collectors.queries.prepared import Execute, parse_execute


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("EXECUTE s", Execute(None, ()), id="no-parameters"),
        pytest.param("EXECUTE s;", Execute(None, ()), id="trailing-semicolon"),
        pytest.param("EXECUTE s USING 1", Execute(None, ("1",)), id="one"),
        pytest.param("execute s using 1, 'x'", Execute(None, ("1", "'x'")), id="lower-case"),
        pytest.param('EXECUTE "my ""s" USING 1', Execute(None, ("1",)), id="quoted-name"),
        pytest.param("EXECUTE s USING 1;\n", Execute(None, ("1",)), id="semicolon-after-list"),
        pytest.param("EXECUTE immediate USING 1", Execute(None, ("1",)), id="named-immediate"),
        pytest.param(
            "/* app */ -- EXECUTE\n EXECUTE/**/s USING -- first, and\n 1 /* , 2 */, 3",
            Execute(None, ("1", "3")),
            id="comments",
        ),
        pytest.param(
            "EXECUTE s USING 'a, b', 'O''Brien', ''",
            Execute(None, ("'a, b'", "'O''Brien'", "''")),
            id="strings-with-commas-and-quotes",
        ),
        pytest.param(
            "EXECUTE s USING '--', '/*', '(', \"a,b\"",
            Execute(None, ("'--'", "'/*'", "'('", '"a,b"')),
            id="strings-that-look-like-syntax",
        ),
        pytest.param(
            "EXECUTE s USING DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00 UTC'",
            Execute(None, ("DATE '2024-01-01'", "TIMESTAMP '2024-01-01 00:00:00 UTC'")),
            id="typed-literals",
        ),
        pytest.param(
            "EXECUTE s USING ARRAY[1, 2], ROW(1, (2)), f(a, '(', ARRAY['x,]']), -1.5e3",
            Execute(None, ("ARRAY[1, 2]", "ROW(1, (2))", "f(a, '(', ARRAY['x,]'])", "-1.5e3")),
            id="nested-brackets",
        ),
        pytest.param(
            "EXECUTE IMMEDIATE 'SELECT * FROM t WHERE a = ? AND b = ''x'''\nUSING 42",
            Execute("SELECT * FROM t WHERE a = ? AND b = 'x'", ("42",)),
            id="immediate",
        ),
        pytest.param(
            "EXECUTE IMMEDIATE'SELECT 1'USING 1", Execute("SELECT 1", ("1",)), id="without-blanks"
        ),
        pytest.param(
            "EXECUTE IMMEDIATE 'SELECT 1'", Execute("SELECT 1", ()), id="immediate-without-using"
        ),
    ],
)
def test_execute_is_taken_apart(sql: str, expected: Execute) -> None:
    assert parse_execute(sql) == expected


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "",
        "EXECUTED s",
        "-- EXECUTE s",
        "/* EXECUTE s",
        "ALTER TABLE t EXECUTE optimize",
        "PREPARE s FROM SELECT 1",
    ],
)
def test_other_statements_are_not_execute(sql: str) -> None:
    assert parse_execute(sql) is None


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("EXECUTE", id="nothing-after-execute"),
        pytest.param("EXECUTE s USING", id="empty-list"),
        pytest.param("EXECUTE s USING 1,, 2", id="empty-expression"),
        pytest.param("EXECUTE s USING 1, 'hidd", id="string-cut-off"),
        pytest.param("EXECUTE s USING 'hid''den", id="string-cut-off-after-inner-quote"),
        pytest.param("EXECUTE s USING 1 /* hidden", id="comment-cut-off"),
        pytest.param("EXECUTE s USING f(1, 2", id="bracket-not-closed"),
        pytest.param("EXECUTE s USING f(1]", id="brackets-crossed"),
        pytest.param("EXECUTE s USING 1)", id="bracket-not-opened"),
        pytest.param("EXECUTE s USING 1; SELECT 2", id="second-statement"),
        pytest.param("EXECUTE s WITH 1", id="not-using"),
        pytest.param("EXECUTE IMMEDIATE 'SELECT ''hidden", id="statement-cut-off"),
        pytest.param("EXECUTE IMMEDIATE ' '", id="blank-statement"),
        pytest.param("EXECUTE IMMEDIATE U&'SELECT \\0041'", id="unicode-notation"),
    ],
)
def test_malformed_execute_is_unparseable_and_shows_no_content(sql: str) -> None:
    with pytest.raises(UnparseableSql) as raised:
        parse_execute(sql)
    assert "hid" not in str(raised.value)


def quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


sql_text = st.text("ab'\"(),;-/*?\n ", max_size=12)


@given(st.lists(sql_text, min_size=1, max_size=5))
def test_any_list_of_strings_splits_into_the_same_strings(values: list[str]) -> None:
    sql = "EXECUTE s USING " + ", ".join(quoted(value) for value in values)
    execute = parse_execute(sql)
    assert execute is not None
    assert [sqlglot.parse_one(p, dialect="trino").this for p in execute.parameters] == values


@given(sql_text.filter(str.strip), st.lists(sql_text, max_size=3))
def test_any_statement_survives_execute_immediate(statement: str, values: list[str]) -> None:
    using = f" USING {', '.join(quoted(value) for value in values)}" if values else ""
    assert parse_execute(f"EXECUTE IMMEDIATE {quoted(statement)}{using}") == Execute(
        statement, tuple(quoted(value) for value in values)
    )


@given(st.text("EXECUTEs USING'\"(),;-/*[]1\n", max_size=40))
def test_any_text_is_taken_apart_or_refused(tail: str) -> None:
    try:
        execute = parse_execute("EXECUTE " + tail)
    except UnparseableSql:
        return
    assert execute is not None
    assert all(parameter.strip() for parameter in execute.parameters)
