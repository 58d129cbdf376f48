"""Prints the test files that a change may concern: python scripts/changed_tests.py REVISION

What differs between the revision and the working tree is followed along imports to the tests.
A file that is no module concerns what lies beside it, and the tests of its top-level folder.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grimp import ImportGraph

PACKAGES = ("audit_jobs", "collectors", "dashboards")
"""Folders of the root that are packages of `prunescope`."""


def concerned_by(changed: Iterable[PurePosixPath], root: Path) -> list[str]:
    """The test files, of those below `root`, that a change of these paths may concern."""
    from grimp import build_graph  # noqa: PLC0415  # not where tests alone are installed

    graph = build_graph("prunescope", "tests", cache_dir=None)
    concerned: set[str] = set()
    found: set[PurePosixPath] = set()
    for path in changed:
        module = _name(path.with_suffix("").parts).removesuffix(".__init__")
        if path.name == "conftest.py":
            found |= _tests_below(root, path.parent)
        elif path.suffix == ".py" and module in graph.modules:
            concerned |= {module} | graph.find_downstream_modules(module)
        elif path.parts[0] in (*PACKAGES, "prunescope", "tests"):
            concerned |= _beside(path, graph)
        else:
            found |= _tests_below(root, PurePosixPath("tests", path.parts[0]))
            found |= {PurePosixPath("tests", test.name) for test in (root / "tests").glob("test_*")}
    found |= {PurePosixPath(*name.split(".")).with_suffix(".py") for name in concerned}
    return sorted(
        str(path)
        for path in found
        if path.name.startswith("test_") and path.parts[0] == "tests" and (root / path).is_file()
    )


def _name(parts: tuple[str, ...]) -> str:
    """The name of the module, or package, at a path of the repository."""
    return ".".join(("prunescope", *parts) if parts and parts[0] in PACKAGES else parts)


def _beside(path: PurePosixPath, graph: ImportGraph) -> set[str]:
    """The modules of the nearest package that holds a file, and all that import these."""
    for folder in path.parents:
        package = _name(folder.parts)
        if inside := {name for name in graph.modules if name.startswith(f"{package}.")}:
            return inside.union(*map(graph.find_downstream_modules, inside))
    return set()


def _tests_below(root: Path, folder: PurePosixPath) -> set[PurePosixPath]:
    return {PurePosixPath(path.relative_to(root)) for path in (root / folder).rglob("test_*.py")}


def _changed(revision: str) -> list[PurePosixPath]:
    def lines(*command: str) -> list[str]:
        done = subprocess.run(["git", *command], capture_output=True, text=True, check=True)  # noqa: S603, S607
        return done.stdout.splitlines()

    differing = lines("diff", "--name-only", "--relative", revision)
    return [
        PurePosixPath(name) for name in differing + lines("ls-files", "-o", "--exclude-standard")
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(concerned_by(_changed(sys.argv[1]), Path.cwd())))
