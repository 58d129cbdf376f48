"""What those who write queries, or logs of them, can do."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.chaos.lake import LITERAL, START
from tests.chaos.scenes import Fault, Scene
from tests.collectors.queries.spark.logs import Event, encoded
from tests.log_growth import SHAPES, TEXTS, doubled

_LINES = 200_000


def a_comma_join_of_300_tables(scene: Scene) -> None:
    tables = ", ".join(f"{scene.table} t{number}" for number in range(300))
    joins = " AND ".join(f"t{number}.id = t{number + 1}.id" for number in range(299))
    _only(scene, f"SELECT * FROM {tables} WHERE {joins} AND t0.id = 7")


def an_or_of_4000_conditions(scene: Scene) -> None:
    _only_where(scene, " OR ".join(f"id = {number} AND name = 'x'" for number in range(4_000)))


def an_in_list_of_50000_values(scene: Scene) -> None:
    _only_where(scene, f"id IN ({', '.join(map(str, range(50_000)))})")


def a_union_of_5000_queries(scene: Scene) -> None:
    _only(scene, " UNION ALL ".join([f"SELECT id FROM {scene.table} WHERE id = 7"] * 5_000))


def a_text_of_10000_statements(scene: Scene) -> None:
    _only(scene, "; ".join([f"SELECT id FROM {scene.table} WHERE id = 7"] * 10_000))


def conditions_nested_10000_deep(scene: Scene) -> None:
    _only_where(scene, "(" * 10_000 + "id = 7" + ")" * 10_000)


def control_characters_in_names(scene: Scene) -> None:
    scene.conditions = ()
    scene.ask(f'SELECT * FROM {scene.victim.catalog}.db."\x1b]0;owned\x07\x1b[2J" WHERE id = 7')
    scene.events[-1]["context"]["user"] = "\x1b[31mroot\x9b1m"


def a_literal_for_an_identifier(scene: Scene) -> None:
    _only_where(scene, f'name = "{LITERAL}"')


def a_literal_for_a_version(scene: Scene) -> None:
    _only(scene, f"SELECT * FROM {scene.table} FOR VERSION AS OF '{LITERAL}' WHERE id = 7")


def a_literal_in_broken_sql(scene: Scene) -> None:
    _only(scene, f"SELECT FROM {scene.table} WHERE name == '{LITERAL}' ((")


def a_gzip_bomb_of_bad_lines(scene: Scene) -> None:
    path = scene.victim.folder / "bomb.jsonl.gz"
    with gzip.open(path, "wb") as file:
        file.write(b"{}\n" * _LINES)
    _log(scene, path)


def a_parquet_bomb_of_long_texts(scene: Scene) -> None:
    path = scene.victim.folder / "bomb.parquet"
    text = "x" * 100_000_000
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 200, pa.int32()), pa.array([text]))
    pq.write_table(pa.table({"query": texts}), path, compression="zstd")
    scene.sources.append({"type": "trino_mysql", "paths": [str(path)]})


def a_log_of_one_endless_line(scene: Scene) -> None:
    path = scene.victim.folder / "line.jsonl"
    with path.open("wb") as file:
        file.write(b'{"metadata": "' + b"x" * 80_000_000)
    _log(scene, path)


def a_log_of_nothing_for_ever(scene: Scene) -> None:
    path = scene.victim.folder / "nothing.jsonl"
    with path.open("wb") as file:
        file.truncate(1 << 43)
    _log(scene, path)


def executions_that_never_end(scene: Scene) -> None:
    _events(scene, SHAPES["never_ended"](20_000))


def texts_that_patterns_never_finish(scene: Scene) -> None:
    for number, shape in enumerate(TEXTS):
        _events(scene, TEXTS[shape](1_000_000), number)


def functions_that_double_a_condition(scene: Scene) -> None:
    _events(scene, doubled(60))


def a_log_that_is_torn(scene: Scene) -> None:
    path = scene.victim.folder / "torn.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(scene.queries()[0]).encode() * 9)[:-12])
    _log(scene, path)


def a_log_that_is_not_there(scene: Scene) -> None:
    _log(scene, scene.victim.folder / "nowhere.jsonl")


def a_source_whose_path_holds_a_key(scene: Scene) -> None:
    location = f"s3://AKIDKEY:{LITERAL}@127.0.0.1:1/logs/*.jsonl"
    scene.sources.append({"type": "trino_events", "paths": [location]})


def a_source_that_its_client_refuses(scene: Scene) -> None:
    scene.sources.append({"type": "trino_events", "paths": ["abfss://box@account/a.jsonl"]})


def _events(scene: Scene, events: Iterable[Event], number: int = 0) -> None:
    """Adds an event log of Spark, whose executions are of the day that is audited, and read a table
    that no catalog has."""
    path = scene.victim.folder / f"app-{number}"
    time = {"time": int(START.timestamp() * 1000) + 1}
    content = encoded({**event, **(time if "time" in event else {})} for event in events)
    path.write_bytes(content.replace(b"lake.db.t", b"elsewhere.db.t"))
    scene.sources.append({"type": "spark_event_logs", "paths": [str(path)]})


def _only(scene: Scene, sql: str) -> None:
    scene.conditions = ()
    scene.ask(sql)


def _only_where(scene: Scene, condition: str) -> None:
    scene.conditions = (condition,)


def _log(scene: Scene, path: Path) -> None:
    scene.sources.append({"type": "trino_events", "paths": [str(path)]})


LOG_FAULTS = (
    Fault(a_comma_join_of_300_tables),
    Fault(an_or_of_4000_conditions),
    Fault(an_in_list_of_50000_values),
    Fault(a_union_of_5000_queries),
    Fault(a_text_of_10000_statements, "too_complex"),
    Fault(conditions_nested_10000_deep, "too_complex"),
    Fault(control_characters_in_names, "table_not_found"),
    Fault(a_literal_for_an_identifier),
    Fault(a_literal_for_a_version, "snapshot_not_found"),
    Fault(a_literal_in_broken_sql, "unparseable"),
    Fault(a_gzip_bomb_of_bad_lines, of_inputs=("not_a_completed_query",)),
    Fault(a_parquet_bomb_of_long_texts, of_inputs=("row_group_too_large",)),
    Fault(a_log_of_one_endless_line, of_inputs=("line_too_long",)),
    Fault(a_log_of_nothing_for_ever, of_inputs=("file_too_large",)),
    Fault(executions_that_never_end),
    Fault(texts_that_patterns_never_finish),
    Fault(functions_that_double_a_condition),
    Fault(a_log_that_is_torn, of_inputs=("unreadable_file",)),
    Fault(a_log_that_is_not_there, of_inputs=("no_such_file",)),
    Fault(a_source_whose_path_holds_a_key, of_inputs=("unreadable_file",)),
    Fault(a_source_that_its_client_refuses, of_inputs=("unreadable_file",)),
)
