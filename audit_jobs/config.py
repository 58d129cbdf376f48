"""The configuration of an audit: `audit.yaml`, validated, with messages that name the key. What
stands below each key is its meaning in docs/configuration.md, which `make generated` writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import Field, ValidationError, field_validator

from prunescope.audit_jobs.config_problems import (
    Place,
    Problem,
    not_yaml,
    problems_of,
    problems_of_tree,
    unreplaced,
)
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings_config import Advice, Findings
from prunescope.audit_jobs.health.sketch import MAX_FILES
from prunescope.audit_jobs.publishing_config import Gate, Metrics, Otlp, Report
from prunescope.audit_jobs.sections import Section
from prunescope.audit_jobs.sources.registry import AnyLogs
from prunescope.audit_jobs.suggestions import suggestion
from prunescope.collectors.addresses import leads_elsewhere
from prunescope.collectors.errors import what_failed
from prunescope.collectors.storage.cache import MAX_BYTES
from prunescope.collectors.storage.locations import local_path, storage_root


class CatalogConfig(Section):
    """A PyIceberg catalog."""

    properties: dict[str, str] = Field(default={})
    """PyIceberg catalog properties, on top of `~/.pyiceberg.yaml` and
    `PYICEBERG_CATALOG__NAME__…`, which are the place for credentials"""
    aliases: tuple[str, ...] = ()
    """names under which engines know the catalog; whichever of them a query uses, results name the
    tables under NAME, and statements as most queries of their engine do"""


class MetadataTable(Section):
    """A table that is read from a metadata file instead of a catalog, under the name by which
    queries know it (`catalog.namespace.table`)."""

    name: str
    """`catalog.namespace.table`"""
    metadata: str
    """the location of the metadata file"""

    @field_validator("name")
    @classmethod
    def _three_parts(cls, name: str) -> str:
        if name.count(".") < 2 or not all(name.split(".")):
            raise ValueError("write catalog.namespace.table")
        return name


class PathMapping(Section):
    """Locations that start with `from` are read at `to`; the longest prefix wins."""

    from_: Annotated[str, Field(alias="from", min_length=1)]
    """locations that start with this"""
    to: str
    """are read here; if several prefixes match, the longest wins"""


class Locations(Section):
    """Locations of files of tables that may be read, after `path_map`, beside the catalog's."""

    allow: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """folders, buckets and schemes (`/data`, `s3://lake`, `s3://`), after `path_map`, in which
    files of tables are read [besides where the catalog says](#what-a-table-may-have-read)"""


class CacheConfig(Section):
    """A local directory for what is decoded of metadata, which never changes: the next run does not
    read it again; and an object store, if machines share it. It holds bounds: people's data."""

    path: Annotated[str, Field(min_length=1)]
    """the absolute path of a local directory that keeps metadata once it is read, for later runs:
    [see below](#what-is-kept-of-metadata)"""
    max_bytes: Annotated[int, Field(ge=1)] = MAX_BYTES
    """the most that the directory takes, and that `bundles` take; beyond it, what was used least
    recently is deleted"""
    bundles: str | None = None
    """a place in an object store (`s3://bucket/folder`) through which machines share what they keep
    in `path`: [see below](#what-is-kept-of-metadata)"""
    catalog: str | None = None
    """the catalog with whose storage properties (`s3.endpoint`, `s3.region`, …) and credentials
    `bundles` are read and written; by default, those of the environment (`AWS_…`)"""

    @field_validator("path")
    @classmethod
    def _is_local(cls, path: str) -> str:
        if not Path(path).is_absolute() or not path.isprintable():
            raise ValueError("write the absolute path of a local directory")
        return path

    @field_validator("bundles")
    @classmethod
    def _is_remote(cls, location: str | None) -> str | None:
        if location is not None and local_path(location) is not None:
            raise ValueError(
                "write a location in an object store; a directory that machines share is `path`"
            )
        if location is not None and storage_root(location).endswith("://"):
            raise ValueError("write the bucket as well: s3://bucket/folder")
        return location


class AuditTables(Section):
    """The place of the audit tables: one of `catalogs`, and a namespace."""

    catalog: str
    """the catalog of the audit tables, one of `catalogs`"""
    namespace: str = "pruning_audit"
    """the namespace of the audit tables"""

    @field_validator("namespace")
    @classmethod
    def _has_names(cls, namespace: str) -> str:
        if any(map(leads_elsewhere, namespace.split("."))):
            raise ValueError("write a name, or several with dots between them: pruning_audit")
        return namespace


