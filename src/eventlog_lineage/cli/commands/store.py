"""Commands that look after a store and the machine: `check`, `restore`, `rebuild`, `declare`, `doctor`, `pack`."""

from __future__ import annotations

import shlex
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import click

from eventlog_lineage.cli.common import setting_argument
from eventlog_lineage.cli.output import Shown
from eventlog_lineage.cli.question import examples, in_form, output_option, output_options, spark_options, store_option
from eventlog_lineage.errors import LineageError, StoreError, UsageError
from eventlog_lineage.model import Check
from eventlog_lineage.safe_text import counted


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
    from eventlog_lineage.store.remote.storage import remote_url  # noqa: PLC0415

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

    Repairs the store's links. Makes a new version of what is intact of a damaged one: copies in other versions, Parquet
    files that are written again from the database, or a database made again from the Parquet files; where too much is
    damaged, goes back to an older version. Deletes nothing: other versions stay until the next harvest publishes a new
    one, and files that replaced links are moved to a separate folder. The next harvest reads again what the restored
    version does not have.

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
        Remedy.TAKE_COPIES: f": version {restored.source}, with intact copies of its damaged files",
        Remedy.WRITE_PARQUET: f": the Parquet files of version {restored.source}, written again from its database",
        Remedy.MAKE_DATABASE: f": the database of version {restored.source}, made again from its Parquet files",
    }
    aside = f"; files that do not belong to the store are in {restored.aside}" if restored.aside else ""
    click.echo(f"Version {restored.number} is current{made.get(restored.remedy, '')}{aside}.")


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
    counts = ((found.things, "declaration"), (found.edges, "edge"), (found.rules, "tag rule"))
    click.echo(", ".join(counted(len(each), noun) for each, noun in counts))


_COLUMNS = ("check", "status", "detail", "hint")


@click.command(
    epilog=examples(
        "doctor /var/log/spark/apps --store /data/lineage",
        "doctor hdfs:///spark-logs --master yarn --store /data/lineage --json",
        "doctor --no-spark",
    )
)
@setting_argument("sources", nargs=-1, metavar="[SOURCE]...")
@store_option
@spark_options
@click.option("--no-spark", is_flag=True, help="Do not start Spark: its version is checked only.")
@output_options()
def doctor_command(  # noqa: PLR0913 - the options of the command
    *,
    sources: tuple[str, ...],
    store_dir: str,
    master: str | None,
    settings: dict[str, str],
    pack: str | None,
    no_spark: bool,
    form: str | None,
    as_json: bool,
    output: str,
) -> Shown:
    """Check what a harvest needs: Java, Spark, the store, the sources and the clock.

    Prints a line for each check: `ok`, `warning` or `failed`, what was found, and what to do. Starts Spark as a harvest
    with the same options does, and asks an executor for its Python and its packages. Changes nothing. Exits with 1 if
    a check failed.
    """
    from eventlog_lineage.events.sources.discovery import check_sources  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    checks = [*_of_spark(master, settings, pack, start=not no_spark), *_of_store(store_dir)]
    checks += check_sources(sources, round(time.time() * 1000))
    rows: list[tuple[object, ...]] = [(each.subject, each.status, each.detail, each.hint) for each in checks]
    code = 1 if any(each.status == "failed" for each in checks) else 0
    answer = Answer(_COLUMNS, rows, ("VARCHAR",) * len(_COLUMNS))
    return in_form(Shown(answer, code=code), "json" if as_json else form, output)


def _of_spark(master: str | None, settings: dict[str, str], pack: str | None, *, start: bool) -> Iterator[Check]:
    from eventlog_lineage import __version__  # noqa: PLC0415 - help needs none of it

    yield Check("program", "ok", f"eventlog-lineage {__version__}")
    try:
        from eventlog_lineage.harvest.spark.spark_checks import (  # noqa: PLC0415
            check_java_version,
            check_spark_start,
            check_spark_version,
        )
    except UsageError as error:
        yield Check("pyspark", "failed", error.what, error.hint)
        return
    found = [check_java_version(), check_spark_version()]
    yield from found
    if not start or any(each.status == "failed" for each in found):
        return
    try:
        yield from check_spark_start(master, settings, pack)
    except LineageError as error:
        yield Check("spark", "failed", f"{error.what} ({error.where})" if error.where else error.what, error.hint)


def _of_store(store_dir: str) -> Iterator[Check]:
    from eventlog_lineage.store.administration import (  # noqa: PLC0415 - help needs none of it
        check_disk,
        check_remote_store,
        check_store_state,
    )
    from eventlog_lineage.store.remote.storage import remote_url, store_folder  # noqa: PLC0415

    yield check_disk(Path(tempfile.gettempdir()), "temporary folder")
    if url := remote_url(store_dir):
        yield from check_remote_store(url)
    else:
        yield from check_store_state(store_folder(store_dir).absolute(), datetime.now(timezone.utc))


@click.command(
    epilog=examples(
        "pack",
        "pack --platform manylinux2014_aarch64 --python 3.11 --output arm.tar.gz",
        "harvest hdfs:///spark-logs --master yarn --pack eventlog-lineage.tar.gz --store /data/lineage",
    )
)
@output_option(
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("eventlog-lineage.tar.gz"),
    show_default=True,
    help="The archive; it is replaced when everything is written.",
)
@click.option("--platform", metavar="NAME", default="", help="The executors' machines, as pip names them.")
@click.option("--python", metavar="VERSION", default="", help="The executors' Python; with --platform.")
def pack_command(*, out: Path, platform: str, python: str) -> None:
    """Bundle Python dependencies for executors: an archive with this program and what it imports there.

    It has this program and the packages that it imports there, as they are installed here: for machines of the same
    kind with the same Python. With --platform, pip fetches them for other machines. `harvest --pack FILE` sends the
    archive to the executors.
    """
    from eventlog_lineage.harvest.spark.spark_checks import write_pack  # noqa: PLC0415

    if python and not platform:
        raise UsageError("--python needs --platform", hint="name the executors' machines: manylinux2014_x86_64")
    write_pack(out, platform, python)
    click.echo(f"{out}: {out.stat().st_size / 1e6:.0f} MB")
