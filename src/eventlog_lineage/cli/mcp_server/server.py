"""The server: the tools of a store under the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from eventlog_lineage import __version__
from eventlog_lineage.errors import LineageError

from .pages import Page
from .tools import StoreTools

TOOLS = ("find", "columns", "upstream", "downstream", "impact", "changes", "unused", "gaps", "sql")

_INSTRUCTIONS = """Table and column lineage of Spark jobs, read from their event logs. Names are `dataset` or
`dataset.column`; an ending is enough where only one dataset has it: call `find` first if unsure. Every answer has
`total`, `returned`, `truncated` and `next_offset`: if `truncated` is true, call again with `offset` = `next_offset`
before you conclude that something is missing. `confidence` counts rows by how sure their lineage is (`exact`,
`inferred`, `opaque`), `harvest` shows how old the store is. `gaps` lists what could not be resolved."""


def lineage_server(store_dir: str) -> MCPServer:
    """Return a server with the tools of a store; its `run()` serves standard input and output until that ends.

    Args:
        store_dir: The store's folder.
    """
    server = MCPServer("eventlog-lineage", version=__version__, instructions=_INSTRUCTIONS, log_level="WARNING")
    tools = StoreTools(store_dir)
    for name in TOOLS:
        method = getattr(tools, name)
        server.tool(name, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))(_reporting(method))
    return server


def _reporting(ask: Callable[..., Page]) -> Callable[..., Page]:
    """Return a tool whose errors are the program's own words, in one line."""

    @wraps(ask)
    def tool(*words: Any, **options: Any) -> Page:
        try:
            return ask(*words, **options)
        except LineageError as error:
            raise ToolError(str(error)) from None
        except click.BadParameter as error:
            raise ToolError(error.message) from None

    setattr(tool, "__signature__", inspect.signature(ask, eval_str=True))  # noqa: B010 - the SDK reads it
    return tool
