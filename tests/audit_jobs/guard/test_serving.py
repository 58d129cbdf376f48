"""The server as a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.guard.server import TOKEN_VARIABLE, ServeSettings, run_serve
from tests.ports import free_port


@pytest.mark.slow
def test_a_process_answers_and_ends_when_it_is_told_to(
    lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    port = free_port()
    command = [sys.executable, "-m", "prunescope.audit_jobs.cli", "serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=lake, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert b"listening" in process.stderr.readline()
        headers = {"Authorization": "Bearer secret"}
        asked = {"sql": "SELECT * FROM orders WHERE id = 250", "schema": "sales"}
        deadline = time.monotonic() + 20
        while True:
            url = f"http://127.0.0.1:{port}/v1/dry-run"
            answer = httpx.post(url, json=asked, headers=headers, timeout=20)
            if answer.status_code != 503 or time.monotonic() > deadline:
                break  # its first query has it import much
        assert answer.json()["files"] == 1
        assert httpx.post(url, json=asked).status_code == 401
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"host": "0.0.0.0"}, TOKEN_VARIABLE, id="everybody could ask"),  # noqa: S104
        pytest.param({"tls_key": Path("key.pem")}, "together", id="half of TLS"),
        pytest.param({"config": Path("/nowhere.yaml")}, "/nowhere.yaml", id="no configuration"),
    ],
)
def test_what_cannot_be_served_is_refused(
    lake: Path, options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    with pytest.raises(BadConfiguration, match=message):
        run_serve(ServeSettings(**{"config": lake / "audit.yaml", **options}))
