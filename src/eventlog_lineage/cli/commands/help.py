"""`help [COMMAND]`: the help of the program or of a command."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples


@click.command(epilog=examples("help", "help upstream", "help export openlineage"))
@click.argument("names", nargs=-1, metavar="[COMMAND]")
@click.pass_context
def command(context: click.Context, names: tuple[str, ...]) -> None:
    """Show the help of the program, or of COMMAND."""
    place = context.find_root()
    for name in names:
        if not isinstance(place.command, click.Group):
            raise click.UsageError(f"{place.command_path} has no commands", place)
        _, found, _ = place.command.resolve_command(place, [name])
        assert found is not None
        place = click.Context(found, parent=place, info_name=name)
    click.echo(place.get_help())
