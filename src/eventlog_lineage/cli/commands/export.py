"""`export FORMAT`: the store in other systems' formats; each format is a module of `cli/exports`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click

from eventlog_lineage.cli import exports
from eventlog_lineage.cli.common import WholeSummaries, debug_option
from eventlog_lineage.cli.options import examples


def _formats() -> dict[str, click.Command]:
    """Return the name of each format and its command."""
    modules = sorted(module.name for module in iter_modules(exports.__path__))
    found = {name: getattr(import_module(f"{exports.__name__}.{name}"), "command", None) for name in modules}
    return {name: each for name, each in found.items() if isinstance(each, click.Command)}


@click.group(
    cls=WholeSummaries,
    commands=_formats(),
    params=[debug_option()],
    help="Write the store's lineage in another system's format.",
    epilog=examples("export openlineage --output events.ndjson", "export csv > lineage.csv"),
    context_settings={"max_content_width": 100},
    invoke_without_command=True,
    no_args_is_help=False,
)
@click.pass_context
def command(context: click.Context) -> None:
    """Show the formats, if none is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
