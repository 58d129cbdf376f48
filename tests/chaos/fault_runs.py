"""Audits of scenes, in one process and by Spark: what is published of all but the victim is the
truth, and the victim has its outcome."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from tests.chaos.attacker import listening
from tests.chaos.damage import (
    Damage,
    Rows,
    compare,
    leaks,
    of_healthy,
    outcomes_of_others,
    torn,
    visible,
)
from tests.chaos.lake import DAY, SECRETS, Lake, sql_catalog
from tests.chaos.memory_faults import LimitedWorkers
from tests.chaos.processes import (
    FORKING,
    Audit,
    audit_arguments,
    print_to,
    start_audit,
    without_spark,
)
from tests.chaos.publication import Outcome, readable
from tests.chaos.scenes import Fault, Scene
from tests.chaos.victim import make_victim
from tests.integration.audits import write_lines
from tests.object_store import SECRET_KEY as STORE_SECRET

Run = Callable[[Path, Path], int]
"""Audits the day of a configuration, printing to a file; the exit code."""

_DONE = (0, 1)
"""Exit codes of an audit that has published: all was well, or something has an outcome."""
_MEMORY = 6 << 30
"""Bytes of address space: more than audits of a few small tables have any use for."""
_ENDS_WITHIN = 600.0
"""Seconds, for all of an audit of a few small tables."""
_NEVER_PRINTED = ("\x1b", "\x07", "\x9b", "Traceback (most recent call last)")
"""What terminals obey, and what only those understand who wrote it."""


class Hung(Exception):
    """An audit did not end in time."""


def in_process(config: Path, log: Path) -> int:
    """An audit without Spark, as a process of its own."""
    return _code(start_audit(config, DAY, log, limit_memory, without_spark))


def by_limited_workers(limited: LimitedWorkers) -> Run:
    """Audits by Spark whose workers have a limit of memory, each as a process of its own."""
    return lambda config, log: _code(start_audit(config, DAY, log, limited))


def limit_memory() -> None:
    """Lets this process have no more memory than it has use for."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _code(audit: Audit) -> int:
    audit.process.join(_ENDS_WITHIN)
    code = audit.process.exitcode
    audit.kill()
    if code is None:
        raise Hung(f"no end within {_ENDS_WITHIN:.0f} s")
    return code


@dataclass
class SparkSessions:
    """Audits by Spark, in one session for as long as none hangs."""

    log: Path
    _session: Audit | None = None
    _orders: Connection | None = None

    def __call__(self, config: Path, log: Path) -> int:
        """See Run."""
        if self._orders is None:
            self._orders, theirs = Pipe()
            process = FORKING.Process(target=_serve, args=(config, self.log, theirs))
            process.start()
            theirs.close()
            self._session = Audit(process, self.log)
            if not self._orders.poll(_ENDS_WITHIN):
                raise Hung("Spark does not start")
            self._orders.recv()
        self._orders.send((config, log))
        with suppress(EOFError):
            if self._orders.poll(_ENDS_WITHIN):
                code: int = self._orders.recv()
                return code
        self.end()
        raise Hung("its session ended, or did not end in time")

    def end(self) -> None:
        """Ends the session."""
        if self._session is not None and self._orders is not None:
            self._session.kill()
            self._orders.close()
        self._session = self._orders = None


@contextmanager
def by_spark(log: Path) -> Iterator[Run]:
    """Audits by Spark, in a session that ends with the block."""
    sessions = SparkSessions(log)
    try:
        yield sessions
    finally:
        sessions.end()


def _serve(config: Path, log: Path, harness: Connection) -> None:
    import os  # noqa: PLC0415

    from prunescope.audit_jobs.cli import main  # noqa: PLC0415  # preloaded
    from prunescope.audit_jobs.config import load_config  # noqa: PLC0415
    from prunescope.audit_jobs.planning.spark_session import open_spark_session  # noqa: PLC0415

    os.setsid()
    print_to(log)
    open_spark_session(load_config(config).spark)
    harness.send("ready")
    while True:
        try:
            config, log = harness.recv()
        except EOFError:
            return
        print_to(log)
        code = 0
        try:
            main(audit_arguments(config, DAY))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        sys.stdout.flush()
        harness.send(code)


def truth_of(lake: Lake, folder: Path) -> Rows:
    """The rows of the healthy tables, where there is nothing else."""
    config = lake.config(folder, lake.logs.first)
    log = folder / "printed"
    if in_process(config, log):
        raise RuntimeError(f"an undisturbed audit failed: {log.read_text()}")
    return of_healthy(*visible(folder, DAY))


def meet(faults: Sequence[Fault], lake: Lake, truth: Rows, folder: Path, run: Run) -> list[Outcome]:
    """One audit of the healthy tables and of a victim of each fault: an outcome per fault. What is
    not any fault's own counts for the first."""
    log = folder / "printed"
    with listening() as attacker, ExitStack() as servers:
        scenes = [
            _scene(fault, f"victim{n}", folder / f"victim{n}", servers, attacker.address)
            for n, fault in enumerate(faults)
        ]
        config = lake.config(
            folder / "audit",
            lake.logs.first,
            write_lines(folder / "victims.jsonl", [q for s in scenes for q in s.queries()]),
            *(source for scene in scenes for source in scene.sources),
            catalogs={
                scene.victim.catalog: {**sql_catalog(scene.victim.folder), **scene.properties}
                for scene in scenes
            },
            tables=[table for scene in scenes for table in scene.tables],
            locations={"allow": [str(lake.folder), str(folder), "s3://"]},
            path_map=[mapped for scene in scenes for mapped in scene.path_map],
        )
        try:
            code = run(config, log)
        except Hung as error:
            return [Outcome(fault.name, True, False, Damage(), str(error)) for fault in faults]
        called = attacker.heard
    (found,) = visible(folder / "audit", DAY)
    damage = compare(of_healthy(found), [truth])
    damage += torn(folder / "audit" / "prunescope.prom")
    damage += leaks(readable(folder / "audit", log), (*SECRETS, STORE_SECRET))
    damage += Damage(leaked=int(called))
    note = _unexpected_of_all(faults, found, code, log)
    of_queries, _ = outcomes_of_others(found)
    outcomes = []
    for number, (fault, scene) in enumerate(zip(faults, scenes, strict=True)):
        own = {of_queries.get(query["metadata"]["queryId"], "none") for query in scene.queries()}
        of_fault = "" if own == {fault.outcome} else f"its queries end as {sorted(own)}"
        of_run = "; ".join(filter(None, (note, of_fault))) if number == 0 else of_fault
        told = damage if number == 0 else Damage()
        outcomes.append(Outcome(fault.name, True, code in _DONE, told, of_run))
    return outcomes


def _scene(fault: Fault, name: str, folder: Path, servers: ExitStack, attacker: str) -> Scene:
    scene = Scene(make_victim(name, folder), servers=servers, attacker=attacker)
    fault.inject(scene)
    return scene


def _unexpected_of_all(faults: Sequence[Fault], found: Rows, code: int, log: Path) -> str:
    printed = log.read_text(errors="replace")
    if code not in _DONE:
        return f"ends with {code}: {printed[-300:]}"
    _, of_inputs = outcomes_of_others(found)
    expected = {outcome for fault in faults for outcome in fault.of_inputs}
    if set(of_inputs) != expected:
        return f"inputs end as {sorted(set(of_inputs))}, not as {sorted(expected)}"
    shown = [
        printed[max(at - 300, 0) : at + 900] for at in map(printed.find, _NEVER_PRINTED) if at >= 0
    ]
    return f"prints {shown}" if shown else ""
