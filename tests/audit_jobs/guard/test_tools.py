"""Tools of agents, through the SDK's client: over stdio and over HTTP, each in a process."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from mcp import Client, StdioServerParameters

from tests.audit_jobs.guard.test_dry_runs import RANGE, WRAPPED
from tests.ports import free_port

COMMAND = [sys.executable, "-m", "prunescope.audit_jobs.cli"]
SESSION = {"engine": "trino-482", "catalog": "lake", "schema": "sales"}
CALLS: dict[str, dict[str, Any]] = {
    "dry_run": {"sql": WRAPPED, **SESSION},
    "explain": {"table": "lake.sales.orders", "where": "id = 250", "engine": "trino-482"},
    "check": {"texts": {"a.sql": WRAPPED, "b.sql": "SELECT FROM"}, **SESSION},
    "findings": {"table": "lake.sales.*", "limit": 1},
    "table_health": {"table": "lake.sales.orders"},
    "advise": {"table": "lake.sales.orders", "last": "2h"},
}
MISTAKES = {
    "dry_run": {"sql": "SELECT * FROM orderz", **SESSION},
    "explain": {"table": "lake.sales.orders", "where": "idd = 250"},
    "findings": {"severity": "hihg"},
}
MAX_CHARACTERS = 6_000


@pytest.fixture(scope="module")
def audited(lake: Path) -> Path:
    """The lake, whose log of another person's queries was audited, with their literals."""
    now = dt.datetime.now(dt.UTC)
    sql = WRAPPED.replace("orders", "lake.sales.orders")
    # The table is new: queries of before are only the adviser's, whose window ends with a minute.
    moments = (now - dt.timedelta(minutes=2), now)
    lines = [
        json.dumps({"sql": sql, "started_at": at.isoformat(), "query_id": f"{at:%H%M}-{number}"})
        for at in moments
        for number in range(20)
    ]
    (lake / "now.jsonl").write_text("\n".join(lines))
    configuration = yaml.safe_load((lake / "everything.yaml").read_text())
    configuration["sources"][0]["paths"] = [f"{lake}/now.jsonl"]
    (lake / "mcp.yaml").write_text(yaml.safe_dump({**configuration, "literals": "keep"}))
    window = ["--today", "--runner", "local"]
    command = [*COMMAND, "audit", "--config", "mcp.yaml", *window]
    done = subprocess.run(command, cwd=lake, check=False, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return lake


async def _called(client: Client, calls: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {name: await client.call_tool(name, arguments) for name, arguments in calls.items()}


@pytest.mark.slow
def test_an_agent_asks_over_stdio(audited: Path) -> None:
    async def ask() -> tuple[Any, dict[str, Any], dict[str, Any]]:
        arguments = [*COMMAND[1:], "mcp", "--config", "mcp.yaml"]
        server = StdioServerParameters(
            command=COMMAND[0], args=arguments, cwd=audited, env={**os.environ}
        )
        async with Client(server) as client:
            listed = await client.list_tools()
            return listed.tools, await _called(client, CALLS), await _called(client, MISTAKES)

    tools, answers, mistakes = asyncio.run(ask())
    assert {tool.name for tool in tools} == set(CALLS)
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
    found = {}
    for name, answer in answers.items():
        text = answer.content[0].text
        assert not answer.is_error, text
        assert len(text) < MAX_CHARACTERS, name
        found[name] = json.loads(text)

    planned = found["dry_run"]
    assert (planned["files"], planned["class"]) == (8, "precise")
    [wrapped] = [one for one in planned["findings"] if one["cause"] == "wrapped_column"]
    assert "2024-04-29" in wrapped["places"][0]["replacement"]
    assert found["explain"]["data_files"] == {"total": 8, "kept": 1}
    assert [one["outcome"] for one in found["check"]["files"]] == ["replayed", "unparseable"]
    [health] = found["table_health"]["tables"]
    assert health["data_files"] == 8
    [first] = found["findings"]["findings"]
    assert first["table_name"] == "lake.sales.orders"
    assert found["advise"]["tables"][0]["table"] == "lake.sales.orders"
    for name in ("findings", "advise"):
        assert "2024-04-29" not in answers[name].content[0].text, "a literal of somebody's query"

    assert all(answer.is_error for answer in mistakes.values())
    assert "did you mean orders" in mistakes["dry_run"].content[0].text
    assert "did you mean id" in mistakes["explain"].content[0].text
    assert "did you mean high" in mistakes["findings"].content[0].text


@pytest.mark.slow
def test_an_agent_asks_over_http(lake: Path) -> None:
    port = free_port()
    command = [*COMMAND, "mcp", "--http", "--port", str(port)]
    with subprocess.Popen(command, cwd=lake, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            assert b"listening" in process.stderr.readline()
            url = f"http://127.0.0.1:{port}/mcp"

            async def ask() -> Any:
                async with Client(url) as client:
                    return await client.call_tool("dry_run", {"sql": RANGE, **SESSION})

            answer = asyncio.run(ask())
            assert json.loads(answer.content[0].text)["files"] == 1
            page = httpx.post(url, json={}, headers={"Origin": "http://evil"})
            assert page.json()["error"] == "not_local"
        finally:
            process.terminate()
