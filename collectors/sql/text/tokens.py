"""Tokens of a text, before anything is parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot.tokenizer_core import Token, TokenType

_OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE)
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE)


def word(token: Token | None) -> str:
    """A token in upper case; "" for a string, and for none."""
    return "" if token is None or token.token_type is TokenType.STRING else token.text.upper()


def parted(tokens: Sequence[Token], mark: TokenType) -> Iterator[Sequence[Token]]:
    """What tokens of a kind part, outside of brackets: one part where there is no such token."""
    start = depth = 0
    for index, token in enumerate(tokens):
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        if token.token_type is mark and not depth:
            yield tokens[start:index]
            start = index + 1
    yield tokens[start:]
