"""One tenant's table has nothing read of another tenant with whom it shares a bucket or a disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from tests.integration.tenants import AROUND, FILES, METADATA, OURS, THEIRS, Files, Lake, Way, link
from tests.object_store import ACCESS_KEY, PROGRAM, SECRET_KEY, serve_writable

THEIR_VALUE = 271_828
OUTSIDE = "outside of the places that may be read"


@pytest.fixture(scope="module")
def endpoint(
    require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("store")
    with serve_writable(require_program(PROGRAM), folder, "lake", OURS, THEIRS) as found:
        yield found


@pytest.fixture(
    params=[
        "folders",
        pytest.param("prefixes", marks=pytest.mark.slow),
    ]
)
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Lake:
    if request.param == "folders":
        return Lake(f"file://{tmp_path}/lake", tmp_path)
    return on_s3(request.getfixturevalue("endpoint"), f"s3://lake/{tmp_path.name}", tmp_path)


def on_s3(endpoint: str, root: str, beside: Path) -> Lake:
    storage = {
        "s3.endpoint": endpoint,
        "s3.region": "us-east-1",
        "s3.access-key-id": ACCESS_KEY,
        "s3.secret-access-key": SECRET_KEY,
    }
    return Lake(root, beside, storage)


def made(lake: Lake, way: Way) -> tuple[Files, Files]:
    ours, theirs = lake.make(OURS, 1), lake.make(THEIRS, THEIR_VALUE)
    assert lake.explain()["outcome"] == "replayed"
    way(lake, ours, theirs)
    return ours, theirs


@pytest.mark.parametrize("way", METADATA)
def test_no_metadata_of_another_tenant_is_read_until_that_is_allowed(lake: Lake, way: str) -> None:
    made(lake, METADATA[way])
    found = lake.explain()
    assert found["outcome"] == (None if way == "registered" else "location_not_allowed")
    assert str(THEIR_VALUE) not in str(found)
    # The line that the message says is the remedy.
    line = found["message"].rpartition("audit.yaml: ")[2]
    (place,) = yaml.safe_load(line)["locations"]["allow"]
    assert place == f"{lake.shown(THEIRS)}/db/t"
    assert lake.explain(place)["outcome"] == "replayed"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["location", "registered"])
def test_no_other_bucket_is_read(endpoint: str, tmp_path: Path, way: str) -> None:
    lake = on_s3(endpoint, "s3:/", tmp_path)
    _, theirs = made(lake, METADATA[way])
    assert f'allow: ["s3://{THEIRS}/db/t"]' in lake.explain()["message"]
    assert theirs.data.startswith(f"s3://{THEIRS}/")
    assert lake.explain(f"s3://{THEIRS}")["outcome"] == "replayed"


@pytest.mark.parametrize("way", AROUND)
def test_no_location_leads_out_of_a_place(lake: Lake, way: str) -> None:
    made(lake, AROUND[way])
    found = lake.explain()
    assert found["outcome"] != "replayed"
    assert str(THEIR_VALUE) not in str(found)


@pytest.mark.parametrize("way", FILES)
def test_no_file_of_another_tenant_is_opened(lake: Lake, way: str) -> None:
    made(lake, FILES[way])
    found = lake.explain()
    assert found["outcome"] == "replayed"
    assert found["unread"] == ({OUTSIDE: 1} if way == "data file" else {})
    assert str(THEIR_VALUE) not in str(found)
    there = lake.doctor()[f"place {lake.shown(THEIRS)}/db/t"]
    assert there["state"] == "warning"
    (place,) = yaml.safe_load(there["remedy"].rpartition("audit.yaml: ")[2])["locations"]["allow"]
    assert lake.explain(place)["unread"] == {}
    assert not [name for name in lake.doctor(place) if name.startswith("place")]


def test_what_is_kept_is_not_told_where_it_may_not_be_read(tmp_path: Path) -> None:
    lake = Lake(f"file://{tmp_path}/lake", tmp_path)
    made(lake, METADATA["manifest"])
    place = lake.shown(THEIRS)
    assert lake.explain(place, cache=True)["outcome"] == "replayed"
    assert list((tmp_path / "cache").rglob("*.kept"))
    assert lake.explain(cache=True)["outcome"] == "location_not_allowed"


def test_a_link_leads_to_no_other_tenant(tmp_path: Path) -> None:
    lake = Lake(f"file://{tmp_path}/lake", tmp_path)
    made(lake, link)
    assert lake.explain()["outcome"] == "location_not_allowed"
    assert lake.explain(str(tmp_path / "lake" / THEIRS))["outcome"] == "replayed"
