"""`restore`: go back to a whole version of a store."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, store_option


@click.command(epilog=examples("restore --store /data/lineage", "restore --store /data/lineage --version 41"))
@click.option(
    "--version", "number", type=click.IntRange(1), metavar="N", help="The version; the newest whole one if not given."
)
@store_option
def command(number: int | None, store_dir: str) -> None:
    """Go back to the newest whole version of a store, or to version N.

    Repairs the store's links. Of a version whose database is intact and whose other files are not, writes the Parquet
    files again, as a new version. Deletes nothing: other versions stay until the next harvest publishes a new one, and
    files that replaced links are moved to a separate folder. The next harvest reads again what the restored
    version does not have.
    """
    from eventlog_lineage.store.integrity.restoring import restore  # noqa: PLC0415 - help needs none of it

    restored = restore(store_dir, number)
    aside = f"; files in the place of links are in {restored.aside}" if restored.aside else ""
    again = f": the Parquet files of version {restored.source}, written again from its database"
    click.echo(f"Version {restored.number} is current{again if restored.number != restored.source else ''}{aside}.")
