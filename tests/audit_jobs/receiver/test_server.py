"""Settings that cannot be served are refused with what to do about it."""

from __future__ import annotations

import json
import logging
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.receiver.logs import OneLine
from prunescope.audit_jobs.receiver.server import (
    TOKEN_VARIABLE,
    CollectSettings,
    run_collect,
)
from prunescope.audit_jobs.receiver.serving import read_tokens


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"host": "0.0.0.0"}, "--token-file", id="everybody could post"),  # noqa: S104
        pytest.param({"host": "example.org"}, "--token-file", id="a name of this machine"),
        pytest.param({"token_file": Path("/nowhere")}, "/nowhere", id="no token file"),
        pytest.param({"tls_key": Path("key.pem")}, "together", id="half of TLS"),
        pytest.param({"rate": 0}, "--rate", id="no requests"),
        pytest.param({"roll_seconds": -1}, "--roll-seconds", id="a negative age"),
        pytest.param({"max_body": 64 << 20, "waiting": 1 << 30}, "--max-body", id="long lines"),
        pytest.param({"max_body": 4096, "waiting": 1024}, "--waiting", id="less room than a body"),
        pytest.param(
            {"tls_certificate": Path(__file__), "tls_key": Path(__file__), "port": 0},
            "PEM",
            id="no certificate",
        ),
    ],
)
def test_what_cannot_be_served_is_refused(
    tmp_path: Path, options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    with pytest.raises(BadConfiguration, match=message):
        run_collect(CollectSettings(tmp_path / "in", **options))


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(BadConfiguration, match=r"pip install 'prunescope\[collect\]'"):
        run_collect(CollectSettings(tmp_path))


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadConfiguration, match=str(port)):
            run_collect(CollectSettings(tmp_path, port=port))


def test_tokens_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tokens"
    file.write_text("new\nold\n")
    assert read_tokens(file, TOKEN_VARIABLE) == (b"new", b"old")
    monkeypatch.setenv(TOKEN_VARIABLE, "new old")
    assert read_tokens(None, TOKEN_VARIABLE) == (b"new", b"old")
    file.write_text("\n")
    with pytest.raises(BadConfiguration, match="empty"):
        read_tokens(file, TOKEN_VARIABLE)


def test_a_log_line_tells_the_type_of_an_error_and_not_what_it_holds() -> None:
    try:
        int("SELECT 'Jane Doe'\nFROM t")
    except ValueError:
        failed = sys.exc_info()
    record = logging.LogRecord("x", logging.ERROR, "f.py", 1, "it\nfailed\n", (), failed)
    record.fields = {"file": "a"}
    text = OneLine().format(record)
    assert "\n" not in text
    shown = json.loads(text)
    del shown["time"]
    assert shown == {"level": "error", "message": "it\nfailed", "file": "a", "error": "ValueError"}