class RetentionConfig(Section):
    """Days for which `prunescope maintain` keeps audit rows, and snapshots of the audit tables."""

    days: Annotated[int, Field(ge=1)] = 400
    """how many days `prunescope maintain` keeps audit rows"""
    snapshot_days: Annotated[int, Field(ge=1)] = 7
    """how many days it keeps snapshots of the audit tables"""


class SparkConfig(Section):
    """The session, where none is running (`spark-submit` brings its own). Keep credentials
    out of `conf`: Spark's UI shows it."""

    master: str = "local[*,4]"
    """the master of the Spark session, if `spark-submit` sets none; where the system ends a worker,
    `local[*]` would end the run, and `local[*,4]` tries its task four times"""
    conf: dict[str, str] = Field(default={})
    """settings of the Spark session; Spark's UI shows them, so put no credentials here. A session
    that an audit starts has `spark.sql.adaptive.enabled` and `spark.sql.codegen.wholeStage` off,
    unless they are set here"""


class TablesConfig(Section):
    """Configuration of catalogs and their tables, to which an audit's configuration adds more."""

    catalogs: dict[str, CatalogConfig] = Field(default={})
    """PyIceberg catalogs, by name"""
    tables: tuple[MetadataTable, ...] = ()
    """tables that are read from a metadata file, under the name that queries use"""
    sources: tuple[AnyLogs, ...] = ()
    """query logs: [logs](logs/README.md)"""
    source_storage: str | None = None
    """the catalog with whose storage properties (`s3.endpoint`, `s3.region`, …) and credentials
    `sources` are read; by default, those of the environment (`AWS_…`)"""
    path_map: tuple[PathMapping, ...] = ()
    """where tables that were moved are read"""
    locations: Locations = Locations()
    """where files of tables may be read"""
    cache: CacheConfig | None = None
    """what was decoded of metadata, kept for the next run"""
    audit: AuditTables | None = None
    """where the audit tables are"""
    metrics: Metrics = Metrics()
    """where Prometheus finds its metrics"""
    otlp: Otlp | None = None
    """an OpenTelemetry collector"""
    report: Report = Report()
    """the report of each run"""
    gate: Gate = Gate()
    """the data quality gate before publishing"""
    findings: Findings = Findings()
    """what is worth a finding"""
    advice: Advice = Advice()
    """what may be advised"""
    retention: RetentionConfig = RetentionConfig()
    """what `prunescope maintain` keeps"""
    spark: SparkConfig = SparkConfig()
    """the session"""
    literals: Literal["redact", "keep"] = "redact"
    """`keep` stores predicates with their literals"""
    secret_file: Path | None = None
    """a file with [the secret](security.md#the-secret), where `PRUNESCOPE_SECRET` has none"""
    max_footers: Annotated[int, Field(ge=1)] = 100_000
    """how many Parquet footers a run reads; if there are more, it reads a random sample and
    estimates the rest: `row_groups_kept_low` and `_high`"""
    table_timeout_seconds: Annotated[float, Field(gt=0, le=86_400)] = 1_800
    """how long reading a table may take: [see below](#what-a-table-may-have-read)"""
    log_timeout_seconds: Annotated[float, Field(gt=0, le=86_400)] = 1_800
    """how long reading a log may take: [see below](#what-a-log-may-have-read)"""
    sampled_files: Annotated[int, Field(ge=0, le=MAX_FILES)] = 16
    """how many random data files per table some rows are read from, to estimate how much each
    filter matches; half as many more, of the files that most scans of few files keep; four times as
    many to try a layout that a finding asks for. 0 reads no rows: [findings.md](findings.md)"""

    @property
    def policy(self) -> Policy:
        """Returns the policy by which findings are judged."""
        return replace(self.findings.policy, rewrite_bytes=self.advice.rewrite_bytes_per_night)

    @property
    def path_prefixes(self) -> tuple[tuple[str, str], ...]:
        """The path map as pairs."""
        return tuple((mapping.from_, mapping.to) for mapping in self.path_map)


class AuditConfig(TablesConfig):
    """Everything an audit needs to know."""

    sources: Annotated[tuple[AnyLogs, ...], Field(min_length=1)]
    audit: AuditTables


_Config = TypeVar("_Config", bound=TablesConfig)


def load_config(path: Path) -> AuditConfig:
    """Reads and validates the configuration of an audit. Raises BadConfiguration."""
    return parse_config(_text(path), str(path))


def load_tables_config(path: Path) -> TablesConfig:
    """Reads and validates a configuration that may lack the keys that only audits need. Raises
    BadConfiguration."""
    document, lines = _parsed(_text(path), str(path))
    return _validated(TablesConfig, document, str(path), lines)


