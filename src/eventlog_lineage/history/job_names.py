"""What a job is called: the same on every night, whatever dates, counters and ids its names carry.

A job is an application's name without what varies, and what distinguishes the application's statements: the
statement's own description, else its target and command. `docs/store.md` describes the rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from eventlog_lineage.datasets.naming import short_name
from eventlog_lineage.errors import UsageError
from eventlog_lineage.events.decoding.sql_descriptions import is_sql
from eventlog_lineage.extensions import find_command

PART_LIMIT = 100
"""The greatest length of each part of a job's name; a description can be a whole SQL text."""

UNNAMED = "application"
"""What an application is called whose name is all ids, or missing."""

_SHELLS = re.compile(
    r"pyspark-shell|PySparkShell|Spark shell|SparkR|SparkSQL\b.*|Thrift JDBC/ODBC Server|Spark Connect server"
)
"""Names by default: of PySpark without `appName`, of the scripts of `bin` and `sbin` (2.4 to 4.3)."""

_START, _END = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
_YEAR = r"(?:19|20)\d\d"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_CLOCK = r"\d{1,2}[:.h_-]?\d{2}(?:[:.m_-]?\d{2}(?:[.,]\d{1,9})?)?s?"
_ZONE = r"(?:\s?(?:Z|UTC|GMT)|[+-]\d{2}:?\d{2})?"
_TIME_OF_DAY = rf"(?:(?:T|[ _.-]{{1,2}}T?){_CLOCK}{_ZONE})?"

DEFAULT_PATTERNS: tuple[str, ...] = (
    # UUIDs, with or without their dashes
    rf"{_START}[0-9a-f]{{8}}(?P<dash>[-_]?)[0-9a-f]{{4}}(?P=dash)[0-9a-f]{{4}}(?P=dash)[0-9a-f]{{4}}(?P=dash)[0-9a-f]{{12}}{_END}",
    # ids of YARN, standalone, local and Kubernetes applications, of Databricks and EMR clusters, of Glue runs
    rf"{_START}(?:application|appattempt|container|job|task|attempt)_(?:e\d+_)?\d{{10,}}(?:_\w*\d+)*{_END}",
    rf"{_START}(?:app-\d{{14}}-\d{{4,}}|local-\d{{10,}}|spark-(?:application-)?[0-9a-f]{{10,}}){_END}",
    rf"{_START}(?:\d{{4}}-\d{{6}}-[a-z]*\d*[a-z0-9]{{3,8}}|j-(?=[A-Z]*\d)[A-Z0-9]{{10,14}}|jr_[0-9a-f]{{20,}}){_END}",
    # run ids of schedulers: Airflow's `scheduled__2026-11-20T00:00:00+00:00`
    r"(?:scheduled|manual|backfill|dataset_triggered|asset_triggered)__(?=\d)",
    # hosts: the spark-sql command line calls itself SparkSQL::10.0.0.7
    rf"{_START}\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?{_END}",
    rf"{_START}ip(?:-\d{{1,3}}){{4}}(?:\.[a-z0-9.-]*(?:internal|compute)[a-z0-9.-]*)?(?::\d+)?{_END}",
    # dates, with a time of day or without: 2026-11-20T01:30:00Z, 2026_11_20, 20261120013000, 2026-W47, 2026-11, 2026Q4
    rf"{_START}{_YEAR}(?P<sep>[-/._])(?:\d{{1,2}}|{_MONTH})(?P=sep)\d{{1,2}}{_TIME_OF_DAY}{_END}",
    rf"{_START}{_YEAR}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:[ _.-]?T?\d{{2,6}}(?:[.,]?\d{{3,9}})?{_ZONE})?{_END}",
    rf"{_START}\d{{1,2}}(?P<sep>[-/._])(?:\d{{1,2}}|{_MONTH})(?P=sep){_YEAR}{_TIME_OF_DAY}{_END}",
    rf"{_START}\d{{1,2}}(?:st|nd|rd|th)?[ _.-]?{_MONTH}[ _.,-]{{0,2}}{_YEAR}{_TIME_OF_DAY}{_END}",
    rf"{_START}{_MONTH}[ _.-]?\d{{1,2}}(?:st|nd|rd|th)?[ _.,-]{{1,2}}{_YEAR}{_TIME_OF_DAY}{_END}",
    rf"{_START}{_YEAR}[-_ ]?(?:w(?:ee)?k?[-_ ]?\d{{1,2}}|q[1-4]){_END}|{_START}q[1-4][-_ ]?{_YEAR}{_END}",
    rf"{_START}{_YEAR}[-/._](?:0[1-9]|1[0-2]){_END}|{_START}{_YEAR}(?:0[1-9]|1[0-2]){_END}",
    rf"{_START}(?:{_MONTH}[ _.,-]{{0,2}}{_YEAR}|{_YEAR}[ _.,-]{{0,2}}{_MONTH}){_END}",
    # times of day and single fields of dates: 01:30:00, hr=05, year 2026
    rf"{_START}\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d{{1,9}})?)?(?:\s?[ap]m)?{_ZONE}{_END}",
    rf"(?:(?<=\b)|(?<=_))(?:year|month|day|hour|minute|yyyy|mm|dd|hh|hr|h)\s?=\s?\d{{1,4}}{_END}",
    rf"{_START}{_YEAR}{_END}",
    # ids: long numbers anywhere, hexadecimal ones, revisions
    r"\d{9,}",
    rf"{_START}\d{{5,}}{_END}",
    rf"{_START}(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{{8,}}{_END}",
    rf"{_START}(?:rev|revision|commit|sha|git)[-_ :=]?(?=[a-f]*\d)[0-9a-f]{{6,40}}{_END}",
    # counters: attempt 2, run-17, #4, (4), [4], 3/10, 3 of 10, and a number at the end; customer_360 is a name
    rf"{_START}(?:attempt|try|retry|rerun|run|batch|build|iter|iteration|exec|execution|seq)[ _:=.#-]{{0,3}}\d+{_END}",
    r"#\s?\d+\b|\(\s?\d+\s?\)|\[\s?\d+\s?\]",
    rf"{_START}\d+\s?(?:/|of)\s?\d+{_END}",
    r"(?:[\s:-]+\d+)+$",
)
"""What varies from run to run: Python regular expressions, tried in this order, upper and lower case alike."""

