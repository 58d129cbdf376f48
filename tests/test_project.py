"""The project's files agree with each other and work on any machine."""

import ast
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import lock

ROOT = Path(__file__).parent.parent
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT: dict[str, Any] = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

# Joined here, so that this file does not name them itself.
REGISTRIES = (
    ("pypi", "org"),
    ("pythonhosted", "org"),
    ("maven", "org"),
    ("maven", "apache", "org"),
    ("deb", "debian", "org"),
    ("npmjs", "org"),
    ("crates", "io"),
    ("proxy", "golang", "org"),
)
REGISTRY = re.compile("|".join(re.escape(".".join(parts)) for parts in REGISTRIES))
MACHINE_PATH = re.compile(r"(?<![\w.:/-])/(?:home|root|Users|work)/\w")
PIN = re.compile(r"(?m)^([a-z0-9-]+)==([^\s;]+)[^\\\n]*((?:\\\n +--hash=sha256:[0-9a-f]{64} *)+)$")

LONGEST = 360
LONGEST_OF_TESTS = 410
LONG = {
    "audit_jobs/sinks/metric_catalogue.py": "a table of metrics",
    "collectors/outcomes.py": "a table of outcomes",
    "collectors/parquet/thrift_types.py": "a table of structures",
    "collectors/sql/catalyst/conditions.py": "one reader of one grammar",
}
"""Modules of more lines, or folders of them, and why they are one."""

UNNAMED = {
    "audit_jobs/sinks/metric_catalogue.py: CATALOGUE": "what tests hold of each metric",
}
"""What of the code only tests name, and why it is there."""

OF_THE_ROOT = re.compile(r"^\s*(from|import) (audit_jobs|collectors|dashboards)\b", re.MULTILINE)
OWN = ("prunescope", "tests")
IMPORT = re.compile(rf"(?m)^ *from ((?:{'|'.join(OWN)})[\w.]*) import (?:\(([^)]*)\)|(.*))")
PATH_IN = re.compile(rf"[\"']((?:{'|'.join(OWN)})(?:\.\w+)+)[\"']")
DEFINED = re.compile(r"(?m)^(?:(?:def|class) (\w+)|(\w+)(?:: [^=\n]+)? = )")
WORD = re.compile(r"\w+")
REPLACED = re.compile(r"(?:(?:set|del)attr|patch\.object)\(\s*([\w.]+),\s*[\"'](\w+)[\"']")


@pytest.fixture(scope="module")
def files(require_program: Callable[[str], Path]) -> dict[str, str]:
    """Text of every file of the project by path, committed or about to be."""
    git = require_program("git")
    listed = subprocess.run(
        [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("this is no git checkout")
    paths = {name: ROOT / name for name in listed.stdout.split("\0") if name}
    return {
        name: path.read_text(errors="replace") for name, path in paths.items() if path.is_file()
    }


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(REGISTRY, id="package-registries"),
        pytest.param(MACHINE_PATH, id="paths-of-one-machine"),
    ],
)
def test_no_file_depends_on_one_workplace(files: dict[str, str], pattern: re.Pattern[str]) -> None:
    found = {name: match[0] for name, text in files.items() if (match := pattern.search(text))}
    assert found == {}


def test_no_module_is_long_without_a_reason(files: dict[str, str]) -> None:
    long = {
        next((known for known in LONG if path.startswith(known)), path)
        for path, text in files.items()
        if path.endswith(".py")
        and text.count("\n") > (LONGEST_OF_TESTS if path.startswith("tests/") else LONGEST)
    }
    assert long == set(LONG)


def test_nothing_is_defined_that_nothing_names(files: dict[str, str]) -> None:
    """But once, by what defines it: in its own module what is private, anywhere in the code what is
    not. (Ruff sees variables and imports; attributes are asked for by many ways.)"""
    code = {
        path: text
        for path, text in files.items()
        if path.startswith(("audit_jobs/", "collectors/")) and path.endswith(".py")
    }
    words = {path: Counter(WORD.findall(text)) for path, text in code.items()}
    everywhere = Counter[str]()
    for found in words.values():
        everywhere.update(found)
    assert {
        f"{path}: {name}"
        for path, text in code.items()
        for name in map("".join, DEFINED.findall(text))
        if not name.startswith("__")
        and (words[path] if name.startswith("_") else everywhere)[name] == 1
    } == set(UNNAMED)


def bound(text: str) -> Counter[str]:
    """How often a module binds each of its names at its top level, overloads left out."""
    found = Counter[str]()
    for node in ast.parse(text).body:
        match node:
            case ast.Assign(targets=targets):
                found.update(target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] += 1
            case ast.FunctionDef(name=name, decorator_list=[]) | ast.ClassDef(name=name):
                found[name] += 1
    return found


def test_no_name_of_a_module_is_bound_twice(files: dict[str, str]) -> None:
    """The second one would silently replace the first for all that names it."""
    twice = {
        f"{path}: {name}"
        for path, text in files.items()
        if path.startswith(("audit_jobs/", "collectors/", "dashboards/")) and path.endswith(".py")
        for name, count in bound(text).items()
        if count > 1
    }
    assert twice == set()