def parse_config(text: str, origin: str) -> AuditConfig:
    """The configuration of an audit that a text holds. Raises BadConfiguration."""
    document, lines = _parsed(text, origin)
    return validate_config(document, origin, lines)


def validate_config(document: Any, origin: str, lines: yaml.Node | None = None) -> AuditConfig:
    """Validates a parsed configuration, of which `lines` is the tree. Raises BadConfiguration,
    naming every wrong key."""
    return _validated(AuditConfig, document, origin, lines)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadConfiguration(
            f"No configuration file {path.absolute()}. Pass `--config`, or create one with "
            f"`prunescope init`."
        ) from error
    except IsADirectoryError as error:
        raise BadConfiguration(f"{path} is a directory. Pass a file.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"{path} cannot be read ({what_failed(error)})") from error


def _parsed(text: str, origin: str) -> tuple[Any, yaml.Node | None]:
    """The document of a text, and its tree."""
    try:
        lines = yaml.compose(text, yaml.SafeLoader)
        if wrong := list(problems_of_tree(lines)) or list(unreplaced(lines)):
            raise _refused(origin, wrong, lines)
        document = yaml.safe_load(text)
    except RecursionError as error:
        raise BadConfiguration(f"{origin} is nested too deeply to be read") from error
    except yaml.YAMLError as error:
        raise BadConfiguration(f"{origin}{not_yaml(error, text)}") from error
    return document, lines


def _validated(
    model: type[_Config], document: Any, origin: str, lines: yaml.Node | None
) -> _Config:
    """The validated configuration of a document, of which `lines` is the tree."""
    if document is None:
        raise BadConfiguration(
            f"{origin} is empty. Add keys from docs/configuration.md, or run `prunescope init`."
        )
    if not isinstance(document, dict):
        raise BadConfiguration(
            f"{origin} is not a YAML mapping. See docs/configuration.md for all keys."
        )
    try:
        config = model.model_validate(document)
    except ValidationError as error:
        raise _refused(origin, problems_of(error, model), lines) from None
    if wrong := [*_unknown(config), *_ambiguous(config)]:
        raise _refused(origin, wrong, lines)
    return config


def _unknown(config: TablesConfig) -> Iterator[Problem]:
    """Names of catalogs that are not configured."""
    configured: list[tuple[Place, str | None]] = [
        (("audit", "catalog"), None if config.audit is None else config.audit.catalog),
        (("source_storage",), config.source_storage),
        (("cache", "catalog"), None if config.cache is None else config.cache.catalog),
    ]
    for place, name in configured:
        if name is not None and name not in config.catalogs:
            what = f"{name!r} is not one of catalogs; {suggestion(name, config.catalogs)}"
            yield Problem(place, what)
    names = [name for _, name in _names_of_catalogs(config)]
    names += [table.name.partition(".")[0] for table in config.tables]
    known = {name.casefold() for name in names}
    for number, source in enumerate(config.sources):
        name = source.session_catalog
        if name is not None and name.casefold() not in known:
            close = suggestion(name, dict.fromkeys(names))
            what = f"{name!r} is neither one of catalogs nor an alias of one; {close}"
            yield Problem(("sources", number, "catalog"), what)


def _ambiguous(config: TablesConfig) -> Iterator[Problem]:
    """Names that two catalogs have, or two tables; names are case-insensitive."""
    catalogs: dict[str, str] = {}
    for place, name in _names_of_catalogs(config):
        owner = str(place[1])
        first = catalogs.setdefault(name.casefold(), owner)
        if first != owner:
            yield Problem(place, f"{name!r} is catalog {first} as well; leave one out")
    tables: dict[str, int] = {}
    for number, table in enumerate(config.tables):
        before = tables.setdefault(table.name.casefold(), number)
        if before != number:
            what = f"{table.name!r} is tables[{before}] as well; leave one out"
            yield Problem(("tables", number, "name"), what)


def _names_of_catalogs(config: TablesConfig) -> Iterator[tuple[Place, str]]:
    """The names of catalogs, then their aliases, and where they stand."""
    for name in config.catalogs:
        yield ("catalogs", name), name
    for name, catalog in config.catalogs.items():
        for number, alias in enumerate(catalog.aliases):
            yield ("catalogs", name, "aliases", number), alias


def _refused(origin: str, problems: Sequence[Problem], lines: yaml.Node | None) -> BadConfiguration:
    ordered = sorted(problems, key=lambda each: each.line(lines) or 0)
    listed = "\n".join(f"  {each.told(lines)}" for each in ordered)
    return BadConfiguration(f"{origin} is not a valid configuration:\n{listed}")