_FILLS = frozenset({"append", "overwrite", "replace"})
"""Modes of statements that write the rows of a query; with another command, of another version, the job is the same."""

_CALL_SITE = re.compile(r"^\S+ at (?:\S.*:\d+|<unknown>.*)$")
_GENERATED = re.compile(r"^(?:Spark Connect - |\$anonfun|<unknown>)")
_STREAM_LINE = re.compile(r"^\s*(?:id|runId|batch)\s*=.*$")
_LINE_BREAK = re.compile(r"<br\s*/?>|\r?\n")
_EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[\s*\]|\{\s*\}|''|\"\"")
_LEFT_OVER = re.compile(r"([_:/.,=+-])(?:\s*[_:/.,=+-])+")
_READ = 2000
"""Characters of a name that are looked at: some patterns take time that grows with the square of the length."""
_ENDS = " _:/.,;=+-#@"


@dataclass(frozen=True, slots=True)
class JobNameRule:
    """What is taken out of names: a list of Python regular expressions, tried in order.

    Attributes:
        patterns: The expressions; case does not matter. A match is replaced by its group `keep`, if it has one, else
            by nothing.

    Raises:
        UsageError: One of them is not a regular expression.
    """

    patterns: tuple[str, ...] = DEFAULT_PATTERNS
    _compiled: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", tuple(_compile(pattern) for pattern in self.patterns))

    def strip(self, text: str) -> str:
        """Return a text without what varies from run to run, on one line, cut at `PART_LIMIT` characters."""
        text = text[:_READ]
        for pattern in self._compiled:
            text = pattern.sub(_kept, text)
        text = " ".join(_EMPTY_BRACKETS.sub("", text).split()).strip(_ENDS)
        text = _LEFT_OVER.sub(r"\1", text)
        return text if len(text) <= PART_LIMIT else f"{text[: PART_LIMIT - 1].rstrip(_ENDS)}…"


def read_rule(text: str) -> JobNameRule:
    """Read a rule as users write it.

    Args:
        text: One regular expression per line; a line `@default` includes the built-in ones, one that starts with `# `
            is a comment.

    Raises:
        UsageError: A line is not a regular expression, or there is none.
    """
    patterns: list[str] = []
    for line in text.splitlines():
        if line.strip() == "@default":
            patterns.extend(DEFAULT_PATTERNS)
        elif line.strip() and line != "#" and not line.startswith("# "):
            patterns.append(line)
    if not patterns:
        raise UsageError("the job-name rule is empty", hint="write one regular expression a line, or @default")
    return JobNameRule(tuple(patterns))


