"""One line of JSON per log record."""

from __future__ import annotations

import datetime as dt
import json
import logging
from typing import Any


class OneLine(logging.Formatter):
    """A record as a JSON object. `extra={"fields": {…}}` adds fields. Of an exception only its
    type is told: its message, and the trace, may hold what a client sent."""

    def format(self, record: logging.LogRecord) -> str:
        """The object's text."""
        moment = dt.datetime.fromtimestamp(record.created, dt.UTC)
        shown: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": record.getMessage().strip(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            shown["error"] = record.exc_info[0].__name__
        return json.dumps(shown)


def log_to_stderr() -> None:
    """Sends the logs of this process to its standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("prunescope.audit_jobs").setLevel(logging.INFO)
