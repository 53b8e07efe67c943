"""Options that every command has: configuration file, logging, tracebacks."""

from __future__ import annotations

import re

import click

from eventlog_lineage.errors import UsageError
from eventlog_lineage.safe_text import escape_controls

from .configuration import FILE, VARIABLES, Session, Setting, find_configuration, read_configuration, settings_of
from .log_lines import FORMS, LEVELS, write_log_lines

_SHARED = {"form", "output", "as_json", "raw", "sort", "columns", "limit", "stores", "store_dir"}
"""Options of many commands, which follow a command's own in its help."""
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
    if not any(isinstance(parameter, _Config) for parameter in command.params):
        own = [each for each in command.params if each.name not in _SHARED]
        shared = [each for each in command.params if each.name in _SHARED]
        command.params = [*own, *shared, _Config(commands), _Profile(commands), *_log_options(), debug_option()]


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


class _Config(click.Option):
    """The option `--config FILE`, which is read before all others."""

    def __init__(self, commands: click.Group) -> None:
        super().__init__(
            ["--config"],
            metavar="FILE",
            envvar=f"{VARIABLES}CONFIG",
            is_eager=True,
            expose_value=False,
            callback=self._read,
            help="A TOML file with settings; options and environment variables take precedence.  [default: "
            "./eventlog-lineage.toml, else the table tool.eventlog-lineage of ./pyproject.toml]",
        )
        self._commands = commands

    def _read(self, context: click.Context, _: click.Parameter, value: str | None) -> None:
        session = context.find_root().ensure_object(Session)
        session.file = value or ("" if context.resilient_parsing else find_configuration())
        _load(context, self._commands)


class _Profile(click.Option):
    """The option `--profile NAME`, before or after `--config`."""

    def __init__(self, commands: click.Group) -> None:
        super().__init__(
            ["--profile"],
            metavar="NAME",
            envvar=f"{VARIABLES}PROFILE",
            is_eager=True,
            expose_value=False,
            callback=self._choose,
            help="Settings of [profile.NAME] in the file take precedence over its others.",
        )
        self._commands = commands

    def _choose(self, context: click.Context, _: click.Parameter, value: str | None) -> None:
        context.find_root().ensure_object(Session).profile = value or ""
        _load(context, self._commands)


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
