"""What the owner of a table can make of it in few bytes, so that it takes much: metadata, lists and
data files; and metadata that contradicts itself."""

from __future__ import annotations

import gzip
import json
from typing import Any

from tests.chaos.scenes import Fault, Scene
from tests.chaos.table_faults import UNREADABLE, edit_list
from tests.collectors.tables.avro_bombs import (
    a_header_of_millions_of_notes,
    a_manifest_of_millions_of_summaries,
    a_schema_of_deeper_arrays,
    a_schema_of_millions_of_values,
    millions_of_manifests,
)
from tests.collectors.tables.metadata_bombs import leaf, nested
from tests.collectors.tables.parquet_bombs import (
    TEXTS,
    columns_below_deep_names,
    empty_row_groups,
    hundreds_of_thousands_of_row_groups,
    of_one_text,
    two_billion_nulls,
    written,
)

_SPEC = 502


def names_that_are_long_at_many_depths(scene: Scene) -> None:
    def change(document: dict[str, Any]) -> None:
        deep = nested(200, lambda _: "n" * 400_000, leaf(99, "x"))
        document["schemas"][0]["fields"].append(json.loads(deep))

    scene.victim.edit(change)
    metadata = scene.victim.metadata
    packed = metadata.with_name("packed.gz.metadata.json")
    packed.write_bytes(gzip.compress(metadata.read_bytes()))
    scene.tables.append({"name": scene.table, "metadata": str(packed)})


def names_that_are_long_in_plain_text(scene: Scene) -> None:
    def change(document: dict[str, Any]) -> None:
        deep = nested(150, lambda _: "n" * 60_000, leaf(99, "x"))
        document["schemas"][0]["fields"].append(json.loads(deep))

    scene.victim.edit(change)
    scene.read_by_file()


def millions_of_values(scene: Scene) -> None:
    scene.victim.edit(lambda document: document.__setitem__("statistics", [[]] * 6_000_000))
    scene.read_by_file()


def a_list_whose_types_are_millions(scene: Scene) -> None:
    scene.victim.manifest_list.write_bytes(a_schema_of_millions_of_values())


def a_list_of_deep_arrays(scene: Scene) -> None:
    scene.victim.manifest_list.write_bytes(a_schema_of_deeper_arrays())


def a_list_of_millions_of_notes(scene: Scene) -> None:
    scene.victim.manifest_list.write_bytes(a_header_of_millions_of_notes())


def a_list_of_millions_of_manifests(scene: Scene) -> None:
    scene.victim.manifest_list.write_bytes(millions_of_manifests())


def a_list_of_millions_of_summaries(scene: Scene) -> None:
    scene.victim.manifest_list.write_bytes(a_manifest_of_millions_of_summaries())


def a_manifest_of_deep_arrays(scene: Scene) -> None:
    scene.victim.manifests[0].write_bytes(a_schema_of_deeper_arrays())


def a_long_text_that_all_rows_share(scene: Scene) -> None:
    scene.conditions = ("name = 'x'",)
    bomb = written(of_one_text(2_000), TEXTS, field_id=2, dictionary_pagesize_limit=64 << 20)
    for file in scene.victim.data_files:
        file.write_bytes(bomb)


def row_groups_without_end(scene: Scene) -> None:
    for file in scene.victim.data_files:
        file.write_bytes(hundreds_of_thousands_of_row_groups())


def row_groups_of_a_byte(scene: Scene) -> None:
    scene.victim.data_files[0].write_bytes(empty_row_groups())


def columns_without_end(scene: Scene) -> None:
    scene.victim.data_files[0].write_bytes(columns_below_deep_names())


def rows_without_end(scene: Scene) -> None:
    for file in scene.victim.data_files:
        file.write_bytes(two_billion_nulls())


def a_current_snapshot_that_is_not_there(scene: Scene) -> None:
    _change(scene, "current-snapshot-id", 12_345)


def a_key_with_another_letter(scene: Scene) -> None:
    def change(document: dict[str, Any]) -> None:
        document["current-snapshot-ie"] = document.pop("current-snapshot-id")

    scene.victim.edit(change)
    scene.read_by_file()


def no_snapshots(scene: Scene) -> None:
    _change(scene, "snapshots", [])


def a_default_spec_that_is_not_there(scene: Scene) -> None:
    _change(scene, "default-spec-id", 7)


def a_current_schema_that_is_not_there(scene: Scene) -> None:
    _change(scene, "current-schema-id", 7)


def a_default_order_that_is_not_there(scene: Scene) -> None:
    _change(scene, "default-sort-order-id", 7)


def snapshots_that_have_each_others_lists(scene: Scene) -> None:
    def change(document: dict[str, Any]) -> None:
        first, last = document["snapshots"][0], document["snapshots"][-1]
        lists = first["manifest-list"], last["manifest-list"]
        last["manifest-list"], first["manifest-list"] = lists

    scene.victim.edit(change)
    scene.read_by_file()


def a_manifest_of_a_spec_that_is_not_there(scene: Scene) -> None:
    edit_list(scene.victim, _SPEC, 7)


def _change(scene: Scene, key: str, value: Any) -> None:
    scene.victim.edit(lambda document: document.__setitem__(key, value))
    scene.read_by_file()


BOMB_FAULTS = (
    Fault(names_that_are_long_at_many_depths, UNREADABLE),
    Fault(names_that_are_long_in_plain_text, UNREADABLE),
    Fault(millions_of_values, UNREADABLE),
    Fault(a_list_whose_types_are_millions, UNREADABLE),
    Fault(a_list_of_deep_arrays, UNREADABLE),
    Fault(a_list_of_millions_of_notes, UNREADABLE),
    Fault(a_list_of_millions_of_manifests, UNREADABLE),
    Fault(a_list_of_millions_of_summaries, UNREADABLE),
    Fault(a_manifest_of_deep_arrays, UNREADABLE),
    Fault(a_long_text_that_all_rows_share),
    Fault(row_groups_without_end),
    Fault(row_groups_of_a_byte),
    Fault(columns_without_end),
    Fault(rows_without_end),
    Fault(a_current_snapshot_that_is_not_there, UNREADABLE),
    Fault(a_key_with_another_letter, UNREADABLE),
    Fault(no_snapshots, UNREADABLE),
    Fault(a_default_spec_that_is_not_there, UNREADABLE),
    Fault(a_current_schema_that_is_not_there, UNREADABLE),
    Fault(a_default_order_that_is_not_there, UNREADABLE),
    Fault(snapshots_that_have_each_others_lists, UNREADABLE),
    Fault(a_manifest_of_a_spec_that_is_not_there, UNREADABLE),
)
