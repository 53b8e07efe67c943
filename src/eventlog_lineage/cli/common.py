"""Settings and options that every command has: configuration file, logging, tracebacks.

A setting is an option with one name on the command line, in the environment and in a TOML file. Declare a new one with
`setting` instead of `click.option`. Its environment variable, its key in the file and its line in docs/configuration.md
follow from its name. An option of `harvest` that is not about output is also a field of `HarvestOptions` with the
option's Python name.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from eventlog_lineage.errors import DOCS, UsageError
from eventlog_lineage.safe_text import escape_controls, escape_json
from eventlog_lineage.user_input import load_toml

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import Answer


@dataclass(slots=True)
class Selection:
    """Which rows and columns to write, and how.

    Attributes:
        raw: Write CSV for machines: no cell is escaped.
        limit: The most rows; 0 for all.
        sort: The column to sort by, with `-` before it for the largest first; empty for the order of the answer.
        columns: The columns to write; empty for those of the format.
    """

    limit: int = 0
    sort: str = ""
    columns: tuple[str, ...] = ()
    raw: bool = False

    def of(self, shown: Shown) -> Shown:
        """Return an answer with the selected rows and columns.

        Raises:
            UsageError: The answer has no such column.
        """
        if not (self.sort or self.limit or self.columns):
            return shown
        answer, table = shown.answer, shown.table
        order = _order(answer, self.sort) if self.sort else range(len(answer.rows))
        chosen = order[: self.limit or None]
        if table is not None:
            table = _picked(table, chosen) if len(table.rows) == len(answer.rows) else None
        shown = replace(shown, answer=_picked(answer, chosen), table=table, total=len(answer.rows))
        return self._with_columns(shown) if self.columns else shown

    def _with_columns(self, shown: Shown) -> Shown:
        answer = shown.answer.only(*(_known(shown.answer, name) for name in self.columns))
        trace = None if shown.form == "table" else shown.trace
        return replace(shown, answer=answer, table=None, hidden=(), writers={}, trace=trace)


def _known(answer: Answer, name: str) -> str:
    found = name.strip().lower().replace("-", "_")
    if found not in answer.names:
        raise UsageError(f"the answer has no column {name}", hint=f"it has {', '.join(answer.names)}")
    return found


def _order(answer: Answer, sort: str) -> list[int]:
    """Return the places of the rows in order; rows without a value are last."""
    place = answer.names.index(_known(answer, sort.removeprefix("-")))
    values = [row[place] for row in answer.rows]
    empty = [at for at, value in enumerate(values) if value is None]
    known = [at for at, value in enumerate(values) if value is not None]
    try:
        known.sort(key=lambda at: values[at], reverse=sort.startswith("-"))  # type: ignore[arg-type,return-value]
    except TypeError:
        known.sort(key=lambda at: str(values[at]), reverse=sort.startswith("-"))
    return [*known, *empty]


def _picked(answer: Answer, places: Sequence[int]) -> Answer:
    return replace(answer, rows=[answer.rows[at] for at in places])


VARIABLES = "EVENTLOG_LINEAGE_"
"""Prefix of the environment variables."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(slots=True)
class Session:
    """State of one call.

    Attributes:
        profile: The profile of the file whose settings take precedence; empty for none, None if it is not known yet.
        file: The TOML file with settings; empty for none, None if it is not known yet.
        before: Options before the command's name, with their values.
    """

    debug: bool = False
    profile: str | None = None
    file: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)
    selection: Selection = field(default_factory=Selection)


class Configured(click.Parameter):
    """A parameter that falls back to the configuration file after the command line and the environment."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.envvar = self.variable()

    @property
    def key(self) -> str:
        """Return its key in the file; the environment variable is the same in upper case after `EVENTLOG_LINEAGE_`."""
        return max(self.opts, key=len).lstrip("-").replace("_", "-")

    def variable(self) -> str:
        """Return its environment variable."""
        return VARIABLES + self.key.upper().replace("-", "_")

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        """Return the value from the command line, the environment, the file or the default, in this order."""
        value, source = super().consume_value(ctx, opts)
        session = ctx.find_root().obj
        if source is ParameterSource.DEFAULT and isinstance(session, Session) and self.key in session.values:
            return _from_file(session.values[self.key], self), ParameterSource.DEFAULT_MAP
        return value, source

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Convert the value; an error names where it comes from."""
        try:
            return super().process_value(ctx, value)
        except click.BadParameter as error:
            source = ctx.get_parameter_source(self.name or "")
            if source is ParameterSource.ENVIRONMENT:
                raise UsageError(error.message, self.variable(), "correct the environment variable") from None
            if source is ParameterSource.DEFAULT_MAP:
                where = f"{ctx.find_root().obj.file}: {self.key}"
                raise UsageError(error.message, where, f"{DOCS}/configuration.md lists the settings") from None
            raise


class Setting(Configured, click.Option):
    """An option that is a setting."""


class SettingArgument(Configured, click.Argument):
    """Arguments that are a setting, as the logs to harvest are."""


