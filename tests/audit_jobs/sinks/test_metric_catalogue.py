"""The catalogue's own rules, and that nothing else has names of metrics."""

import re
from pathlib import Path

import pytest

from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_catalogue import Metric
from prunescope.audit_jobs.sinks.metric_docs import document

ROOT = Path(__file__).parents[3]


def test_names_are_there_once() -> None:
    names = [metric.name for metric in catalogue.CATALOGUE]
    assert len(set(names)) == len(names)


def test_every_metric_of_the_module_is_in_the_catalogue() -> None:
    here = {value for value in vars(catalogue).values() if isinstance(value, Metric)}
    assert here <= set(catalogue.CATALOGUE)


@pytest.mark.parametrize("metric", catalogue.CATALOGUE, ids=lambda metric: metric.name)
def test_names_follow_the_conventions(metric: Metric) -> None:
    assert re.fullmatch("prunescope(_[a-z]+)+", metric.name)
    assert metric.name.endswith("_total") == (metric.type == "counter")
    stem = metric.name.removesuffix("_total")
    endings = {name for name in ("bytes", "seconds") if stem.endswith(f"_{name}")}
    assert endings == ({metric.unit} - {""})
    assert metric.help
    assert len(set(metric.labels)) == len(metric.labels)


def test_code_and_documentation_name_no_other_metric() -> None:
    known = set(re.findall(r"`(prunescope_[a-z_]+)`", document())) | {
        "prunescope_tracer",
        "prunescope_dag",
    }
    files = [*ROOT.glob("docs/*.md"), *ROOT.glob("audit_jobs/**/*.py"), ROOT / "README.md"]
    # With colons around it, it is the name of a recording rule.
    name = re.compile(r"(?<![\w:])prunescope_[a-z_]*[a-z](?![\w:])")
    named = {
        (path.name, found)
        for path in files
        for found in name.findall(path.read_text(encoding="utf-8"))
    }
    assert {(file, found) for file, found in named if found not in known} == set()
