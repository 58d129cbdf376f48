"""What README and docs have people do with the chart: Helm takes it, and kubectl names what that
makes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.documented import ROOT, Block, blocks, commands
from tests.helm.chart import CONFIG, NEWEST, Chart, Object, Values, merged

KEYS = set(yaml.safe_load((ROOT / "helm" / "prunescope" / "values.yaml").read_text()))
LEAST: Values = {"config": CONFIG}
OBJECT = re.compile(r"(?:--from=)?([a-z]+)/([\w-]+)")
LINES = [(block.page, line) for block in blocks("sh") for line in commands(block)]
INSTALLS = [(page, line) for page, line in LINES if line.startswith("helm ")]
KUBECTL = sorted({page for page, line in LINES if line.startswith("kubectl ")})


@pytest.fixture
def chart(require_program: Callable[[str], Path]) -> Chart:
    return Chart(require_program("helm"))


def _values() -> list[tuple[Block, Values]]:
    """The blocks that are values of the chart."""
    found = [(block, yaml.safe_load(block.text)) for block in blocks("yaml")]
    return [(block, made) for block, made in found if isinstance(made, dict) and set(made) <= KEYS]


def _installed(chart: Chart, page: str, line: str) -> list[Object]:
    """The objects that a command to install the chart makes, with the values of its page."""
    words = shlex.split(line)
    at = words.index("helm/prunescope")
    given = words[at + 1 :]
    del given[given.index("--values") : given.index("--values") + 2]
    options = [word for word in given if word != "--create-namespace"]
    values = reduce(merged, (made for block, made in _values() if block.page == page), LEAST)
    kubernetes = ("--kube-version", f"{NEWEST}.0")
    text = chart.run("template", words[at - 1], *kubernetes, *options, values=values)
    return [document for document in yaml.safe_load_all(text) if document]


@pytest.mark.parametrize(
    "values", [pytest.param(made, id=block.place) for block, made in _values()]
)
def test_the_chart_takes_the_values(chart: Chart, values: Values) -> None:
    """By its schema."""
    assert chart.render(merged(LEAST, values))


@pytest.mark.parametrize(("page", "line"), INSTALLS)
def test_the_chart_takes_what_is_set(chart: Chart, page: str, line: str) -> None:
    images = re.findall(r"--set image.repository=(\S+)", line)
    made = yaml.safe_dump_all(_installed(chart, page, line))
    assert all(f"image: {image}:" in made for image in images)


@pytest.mark.parametrize("page", KUBECTL)
def test_kubectl_is_asked_for_what_there_is(chart: Chart, page: str) -> None:
    """Objects of the chart, and of manifests on the page."""
    objects = [
        made for of, line in INSTALLS if of == page for made in _installed(chart, page, line)
    ]
    documents = [yaml.safe_load(block.text) for block in blocks("yaml") if block.page == page]
    objects += [made for made in documents if "apiVersion" in made]
    assert objects
    there = {(each["kind"].lower(), each["metadata"]["name"]) for each in objects}
    for words in (shlex.split(line) for of, line in LINES if of == page):
        if words[0] != "kubectl":
            continue
        named = {found.groups() for word in words if (found := OBJECT.fullmatch(word))}
        assert named <= there
        made = _created(words)
        if made is not None:
            there.add(made)
        if "--namespace" in words:
            assert ("namespace", words[words.index("--namespace") + 1]) in there
    secrets = {name for kind, name in there if kind == "secret"}
    assert secrets <= set(_references(objects))


def _created(words: list[str]) -> tuple[str, str] | None:
    """What a line creates, by kind and name."""
    if "create" not in words:
        return None
    kind, *names = (word for word in words[words.index("create") + 1 :] if word[0] != "-")
    return kind, names[-1]


def _references(part: Any) -> list[str]:
    """The names of all Secrets that objects name."""
    if isinstance(part, list):
        return [name for each in part for name in _references(each)]
    if not isinstance(part, dict):
        return []
    own = [part[key]["name"] for key in ("secretKeyRef", "secretRef") if key in part]
    return own + [name for each in part.values() for name in _references(each)]
