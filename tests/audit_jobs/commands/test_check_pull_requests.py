"""`prunescope check` in a pull request: files, formats, fixes, baselines, dbt, the Action and the
hooks."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from prunescope.audit_jobs.cli import main
from tests.audit_jobs.views.sarif_structure import check as check_sarif
from tests.audit_jobs.views.sarif_structure import check_places

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
WRAPPED = "SELECT count(*)\nFROM web.events\nWHERE year(at) = 2026\n"
RANGE = "at >= TIMESTAMP_NTZ '2026-01-01 00:00:00' AND at < TIMESTAMP_NTZ '2027-01-01 00:00:00'"
FIXED = f"SELECT count(*)\nFROM web.events\nWHERE {RANGE}\n"


@pytest.fixture
def repository(monthly_lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the configuration, which is the working directory."""
    (tmp_path / "audit.yaml").write_text(monthly_lake.read_text())
    (tmp_path / "models").mkdir()
    (tmp_path / "models/a.sql").write_text(WRAPPED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "--engine", "spark-4.1", "--quiet", *arguments])


def test_a_diff_changes_nothing_and_a_fix_does_once(repository: Path) -> None:
    file = repository / "models/a.sql"
    shown = check("models/a.sql", "--diff")
    assert (shown.exit_code, file.read_text()) == (1, WRAPPED)
    assert "at   models/a.sql:3:7" in shown.stdout
    assert "Write this instead; it selects the same rows: at >= " in shown.stdout
    patch = shown.stdout[shown.stdout.index("--- a/models/a.sql") :]
    subprocess.run(["git", "apply", "--check", "-"], input=patch, text=True, check=True)
    fixed = check("models/a.sql", "--fix")
    assert (fixed.exit_code, file.read_text()) == (0, FIXED)
    assert patch in fixed.stdout
    again = check("models/a.sql", "--fix", "--json")
    assert (again.exit_code, again.stderr, file.read_text()) == (0, "", FIXED)


@pytest.mark.usefixtures("repository")
def test_with_other_formats_the_diff_is_on_standard_error() -> None:
    found = check("models/a.sql", "--diff", "--json")
    assert "+++ b/models/a.sql" in found.stderr
    (place,) = wrapped(json.loads(found.stdout))["places"]
    assert place == {
        "file": "models/a.sql",
        "line": 3,
        "column": 7,
        "end_line": 3,
        "end_column": 22,
        "is_condition": True,
        "replacement": RANGE,
        "addition": None,
        "is_known": False,
    }


def wrapped(answer: dict[str, Any]) -> dict[str, Any]:
    (found,) = (each for each in answer["findings"] if each["cause"] == "wrapped_column")
    return dict(found)


@pytest.mark.usefixtures("repository")
def test_sarif_is_what_github_takes_and_its_fix_is_the_edit() -> None:
    log = json.loads(check("--sql-dir", "models", "--format", "sarif", "--max-share", "1%").stdout)
    results = check_sarif(log)
    check_places(results)
    assert results[0]["ruleId"] == "max_share"
    (found,) = (each for each in results if each["ruleId"] == "wrapped_column")
    location = found["locations"][0]["physicalLocation"]
    region = {"startLine": 3, "startColumn": 7, "endLine": 3, "endColumn": 22}
    assert location == {"artifactLocation": {"uri": "models/a.sql"}, "region": region}
    ((change,),) = (fix["artifactChanges"] for fix in found["fixes"])
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": RANGE}}]
    assert log["runs"][0]["columnKind"] == "utf16CodeUnits"


