"""Questions: commands that read one store or several, and write their answer in one of several formats.

A question is a function of an open store that returns what to show:

    @question("ls", "ls 'sales.*'")
    @click.argument("pattern", default="")
    def ls_command(store: OpenStore, pattern: str) -> Shown:

`question` adds `--store`, `--format`, `--output`, `--raw`, `--limit`, `--sort` and `--columns`, opens the
stores and writes the answer.
"""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.types import StringParamType

from eventlog_lineage.cli.common import VARIABLES, Session, setting, warn
from eventlog_lineage.cli.output import FORMATS, Shown, format_of
from eventlog_lineage.errors import LineageError, UnknownNameError, UsageError
from eventlog_lineage.user_input import read_time

if TYPE_CHECKING:
    from datetime import datetime

    from click.shell_completion import CompletionItem

    from eventlog_lineage.store.queries.open_store import Answer, OpenStore


_Function = TypeVar("_Function", bound=Callable[..., Any])
_Value = TypeVar("_Value")


def combined(*options: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    """Return one decorator that adds several options, in this order."""

    def add(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


_store = partial(
    setting,
    "--store",
    metavar="DIR",
    show_default="EVENTLOG_LINEAGE_STORE or ./lineage",
    help="Store directory or URL; a question takes several.",
)

store_option = _store("store_dir", default="lineage", callback=lambda _, __, store: _canonical(store))
"""`--store DIR`, which a command gets as `store_dir`."""


def _canonical(store: str) -> str:
    from eventlog_lineage.store.remote.storage import store_name  # noqa: PLC0415 - help needs none of it

    return store_name(store)


class _StoreType(StringParamType):
    """A store's folder; the environment variable names one store, whatever characters are in its name."""

    def split_envvar_value(self, rv: str) -> list[str]:
        return [rv]


stores_option = _store(
    "stores",
    type=_StoreType(),
    multiple=True,
    default=("lineage",),
    callback=lambda _, __, stores: tuple(dict.fromkeys(map(_canonical, stores))),
)
"""`--store DIR`, once or several times, which a command gets as `stores`."""


masking_function_option = setting(
    "--masking-function",
    multiple=True,
    metavar="NAME",
    help="A function that masks, in addition to Spark's hashes and mask: a UDF, aes_encrypt, a class; repeatable.",
)
"""`--masking-function NAME`, repeatable, which a command gets as `masking_function`."""


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


due_option = setting(
    "--due",
    multiple=True,
    metavar="NAME=SPAN",
    help="Longest time between two writes of a dataset, in place of its usual interval: sales.daily=26h, "
    "gold.*=1d; repeatable.",
)
"""`--due NAME=SPAN`, repeatable, which a command gets as `due`."""


source_options = combined(
    setting(
        "--source",
        type=click.UNPROCESSED,  # the configuration file has a table
        multiple=True,
        metavar="RULE",
        help="Where tables of another system are, if logs do not print it: table=sales.*,namespace=postgres://db1:5432,"
        "database=shop; in the file a [[source]]; repeatable.",
    ),
    setting(
        "--connector",
        multiple=True,
        metavar="FILE",
        help="A TOML file that declares a connector to another system; repeatable.",
    ),
)
"""`--source RULE` and `--connector FILE`, repeatable."""


declared_option = setting(
    "--declared",
    multiple=True,
    metavar="FILE",
    help="Owners, descriptions, dashboards, tags and edges of other systems from now on: a TOML file, a CSV file "
    "of edges, dbt's manifest.json or schema.yml; repeatable.",
)
"""`--declared FILE`, repeatable, which a command gets as `declared`."""


spark_options = combined(
    setting("--master", metavar="URL", help="Spark master: local[4], spark://host:7077, yarn, k8s://…"),
    setting(
        "--conf",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        callback=lambda _, __, values: _pairs(values),
        help="Spark setting; repeatable.",
    ),
    setting(
        "--pack",
        metavar="FILE",
        help="Archive for the executors, made by `eventlog-lineage pack`; not for a local master.",
    ),
)
"""`--master`, `--conf` and `--pack`, which a command gets as `master`, `settings` and `pack`."""


def _pairs(settings: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for setting_text in settings:
        key, equals, value = setting_text.partition("=")
        if not equals:
            raise click.BadParameter(f"invalid Spark setting {setting_text!r}: use KEY=VALUE")
        pairs[key] = value
    return pairs


def skip_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return `--skip`."""
    words = f"{what}: 'staging.*', temp (temporary views); repeatable."
    return click.option("--skip", multiple=True, metavar="PATTERN", help=words)


def unmatched_skips(store: OpenStore, skip: tuple[str, ...]) -> dict[str, str]:
    """Return a warning for each pattern of `--skip` that no dataset of the store matches, as `Shown.unmatched`."""
    from eventlog_lineage.store.queries.paths import unmatched  # noqa: PLC0415 - help needs none of it

    return {f"--skip {each} matches no dataset of the store": "" for each in (unmatched(store, skip) if skip else ())}


def check_span(since: datetime | None, until: datetime | None) -> None:
    """Check that a span of time does not end before it begins.

    Raises:
        click.UsageError: It does.
    """
    if since and until and until < since:
        raise click.UsageError("--until is before --since")


def _limit(name: str, least: int, default: int, unit: str, text: str) -> Callable[[_Function], _Function]:
    return setting(name, type=click.IntRange(least), default=default, show_default=True, metavar=unit, help=text)


limit_options = combined(
    _limit("--max-line", 1, 256, "MIB", "Longest line to read, in MiB."),
    _limit("--max-plan", 1, 32, "MIB", "Longest plan text to parse, in MiB."),
    _limit("--max-expansion", 10, 1000, "N", "Most bytes of text per stored byte."),
    _limit("--max-seconds-per-log", 1, 600, "S", "CPU seconds to spend on reading one log."),
)
"""The limits of reading: `--max-line`, `--max-plan` (MiB), `--max-expansion`, `--max-seconds-per-log`."""


def read_by(read: Callable[[str], _Value]) -> Callable[[click.Context, click.Parameter, str | None], _Value | None]:
    """Return the callback of an option whose text a function reads; its errors name the option."""

    def value(_: click.Context, __: click.Parameter, text: str | None) -> _Value | None:
        try:
            return read(text) if text is not None else None
        except UsageError as error:
            raise click.BadParameter(f"{error.what}: {error.hint}") from None

    return value


def time_option(name: str, what: str) -> Callable[[_Function], _Function]:
    """Return an option for a time, which a command gets as UTC without a zone."""
    return click.option(
        name,
        metavar="WHEN",
        callback=read_by(read_time),
        help=f"{what}: 2026-11-20, 2026-11-20T04:00, 24h, 7d, 2w, today or yesterday; UTC without a zone.",
    )


def examples(*lines: str) -> str:
    """Return the end of a help text: one example per line."""
    return "\b\nExamples:\n" + "\n".join(f"  eventlog-lineage {line}" for line in lines)


_MOST = 200
"""Suggestions that a shell is given; with more, the next letters decide."""


class NameType(StringParamType):
    """The name of a dataset or a column, as it is written: the store resolves it.

    Args:
        columns: Whether columns are suggested once a dataset's name is written.
    """

    def __init__(self, *, columns: bool) -> None:
        self._columns = columns

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin with the typed text; none without a store, or of a store that must be fetched."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only completions need it

        from eventlog_lineage.store.queries.inventory import names_with  # noqa: PLC0415
        from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415
        from eventlog_lineage.store.remote.storage import remote_url  # noqa: PLC0415

        found: dict[str, None] = {}
        for folder in _stores(ctx):
            with suppress(LineageError, OSError):
                if remote_url(folder):
                    continue  # a key that is pressed fetches nothing
            with suppress(LineageError, OSError), open_store(folder) as store:
                found |= dict.fromkeys(names_with(store, incomplete, columns=self._columns, most=_MOST))
        return [CompletionItem(name) for name in found]


def _stores(context: click.Context) -> list[str]:
    given = context.params.get("stores") or context.params.get("store_dir") or ()
    stores = [given] if isinstance(given, str) else list(given)
    return stores or [os.environ.get(f"{VARIABLES}STORE") or "lineage"]


NAME = NameType(columns=True)
DATASET = NameType(columns=False)


Ask = Callable[..., "Shown"]


def question(*lines: str, forms: Sequence[str] = (), by_form: bool = False) -> Callable[[Ask], click.Command]:
    """Make a command of a function that asks a store.

    Args:
        by_form: Pass `plain` to the function: whether the answer is shown as a table that is not for a terminal.
    """

    def command(function: Ask) -> click.Command:
        @wraps(function)
        def ask(stores: Sequence[str], form: str | None, as_json: bool, output: str, **asked: Any) -> Shown:
            if by_form:
                asked["plain"] = _is_plain("json" if as_json else form, output, (*FORMATS, *forms))
            shown = ask_stores(function, stores, asked)
            return in_form(shown, "json" if as_json else form, output, (*FORMATS, *forms))

        return click.command(epilog=examples(*lines))(output_options(*forms)(stores_option(ask)))

    return command


def output_options(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options of answers; a command gets `form`, `output` and `as_json`, the session has the others.

    A command with a `--limit` of its own keeps it.
    """
    selecting = partial(click.option, expose_value=False, callback=_select)
    options = (
        click.option(
            "--format",
            "form",
            type=click.Choice([*FORMATS, *forms]),
            help="Output format.  [default: by the name of --output, else table]",
        ),
        output_option("output", default="", help="Write the answer to a file."),
        click.option("--json", "as_json", is_flag=True, hidden=True, help="Short for --format json."),
        selecting(
            "--raw",
            is_flag=True,
            help="Write CSV for machines: cells that begin with =, +, - or @ and control characters are not escaped.",
        ),
        selecting("--sort", metavar="COLUMN", help="Sort by a column of the answer; -COLUMN for the largest first."),
        selecting("--columns", metavar="A,B", help="Write these columns of the answer only."),
    )
    limit = selecting("--limit", type=click.IntRange(1), metavar="N", help="Write the first N rows.")

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        own = {parameter.name for parameter in getattr(function, "__click_params__", ())}
        with_options: Callable[..., Any] = combined(*(() if "limit" in own else (limit,)), *options)(function)
        return with_options

    return add


def _select(context: click.Context, option: click.Parameter, value: Any) -> None:
    if value is not None:
        chosen = tuple(name for name in value.split(",") if name.strip()) if option.name == "columns" else value
        setattr(context.find_root().ensure_object(Session).selection, str(option.name), chosen)


def _is_plain(form: str | None, output: str, forms: Sequence[str]) -> bool:
    """Return whether an answer is shown as a table that is not for a terminal: in Markdown, a pipe or a file."""
    form = format_of(form, output, forms)
    return form == "markdown" or (form == "table" and (bool(output) or not sys.stdout.isatty()))


def in_form(shown: Shown, form: str | None, output: str, forms: Sequence[str] = FORMATS) -> Shown:
    """Return what to show with its format and its file."""
    return replace(shown, form=format_of(form, output, forms), output=output)


def ask_stores(function: Ask, stores: Sequence[str], asked: dict[str, Any]) -> Shown:
    """Ask every store; the answer of several has the store in its first column.

    A name that is only in some of the stores is not an error; an ambiguous name is.
    """
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    answers: list[tuple[str, Shown]] = []
    errors: list[UnknownNameError] = []
    for folder in stores:
        with open_store(folder) as store:
            try:
                answers.append((folder, function(store, **asked)))
            except UnknownNameError as error:
                errors.append(error)
    if not answers:
        raise errors[0]
    _warn_unmatched(answers)
    return answers[0][1] if len(stores) == 1 else _joined_answers(answers)


def _joined_answers(answers: Sequence[tuple[str, Shown]]) -> Shown:
    found = [(folder, shown) for folder, shown in answers if shown.answer.rows] or answers
    first = found[0][1]
    tables = [(folder, shown.table) for folder, shown in found if shown.table is not None]
    return replace(
        first,
        answer=_joined([(folder, shown.answer) for folder, shown in found]),
        table=_joined(tables) if tables else None,
        writers={},
        code=max(shown.code for _, shown in answers),
    )


def _warn_unmatched(answers: Sequence[tuple[str, Shown]]) -> None:
    for text, details in answers[0][1].unmatched.items():
        if all(text in shown.unmatched for _, shown in answers):
            warn(text + details)


def _joined(answers: Sequence[tuple[str, Answer]]) -> Answer:
    """Return the rows of several stores; a column that the answer of a store leaves out is empty in its rows."""
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    widest = max((answer for _, answer in answers), key=lambda each: len(each.names))
    rows = [(folder, *map(row.get, widest.names)) for folder, answer in answers for row in answer.records()]
    return Answer(("store", *widest.names), rows, ("VARCHAR", *widest.types) if widest.types else ())
