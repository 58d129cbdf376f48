"""SQL text as syntax trees: of one statement that reads tables, or of each in a text."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from prunescope.collectors.errors import TooComplexSql, UnparseableSql, UnsupportedStatement
from prunescope.collectors.observed import Parameter
from prunescope.collectors.sql.dialects import READ_DIALECTS, dialect_of
from prunescope.collectors.sql.text.balance import balance
from prunescope.collectors.sql.text.cost import bounded, spend_new, spend_text
from prunescope.collectors.sql.text.dml import as_query
from prunescope.collectors.sql.text.dotted_names import with_parted_names
from prunescope.collectors.sql.text.nodes import given
from prunescope.collectors.sql.text.parser import dialect_named, parse_tokens
from prunescope.collectors.sql.text.split import is_procedural, statement_tokens
from prunescope.collectors.sql.text.tokens import with_doubled_quotes
from prunescope.collectors.sql.text.wrapped import unwrapped

# What stands before the colon of a path (Databricks, Snowflake), as in `payload:name`.
_OPERAND = re.compile(r"[\w)\]}\"'`]")

# Tokens take memory before they can be counted. Of long texts, half of these pieces are counted
# before: few tokens have more than two.
_PIECES = re.compile(
    r"""'[^']*+'|"[^"]*+"|`[^`]*+`|--[^\n]*+|/\*.*?\*/|\w++|[^\w\s]""", re.ASCII | re.DOTALL
)
_PIECES_PER_TOKEN = 2
_LONG = 250_000


class _Silence(logging.Filter):
    def filter(self, _record: logging.LogRecord) -> bool:
        return False


# sqlglot logs parts of the statements that it does not understand, and with them their literals.
logging.getLogger("sqlglot").addFilter(_Silence())


def parse(sql: str, dialect: str, parameters: Sequence[Parameter] = ()) -> exp.Query:
    """The query that the one statement in `sql` stands for (`as_query`).

    `parameters` are for the `?` of the text, in order, and for its `:name`. Those without a value
    stay: the conditions that hold them are not constant.

    Raises UnparseableSql for text that is no SQL of `dialect`, and UnsupportedStatement for
    statements that do not scan tables, and for more than one statement. Neither message holds
    any of the text.
    """
    parts = split(sql, dialect, parameters)
    if len(parts) > 1:
        raise UnsupportedStatement(
            f"Found {len(parts)} statements, expected one. Pass them one at a time."
        )
    return as_query(parts[0].tree(), dialect)


@dataclass(frozen=True, slots=True, eq=False)
class StatementText:
    """One statement of a text: its tokens, at least one, with their places in the `sql`. With
    `keeps_spans`, the conditions in its tree tell their own (`spans.span_of`)."""

    sql: str
    tokens: tuple[Token, ...]
    dialect: str
    keeps_spans: bool = False

    @property
    def text(self) -> str:
        """The text of this statement alone."""
        return self.sql[self.tokens[0].start : self.tokens[-1].end + 1]

    def tree(self, own: range | None = None) -> exp.Expr:
        """The syntax tree, of any kind. Raises UnparseableSql, whose message counts lines from the
        first of its `own`, if these are not all, also for blocks, pipe syntax and texts that are
        not there; UnsupportedStatement for procedures and declarations, which run nothing."""
        self._require_readable()
        return _tree(self, own)

    def _require_readable(self) -> None:
        """Raises UnparseableSql and UnsupportedStatement as `tree` does, for what sqlglot reads in
        another way or not at all."""
        first = self.tokens[0]
        if first.token_type is TokenType.BEGIN and is_procedural(self.tokens):
            raise UnparseableSql(
                "a block (BEGIN … END) with branches, loops or handlers cannot be replayed, as not "
                "all of it runs; give the statements that it runs"
            )
        if is_procedural(self.tokens):
            if first.token_type is not TokenType.CREATE and self._has(TokenType.SELECT):
                raise UnparseableSql(
                    "a variable or a cursor that is declared as a query cannot be replayed; give "
                    "the query as a SELECT"
                )
            raise UnsupportedStatement(
                "procedural SQL (DECLARE, CREATE PROCEDURE) is not one that can be replayed; "
                "give the statements that it runs"
            )
        if self._has(TokenType.PIPE_GT):
            # What sqlglot 30 makes of it has conditions below limits that they stand behind, and
            # columns by names that they have no more.
            raise UnparseableSql(
                "pipe syntax (|>) of this form cannot be replayed; give the query as a SELECT"
            )
        if self._is_prepared:
            raise UnparseableSql(
                "the statement that EXECUTE runs is not in the text: it is that of a variable, of "
                "a prepared statement, or one that is not whole; give the statement that it runs"
            )

    def _has(self, kind: TokenType) -> bool:
        return any(token.token_type is kind for token in self.tokens)

    @property
    def _is_prepared(self) -> bool:
        """True if a statement runs a text from elsewhere. Snowflake's tasks run by themselves."""
        match self.tokens:
            case [Token(token_type=TokenType.EXECUTE), Token(token_type=TokenType.STRING) as rest]:
                is_immediate = rest.text.upper().startswith("IMMEDIATE")
                return is_immediate or self.dialect != "snowflake"
        return False


