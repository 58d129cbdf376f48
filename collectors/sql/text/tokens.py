"""Tokens of a text, before anything is parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from sqlglot.tokenizer_core import Token, TokenType

_OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE)
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE)


def word(token: Token | None) -> str:
    """A token in upper case; "" for a string, and for none."""
    return "" if token is None or token.token_type is TokenType.STRING else token.text.upper()


class DoubledText(str):
    """A text with doubled quotes for its own, as Spark reads it since 4.1. Before, and as long as
    `spark.sql.legacy.consecutiveStringLiterals.enabled` is set, it is two texts that follow each
    other, which are `joined`."""

    __slots__ = ("joined",)
    joined: str

    def __new__(cls, text: str, joined: str) -> Self:
        """`text` as it is since 4.1."""
        made = super().__new__(cls, text)
        made.joined = joined
        return made

    def __reduce__(self) -> tuple[type[DoubledText], tuple[str, str]]:
        return DoubledText, (str(self), self.joined)


def with_doubled_quotes(tokens: Sequence[Token], sql: str) -> list[Token]:
    """Tokens of Spark, in which texts in the same quotes, with nothing between, are one."""
    runs: list[list[Token]] = []
    for token in tokens:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and last.token_type is token.token_type is TokenType.STRING
            and last.end + 1 == token.start
            and sql[last.end] == sql[token.start]
        ):
            runs[-1].append(token)
        else:
            runs.append([token])
    return [run[0] if len(run) == 1 else _doubled(run, sql) for run in runs]


def _doubled(run: Sequence[Token], sql: str) -> Token:
    first, texts = run[0], [token.text for token in run]
    text = DoubledText(sql[first.start].join(texts), "".join(texts))
    return Token(TokenType.STRING, text, first.line, first.col, first.start, run[-1].end)


def parted(tokens: Sequence[Token], mark: TokenType) -> Iterator[Sequence[Token]]:
    """Splits tokens at those of a kind, outside of brackets: one part if there is no such token."""
    start = depth = 0
    for index, token in enumerate(tokens):
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        if token.token_type is mark and not depth:
            yield tokens[start:index]
            start = index + 1
    yield tokens[start:]
