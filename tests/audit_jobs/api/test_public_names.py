"""What `import prunescope` promises stays: docs/versioning.md.

`public_names/MAJOR.MINOR.txt` has a line for each name, parameter, attribute and method of a
version. A released file is never changed; `python -m tests.audit_jobs.api.test_public_names` writes
that of the current version.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import prunescope

ROOT = Path(__file__).parents[3]
FOLDER = Path(__file__).with_name("public_names")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CURRENT = tuple(int(part) for part in PROJECT["version"].split(".")[:2])


def described() -> list[str]:
    """A line for each public name, and for all that is promised of it, in order."""
    return sorted(line for name in prunescope.__all__ for line in _lines(name))


def _lines(name: str) -> Iterator[str]:
    found: Any = getattr(prunescope, name)
    if inspect.isfunction(found):
        yield from _of_function(name, found)
    elif hasattr(found, "__dataclass_params__"):
        yield f"{name}: frozen dataclass"
        assert found.__dataclass_params__.frozen
        yield from (f"{name}.{field.name}: {field.type}" for field in fields(found))
        yield from _of_methods(name, found)
    else:
        bases = (base.__name__ for base in found.__mro__[1:])
        public = (base for base in bases if base in ("Exception", "ValueError", "PrunescopeError"))
        yield f"{name} is {', '.join(public)}"
        own = inspect.signature(found.__init__).parameters if "__init__" in vars(found) else {}
        yield from (f"{name}.{field}" for field in own if hasattr(found("a", "b"), field))


def _of_methods(name: str, kind: type[Any]) -> Iterator[str]:
    names = {field.name for field in fields(kind)}
    for member, value in vars(kind).items():
        is_shown = not member.startswith("_") or member in ("__iter__", "__len__", "__getitem__")
        if member in names or not (is_shown or member == "_repr_html_"):
            continue
        if isinstance(value, property):
            returned = inspect.signature(value.fget).return_annotation  # type: ignore[arg-type]
            yield f"{name}.{member}: {returned}"
        elif inspect.isfunction(value):
            yield from _of_function(f"{name}.{member}", value)


def _of_function(name: str, function: Any) -> Iterator[str]:
    signature = inspect.signature(function)
    yield f"{name}() -> {signature.return_annotation}"
    for parameter in signature.parameters.values():
        if parameter.name != "self":
            star = "*, " if parameter.kind is parameter.KEYWORD_ONLY else ""
            is_asked = parameter.default is parameter.empty
            default = "" if is_asked else f" = {parameter.default!r}"
            yield f"{name}({star}{parameter.name}: {parameter.annotation}{default})"


def broken(before: list[str], now: list[str]) -> list[str]:
    """Lines that are gone, and new parameters of known functions that have no default."""
    gone = sorted({*before} - {*now})
    known = {line.partition("(")[0] for line in before if ") -> " in line}
    asked = [
        line
        for line in sorted({*now} - {*before})
        if line.endswith(")") and " = " not in line and line.partition("(")[0] in known
    ]
    return gone + asked


def must_stay(version: tuple[int, ...]) -> bool:
    """True if what a version promised stays in the current one: of the same major version, or, as
    long as that is 0, of the same minor one."""
    major = CURRENT[0]
    return version <= CURRENT and (version[0] == major if major else version == CURRENT)


def recorded(version: tuple[int, ...]) -> list[str]:
    """The lines of a version."""
    name = ".".join(map(str, version))
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


VERSIONS = [tuple(map(int, path.stem.split("."))) for path in FOLDER.glob("*.txt")]


def test_other_names_are_another_version() -> None:
    assert described() == recorded(CURRENT), (
        "public names changed: see docs/versioning.md, and tell it in CHANGELOG.md; then run "
        "`python -m tests.audit_jobs.api.test_public_names`"
    )


@pytest.mark.parametrize("version", [one for one in VERSIONS if must_stay(one)])
def test_what_is_promised_stays(version: tuple[int, ...]) -> None:
    assert broken(recorded(version), described()) == []


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (["f() -> X", "f(a: int)"], ["f() -> X", "f(a: int)", "f(*, b: int = 1)"], []),
        (["f() -> X"], ["f() -> X", "g() -> X", "g(a: int)", "X.a: int"], []),
        (["f() -> X"], ["f() -> X", "f(a: int)"], ["f(a: int)"]),
        (["f() -> X", "f(a: int)"], ["f() -> X"], ["f(a: int)"]),
        (["X.a: int"], ["X.a: int | None"], ["X.a: int"]),
    ],
)
def test_what_breaks_callers_is_found(before: list[str], now: list[str], found: list[str]) -> None:
    assert broken(before, now) == found


def test_all_names_are_there_and_documented() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    for name in prunescope.__all__:
        assert getattr(prunescope, name).__doc__
        assert f"`{name}`" in page or f"`{name}(" in page
    assert {*prunescope.__all__} <= {*dir(prunescope)}
    with pytest.raises(AttributeError, match="expalin"):
        _ = prunescope.expalin


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys, typing; import prunescope; print('\\n'.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout.split()
    ours = [name for name in loaded if name.partition(".")[0] == "prunescope"]
    assert ours == ["prunescope"]
    others = {name.partition(".")[0] for name in loaded} - {"prunescope", "__main__"}
    assert others <= sys.stdlib_module_names | {"sitecustomize"}


def test_errors_are_of_one_family() -> None:
    errors = [
        found
        for name in prunescope.__all__
        if isinstance(found := getattr(prunescope, name), type) and issubclass(found, Exception)
    ]
    assert all(issubclass(error, prunescope.PrunescopeError) for error in errors)
    assert issubclass(prunescope.BadArgument, ValueError)


if __name__ == "__main__":
    name = ".".join(map(str, CURRENT))
    (FOLDER / f"{name}.txt").write_text("\n".join(described()) + "\n", encoding="utf-8")