def split(
    sql: str, dialect: str, parameters: Sequence[Parameter] = ()
) -> tuple[StatementText, ...]:
    """The statements of a text and of its simple blocks BEGIN … END, with `parameters`
    for its `?`. What EXPLAIN ANALYZE (Trino 482), UNLOAD (Athena) and EXECUTE IMMEDIATE run stands
    for them.

    Raises UnparseableSql if strings, names or comments in it do not end, and if it has not as
    many `?` as there are parameters; UnsupportedStatement if it holds no statement.
    """
    return parts_of(whole_text(sql, dialect, parameters), dialect)


def whole_text(sql: str, dialect: str, parameters: Sequence[Parameter] = ()) -> str:
    """The text that is read: that of what EXPLAIN ANALYZE, UNLOAD and EXECUTE IMMEDIATE run, with
    `parameters` for its `?`. Raises UnparseableSql as `split` does."""
    _require_known(dialect)
    if not parameters:
        return _bare(sql, dialect)
    bare, marks = _marks(sql, dialect)
    return _with_parameters(bare, marks, dialect, parameters)


def parts_of(text: str, dialect: str, *, keeps_spans: bool = False) -> tuple[StatementText, ...]:
    """The statements of a whole text. Raises what `split` does."""
    tokens = _tokens(text, dialect)
    with bounded():
        groups = statement_tokens(tokens)
    if not groups:
        raise UnsupportedStatement("No statement: the text is empty, or only comments.")
    return tuple(StatementText(text, group, dialect, keeps_spans) for group in groups)


def parse_condition(sql: str, dialect: str) -> exp.Expr:
    """One boolean expression, as after WHERE. Raises UnparseableSql."""
    parts = split(f"SELECT * FROM t WHERE (\n{sql}\n)", dialect)  # noqa: S608  # parsed, never run
    own = range(2, 3 + sql.count("\n"))
    tree = parts[0].tree(own) if len(parts) == 1 else None
    if isinstance(tree, exp.Select) and given(tree) == {"expressions", "from_", "where"}:
        condition = tree.args["where"].this
        if isinstance(condition, exp.Paren):
            return condition.unnest()
    raise UnparseableSql("Not a single condition. Write the part after WHERE, without WHERE.")


def _tree(part: StatementText, own: range | None) -> exp.Expr:
    try:
        with bounded():
            trees = parse_tokens(
                [*part.tokens],
                part.sql,
                dialect_named(part.dialect),
                keeps_spans=part.keeps_spans,
            )
    except TooComplexSql:
        raise
    except ParseError as error:
        raise _unparseable(_place(error, part, own), part.dialect) from None
    except Exception:  # noqa: BLE001  # sqlglot has no common base for what parsers raise
        raise _unparseable(": the parser fails on it", part.dialect) from None
    match trees:
        case [exp.Expr() as tree]:
            balance(tree)
            if dialect_of(part.dialect).names_hold_dots:
                with_parted_names(tree)
            return tree
    raise _unparseable(": it is not one statement", part.dialect)


