"""`impact NAME...`: what depends on columns and tables, for the reviewer of a change.

The answer is also Markdown for a pull request, and GitHub's annotations at the lines of a DDL file. Of such a file,
Spark SQL's and common other forms of ALTER TABLE, ALTER VIEW and DROP are read; all other statements change nothing
that others depend on, or nothing that can be known from the text (`CREATE OR REPLACE`). A parser of whole SQL is not
needed: the statements begin with fixed words, and what follows are names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.drawing import Trace, draw_mermaid
from eventlog_lineage.cli.output import Shown, as_text, markdown_table
from eventlog_lineage.cli.question import NAME, question, skip_option, unmatched_skips
from eventlog_lineage.errors import UnknownNameError
from eventlog_lineage.safe_text import counted, escape_controls, markdown_text

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.dependants import Changed
    from eventlog_lineage.store.queries.open_store import Answer, OpenStore


@question(
    "impact raw.orders.amount",
    "impact staging.customers --format markdown > comment.md",
    "impact --ddl migrations/042.sql --fail-on direct",
    "impact --ddl migrations/042.sql --annotate github",
)
@click.argument("names", nargs=-1, type=NAME)
@click.option(
    "--ddl",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="A file of SQL; what its ALTER and DROP statements drop, rename or retype is asked for. - is standard input.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["direct", "any", "unmasked"]),
    help="End with exit code 1 if values flow on (direct), if anything depends on it (any), if values flow on without "
    "a mask (unmasked).",
)
@click.option(
    "--annotate",
    type=click.Choice(["github"]),
    help="Print an annotation for each statement of --ddl with dependants, which GitHub shows at its line in a pull "
    "request, on standard error.",
)
@skip_option("Leave out matching datasets, but not what depends on them")
def impact_command(  # noqa: PLR0913, PLR0917 - an option each
    store: OpenStore,
    names: tuple[str, ...],
    ddl: tuple[str, ...],
    fail_on: str | None,
    annotate: str | None,
    skip: tuple[str, ...],
) -> Shown:
    """Show what depends on NAMES, through all hops: columns, datasets, and consumers that write nothing.

    A NAME is a dataset or dataset.column; a file that ends in .sql is one of --ddl. The Markdown format is a comment
    for a pull request, with a graph. A table of --ddl that the store does not know is reported on standard error:
    nothing that was harvested depends on it.
    """
    from eventlog_lineage.store.queries.dependants import fails, find_changed, impact  # noqa: PLC0415
    from eventlog_lineage.store.queries.paths import ends, labels, trace  # noqa: PLC0415

    names, ddl = _sorted_out(names, ddl)
    changed = [each for name in names for each in find_changed(store, name)]
    places: dict[tuple[str, str], tuple[str, int]] = {}
    changed += _of_files(store, ddl, places)
    answer = impact(store, changed, skip)
    for line in github_annotations(answer, places, fail_on) if annotate else ():
        click.echo(line, err=True)
    failing = fails(answer, fail_on)
    verdict = _verdict(failing, fail_on)
    if failing:
        click.echo(verdict, err=True)
    edges = [edge for each in changed for edge in trace(store, each.full_name, up=False, skip=skip).records()]
    known = labels(store, ends(edges))
    return Shown(
        answer,
        empty=_nothing(changed, skip),
        table=short_impact(answer),
        writers={"markdown": lambda: impact_markdown(answer, changed, edges, known, verdict)},
        code=int(bool(failing)),
        unmatched=unmatched_skips(store, skip),
    )


def _of_files(
    store: OpenStore, files: tuple[str, ...], places: dict[tuple[str, str], tuple[str, int]]
) -> Iterator[Changed]:
    """Yield what the statements of files change, and enter the file and line of each change in `places`."""
    from eventlog_lineage.store.queries.dependants import find_changed  # noqa: PLC0415

    for file in files:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8", errors="replace")
        for statement in read_statements(text):
            try:
                for each in find_changed(store, statement.name, statement.change, statement.kept):
                    places[each.full_name, each.change] = (file, statement.line)
                    yield each
            except UnknownNameError as error:  # noqa: PERF203 - files are short
                click.echo(escape_controls(f"{file}: {statement.name} is {statement.change}: {error}"), err=True)


def _sorted_out(names: tuple[str, ...], ddl: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and the files of statements: a NAME that ends in .sql is one if it exists."""
    files = tuple(name for name in names if name.endswith(".sql") and Path(name).is_file())
    if not names and not ddl:
        raise click.UsageError("Missing argument 'NAMES...' or --ddl FILE")
    return tuple(name for name in names if name not in files), ddl + files


