"""What the formats of `export` share: which runs, and where the text goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from eventlog_lineage.cli.options import output_option, read_by
from eventlog_lineage.errors import LineageError
from eventlog_lineage.output_file import replaced
from eventlog_lineage.user_times import read_time

if TYPE_CHECKING:
    from eventlog_lineage.export.runs import Selection

_Function = TypeVar("_Function", bound=Callable[..., Any])


def out_option(function: _Function) -> _Function:
    """Add `--output FILE`, which a command gets as `out`; None for standard output."""
    return output_option(
        "out",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=lambda _, __, path: None if path is None or str(path) == "-" else path,
        help="Write to FILE instead of standard output; FILE is replaced when everything is written.",
    )(function)


def parquet_option(function: _Function) -> _Function:
    """Add `--parquet LOCATION`, which a command gets as `parquet`; empty for dashboards over `lineage.duckdb`."""
    return click.option(
        "--parquet",
        metavar="LOCATION",
        default="",
        help="Read the store's Parquet files below LOCATION, a path or an address such as s3://bucket/lineage, "
        "instead of lineage.duckdb.",
    )(function)


def run_options(function: _Function) -> _Function:
    """Add `--since`, `--all-runs`, `--job`, `--exclude-job` and `--application`: the fields of a `Selection`."""
    since = click.option(
        "--since",
        metavar="WHEN",
        callback=read_by(read_time),
        help="Every run that started since then: 2026-11-20, 2026-11-20T04:00, 24h, 7d.",
    )
    every = click.option(
        "--all-runs", is_flag=True, help="Every run.  [default: the last succeeded run of each job and target]"
    )
    globs = (
        ("--application", "applications", "Only applications whose name or id matches GLOB; repeatable."),
        ("--exclude-job", "excluded_jobs", "No jobs whose name matches GLOB; repeatable."),
        ("--job", "jobs", "Only jobs whose name matches GLOB, such as 'nightly-*'; repeatable."),
    )
    for name, field, text in globs:
        function = click.option(name, field, multiple=True, metavar="GLOB", help=text)(function)
    return since(every(function))


def selected_runs(options: dict[str, Any]) -> Selection:
    """Return the selection that the options of `run_options` ask for, which are taken out of them.

    Raises:
        UsageError: `--since` and `--all-runs` are both given.
    """
    from eventlog_lineage.export.runs import Selection  # noqa: PLC0415 - help needs none of it

    if options["since"] is not None and options["all_runs"]:
        raise click.UsageError("--since and --all-runs exclude each other")
    names = [each.name for each in fields(Selection) if each.name in options]
    return Selection(**{name: options.pop(name) for name in names})


def write_text(out: Path | None, texts: Iterable[str]) -> None:
    """Write texts to a file or standard output.

    Args:
        out: The file; None for standard output. It is replaced as a whole, or left as it is.

    Raises:
        LineageError: The file cannot be written.
    """
    try:
        with _opened(out) as stream:
            stream.writelines(texts)
            stream.flush()
    except BrokenPipeError:  # whoever read has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise LineageError(f"cannot write: {error.strerror or error}", str(out or "standard output")) from error


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    if out is None:
        yield sys.stdout
        return
    with replaced(out) as written, written.open("w", encoding="utf-8", newline="") as stream:
        yield stream
