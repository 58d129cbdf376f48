"""The page of a run: one HTML file that fetches nothing.

Names of tables and columns are anybody's. In the template they are escaped by Jinja; to the page's
script they come as JSON, escaped for its place in HTML, and it makes text nodes of them. Should
both fail, the page's own policy lets no script run but those whose hashes it has, and nothing be
fetched (Content Security Policy Level 3).
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from prunescope.audit_jobs.report.document import report_document
from prunescope.audit_jobs.report.glossary import GLOSSARY
from prunescope.audit_jobs.report.summary import summary_of
from prunescope.audit_jobs.sinks.run_rows import RunRows
from prunescope.collectors.safe_text import plain_lines

_SCRIPTS = ("text", "dom", "funnel", "clustering", "timeline", "findings", "tables", "main")
"""Parts of one script, in order: each may use those before it when it is read."""


def render_page(rows: RunRows) -> str:
    """The report of a run. The same rows, in any order, make the same text."""
    chart, script, style = _chart(), _script(), _asset("assets/report.css")
    environment = Environment(autoescape=True, undefined=StrictUndefined, finalize=_readable)
    environment.policies["json.dumps_kwargs"] = {
        "separators": (",", ":"),
        "ensure_ascii": False,
        "allow_nan": False,
    }
    page: str = environment.from_string(_asset("assets/report.html.jinja")).render(
        summary=summary_of(rows),
        document=_readable(report_document(rows)),
        glossary=GLOSSARY,
        policy=_policy(chart, script, style),
        chart=Markup(chart),  # noqa: S704  # our own files
        script=Markup(script),  # noqa: S704
        style=Markup(style),  # noqa: S704
    )
    return page + "\n"


def _readable(value: Any) -> Any:
    """The text without characters that reorder or hide it."""
    match value:
        case Markup():
            return value
        case str():
            return plain_lines(value)
        case dict():
            return {_readable(name): _readable(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_readable(inner) for inner in value]
    return value


def _policy(chart: str, script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash(chart)} {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


@cache
def _chart() -> str:
    """Chart.js with its licence, and without the address of its source map, which browsers fetch
    when their tools are open."""
    licence = _asset("vendor/LICENSE.chart.js.md").strip()
    code = _asset("vendor/chart.umd.min.js").partition("//# sourceMappingURL=")[0].strip()
    return f"/*\n{licence}\n*/\n{code}\n"


@cache
def _script() -> str:
    parts = "\n".join(_asset(f"assets/{name}.js") for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


@cache
def _asset(name: str) -> str:
    return files("prunescope.audit_jobs.report").joinpath(name).read_text(encoding="utf-8")
