"""The product's plans of scans beside what an engine reads for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.jobs.explain import explain
from prunescope.audit_jobs.jobs.questions import Question
from prunescope.audit_jobs.planning.local import replay
from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.row_groups import prune_row_groups
from prunescope.audit_jobs.pruning.rules import FLOOR, PlannerRules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import Planner, as_expression, bind_pushed
from prunescope.collectors.sql.scopes.time_travel import CURRENT
from prunescope.collectors.statistics import columns_of
from prunescope.collectors.tables.footers import row_group_batch
from tests.differential.readers.answers import matching
from tests.differential.readers.conditions import Condition, sql, without_not
from tests.differential.readers.tables import Lake, RowGroup
from tests.footers import footer_of

STATISTICS = replace(FLOOR, name="floor of statistics", dictionaries=False)
"""What manifests and the statistics of row groups allow: no engine here asks dictionaries."""

Counts = Mapping[str, int]
"""How many are read, by the path of a file or by what is counted together."""


@dataclass(frozen=True)
class Read:
    """What an engine reads for a scan, and the `n` of the rows that it answers. No mapping where
    the engine does not tell."""

    files: Counts | None
    row_groups: Counts | None
    rows: frozenset[int]


@dataclass(frozen=True)
class Plan:
    """What the product keeps: the files, and the row groups of every file of the table by their
    statistics alone."""

    files: frozenset[str]
    row_groups: Mapping[str, Sequence[bool]]

    def keeps(self, home: RowGroup) -> bool:
        """Whether the row group is kept."""
        path, number = home
        return path in self.files and self.row_groups[path][number]


class Engine(Protocol):
    """A reader of tables. `dialect` is what its SQL is taken for, `planner` its profile, if it has
    one."""

    name: str
    version: str
    dialect: str
    planner: Planner | None

    def read(self, lake: Lake, asked: Condition) -> Read:
        """Runs a scan. Raises Refused."""

    def counts(self, plan: Plan) -> tuple[Counts | None, Counts | None]:
        """Files and row groups of a plan, counted as those of `Read`."""


class Refused(Exception):
    """An engine fails to plan a scan that is fine."""


@dataclass(frozen=True)
class Compared:
    """One scan as an engine reads it, and as the product plans it: by a profile of the engine, or
    by all that statistics allow."""

    lake: Lake
    condition: Condition
    theirs: Read
    ours: Plan
    counted: tuple[Counts | None, Counts | None]
    by_profile: bool

    @cached_property
    def files(self) -> tuple[int, int]:
        """How many files the engine reads beside those of the product, and the other way round."""
        return _beside(self.theirs.files, self.counted[0])

    @cached_property
    def row_groups(self) -> tuple[int, int]:
        """The same of row groups."""
        return _beside(self.theirs.row_groups, self.counted[1])

    @cached_property
    def answer(self) -> frozenset[int]:
        """The rows that SQL wants, by PyArrow."""
        return matching(self.lake, self.condition)

    @cached_property
    def lost(self) -> frozenset[int]:
        """Rows that SQL wants or that the engine answers, in what the product does not keep."""
        wanted = self.answer | self.theirs.rows
        return frozenset(n for n in wanted if not self.ours.keeps(self.lake.homes[n]))

    @cached_property
    def odd_rows(self) -> pa.Table:
        """The rows that the engine answers and SQL does not want, or the other way round, and those
        that are lost."""
        return self._rows((self.answer ^ self.theirs.rows) | self.lost)

    @cached_property
    def passed_rows(self) -> pa.Table:
        """The rows that SQL wants and the engine does not answer, of files of which it does not
        read every row group."""
        read = self.theirs.row_groups or {}
        every = Counter(path for path, _ in self.lake.rows)
        missing = self.answer - self.theirs.rows
        homes = ((n, self.lake.homes[n][0]) for n in missing)
        return self._rows(n for n, path in homes if read.get(path, 0) < every[path])

    def _rows(self, numbers: Iterable[int]) -> pa.Table:
        rows = self.lake.every_row
        return rows.filter(pc.is_in(rows["n"], pa.array(numbers, rows["n"].type)))

    @cached_property
    def left_out(self) -> Sequence[pa.Table]:
        """The rows of each row group that the product leaves out, of files of which the engine
        reads more; of all files, where the engine does not name those that it reads."""
        read, kept = self.theirs.row_groups or {}, self.counted[1] or {}
        more = {path for path, count in read.items() if count > kept.get(path, 0)}
        if self.files[0]:
            more.update(self.lake.files)
        homes = (home for home in self.lake.rows if home[0] in more and not self.ours.keeps(home))
        return [self.lake.rows[home] for home in homes]

    @cached_property
    def passed_by(self) -> Sequence[pa.Table]:
        """The rows of each row group that the product keeps, of files of which the engine reads
        fewer."""
        read, kept = self.theirs.row_groups or {}, self.counted[1] or {}
        fewer = {path for path, count in kept.items() if count > read.get(path, 0)}
        homes = (home for home in self.lake.rows if home[0] in fewer and self.ours.keeps(home))
        return [self.lake.rows[home] for home in homes]

    @cached_property
    def is_one_by_one(self) -> bool:
        """Whether more would be kept if each comparison was judged by itself."""
        predicate = _bound(sql(self.condition), "duckdb", _schema(self.lake))
        (apart,) = _planned(self.lake, [predicate], STATISTICS)
        row_groups = (self.ours.keeps(home) < apart.keeps(home) for home in self.lake.rows)
        return self.ours.files < apart.files or any(row_groups)

    @property
    def over_pruned(self) -> frozenset[int]:
        """Those among them that SQL wants and the engine answers as well. By a profile of which the
        library turns comparisons around under NOT, what SQL does not want of these is not kept, and
        can be answered for another reason."""
        found = self.lost & self.answer & self.theirs.rows
        return (
            found & matching(self.lake, without_not(self.condition)) if self.by_profile else found
        )


def _beside(theirs: Counts | None, ours: Counts | None) -> tuple[int, int]:
    if theirs is None or ours is None:
        return 0, 0
    names = {*theirs, *ours}
    more = [theirs.get(name, 0) - ours.get(name, 0) for name in names]
    return sum(n for n in more if n > 0), sum(-n for n in more if n < 0)


def compare(
    engine: Engine, lake: Lake, conditions: Sequence[Condition]
) -> Iterator[Compared | tuple[Condition, Refused]]:
    """Each scan of a table, or why the engine does not plan it."""
    for asked, plan in zip(conditions, _plans(engine, lake, conditions), strict=True):
        try:
            read = engine.read(lake, asked)
        except Refused as error:
            yield asked, error
        else:
            yield Compared(lake, asked, read, plan, engine.counts(plan), engine.planner is not None)


def _plans(engine: Engine, lake: Lake, conditions: Sequence[Condition]) -> list[Plan]:
    return plans(lake, conditions, dialect=engine.dialect, planner=engine.planner)


def plans(
    lake: Lake, conditions: Sequence[Condition], *, dialect: str, planner: Planner | None
) -> list[Plan]:
    """What the product plans, as `explain` does: with a planner what it pushes by the rules of its
    library, without one by all that statistics allow."""
    table = lake.table
    texts = [sql(asked) for asked in conditions]
    questions = [Question(str(n), where=text, dialect=dialect) for n, text in enumerate(texts)]
    answers = explain(table, CURRENT, questions, planner=planner, list_files=True)
    predicates = [_predicate(text, dialect, _schema(lake), planner) for text in texts]
    rules = STATISTICS if planner is None else rules_of(planner)
    found = list(_planned(lake, predicates, rules))
    for answer, plan in zip(answers, found, strict=True):
        assert answer["outcome"] == "replayed", answer
        said = answer["potential"]["data_files"]
        if planner is not None:
            said = answer["data_files"]["kept"]
        assert said == (len(plan.files) if rules.plans else None)
    return found


def _planned(lake: Lake, predicates: Sequence[Predicate], rules: PlannerRules) -> Iterator[Plan]:
    snapshot = lake.table.metadata.current_snapshot()
    scans = [(predicate, rules) for predicate in predicates]
    replayed = replay(lake.table, snapshot, scans, list_files=True)
    for one, groups in zip(replayed, _row_groups(lake, predicates, rules), strict=True):
        yield Plan(frozenset(one.kept_files), groups)


def _schema(lake: Lake) -> Schema:
    return lake.table.metadata.schema(lake.table.metadata.current_snapshot())


def _predicate(text: str, dialect: str, schema: Schema, planner: Planner | None) -> Predicate:
    """What is planned: with a planner what it pushes, without one all that is said of columns."""
    if planner is None:
        return tightened(_bound(text, dialect, schema))
    unbound = condition(text, dialect, started_at=None, time_zone="UTC", planner=planner)
    return as_expression(planner, bind_pushed(planner, unbound, schema, time_zone="UTC"))


def _bound(text: str, dialect: str, schema: Schema) -> Predicate:
    unbound = condition(text, dialect, started_at=None, time_zone="UTC", planner=None)
    return bind(unbound, schema, time_zone="UTC")


def _row_groups(
    lake: Lake, planned: Sequence[Predicate], rules: PlannerRules
) -> list[dict[str, Sequence[bool]]]:
    """The row groups of every file that each predicate keeps by statistics alone."""
    columns = columns_of(planned)
    spec = PartitionSpec(0, ())
    footers = [footer_of(path, columns) for path in lake.files]
    batch = row_group_batch([(footer, {}) for footer in footers], spec, columns, ())
    reach = Reach(np.ones((1, len(footers)), np.bool_), batch.file)
    found: list[dict[str, Sequence[bool]]] = []
    for predicate in planned:
        (verdict,) = prune_row_groups(shapes([Scan(0, predicate, rules)]), batch, spec, reach)
        kept = verdict.verdicts.kept[0]
        found.append(
            {path: kept[batch.file == number].tolist() for number, path in enumerate(lake.files)}
        )
    return found
