"""What conditions that imply a range are asked of, and what nobody should say of it."""

from __future__ import annotations

import datetime as dt

from tests.workloads.rows import START

EPOCH = int(START.replace(tzinfo=dt.UTC).timestamp())
NEVER = ("PARTITION FIELD", "ORDERED BY")