def _require_known(dialect: str) -> None:
    if dialect not in READ_DIALECTS:
        raise UnparseableSql(
            "the SQL dialect of the query is not known; name one that sqlglot has, "
            "such as trino, athena, spark or databricks"
        )


def _tokens(sql: str, dialect: str) -> list[Token]:
    _require_known(dialect)
    spend_text(sql)
    counted = 0
    if len(sql) > _LONG:
        counted = sum(1 for _ in _PIECES.finditer(sql)) // _PIECES_PER_TOKEN
        spend_new(counted)
    try:
        tokens = dialect_named(dialect).tokenize(sql)
    except TokenError:
        open_end = ": a string, a quoted name or a comment does not end"
        raise _unparseable(open_end, dialect) from None
    except Exception:  # noqa: BLE001  # likewise
        raise _unparseable(": the tokenizer fails on it", dialect) from None
    spend_new(max(0, len(tokens) - counted))
    return with_doubled_quotes(tokens, sql) if dialect_of(dialect).may_double_quotes else tokens


def _place(error: ParseError, part: StatementText, own: range | None) -> str:
    """Line, column and kind of the token at which parsing stopped, among the `own` lines."""
    if not error.errors:
        return ": the parser refuses it"
    place = error.errors[0].get("line"), error.errors[0].get("col")
    stopped = [token for token in part.tokens if (token.line, token.col) == place]
    if not stopped or (own is not None and stopped[0].line not in own):
        return " at its end"
    token = stopped[0]
    line = token.line - (0 if own is None else own.start - 1)
    column = token.start - part.sql.rfind("\n", 0, token.start)
    return f" at or before line {line}, column {column} (the {token.token_type.name} token)"


def _unparseable(problem: str, dialect: str) -> UnparseableSql:
    return UnparseableSql(
        f"SQL syntax error{problem}. Check that it is complete and in the `{dialect}` dialect."
    )


def _bare(sql: str, dialect: str) -> str:
    return unwrapped(
        sql,
        lambda text: _tokens(text, dialect),
        lambda text, parameters: whole_text(text, dialect, parameters),
    )


@dataclass(frozen=True, slots=True)
class _Mark:
    """The place of a parameter in a text; `name` is that of `:name`, None for `?`."""

    start: int
    end: int
    name: str | None


@lru_cache(maxsize=1024)
def _marks(sql: str, dialect: str) -> tuple[str, tuple[_Mark, ...]]:
    """The bare text of a prepared statement, and the marks of its parameters."""
    bare = _bare(sql, dialect)
    tokens = _tokens(bare, dialect)
    marks = []
    for token, after in zip_longest(tokens, tokens[1:]):
        if token.token_type is TokenType.PLACEHOLDER:
            marks.append(_Mark(token.start, token.end + 1, None))
        elif token.token_type is not TokenType.COLON or _OPERAND.match(bare[token.start - 1 :][:1]):
            continue
        elif after and after.start == token.end + 1:
            marks.append(_Mark(token.start, after.end + 1, after.text))
    return bare, tuple(marks)


def _with_parameters(
    sql: str, marks: Sequence[_Mark], dialect: str, parameters: Sequence[Parameter]
) -> str:
    named = dict(value for value in parameters if isinstance(value, tuple))
    listed = iter([value for value in parameters if isinstance(value, str)])
    values = [(m, next(listed, None) if m.name is None else named.get(m.name)) for m in marks]
    questions = sum(mark.name is None for mark in marks)
    count = len(parameters) - len(named)
    if questions != count and not named:
        raise UnparseableSql(
            f"{questions} parameters (`?`) but {count} values. Check that the log pairs each "
            f"prepared statement with its values."
        )
    pieces, end = [], 0
    for mark, parameter in values:
        if parameter is None:
            continue
        count = len(_tokens(parameter, dialect))
        # A line break ends a comment in the parameter; brackets keep an expression together,
        # but are no literal where the grammar wants one (INTERVAL ? DAY, LIMIT ?).
        value = f" {parameter}\n" if count == 1 else f"(\n{parameter}\n)"
        pieces += [sql[end : mark.start], value]
        end = mark.end
    return "".join([*pieces, sql[end:]])
