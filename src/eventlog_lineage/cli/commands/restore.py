"""`restore`: go back to a whole version of a store."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, store_option


def rebuild_store(store_dir: str) -> None:
    """Make the database of a store again from its Parquet files, and print the version."""
    from eventlog_lineage.store.administration import rebuild  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.remote.address import remote_url  # noqa: PLC0415

    where = "the objects of the store" if remote_url(store_dir) else "the folder that the store is in"
    click.echo(f"Version {rebuild(store_dir)} is current: its views lead to {where}.")


@click.command(
    epilog=examples(
        "restore --store /data/lineage",
        "restore --store /data/lineage --version 41",
        "restore --store /data/lineage --rebuild",
    )
)
@click.option(
    "--version", "number", type=click.IntRange(1), metavar="N", help="The version; the newest whole one if not given."
)
@click.option(
    "--rebuild", is_flag=True, help="Make lineage.duckdb of the newest version again, from its Parquet files alone."
)
@store_option
def command(number: int | None, rebuild: bool, store_dir: str) -> None:
    """Repair the newest version of a store, or go back to version N.

    Repairs the store's links. Replaces damaged files by their intact copies in other versions. Where there is no copy,
    writes the Parquet files again from the database, or makes the database again from the Parquet files, as a new
    version; where both are damaged, goes back to an older version. Deletes nothing: other versions stay until the next
    harvest publishes a new one, and files that replaced links are moved to a separate folder. The next harvest reads
    again what the restored version does not have.

    --rebuild is for a database that is damaged, and for a store that was moved or copied: its views over the runs have
    absolute paths, which DuckDB shells follow. Commands of this program read a moved store without it, and the next
    harvest writes new views, too.
    """
    if rebuild:
        if number is not None:
            raise click.UsageError("--rebuild takes the newest version: leave out --version")
        rebuild_store(store_dir)
        return
    from eventlog_lineage.store.administration import restore  # noqa: PLC0415
    from eventlog_lineage.store.versions.repair import Remedy  # noqa: PLC0415 - help needs none of it

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
