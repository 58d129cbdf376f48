"""Moving the receiver's finished files to an object store: `python -m
prunescope.audit_jobs.receiver.landing DIRECTORY DESTINATION --every SECONDS`.

A file is copied whole, and only then removed here. If the process ends in between, the file is
copied again: over itself, or beside itself by a pod of another name, and an audit counts repeated
queries once. Names sort by time and are the host's: two receivers may land at one destination.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from pathlib import Path

import click

from prunescope.audit_jobs.receiver.logs import log_to_stderr
from prunescope.audit_jobs.receiver.spool_files import require_own
from prunescope.collectors.storage.files import Storage

_log = logging.getLogger("prunescope.audit_jobs.receiver.landing")


def land(directory: Path, destination: str, host: str) -> tuple[int, int]:
    """Moves every finished file, to `DESTINATION/kind/host-name`. Returns the number that landed,
    and the number that could not and stay: links among them, whose target may be anybody's. Files
    that are being written have hidden names, and are passed over."""
    landed = failed = 0
    for path in sorted(directory.glob("*/[!.]*.jsonl")):
        location = f"{destination.rstrip('/')}/{path.parent.name}/{host}-{path.name}"
        try:
            _copy(require_own(path.parent) / path.name, location)
            path.unlink()
        except Exception as error:  # noqa: BLE001  # object stores fail in many ways
            # Of an error only its type: messages of clients may hold addresses with credentials.
            _log.warning("not_landed", extra={"fields": {"error": type(error).__name__}})
            failed += 1
        else:
            landed += 1
    return landed, failed


def _copy(path: Path, location: str) -> None:
    output = Storage(properties=_properties()).file_io(location).new_output(location)
    with output.create(overwrite=True) as target:
        # In one piece: what fails half-way leaves no object.
        target.write(_content(path))


def _content(path: Path) -> bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as opened:
        return opened.read()


def _properties() -> dict[str, str]:
    """The properties that PyIceberg does not take from the environment by itself. Without a region,
    it asks AWS for it, which not every network allows."""
    variables = {"s3.region": "AWS_REGION", "s3.endpoint": "AWS_ENDPOINT_URL"}
    return {name: os.environ[key] for name, key in variables.items() if key in os.environ}


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("destination")
@click.option(
    "--every", type=click.FloatRange(min=0.1), default=60.0, help="Seconds between looks."
)
def main(directory: Path, destination: str, every: float) -> None:
    """Move finished files from DIRECTORY to DESTINATION, until SIGTERM: then once more, and end."""
    log_to_stderr()
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ending.set())
    host = socket.gethostname()
    last = False
    while not last:
        last = ending.wait(every)
        landed, failed = land(directory, destination, host)
        if landed or failed:
            _log.info("landed", extra={"fields": {"files": landed, "failed": failed}})


if __name__ == "__main__":
    main()