def _nothing(changed: Sequence[Changed], skip: Sequence[str]) -> str:
    names = ", ".join(each.full_name for each in changed) or "these statements"
    return f"Nothing in the store{' outside of skipped datasets' if skip else ''} depends on {names}."


def _verdict(failing: int, level: str | None) -> str:
    if level is None:
        return ""
    if not failing:
        return f"--fail-on {level}: passed."
    return f"--fail-on {level}: failed, {failing} {'dependant' if failing == 1 else 'dependants'}."


_MOST_OPEN = 20
"""Rows that a comment shows at once; more are folded."""
_MOST_ANNOTATED = 5
"""Dependants that an annotation names."""
_MOST_ARROWS = 280
"""Arrows of a graph that GitHub draws within its limits (500 edges, 50,000 characters)."""
_MOST_CHARACTERS = 45_000

Edge = dict[str, object]


def short_impact(answer: Answer) -> Answer:
    """Return an impact in fewer columns: what a change affects and how, jobs, a reader's last read, whom to call."""
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    rows: list[tuple[object, ...]] = []
    for row in answer.records():
        masked = "yes" if row["masked"] else "no" if row["dependency"] == "DIRECT" else None
        kinds = (row["dependency"], row["transformations"])
        call = " ".join(str(row[name]) for name in ("owner", "contact") if row[name])
        facts = (row["depth"], row["jobs"], row["last_read"], call, row["tags"])
        rows.append((row["changed"], _affected(row), *kinds, masked, *facts))
    names = ("changed", "affected", "dependency", "transformations", "masked", "depth", "jobs", "last_read")
    optional = ("owner", "tags")
    return Answer((*names, *optional), rows).without_empty(*optional)


def _affected(row: Mapping[str, object]) -> str:
    """Return what a change affects: a column, a dataset, or a consumer with what it reads."""
    if row["kind"] != "consumer":
        return ".".join(str(part) for part in (row["dataset"], row["column_name"]) if part)
    listed = row["columns"] if isinstance(row["columns"], list) else []
    return f"{row['user_name'] or 'a query'} reads {row['reads']} ({', '.join(map(str, listed)) or 'rows'})"


def impact_markdown(
    answer: Answer, changed: Sequence[Changed], edges: Sequence[Edge], labels: Mapping[str, str], verdict: str
) -> Iterable[str]:
    """Return the lines of a comment: a sentence, the table, a graph."""
    names = ", ".join(f"**{markdown_text(each.full_name)}**{_change(each)}" for each in changed) or "Nothing"
    yield "### Impact on lineage"
    yield ""
    yield f"{names}: {_counts(answer)}"
    if verdict:
        yield ""
        yield markdown_text(verdict)
    if answer.rows:
        yield ""
        yield from _folded(answer)
        yield ""
        yield from _graph(edges, [Trace(each.dataset, each.column, False, labels=labels) for each in changed])


def github_annotations(
    answer: Answer, places: Mapping[tuple[str, str], tuple[str, int]], fail_on: str | None
) -> Iterator[str]:
    """Yield GitHub's workflow commands that show an impact at the lines of a pull request.

    Args:
        places: The file and line of each changed name and its change.
        fail_on: What the check fails on: such statements are errors, others with dependants warnings.
    """
    from eventlog_lineage.store.queries.dependants import fails  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    for (name, change), (file, line) in places.items():
        rows = [row for row in answer.rows if row[:2] == (name, change)]
        if not rows:
            continue
        own = Answer(answer.names, rows)
        level = "error" if fails(own, fail_on) else "warning"
        text = f"{name} is {change}: {_dependants(own)} depend on it{_calls(own)}"
        yield f"::{level} file={_property(file)},line={line},title=Impact on lineage::{_escaped(text)}"


def _dependants(answer: Answer) -> str:
    found = [".".join(str(part) for part in row[3:5] if part) or str(row[10]) for row in answer.rows]
    more = f" and {len(found) - _MOST_ANNOTATED} more" if len(found) > _MOST_ANNOTATED else ""
    return f"{', '.join(found[:_MOST_ANNOTATED])}{more}"


def _calls(answer: Answer) -> str:
    """Return whom to call about dependants; empty if no file names an owner."""
    calls = {" ".join(str(row[key]) for key in ("owner", "contact") if row[key]) for row in answer.records()} - {""}
    return "; call " + ", ".join(sorted(calls)) if calls else ""


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _change(each: Changed) -> str:
    return f" ({each.change})" if each.change else ""


