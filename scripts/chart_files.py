"""`python -m scripts.chart_files`: writes the files of the Helm chart that follow from others.

values.schema.json follows from values.yaml (names, types, comments) and scripts/chart_rules.py, of
`config` from `prunescope.audit_jobs.config`, and of `prometheusRule.settings` from
`prunescope.dashboards.settings`; the table of the README from values.yaml. Dashboards are copies of
dashboards/generated, as a chart holds all of its files; the rules are those of dashboards/, with
`@@setting@@` where one stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from prunescope.audit_jobs.config import AuditConfig
from prunescope.dashboards.rules import FILE, rules_document
from prunescope.dashboards.settings import Settings, Thresholds, seconds
from scripts.chart_rules import AT, BY_NAME, COUNT, OF_CONFIG, Schema, closed

ROOT = Path(__file__).parent.parent
CHART = ROOT / "helm" / "prunescope"
GENERATED = ROOT / "dashboards" / "generated"
_TABLE = ("<!-- values: written by scripts/chart_files.py -->\n", "<!-- end of values -->\n")

_CONSTRAINTS = {"type", "pattern", "minimum", "maximum"}
_AGES = {"success_age": "864127s", "maintenance_age": "864131s"}
"""Durations that stand for the settings of some, of lengths that are nowhere else."""


def comments(text: str) -> dict[str, str]:
    """The `# --` comment of each value by its full name, in order."""
    found: dict[str, str] = {}
    parents: list[tuple[int, str]] = []
    told = ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("# -- "):
            told = stripped.removeprefix("# -- ")
            continue
        if not stripped or stripped.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        while parents and parents[-1][0] >= indent:
            parents.pop()
        parents.append((indent, stripped.partition(":")[0]))
        if told:
            found[".".join(name for _, name in parents)] = told
        told = ""
    return found


def values_schema() -> Schema:
    """The schema of the chart's values, strict at every level that is the chart's own."""
    text = (CHART / "values.yaml").read_text(encoding="utf-8")
    schema = _schema(yaml.safe_load(text), "", comments(text))
    definitions, config = _config_schema()
    schema["properties"]["config"].update(config)
    of_rules = schema["properties"]["prometheusRule"]["properties"]["settings"]
    _constrain(of_rules, _settings_schema())
    schema["properties"]["global"] = {"type": "object"}  # Helm's own, of charts that include this
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **schema,
        "definitions": definitions,
    }


def _schema(value: Any, name: str, told: dict[str, str]) -> Schema:
    description = {"description": told[name]} if name in told else {}
    parts = name.split(".")
    special = AT.get(".".join(parts[-2:])) or BY_NAME.get(parts[-1])
    if special is not None:
        return {**description, **special}
    match value:
        case dict() if name == "config":
            return {**description, "type": "object"}
        case dict():
            prefix = f"{name}." if name else ""
            children = {key: _schema(child, prefix + key, told) for key, child in value.items()}
            # All are needed: Helm drops those that are null.
            return {**description, **closed(children, tuple(children))}
        case bool():
            return {**description, "type": "boolean"}
        case int():
            return {**description, **COUNT}
        case float():
            return {**description, "type": "number"}
        case str():
            return {**description, "type": "string"}
    raise TypeError(f"values.yaml: {name} needs a rule in scripts/chart_files.py")


def _config_schema() -> tuple[Schema, Schema]:
    """Definitions, and what `config` must be: nothing, or what audit.yaml must."""
    schema = AuditConfig.model_json_schema(ref_template="#/definitions/{model}")
    definitions = schema.pop("$defs")
    sources = schema["properties"]["sources"]
    sources["items"] = _by_type(sources["items"])
    for (section, key), rule in OF_CONFIG.items():
        part = definitions[section]["properties"][key]
        part.get("anyOf", [part])[0].update(rule)
    given = {"if": {"minProperties": 1}, "then": {"$ref": "#/definitions/AuditConfig"}}
    return {**definitions, "AuditConfig": schema}, given


def _settings_schema() -> Schema:
    """What the rules' settings must be, with definitions in place of references to them."""
    schema = TypeAdapter(Settings).json_schema()
    properties = schema["properties"]
    properties["thresholds"] = thresholds = schema["$defs"]["Thresholds"]
    # The chart has no null, as Helm takes it for "no such value".
    pattern = properties["lookback"].pop("anyOf")[0]["pattern"]
    properties["lookback"] |= {"type": "string", "pattern": f"^$|{pattern}"}
    ratios = thresholds["properties"]["kept_ratio"]
    one = ratios.pop("additionalProperties")
    ratios["properties"] = dict.fromkeys(ratios.pop("propertyNames")["enum"], one)
    return schema


