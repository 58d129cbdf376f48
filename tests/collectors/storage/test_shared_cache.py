"""What machines keep for each other in one place: found again as it was, or not at all, and by few
requests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from prunescope.collectors.storage.bundles import (
    INDEX,
    Bundle,
    Holders,
    digests_of,
    pack,
    pack_index,
    unpack,
    unpack_index,
    within,
)
from prunescope.collectors.storage.cache import Bundles, Cache
from prunescope.collectors.storage.cached_parts import Place, fetch
from prunescope.collectors.storage.shared_cache import (
    Use,
    read_index,
    renew_index,
    shared_by,
    why_unusable,
    write_bundle,
)
from tests.object_store import (
    ACCESS_KEY,
    PROGRAM,
    SECRET_KEY,
    Cut,
    ObjectStore,
    Reply,
    serve,
    serve_writable,
)

ENTRIES = {f"entries 1\n{n}\ns3://lake/{n}.avro": os.urandom(40 + n) for n in range(12)}
KEYS = list(ENTRIES)


class Machine:
    """A machine with a directory of its own, in one run."""

    def __init__(self, folder: Path, bundles: Bundles) -> None:
        self.bundles = replace(bundles, run=str(folder))
        self.cache = Cache(str(folder), 1 << 30, self.bundles)

    def keep(self, entries: Mapping[str, bytes]) -> None:
        for key, content in entries.items():
            Place(self.cache, key).put(content)

    def find(self, keys: list[str]) -> dict[str, bytes]:
        """What is found of some keys."""
        fetch([Place(self.cache, key) for key in keys])
        found = {key: Place(self.cache, key).get() for key in keys}
        return {key: content for key, content in found.items() if content is not None}

    def end(self, max_bytes: int = 1 << 30) -> Use:
        """Publishes what it has, as a run does at its end; what was new and used."""
        use = shared_by(self.bundles).use()
        made = [write_bundle(self.bundles, use.news)] if use.news else []
        renew_index(self.bundles, max_bytes, [m for m in made if m], use.used, use.lost)
        return use


@pytest.fixture
def shared(tmp_path: Path) -> Bundles:
    return Bundles(f"file://{tmp_path}/shared")


@pytest.fixture
def machine(tmp_path: Path, shared: Bundles) -> Callable[[str], Machine]:
    return lambda name: Machine(tmp_path / name, shared)


def objects(tmp_path: Path) -> dict[str, Path]:
    return {path.name: path for path in Path(tmp_path, "shared").iterdir()}


def test_one_machine_finds_what_another_kept(machine: Callable[[str], Machine]) -> None:
    one = machine("one")
    assert one.find(KEYS) == {}
    one.keep(ENTRIES)
    assert dict(one.end().news) == ENTRIES
    other = machine("other")
    assert other.find(KEYS) == ENTRIES
    assert dict(other.end().news) == {}
    assert machine("third").find(["entries 1\n1\ns3://lake/other.avro"]) == {}


def test_a_run_adds_only_what_no_bundle_has(
    machine: Callable[[str], Machine], tmp_path: Path
) -> None:
    one = machine("one")
    one.keep({key: ENTRIES[key] for key in KEYS[:10]})
    one.end()
    before = set(objects(tmp_path))
    other = machine("other")
    other.find(KEYS)
    other.keep({key: ENTRIES[key] for key in KEYS[10:]})
    assert sorted(other.end().news) == sorted(KEYS[10:])
    assert len(set(objects(tmp_path)) - before) == 1
    assert machine("third").find(KEYS) == ENTRIES


def test_what_this_machine_has_and_no_bundle_is_added(
    machine: Callable[[str], Machine], tmp_path: Path
) -> None:
    one = machine("one")
    one.keep(ENTRIES)
    one.end()
    for path in objects(tmp_path).values():
        path.unlink()
    again = Machine(tmp_path / "one", replace(one.bundles, location=f"file://{tmp_path}/shared"))
    again.bundles = replace(again.bundles, run="the next")
    again.cache = replace(again.cache, bundles=again.bundles)
    assert again.find(KEYS) == ENTRIES
    assert dict(again.end().news) == ENTRIES
    assert machine("other").find(KEYS) == ENTRIES


def test_of_two_contents_of_a_key_the_newer_is_found(machine: Callable[[str], Machine]) -> None:
    one = machine("one")
    one.keep(ENTRIES)
    one.end()
    other = machine("other")
    other.find(KEYS)
    other.keep({KEYS[0]: b"more of it"})
    other.end()
    assert machine("third").find(KEYS) == ENTRIES | {KEYS[0]: b"more of it"}


@pytest.mark.parametrize("what", ["index", "bundle"])
def test_with_any_bit_flipped_an_object_is_thrown_away(
    machine: Callable[[str], Machine], tmp_path: Path, what: str
) -> None:
    one = machine("one")
    one.keep(ENTRIES)
    one.end()
    (path,) = [p for name, p in objects(tmp_path).items() if (name == INDEX) == (what == "index")]
    whole = path.read_bytes()
    for place in range(0, len(whole) * 8, 3):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        if what == "index":
            assert unpack_index(bytes(damaged)) == ()
        else:
            assert unpack(path.name, bytes(damaged)) is None
    path.write_bytes(damaged)
    other = machine("other")
    assert other.find(KEYS) == {}
    other.keep(ENTRIES)
    other.end()
    assert machine("third").find(KEYS) == ENTRIES
    (left,) = read_index(other.bundles) or ()
    assert left.name in objects(tmp_path)


def test_a_bundle_that_is_gone_or_cut_is_made_anew(
    machine: Callable[[str], Machine], tmp_path: Path
) -> None:
    for number, is_gone in enumerate([True, False]):
        one = machine(f"one {number}")
        one.keep(ENTRIES)
        one.end()
        for name, path in objects(tmp_path).items():
            if name != INDEX:
                path.write_bytes(b"cut")
                if is_gone:
                    path.unlink()
        other = machine(f"other {number}")
        assert other.find(KEYS) == {}
        other.keep(ENTRIES)
        assert other.end().lost
        assert machine(f"third {number}").find(KEYS) == ENTRIES


def test_what_was_used_least_recently_goes_first(
    machine: Callable[[str], Machine], tmp_path: Path, shared: Bundles
) -> None:
    for number, key in enumerate(KEYS[:3]):
        one = machine(str(number))
        one.find([])
        one.keep({key: bytes(1_000)})
        one.end()
    old = [replace(known, used=1_000 + n) for n, known in enumerate(read_index(shared) or ())]
    objects(tmp_path)[INDEX].write_bytes(pack_index(old))
    user = machine("user")
    assert user.find(KEYS[:1])
    user.end(max_bytes=2_500)
    assert len(objects(tmp_path)) == 3
    assert set(machine("last").find(KEYS[:3])) == {KEYS[0], KEYS[2]}
    machine("none").end(max_bytes=1)
    assert len(objects(tmp_path)) == 3  # a run that changes nothing throws nothing away


def test_of_two_runs_at_once_none_finds_anything_else(
    machine: Callable[[str], Machine], tmp_path: Path
) -> None:
    first, second = machine("first"), machine("second")
    assert first.find(KEYS) == second.find(KEYS) == {}
    first.keep({key: ENTRIES[key] for key in KEYS[:8]})
    index_before = b""
    first.end()
    index_before = objects(tmp_path)[INDEX].read_bytes()
    second.keep({key: ENTRIES[key] for key in KEYS[4:]})
    second.end()
    assert machine("third").find(KEYS) == ENTRIES
    objects(tmp_path)[INDEX].write_bytes(index_before)  # had the first run been the last to write
    fourth = machine("fourth")
    found = fourth.find(KEYS)
    assert found == {key: ENTRIES[key] for key in KEYS[:8]}
    fourth.keep({key: ENTRIES[key] for key in KEYS[8:]})
    fourth.end()
    assert machine("fifth").find(KEYS) == ENTRIES


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_what_was_there(
    machine: Callable[[str], Machine], shared: Bundles
) -> None:
    one = machine("one")
    one.keep(ENTRIES)
    one.end()
    program = (
        "import sys\n"
        "from prunescope.collectors.storage.cache import Bundles\n"
        "from prunescope.collectors.storage.shared_cache import renew_index, write_bundle\n"
        "bundles = Bundles(sys.argv[1])\n"
        "for number in range(10**9):\n"
        "    made = write_bundle(bundles, {str(number % 50): bytes([number % 50]) * 200_000})\n"
        "    renew_index(bundles, 10_000_000, [made], (), set())\n"
        "    if number == 20: print(flush=True)\n"
    )
    for number in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", program, shared.location], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        after = machine(f"after {number}")
        found = after.find([*KEYS, *map(str, range(50))])
        assert all(found[key] == bytes([int(key)]) * 200_000 for key in found if key.isdigit())
        assert all(found[key] == ENTRIES[key] for key in found if key in ENTRIES)
        after.keep(ENTRIES)
        after.end()
        assert machine(f"last {number}").find(KEYS) == ENTRIES


def test_a_place_that_cannot_be_written_or_read_is_none(tmp_path: Path) -> None:
    (tmp_path / "shared").write_text("a file")
    one = Machine(tmp_path / "one", Bundles(f"file://{tmp_path}/shared"))
    one.keep(ENTRIES)
    one.end()
    assert one.find(KEYS) == ENTRIES
    nowhere = Machine(tmp_path / "two", Bundles("unknown://nowhere"))
    nowhere.keep(ENTRIES)
    assert nowhere.end().news == {}
    assert nowhere.find(KEYS) == ENTRIES


def test_whether_a_place_can_be_used_is_found_out(tmp_path: Path, shared: Bundles) -> None:
    assert why_unusable(shared) is None
    assert objects(tmp_path) == {}  # nothing stays
    (tmp_path / "file").touch()
    why = why_unusable(Bundles(f"file://{tmp_path}/file/below"))
    assert why is not None
    assert str(tmp_path) not in why


def test_no_name_of_an_index_leads_elsewhere() -> None:
    (bundle, _) = pack(ENTRIES, 7)
    assert unpack_index(pack_index([bundle]))[0].name == bundle.name
    assert unpack_index(pack_index([bundle, replace(bundle, name="../data/file")])) == ()


def test_the_index_tells_which_bundle_has_a_key() -> None:
    parts = [dict.fromkeys(KEYS[start : start + 5], b"") for start in (0, 4, 8)]
    bundles = [pack(part, 7)[0] for part in parts]
    again = unpack_index(pack_index(bundles))
    assert [(one.name, one.size, one.used) for one in again] == [
        (one.name, one.size, one.used) for one in bundles
    ]
    names = [bundles[n].name for n in (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2)]
    assert Holders(again).of([*KEYS, "another"]) == [*names, None]
    assert Holders(()).of(KEYS[:1]) == [None]


@pytest.mark.parametrize(("max_bytes", "left"), [(0, ""), (4, "c"), (9, "bc"), (15, "abc")])
def test_bundles_within_a_size_are_those_that_were_used_last(max_bytes: int, left: str) -> None:
    sizes = {"a": (6, 1), "b": (5, 2), "c": (4, 3)}
    bundles = [Bundle(n, size, used, digests_of(())) for n, (size, used) in sizes.items()]
    assert [one.name for one in within(bundles, max_bytes)] == list(left)


@pytest.fixture(scope="module")
def store(
    require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ObjectStore]:
    with serve(require_program(PROGRAM), tmp_path_factory.mktemp("store")) as store:
        yield store


@pytest.mark.slow
def test_a_bundle_is_read_by_one_request(store: ObjectStore, tmp_path: Path) -> None:
    pytest.importorskip("s3fs")
    store.forget()
    parts = [{key: ENTRIES[key] for key in KEYS[start::3]} for start in range(3)]
    packed = [pack(part, 7) for part in parts]
    for bundle, whole in packed:
        location = store.put(f"kept/{bundle.name}", whole)
    store.put(f"kept/{INDEX}", pack_index([bundle for bundle, _ in packed]))
    fsspec = {"py-io-impl": "pyiceberg.io.fsspec.FsspecFileIO"}
    properties = tuple((store.properties | fsspec).items())
    one = Machine(tmp_path / "one", Bundles(location.rpartition("/")[0], properties))
    for key in KEYS:  # one after the other, as tasks take up their files
        assert one.find([key]) == {key: ENTRIES[key]}
    assert sorted(r.path for r in store.requests if r.method == "GET") == sorted(
        f"/lake/kept/{name}" for name in (INDEX, *(bundle.name for bundle, _ in packed))
    )
    store.requests.clear()
    names = [bundle.name for bundle, _ in packed]
    store.fail(f"kept/{names[0]}", Reply(503, "SlowDown"))
    store.fail(f"kept/{names[1]}", Cut(20))
    assert Machine(tmp_path / "two", one.bundles).find(KEYS) == ENTRIES
    assert len(store.requests) <= 4 + 2 + 4  # sizes, and what failed, again


@pytest.mark.slow
def test_an_object_store_that_can_be_written_keeps_what_is_written(
    require_program: Callable[[str], Path], tmp_path: Path
) -> None:
    program = require_program(PROGRAM)
    with serve_writable(program, tmp_path / "store", "cache") as endpoint:
        properties = {
            "s3.endpoint": endpoint,
            "s3.region": "us-east-1",
            "s3.access-key-id": ACCESS_KEY,
            "s3.secret-access-key": SECRET_KEY,
            # A cache gives up a store that does not answer, as on a busy machine.
            "s3.connect-timeout": "60",
            "s3.request-timeout": "60",
        }
        bundles = Bundles("s3://cache/kept/", tuple(properties.items()))
        one = Machine(tmp_path / "one", bundles)
        one.keep(ENTRIES)
        one.end()
        other = Machine(tmp_path / "other", bundles)
        assert other.find(KEYS) == ENTRIES
        other.keep({"another": b"more"})
        (larger,) = read_index(bundles) or ()
        # Room for one of two, whichever counts as used later: they are told apart by seconds.
        other.end(max_bytes=larger.size)
        (left,) = read_index(bundles) or ()
        kept = tmp_path / "store" / "buckets" / "cache" / "kept"
        assert sorted(path.name for path in kept.iterdir()) == sorted([INDEX, left.name])
        # The store itself finds that these are not what was written.
        for what in ("index", "bundle"):
            (last,) = read_index(bundles) or ()
            damaged = kept / (INDEX if what == "index" else last.name)
            content = damaged.read_bytes()
            damaged.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
            mending = Machine(tmp_path / f"mending {what}", bundles)
            assert mending.find(KEYS) == {}
            mending.keep(ENTRIES)
            mending.end()
            assert Machine(tmp_path / f"after {what}", bundles).find(KEYS) == ENTRIES
    assert SECRET_KEY not in repr(bundles)
