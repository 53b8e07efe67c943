"""Commands about the commands, and for agents: `completion`, `help`, `mcp`."""

from __future__ import annotations

import click

from eventlog_lineage.cli.question import examples, store_option
from eventlog_lineage.errors import UsageError

_SHELLS = ("bash", "zsh", "fish")


@click.command(epilog=examples("completion bash >> ~/.bashrc", "completion fish | source"))
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script with which SHELL completes commands, options, and names of the store's datasets and columns."""
    from click.shell_completion import ShellComplete, get_completion_class  # noqa: PLC0415 - only this needs it

    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root()
    name = root.info_name or "eventlog-lineage"
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()
    click.echo(ShellComplete.source(kind(root.command, {}, name, variable)))  # BashComplete's own runs bash


@click.command(epilog=examples("help", "help upstream", "help export openlineage"))
@click.argument("names", nargs=-1, metavar="[COMMAND]")
@click.pass_context
def help_command(context: click.Context, names: tuple[str, ...]) -> None:
    """Show the help of the program, or of COMMAND."""
    place = context.find_root()
    for name in names:
        if not isinstance(place.command, click.Group):
            raise click.UsageError(f"{place.command_path} has no commands", place)
        _, found, _ = place.command.resolve_command(place, [name])
        assert found is not None
        place = click.Context(found, parent=place, info_name=name)
    click.echo(place.get_help())


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
