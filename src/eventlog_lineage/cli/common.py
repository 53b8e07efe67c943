"""Options that every command has: configuration file, logging, tracebacks."""

from __future__ import annotations

import re

import click

from .configuration import VARIABLES, Session, Setting, read_configuration, settings_of
from .log_lines import FORMS, LEVELS, write_log_lines

_SENTENCE_END = re.compile(r"\.(?:\s|$)|\n\n")


class WholeSummaries(click.Group):
    """A group of commands whose help lists each with its whole first sentence."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its first sentence; a summary is never cut."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, _SENTENCE_END.split(command.help or "", 1)[0]) for name, command in found if command]
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(summary.split())) for name, summary in rows])


def add_common_options(command: click.Command, commands: click.Group) -> None:
    """Add the common options to a command, or to all of its subcommands.

    Args:
        command: The command.
        commands: All commands; their settings are the keys a configuration file may have.
    """
    if isinstance(command, click.Group):
        for below in command.commands.values():
            add_common_options(below, commands)
        return
    if not any(isinstance(parameter, _Config) for parameter in command.params):
        command.params += [_Config(commands), *_log_options(), debug_option()]


def options_before() -> list[click.Option]:
    """Return the options of commands that may precede the command's name; they are passed on unchanged."""
    helps = {
        "--store": "The store to use; of questions once or several times.",
        "--config": "A TOML file with settings.",
        "--log-level": "Log verbosity.",
        "--log-format": "Log format.",
        "--format": "Output format of a question.",
        "--output": "The file for the answer of a question.",
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
            help="A TOML file with settings; options and environment variables take precedence.",
        )
        self._commands = commands

    def _read(self, context: click.Context, _: click.Parameter, value: str | None) -> None:
        if value and not context.resilient_parsing:
            root = context.find_root()
            read_configuration(value, root.ensure_object(Session), settings_of(self._commands, root))


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
