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
    """Make the newest version of a store whole, or version N.

    Repairs the store's links. Replaces damaged files by their intact copies in other versions. Where there is no copy,
    writes the Parquet files again from the database, or makes the database again from the Parquet files, as a new
    version; where both are damaged, goes back to an older version. Deletes nothing: other versions stay until the next
    harvest publishes a new one, and files that replaced links are moved to a separate folder. The next harvest reads
    again what the restored version does not have.
    """
    from eventlog_lineage.store.integrity.remedies import Remedy  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.integrity.restoring import restore  # noqa: PLC0415

    restored = restore(store_dir, number)
    made = {
        Remedy.WRITE_PARQUET: f": the Parquet files of version {restored.source}, written again from its database",
        Remedy.MAKE_DATABASE: f": the database of version {restored.source}, made again from its Parquet files",
    }
    again = made.get(restored.remedy, "") if restored.number != restored.source else ""
    files = "1 damaged file has" if restored.replaced == 1 else f"{restored.replaced} damaged files have"
    replaced = f"; {files} the intact content again" if restored.replaced else ""
    aside = f"; files that do not belong to the store are in {restored.aside}" if restored.aside else ""
    click.echo(f"Version {restored.number} is current{again}{replaced}{aside}.")
