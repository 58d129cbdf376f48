"""Checks of programs: versions, Java, Spark and its workers, the clock."""

from __future__ import annotations

import datetime as dt
import platform
from collections.abc import Iterable, Iterator
from email.utils import parsedate_to_datetime
from importlib.metadata import requires
from time import monotonic
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

from prunescope.audit_jobs.config import AuditConfig, SparkConfig
from prunescope.audit_jobs.doctor.model import Check, State, failed, ok
from prunescope.audit_jobs.extras import installed, require
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.planning.spark_session import open_spark_session, require_java
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.sql.text.parser import require_interpreted

if TYPE_CHECKING:
    import pyarrow as pa

_WRONG_CLOCK = 60.0
"""Seconds. Storage refuses signatures that are 15 minutes off; windows are wrong long before."""
_SECONDS = 10.0
_TOLD = ("prunescope", "pyiceberg", "pyspark", "pyarrow")


def check_versions() -> Check:
    """Checks that the installed packages satisfy prunescope's requirements."""
    wrong = []
    for text in requires("prunescope") or ():
        requirement = Requirement(text)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": "audit"}):
            continue
        found = installed(requirement.name)
        if found is not None and found not in requirement.specifier:
            wrong.append(f"{requirement.name} is {found}, but must be {requirement.specifier}")
    parser = attempt("looking at the parser of SQL", require_interpreted)
    if isinstance(parser, PrunescopeError):
        return failed("versions", parser)
    told = ", ".join(f"{name} {found}" for name in _TOLD if (found := installed(name)))
    if wrong:
        remedy = "install prunescope into an environment of its own"
        return Check("versions", State.FAILED, "; ".join(wrong), remedy)
    return ok("versions", f"Python {platform.python_version()}, {told}")


def check_spark(config: SparkConfig) -> Iterator[Check]:
    """Checks an audit's programs besides Python: Java, and a session that has a worker run
    Python."""
    extra = attempt("looking for Spark", require, "audit")
    if isinstance(extra, PrunescopeError):
        yield failed("spark", extra)
        return
    java = attempt("starting Java", require_java)
    if isinstance(java, PrunescopeError):
        yield failed("java", java)
        return
    yield ok("java", "17 or later starts")
    started = monotonic()
    told = attempt("running Python on Spark", _run, config)
    if isinstance(told, PrunescopeError):
        yield failed("spark", told)
    else:
        seconds = monotonic() - started
        yield ok("spark", f"{told} runs Python with master {config.master} ({seconds:.0f} s)")


def _run(config: SparkConfig) -> str:
    spark, ours = open_spark_session(config)
    try:
        count = spark.range(1).mapInArrow(_same, "id long").count()
        assert count == 1
        return f"Spark {spark.version}"
    finally:
        if ours:
            spark.stop()


def _same(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
    return batches


def check_clock(config: AuditConfig, now: dt.datetime | None = None) -> Check:
    """Compares the clock with that of the first catalog that is asked by HTTP."""
    for catalog in config.catalogs.values():
        uri = catalog.properties.get("uri", "")
        if uri.startswith(("http://", "https://")):
            date = attempt("asking a catalog for the time", _date_of, uri)
            if isinstance(date, dt.datetime):
                return _compared(date, now or dt.datetime.now(dt.UTC))
    return Check("clock", State.SKIPPED, "needs a catalog that is reached over HTTP")


def _compared(theirs: dt.datetime, ours: dt.datetime) -> Check:
    off = (ours - theirs).total_seconds()
    if abs(off) <= _WRONG_CLOCK:
        return ok("clock", "agrees with the catalog's")
    which = "ahead of" if off > 0 else "behind"
    return Check(
        "clock",
        State.FAILED,
        f"{abs(off):,.0f} s {which} the catalog's",
        "set it by NTP: storage refuses requests that are 15 minutes off",
    )


def _date_of(uri: str) -> dt.datetime | None:
    import requests  # noqa: PLC0415

    # The body may never end.
    asking = requests.get(f"{uri.rstrip('/')}/v1/config", timeout=_SECONDS, stream=True)
    with asking as answer:
        date = answer.headers.get("Date")
    return None if date is None else parsedate_to_datetime(date).astimezone(dt.UTC)