@lru_cache(maxsize=1000)
def owner_of_views(app_name: str, app_id: str) -> str:
    """Return what an application's temporary views are named after: what it is called in all its runs.

    Applications without a name of their own have nothing in common: theirs are named after the run.

    >>> owner_of_views("nightly sales 2026-11-20", "app-1"), owner_of_views("pyspark-shell", "app-1")
    ('nightly sales', 'app-1')
    """
    name = JobNameRule().strip(app_name)
    return name if name and not _SHELLS.fullmatch(name) else app_id


def job_namer(rule: JobNameRule) -> Callable[[str, str, str, str, str], str]:
    """Return the function that names jobs by a rule; it remembers the parts that it has seen last.

    Returns:
        A function of the application's name, the statement's description, its target dataset as the log names it, its
        command and its mode (the latter four empty if there is none) to the job's name: `nightly sales: load orders`,
        `nightly sales: load orders (drop)`, or `nightly sales: orders InsertIntoHadoopFsRelationCommand`.
    """
    strip = lru_cache(maxsize=50_000)(rule.strip)

    def name(app_name: str, description: str, target: str, command: str, mode: str) -> str:
        words = strip(own_words(description))
        target_word = _target_word(target, strip)
        if words:
            words = _distinguished(words, target_word, "" if is_sql(description) else _effect(target, command, mode))
        return f"{strip(app_name) or UNNAMED}: {words or f'{target_word} {command}'.strip() or 'query'}"

    return name


def _effect(target: str, command: str, mode: str) -> str:
    """Return what a statement does to its target but to fill it: `drop`, `delete`; empty for one that fills it."""
    fills = mode in _FILLS or (mode == "create" and find_command(command).schema_effect in {"", "filled"})
    return "" if not target or fills else mode


def _distinguished(words: str, target: str, effect: str) -> str:
    """Add to a description the target and the effect that it does not name.

    Otherwise statements under one description would be numbered in order, and a missing one would pass its
    number on to the next.

    >>> _distinguished("load day's orders", "days_orders", ""), _distinguished("load orders", "orders", "drop")
    ("load day's orders: days_orders", 'load orders (drop)')
    >>> _distinguished("loyal customers", "loyal_customers", "")
    'loyal customers'
    """
    if target and not _names(words, target):
        words = f"{words}: {target}"
    return f"{words} ({effect})" if effect and not _names(words, effect) else words


def _names(words: str, word: str) -> bool:
    """Return whether a description has a name in it; `loyal customers` names `loyal_customers`."""
    spelled = r"[\W_]+".join(map(re.escape, re.split(r"[\W_]+", word)))
    return re.search(rf"(?<!\w){spelled}(?!\w)", words, re.IGNORECASE) is not None


def own_words(description: str) -> str:
    r"""Return a description without what Spark itself puts there.

    Spark writes the call site where nobody sets a description (`save at NativeMethodAccessorImpl.java:0`), Spark
    Connect an excerpt of its plan, and a micro-batch its ids (`MicroBatchExecution.getBatchDescriptionString`, 2.4 to
    4.1: `name\nid = …\nrunId = …\nbatch = 7`).

    Returns:
        The description that a user or a program set, on one line; empty if there is none.

    >>> own_words("save at NativeMethodAccessorImpl.java:0"), own_words("nightly load")
    ('', 'nightly load')
    """
    lines = [line.strip() for line in _LINE_BREAK.split(description) if not _STREAM_LINE.match(line)]
    text = " ".join(line for line in lines if line)
    return "" if _CALL_SITE.match(text) or _GENERATED.match(text) else text


def _target_word(target: str, strip: Callable[[str], str]) -> str:
    """Return the last part of the target's name that is not a date or an id as a whole."""
    if "/" not in target:
        return strip(short_name(target)) if target else ""
    return next((word for word in map(strip, reversed(target.split("/"))) if word), "")


def _compile(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UsageError(
            f"a pattern of the job-name rule is not a regular expression: {error}",
            pattern,
            "see Python's re for the syntax",
        ) from error


def _kept(match: re.Match[str]) -> str:
    return match.groupdict().get("keep") or ""
