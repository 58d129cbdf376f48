"""Functions that may give another value each time."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import own_nodes

# Those that sqlglot knows by name alone.
_NAMED = frozenset(
    {
        "input_file_block_length",
        "input_file_block_start",
        "input_file_name",
        "java_method",
        "monotonically_increasing_id",
        "reflect",
        "spark_partition_id",
        "try_reflect",
    }
)
_DRAWN = (exp.Rand, exp.Randn, exp.Randstr, exp.Shuffle, exp.Uniform, exp.Uuid)


def is_drawn(part: exp.Expr) -> bool:
    """True if an engine takes an expression for one that may have another value each time. First
    and last values and lists of a group are not among these."""
    return any(map(_is_drawn, own_nodes(part)))


def _is_drawn(node: exp.Expr) -> bool:
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _NAMED
    return isinstance(node, _DRAWN)
