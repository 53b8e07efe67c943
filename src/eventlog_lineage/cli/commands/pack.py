"""`pack`: write the archive for a cluster's executors."""

from __future__ import annotations

from pathlib import Path

import click

from eventlog_lineage.cli.options import examples, output_option


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
def command(*, out: Path, platform: str, python: str) -> None:
    """Bundle Python dependencies for executors: an archive with this program and what it imports there.

    It has this program and the packages that it imports there, as they are installed here: for machines of the same
    kind with the same Python. With --platform, pip fetches them for other machines. `harvest --pack FILE` sends the
    archive to the executors.
    """
    from eventlog_lineage.errors import UsageError  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.harvest.spark.executor_pack import write_pack  # noqa: PLC0415

    if python and not platform:
        raise UsageError("--python needs --platform", hint="name the executors' machines: manylinux2014_x86_64")
    write_pack(out, platform, python)
    click.echo(f"{out}: {out.stat().st_size / 1e6:.0f} MB")
