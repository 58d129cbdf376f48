"""What a command says when it is told to end."""

from __future__ import annotations

import signal
import subprocess
import sys

WAITS = """
import time, click
from prunescope.audit_jobs.commands.line import Commands

@click.group(cls=Commands)
def main(): pass

@main.command()
def wait():
    click.echo("waiting")
    time.sleep(60)

main()
"""


def test_a_command_that_is_terminated_says_so_and_ends_by_the_signal() -> None:
    command = [sys.executable, "-c", WAITS, "wait"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=30)
    assert (process.returncode, told) == (-signal.SIGTERM, "prunescope: terminated\n")
