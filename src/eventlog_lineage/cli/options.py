"""Options that several commands share."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeVar

import click

from eventlog_lineage.errors import UsageError
from eventlog_lineage.user_times import read_time

from .configuration import setting

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Value = TypeVar("_Value")

_STORE_HELP = "Store directory or URL; a question takes several."


def store_option(function: _Function) -> _Function:
    """Add `--store DIR`, which a command gets as `store_dir`."""
    return setting(
        "--store",
        "store_dir",
        metavar="DIR",
        default="lineage",
        show_default="EVENTLOG_LINEAGE_STORE or ./lineage",
        callback=lambda _, __, store: _canonical(store),
        help=_STORE_HELP,
    )(function)


def _canonical(store: str) -> str:
    from eventlog_lineage.store.remote.address import store_name  # noqa: PLC0415 - help needs none of it

    return store_name(store)


class _StoreType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A store's folder; the environment variable names one store, whatever characters are in its name."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def split_envvar_value(self, rv: str) -> list[str]:
        return [rv]


def stores_option(function: _Function) -> _Function:
    """Add `--store DIR`, once or several times, which a command gets as `stores`."""
    return setting(
        "--store",
        "stores",
        metavar="DIR",
        type=_StoreType(),
        multiple=True,
        default=("lineage",),
        show_default="EVENTLOG_LINEAGE_STORE or ./lineage",
        callback=lambda _, __, stores: tuple(dict.fromkeys(map(_canonical, stores))),
        help=_STORE_HELP,
    )(function)


def masking_function_option(function: _Function) -> _Function:
    """Add `--masking-function NAME`, repeatable, which a command gets as `masking_function`."""
    return setting(
        "--masking-function",
        multiple=True,
        metavar="NAME",
        help="A function that masks, in addition to Spark's hashes and mask: a UDF, aes_encrypt, a class; repeatable.",
    )(function)


class _OutputOption(click.Option):
    """`--output FILE`; its former name `--out` works and is not shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return its line of the help."""
        shown = copy.copy(self)
        shown.opts = [name for name in self.opts if name != "--out"]
        return click.Option.get_help_record(shown, ctx)


def output_option(name: str, **facts: Any) -> Callable[[_Function], _Function]:
    """Return the option `--output FILE` under the name that a command gets it by."""
    return click.option("--output", "-o", "--out", name, cls=_OutputOption, metavar="FILE", **facts)


def due_option(function: _Function) -> _Function:
    """Add `--due NAME=SPAN`, repeatable, which a command gets as `due`."""
    return setting(
        "--due",
        multiple=True,
        metavar="NAME=SPAN",
        help="Longest time between two writes of a dataset, in place of its usual interval: sales.daily=26h, "
        "gold.*=1d; repeatable.",
    )(function)


def source_options(function: _Function) -> _Function:
    """Add `--source RULE` and `--connector FILE`, repeatable."""
    rule = setting(
        "--source",
        type=click.UNPROCESSED,  # the configuration file has a table
        multiple=True,
        metavar="RULE",
        help="Where tables of another system are, if logs do not print it: table=sales.*,namespace=postgres://db1:5432,"
        "database=shop; in the file a [[source]]; repeatable.",
    )
    declaration = setting(
        "--connector",
        multiple=True,
        metavar="FILE",
        help="A TOML file that declares a connector to another system; repeatable.",
    )
    return rule(declaration(function))


def declared_option(function: _Function) -> _Function:
    """Add `--declared FILE`, repeatable, which a command gets as `declared`."""
    return setting(
        "--declared",
        multiple=True,
        metavar="FILE",
        help="Owners, descriptions, dashboards, tags and edges of other systems from now on: a TOML file, a CSV file "
        "of edges, dbt's manifest.json or schema.yml; repeatable.",
    )(function)


def limit_options(function: _Function) -> _Function:
    """Add the limits of reading: `--max-line`, `--max-plan` (MiB), `--max-expansion`, `--max-seconds-per-log`."""
    line = setting(
        "--max-line",
        type=click.IntRange(1),
        default=256,
        show_default=True,
        metavar="MIB",
        help="Longest line to read, in MiB.",
    )
    plan = setting(
        "--max-plan",
        type=click.IntRange(1),
        default=32,
        show_default=True,
        metavar="MIB",
        help="Longest plan text to parse, in MiB.",
    )
    expansion = setting(
        "--max-expansion",
        type=click.IntRange(10),
        default=1000,
        show_default=True,
        metavar="N",
        help="Most bytes of text per stored byte.",
    )
    seconds = setting(
        "--max-seconds-per-log",
        type=click.IntRange(1),
        default=600,
        show_default=True,
        metavar="S",
        help="CPU seconds to spend on reading one log.",
    )
    return line(plan(expansion(seconds(function))))


def read_by(read: Callable[[str], _Value]) -> Callable[[click.Context, click.Parameter, str | None], _Value | None]:
    """Return the callback of an option whose text a function reads; its errors name the option."""

    def value(_: click.Context, __: click.Parameter, text: str | None) -> _Value | None:
        try:
            return read(text) if text is not None else None
        except UsageError as error:
            raise click.BadParameter(f"{error.what}: {error.hint}") from None

    return value


def time_option(name: str, what: str, *, required: bool = False) -> Callable[[_Function], _Function]:
    """Return an option for a time, which a command gets as UTC without a zone.

    Args:
        name: The option: `--since`.
        required: A command does not run without it.
    """
    return click.option(
        name,
        required=required,
        metavar="WHEN",
        callback=read_by(read_time),
        help=f"{what}: 2026-11-20, 2026-11-20T04:00, 24h, 7d, 2w, today or yesterday; UTC without a zone.",
    )


def examples(*lines: str) -> str:
    """Return the end of a help text: one example per line."""
    return "\b\nExamples:\n" + "\n".join(f"  eventlog-lineage {line}" for line in lines)
