"""Names that a shell completes: causes, planners, and tables of the configuration.

Each is what begins with what was typed. Nothing is told of what fails: whoever presses TAB is in
the middle of a line.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from prunescope.audit_jobs.commands.line import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click

_SECONDS = 5.0
"""Seconds in which catalogs have to list their tables."""


def causes(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Ids of causes."""
    from prunescope.audit_jobs.findings.catalogue import BY_ID

    return _beginning(typed, BY_ID)


def planners(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Engines, alone and with their newest known version."""
    from prunescope.collectors.sql.planners.registry import ENGINES

    versions = {name: ".".join(map(str, profile.newest)) for name, profile in ENGINES.items()}
    named = (f"{name}-{version}" for name, version in versions.items() if version)
    return _beginning(typed, sorted([*ENGINES, *named]))


def tables(context: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Names of tables in the catalogs of the configuration."""
    from functools import partial

    from prunescope.audit_jobs.config import load_tables_config
    from prunescope.audit_jobs.jobs.survey import names_of
    from prunescope.collectors.storage.random_access import within

    path = Path(context.params.get("config") or CONFIG)
    try:
        listing = partial(names_of, load_tables_config(path))
        names, _, _ = within(_SECONDS, listing, str(path))
    except Exception:  # noqa: BLE001  # whatever it is, there is nothing to complete
        return []
    return _beginning(typed, map(str, names))


def _beginning(typed: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(typed)]
