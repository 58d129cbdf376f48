"""The example units run: what docs/schedule.md has people type, in a machine that systemd runs."""

from __future__ import annotations

import datetime as dt
import json
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
import yaml

from tests.integration.audits import trino_event
from tests.schedule.machine import CannotBoot, Machine, booted, until
from tests.schedule.test_documentation import COMMANDS, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

LAKE = "/var/lib/prunescope"
# Where services find it, who see no home.
PYTHON = f"/opt/python/bin/python{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = Path("/opt/venv", Path(sysconfig.get_path("purelib")).relative_to(sys.prefix))
ENVIRONMENT = (f"PYTHONPATH=/opt/source:{PACKAGES}", "LD_LIBRARY_PATH=/opt/python/lib")
QUICK = "JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1"
CONFIG = {
    "catalogs": {"lake": {}},
    "sources": [{"type": "trino_events", "paths": [f"{LAKE}/collected/trino/"]}],
    "audit": {"catalog": "lake"},
    "spark": {"master": "local[1]"},
}
CATALOG = {"type": "sql", "uri": f"sqlite:///{LAKE}/catalog.db", "warehouse": f"file://{LAKE}/lake"}
"""What the services are shown as a credential: without it, there is no catalog."""
BEARER = "first-token"
MAKE_TABLE = f"""
import pyarrow as pa
from pyiceberg.catalog import load_catalog
catalog = load_catalog("lake", **{CATALOG})
catalog.create_namespace("db")
table = catalog.create_table("db.t", pa.schema([("id", pa.int64())]))
table.append(pa.table({{"id": [1, 2]}}))
print(table.current_snapshot().snapshot_id)
"""
ASK = """
import sys, urllib.request as r
url, body, token = sys.argv[1:]
asked = r.Request(url, body.encode() or None, {"Authorization": "Bearer " + token})
print(r.urlopen(asked).read().decode())
"""


def ask(machine: Machine, url: str, body: str = "") -> str | None:
    """What a server of the machine answers; None if it does not."""
    done = machine.run(PYTHON, "-c", ASK, url, body, BEARER)
    return done.stdout if done.returncode == 0 else None


def is_answered(machine: Machine, url: str, body: str) -> bool:
    return ask(machine, url, body) is not None


@pytest.fixture(scope="module")
def machine(
    require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machine]:
    """A machine in which the documented commands installed prunescope, but for pip's."""
    for name in ("systemd-nspawn", "unshare", "nsenter", "useradd"):
        require_program(name)
    if os.geteuid() != 0:
        pytest.skip("only root can run systemd in a container")
    folder = tmp_path_factory.mktemp("machine")
    project, installed = folder / "project", folder / "installed"
    (installed / "bin").mkdir(parents=True)
    program = installed / "bin" / "prunescope"
    program.write_text(f'#!/bin/sh\nexec {PYTHON} /opt/venv/bin/prunescope "$@"\n')
    program.chmod(0o755)
    project.mkdir()
    (project / "audit.yaml").write_text(yaml.safe_dump(CONFIG))
    (project / ".pyiceberg.yaml").write_text(yaml.safe_dump({"catalog": {"lake": CATALOG}}))
    (project / "tokens").write_text(f"{BEARER}\n")
    (project / "environment").write_text("\n".join((*ENVIRONMENT, QUICK)))
    (project / "docs").symlink_to("/opt/source/docs")
    folders = {
        "/opt/prunescope": installed,
        "/opt/python": Path(sys.base_prefix),
        "/opt/source": ROOT,
        "/opt/venv": Path(sys.prefix),
        "/srv/project": project,
    }
    with ExitStack() as stack:
        try:
            found = stack.enter_context(booted(folder, folders))
        except CannotBoot as error:
            pytest.skip(f"systemd does not come up in a container here: {error}")
        for line in COMMANDS:
            if line.startswith(("useradd ", "install ", "cp ", "systemctl daemon-reload")):
                found.output("sh", "-euc", line)
        found.output("install", "--mode=600", "tokens", "environment", "/etc/prunescope")
        found.output("mkdir", LAKE)
        yield found


def test_receiver_audit_exporter_and_maintenance_run(machine: Machine) -> None:
    snapshot = machine.output("env", *ENVIRONMENT, PYTHON, "-c", MAKE_TABLE).strip()
    machine.output("systemctl", "start", "prunescope-collect.service")
    url = "http://127.0.0.1:8787/v1/trino/events"
    query = f"SELECT * FROM lake.db.t FOR VERSION AS OF {snapshot} WHERE id > 7"
    now = dt.datetime.now(dt.UTC)
    for day in (now - dt.timedelta(days=1), now):  # one is of yesterday, also after midnight
        event = trino_event(f"q{day:%d}", query)
        event["createTime"] = f"{day:%Y-%m-%dT%H:%M:%SZ}"
        until(partial(is_answered, machine, url, json.dumps(event)), machine, "prunescope-collect")
    machine.output("systemctl", "stop", "prunescope-collect.service")

    started = machine.run("timeout", "200", "systemctl", "start", "prunescope-audit.service")
    journal = machine.output("journalctl", "--no-pager", "--unit=prunescope-audit.service")
    assert started.returncode == 0, journal
    assert "1 replayed" in journal, journal
    told = machine.properties("prunescope-audit.service", "Result", "ExecMainStatus", "User")
    assert told == {"Result": "success", "ExecMainStatus": "0", "User": "prunescope"}

    machine.output("systemctl", "start", "prunescope-export.service")
    metrics = "http://127.0.0.1:9898/metrics"
    until(
        lambda: (
            'prunescope_run_queries{audit_catalog="lake",outcome="replayed"} 1.0'
            in (ask(machine, metrics) or "")
        ),
        machine,
        "prunescope-export",
    )

    # As if the machine had been off when it was due, and without the minutes that it waits.
    machine.output("mkdir", "--parents", "/var/lib/systemd/timers")
    stamps = "/var/lib/systemd/timers/stamp-prunescope-maintain.timer"
    machine.output("touch", "--date=10 days ago", stamps)
    drop_in = "/etc/systemd/system/prunescope-maintain.timer.d"
    at_once = f"mkdir {drop_in}; printf '[Timer]\\nRandomizedDelaySec=0\\n' > {drop_in}/now.conf"
    machine.output("sh", "-euc", f"{at_once}; systemctl daemon-reload")
    (enable,) = [line for line in COMMANDS if line.startswith("systemctl enable")]
    machine.output("sh", "-euc", enable)
    known = ("Result", "ExecMainStatus", "ExecMainExitTimestamp")
    until(
        lambda: machine.properties("prunescope-maintain.service", *known)["ExecMainExitTimestamp"],
        machine,
        "prunescope-maintain",
    )
    told = machine.properties("prunescope-maintain.service", *known)
    assert (told["Result"], told["ExecMainStatus"]) == ("success", "0")
    assert machine.output("systemctl", "is-enabled", "prunescope-audit.timer") == "enabled\n"
    due = machine.properties("prunescope-audit.timer", "NextElapseUSecRealtime", "ActiveState")
    assert due["ActiveState"] == "active"
    assert due["NextElapseUSecRealtime"]
