"""`completion`: the script with which a shell completes commands, options and names."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples

_SHELLS = ("bash", "zsh", "fish")


@click.command(epilog=examples("completion bash >> ~/.bashrc", "completion fish | source"))
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script with which SHELL completes commands, options, and names of the store's datasets and columns."""
    from click.shell_completion import ShellComplete, get_completion_class  # noqa: PLC0415 - only this needs it

    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root()
    name = root.info_name or "eventlog-lineage"
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()
    click.echo(ShellComplete.source(kind(root.command, {}, name, variable)))  # BashComplete's own runs bash
