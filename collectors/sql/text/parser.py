"""Parsers of sqlglot that end: they try some readings after others, and nothing else stops them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from inspect import isfunction
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.hive import Hive
from sqlglot.dialects.trino import Trino
from sqlglot.parser import Parser
from sqlglot.parsers.athena import AthenaParser, AthenaTrinoParser
from sqlglot.parsers.clickhouse import ClickHouseParser
from sqlglot.parsers.dremio import DremioParser
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.parsers.presto import PrestoParser
from sqlglot.parsers.snowflake import SnowflakeParser
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import Token, TokenType

from prunescope.collectors.errors import TooComplexSql, UnsuitableInstallation
from prunescope.collectors.sql.text.called_operators import CALLED_BY_CLICKHOUSE, CALLED_BY_DUCKDB
from prunescope.collectors.sql.text.cost import spend
from prunescope.collectors.sql.text.names_in_texts import NamesInTexts, at, plain_name
from prunescope.collectors.sql.text.spans import recording

_ONE_UNIT = re.compile(r"\s*[+-]?[0-9]+(\.[0-9]+)?\s*[a-zA-Z]*\s*")


class WholeIntervals:
    """Keeps the text of `INTERVAL '3 days 02:00:00'` as it is: sqlglot reads the first unit, and
    drops the rest."""

    def _parse_interval_span(self, this: exp.Expr, *args: Any, **options: Any) -> Any:
        text = this.name if isinstance(this, exp.Literal) and this.is_string else ""
        found = super()._parse_interval_span(this, *args, **options)  # type: ignore[misc]
        is_cut = isinstance(found, exp.Interval) and found.name != text
        if text and is_cut and not _ONE_UNIT.fullmatch(text):
            return exp.Interval(this=exp.Literal.string(text))
        return found


MAX_VISITS = 64
"""Visits for each token of a statement, and `FREE_VISITS` besides. SQL that people write takes 1 to
12; where every reading doubles those of what it holds, as of arrays in arrays, 20 levels take
millions (sqlglot 30)."""

FREE_VISITS = 4_800

_VISITS_PER_LOOK = 32  # divides both of them

IS_INSTR = "is_instr"
"""Marks, in its meta data, a StrPosition that is written as instr()."""

_TO_12 = re.compile("hh(?!24)", re.IGNORECASE)

_UPPER_PATTERNS = frozenset(("snowflake", "dremio"))
"""Dialects whose patterns of dates are the same in either case, as which sqlglot mixes them."""

_CONDITIONS = (TokenType.ON, TokenType.USING)


@cache
def dialect_named(name: str) -> Dialect:
    """sqlglot's dialect of a name, which is not to be changed. Raises ValueError for others."""
    dialect = Dialect.get_or_raise(name)
    # PostgreSQL's is one node, as it differs for rows; the others have a NOT above IS NULL.
    dialect.NORMALIZE_NOT_NULL = True
    if name in _UPPER_PATTERNS:
        words = dialect.INVERSE_TIME_MAPPING.items()
        dialect.INVERSE_TIME_MAPPING = {part: word.upper() for part, word in words}
    return dialect


def parse_tokens(
    tokens: list[Token], sql: str, dialect: Dialect, *, keeps_spans: bool = False
) -> list[exp.Expr | None]:
    """The statements of tokens; with `keeps_spans`, conditions tell where they stand (`spans`).
    Raises what the parser does, and TooComplexSql."""
    kind, own_dialect, own_tokens = _parser_of(dialect, tokens)
    patient = _patient(kind)
    parser = (recording(patient) if keeps_spans else patient)(dialect=own_dialect)
    parser.visits = FREE_VISITS + MAX_VISITS * len(tokens)
    found: list[exp.Expr | None] = parser.parse(own_tokens, sql)
    return found


def _parser_of(dialect: Dialect, tokens: list[Token]) -> tuple[Any, Dialect, list[Token]]:
    """Athena's parser hands its tokens to one of two others, which it makes itself."""
    kind: Any = dialect.parser_class
    if kind is not AthenaParser:
        return kind, dialect, tokens
    if tokens and tokens[0].token_type is TokenType.HIVE_TOKEN_STREAM:
        return Hive.parser_class, Hive(), tokens[1:]
    return AthenaTrinoParser, Trino(), tokens


def require_interpreted(parser: Any = Parser) -> None:
    """Raises UnsuitableInstallation for a compiled parser (sqlglotc 30): nothing can be derived
    from it that ends what reads a text over and over."""
    if not isfunction(parser.parse):
        raise UnsuitableInstallation(
            "sqlglot is compiled here, and its compiled parser cannot be stopped at SQL without "
            "end; give prunescope an environment of its own, or: pip uninstall sqlglotc"
        )