def test_fingerprints_stay_where_lines_move(repository: Path) -> None:
    def fingerprints() -> list[Any]:
        log = json.loads(check("models/a.sql", "--sarif").stdout)
        return [result["partialFingerprints"] for result in log["runs"][0]["results"]]

    before = fingerprints()
    (repository / "models/a.sql").write_text(f"-- why\n\n{WRAPPED.replace('2026', '2025')}")
    assert fingerprints() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "--sql-dir", id="nothing"),
        pytest.param(["models/a.sql", "--sql-dir", "models"], "--dbt", id="two of them"),
        pytest.param(["none.sql"], "none.sql", id="no such file"),
        pytest.param(["models/a.sql", "--json", "--format", "text"], "at most one", id="formats"),
        pytest.param(["models/a.sql", "--max-bytes", "10 apples"], "500MB", id="no size"),
        pytest.param(["models/a.sql", "--max-share", "110%"], "0 to 100", id="no share"),
        pytest.param(["models/a.sql", "--baseline", "audit.yaml"], "--write-b", id="no baseline"),
        pytest.param(["--dbt", "models"], "dbt compile", id="no project"),
    ],
)
@pytest.mark.usefixtures("repository")
def test_what_cannot_be_done_is_2(arguments: list[str], message: str) -> None:
    found = check(*arguments)
    assert found.exit_code == 2
    assert message in found.stderr
    assert "Traceback" not in found.output


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["--max-bytes", "1GB", "--max-share", "100%"], 0, id="kept"),
        pytest.param(["--max-bytes", "10kB"], 1, id="bytes"),
        pytest.param(["--max-share", "99.5"], 1, id="share"),
    ],
)
@pytest.mark.usefixtures("repository")
def test_limits(arguments: list[str], code: int) -> None:
    assert check("models/a.sql", "--fail-on", "critical", *arguments).exit_code == code


def test_only_what_is_worse_than_the_baseline_fails(repository: Path) -> None:
    limits = ["--max-share", "10%", "--fail-on", "info"]
    written = check("models/a.sql", *limits, "--write-baseline", "known.json")
    assert written.exit_code == 0
    assert "2026" not in (repository / "known.json").read_text()
    known = ["--baseline", "known.json", *limits]
    assert check("models/a.sql", *known).exit_code == 0
    assert check("models/a.sql", *known, "--format", "github").stdout == ""
    (repository / "models/a.sql").write_text(f"-- later\n\n{WRAPPED}")
    assert check("models/a.sql", *known).exit_code == 0
    (repository / "models/a.sql").write_text(f"{WRAPPED};\n{WRAPPED}")
    worse = check("models/a.sql", *known, "--format", "github")
    assert (worse.exit_code, "line=7" in worse.stdout) == (1, True)


MANIFEST = {
    "metadata": {"project_name": "shop"},
    "groups": {"group.shop.sales": {"name": "sales", "owner": {"email": "sales@example.com"}}},
    "nodes": {
        "model.shop.a": {
            "resource_type": "model",
            "package_name": "shop",
            "name": "a",
            "original_file_path": "models/a.sql",
            "compiled_path": "target/compiled/shop/models/a.sql",
            "config": {"materialized": "table", "group": "sales"},
        },
        "model.shop.b": {
            "resource_type": "model",
            "package_name": "shop",
            "name": "b",
            "original_file_path": "models/b.sql",
            "config": {"materialized": "view", "meta": {"owner": "ann"}},
        },
        "model.shop.py": {
            "resource_type": "model",
            "language": "python",
            "package_name": "shop",
            "name": "py",
            "original_file_path": "models/py.py",
        },
        "test.shop.t": {
            "resource_type": "test",
            "package_name": "shop",
            "name": "t",
            "original_file_path": "models/t.yml",
        },
        "model.other.c": {
            "resource_type": "model",
            "package_name": "other",
            "name": "c",
            "original_file_path": "models/c.sql",
        },
    },
}


@pytest.fixture
def project(repository: Path) -> Path:
    """A dbt project as `dbt compile` leaves it: the condition of `a` is in its template, that of
    `b` is made by one."""
    compiled = repository / "target/compiled/shop/models"
    compiled.mkdir(parents=True)
    (repository / "target/manifest.json").write_text(json.dumps(MANIFEST))
    model = "{{ config(materialized='table') }}\nSELECT count(*) FROM {{ source('web', 'e') }}\n"
    (repository / "models/a.sql").write_text(f"{model}  WHERE year(at) = 2026\n")
    (compiled / "a.sql").write_text(WRAPPED)
    (repository / "models/b.sql").write_text(f"{model}WHERE {{{{ of_year(2026) }}}}\n")
    (compiled / "b.sql").write_text(WRAPPED.replace("count(*)", "sum(n)"))
    return repository


