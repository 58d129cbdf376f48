"""Checks that the results of an audit can be written, and sent."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.doctor.model import Check, State, failed, ok
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.publishable import require_folder, why_no_files
from prunescope.audit_jobs.jobs.sharing import cache_of
from prunescope.audit_jobs.results.schemas import RUN_TABLES
from prunescope.audit_jobs.secret import VARIABLE, find_secret
from prunescope.audit_jobs.sinks.probe import probe_namespace
from prunescope.audit_jobs.units import size
from prunescope.collectors.addresses import address_shown
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.storage.locations import shown
from prunescope.collectors.storage.shared_cache import why_unusable
from prunescope.collectors.tables.catalog import load_in_time

_SECONDS = 5.0
_PORTS = {"http": 80, "https": 443}


def check_audit_tables(config: AuditConfig) -> Check:
    """Checks the namespace of the audit tables, by writing to it and cleaning up."""
    to = config.audit
    name = f"audit tables {to.catalog}.{to.namespace}"
    properties = config.catalogs[to.catalog].properties
    catalog = attempt("opening the catalog", load_in_time, to.catalog, properties)
    if isinstance(catalog, PrunescopeError):
        return Check(name, State.SKIPPED, f"catalog {to.catalog} is not open")
    found = attempt(
        "writing to the audit namespace", probe_namespace, catalog, to.namespace, RUN_TABLES
    )
    if isinstance(found, PrunescopeError):
        return failed(name, found)
    if found is not None:
        return Check(name, State.WARNING, f"can be written; {found} stays", "delete it")
    return ok(name, "can be written")


def check_secret(config: AuditConfig) -> Check:
    """Checks the secret that keys of scans are made with."""
    name = "secret"
    found = attempt("looking for the secret", find_secret, config.secret_file)
    if isinstance(found, PrunescopeError):
        return failed(name, found)
    if found is not None:
        return ok(name, "keys of scans are the same in every run")
    return Check(
        name,
        State.WARNING,
        "there is none: each run makes keys of scans with one of its own, so that they are others "
        "when a window is audited again",
        "make one (umask 077; head -c 32 /dev/urandom | base64 > audit.secret), and name it in "
        f"secret_file, or set {VARIABLE}",
    )


def check_sinks(config: AuditConfig) -> Iterator[Check]:
    """Checks files, and services that metrics and traces go to."""
    files = {"metrics.textfile": config.metrics.textfile}
    if config.report.path is not None:
        files["report.path"] = Path(config.report.path)
    for key, file in files.items():
        if file is not None:
            found = attempt(f"looking at {key}", require_folder, file, key)
            is_bad = isinstance(found, PrunescopeError)
            yield failed(key, found) if is_bad else ok(key, f"{file} can be written")
    gateway = config.metrics.pushgateway
    if gateway is not None:
        yield _check_service("metrics.pushgateway", gateway)
    if config.otlp is not None:
        yield _check_service("otlp.endpoint", config.otlp.endpoint)


def check_cache(config: AuditConfig) -> Iterator[Check]:
    """Checks that the cache can be written: an audit that cannot write it keeps nothing,
    silently."""
    if config.cache is None:
        return
    path = Path(config.cache.path)
    refused = attempt("looking at cache.path", cache_of, config)
    if isinstance(refused, PrunescopeError):
        yield failed("cache.path", refused)
        return
    there = next(folder for folder in (path, *path.parents) if folder.exists())
    why = why_no_files(there)
    if why is None:
        free = shutil.disk_usage(there).free
        yield ok("cache.path", f"{path} can be written, and its disk has {size(free)} free")
    else:
        detail = f"{there} is no folder that can be written ({why}): nothing is kept"
        remedy = "name a folder that the user who runs audits can write"
        yield Check("cache.path", State.WARNING, detail, remedy)
    yield from _check_bundles(config)


def _check_bundles(config: AuditConfig) -> Iterator[Check]:
    cache = cache_of(config)
    if cache is None or cache.bundles is None:
        return
    name, place = "cache.bundles", shown(cache.bundles.location)
    why = attempt("using cache.bundles", why_unusable, cache.bundles)
    if why is None:
        yield ok(name, f"{place} can be read and written")
    else:
        detail = f"{place} is not used: {why}"
        yield Check(name, State.WARNING, detail, "name one that cache.catalog can read and write")


def _check_service(name: str, url: str) -> Check:
    """Checks that a service answers at an address."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 80)
        with socket.create_connection((parts.hostname or "", port), _SECONDS):
            return ok(name, f"{parts.hostname}:{port} answers")
    except (OSError, ValueError) as error:
        at = address_shown(url) or "its address"
        detail = f"nobody answers at {at} ({type(error).__name__})"
        return Check(name, State.FAILED, detail, f"is it running, and is {name} right?")