def _functions(parser: Any) -> dict[str, Any]:
    """The builders of a parser's function calls, with corrections of sqlglot's.

    Spark's date_part(), which sqlglot knows by name alone, is EXTRACT; its instr() is told from
    locate(), the same node in sqlglot; a "Q" is no quarter for trunc(), which is NULL then; its
    datediff() is timestampdiff() with a unit, and counts days without; functions that Spark
    replaces by operators are these, as regexp() by RLIKE. Trino's to_char() of 12-hour clocks is
    told from date_format(). Names of operators in ClickHouse and DuckDB are these
    (`called_operators`). Units of Dremio's functions are no columns, and its to_date() of constants
    stays as it is.
    """
    functions: dict[str, Any] = parser.FUNCTIONS
    if issubclass(parser, ClickHouseParser):
        return {**functions, **CALLED_BY_CLICKHOUSE}
    if issubclass(parser, DuckDBParser):
        return {**functions, **CALLED_BY_DUCKDB}
    if issubclass(parser, PrestoParser):
        return {**functions, "TO_CHAR": partial(_to_char, functions["TO_CHAR"])}
    if issubclass(parser, DremioParser):
        to_date = partial(_dremio_to_date, functions["TO_DATE"])
        of_units = {name: partial(_of_unit, name) for name in ("TIMESTAMPADD", "TIMESTAMPDIFF")}
        return {**functions, **of_units, "TO_DATE": to_date}
    if issubclass(parser, SnowflakeParser):
        return {**functions, "EQUAL_NULL": _equal_null, "IDENTIFIER": _identifier}
    if not issubclass(parser, SparkParser):
        return functions
    own = {
        "DATEDIFF": _datediff,
        "DATE_DIFF": _datediff,
        "DATE_PART": _date_part,
        "DATEPART": _date_part,
        "EQUAL_NULL": _equal_null,
        "IDENTIFIER": _identifier,
        "INSTR": _instr,
        "ISNOTNULL": _is_not_null,
        "ISNULL": _is_null,
        "REGEXP": exp.RegexpLike.from_arg_list,
        "TRUNC": _trunc,
    }
    return {**functions, **own}


def _to_char(build: Callable[..., exp.Expr], arguments: list[exp.Expr], **given: Any) -> exp.Expr:
    match arguments:
        case [_, exp.Literal(this=str() as pattern)] if _TO_12.search(pattern):
            return exp.Anonymous(this="to_char", expressions=arguments)
    return build(arguments, **given)


def _dremio_to_date(
    build: Callable[..., exp.Expr], arguments: list[exp.Expr], **given: Any
) -> exp.Expr:
    match arguments:
        case [exp.Literal(), exp.Literal()]:
            return exp.Anonymous(this="TO_DATE", expressions=arguments)
    return build(arguments, **given)


def _of_unit(name: str, arguments: list[exp.Expr], **_given: Any) -> exp.Expr:
    match arguments:
        case [exp.Column() as unit, *others] if not unit.table:
            arguments = [exp.var(unit.name), *others]
    return exp.Anonymous(this=name, expressions=arguments)


def _equal_null(arguments: list[exp.Expr]) -> exp.Expr:
    match arguments:
        case [left, right]:
            return exp.Paren(this=exp.NullSafeEQ(this=left, expression=right))
    return exp.Anonymous(this="equal_null", expressions=arguments)


def _is_null(arguments: list[exp.Expr]) -> exp.Expr:
    match arguments:
        case [operand]:
            return exp.Paren(this=exp.Is(this=operand, expression=exp.null()))
    return exp.Anonymous(this="isnull", expressions=arguments)


def _is_not_null(arguments: list[exp.Expr]) -> exp.Expr:
    match arguments:
        case [operand]:
            return exp.Paren(this=exp.Not(this=_is_null([operand])))
    return exp.Anonymous(this="isnotnull", expressions=arguments)


def _instr(arguments: list[exp.Expr]) -> exp.Expr:
    found: exp.Expr = exp.StrPosition.from_arg_list(arguments)
    found.meta[IS_INSTR] = True
    return found


def _trunc(arguments: list[exp.Expr]) -> exp.Expr:
    match arguments:
        case [operand, unit]:
            whole = {"this": operand, "unit": unit, "unabbreviate": False}
            return exp.DateTrunc(**whole)  # type: ignore[no-untyped-call]
    return exp.Anonymous(this="trunc", expressions=arguments)


