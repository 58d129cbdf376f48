from pathlib import Path

import pytest

from prunescope.collectors.errors import TableError
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.locations import local_path, storage_root
from prunescope.collectors.storage.places import Places
from prunescope.collectors.storage.random_access import read_whole

MAPPED = Storage(
    path_map=(
        ("s3://lake/", "/mnt/lake/"),
        ("s3://lake/sales/", "/mnt/fast/"),
        ("hdfs:", "file:"),
    )
)


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        pytest.param("s3://lake/a.avro", "/mnt/lake/a.avro", id="mapped"),
        pytest.param("s3://lake/sales/a.avro", "/mnt/fast/a.avro", id="longest-prefix-wins"),
        pytest.param("s3://other/a.avro", "s3://other/a.avro", id="no-prefix-matches"),
        pytest.param("hdfs:/a", "file:/a", id="scheme"),
        pytest.param("/x/s3://lake/a", "/x/s3://lake/a", id="only-at-the-start"),
    ],
)
def test_locations_are_mapped(location: str, expected: str) -> None:
    assert MAPPED.locate(location) == expected


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/a/b", "/a/b"),
        ("a/b", "a/b"),
        ("file:/a/b", "/a/b"),
        ("file:///a/b", "/a/b"),
        ("/a/b:c", "/a/b:c"),
        ("file:///a/part=x%2Fy/b", "/a/part=x%2Fy/b"),
        ("s3://a/b", None),
        ("hdfs:/a", None),
    ],
)
def test_local_paths(location: str, expected: str | None) -> None:
    assert local_path(location) == expected


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("s3://lake/a/b", "s3://lake"),
        ("S3://lake", "s3://lake"),
        ("/a/b", ""),
        ("a/b:c", ""),
        ("file:/a", "file://"),
        ("s3://[lake/a", "s3://[lake"),
    ],
)
def test_storage_roots(location: str, expected: str) -> None:
    assert storage_root(location) == expected


def test_files_are_read_where_they_were_moved(tmp_path: Path) -> None:
    folder = tmp_path / "category=a%2Fb"
    folder.mkdir()
    (folder / "f").write_bytes(b"content")
    storage = Storage(path_map=(("s3://lake", tmp_path.as_uri()),))
    assert read_whole(storage, "s3://lake/category=a%2Fb/f", 100) == b"content"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="gone"):
        Storage().open(str(tmp_path / "gone"))


def test_a_path_that_no_file_can_have_is_not_followed(tmp_path: Path) -> None:
    """At each of its slashes it could be a link: to look takes hours."""
    storage = Storage(places=Places.of([str(tmp_path)]))
    location = f"{tmp_path}/" + "b/" * 10_000_000
    assert not storage.may_read(location)
    with pytest.raises(FileNotFoundError, match="name is too long"):
        storage.open(location)


@pytest.mark.filterwarnings("ignore:No preferred file implementation")
def test_an_unknown_scheme_says_what_to_do() -> None:
    with pytest.raises(TableError, match=r"nothing://.*--path-map"):
        Storage().open("nothing://a/b")


def test_a_client_that_refuses_a_location_is_not_quoted() -> None:
    """It would name the bucket, as which it takes all that stands before the first slash."""
    with pytest.raises(TableError, match=r"s3://lake/a") as raised:
        Storage().open("s3://KEY:SECRET@lake/a")
    assert "SECRET" not in str(raised.value)


@pytest.mark.parametrize("location", ["s3://[lake/a", "s3://\u2100/a"])
def test_a_location_that_is_no_address_fails_like_others(location: str) -> None:
    with pytest.raises(TableError, match=r"^no FileIO opens s3://"):
        Storage().open(location)


def test_credentials_are_not_shown() -> None:
    assert "secret" not in repr(Storage(properties={"s3.secret-access-key": "secret"}))
