"""`declare FILE...`: owners, dashboards, tags and edges of files into a store, without a harvest."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, store_option


@click.command(
    epilog=examples(
        "declare owners.toml target/manifest.json --store /data/lineage", "declare --none --store /data/lineage"
    )
)
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False), metavar="FILE...")
@click.option("--none", "is_empty", is_flag=True, help="Drop what was declared before.")
@store_option
def command(files: tuple[str, ...], is_empty: bool, store_dir: str) -> None:
    """Declare owners, descriptions, dashboards, tags and edges, in place of those that the store has.

    A FILE is a TOML file, a CSV file of edges, or dbt's manifest.json or schema.yml; `harvest --declared FILE` does the
    same in a harvest. Needs no Spark.
    """
    from eventlog_lineage.library.harvests import declare  # noqa: PLC0415 - help needs none of it

    if bool(files) == is_empty:
        raise click.UsageError("Give FILES or --none")
    found = declare(files, store_dir)
    click.echo(f"{len(found.things)} declarations, {len(found.edges)} edges, {len(found.rules)} rules for tags")
