"""Snippets for other schedulers, in docs/schedule/: these can be parsed, and start commands that
prunescope takes, once for a window at a time."""

from __future__ import annotations

import ast
import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from prunescope.audit_jobs.config import validate_config
from tests.documented import ROOT, Block, blocks
from tests.schedule.commands import options_of

PAGES = sorted((ROOT / "docs" / "schedule").glob("*.md"))


def shown(name: str, language: str) -> list[Block]:
    """The blocks of a page in a language."""
    return [block for block in blocks(language) if block.page == f"docs/schedule/{name}.md"]


def only(name: str) -> dict[str, Any]:
    """The document that a page shows in YAML."""
    (block,) = shown(name, "yaml")
    document: dict[str, Any] = yaml.safe_load(block.text)
    return document


def taken(arguments: list[str]) -> None:
    """Asserts that the audit takes these arguments."""
    subcommand, _ = options_of(shlex.join(["prunescope", *arguments]))
    assert subcommand == "audit"


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in PAGES])
def test_every_page_is_listed_and_has_a_snippet(page: Path) -> None:
    listed = (ROOT / "docs" / "schedule.md").read_text(encoding="utf-8")
    assert f"(schedule/{page.name})" in listed
    assert any(shown(page.stem, language) for language in ("yaml", "python", "json"))


def test_a_cron_job_starts_an_audit_a_window_at_a_time() -> None:
    document = only("cronjob")
    assert (document["apiVersion"], document["kind"]) == ("batch/v1", "CronJob")
    assert document["spec"]["concurrencyPolicy"] == "Forbid"
    job = document["spec"]["jobTemplate"]["spec"]
    pod = job["template"]["spec"]
    (container,) = pod["containers"]
    taken(container["args"])
    assert {mount["name"] for mount in container["volumeMounts"]} == {
        volume["name"] for volume in pod["volumes"]
    }
    (rule,) = job["podFailurePolicy"]["rules"]
    assert rule["onExitCodes"]["values"] == [1]


def test_argo_starts_an_audit_a_window_at_a_time() -> None:
    document = only("argo")
    assert (document["apiVersion"], document["kind"]) == ("argoproj.io/v1alpha1", "CronWorkflow")
    assert document["spec"]["concurrencyPolicy"] == "Forbid"
    workflow = document["spec"]["workflowSpec"]
    (template,) = workflow["templates"]
    assert template["name"] == workflow["entrypoint"]
    assert template["container"]["command"] == ["prunescope"]
    taken(template["container"]["args"])


def test_databricks_starts_an_audit_a_window_at_a_time() -> None:
    (job,) = only("databricks")["resources"]["jobs"].values()
    assert job["max_concurrent_runs"] == 1
    (task,) = job["tasks"]
    taken(["audit", *task["spark_python_task"]["parameters"]])


def test_the_configuration_for_mwaa_is_valid() -> None:
    assert validate_config(only("mwaa"), "mwaa.md").audit.catalog == "lake"


def test_emr_gets_what_it_is_uploaded() -> None:
    (block,) = shown("emr-serverless", "json")
    submit = json.loads(block.text)["jobDriver"]["sparkSubmit"]
    uploads = "".join(block.text for block in shown("emr-serverless", "sh"))
    options = shlex.split(submit["sparkSubmitParameters"])
    named = [word.partition("#")[0] for word in options if word.startswith("s3://")]
    files = [address.rpartition("/")[2] for address in (*named, submit["entryPoint"])]
    assert sorted(files) == ["audit.yaml", "prunescope.tar.gz", "run.py"]
    assert all(f"aws s3 cp {name} " in uploads for name in files)


def _called(tree: ast.AST) -> Iterator[list[str]]:
    """Lists in which a program of Python has the arguments of an audit; what it computes is a
    day."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List):
            words = [
                item.value if isinstance(item, ast.Constant) else "2026-03-08"
                for item in node.elts
                if not isinstance(item, ast.Starred)
            ]
            if "audit" in words:
                yield list(map(str, words[words.index("audit") :]))


@pytest.mark.parametrize(
    "block", [pytest.param(block, id=block.place) for block in blocks("python")]
)
def test_programs_are_read_and_start_an_audit(block: Block) -> None:
    if not block.page.startswith("docs/schedule/"):
        pytest.skip("tests/test_upstream.py and test_documented_python.py read these")
    (arguments,) = _called(ast.parse(block.text))
    taken(arguments)
