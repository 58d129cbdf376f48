"""What keeps conditions on the output of a SELECT above it in Spark, though they hold below as well
(PushPredicateThroughNonJoin and CombineFilters): seen in 4.1.4."""

from __future__ import annotations

from sqlglot import exp

from collectors.sql.text.boolean import own_nodes

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
    """Whether Spark takes an output, or a WHERE, for one that may be another each time. First and
    last values and lists of a group are not among these."""
    return any(map(_is_drawn, own_nodes(part)))


def _is_drawn(node: exp.Expr) -> bool:
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _NAMED
    return isinstance(node, _DRAWN)


def has_window(output: exp.Expr) -> bool:
    """Whether there is a window function in an output."""
    return any(isinstance(node, exp.Window) for node in own_nodes(output))
