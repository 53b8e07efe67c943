"""What the formats of `export` share: which runs, and where the text goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from eventlog_lineage.cli.options import read_time
from eventlog_lineage.errors import LineageError
from eventlog_lineage.safe_text import escape_controls

if TYPE_CHECKING:
    from eventlog_lineage.export.runs import Selection

_Function = TypeVar("_Function", bound=Callable[..., Any])


def out_option(function: _Function) -> _Function:
    """Add `--out FILE`, which a command gets as `out`; None for standard output."""
    return click.option(
        "--out",
        metavar="FILE",
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
    """Add `--since WHEN` and `--all-runs`, which a command gets as `since` and `all_runs`."""
    since = click.option(
        "--since",
        metavar="WHEN",
        callback=lambda _, __, text: None if text is None else read_time(text, datetime.now(timezone.utc)),
        help="Every run that started since then: 2026-11-20, 2026-11-20T04:00, 24h, 7d.",
    )
    every = click.option(
        "--all-runs", is_flag=True, help="Every run.  [default: the last succeeded run of each job and target]"
    )
    return since(every(function))


def selected_runs(since: datetime | None, all_runs: bool) -> Selection:
    """Return the selection that the options ask for.

    Args:
        since: The time of `--since`; None without it.
        all_runs: Whether `--all-runs` is set.

    Raises:
        UsageError: Both are given.
    """
    from eventlog_lineage.export.runs import Selection  # noqa: PLC0415 - help needs none of it

    if since is not None and all_runs:
        raise click.UsageError("--since and --all-runs exclude each other")
    return Selection(since, all_runs)


def write_text(out: Path | None, texts: Iterable[str]) -> None:
    """Write texts to a file or standard output.

    Args:
        out: The file; None for standard output. It is replaced as a whole, or left as it is.
        texts: Written one after the other.

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
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        partial.replace(out)
    finally:
        with suppress(OSError):
            partial.unlink()


def warn(message: str) -> None:
    """Print a warning, a line on stderr."""
    click.echo(escape_controls(f"Warning: {message}"), err=True)
