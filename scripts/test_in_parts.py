"""Runs pytest once for each of several parts of all test files, side by side:
python scripts/test_in_parts.py PARTS ARGUMENT...

Workers of pytest-xdist collect all tests each, and send what became of every one: for tests of a
millisecond that takes half as long again. The first part is seen as it runs, the others when they
end.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from tempfile import TemporaryFile

_PYTEST = """
import os, sys, pytest
code = int(pytest.main())
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
"""
"""Ends at once: to free all that collecting made, one by one, takes seconds."""


def main(parts: int, arguments: Sequence[str]) -> int:
    """The exit code of the first part that failed, or 0."""
    with ExitStack() as stack:
        outputs = [None, *(stack.enter_context(TemporaryFile()) for _ in range(parts - 1))]
        runs = [
            subprocess.Popen(  # noqa: S603  # as its user says
                [sys.executable, "-c", _PYTEST, f"--part={number}/{parts}", *arguments],
                stdout=output,
                stderr=output and subprocess.STDOUT,
            )
            for number, output in enumerate(outputs, start=1)
        ]
        codes = []
        for run, output in zip(runs, outputs, strict=True):
            codes.append(run.wait())
            if output is not None:
                output.seek(0)
                sys.stdout.flush()
                sys.stdout.buffer.write(output.read())
    return next(filter(None, codes), 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
