"""All dashboards, and their files."""

from __future__ import annotations

import json

from prunescope.dashboards.board import document
from prunescope.dashboards.fingerprints import PLUGINS, fingerprints
from prunescope.dashboards.fleet import fleet
from prunescope.dashboards.health import health
from prunescope.dashboards.settings import Settings
from prunescope.dashboards.table import table


def dashboard_files(settings: Settings) -> dict[str, str]:
    """The text of each dashboard's JSON model by the name of its file."""
    boards = (
        fleet(settings),
        table(settings),
        health(settings),
        *(fingerprints(plugin) for plugin in PLUGINS),
    )
    return {
        f"{board.uid}.json": json.dumps(document(board), indent=2, ensure_ascii=False) + "\n"
        for board in boards
    }
