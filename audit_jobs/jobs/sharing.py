"""Sharing of decoded metadata with the machines of later runs, if they share a cache."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from functools import partial
from math import ceil

from prunescope.audit_jobs.config import TablesConfig
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.sources import storage_in
from prunescope.audit_jobs.planning.driver import Replay
from prunescope.audit_jobs.planning.items import Item, ItemGroup, Runner
from prunescope.audit_jobs.planning.stages import NEWS
from prunescope.audit_jobs.spans import span
from prunescope.collectors.storage.bundles import BUNDLE_BYTES
from prunescope.collectors.storage.cache import Bundles, Cache, why_not_trusted
from prunescope.collectors.storage.shared_cache import renew_index, write_bundle

_BUNDLE = "bundle"


def cache_of(config: TablesConfig) -> Cache | None:
    """The cache of a run. Raises BadConfiguration if others could write into it."""
    section = config.cache
    if section is None:
        return None
    require_trusted(section.path, "cache.path")
    if section.bundles is None:
        return Cache(section.path, section.max_bytes)
    storage = storage_in(config, section.catalog)
    properties = tuple(sorted(storage.properties.items()))
    bundles = Bundles(section.bundles, properties, run=uuid.uuid4().hex)
    return Cache(section.path, section.max_bytes, bundles)


def require_trusted(path: str, name: str) -> None:
    """Raises BadConfiguration if others could write into the directory; `name` says what it is."""
    why = why_not_trusted(path)
    if why is not None:
        raise BadConfiguration(f"{name} {path} is not used: {why}")


def share(cache: Cache | None, replay: Replay, runner: Runner) -> None:
    """Shrinks the cache to its limit, whether this run wrote to it or not; then writes contents
    that no bundle has into new bundles, as few as possible, and names these in the index. A failure
    to write fails no run."""
    if cache is None:
        return
    cache.sweep()
    if cache.bundles is None:
        return
    with span("share_cache"):
        attempt("sharing the cache", _share, cache.bundles, cache.max_bytes, replay, runner)


def _share(bundles: Bundles, max_bytes: int, replay: Replay, runner: Runner) -> None:
    groups = ceil(sum(size for *_, size in replay.bundles) / BUNDLE_BYTES)
    stage = partial(_bundle_stage, bundles=bundles)
    news = replay.of_scans.of(NEWS)
    made = runner.run(stage, news, {"": groups} if groups else {}).found(_BUNDLE)
    used = {name for names, _, _ in replay.bundles for name in names}
    lost = {name for _, names, _ in replay.bundles for name in names}
    renew_index(bundles, max_bytes, made.get(_BUNDLE, []), used, lost)


def _bundle_stage(groups: Iterable[ItemGroup], bundles: Bundles) -> Iterator[Item]:
    for group in groups:
        bundle = write_bundle(bundles, dict(entry for _, _, entry in group.tasks))
        if bundle is not None:
            yield Item(_BUNDLE, bundle)
