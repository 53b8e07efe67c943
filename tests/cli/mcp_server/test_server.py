"""The server for agents, asked by the protocol's own client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from eventlog_lineage.cli.mcp_server.tools import StoreTools
from eventlog_lineage.errors import LineageError, QueryError
from support.stores.shop import open_shop

if TYPE_CHECKING:
    from mcp import Client


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("agents") / "store"
    open_shop(folder)
    return str(folder)


def _tools() -> list[str]:
    from eventlog_lineage.cli.mcp_server.server import TOOLS  # noqa: PLC0415 - imports mcp

    return sorted(TOOLS)


def asked(store: str, talk: Callable[[Client], Awaitable[Any]]) -> Any:
    """Start the command as an agent's client does, and talk to it."""
    from mcp import Client  # noqa: PLC0415 - each worker collects all tests
    from mcp.client.stdio import StdioServerParameters  # noqa: PLC0415

    server = StdioServerParameters(command=sys.executable, args=["-m", "eventlog_lineage", "mcp", "--store", store])

    async def session() -> Any:
        async with Client(server, read_timeout_seconds=60) as client:
            return await talk(client)

    with ThreadPoolExecutor(1) as thread:  # Playwright's tests leave a running event loop in theirs
        return thread.submit(lambda: asyncio.run(session())).result()


def test_an_agents_client_finds_the_tools_follows_lineage_and_reads_errors(store: str) -> None:
    async def talk(client: Client) -> Any:
        return (
            await client.list_tools(),
            await client.call_tool("upstream", {"name": "sales.daily_sales.revenue"}),
            await client.call_tool("upstream", {"name": "sales.dayly.revenue"}),
            await client.call_tool("sql", {"query": "COPY (SELECT 1) TO '/tmp/leak.csv'"}),
        )

    listed, lineage, unknown, writing = asked(store, talk)
    assert sorted(tool.name for tool in listed.tools) == _tools()
    assert all(tool.annotations.read_only_hint for tool in listed.tools)
    answer = lineage.structured_content
    assert answer["returned"] == answer["total"] == len(answer["rows"]) > 0
    assert answer["harvest"]["finished_at"]
    assert unknown.is_error
    assert "no dataset or column of the store is called sales.dayly.revenue" in unknown.content[0].text
    assert writing.is_error
    assert not Path("/tmp/leak.csv").exists()


NOW = datetime(2026, 11, 22, tzinfo=timezone.utc)


def test_every_tool_answers_over_the_shops_store(store: str) -> None:
    tools = StoreTools(store, lambda: NOW)
    answers = {
        "find": tools.find("revenue"),
        "columns": tools.columns("sales.daily_sales"),
        "upstream": tools.upstream("sales.daily_sales.revenue", direct_only=True),
        "downstream": tools.downstream("staging.orders"),
        "impact": tools.impact(["staging.orders.amount", "staging.orders.discount"]),
        "changes": tools.changes("2000-01-01"),
        "unused": tools.unused("2000-01-01"),
        "gaps": tools.gaps(),
        "sql": tools.sql("SELECT count(*) AS edges FROM column_lineage"),
    }
    assert sorted(answers) == _tools()
    assert {name for name, answer in answers.items() if not answer["rows"]} <= {"gaps"}
    asked = {f"spark_catalog.staging.orders.{name}" for name in ("amount", "discount")}
    assert {row["changed"] for row in answers["impact"]["rows"]} <= asked
    assert answers["upstream"]["confidence"]
    assert "not seen" in answers["unused"]["note"]


def test_a_query_that_runs_too_long_is_stopped_with_advice(store: str) -> None:
    slow = "SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE a.range + b.range < c.range"
    with pytest.raises(QueryError, match=r"takes longer than 0\.2 s; add a filter or a LIMIT"):
        StoreTools(store, lambda: NOW, seconds=0.2).sql(slow)


@pytest.mark.parametrize(
    "query", ["DROP TABLE gaps", "SELECT * FROM read_csv('/etc/passwd')", "", "ATTACH '/tmp/x.db'"]
)
def test_a_query_that_does_more_than_read_the_store_is_refused(store: str, query: str) -> None:
    with pytest.raises(LineageError):
        StoreTools(store, lambda: NOW).sql(query)
