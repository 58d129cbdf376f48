"""The cache of a run, as the configuration has it."""

from __future__ import annotations

from typing import Any

import pytest

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.jobs.sharing import cache_of
from prunescope.collectors.storage.cache import Cache


def cache(section: dict[str, Any] | None) -> Cache | None:
    properties = {"type": "rest", "uri": "http://c", "s3.endpoint": "http://minio:9000"}
    document = {
        "catalogs": {"lake": {"properties": properties}},
        "sources": [{"type": "trino_events", "paths": ["logs"]}],
        "audit": {"catalog": "lake"},
        "cache": section,
    }
    return cache_of(validate_config(document, "test"))


def test_without_a_place_for_bundles_there_are_none() -> None:
    assert cache(None) is None
    assert cache({"path": "/kept", "max_bytes": 7}) == Cache("/kept", 7)


@pytest.mark.parametrize(
    ("catalog", "expected"),
    [
        pytest.param({}, (), id="the environment's"),
        pytest.param(
            {"catalog": "lake"}, (("s3.endpoint", "http://minio:9000"),), id="a catalog's"
        ),
    ],
)
def test_bundles_are_read_with_the_storage_of_a_catalog(
    catalog: dict[str, str], expected: tuple[tuple[str, str], ...]
) -> None:
    section = {"path": "/kept", "bundles": "s3://cache/kept", **catalog}
    first, second = cache(section), cache(section)
    assert first is not None
    assert second is not None
    assert first.bundles is not None
    assert second.bundles is not None
    assert (first.bundles.location, first.bundles.properties) == ("s3://cache/kept", expected)
    assert first.bundles.run != second.bundles.run  # each run looks at the index anew
