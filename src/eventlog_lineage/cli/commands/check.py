"""`check`: verify a store."""

from __future__ import annotations

import shlex

import click

from eventlog_lineage.cli.common import counted
from eventlog_lineage.cli.options import examples, store_option


@click.command(epilog=examples("check --store /data/lineage"))
@store_option
def command(store_dir: str) -> None:
    """Verify a store: its links, and of each version checksums, row counts and references between tables.

    Checksums find flipped bits in Parquet files and in the database. Row counts are compared between both. Everything
    that is wrong is printed, a line each. Exits with 1 if something is wrong, and names the command that repairs it.
    Reads all files, writes nothing, and needs no lock: a harvest may run meanwhile.
    """
    from eventlog_lineage.errors import StoreError  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.administration import check_store  # noqa: PLC0415

    found = check_store(store_dir)
    if found.flaws:
        for flaw in found.flaws:
            click.echo(flaw)
        count = counted(len(found.flaws), "flaw")
        raise StoreError(f"the store is damaged: {count}, the first: {found.flaws[0]}", store_dir, found.hint)
    click.echo(
        f"The store is whole: version {found.current} has {counted(found.rows, 'row')} in "
        f"{counted(found.files, 'file')}."
    )
    others = ", ".join(str(number) for number in found.versions if number != found.current)
    if others:
        click.echo(f"Other whole versions: {others}.")
    if found.skipped:
        click.echo(f"Not checked, for lack of permissions: {', '.join(map(str, found.skipped))}.")
    if found.moved_from:
        command = f"eventlog-lineage rebuild --store {shlex.quote(store_dir)}"
        click.echo(f"In DuckDB shells, views read {found.moved_from}: run `{command}`, or harvest, to repair them.")
