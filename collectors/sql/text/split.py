"""The tokens of a SQL text, statement by statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

_MAY_WRAP = re.compile(r"\b(EXPLAIN|UNLOAD)\b", re.IGNORECASE)
# BEGIN alone, or before one of these, starts a transaction.
_TRANSACTION = frozenset(("TRANSACTION", "TRAN", "WORK", "NAME", "ISOLATION", "READ"))
_MODIFIERS = frozenset(("OR", "REPLACE", "ALTER", "TEMPORARY", "TEMP", "SECURE"))
_ROUTINES = frozenset(("FUNCTION", "PROCEDURE", "TASK"))
_DEPTH_TOKENS = frozenset((TokenType.BEGIN, TokenType.CASE, TokenType.END))
# IF, LOOP and their like are not counted where they start, and so not where they end.
_UNCOUNTED_ENDS = frozenset(("IF", "LOOP", "WHILE", "FOR", "REPEAT"))


def statement_tokens(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """The tokens of each statement, without those that are empty. A block BEGIN … END is one
    statement, whatever semicolons it holds."""
    groups: list[tuple[Token, ...]] = []
    group: list[Token] = []
    depth = 0
    for index, token in enumerate(tokens):
        if token.token_type is TokenType.SEMICOLON and not depth:
            groups.append(tuple(group))
            group = []
            continue
        group.append(token)
        if token.token_type in _DEPTH_TOKENS:
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            if depth or is_procedural(group, following):
                depth += _step(group, following)
    return [_spelled(found) for found in (*groups, tuple(group)) if found]


def _spelled(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Statements that sqlglot knows in another spelling only: REPLACE TABLE (Spark), and MERGE or
    INSERT WITH SCHEMA EVOLUTION (Databricks, Spark 4)."""
    match [_word(token) for token in tokens[:4]]:
        case ["REPLACE", "TABLE", *_]:
            return (_at(tokens[0], TokenType.CREATE), _at(tokens[0], TokenType.OR), *tokens)
        case ["MERGE" | "INSERT", "WITH", "SCHEMA", "EVOLUTION"]:
            return (tokens[0], *tokens[4:])
    return tokens


def _at(place: Token, kind: TokenType) -> Token:
    return Token(kind, kind.name, place.line, place.col, place.start, place.end)


def is_procedural(tokens: Sequence[Token], following: Token | None = None) -> bool:
    """Whether a statement with these first tokens is a block, a part of one, or a routine with
    one. `following` is the token after them."""
    after = tokens[1] if len(tokens) > 1 else following
    match _word(tokens[0]):
        case "BEGIN":
            is_alone = after is None or after.token_type is TokenType.SEMICOLON
            return not is_alone and _word(after) not in _TRANSACTION
        case "DECLARE":
            return True
        case "CREATE":
            words = (_word(token) for token in tokens[1 : 2 + len(_MODIFIERS)])
            return next((w for w in words if w not in _MODIFIERS), "") in _ROUTINES
    return False


def _step(group: Sequence[Token], following: Token | None) -> int:
    """By how much the last token of a statement changes the depth of blocks."""
    match group[-1].token_type:
        case TokenType.BEGIN:
            return 1
        case TokenType.CASE:
            is_end = len(group) > 1 and group[-2].token_type is TokenType.END
            return 0 if is_end else 1
        case TokenType.END:
            return 0 if _word(following) in _UNCOUNTED_ENDS else -1
    return 0


def _word(token: Token | None) -> str:
    return "" if token is None or token.token_type is TokenType.STRING else token.text.upper()


def unwrapped(sql: str, tokenize: Callable[[str], list[Token]]) -> str:
    """The text with `EXPLAIN ANALYZE` and `UNLOAD (…) TO …` replaced by the statement that they
    run, at its place: the rest becomes spaces. sqlglot takes both for opaque commands."""
    if _MAY_WRAP.search(sql) is None:
        return sql
    pieces, done = [], 0
    for command, rest in pairwise(tokenize(sql)):
        if command.token_type is TokenType.COMMAND and rest.token_type is TokenType.STRING:
            start, end = command.end + 1, rest.end + 1
            kept = _run(command.text.upper(), sql[start:end], tokenize)
            if kept is not None:
                first, last = start + kept.start, start + kept.stop
                pieces += [sql[done : command.start], _blank(sql[command.start : first])]
                pieces += [sql[first:last], _blank(sql[last:end])]
                done = end
    return "".join([*pieces, sql[done:]])


def _run(command: str, text: str, tokenize: Callable[[str], list[Token]]) -> slice | None:
    """Where in the text after a command the statement stands that it runs."""
    tokens = tokenize(text) if command in ("EXPLAIN", "UNLOAD") else []
    if command == "UNLOAD":
        return _first_bracketed(tokens)
    words = [_word(token) for token in tokens[:3]]
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


def _blank(sql: str) -> str:
    return re.sub(r"\S", " ", sql)
