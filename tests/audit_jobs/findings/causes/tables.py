"""The tables of all causes: of each, nights in which it is found, and nights in which it is not."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from prunescope.audit_jobs.findings.catalogue import CAUSES
from tests.audit_jobs.findings.usages import Case, Night

_MODULES = {
    cause.id: import_module(f"tests.audit_jobs.findings.causes.{cause.id}")
    for cause in CAUSES
    if Path(__file__).with_name(f"{cause.id}.py").exists()  # else test_catalogue tells
}

FOUND: Mapping[str, Mapping[str, Case]] = {name: of.FOUND for name, of in _MODULES.items()}
SILENT: Mapping[str, Mapping[str, Night]] = {name: of.SILENT for name, of in _MODULES.items()}
