"""Settings of others that README and docs have people copy: there are such, and what they send to
the receiver is taken."""

from __future__ import annotations

import asyncio
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from prunescope.audit_jobs.commands.collect import collect
from prunescope.audit_jobs.receiver.app import Access, build_app
from prunescope.audit_jobs.receiver.metrics import ReceiverMetrics
from prunescope.audit_jobs.receiver.server import TOKEN_VARIABLE
from prunescope.audit_jobs.receiver.spool import Spool
from tests.audit_jobs.receiver.test_app import REPORT, Client
from tests.collectors.queries.test_damaged_input import EVENT
from tests.documented import PAGES, Block, blocks

SPARK = re.compile(r"(?<![\w./-])spark\.[a-z]\w*(?:\.\w+)*(?=[\s=:`\",'])")
OURS = {"spark.master", "spark.conf", "spark.jobNamespaces"}
"""Keys of audit.yaml, and of the chart of the Spark operator."""
NAMED = re.compile(r"spark\.sql\.catalog\.\w+(?:\.(?:type|uri|warehouse))?|spark\.executorEnv\.\w+")
"""Settings of a catalog, or a variable, that the user names, and of Iceberg's CatalogProperties."""
TRINO = {
    "event-listener.config-files",
    "event-listener.name",
    "http-event-listener.connect-http-headers",
    "http-event-listener.connect-ingest-uri",
    "http-event-listener.connect-retry-count",
    "http-event-listener.log-completed",
    "kafka-event-listener.broker-endpoints",
    "kafka-event-listener.client-id",
    "kafka-event-listener.completed-event.topic",
    "kafka-event-listener.publish-created-event",
    "mysql-event-listener.db.url",
}
"""Those of Trino's documentation: its plugins are no JARs that could be asked."""
TOKEN = "a-token"  # noqa: S105  # of this test
LISTENERS = [block for block in blocks("properties") if "event-listener" in block.text]
TO_US = [block for block in LISTENERS if "connect-ingest-uri" in block.text]
GATEWAYS = blocks("nginx")


def named(found: list[Block]) -> list[object]:
    return [pytest.param(block, id=block.place) for block in found]


def _settings(block: Block) -> dict[str, str]:
    """Java's properties, whose keys end with =, : or white space."""
    lines = (line.strip() for line in block.text.splitlines())
    pairs = (re.split(r"\s*[=:\s]\s*", line, maxsplit=1) for line in lines if line)
    return {key: value for key, value in pairs if key != "#"}


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[Client]:
    """A receiver that wants a token."""
    tokens = (TOKEN.encode(),)
    access = Access(tokens, max_body=1 << 20, waiting=1 << 20, rate=1e6, body_seconds=30.0)
    with closing(Spool(tmp_path)) as spool, asyncio.Runner() as runner:
        yield Client(build_app(spool, access, ReceiverMetrics()), runner)


@pytest.fixture(scope="module")
def constants() -> bytes:
    """The classes that have Spark's settings, in which a name stands behind its length."""
    spec = find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    found = []
    for jar in Path(spec.origin).parent.glob("jars/spark-*.jar"):
        with zipfile.ZipFile(jar) as classes:
            names = (name for name in classes.namelist() if re.search(r"onfig/|Conf.*class$", name))
            found += [classes.read(name) for name in names]
    return b"".join(found)


def test_spark_has_every_setting(constants: bytes) -> None:
    """In blocks, in options of commands, and within text."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    names = {name for text in texts for name in SPARK.findall(text)} - OURS
    assert len(names) > 10
    assert [name for name in sorted(names) if not _is_spark(name, constants)] == []


def _is_spark(name: str, constants: bytes) -> bool:
    constant = len(name).to_bytes(2, "big") + name.encode()
    return NAMED.fullmatch(name) is not None or constant in constants


@pytest.mark.parametrize("block", named(blocks("properties")))
def test_every_setting_is_known(block: Block, constants: bytes) -> None:
    settings = _settings(block)
    assert all(settings.values())
    unknown = [name for name in settings if name not in TRINO and not _is_spark(name, constants)]
    assert unknown == []


@pytest.mark.parametrize("block", named(LISTENERS))
def test_a_listener_is_of_one_kind(block: Block) -> None:
    """Its other settings begin with its name."""
    settings = _settings(block)
    kind = settings.pop("event-listener.name", None)
    assert {name.partition("-")[0] for name in settings} == {kind or "event"}


@pytest.mark.parametrize("block", named(TO_US))
def test_the_receiver_takes_what_the_listener_sends(block: Block, receiver: Client) -> None:
    settings = _settings(block)
    url = urlsplit(settings["http-event-listener.connect-ingest-uri"])
    assert url.port == _port()
    name, _, value = settings["http-event-listener.connect-http-headers"].partition(":")
    headers = {name: value.replace(f"${{ENV:{TOKEN_VARIABLE}}}", TOKEN)}
    assert receiver.post(url.path, json.dumps(EVENT), headers=headers).status_code == 200
    assert receiver.post(url.path, json.dumps(EVENT)).status_code == 401
    assert settings["http-event-listener.log-completed"] == "true"
    assert int(settings["http-event-listener.connect-retry-count"]) > 0


def test_listeners_are_told_alike() -> None:
    first, *others = map(_settings, TO_US)
    assert [each for each in others if each != first] == []


@pytest.mark.parametrize("block", named(GATEWAYS))
@pytest.mark.parametrize("base", ["", "/catalog"])
@pytest.mark.parametrize("prefix", ["", "warehouses/one/"])
def test_the_receiver_takes_what_the_gateway_hands_on(
    block: Block, base: str, prefix: str, receiver: Client
) -> None:
    assert block.text.count("{") == block.text.count("}")
    location, *directives = _directives(block)
    table = f"{base}/v1/{prefix}namespaces/db/tables/t"
    assert re.search(location["location ~"], f"{table}/metrics")
    assert not re.search(location["location ~"], table)
    settings = {key: value for each in directives for key, value in each.items()}
    old, new, last = settings["rewrite"].rsplit(None, 2)
    assert last == "break"
    path = re.sub(old, new.replace("$1", r"\1"), f"{table}/metrics")
    url = urlsplit(settings["proxy_pass"])
    assert (url.port, url.path) == (_port(), "")
    header, value = settings["proxy_set_header"].split(None, 1)
    headers = {header: value.strip('"').replace("…", TOKEN)}
    body = json.dumps(REPORT)
    assert receiver.post(path, body, headers=headers).status_code == 204


def _directives(block: Block) -> list[dict[str, str]]:
    """Each by its name; that of a location has its modifier."""
    found = []
    for line in block.text.splitlines():
        words = re.sub(r"\s#.*", "", line).strip()
        if words in ("", "}"):
            continue
        assert words[-1] in ";{"
        name, value = re.split(r"(?<!location)\s+", words[:-1].strip(), maxsplit=1)
        found.append({name: value})
    return found


def _port() -> int:
    (option,) = (parameter for parameter in collect.params if parameter.name == "port")
    assert isinstance(option.default, int)
    return option.default
