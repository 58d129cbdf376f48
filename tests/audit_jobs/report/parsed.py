"""A page as a browser's parser splits it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any


class Page(HTMLParser):
    """Tags with the names of their attributes, in order; addresses; and the text of scripts and
    styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.structure: list[tuple[str, tuple[str, ...]]] = []
        self.addresses: list[str] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.data = ""
        self.policy = ""
        self.text = ""
        self._in: list[str] | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.structure.append((tag, tuple(values)))
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "style")]
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        if tag in ("script", "style"):
            self._in = self.scripts if tag == "script" else self.styles
            self._in.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._in = None

    def handle_data(self, data: str) -> None:
        if self._in is None:
            self.text += data
        else:
            self._in[-1] += data

    @property
    def document(self) -> dict[str, Any]:
        """What the page's script reads."""
        found: dict[str, Any] = json.loads(self.scripts[0])
        return found
