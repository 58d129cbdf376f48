"""A lake of two tenants, in buckets or folders, and the ways in which one's table can name the
other's files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io import FileIO, load_file_io

from prunescope.audit_jobs.cli import main
from tests.collectors.tables.avro_files import text

OURS, THEIRS = "tenant-a", "tenant-a-evil"
"""The name of one begins with that of the other."""
NAMESPACES = {OURS: "db_ours", THEIRS: "db"}
"""With these, the locations of both tables have one length, so that bytes can be replaced."""


@dataclass
class Lake:
    """`root` as tables name it, and how it is read. Catalogs and configurations are `beside` it."""

    root: str
    beside: Path
    storage: Mapping[str, str] = field(default_factory=dict)

    def catalog(self, tenant: str) -> dict[str, str]:
        """Properties of a tenant's catalog, whose warehouse is the tenant's folder."""
        return {
            "type": "sql",
            "uri": f"sqlite:///{self.beside}/{tenant}.db",
            "warehouse": f"{self.root}/{tenant}",
            **self.storage,
        }

    def make(self, tenant: str, value: int) -> Files:
        """A table with a row."""
        catalog = SqlCatalog("lake", **self.catalog(tenant))
        catalog.create_namespace(NAMESPACES[tenant])
        rows = pa.table({"id": pa.array([value], pa.int64())})
        plain = {"write.avro.compression-codec": "null"}
        name = f"{NAMESPACES[tenant]}.t"
        table = catalog.create_table(name, rows.schema, properties=plain)
        table.append(rows)
        snapshot = table.current_snapshot()
        assert snapshot is not None
        (manifest,) = snapshot.manifests(table.io)
        (entry,) = manifest.fetch_manifest_entry(self.files)
        return Files(
            snapshot.snapshot_id,
            table.metadata_location,
            snapshot.manifest_list,
            manifest.manifest_path,
            entry.data_file.file_path,
        )

    @property
    def files(self) -> FileIO:
        """What reads and writes files of both tenants."""
        return load_file_io({**self.storage}, self.root)

    def change(self, location: str, change: Callable[[bytes], bytes]) -> None:
        """Writes a file anew."""
        with self.files.new_input(location).open() as stream:
            content = stream.read()
        with self.files.new_output(location).create(overwrite=True) as out:
            out.write(change(content))

    def shown(self, tenant: str) -> str:
        """A tenant's folder as messages have it."""
        return f"{self.root}/{tenant}".removeprefix("file://")

    def explain(self, *allow: str, cache: bool = False) -> dict[str, Any]:
        """What a command says of our table."""
        name = f"lake.{NAMESPACES[OURS]}.t"
        kept = ("--cache", f"{self.beside}/cache") if cache else ()
        result = self._run("explain", name, "--where", "id > 0", *kept, allow=allow)
        if not result.stdout:  # the table could not be opened
            return {"outcome": None, "message": result.stderr.strip()}
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    def doctor(self, *allow: str) -> dict[str, dict[str, Any]]:
        """What is found, by name."""
        lines = self._run("doctor", "--no-spark", allow=allow).stdout.splitlines()
        return {check["name"]: check for check in map(json.loads, lines)}

    def _run(self, *command: str, allow: Sequence[str]) -> Result:
        config = self.beside / "audit.yaml"
        document = {
            "catalogs": {"lake": {"properties": self.catalog(OURS)}},
            "sources": [{"type": "trino_events", "paths": [f"{self.beside}/none"]}],
            "audit": {"catalog": "lake"},
            "locations": {"allow": list(allow)},
        }
        config.write_text(yaml.safe_dump(document))
        return CliRunner().invoke(main, [*command, "--config", str(config), "--json"])


@dataclass(frozen=True)
class Files:
    """Locations of a table's files, and the snapshot that they are of."""

    snapshot: int
    metadata: str
    manifest_list: str
    manifest: str
    data: str


Way = Callable[[Lake, Files, Files], None]
"""Has our table name files of the other one."""


