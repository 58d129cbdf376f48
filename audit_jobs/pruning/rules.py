"""Rules by which planners prune: those of each engine, library and version, and the floor.

Rules tell how a planner evaluates the filter that it is given; its profile tells which part of a
filter that is (`prunescope.collectors.sql.planners.profile`), and
`prunescope.audit_jobs.planning.planner_rules` which rules a planner has. The floor is no planner:
it is the pruning that the statistics alone allow, the best that any planner could do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

from prunescope.audit_jobs.pruning.lifting import BY_THE_SPEC, NOWHERE, WITHOUT_OLD_FILES, Lifting
from prunescope.audit_jobs.pruning.literals import Leaf
from prunescope.audit_jobs.pruning.transforms import ROW_FUNCTIONS
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.predicates.operators import NEGATIONS, ORDERED, UNARY, Op
from prunescope.collectors.types import is_floating

_IN_LIMIT = 200
_BESIDE_ZEROS = (Op.LT, Op.GT, Op.NOT_IN)
"""Operators that -0.0 satisfies beside 0.0, or 0.0 beside -0.0, where these are distinct."""
_SINGLE = {Op.IN: frozenset({Op.EQ, Op.IN})}


class BesideNulls(Enum):
    """The bounds of a container that tell something where it holds nulls as well."""

    BOTH = auto()
    UPPER = auto()
    """Null is less than every value."""
    NEITHER = auto()
    EQUAL = auto()
    """Both, if they are one value."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules for judging comparisons by bounds and counts.

    `in_limit`: an IN list with more distinct values than this keeps everything (None: no limit).
    `in_by_range`: it is judged by its smallest and its largest value only.
    `single_value_not_equal`: `!=` and `NOT IN` prune containers that hold one single value.
    `negations_match_nulls`: `!=`, `NOT IN` and `NOT STARTS WITH` match nulls, as in Iceberg; not in
    SQL. `nulls_sort_first`: a null partition value satisfies `< v`. `transform_terms`: bounds are
    transformed to compare them with `day(ts) = …`. `row_functions`: functions of a value
    (`lower(s)`) are compared if a container holds one value. `needs_lower`: operators that ignore
    the upper bound if the lower one is unknown or NaN; `needs_number`: operators that ignore it if
    the lower one is NaN. `zeros_apart`: -0.0 is less than 0.0, so both together are no single
    value. Equality still has the two be one, as SQL does, whose rows such a planner loses.
    `inverted_null_check`: NOT STARTS WITH prunes if the null count is unknown, and not if it is 0
    (a fault of PyIceberg, unsound). `nans_are_known`: a container whose count of NaN is unknown
    is taken to hold none (a fault of Iceberg 1.11, unsound). `unjudged`: types whose bounds and
    dictionaries are ignored. `unasked`: operators that rule out nothing; `unasked_of_floats`: those
    that rule out nothing by a floating column. `by_bounds_alone`: operators that rule out no
    container of nothing but nulls, which has no bounds. `beside_nulls`: the bounds of containers
    with nulls that are used. `long_by_range`: lists that are too long are judged by their smallest
    and largest value. `columns_apart`: a filter is judged by the bounds of one column after the
    other, so that an OR of several rules out nothing.
    """

    in_limit: int | None = None
    in_by_range: bool = False
    single_value_not_equal: bool = True
    negations_match_nulls: bool = False
    nulls_sort_first: bool = False
    transform_terms: bool = True
    row_functions: bool = False
    needs_lower: frozenset[Op] = frozenset()
    needs_number: frozenset[Op] = frozenset()
    zeros_apart: bool = False
    inverted_null_check: bool = False
    nans_are_known: bool = False
    unjudged: frozenset[str] = frozenset()
    unasked: frozenset[Op] = frozenset()
    unasked_of_floats: frozenset[Op] = frozenset()
    by_bounds_alone: frozenset[Op] = frozenset()
    beside_nulls: BesideNulls = BesideNulls.BOTH
    long_by_range: bool = False
    columns_apart: bool = False

    def about(self, leaf: Leaf) -> Rules:
        """The rules that matter to K comparisons: planners that differ in none of them judge these
        alike."""
        longest = int(leaf.literals.lengths.max(initial=0)) if leaf.op is Op.IN else 0
        too_long = self.in_limit is not None and longest > self.in_limit
        return Rules(
            in_limit=self.in_limit if too_long else None,
            in_by_range=self.in_by_range and leaf.op is Op.IN,
            single_value_not_equal=self.single_value_not_equal or leaf.op is not Op.NOT_IN,
            negations_match_nulls=self.negations_match_nulls and leaf.op in NEGATIONS,
            nulls_sort_first=self.nulls_sort_first and leaf.op in (Op.LT, Op.LT_EQ),
            transform_terms=self.transform_terms or leaf.field.transform is None,
            row_functions=self.row_functions and leaf.field.transform in ROW_FUNCTIONS,
            needs_lower=self.needs_lower & _SINGLE.get(leaf.op, {leaf.op}),
            needs_number=self.needs_number & _SINGLE.get(leaf.op, {leaf.op}),
            zeros_apart=self.tells_zeros_apart(leaf),
            inverted_null_check=self.inverted_null_check and leaf.op is Op.NOT_STARTS_WITH,
            nans_are_known=self.nans_are_known
            and leaf.op is Op.NOT_IN
            and is_floating(leaf.field.type),
            unjudged=frozenset() if self.judges(leaf.field) else self.unjudged,
            unasked=frozenset() if self.asks(leaf) else frozenset({leaf.op}),
            by_bounds_alone=self.by_bounds_alone & {leaf.op},
            beside_nulls=BesideNulls.BOTH if leaf.op in UNARY else self.beside_nulls,
            long_by_range=self.long_by_range and too_long,
        )

    def asks(self, leaf: Leaf) -> bool:
        """True if the comparisons can rule out anything."""
        if is_floating(leaf.field.type) and leaf.op in self.unasked_of_floats:
            return False
        return leaf.op not in self.unasked

    def tells_zeros_apart(self, leaf: Leaf) -> bool:
        """True if the sign of a zero matters to the comparisons."""
        return self.zeros_apart and leaf.op in _BESIDE_ZEROS and is_floating(leaf.field.type)

    def judges(self, field: Field) -> bool:
        """True if the planner uses more of a column than whether all of its values are null."""
        return field.type.partition("[")[0] not in self.unjudged


@dataclass(frozen=True, slots=True)
class PlannerRules:
    """A planner's rules, pass by pass.

    `summaries` judges partition summaries of manifests, `partitions` the exact partition values of
    files, `metrics` file metrics, `row_groups` Parquet statistics. `lifting`: how filters become
    filters of partitions. `dictionaries`, `bloom_filters`, `pages`: the reader uses them too;
    `pages` that it does not use are reported as a potential. `levels_together`: verdicts of
    different levels on the parts of one filter are combined (`a = 1 OR b = 2`, if statistics rule
    out one side and a dictionary the other); Iceberg judges the whole filter by each level.
    `plans`: False if only the reader is known, and not which manifests and files are planned; these
    rule out none.
    """

    name: str
    summaries: Rules
    partitions: Rules
    metrics: Rules
    row_groups: Rules
    plans: bool = True
    lifting: Lifting = BY_THE_SPEC
    dictionaries: bool = True
    bloom_filters: bool = True
    pages: bool = False
    levels_together: bool = False

    def __hash__(self) -> int:
        return hash(self.name)  # of every scan that is looked up


_UNJUDGED = frozenset({"binary", "fixed", "time", "timestamptz", "timestamptz_ns", "uuid"})
_SUMMARIES = Rules(in_limit=_IN_LIMIT, negations_match_nulls=True, zeros_apart=True)
_SUMMARIES_1_10 = replace(_SUMMARIES, single_value_not_equal=False)
_EVALUATOR = Rules(negations_match_nulls=True, nulls_sort_first=True, zeros_apart=True)
_METRICS = replace(_SUMMARIES, needs_lower=frozenset({Op.IN, Op.STARTS_WITH}))
_METRICS_1_11 = replace(_METRICS, nans_are_known=True)
_METRICS_1_10 = replace(_METRICS, single_value_not_equal=False)
_READER = replace(_SUMMARIES_1_10, transform_terms=False)

ICEBERG_1_12 = PlannerRules(
    "iceberg 1.12",
    _SUMMARIES,
    _EVALUATOR,
    _METRICS,
    _READER,
    lifting=Lifting(utf16_prefixes=True),
)
"""Iceberg Java 1.12, with the Parquet reader that Spark uses: ManifestEvaluator, Evaluator,
InclusiveMetricsEvaluator, ParquetMetricsRowGroupFilter and the two filters after it."""

ICEBERG_1_11 = replace(ICEBERG_1_12, name="iceberg 1.11", metrics=_METRICS_1_11)
"""Iceberg Java 1.11: `!=` and NOT IN lose NaN in files whose count of NaN is unknown."""

ICEBERG_1_10 = replace(
    ICEBERG_1_12, name="iceberg 1.10", summaries=_SUMMARIES_1_10, metrics=_METRICS_1_10
)
"""Iceberg Java 1.9 and 1.10: `!=` and NOT IN prune no manifest and no file by bounds."""

FLOOR = PlannerRules("floor", Rules(), Rules(), Rules(), Rules(), pages=True, levels_together=True)
"""The rules by which statistics alone prune: nothing sound keeps less."""

ROWS = replace(FLOOR, name="rows", metrics=Rules(row_functions=True))
"""The rules that select matching rows."""

PYICEBERG = PlannerRules(
    "pyiceberg 0.12",
    summaries=replace(_SUMMARIES_1_10, transform_terms=False, in_by_range=True, zeros_apart=False),
    partitions=Rules(negations_match_nulls=True),
    metrics=replace(
        _SUMMARIES_1_10,
        transform_terms=False,
        needs_number=frozenset({Op.EQ, Op.IN}),
        zeros_apart=False,
        inverted_null_check=True,
    ),
    # Arrow's dataset scanner skips row groups, by their statistics only.
    row_groups=Rules(
        in_limit=50,
        unasked=frozenset({Op.STARTS_WITH, Op.NOT_STARTS_WITH}),
        beside_nulls=BesideNulls.EQUAL,
    ),
    lifting=WITHOUT_OLD_FILES,
    dictionaries=False,
    bloom_filters=False,
)
"""PyIceberg 0.12."""


_UNASKED = Rules(unasked=frozenset(Op))

_READER_ALONE = PlannerRules(
    "reader",
    summaries=_UNASKED,
    partitions=_UNASKED,
    metrics=_UNASKED,
    row_groups=Rules(),
    plans=False,
    lifting=NOWHERE,
    dictionaries=False,
    levels_together=True,
)

DUCKDB = replace(_READER_ALONE, name="duckdb 2.0", row_groups=Rules(columns_apart=True))
"""DuckDB 2.0, which reads Parquet files by statistics and bloom filters."""

DATAFUSION = replace(
    _READER_ALONE,
    name="datafusion 55",
    row_groups=Rules(in_limit=20),
    pages=True,
)
"""DataFusion 55, which reads Parquet files by statistics, bloom filters and page indexes."""

POLARS = replace(
    PYICEBERG,
    name="polars 2.1",
    metrics=replace(
        PYICEBERG.metrics,
        single_value_not_equal=True,
        inverted_null_check=False,
        long_by_range=True,
    ),
    row_groups=Rules(
        in_limit=50,
        long_by_range=True,
        by_bounds_alone=ORDERED,
        unasked_of_floats=frozenset({Op.GT, Op.GT_EQ, Op.NOT_IN}),
    ),
)
"""Polars 2.1, for which PyIceberg plans."""

_NULLS_FIRST = Rules(beside_nulls=BesideNulls.UPPER)

CLICKHOUSE = PlannerRules(
    "clickhouse 26.9",
    summaries=_UNASKED,
    partitions=_NULLS_FIRST,
    metrics=Rules(
        unasked=frozenset({Op.NOT_NULL}),
        by_bounds_alone=frozenset(Op),
        beside_nulls=BesideNulls.NEITHER,
        columns_apart=True,
    ),
    row_groups=_NULLS_FIRST,
    dictionaries=False,
    pages=True,
    levels_together=True,
)
"""ClickHouse 26.9."""


def trino(library: PlannerRules) -> PlannerRules:
    """The rules of Trino, which plans with its Iceberg library, and reads with its own rules: it
    compares domains (TupleDomainParquetPredicate), without a limit of values, and uses column
    indexes. It passes `!=` and NOT IN as ranges, which hold no null, to the library as well. Its
    reader ignores statistics of binary values, times of day, UUIDs and timestamps with time zone
    (Trino 483)."""
    return replace(
        library,
        name=f"trino, {library.name}",
        summaries=_of_ranges(library.summaries),
        partitions=_of_ranges(library.partitions),
        metrics=_of_ranges(library.metrics),
        row_groups=Rules(unjudged=_UNJUDGED),
        pages=True,
        levels_together=True,
    )


def _of_ranges(rules: Rules) -> Rules:
    return replace(rules, single_value_not_equal=True, negations_match_nulls=False)


OWN_RULES: Mapping[str, Callable[[PlannerRules], PlannerRules]] = {
    "clickhouse": lambda _: CLICKHOUSE,
    "datafusion": lambda _: DATAFUSION,
    "duckdb": lambda _: DUCKDB,
    "polars": lambda _: POLARS,
    "pyiceberg": lambda _: PYICEBERG,
    "trino": trino,
}
"""The rules of engines that judge by others than their Iceberg library and its reader."""
