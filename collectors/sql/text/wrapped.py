"""Statements that run another one, whose text they hold: EXPLAIN ANALYZE, UNLOAD, EXECUTE
IMMEDIATE. sqlglot takes them for opaque commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from prunescope.collectors.errors import UnparseableSql
from prunescope.collectors.observed import Parameter
from prunescope.collectors.sql.text.tokens import parted, word

Tokenize = Callable[[str], list[Token]]
Fill = Callable[[str, Sequence[Parameter]], str]
"""The whole text of a statement with values for its parameters. Raises UnparseableSql."""

_MAY_WRAP = re.compile(r"\b(EXPLAIN|UNLOAD|EXECUTE)\b", re.IGNORECASE)
_COMMANDS = (TokenType.COMMAND, TokenType.EXECUTE)
_TEXTS = (TokenType.STRING, TokenType.RAW_STRING, TokenType.HEREDOC_STRING)
_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)
# The parameter of no value.
_UNKNOWN = ":unknown"


def unwrapped(sql: str, tokenize: Tokenize, fill: Fill) -> str:
    """The text with `EXPLAIN ANALYZE`, `UNLOAD (…) TO …` and `EXECUTE IMMEDIATE '…'` replaced by
    the statement that they run. Of the first two it keeps its place: the rest becomes spaces."""
    if _MAY_WRAP.search(sql) is None:
        return sql
    pieces, done = [], 0
    for command, rest in pairwise(tokenize(sql)):
        if command.token_type not in _COMMANDS or rest.token_type is not TokenType.STRING:
            continue
        start, end = command.end + 1, rest.end + 1
        text = sql[start:end]
        if command.text.upper() == "EXECUTE":
            executed = _executed(text, tokenize, fill)
            if executed is not None:
                pieces += [sql[done : command.start], executed, "\n"]
                done = end
            continue
        kept = _run(command.text.upper(), text, tokenize)
        if kept is not None:
            first, last = start + kept.start, start + kept.stop
            pieces += [sql[done : command.start], _blank(sql[command.start : first])]
            pieces += [sql[first:last], _blank(sql[last:end])]
            done = end
    return "".join([*pieces, sql[done:]])


def _run(command: str, text: str, tokenize: Tokenize) -> slice | None:
    """The place of the statement that a command runs, in the text after the command."""
    tokens = tokenize(text) if command in ("EXPLAIN", "UNLOAD") else []
    if command == "UNLOAD":
        return _first_bracketed(tokens)
    words = [word(token) for token in tokens[:3]]
    if words[:1] != ["ANALYZE"]:
        return None
    first = 2 if words[1:2] == ["VERBOSE"] else 1
    return slice(tokens[first].start, len(text)) if first < len(tokens) else None


def _first_bracketed(tokens: Sequence[Token]) -> slice | None:
    if not tokens or tokens[0].token_type is not TokenType.L_PAREN:
        return None
    depth = 0
    for token in tokens:
        if token.token_type is TokenType.L_PAREN:
            depth += 1
        elif token.token_type is TokenType.R_PAREN:
            depth -= 1
            if not depth:
                return slice(tokens[0].end + 1, token.start)
    return None


def _executed(text: str, tokenize: Tokenize, fill: Fill) -> str | None:
    """The statement that `IMMEDIATE '…' [INTO …] [USING …]` runs; None if that is no constant text,
    or not a whole one."""
    try:
        tokens = tokenize(text)
        if [word(token) for token in tokens[:1]] != ["IMMEDIATE"]:
            return None
        places = [i for i, token in enumerate(tokens) if word(token) in ("INTO", "USING")]
        values = next((i for i in places if word(tokens[i]) == "USING"), len(tokens))
        run = _constant(tokens[1 : min([*places, values])])
        if run is None:
            return None
        tokenize(run)
        return fill(run, tuple(_parameters(text, tokens[values + 1 :])))
    except UnparseableSql:
        return None


def _constant(tokens: Sequence[Token]) -> str | None:
    """The text of literals that `||` joins."""
    texts, signs = tokens[::2], tokens[1::2]
    is_text = len(texts) > len(signs) and all(token.token_type in _TEXTS for token in texts)
    is_joined = all(sign.token_type is TokenType.DPIPE for sign in signs)
    return "".join(token.text for token in texts) if is_text and is_joined else None


def _parameters(text: str, tokens: Sequence[Token]) -> Iterator[Parameter]:
    """The values after USING, which may stand in brackets and have names (Snowflake, Spark).
    Those that hold names of variables are not known, and a variable has its own name."""
    if tokens and _first_bracketed(tokens) == slice(tokens[0].end + 1, tokens[-1].start):
        tokens = tokens[1:-1]
    for item in filter(None, parted(tokens, TokenType.COMMA)):
        is_named = len(item) > 2 and item[-2].token_type is TokenType.ALIAS
        value = item[:-2] if is_named else item
        calls = [after.token_type is TokenType.L_PAREN for after in value[1:]]
        is_known = all(
            is_call or token.token_type not in _NAMES
            for token, is_call in zip(value, [*calls, False], strict=True)
        )
        found = text[value[0].start : value[-1].end + 1] if is_known else _UNKNOWN
        yield (item[-1].text, found) if is_named else found
        if not is_named and len(value) == 1 and not is_known:
            yield value[0].text, found


def _blank(sql: str) -> str:
    return re.sub(r"\S", " ", sql)
