"""Pipe syntax (Spark 4, BigQuery), as the SELECT that says the same:

FROM t |> WHERE c |> WHERE d |> SELECT a |> ORDER BY a |> LIMIT 3
SELECT a FROM t WHERE (c) AND (d) ORDER BY a LIMIT 3

TABLE t |> WHERE c |> AGGREGATE sum(a) GROUP BY b
SELECT sum(a) FROM t WHERE (c) GROUP BY b
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from prunescope.collectors.sql.text.tokens import parted

# After a relation: what makes it the FROM of something else.
_CLAUSES = (
    TokenType.WHERE,
    TokenType.SELECT,
    TokenType.GROUP_BY,
    TokenType.HAVING,
    TokenType.QUALIFY,
    TokenType.ORDER_BY,
    TokenType.LIMIT,
    TokenType.UNION,
    TokenType.INTERSECT,
    TokenType.EXCEPT,
)
_LAST = (TokenType.ORDER_BY, TokenType.LIMIT)


def as_select(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens of a SELECT for those of pipes in this order: a relation, any number of WHERE,
    SELECT or AGGREGATE, ORDER BY, LIMIT. Others stay as they are: after any of these, a condition
    is on other rows, and names are of other columns."""
    head, *pipes = parted(tokens, TokenType.PIPE_GT)
    if not pipes or not all(pipes) or head[0].token_type not in (TokenType.FROM, TokenType.TABLE):
        return tokens
    if any(len([*parted(head, kind)]) > 1 for kind in _CLAUSES):
        return tokens
    conditions = []
    while pipes and pipes[0][0].token_type is TokenType.WHERE:
        conditions.append(pipes.pop(0)[1:])
    place = head[0]
    outputs: Sequence[Token] = (_made(place, TokenType.STAR, "*"),)
    groups: Sequence[Token] = ()
    if pipes and pipes[0][0].token_type is TokenType.SELECT:
        outputs = pipes.pop(0)[1:]
    elif pipes and pipes[0][0].text.upper() == "AGGREGATE":
        outputs, *grouped = parted(pipes.pop(0)[1:], TokenType.GROUP_BY)
        groups = [_made(place, TokenType.GROUP_BY, "GROUP BY"), *grouped[0]] if grouped else ()
    kinds = [pipe[0].token_type for pipe in pipes]
    has_names = any(token.token_type is TokenType.ALIAS for token in groups)
    if kinds != [kind for kind in _LAST if kind in kinds] or has_names or not outputs:
        return tokens
    found = [_made(place, TokenType.SELECT, "SELECT"), *outputs]
    found += [_made(place, TokenType.FROM, "FROM"), *head[1:]]
    for number, condition in enumerate(conditions):
        kind = TokenType.AND if number else TokenType.WHERE
        found += [_made(place, kind, kind.name), _made(place, TokenType.L_PAREN, "(")]
        found += [*condition, _made(place, TokenType.R_PAREN, ")")]
    return (*found, *groups, *(token for pipe in pipes for token in pipe))


def _made(place: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, place.line, place.col, place.start, place.end)
