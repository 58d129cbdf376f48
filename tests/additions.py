"""The code with something added to it, as a page of CONTRIBUTING.md says, run by itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Additions:
    """A copy of `audit_jobs` in a folder, which is imported there instead of what is tested."""

    folder: Path

    @classmethod
    def within(cls, folder: Path) -> Additions:
        """A copy to which nothing was added yet."""
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "audit_jobs", folder / "audit_jobs", ignore=ignored)
        shutil.copytree(ROOT / "prunescope", folder / "prunescope", symlinks=True, ignore=ignored)
        (folder / "collectors").symlink_to(ROOT / "collectors")
        return cls(folder)

    def module(self, path: str, like: Path) -> None:
        """Adds a module that is as a file of the tests."""
        assert not (self.folder / path).exists()
        shutil.copyfile(like, self.folder / path)

    def lines(self, path: str, *texts: tuple[str, str]) -> None:
        """Adds each text behind the one place where another stands."""
        file = self.folder / path
        code = file.read_text(encoding="utf-8")
        for before, text in texts:
            assert code.count(before) == 1, before
            code = code.replace(before, before + text)
        file.write_text(code, encoding="utf-8")

    def runs(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """What Python does with the copy, in its folder: `-m module argument …`."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT}"},
            capture_output=True,
            text=True,
            check=False,
        )
