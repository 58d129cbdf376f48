"""Functions of texts are constants where they are exactly what Spark 4.1 and Trino 483 returned;
tests/integration/test_spark_constants.py and tests/differential/trino/test_constants.py ask them
of many texts."""

from __future__ import annotations

import pytest

from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Folded
from prunescope.collectors.sql.functions.folding import fold, literal
from prunescope.collectors.sql.text.parse import parse_condition
from tests.collectors.sql.constants.moments import plain


def folded(dialect: str, sql: str) -> Folded:
    return fold(parse_condition(sql, dialect), Session(dialect, time_zone="UTC"))


_X = "9dd4e461268c8034f5c8564e155c67a6"


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("spark", r"trim(' \t a ')", "\t a"),
        ("trino", "trim(' \t a ')", "a"),
        ("spark", "trim('\u2003a ')", "\u2003a"),
        ("spark", "trim('x', 'xax')", "a"),
        ("trino", "trim('xax', 'x')", "a"),
        ("spark", "ltrim('yx', 'xyaxy')", "axy"),
        ("trino", "rtrim('xyaxy', 'yx')", "xya"),
        ("spark", "btrim('xyaxy', 'yx')", "a"),
        ("spark", "md5('x')", _X),
        ("spark", "md5(X'78')", _X),
        ("trino", "lower(to_hex(md5(to_utf8('x'))))", _X),
        ("trino", "md5(to_utf8('x'))", bytes.fromhex(_X)),
        ("spark", "sha2('x', 224)", "54a2f7f92a5f975d8096af77a126edda7da60c5aa872ef1b871701ae"),
        ("spark", "sha1('x')", "11f6ad8ec52a2984abaafd7c3b516503785c2072"),
        ("spark", "hex('aé')", "61C3A9"),
        ("spark", "hex(17)", "11"),
        ("spark", "CAST(unbase64('YWJj') AS STRING)", "abc"),
        ("trino", "from_utf8(from_base64('YWJj'))", "abc"),
        ("trino", "reverse('aé😀')", "😀éa"),
        ("spark", "translate('a-b-a', 'ab-', 'xy')", "xyx"),
        ("trino", "translate('aab', 'aa', 'xy')", "xxb"),
        ("spark", "rpad('a', 3) || lpad(5, 3, '0')", "a  005"),
        ("spark", "repeat('ab', 2)", "abab"),
        ("trino", "format('%06d|%-3s|%s%%', -5, 'a', 7)", "-00005|a  |7%"),
        ("spark", "printf('%s-%s', 'a', 1)", "a-1"),
        ("trino", "regexp_replace('a1b22', '[0-9]+', '#')", "a#b#"),
        ("trino", "regexp_extract('a-b', 'x')", NULL),
        ("spark", "regexp_extract('a-b', 'x', 0)", ""),
        ("spark", "regexp_extract('ab12', '([a-z]+)')", "ab"),
        ("trino", "split_part('a|b', '|', 3)", NULL),
        ("spark", "split_part('a|b', '|', 3)", ""),
        ("spark", "split_part('a|b', '|', -1)", "b"),
        ("trino", "split('a,b', ',')[2]", "b"),
        ("spark", r"split('a.b', '\\.')[1]", "b"),
        ("trino", "element_at(split('a,b', ','), 5)", NULL),
        ("spark", "substring_index('a.b.c', '.', -2)", "b.c"),
        ("spark", "concat_ws('-', array('a', 'b'), 'c')", "a-b-c"),
        ("trino", """json_extract_scalar('{"a": {"k": [1, "b"]}}', '$.a.k[1]')""", "b"),
        ("spark", """get_json_object('{"k": 12}', '$.k')""", "12"),
        ("spark", """get_json_object('{"k": null}', '$.k')""", NULL),
        ("trino", "url_encode('a b~*-_.é/?')", "a+b%7E*-_.%C3%A9%2F%3F"),
        ("spark", "url_decode('a+b%20%C3%A9')", "a b é"),
        ("spark", "chr(65)", "A"),
        ("trino", "substr('abc', -2)", "bc"),
        ("spark", "substr('abc', 0, 2)", "ab"),
        ("spark", "initcap('aB cD  e')", "Ab Cd  E"),
        ("trino", "trim(NULL)", NULL),
        (
            "spark",
            "format_string('%s|%02d|%05d|%-6s', NULL, 3, NULL, NULL)",
            "null|03| null|null  ",
        ),
        ("trino", "format(NULL, 3)", NULL),
    ],
)
def test_texts_that_are_constants(dialect: str, sql: str, expected: Folded) -> None:
    found = folded(dialect, sql)
    assert (type(plain(found)), found) == (type(expected), expected)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        pytest.param("trino", "trim('\u2003a')", id="white-beyond-ascii"),
        pytest.param("trino", "reverse(CAST('ab' AS char(4)))", id="padded"),
        pytest.param("trino", "md5('x')", id="no-bytes"),
        pytest.param("spark", "hex(-1)", id="width-of-its-type"),
        pytest.param("spark", "unhex('123')", id="half-a-byte"),
        pytest.param("spark", "base64(repeat('a', 58))", id="lines"),
        pytest.param("spark", "unbase64('YW Jj')", id="not-as-written"),
        pytest.param("spark", "decode(X'ff', 'UTF-8')", id="no-utf-8"),
        pytest.param("spark", "encode('a', 'UTF-16')", id="another-charset"),
        pytest.param("spark", "chr(256)", id="wraps-around"),
        pytest.param("spark", "ascii('é')", id="code-or-byte"),
        pytest.param("trino", "format('%x', 255)", id="another-format"),
        pytest.param("trino", "format('%s')", id="too-few"),
        pytest.param("spark", "format_string('%d', 'a')", id="no-number"),
        pytest.param("spark", "array_join(array('a', NULL), ',')", id="null-in-an-array"),
        pytest.param("spark", "split('ab', '')[0]", id="splits-everywhere"),
        pytest.param("spark", "split('a,b', ',')[7]", id="fails-or-null"),
        pytest.param("spark", "split('a,b', ',', 2)[0]", id="limited"),
        pytest.param("trino", "split('a,b', ',')[-1]", id="fails"),
        pytest.param("trino", "split_part('a', ',', 0)", id="no-place"),
        pytest.param("spark", "substring_index('aaa', 'aa', 1)", id="overlaps"),
        pytest.param("trino", "regexp_replace('ab', 'x*', '-')", id="finds-nothing"),
        pytest.param("trino", "regexp_replace('ab', '(a)', '$1')", id="names-a-group"),
        pytest.param("trino", "regexp_replace('aé', 'a', '')", id="text-beyond-ascii"),
        pytest.param("trino", "regexp_extract('ab', '(?i)A')", id="flags"),
        pytest.param("trino", "regexp_extract('ab', '(a+)+b')", id="repeats-a-group"),
        pytest.param("trino", "regexp_extract('aaaa', 'a*a*a*a*b')", id="too-many-ways"),
        pytest.param("trino", "regexp_extract('a', '(')", id="no-pattern"),
        pytest.param("trino", "regexp_extract('a', '[b-a]')", id="wrong-range"),
        pytest.param("trino", "regexp_extract('a', 'a{3,1}')", id="wrong-count"),
        pytest.param("trino", "regexp_extract('a', '(a)', 2)", id="no-group"),
        pytest.param("trino", """json_extract_scalar('{"k": 1.50}', '$.k')""", id="fraction"),
        pytest.param("trino", """json_extract_scalar('{"k": {}}', '$.k')""", id="no-scalar"),
        pytest.param("spark", """get_json_object('{"k": 1, "k": 2}', '$.k')""", id="twice"),
        pytest.param("spark", """get_json_object('{"k": 1', '$.k')""", id="no-json"),
        pytest.param("spark", """get_json_object('[{"k": 1}]', '$.k')""", id="key-of-an-array"),
        pytest.param("spark", """get_json_object('{"k": [1]}', '$.k[*]')""", id="all-places"),
        pytest.param("spark", f"get_json_object('{'[' * 3000}', '$.k')", id="deep"),
        pytest.param("spark", "url_decode('%zz')", id="no-code"),
        pytest.param("spark", "initcap('x-y')", id="words-by-version"),
        pytest.param("spark", "repeat('ab', 2000000000)", id="without-end"),
        pytest.param("hive", "md5('x')", id="another-engine"),
        pytest.param("duckdb", "md5('x')", id="not-measured"),
    ],
)
def test_texts_that_are_not_certain(dialect: str, sql: str) -> None:
    with pytest.raises(CannotConvert):
        folded(dialect, sql)


def test_an_array_is_nothing_that_a_column_is_compared_with() -> None:
    with pytest.raises(CannotConvert):
        literal(parse_condition("split('a,b', ',')", "trino"), Session("trino"))


def test_what_is_made_of_texts_does_not_grow_without_end() -> None:
    sql = "'a'"
    for _ in range(16):
        sql = f"hex({sql})"
    with pytest.raises(CannotConvert):
        folded("spark", sql)
