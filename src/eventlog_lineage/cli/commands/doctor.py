"""`doctor` and `pack`: what a harvest needs, checked here and bundled for executors."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import click

from eventlog_lineage.cli.configuration import setting_argument
from eventlog_lineage.cli.options import examples, output_option, spark_options, store_option
from eventlog_lineage.cli.output import Shown
from eventlog_lineage.cli.question import in_form, output_options
from eventlog_lineage.errors import LineageError, UsageError
from eventlog_lineage.model import Check

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
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    checks = [
        *_of_spark(master, settings, pack, start=not no_spark),
        *_of_store(store_dir),
        *_of_sources(sources),
    ]
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
    found = [check_java_version(master), check_spark_version()]
    yield from found
    if not start or any(each.status == "failed" for each in found):
        return
    try:
        yield from check_spark_start(master, settings, pack)
    except LineageError as error:
        yield Check("spark", "failed", f"{error.what} ({error.where})" if error.where else error.what, error.hint)


def _of_store(store_dir: str) -> Iterator[Check]:
    from eventlog_lineage.store.administration import (  # noqa: PLC0415 - help needs none of it
        check_remote_store,
        check_store_state,
        check_temporary_folder,
    )
    from eventlog_lineage.store.remote.address import remote_url, store_folder  # noqa: PLC0415

    yield check_temporary_folder()
    if url := remote_url(store_dir):
        yield from check_remote_store(url)
    else:
        yield from check_store_state(store_folder(store_dir).absolute(), datetime.now(timezone.utc))


def _of_sources(sources: tuple[str, ...]) -> Iterator[Check]:
    from eventlog_lineage.events.sources.discovery import check_sources  # noqa: PLC0415 - help needs none of it

    yield from check_sources(sources, round(time.time() * 1000))


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
