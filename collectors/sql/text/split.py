"""The tokens of a SQL text, statement by statement, and pipe syntax (Spark 4, BigQuery) as the
SELECT that says the same:

    FROM t |> WHERE c |> WHERE d |> SELECT a |> ORDER BY a |> LIMIT 3
    SELECT a FROM t WHERE (c) AND (d) ORDER BY a LIMIT 3

    TABLE t |> WHERE c |> AGGREGATE sum(a) GROUP BY b
    SELECT sum(a) FROM t WHERE (c) GROUP BY b"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from prunescope.collectors.sql.text.cost import spend
from prunescope.collectors.sql.text.tokens import parted, word

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


# BEGIN alone, or before one of these, starts a transaction.
_TRANSACTION = frozenset(("TRANSACTION", "TRAN", "WORK", "NAME", "ISOLATION", "READ"))
_MODIFIERS = frozenset(("OR", "REPLACE", "ALTER", "TEMPORARY", "TEMP", "SECURE"))
_ROUTINES = frozenset(("FUNCTION", "PROCEDURE", "TASK"))
_DEPTH_TOKENS = frozenset((TokenType.BEGIN, TokenType.CASE, TokenType.END))
# IF, LOOP and their like are not counted where they start, and so not where they end.
_UNCOUNTED_ENDS = frozenset(("IF", "LOOP", "WHILE", "FOR", "REPEAT"))
# What begins a part of a block that may run or not, or more than once.
_BRANCHES = frozenset(
    (
        "CASE",
        "ELSE",
        "ELSEIF",
        "ELSIF",
        "END",
        "EXCEPTION",
        "FOR",
        "IF",
        "ITERATE",
        "LEAVE",
        "LOOP",
        "REPEAT",
        "UNTIL",
        "WHEN",
        "WHILE",
    )
)


def statement_tokens(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """The tokens of each statement, without those that are empty, and of those of a block BEGIN …
    END that runs them one after the other. Any other block is one statement, whatever semicolons it
    holds."""
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
    found = (each for group in (*groups, tuple(group)) if group for each in _in_block(group))
    return [as_select(_spelled(_calling(each))) for each in found]


def _in_block(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    """The statements of a block without branches, loops and handlers; another statement itself."""
    if word(tokens[0]) == "BEGIN" and is_procedural(tokens):
        last = next((i for i in (1, 2) if tokens[-i].token_type is TokenType.END), None)
        spend(len(tokens))
        inner = [] if last is None else statement_tokens(tokens[1:-last])
        if inner and not any(word(each[0]) in _BRANCHES for each in inner):
            return inner
    return [tokens]


def _calling(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Tokens with a name for WINDOW in `GROUP BY window(…)`, a function of Spark: sqlglot looks for
    a WINDOW clause there, which never follows GROUP BY alone."""
    called = [
        at
        for at, token in enumerate(tokens[1:-1], start=1)
        if token.token_type is TokenType.WINDOW
        and tokens[at - 1].token_type is TokenType.GROUP_BY
        and tokens[at + 1].token_type is TokenType.L_PAREN
    ]
    if not called:
        return tokens
    found = list(tokens)
    for at in called:
        token = tokens[at]
        place = (token.line, token.col, token.start, token.end)
        found[at] = Token(TokenType.VAR, token.text, *place)
    return tuple(found)


def _spelled(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Statements that sqlglot knows in another spelling only: REPLACE TABLE (Spark), and MERGE or
    INSERT WITH SCHEMA EVOLUTION (Databricks, Spark 4)."""
    match [word(token) for token in tokens[:4]]:
        case ["REPLACE", "TABLE", *_]:
            return (_at(tokens[0], TokenType.CREATE), _at(tokens[0], TokenType.OR), *tokens)
        case ["MERGE" | "INSERT", "WITH", "SCHEMA", "EVOLUTION"]:
            return (tokens[0], *tokens[4:])
    return tokens


def _at(place: Token, kind: TokenType) -> Token:
    return Token(kind, kind.name, place.line, place.col, place.start, place.end)


def is_procedural(tokens: Sequence[Token], following: Token | None = None) -> bool:
    """True if a statement with these first tokens is a block, a part of one, or a routine with one.
    `following` is the token after them."""
    after = tokens[1] if len(tokens) > 1 else following
    match word(tokens[0]):
        case "BEGIN":
            is_alone = after is None or after.token_type is TokenType.SEMICOLON
            return not is_alone and word(after) not in _TRANSACTION
        case "DECLARE" | "LET" | "RETURN":
            return True
        case "CREATE":
            words = (word(token) for token in tokens[1 : 2 + len(_MODIFIERS)])
            return next((w for w in words if w not in _MODIFIERS), "") in _ROUTINES
    return False


def _step(group: Sequence[Token], following: Token | None) -> int:
    """The change of the depth of blocks by the last token of a statement."""
    match group[-1].token_type:
        case TokenType.BEGIN:
            return 1
        case TokenType.CASE:
            is_end = len(group) > 1 and group[-2].token_type is TokenType.END
            return 0 if is_end else 1
        case TokenType.END:
            return 0 if word(following) in _UNCOUNTED_ENDS else -1
    return 0