def _datediff(arguments: list[exp.Expr]) -> exp.Expr:
    match arguments:
        case [unit, start, end]:
            return exp.TimestampDiff(this=end, expression=start, unit=unit)
        case [end, start]:
            days = [exp.TsOrDsToDate(this=side) for side in (end, start)]
            return exp.DateDiff(this=days[0], expression=days[1])
    return exp.Anonymous(this="datediff", expressions=arguments)


def _date_part(arguments: list[exp.Expr]) -> exp.Expr:
    match arguments:
        case [exp.Literal(is_string=True) as field, operand]:
            return exp.Extract(this=exp.var(field.name.upper()), expression=operand)
    return exp.Anonymous(this="date_part", expressions=arguments)


def _identifier(arguments: list[exp.Expr]) -> exp.Expr:
    """The name in IDENTIFIER('db.t') or IDENTIFIER('c') as a column, if the text is constant."""
    parts = plain_name(arguments)
    return exp.Anonymous(this="identifier", expressions=arguments) if parts is None else at(parts)


def is_named_by_value(table: exp.Expr) -> bool:
    """True if the name of a table is no constant: IDENTIFIER(:name), TABLE($name), ClickHouse's
    {name:Identifier}, ${schema}.orders."""
    match table:
        case exp.Table(this=exp.Placeholder() | exp.VarMap()):  # the latter behind JOIN
            return True
        case exp.Table(args={"db": exp.Parameter() | exp.Placeholder()}):
            return True
        case exp.Table(args={"catalog": exp.Parameter() | exp.Placeholder()}):
            return True
        case exp.Table(this=exp.Anonymous() as call):
            return call.name.lower() == "identifier"
        case exp.TableFromRows(this=exp.Literal() | exp.Parameter() | exp.Placeholder()):
            return True
    return False


@cache
def _patient(parser: Any) -> Any:
    """The parser of a dialect, which counts the tokens it visits, and reads joins without a
    condition once.

    After `a JOIN b`, sqlglot reads all joins that follow as if they stood in brackets (`a JOIN b
    JOIN c ON … ON …`), and reads them again if no condition comes after them: twice as often for
    each.
    """

    require_interpreted(parser)
    advance = parser._advance  # noqa: SLF001  # which is called for every visit

    class Patient(NamesInTexts, WholeIntervals, parser):  # type: ignore[misc]
        FUNCTIONS = _functions(parser)
        # ClickHouse calls in() as well.
        _CALLED = {TokenType.IN} if issubclass(parser, ClickHouseParser) else frozenset()
        FUNC_TOKENS = parser.FUNC_TOKENS | _CALLED
        # `TABLE t`, which sqlglot knows of others, is a query in Spark as well.
        SUPPORTS_TABLE_QUERY = parser.SUPPORTS_TABLE_QUERY or issubclass(parser, SparkParser)
        visits = 0

        def __init__(self, *args: Any, **options: Any) -> None:
            self._in_join = False
            self._unconditional: set[int] = set()
            super().__init__(*args, **options)

        def _advance(self, times: int = 1) -> None:
            self.visits -= 1
            if not self.visits % _VISITS_PER_LOOK:
                self._look()
            advance(self, times)

        def _look(self) -> None:
            spend(_VISITS_PER_LOOK)
            if self.visits <= 0:
                raise TooComplexSql(
                    "the SQL is nested in a way that the parser reads over and over; exclude "
                    "generated queries of this kind"
                )

        def _parse_table_part(self, *args: Any, **options: Any) -> Any:
            # sqlglot takes a text in the place of a table for its name, and names are shown.
            if self._match(TokenType.STRING):
                return exp.to_identifier("?", quoted=True)
            return super()._parse_table_part(*args, **options)

        def _parse_join(self, *args: Any, **options: Any) -> Any:
            return self._reading(True, super()._parse_join, *args, **options)

        def _parse_table(self, *args: Any, **options: Any) -> Any:
            return self._reading(False, super()._parse_table, *args, **options)

        def _parse_query_modifiers(self, *args: Any, **options: Any) -> Any:
            return self._reading(False, super()._parse_query_modifiers, *args, **options)

        def _reading(self, in_join: bool, read: Any, *args: Any, **options: Any) -> Any:
            before, self._in_join = self._in_join, in_join
            try:
                return read(*args, **options)
            finally:
                self._in_join = before

        def _parse_joins(self, *args: Any, **options: Any) -> Iterator[exp.Join]:
            """The joins that follow; none of them within another join, if it is known that no
            condition comes after them: that reading is given up."""
            found: Iterator[exp.Join] = super()._parse_joins(*args, **options)
            if not self._in_join:
                return found
            start = self._index
            if start in self._unconditional:
                return iter(())
            joins = list(found)
            if not self._match_set(_CONDITIONS, advance=False):
                self._unconditional.add(start)
            return iter(joins)

    return Patient
