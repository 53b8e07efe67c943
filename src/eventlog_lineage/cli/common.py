"""Options that every command has: configuration file, logging, tracebacks."""

from __future__ import annotations

import json
import logging
import re
from datetime import datetime, timezone
from typing import Any

import click

from eventlog_lineage.errors import UsageError
from eventlog_lineage.safe_text import escape_controls

from .configuration import FILE, VARIABLES, Session, Setting, find_configuration, read_configuration, settings_of

LEVELS = ("debug", "info", "warning", "error")
FORMS = ("text", "json")

_PACKAGE = __name__.partition(".")[0]


class _ToStderr(logging.Handler):
    """Write to the current stderr: a progress bar replaces it while it is shown."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        click.echo(self.format(record), err=True)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """Return `2026-11-21T01:00:00.000Z INFO harvest.run: logs listed logs=12 fresh=3`."""
        facts = "".join(f" {name}={value}" for name, value in _facts(record).items())
        name = record.name.removeprefix(f"{_PACKAGE}.")
        line = f"{_time(record)} {record.levelname} {name}: {_redacted(record.getMessage())}{facts}"
        text = f"{line}\n{_redacted(self.formatException(record.exc_info))}" if record.exc_info else line
        return escape_controls(text, kept="\n")


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """Return one object per line: time, level, logger, message, and the values by name."""
        message = _redacted(record.getMessage())
        line = {"time": _time(record), "level": record.levelname, "logger": record.name, "message": message}
        if record.exc_info:
            line["traceback"] = _redacted(self.formatException(record.exc_info))
        return escape_controls(json.dumps({**line, **_facts(record)}, ensure_ascii=False, default=str))


def write_log_lines(level: str | None = None, form: str | None = None) -> None:
    """Set up the package's logging; None leaves a setting unchanged.

    Args:
        level: One of `LEVELS`.
        form: One of `FORMS`.
    """
    logger = logging.getLogger(_PACKAGE)
    if level is not None:
        logger.setLevel(level.upper())
    if form is not None:
        handler = _ToStderr()
        handler.setFormatter(_Json() if form == "json" else _Text())
        logger.handlers = [handler]
        logger.propagate = False
    logging.getLogger().addFilter(_is_no_echo)


def _is_no_echo(record: logging.LogRecord) -> bool:
    """Drop py4j's log records of a lost Spark, with traceback: the exception that follows reports it."""
    return "py4j" not in record.pathname


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    """Return the values that a call passes as `extra={"facts": {...}}`."""
    from eventlog_lineage.redaction import PLAIN  # noqa: PLC0415 - who gets an answer need not wait for it

    return PLAIN.value(dict(getattr(record, "facts", {})))


def _redacted(text: str) -> str:
    from eventlog_lineage.redaction import PLAIN  # noqa: PLC0415 - the same

    return PLAIN.text(text)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"


_SHARED = {"form", "output", "as_json", "raw", "sort", "columns", "limit", "stores", "store_dir"}
"""Options of many commands, which follow a command's own in its help."""
_CONFIG = "config"
_SENTENCE_END = re.compile(r"\.(?:\s|$)|\n\n")


def counted(number: int, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "dataset"), counted(2000, "column")
    ('1 dataset', '2,000 columns')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def warn(message: str) -> None:
    """Print a warning, a line on stderr; names in it may be from logs."""
    click.echo(escape_controls(f"Warning: {message}"), err=True)


class WholeSummaries(click.Group):
    """A group of commands whose help lists each with its whole first sentence."""

    def summaries(self, ctx: click.Context) -> list[tuple[str, str]]:
        """Return each command with its first sentence."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        firsts = [(name, _SENTENCE_END.split(command.help or "", 1)[0]) for name, command in found if command]
        return [(name, " ".join(first.split())) for name, first in firsts]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its first sentence; a summary is never cut."""
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries(ctx))


def add_common_options(command: click.Command, commands: click.Group) -> None:
    """Add the common options to a command, or to all of its subcommands.

    Args:
        commands: All commands; their settings are the keys a configuration file may have.
    """
    if isinstance(command, click.Group):
        for below in command.commands.values():
            add_common_options(below, commands)
        return
    if not any(parameter.name == _CONFIG for parameter in command.params):
        own = [each for each in command.params if each.name not in _SHARED]
        shared = [each for each in command.params if each.name in _SHARED]
        command.params = [*own, *shared, *_file_options(commands), *_log_options(), debug_option()]


def options_before() -> list[click.Option]:
    """Return the options of commands that may precede the command's name; they are passed on unchanged."""
    helps = {
        "--store": "Store directory or URL; repeatable.",
        "--config": "TOML file with settings.",
        "--profile": "A profile of the file.",
        "--log-level": "Log verbosity.",
        "--log-format": "Log format.",
        "--format": "Output format.",
        "--output": "Output file.",
    }
    return [
        click.Option(
            [name, "-o"] if name == "--output" else [name],
            multiple=True,
            metavar="VALUE",
            expose_value=False,
            callback=_hand_on,
            help=text,
        )
        for name, text in helps.items()
    ]


def _hand_on(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> None:
    before = context.find_root().ensure_object(Session).before
    for value in values:
        before += [parameter.opts[0], value]


def debug_option() -> click.Option:
    """Return the option `--debug`."""
    return click.Option(
        ["--debug"], is_flag=True, expose_value=False, callback=_debug, help="Show tracebacks of errors."
    )


def _debug(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.find_root().ensure_object(Session).debug = True


def _file_options(commands: click.Group) -> list[click.Option]:
    """Return `--config FILE` and `--profile NAME`, in any order; they are read before all others."""

    def choose(context: click.Context, option: click.Parameter, value: str | None) -> None:
        session = context.find_root().ensure_object(Session)
        if option.name == _CONFIG:
            session.file = value or ("" if context.resilient_parsing else find_configuration())
        else:
            session.profile = value or ""
        _load(context, commands)

    helps = {
        _CONFIG: (
            "FILE",
            (
                "A TOML file with settings; options and environment variables take precedence.  [default: "
                "./eventlog-lineage.toml, else the table tool.eventlog-lineage of ./pyproject.toml]"
            ),
        ),
        "profile": ("NAME", "Settings of [profile.NAME] in the file take precedence over its others."),
    }
    return [
        click.Option(
            [f"--{name}"],
            metavar=value,
            envvar=f"{VARIABLES}{name.upper()}",
            is_eager=True,
            expose_value=False,
            callback=choose,
            help=text,
        )
        for name, (value, text) in helps.items()
    ]


def _load(context: click.Context, commands: click.Group) -> None:
    """Read the file, once it is known which one and with which profile."""
    root = context.find_root()
    session = root.ensure_object(Session)
    if context.resilient_parsing or session.file is None or session.profile is None:
        return
    if session.file:
        read_configuration(session.file, session, settings_of(commands, root))
    elif session.profile:
        hint = f"name the file with --config, or write ./{FILE}"
        raise UsageError(f"no settings file has the profile {session.profile!r}", hint=hint)


def _log_options() -> list[click.Option]:
    return [
        Setting(
            ["--log-level"],
            type=click.Choice(LEVELS),
            default="warning",
            show_default=True,
            expose_value=False,
            callback=lambda _, __, value: write_log_lines(level=value),
            help="Log verbosity.",
        ),
        Setting(
            ["--log-format"],
            type=click.Choice(FORMS),
            default="text",
            show_default=True,
            expose_value=False,
            callback=lambda _, __, value: write_log_lines(form=value),
            help="Log format: text lines, or one JSON object per line.",
        ),
    ]
