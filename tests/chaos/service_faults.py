"""What catalogs and object stores can do: be down or slow, refuse, cut off, change in mid-run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.chaos.lake import open_sql_catalog, rows
from tests.chaos.rest_catalog import RestCatalog, Weather, serving
from tests.chaos.scenes import Fault, Scene
from tests.object_store import BUCKET, PROGRAM, Cut, ObjectStore, Reply, serve

_SLOW_DOWN = Reply(503, "SlowDown")
_DENIED = Reply(403, "AccessDenied")
_ALWAYS = 200
"""Requests: more than anybody makes for one object."""


def a_catalog_that_is_not_there(scene: Scene) -> None:
    scene.properties.update({"type": "rest", "uri": "http://127.0.0.1:1", "token": "t"})


def a_catalog_that_is_busy(scene: Scene) -> None:
    _rest(scene).weather.answers = 503


def a_catalog_that_refuses(scene: Scene) -> None:
    _rest(scene)
    scene.properties["token"] = "another"  # noqa: S105


def a_catalog_that_is_slow(scene: Scene) -> None:
    _rest(scene).weather.delay = 2.0


def a_table_that_grows_after_it_was_loaded(scene: Scene) -> None:
    _once(_rest(scene).weather, lambda: scene.victim.table.refresh().append(rows(7)))


def snapshots_that_expire_after_they_were_loaded(scene: Scene) -> None:
    _once(_rest(scene).weather, scene.victim.manifest_list.unlink)


def manifests_that_are_deleted_after_the_table_was_loaded(scene: Scene) -> None:
    _once(_rest(scene).weather, scene.victim.manifests[0].unlink)


def a_table_that_is_dropped_after_it_was_loaded(scene: Scene) -> None:
    folder = scene.victim.metadata.parent.parent
    _once(_rest(scene).weather, lambda: shutil.rmtree(folder))


def a_store_that_is_busy_for_a_while(scene: Scene) -> None:
    store = _s3(scene)
    for key in _keys(store):
        store.fail(key, _SLOW_DOWN, _SLOW_DOWN)


def a_store_that_cuts_answers_off_for_a_while(scene: Scene) -> None:
    store = _s3(scene)
    for key in _keys(store):
        store.fail(key, Cut(50), Cut())


def a_store_that_stays_busy_for_a_manifest(scene: Scene) -> None:
    store = _s3(scene)
    store.fail(_manifest(scene), *[_SLOW_DOWN] * _ALWAYS)


def a_store_that_always_cuts_a_manifest_off(scene: Scene) -> None:
    store = _s3(scene)
    store.fail(_manifest(scene), *[Cut(100)] * _ALWAYS)


def a_store_that_denies_a_manifest(scene: Scene) -> None:
    store = _s3(scene)
    store.fail(_manifest(scene), *[_DENIED] * _ALWAYS)


def a_store_that_stays_busy_for_a_data_file(scene: Scene) -> None:
    store = _s3(scene)
    data = next(key for key in _keys(store) if key.endswith(".parquet"))
    store.fail(data, *[_SLOW_DOWN] * _ALWAYS)


def a_store_that_lost_a_manifest(scene: Scene) -> None:
    store = _s3(scene)
    (store.folder / _manifest(scene)).unlink()


def a_wrong_secret_key(scene: Scene) -> None:
    _s3(scene)
    scene.properties["s3.secret-access-key"] = "another"


def _rest(scene: Scene) -> RestCatalog:
    """Finds the victim through a REST catalog."""
    behind = open_sql_catalog(scene.victim.catalog, scene.victim.folder)
    server = scene.servers.enter_context(serving(behind))
    scene.properties.update(server.properties)
    return server


def _once(weather: Weather, change: Callable[[], object]) -> None:
    """Changes something when a table was given out for the first time."""
    waiting = [change]

    def after_load(_: str) -> None:
        if waiting:
            waiting.pop()()

    weather.after_load = after_load


def _s3(scene: Scene) -> ObjectStore:
    """Moves the victim's files into an object store."""
    program = shutil.which(PROGRAM)
    assert program is not None, f"{PROGRAM} is not on the PATH"
    store = scene.servers.enter_context(serve(Path(program), scene.victim.folder / "s3"))
    files = scene.victim.folder / "warehouse"
    shutil.copytree(files, store.folder, dirs_exist_ok=True)
    scene.path_map.append({"from": f"file://{files}", "to": f"s3://{BUCKET}"})
    scene.properties.update(store.properties)
    return store


def _keys(store: ObjectStore) -> list[str]:
    return sorted(
        str(path.relative_to(store.folder)) for path in store.folder.rglob("*") if path.is_file()
    )


def _manifest(scene: Scene) -> str:
    """The key of the manifest that all of the victim's queries need."""
    path = scene.victim.manifests[0]
    return str(path.relative_to(scene.victim.folder / "warehouse"))


CATALOG_FAULTS = (
    Fault(a_catalog_that_is_not_there, "catalog_unavailable"),
    Fault(a_catalog_that_is_busy, "catalog_unavailable"),
    Fault(a_catalog_that_refuses, "catalog_unavailable"),
    Fault(a_catalog_that_is_slow),
    Fault(a_table_that_grows_after_it_was_loaded),
    Fault(snapshots_that_expire_after_they_were_loaded, "unreadable_metadata"),
    Fault(manifests_that_are_deleted_after_the_table_was_loaded, "unreadable_metadata"),
    Fault(a_table_that_is_dropped_after_it_was_loaded, "unreadable_metadata"),
)
STORE_FAULTS = (
    Fault(a_store_that_is_busy_for_a_while),
    Fault(a_store_that_cuts_answers_off_for_a_while),
    Fault(a_store_that_stays_busy_for_a_manifest, "storage_throttled"),
    Fault(a_store_that_always_cuts_a_manifest_off, "storage_unreachable"),
    Fault(a_store_that_denies_a_manifest, "access_denied"),
    Fault(a_store_that_stays_busy_for_a_data_file),
    Fault(a_store_that_lost_a_manifest, "unreadable_metadata"),
    Fault(a_wrong_secret_key, "access_denied"),
)