def _counts(answer: Answer) -> str:
    rows = list(answer.records())
    columns = {(row["dataset"], row["column_name"]) for row in rows if row["kind"] != "consumer"}
    datasets = {dataset for dataset, _ in columns}
    consumers = {(str(row["jobs"]), row["user_name"]) for row in rows if row["kind"] == "consumer"}
    if not rows:
        return "nothing in the store depends on it."
    number = sum(1 for _, column in columns if column)
    within = f"{counted(number, 'column')} of {counted(len(datasets), 'dataset')}"
    return f"{within} and {counted(len(consumers), 'consumer')} depend on it."


def _folded(answer: Answer) -> Iterator[str]:
    short = short_impact(answer)
    columns = [[as_text(value) for value in column] for column in zip(*short.rows, strict=True)]
    table = markdown_table(short.names, columns)
    if len(short.rows) <= _MOST_OPEN:
        yield from table
        return
    yield f"<details><summary>{counted(len(short.rows), 'dependant')}</summary>"
    yield ""
    yield from table
    yield ""
    yield "</details>"


def _graph(edges: Sequence[Edge], traces: Sequence[Trace]) -> Iterator[str]:
    for detail in ("auto", "tables"):
        lines = list(draw_mermaid(edges, traces, detail))
        arrows = sum("-->" in line or "-.->" in line for line in lines)
        if arrows <= _MOST_ARROWS and sum(map(len, lines)) <= _MOST_CHARACTERS:
            yield "```mermaid"
            yield from lines
            yield "```"
            return
    yield f"The graph has {arrows} arrows, more than GitHub draws: see `eventlog-lineage downstream NAME --format dot`."


