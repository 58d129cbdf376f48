"""Installs the chart into a real API server, and prints steps and times: `make cluster-test`.

Usage: python -m tests.cluster PROGRAM, which is where the control plane is built to.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.cluster import control_plane, installs
from tests.cluster.breakages import BREAKAGES
from tests.cluster.control_plane import ControlPlane
from tests.cluster.lake import Lake, fill_lake, write_values
from tests.cluster.node import running
from tests.cluster.previous import previous_chart
from tests.helm.chart import CI_VALUES
from tests.helm.schemas import download_definitions
from tests.image.conftest import NAME, ROOT, build
from tests.image.container import mounted
from tests.integration.lakehouse import storage
from tests.object_store import PLAIN_UPLOADS

_NEEDED = (
    *("buildah", "etcd", "git", "go", "helm", "ip", "java", "mmdebstrap", "mvn", "setpriv"),
    *("unshare", "versitygw"),
)


def say(text: str) -> None:
    """Prints it at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


@contextmanager
def step(name: str) -> Iterator[None]:
    """Tells what is done, and how long it took or that it failed."""
    began = time.monotonic()
    say(f"{name} … ")
    try:
        yield
    except BaseException:
        say("FAILED\n")
        raise
    say(f"{time.monotonic() - began:.1f} s\n")


def main(program: Path) -> None:
    """All steps; the first that fails ends it with its reason."""
    missing = [name for name in _NEEDED if shutil.which(name) is None]
    if missing:
        reason = f"the cluster test needs {', '.join(missing)} on the PATH"
        if "CI" in os.environ:
            raise SystemExit(reason)
        say(f"SKIPPED: {reason}\n")
        return
    os.environ.update(PLAIN_UPLOADS)
    with step(f"build Kubernetes {control_plane.VERSION}"):
        control_plane.build(program)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        with step("start etcd, API server and controllers"):
            plane = stack.enter_context(control_plane.running(program, folder))
        _steps(plane, folder)


def _steps(plane: ControlPlane, folder: Path) -> None:
    with step("definitions of the Prometheus and Spark operators"):
        installs.define(plane.api, download_definitions(_program("go")).values())
        installs.furnish(plane.api)
    previous = previous_chart(folder)
    say(f"upgrades are from the chart of {previous.told}\n")
    for values in CI_VALUES:
        release = installs.Release(plane, values)
        say(f"{release.title}\n")
        with step("  namespace with Pod Security `restricted`"):
            release.make_namespace()
        with step("  install the previous chart"):
            release.install(previous.folder, previous.values(values))
        with step("  pods of Deployments are admitted"):
            release.check_deployments()
        with step("  upgrade"):
            release.upgrade()
        with step("  pods of CronJobs are admitted"):
            release.check_cron_jobs()
        with step("  rights of the service accounts"):
            release.check_rights()
        with step("  rollback"):
            release.rollback(previous.version)
        with step("  uninstall"):
            release.uninstall()
    say("broken on purpose\n")
    for breakage in BREAKAGES:
        with step(f"  {breakage.what}"):
            told = breakage.check(plane, folder)
        say(f"    {told}\n")
    with step("stand-ins for the image's bases"):
        subprocess.run([ROOT / "scripts" / "stand_in_bases.sh"], check=True)
    with step("image"):
        build(NAME)
    with ExitStack() as stack:
        _run_pods(plane, folder, stack)
    say("the chart installs, runs, upgrades, rolls back and goes\n")


def _program(name: str) -> Path:
    return Path(str(shutil.which(name)))


def _run_pods(plane: ControlPlane, folder: Path, stack: ExitStack) -> None:
    image = stack.enter_context(mounted(NAME))
    with step("REST catalog and S3 server"):
        store = stack.enter_context(storage(folder / "storage", _program))
    with step("a lake in them"):
        fill_lake(store)
        values = write_values(store, folder / "lake-values.yaml", plane.api.url)
    node = stack.enter_context(running(plane.api, image, folder / "node"))
    release = installs.Release(plane, values)
    lake = Lake(store, plane, release, node)
    say("pods over a lake, in the image\n")
    with step("  install"):
        lake.furnish()
        release.install()
    with step("  the receiver is ready"):
        lake.check_ready("receiver")
    with step("  the receiver takes an event with its token"):
        lake.check_receiver()
    with step("  helm test"):
        lake.test()
    with step("  a Job of the CronJob starts executors; one that works is killed"):
        job = lake.start_audit()
        killed = lake.kill_an_executor()
    with step("  the audit is done all the same"):
        lake.check_audit(job, killed)
    with step("  the exporter is ready, and tells of it"):
        lake.check_metrics()
    with step("  a receiver that hangs is started anew"):
        lake.check_restart()
    with step("  uninstall"):
        release.uninstall()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
