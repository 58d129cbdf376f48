"""Functions of texts, by dialect, and texts of which they are computed."""

from __future__ import annotations

from collections.abc import Iterator

_TEXTS = (
    *("", "K5", " a b ", "a-b_c", "x|y|z", "2026-01-05", "A1b22C", "a,b,,c", "user@host.org"),
    *("aé😀", "a b+c%20d~*", "{'k'}", "\ttab\n", "0042", "\u00a0a\u2003"),
)
_COMMON = (
    *("trim('{text}')", "ltrim('{text}')", "rtrim('{text}')", "trim(BOTH 'a0 ' FROM '{text}')"),
    *("trim(LEADING 'ax' FROM '{text}')", "trim(TRAILING 'cz' FROM '{text}')"),
    *("reverse('{text}')", "translate('{text}', '-a2b', '_xy')", "translate('{text}', '|,', '')"),
    *("lpad('{text}', 4, 'xy')", "rpad('{text}', 4, 'xy')", "replace('{text}', '-')"),
    *("length('{text}')", "strpos('{text}', 'b')", "position('' IN '{text}')"),
    *("substr('{text}', -2)", "substr('{text}', -2, 1)", "substr('{text}', 2, 0)"),
    *(f"split_part('{{text}}', '{s}', {n})" for s in ("|", "-", "b_") for n in (1, 2, 4)),
    *("element_at(split('{text}', ','), 1)", "element_at(split('{text}', ','), -1)"),
    *("array_join(split('{text}', ','), ';')", "url_encode('{text}')", "url_decode('{text}')"),
    *("concat_ws('/', split('{text}', ','))", "array_join(reverse(split('{text}', '-')), '')"),
    *(
        f"regexp_replace('{{text}}', '{pattern}', '{new}')"
        for pattern in ("-", "[^a-z]", "[0-9]+", "^a", "(a|b)", ".b", "b.*?c", "[0-9]{2}$", "a|2|b")
        for new in ("", "#")
    ),
    *(
        f"regexp_extract('{{text}}', '{pattern}', {group})"
        for pattern in ("^([^-]*)-(.*)$", "([a-z]+)[^a-z]+([a-z]+)", "(?:a|x).(b|y)(.?)", "(a)|(0)")
        for group in (0, 1, 2)
    ),
    """json_extract_scalar('{"k": "{text}", "n": [1, "x"]}', '$.k')""",
    """json_extract_scalar('{"a": {"k": -7}, "k": null, "t": true, "b": "{text}"}', '$.a.k')""",
    """json_extract_scalar('{"a": {"k": 7}, "k": null, "t": true, "b": "{text}"}', '$.k')""",
    """json_extract_scalar('{"a": {"k": 7}, "k": null, "t": true, "b": "{text}"}', '$.t')""",
    """json_extract_scalar('{"a": {"k": 7}, "b": "{text}"}', '$.x')""",
    """json_extract_scalar('{"k": "{text}", "n": [1, "x"]}', '$.n[1]')""",
    *("format('%s|%5s|%-3s%%', '{text}', 'a', 7)", "format('%03d:%4d:%-4d', 5, -6, 7)"),
    *("chr(75) || '{text}'", "lower(trim(' AB ')) || '{text}'"),
)
TRINO = (
    *_COMMON,
    *(f"to_hex({f}(to_utf8('{{text}}')))" for f in ("md5", "sha1", "sha256", "sha512")),
    *("lower(to_hex(md5(to_utf8('{text}'))))", "to_base64(to_utf8('{text}'))"),
    *("from_utf8(from_base64(to_base64(to_utf8('{text}'))))", "to_hex(from_hex('4a4B'))"),
    *("from_utf8(from_hex(to_hex(to_utf8('{text}'))))", "codepoint('b')"),
    *("element_at(split('{text}', ','), 9)", "split('{text}', ',')[1]", "ltrim('{text}', 'ax')"),
)
_OF_SPARK = {
    "strpos": "instr",
    "json_extract_scalar": "get_json_object",
    "format(": "format_string(",
}
SPARK = (
    *_COMMON,
    *(f"{f}('{{text}}')" for f in ("md5", "sha1", "sha", "hex", "base64", "initcap", "btrim")),
    *(f"sha2('{{text}}', {bits})" for bits in (0, 224, 256, 384, 512)),
    *("lower(hex('{text}'))", "upper(md5('{text}'))", "hex(1234567)", "ascii('{text}')"),
    *("decode(unhex(hex('{text}')), 'UTF-8')", "CAST(unbase64(base64('{text}')) AS STRING)"),
    *("rpad('{text}', 4)", "lpad('{text}', 2)", "repeat('{text}', 2)", "'{text}' || space(2)"),
    *(
        "substr('{text}', 0, 2)",
        "right('{text}', 2)",
        "btrim('{text}', 'a0 ')",
        "printf('%s-%d', '{text}', 4)",
    ),
    *(f"substring_index('{{text}}', '-', {count})" for count in (-9, -1, 0, 1, 2)),
    *("split_part('{text}', '|', -1)", "split('{text}', '[|]')[0]", "split('{text}', '[0-9]')[0]"),
    *("split('{text}', '\\\\.')[0]", "array('{text}', 'b')[1]", "element_at(array('{text}'), 1)"),
    *("md5(X'4a')", "length(42)", "reverse(42)", "lpad(42, 4, '0')", "trim(42)"),
)


def forms_of(dialect: str) -> Iterator[str]:
    """Each function of a dialect."""
    for form in SPARK if dialect == "spark" else TRINO:
        written = form
        for name, other in _OF_SPARK.items() if dialect == "spark" else ():
            written = written.replace(name, other)
        yield written


def texts_filled(dialect: str) -> Iterator[str]:
    """Each function of a dialect with all of the texts in place of its `{text}`."""
    for form in forms_of(dialect):
        yield from (form.replace("{text}", text.replace("'", "")) for text in _TEXTS)