_TOKEN = re.compile(
    r"""\s+|--[^\n]*|/\*.*?(?:\*/|$)|(?P<quoted>`(?:[^`]|``)*`|"(?:[^"]|"")*"|\[[^\]\n]*\])"""
    r"""|(?P<text>'(?:[^'\\]|\\.|'')*(?:'|$))|(?P<word>[\w$@-]+)|(?P<mark>.)""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class SchemaStatement:
    """A change of a schema.

    Attributes:
        change: `dropped`, `renamed` or `retyped`.
        name: The dataset, or `dataset.column`.
        kept: For `REPLACE COLUMNS`: the columns that stay, in lower case; all others are dropped.
        line: The line at which its statement begins, from 1.
    """

    change: str
    name: str
    kept: tuple[str, ...] | None = None
    line: int = field(default=0, compare=False)


def read_statements(text: str) -> list[SchemaStatement]:
    """Return the distinct changes of the statements of an SQL text, in order.

    >>> [(each.change, each.name) for each in read_statements("ALTER TABLE db.t DROP COLUMNS (a, `b c`)")]
    [('dropped', 'db.t.a'), ('dropped', 'db.t.b c')]
    """
    prefix, found = "", []
    for line, words in _statements(text):
        reader = _Reader(words)
        if reader.takes("USE"):
            reader.takes("CATALOG") or reader.takes("SCHEMA") or reader.takes("DATABASE") or reader.takes("NAMESPACE")
            prefix = reader.name()
            continue
        found += [replace(each, line=line) for each in _changes(reader, prefix) if each not in found]
    return found


def _statements(text: str) -> Iterator[tuple[int, list[tuple[str, bool]]]]:
    """Yield the line of each statement and its words, and whether each was quoted."""
    words: list[tuple[str, bool]] = []
    line = begun = 1
    at = 0
    for match in _TOKEN.finditer(text):
        if not words:
            line += text.count("\n", at, match.start())
            begun, at = line, match.start()
        if match["mark"] == ";":
            yield begun, words
            words = []
        elif quoted := match["quoted"]:
            words.append((quoted[1:-1].replace(quoted[0] * 2, quoted[0]), True))
        elif word := match["word"] or match["mark"]:
            words.append((word, False))
        elif match["text"]:
            words.append((match["text"], True))
    yield begun, words


class _Reader:
    """Reads the words of a statement from left to right."""

    def __init__(self, words: list[tuple[str, bool]]) -> None:
        self._words = words
        self._at = 0

    def peek(self) -> str:
        """Return the next word in upper case; empty at the end and for quoted names."""
        word, quoted = self._words[self._at] if self._at < len(self._words) else ("", True)
        return "" if quoted else word.upper()

    def at_end(self) -> bool:
        """Return whether no token is left."""
        return self._at >= len(self._words)

    def skip(self) -> None:
        """Leave out a word."""
        self._at += 1

    def takes(self, *keywords: str) -> bool:
        """Take these words if they come next."""
        start = self._at
        for keyword in keywords:
            if self.peek() != keyword:
                self._at = start
                return False
            self._at += 1
        return True

    def name(self) -> str:
        """Take a name of one or several parts."""
        parts = []
        while not self.at_end():
            parts.append(self._words[self._at][0])
            self._at += 1
            if self.peek() != ".":
                break
            self._at += 1
        return ".".join(parts)

    def names(self) -> list[str]:
        """Take names: one, several with commas between them, or a list in parentheses."""
        listed = self.takes("(")
        found = [self.name()]
        while self.peek() == ",":
            start = self._at
            self._at += 1
            if not listed and self.peek() in {"DROP", "ADD", "RENAME", "ALTER", "CHANGE"}:
                self._at = start  # the next action of the same ALTER
                break
            self.takes("IF", "EXISTS")
            found.append(self.name())
        return found


def _changes(reader: _Reader, prefix: str) -> Iterator[SchemaStatement]:
    if reader.takes("DROP"):
        if _takes_object(reader):
            reader.takes("IF", "EXISTS")
            for name in reader.names():
                yield SchemaStatement("dropped", _whole(name, prefix))
    elif reader.takes("ALTER") and _takes_object(reader):
        reader.takes("IF", "EXISTS")
        reader.takes("ONLY")
        dataset = _whole(reader.name(), prefix)
        if reader.takes("PARTITION"):
            return
        while not reader.at_end():
            yield from _action(reader, dataset)
            while not reader.at_end() and reader.peek() != ",":
                reader.skip()
            reader.skip()


def _takes_object(reader: _Reader) -> bool:
    return (
        reader.takes("TABLE")
        or reader.takes("VIEW")
        or reader.takes("MATERIALIZED", "VIEW")
        or reader.takes("EXTERNAL", "TABLE")
    )


def _whole(name: str, prefix: str) -> str:
    """Return a name with the schema of `USE`, if it has none of its own."""
    return f"{prefix}.{name}" if prefix and "." not in name else name


def _action(reader: _Reader, dataset: str) -> Iterator[SchemaStatement]:
    """Yield one action of an ALTER TABLE."""
    if action := _ACTIONS.get(reader.peek()):
        reader.skip()
        yield from action(reader, dataset)


def _dropped(reader: _Reader, dataset: str) -> Iterator[SchemaStatement]:
    if reader.peek() not in {"PARTITION", "CONSTRAINT", "PRIMARY", "FEATURE", "INDEX", "TAG"}:
        reader.takes("COLUMNS") or reader.takes("COLUMN")
        reader.takes("IF", "EXISTS")
        yield from (SchemaStatement("dropped", f"{dataset}.{column}") for column in reader.names())


def _renamed(reader: _Reader, dataset: str) -> Iterator[SchemaStatement]:
    if reader.takes("TO"):
        yield SchemaStatement("renamed", dataset)
    elif reader.peek() not in {"PARTITION", "CONSTRAINT", "INDEX"}:
        reader.takes("COLUMN")
        yield SchemaStatement("renamed", f"{dataset}.{reader.name()}")


def _replaced(reader: _Reader, dataset: str) -> Iterator[SchemaStatement]:
    if reader.takes("COLUMNS") and reader.takes("("):
        yield SchemaStatement("dropped", dataset, tuple(_defined(reader)))


def _altered(reader: _Reader, dataset: str) -> Iterator[SchemaStatement]:
    """Read what follows `ALTER` or `CHANGE`: `COLUMN a TYPE t` or `COLUMN a b t`."""
    reader.takes("COLUMN")
    column = reader.name()
    name = f"{dataset}.{column}"
    if reader.takes("TYPE") or reader.takes("SET", "DATA", "TYPE"):
        yield SchemaStatement("retyped", name)
    elif reader.peek() not in {"SET", "DROP", "FIRST", "AFTER", "COMMENT", "ADD", "SYNC"} and not reader.at_end():
        renamed = reader.name()
        yield SchemaStatement("retyped" if renamed.lower() == column.lower() else "renamed", name)


_ACTIONS = {"DROP": _dropped, "RENAME": _renamed, "REPLACE": _replaced, "CHANGE": _altered, "ALTER": _altered}
"""The first word of an action to the function that reads the rest."""


def _defined(reader: _Reader) -> Iterator[str]:
    """Yield the names of the columns that a list defines."""
    depth = 1
    expects = True
    while depth and not reader.at_end():
        if expects:
            yield reader.name().lower()
            expects = False
            continue
        mark = reader.peek()
        depth += {"(": 1, ")": -1}.get(mark, 0)
        expects = mark == "," and depth == 1
        reader.skip()
