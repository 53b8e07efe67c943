"""Commands that check or change a store without a harvest: `check`, `restore`, `declare`."""

from __future__ import annotations

import shlex

import click

from eventlog_lineage.cli.common import counted
from eventlog_lineage.cli.options import examples, store_option
from eventlog_lineage.errors import StoreError


@click.command(epilog=examples("check --store /data/lineage"))
@store_option
def check_command(store_dir: str) -> None:
    """Verify a store: its links, and of each version checksums, row counts and references between tables.

    Checksums find flipped bits in Parquet files and in the database. Row counts are compared between both. Everything
    that is wrong is printed, a line each. Exits with 1 if something is wrong, and names the command that repairs it.
    Reads all files, writes nothing, and needs no lock: a harvest may run meanwhile.
    """
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
def restore_command(number: int | None, rebuild: bool, store_dir: str) -> None:
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


@click.command(epilog=examples("rebuild --store /data/lineage"))
@store_option
def rebuild_command(store_dir: str) -> None:
    """Make lineage.duckdb again from the Parquet files of the store alone, as a new version.

    `restore --rebuild` is the same.
    """
    rebuild_store(store_dir)


@click.command(
    epilog=examples(
        "declare owners.toml target/manifest.json --store /data/lineage", "declare --none --store /data/lineage"
    )
)
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False), metavar="FILE...")
@click.option("--none", "is_empty", is_flag=True, help="Drop what was declared before.")
@store_option
def declare_command(files: tuple[str, ...], is_empty: bool, store_dir: str) -> None:
    """Declare owners, descriptions, dashboards, tags and edges, in place of those that the store has.

    A FILE is a TOML file, a CSV file of edges, or dbt's manifest.json or schema.yml; `harvest --declared FILE` does the
    same in a harvest. Needs no Spark.
    """
    from eventlog_lineage.library.harvests import declare  # noqa: PLC0415 - help needs none of it

    if bool(files) == is_empty:
        raise click.UsageError("Give FILES or --none")
    found = declare(files, store_dir)
    click.echo(f"{len(found.things)} declarations, {len(found.edges)} edges, {len(found.rules)} rules for tags")
