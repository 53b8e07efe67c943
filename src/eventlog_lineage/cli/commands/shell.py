"""`completion` and `help`: commands about the commands."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples

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
