"""Whether Spark has a Java, asked of a program of that name."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.planning.spark_session import require_java


def java(folder: Path, script: str) -> None:
    program = folder / "bin" / "java"
    program.parent.mkdir()
    program.write_text(script)
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        pytest.param(
            "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n",
            "needs Java 17 or later; found 11.0.2 at ",
            id="too old",
        ),
        pytest.param(
            "#!/bin/sh\necho 'Error: no heap'\necho more\nexit 1\n",
            "/bin/java does not run here (Error: no heap): look for limits of memory",
            id="no memory",
        ),
        pytest.param(
            "#!/bin/sh\nexit 1\n",
            "/bin/java does not run here (exit code 1): look for limits of memory",
            id="no word",
        ),
        pytest.param(
            "no program", "/bin/java does not run here (Exec format error)", id="of another machine"
        ),
    ],
)
def test_a_java_that_spark_cannot_use_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    java(tmp_path, script)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(BadConfiguration) as raised:
        require_java()
    assert told in str(raised.value)


def test_a_java_of_today_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java(tmp_path, "#!/bin/sh\necho 'openjdk version \"21\" 2023-09-19' >&2\n")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    require_java()
