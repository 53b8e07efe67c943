"""`mcp`: answers to agents, over the Model Context Protocol."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, store_option
from eventlog_lineage.errors import UsageError


@click.command(epilog=examples("mcp --store /var/lib/lineage"))
@store_option
def mcp_command(store_dir: str) -> None:
    """Serve the store to an agent on standard input and output (Model Context Protocol).

    The agent's client starts this command. Its tools only read: find, columns, upstream, downstream, impact, changes,
    unused, gaps, sql.

    \b
    See https://github.com/eventlog-lineage/eventlog-lineage/blob/main/docs/agents.md
    """  # noqa: D301 - click does not wrap a paragraph after it
    try:
        from eventlog_lineage.cli.mcp_server import lineage_server  # noqa: PLC0415 - an extra
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "mcp":
            raise
        raise UsageError("the package mcp is not installed", hint="pip install 'eventlog-lineage[mcp]'") from None
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415 - help needs none of it

    with open_store(store_dir):
        pass  # a missing or damaged store is an error now, not at the first question
    lineage_server(store_dir).run()
