"""Hooks of mkdocs: links to folders, and to files outside docs/, lead to the repository; and pages
ask nobody else."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parent.parent
_ASKS_GITHUB = ' data-md-component="source"'
_LINK = re.compile(r"\]\(([^():#]+)(#[^()]*)?\)")


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """The page with such links replaced; mkdocs calls it by this name, and warns of links that are
    left and lead nowhere."""
    del files
    folder = PurePosixPath("docs", page.file.src_uri).parent

    def replaced(found: re.Match[str]) -> str:
        target = (ROOT / folder / found[1]).resolve()
        if not target.exists() or (target.is_relative_to(ROOT / "docs") and target.is_file()):
            return found[0]
        kind = "tree" if target.is_dir() else "blob"
        path = target.relative_to(ROOT).as_posix()
        return f"]({config['repo_url']}/{kind}/main/{path}{found[2] or ''})"

    return _LINK.sub(replaced, markdown)


def on_post_page(output: str, page: Any, config: Any) -> str:
    """The page without the mark by which the theme asks GitHub for stars and releases."""
    del page, config
    return output.replace(_ASKS_GITHUB, "")