def _in_metadata(**values: Callable[[Files], str]) -> Way:
    """By values of the metadata file, and the snapshot that a list says it is of."""

    def change(lake: Lake, ours: Files, theirs: Files) -> None:
        def changed(content: bytes) -> bytes:
            document = json.loads(content)
            places = {"location": document, "manifest-list": document["snapshots"][0]}
            for key, value in values.items():
                name = key.replace("_", "-")
                places.get(name, document["properties"])[name] = value(theirs)
            return json.dumps(document).encode()

        lake.change(ours.metadata, changed)
        _take_snapshot(lake, ours, theirs)

    return change


def _take_snapshot(lake: Lake, ours: Files, theirs: Files) -> None:
    # Locations have it in names, behind no space and no colon.
    id_of_ours = re.compile(rb"(?<=[ :])%d\b" % ours.snapshot)
    lake.change(ours.metadata, lambda content: id_of_ours.sub(b"%d" % theirs.snapshot, content))


def _table(files: Files) -> str:
    return files.metadata.rpartition("/metadata/")[0]


def _list(files: Files) -> str:
    return files.manifest_list


def _from_ours(way: str) -> Callable[[Files], str]:
    return lambda theirs: theirs.manifest_list.replace(f"/{THEIRS}/", f"/{OURS}/{way}/{THEIRS}/")


def _register(lake: Lake, _ours: Files, theirs: Files) -> None:
    catalog = SqlCatalog("lake", **lake.catalog(OURS))
    catalog.drop_table(f"{NAMESPACES[OURS]}.t")
    catalog.register_table(f"{NAMESPACES[OURS]}.t", theirs.metadata)


def _manifest(lake: Lake, ours: Files, theirs: Files) -> None:
    _replace(lake, ours.manifest_list, text(ours.manifest), text(theirs.manifest))


def _data(lake: Lake, ours: Files, theirs: Files) -> None:
    _replace(lake, ours.manifest, text(ours.data), text(theirs.data))


def _deletes(lake: Lake, ours: Files, theirs: Files) -> None:
    """What a file holds stands before its path, and in a list behind length and spec."""
    _replace(lake, ours.manifest, b"\x00" + text(ours.data), b"\x02" + text(theirs.data))

    def changed(listed: bytes) -> bytes:
        at = listed.index(text(ours.manifest)) + len(text(ours.manifest))
        while listed[at] & 0x80:
            at += 1
        assert listed[at + 1 : at + 3] == b"\x00\x00"
        return listed[: at + 2] + b"\x02" + listed[at + 3 :]

    lake.change(ours.manifest_list, changed)


def _replace(lake: Lake, location: str, old: bytes, new: bytes) -> None:
    def changed(content: bytes) -> bytes:
        assert content.count(old) == 1
        assert len(old) == len(new)
        return content.replace(old, new)

    lake.change(location, changed)


METADATA: Mapping[str, Way] = {
    "location": _in_metadata(location=_table, manifest_list=_list),
    "manifest list": _in_metadata(manifest_list=_list),
    "registered": _register,
    "manifest": _manifest,
    **{
        name: _in_metadata(**{name: _table, "manifest_list": _list})
        for name in ("write.data.path", "write.metadata.path", "write.object-storage.path")
    },
}
"""What the outcome of the table says."""

AROUND: Mapping[str, Way] = {
    "parent": _in_metadata(manifest_list=_from_ours("..")),
    "parent with a tab": _in_metadata(manifest_list=_from_ours(".\t.")),
}
"""Those that no place allows."""

FILES: Mapping[str, Way] = {"data file": _data, "delete file": _deletes}
"""What is planned by our own metadata; the file itself is never read."""


def link(lake: Lake, ours: Files, theirs: Files) -> None:
    """Has our file be a link to theirs."""
    path = Path(ours.manifest_list.removeprefix("file://"))
    path.unlink()
    path.symlink_to(theirs.manifest_list.removeprefix("file://"))
    _take_snapshot(lake, ours, theirs)