def setting(*names: str, **facts: Any) -> Callable[[_Function], _Function]:
    """Return `click.option` for an option that can also be set in the environment and in the file."""
    return click.option(*names, cls=Setting, **facts)


def setting_argument(*names: str, **facts: Any) -> Callable[[_Function], _Function]:
    """Return `click.argument` for arguments that can also be set in the environment and in the file."""
    return click.argument(*names, cls=SettingArgument, **facts)


def settings_of(commands: click.Group, context: click.Context) -> dict[str, tuple[Configured, list[str]]]:
    """Return all settings: key to the parameter and the commands that have it."""
    found: dict[str, tuple[Configured, list[str]]] = {}
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        for parameter in _parameters(command):
            having = found.setdefault(parameter.key, (parameter, []))[1]
            if name not in having:  # a command with commands below it has the setting once
                having.append(name)
    return found


FILE = "eventlog-lineage.toml"
"""The file of settings that is read in the working folder."""

_PROJECT = "pyproject.toml"
_TABLE = "eventlog-lineage"
_PROFILES = "profile"


def find_configuration() -> str:
    """Return the file of settings in the working folder: its own, or a project's with the table; empty for none."""
    if Path(FILE).is_file():
        return FILE
    with suppress(OSError, UsageError):
        if f"[tool.{_TABLE}".encode() in Path(_PROJECT).read_bytes() and _TABLE in _load(_PROJECT).get("tool", {}):
            return _PROJECT
    return ""


def read_configuration(path: str, session: Session, keys: MutableMapping[str, Any]) -> None:
    """Load a TOML file into the session; the settings of the session's profile take precedence.

    Args:
        path: The file; of a `pyproject.toml` the table `tool.eventlog-lineage`.

    Raises:
        UsageError: The file is missing, is not TOML, has an unknown key, or lacks the profile.
    """
    content = _load(path)
    if Path(path).name == _PROJECT:
        content = content.get("tool", {}).get(_TABLE, {})
    profiles = content.pop(_PROFILES, {})
    if session.profile and session.profile not in profiles:
        listed = ", ".join(profiles) or "none"
        raise UsageError(f"no profile {session.profile!r}", path, f"the file has {listed}: [profile.NAME]")
    for each in (content, *profiles.values()):
        _check_keys(each, path, keys)
    session.file, session.values = path, {**content, **profiles.get(session.profile or "", {})}


def _check_keys(values: Mapping[str, object], path: str, keys: MutableMapping[str, Any]) -> None:
    for key in values:
        if key not in keys:
            near = get_close_matches(key.replace("_", "-"), list(keys), 1)
            hint = f"did you mean {near[0]}?" if near else f"{DOCS}/configuration.md lists the settings"
            raise UsageError(f"unknown setting {key!r}", path, hint)


def _load(path: str) -> dict[str, Any]:
    try:
        return load_toml(Path(path).read_text(encoding="utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        words = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot read the configuration: {words}", path, "check the path") from None


def _from_file(value: object, parameter: click.Parameter) -> object:
    """Return a value in the form of the command line: a table as KEY=VALUE pairs, a single value as a list of one."""
    if isinstance(value, Mapping):
        return tuple(f"{key}={_word(each)}" for key, each in value.items())
    if getattr(parameter, "multiple", False) or parameter.nargs == -1:
        return tuple(value) if isinstance(value, list) else (value,)
    return value


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parameters(command: click.Command | None) -> list[Configured]:
    if command is None:
        return []
    own = [parameter for parameter in command.params if isinstance(parameter, Configured)]
    if isinstance(command, click.Group):
        for below in command.commands.values():
            own += _parameters(below)
    return own


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
        return escape_json(json.dumps({**line, **_facts(record)}, ensure_ascii=False, default=str))


def write_log_lines(level: str | None = None, form: str | None = None) -> None:
    """Set up the package's logging; None leaves a setting unchanged."""
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
    """Add the common options to a command, or to all of its subcommands."""
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
        _read_file(context, commands)

    option = partial(click.Option, is_eager=True, expose_value=False, callback=choose)
    profile = "Settings of [profile.NAME] in the file take precedence over its others."
    file = (
        "A TOML file with settings; options and environment variables take precedence.  [default: "
        "./eventlog-lineage.toml, else the table tool.eventlog-lineage of ./pyproject.toml]"
    )
    return [
        option([f"--{_CONFIG}"], metavar="FILE", envvar=f"{VARIABLES}CONFIG", help=file),
        option(["--profile"], metavar="NAME", envvar=f"{VARIABLES}PROFILE", help=profile),
    ]


def _read_file(context: click.Context, commands: click.Group) -> None:
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
    option = partial(Setting, show_default=True, expose_value=False)
    return [
        option(
            ["--log-level"],
            type=click.Choice(LEVELS),
            default="warning",
            callback=lambda _, __, value: write_log_lines(level=value),
            help="Log verbosity.",
        ),
        option(
            ["--log-format"],
            type=click.Choice(FORMS),
            default="text",
            callback=lambda _, __, value: write_log_lines(form=value),
            help="Log format: text lines, or one JSON object per line.",
        ),
    ]