def test_folders_of_the_root_are_imported_as_parts_of_the_package(files: dict[str, str]) -> None:
    assert [
        path for path, text in files.items() if path.endswith(".py") and OF_THE_ROOT.search(text)
    ] == []


def test_no_test_names_what_is_private(files: dict[str, str]) -> None:
    """Neither by an import, nor as what is replaced: by its path, or in its module. (Ruff sees
    attributes that are asked for.)"""
    assert {
        path: names
        for path, text in files.items()
        if path.startswith("tests/") and path.endswith(".py") and (names := _private(text))
    } == {}


def _private(module: str) -> list[str]:
    # By their text: to parse and walk four hundred modules takes ten times as long.
    imported = [
        (f"{source}.{name}", alias or name)
        for source, several, one in IMPORT.findall(module)
        for name, alias in re.findall(r"(?:^|,)\s*(\w+)(?: as (\w+))?", several or one)
    ]
    ours = {alias for _, alias in imported}
    named = [name for name, _ in imported] + PATH_IN.findall(module)
    named += [".".join(names) for names in REPLACED.findall(module) if names[0] in ours]
    return [name for name in named if re.search(r"\._(?!_)", name)]


PINNED = {path.stem: path.read_text() for path in sorted((ROOT / "requirements").iterdir())}


@pytest.mark.parametrize("name", PINNED)
def test_requirements_are_only_pins_with_hashes(name: str) -> None:
    rest = PIN.sub("", PINNED[name])
    assert [line for line in rest.splitlines() if line and not line.lstrip().startswith("#")] == []
    assert "://" not in PINNED[name]


def test_each_file_of_requirements_is_written_by_the_lock() -> None:
    assert set(PINNED) == {*lock.ALONE, *lock.LAYERS, *lock.SPARKS}


@pytest.mark.parametrize(
    ("files", "spark", "extras"),
    [
        pytest.param(["image", "spark-4.1"], "4.1", lock.LAYERS["image"], id="image"),
        pytest.param(["image", "test", "dev", "spark-4.1"], "4.1", ["test", "dev"], id="default"),
        pytest.param(["image", "test", "spark-4.0"], "4.0", ["test"], id="spark40"),
        pytest.param(["image", "test", "spark-3.5"], "3.5", ["test"], id="spark35"),
    ],
)
def test_files_of_an_environment_pin_each_direct_dependency_once(
    files: list[str], spark: str, extras: list[str]
) -> None:
    found = [match.groups() for name in files for match in PIN.finditer(PINNED[name])]
    pins = {name: pinned for name, pinned, _ in found}
    assert len(found) == len(pins)
    of_extras = [requirement for extra in extras for requirement in EXTRAS[extra]]
    wanted = [*PROJECT["dependencies"], *of_extras, f"pyspark=={spark}.*"]
    for requirement in map(Requirement, wanted):
        if requirement.name != PROJECT["name"]:
            assert pins[canonicalize_name(requirement.name)] in requirement.specifier


def test_the_installed_version_is_the_projects() -> None:
    assert version(PROJECT["name"]) == PROJECT["version"]


def test_hooks_and_the_hosted_ci_call_what_everybody_calls() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    targets = re.findall(r"(?m)^([a-z0-9-]+):.*## ", (ROOT / "Makefile").read_text())
    assert {hook["entry"] for hook in hooks} <= {f"make {target}" for target in targets}
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    last = {name: job["steps"][-1]["run"] for name, job in workflow["jobs"].items()}
    assert last == {"all": ".ci/run", "newer": "env -u CI make test-fast"}


@pytest.mark.parametrize(
    "changed",
    [
        "docs/logs/trino.md",
        "docs/images/flow.svg",
        "mkdocs.yml",
        "README.md",
        "scripts/docs_site.py",
    ],
)
def test_the_site_is_built_before_a_commit_that_changes_it(changed: str) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    # `make check` builds it as well.
    files = [hook["files"] for hook in hooks if hook["entry"] in ("make docs", "make check")]
    assert any(re.search(pattern, changed) for pattern in files)


@pytest.mark.slow
def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text()
    _, *sections = re.split(r"(?m)^## `?([\w ]+)`?$", text)
    rows = re.compile(r"(?m)^\| `([^`]+)` \| [^|]+ \|$")
    told = {
        title: rows.findall(section)
        for title, section in zip(sections[::2], sections[1::2], strict=True)
    }
    assert told == {
        "Always": _names(PROJECT["dependencies"]),
        **{extra: _names(requirements) for extra, requirements in EXTRAS.items()},
        "To build": _names(PYPROJECT["build-system"]["requires"]),
    }


def _names(requirements: list[str]) -> list[str]:
    """Packages with their extras, but for the project itself."""
    found = [re.split(r"[<>=!~ ;]", text, maxsplit=1)[0] for text in requirements]
    return [name for name in found if not name.startswith(f"{PROJECT['name']}[")]