def _constrain(part: Schema, by: Schema) -> None:
    """Adds to a part of the chart's schema what another schema says of its values."""
    properties = part.get("properties", {})
    assert properties.keys() == by.get("properties", {}).keys(), "settings of the rules differ"
    part |= {key: value for key, value in by.items() if key in _CONSTRAINTS}
    for name, each in properties.items():
        _constrain(each, by["properties"][name])


def _by_type(union: Schema) -> Schema:
    """A union by its discriminator, whose messages are of the one type that was meant."""
    mapping = union["discriminator"]["mapping"]
    return {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": sorted(mapping)}},
        "allOf": [
            {
                "if": {"properties": {"type": {"const": kind}}, "required": ["type"]},
                "then": {"$ref": reference},
            }
            for kind, reference in sorted(mapping.items())
        ],
    }


def values_table() -> str:
    """The README's table: name, default and comment of each value."""
    text = (CHART / "values.yaml").read_text(encoding="utf-8")
    values = yaml.safe_load(text)
    rows = "".join(
        f"| `{name}` | {_default(values, name)} | {told.replace('|', chr(92) + '|')} |\n"
        for name, told in comments(text).items()
    )
    return f"| value | default | meaning |\n|---|---|---|\n{rows}"


def _default(values: Any, name: str) -> str:
    for part in name.split("."):
        values = values[part]
    if isinstance(values, dict) and len(values) > 3:
        return "see `values.yaml`"
    return f"`{json.dumps(values)}`"


def rules_template() -> str:
    """The rules, with `@@name@@` in place of each setting."""

    def named(value: Any, prefix: str = "") -> Any:
        return {key: f"@@{prefix}{key}@@" for key in value}

    ratios = named(Thresholds().kept_ratio, "thresholds.kept_ratio.")
    thresholds = named(Thresholds.__slots__, "thresholds.")
    thresholds |= {"kept_ratio": ratios, **_AGES}
    settings = named(Settings.__slots__) | {"labels": {}, "thresholds": Thresholds(**thresholds)}
    document = rules_document(Settings(**settings))
    text = yaml.safe_dump(document, sort_keys=False, width=100, allow_unicode=True)
    for name, age in _AGES.items():
        text = text.replace(age, f"@@thresholds.{name}@@")
        text = text.replace(f"{seconds(age):.0f}", f"@@seconds.{name}@@")
    return (
        "# Written by `python -m scripts.chart_files`; change dashboards/, not this file.\n"
        f"# Templates put prometheusRule.settings in place of @@name@@.\n{text}"
    )


def chart_files() -> Iterator[tuple[Path, str]]:
    """Every file that follows from others, and its text."""
    yield CHART / "values.schema.json", json.dumps(values_schema(), indent=2) + "\n"
    readme = CHART / "README.md"
    head, _, rest = readme.read_text(encoding="utf-8").partition(_TABLE[0])
    _, _, tail = rest.partition(_TABLE[1])
    yield readme, f"{head}{_TABLE[0]}\n{values_table()}\n{_TABLE[1]}{tail}"
    yield CHART / "files" / "rules" / FILE, rules_template()
    for path in sorted(GENERATED.glob("*.json")):
        yield CHART / "files" / "dashboards" / path.name, path.read_text(encoding="utf-8")


def stale_copies() -> list[Path]:
    """Copies of files that are generated no more."""
    current = {path for path, _ in chart_files()}
    return [path for path in (CHART / "files").rglob("*.*") if path not in current]


def main() -> None:
    """Writes them, and removes stale copies."""
    for path, text in list(chart_files()):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in stale_copies():
        path.unlink()


if __name__ == "__main__":
    main()
