"""`eventlog-lineage`: finds the commands and turns errors into one line and an exit code.

A command is a function of a module of `cli/commands`: `why_late_command` for `why-late`. The module
is imported when it runs or when help is asked for, so it imports Spark, DuckDB and rich within its functions only.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from eventlog_lineage import __version__
from eventlog_lineage.cli.common import Session, WholeSummaries, add_common_options, debug_option, options_before
from eventlog_lineage.errors import LineageError, QueryError, UsageError
from eventlog_lineage.safe_text import escape_controls

from .output import show

_NAMED = re.compile(r"(?:: |Caused by: )?[\w.$]*(?:Error|Exception): \S")
_WRAPPING = re.compile(r"[\w.$]*(?:SparkException: Job aborted|PythonException|Py4JJavaError)")
_LONGEST = 300
_COLLECTED_AFTER = 100_000
"""New objects after which Python looks for cycles, instead of 700: nearly all objects of a command live until it ends.

A long answer of rows takes a tenth less CPU time, `explain` a twentieth.
"""
_BLAS_THREADS = "OPENBLAS_NUM_THREADS"
"""Threads of numpy's OpenBLAS, which nothing uses: pyarrow imports numpy, and to start them takes 40 ms of CPU time."""

GROUPS = {
    "Ask": "why upstream downstream impact path columns ls find jobs keys erd erasure sql",
    "Over time": "changes diff nights failures late why-late costs",
    "Quality": "gaps trust personal-data tags hot unused cycles udfs",
    "Harvest": "harvest declare explain show doctor pack",
    "Publish": "report export mcp",
    "Store": "check restore",
    "More": "completion help",
}
"""The commands as the help lists them."""
FORMER = {"history": "changes DATASET --versions", "rebuild": "restore --rebuild"}
"""Commands that the help does not list, and what is the same."""
MODULES = {
    name: module
    for module, names in {
        "export": "export",
        "harvest": "harvest",
        "page": "explain report show",
        "shell": "completion help mcp",
        "store": "check declare doctor pack rebuild restore",
        "changes": "changes diff history",
        "listings": "columns costs erasure erd failures find gaps hot jobs keys late ls nights "
        "personal-data sql tags trust udfs unused",
        "impact": "impact",
        "why": "cycles downstream path upstream why why-late",
    }.items()
    for name in names.split()
}
"""Command to the module that has it."""
_WIDEST = max(len(name) for names in GROUPS.values() for name in names.split())
_MEANT = {"lineage": "upstream", "search": "find", "tables": "ls", "list": "ls", "query": "sql", "version": "--version"}
"""Words that other programs use."""


class Commands(WholeSummaries, click.Group):
    """The commands of the program."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands' names."""
        return sorted(MODULES)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their groups, each with its first sentence."""
        summaries = dict(self.summaries(ctx))
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(_WIDEST), summaries[name]) for name in names.split()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command and add the common options."""
        if cmd_name not in MODULES:
            return None
        module = import_module(f"{__package__}.commands.{MODULES[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        add_common_options(command, self)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; options before its name are treated as if they followed it."""
        self._check(ctx, args[0])
        name, command, rest = super().resolve_command(ctx, args)
        before = ctx.find_root().ensure_object(Session).before
        place = 1 if isinstance(command, click.Group) and rest and not rest[0].startswith("-") else 0
        return name, command, [*rest[:place], *before, *rest[place:]]

    def _check(self, ctx: click.Context, name: str) -> None:
        """Raise an error with the nearest command for a name that is none."""
        if name.startswith("-") or name in MODULES:
            return
        near = get_close_matches(name, self.list_commands(ctx), 1, 0.6)
        meant = _MEANT.get(name) or next(iter(near), "")
        hint = f"; did you mean {FORMER.get(meant, meant)}?" if meant else ""
        raise click.UsageError(f"No such command {name!r}{hint}", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command and show what it returns; a number is its exit code."""
        value = super().invoke(ctx)
        if value is None or isinstance(value, int):
            return value
        try:
            session = ctx.find_root().ensure_object(Session)
            show(session.selection.of(value), raw=session.selection.raw)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever read has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return value.code


def _say_help() -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


commands = Commands(
    "eventlog-lineage",
    callback=_say_help,
    invoke_without_command=True,
    params=[*options_before(), debug_option()],
    help="Table- and column-level lineage, with its history, from the event logs that Spark already writes.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: eventlog-lineage harvest LOGS --store DIR",
)
click.version_option(__version__, "--version", "-V", message="eventlog-lineage %(version)s", help="Show the version.")(
    commands
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and end the process with its exit code.

    0 done, 1 failed, 2 wrong usage, 3 done but a log could not be read (CONTRACT.md).
    """
    gc.set_threshold(_COLLECTED_AFTER)
    os.environ.setdefault(_BLAS_THREADS, "1")
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program, and return its exit code; errors go to stderr, a line each."""
    session = Session()
    try:
        value = commands.main(
            args=list(sys.argv[1:] if arguments is None else arguments),
            prog_name="eventlog-lineage",
            standalone_mode=False,
            obj=session,
        )
    except (click.Abort, KeyboardInterrupt):
        return _failed("interrupted", 1, session)
    except click.UsageError as error:
        hint = f"; see {error.ctx.command_path} --help" if error.ctx else ""
        return _failed(f"{error.format_message().rstrip('.')}{hint}", 2, session)
    except QueryError as error:
        return _failed(str(error), 2, session, error.excerpt)
    except UsageError as error:
        return _failed(str(error), 2, session)
    except LineageError as error:
        return _failed(str(error), 1, session)
    except Exception as error:  # whatever it is, the user gets one line
        return _failed(f"{essence(error)}; --debug shows where", 1, session)
    return value if isinstance(value, int) else 0


def essence(error: Exception) -> str:
    """Return an unexpected error as a short line.

    Spark's errors contain stack traces of two languages; the relevant line is the first that names an
    error and is not about the wrapping.
    """
    from eventlog_lineage.redaction import PLAIN  # noqa: PLC0415 - who gets an answer need not wait for these

    text = ""
    with suppress(Exception):  # the text of an error in Java is in Java's process, which may have ended
        text = str(error)
    lines = [line.strip() for line in PLAIN.text(text).splitlines() if line.strip()]
    named = [line.removeprefix(": ").removeprefix("Caused by: ") for line in lines if _NAMED.match(line)]
    relevant = [line for line in named if not _WRAPPING.match(line)]
    words = next(iter(relevant or named), f"{type(error).__name__}: {lines[0] if lines else 'no message'}")
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _failed(message: str, code: int, session: Session, excerpt: str = "") -> int:
    from eventlog_lineage.redaction import PLAIN  # noqa: PLC0415 - who gets an answer need not wait for these

    if session.debug:
        import traceback  # noqa: PLC0415

        click.echo(PLAIN.text(traceback.format_exc()), err=True, nl=False)
    click.echo(f"Error: {escape_controls(PLAIN.text(' '.join(message.split())))}", err=True)
    for line in excerpt.splitlines():
        click.echo(escape_controls(PLAIN.text(line)), err=True)
    return code
