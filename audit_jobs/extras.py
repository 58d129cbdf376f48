"""Checks that the extras that a part of prunescope needs are installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from prunescope.audit_jobs.errors import BadConfiguration

_MODULES = {
    "audit": ("pyspark", "pandas", "great_expectations"),
    "collect": ("starlette", "uvicorn"),
    "mcp": ("mcp", "starlette", "uvicorn"),
    "otlp": (
        "opentelemetry.sdk",
        "opentelemetry.exporter.otlp.proto.grpc",
        "opentelemetry.exporter.otlp.proto.http",
    ),
}


def require(extra: str) -> None:
    """Raises BadConfiguration if anything of an extra is not installed. Looks for modules, and not
    packages, because managed Sparks bring their own pyspark; imports nothing."""
    missing = [module for module in _MODULES[extra] if not _is_there(module)]
    if missing:
        raise BadConfiguration(
            f"{extra} needs {' and '.join(missing)}: pip install 'prunescope[{extra}]'"
        )


def installed(package: str) -> str | None:
    """The version of a package; None if it is not installed, or its version is unknown."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ModuleNotFoundError, ValueError):  # of a package that it is in; of one that is blocked
        return False
