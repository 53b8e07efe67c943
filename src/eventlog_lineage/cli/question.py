"""Questions: commands that read one store or several, and write their answer in one of several formats.

A question is a function of an open store that returns what to show:

    @question("ls", "ls 'sales.*'")
    @click.argument("pattern", default="")
    def ls_command(store: OpenStore, pattern: str) -> Shown:

`question` adds `--store`, `--format`, `--output`, `--raw`, `--limit`, `--sort` and `--columns`, opens the
stores and writes the answer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from eventlog_lineage.errors import UnknownNameError

from .configuration import Session
from .options import combined, examples, output_option, stores_option
from .output import FORMATS, Shown, format_of

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer


Ask = Callable[..., "Shown"]


def question(*lines: str, forms: Sequence[str] = (), by_form: bool = False) -> Callable[[Ask], click.Command]:
    """Make a command of a function that asks a store.

    Args:
        lines: Examples: the words after `eventlog-lineage`.
        forms: More formats than all questions have.
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

    Args:
        forms: More formats than all questions have.
    """
    options = (
        click.option(
            "--format",
            "form",
            type=click.Choice([*FORMATS, *forms]),
            help="Output format.  [default: by the name of --output, else table]",
        ),
        output_option("output", default="", help="Write the answer to a file."),
        click.option("--json", "as_json", is_flag=True, hidden=True, help="Short for --format json."),
        click.option(
            "--raw",
            is_flag=True,
            expose_value=False,
            callback=_set_raw,
            help="Write CSV for machines: cells that begin with =, +, - or @ and control characters are not escaped.",
        ),
        click.option(
            "--sort",
            metavar="COLUMN",
            expose_value=False,
            callback=_select,
            help="Sort by a column of the answer; -COLUMN for the largest first.",
        ),
        click.option(
            "--columns",
            metavar="A,B",
            expose_value=False,
            callback=_select,
            help="Write these columns of the answer only.",
        ),
    )
    limit = click.option(
        "--limit",
        type=click.IntRange(1),
        metavar="N",
        expose_value=False,
        callback=_select,
        help="Write the first N rows.",
    )

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        own = {parameter.name for parameter in getattr(function, "__click_params__", ())}
        with_options: Callable[..., Any] = combined(*(() if "limit" in own else (limit,)), *options)(function)
        return with_options

    return add


def _set_raw(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.find_root().ensure_object(Session).raw = value


def _select(context: click.Context, option: click.Parameter, value: Any) -> None:
    if value is not None:
        chosen = tuple(name for name in value.split(",") if name.strip()) if option.name == "columns" else value
        setattr(context.find_root().ensure_object(Session).selection, str(option.name), chosen)


def _is_plain(form: str | None, output: str, forms: Sequence[str]) -> bool:
    """Return whether an answer is shown as a table that is not for a terminal: in Markdown, a pipe or a file.

    Args:
        form: The format of `--format`; None without it.
        output: The file of `--output`; empty for stdout.
    """
    form = format_of(form, output, forms)
    return form == "markdown" or (form == "table" and (bool(output) or not sys.stdout.isatty()))


def in_form(shown: Shown, form: str | None, output: str, forms: Sequence[str] = FORMATS) -> Shown:
    """Return what to show with its format and its file.

    Args:
        form: The format of `--format`; None without it.
        output: The file of `--output`; empty for stdout.
    """
    return replace(shown, form=format_of(form, output, forms), output=output)


def ask_stores(function: Ask, stores: Sequence[str], asked: dict[str, Any]) -> Shown:
    """Ask every store; the answer of several has the store in its first column.

    A name that is only in some of the stores is not an error; an ambiguous name is.

    Args:
        function: Takes an open store and what is asked; returns what to show.
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
    if len(stores) == 1:
        return answers[0][1]
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


def _joined(answers: Sequence[tuple[str, Answer]]) -> Answer:
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    rows = [(folder, *row) for folder, answer in answers for row in answer.rows]
    types = answers[0][1].types
    return Answer(("store", *answers[0][1].names), rows, ("VARCHAR", *types) if types else ())
