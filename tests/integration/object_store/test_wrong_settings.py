"""What is told of an object store that was configured wrongly: what to look at first."""

from __future__ import annotations

import pytest

from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.random_access import read_whole
from prunescope.collectors.storage.unreadable import FileUnreadable
from tests.object_store import ACCESS_KEY, SECRET_KEY, ObjectStore

pytestmark = pytest.mark.slow

KEYS = ("s3.access-key-id", "s3.secret-access-key")


@pytest.mark.parametrize(
    ("change", "variables", "said"),
    [
        pytest.param(
            {"s3.secret-access-key": "wrong"},
            {},
            "they are of the property s3.access-key-id (PYICEBERG_CATALOG__…__S3__ACCESS_KEY_ID)",
            id="a property",
        ),
        pytest.param(
            dict.fromkeys(KEYS),
            {"AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": "wrong"},
            "they are of AWS_ACCESS_KEY_ID in the environment",
            id="a variable",
        ),
        pytest.param({"s3.region": "eu-central-1"}, {}, "is the region right?", id="region"),
        pytest.param({"https": "https"}, {}, "TLS failed; does the endpoint begin with", id="TLS"),
        pytest.param({"s3.endpoint": "http://127.0.0.1:1"}, {}, "check the endpoint", id="nobody"),
    ],
)
def test_what_to_look_at(
    store: ObjectStore,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, str | None],
    variables: dict[str, str],
    said: str,
) -> None:
    location = store.put("settings.json", b"{}")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    properties = store.properties | change
    if properties.pop("https", None):
        properties["s3.endpoint"] = store.endpoint.replace("http:", "https:")
    storage = Storage(properties={k: v for k, v in properties.items() if v is not None})
    with pytest.raises(FileUnreadable) as caught:
        read_whole(storage, location, 100)
    assert said in str(caught.value)
    assert SECRET_KEY not in str(caught.value)
    assert ACCESS_KEY not in str(caught.value)