@pytest.mark.usefixtures("project")
def test_models_of_dbt_are_found_in_their_originals() -> None:
    answer = json.loads(check("--dbt", ".", "--json").stdout)
    assert answer["models"] == {
        "models/a.sql": {"model": "a", "owner": "sales@example.com"},
        "models/b.sql": {"model": "b", "owner": "ann"},
    }
    places = {
        place["file"]: (place["line"], place["column"], place["replacement"])
        for finding in answer["findings"]
        if finding["cause"] == "wrapped_column"
        for place in finding["places"]
    }
    assert places == {"models/a.sql": (3, 9, RANGE), "models/b.sql": (None, None, RANGE)}
    check_places(check_sarif(json.loads(check("--dbt", ".", "--sarif").stdout)))


def test_a_fix_of_dbt_is_in_the_template_and_only_what_stands_there(project: Path) -> None:
    made = (project / "models/b.sql").read_text()
    found = check("--dbt", ".", "--fix")
    assert found.exit_code == 1  # for b, which a macro makes
    assert f"  WHERE {RANGE}\n" in (project / "models/a.sql").read_text()
    assert (project / "models/b.sql").read_text() == made
    assert (project / "target/compiled/shop/models/a.sql").read_text() == WRAPPED


@pytest.mark.usefixtures("project")
def test_raw_models_say_where_they_are_templates() -> None:
    answer = json.loads(check("--sql-dir", "models", "--json").stdout)
    assert {each["outcome"] for each in answer["not_replayed"]} == {"template"}
    assert all("line 1 has" in each["message"] for each in answer["not_replayed"])


ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


def run_action(repository: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Runs the steps of the Action that do not install as GitHub does: each `run` in a file, by the
    shell that a composite action has for `bash`, with the inputs in their environment."""
    inputs = {
        name: given.get(name.replace("-", "_"), str(each.get("default", "")))
        for name, each in ACTION["inputs"].items()
    }
    assert not set(given) - {name.replace("-", "_") for name in inputs}
    done = None
    for step in ACTION["runs"]["steps"][1:]:
        script = repository / "step.sh"
        assert "${{" not in step["run"]
        script.write_text(step["run"])
        env = {
            name: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
            for name, value in step["env"].items()
        }
        shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
        done = subprocess.run(
            shell, env=with_program(repository) | env, capture_output=True, text=True, check=False
        )
    assert done is not None
    return done


def with_program(folder: Path) -> dict[str, str]:
    """The environment, in which `prunescope` is this one."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "prunescope"
    program.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m prunescope.audit_jobs.cli "$@"\n'
    )
    program.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


def test_the_action_installs_what_it_is_told_to() -> None:
    install = ACTION["runs"]["steps"][0]
    assert install["env"] == {"PACKAGE": "${{ inputs.package }}"}
    assert all(step["shell"] == "bash" for step in ACTION["runs"]["steps"])
    assert ACTION["inputs"]["package"]["default"] == "${{ github.action_path }}"


def test_the_action_annotates_the_files_of_a_pull_request(repository: Path) -> None:
    (repository / "models/an other.sql").write_text(FIXED)
    files = "models/a.sql\nmodels/an other.sql\n"
    arguments = "--max-share=60%\n--select=*\n"
    done = run_action(repository, files=files, engine="spark-4.1", arguments=arguments)
    assert done.returncode == 1, done.stderr
    assert "::error file=models/a.sql,line=3,endLine=3,col=7,endColumn=22," in done.stdout
    assert "an other.sql" not in done.stdout


def test_the_action_writes_sarif_and_passes_without_files(repository: Path) -> None:
    done = run_action(repository, sql_dir="models", engine="spark-4.1", sarif="found.sarif")
    assert done.returncode == 1, done.stderr
    check_places(check_sarif(json.loads((repository / "found.sarif").read_text())))
    assert run_action(repository, files="\n").returncode == 0


@pytest.mark.parametrize("hook", yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()))
def test_hooks_run_as_pre_commit_runs_them(repository: Path, hook: dict[str, Any]) -> None:
    """With `entry`, `args`, and the names of files that have one of its types."""
    assert (hook["language"], hook["types"]) == ("python", ["sql"])
    command = [*shlex.split(hook["entry"]), "--engine=spark-4.1", "models/a.sql"]
    done = subprocess.run(
        command, env=with_program(repository), capture_output=True, text=True, check=False
    )
    is_fix = "--fix" in hook["entry"]
    assert done.returncode == (0 if is_fix else 1), done.stderr
    assert (repository / "models/a.sql").read_text() == (FIXED if is_fix else WRAPPED)
    assert "models/a.sql" in done.stdout
