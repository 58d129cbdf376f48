"""SQL text as the syntax tree of one statement that reads tables."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect, Dialects
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from collectors.errors import UnparseableSql, UnsupportedStatement
from collectors.predicates.sql_dml import as_query

# Looked up among these only: for other names sqlglot tries an import, and records choose names.
_KNOWN_DIALECTS = frozenset(dialect.value for dialect in Dialects if dialect.value)


class _Silence(logging.Filter):
    def filter(self, _record: logging.LogRecord) -> bool:
        return False


# sqlglot logs parts of the statements that it does not understand, and with them their literals.
logging.getLogger("sqlglot").addFilter(_Silence())


def parse(sql: str, dialect: str, parameters: Sequence[str] = ()) -> exp.Query:
    """The query that the one statement in `sql` stands for (`as_query`).

    `parameters` are SQL literals for the `?` of the text, in order. Without any, the `?` stay:
    the conditions that hold them are not constant.

    Raises UnparseableSql for text that is no SQL of `dialect`, and UnsupportedStatement for
    statements that do not scan tables, and for more than one statement. Neither message holds
    any of the text.
    """
    sql = with_parameters(sql, dialect, parameters)
    return as_query(_one_statement(_statements(sql, dialect)))


@contextlib.contextmanager
def deep_nesting_refused() -> Iterator[None]:
    """Turns the interpreter's RecursionError into UnparseableSql."""
    try:
        yield
    except RecursionError:
        raise UnparseableSql(
            "the SQL is nested too deeply to be read; exclude generated queries of this kind"
        ) from None


def parse_condition(sql: str, dialect: str) -> exp.Expr:
    """One boolean expression, as after WHERE. Raises UnparseableSql."""
    tree = parse(f"SELECT * FROM t WHERE (\n{sql}\n)", dialect)  # noqa: S608  # parsed, never run
    if isinstance(tree, exp.Select) and set(_present(tree)) == {"expressions", "from_", "where"}:
        condition = tree.args["where"].this
        if isinstance(condition, exp.Paren):
            return condition.unnest()
    raise UnparseableSql("the text is not one condition; write what would follow WHERE")


def _present(tree: exp.Expr) -> list[str]:
    return [name for name, value in tree.args.items() if value]


def split_statements(sql: str, dialect: str) -> list[str]:
    """The statements of a text, apart at its semicolons, without those that are empty. Raises
    UnparseableSql if strings, names or comments in it do not end."""
    starts, ends = [0], []
    for token in _tokens(sql, dialect):
        if token.token_type is TokenType.SEMICOLON:
            ends.append(token.start)
            starts.append(token.end + 1)
    parts = (sql[start:end] for start, end in zip(starts, [*ends, len(sql)], strict=True))
    return [part for part in parts if _tokens(part, dialect)]


def first_bracketed(sql: str, dialect: str) -> str:
    """What stands in the first pair of round brackets. Raises UnparseableSql if there is none."""
    depth, start = 0, 0
    for token in _tokens(sql, dialect):
        if token.token_type is TokenType.L_PAREN:
            depth += 1
            start = start or token.end + 1
        elif token.token_type is TokenType.R_PAREN:
            depth -= 1
            if not depth:
                return sql[start : token.start]
    raise _unparseable("its brackets do not match")


def parse_statement(sql: str, dialect: str) -> exp.Expr:
    """The syntax tree of one statement of any kind. Raises UnparseableSql, and
    UnsupportedStatement if there is none."""
    return _one_statement(_statements(sql, dialect))


def _statements(sql: str, dialect: str) -> list[exp.Expr]:
    tokens = _tokens(sql, dialect)
    try:
        with deep_nesting_refused():
            trees = Dialect.get_or_raise(dialect).parser().parse(tokens, sql)
    except UnparseableSql:
        raise
    except ParseError as error:
        raise _unparseable(_place(error, tokens)) from None
    except Exception:  # noqa: BLE001  # sqlglot has no common base for what parsers raise
        raise _unparseable("the parser fails on it") from None
    return [tree for tree in trees if tree is not None and not isinstance(tree, exp.Semicolon)]


def _tokens(sql: str, dialect: str) -> list[Token]:
    if dialect not in _KNOWN_DIALECTS:
        raise UnparseableSql(
            "the SQL dialect of the query is not known; name one that sqlglot has, "
            "such as trino, athena, spark or databricks"
        )
    try:
        return Dialect.get_or_raise(dialect).tokenize(sql)
    except TokenError:
        raise _unparseable("a string, a quoted name or a comment does not end") from None
    except Exception:  # noqa: BLE001  # likewise
        raise _unparseable("the tokenizer fails on it") from None


def _place(error: ParseError, tokens: Sequence[Token]) -> str:
    """Line, column and kind of the token at which parsing stopped."""
    if not error.errors:
        return "the parser refuses it"
    line, column = error.errors[0].get("line"), error.errors[0].get("col")
    kinds = [token.token_type for token in tokens if (token.line, token.col) == (line, column)]
    what = f"the {kinds[0].name} token" if kinds else "the end of the text"
    return f"at or before line {line}, column {column} ({what})"


def _unparseable(problem: str) -> UnparseableSql:
    return UnparseableSql(
        f"the SQL cannot be parsed: {problem}; check the dialect of the query, "
        "and that the log keeps the whole text"
    )


def with_parameters(sql: str, dialect: str, parameters: Sequence[str]) -> str:
    """The text with SQL literals for its `?`, in order; as it is without any. Raises
    UnparseableSql if their numbers differ."""
    if not parameters:
        return sql
    marks = [t for t in _tokens(sql, dialect) if t.token_type is TokenType.PLACEHOLDER]
    if len(marks) != len(parameters):
        raise UnparseableSql(
            f"the query has {len(marks)} parameter marks (?) but {len(parameters)} values; "
            "check that the log pairs each prepared statement with its own values"
        )
    pieces, end = [], 0
    for mark, parameter in zip(marks, parameters, strict=True):
        count = len(_tokens(parameter, dialect))
        # A line break ends a comment in the parameter; brackets keep an expression together,
        # but are no literal where the grammar wants one (INTERVAL ? DAY, LIMIT ?).
        value = f" {parameter}\n" if count == 1 else f"(\n{parameter}\n)"
        pieces += [sql[end : mark.start], value]
        end = mark.end + 1
    return "".join([*pieces, sql[end:]])


def _one_statement(trees: Sequence[exp.Expr]) -> exp.Expr:
    if not trees:
        raise UnsupportedStatement("the text holds no statement; it is empty or only comments")
    if len(trees) > 1:
        raise UnsupportedStatement(
            f"the text holds {len(trees)} statements, and only single ones can be replayed; "
            "split it into one record per statement"
        )
    return trees[0]
