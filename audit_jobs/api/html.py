"""Answers in a notebook: tables of HTML that need no style sheet and no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from prunescope.collectors.safe_text import plain

_NUMBER = "text-align: right"
_TEXT = "text-align: left"


def table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[str] = ()
) -> str:
    """A table, all of whose cells are text; `numbers` are headings of columns of numbers."""
    styles = [_NUMBER if heading in numbers else _TEXT for heading in headings]
    head = "".join(
        f'<th style="{style}">{text(heading)}</th>'
        for heading, style in zip(headings, styles, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{style}">{text(cell)}</td>'
            for cell, style in zip(row, styles, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(written: str) -> str:
    """A paragraph of text."""
    return f"<p>{text(written)}</p>"


def code(written: str) -> str:
    """A paragraph of code."""
    return f"<pre>{text(written)}</pre>"


def text(written: str) -> str:
    """A text that no browser takes for markup."""
    return escape(plain(written))
