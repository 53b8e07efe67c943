"""Reads the statements of `benchmarks/everyday`, each with its lineage written by hand, for `everyday_sql.py`.

A statement is a `#` line with its name and flags, SQL, and `->` lines:

    # revenue per customer [from 4.1]
    SELECT o.customer_id, sum(if(o.status = 'paid', o.amount, 0)) AS revenue FROM orders o GROUP BY o.customer_id
    -> customer_id: orders.customer_id
    -> revenue: orders.amount; IF orders.status
    -> rows: GROUP_BY orders.customer_id

A column has its DIRECT sources, then IF (CONDITIONAL), WINDOW and SORT ones. `-> = orders: id, status` stands for
copies of these columns, `.dt` for one more column of the dataset that is named last, `%2C` for a comma in a name,
`m{1..9}` for nine names, `s{1..9}: t.m{}` for nine columns, `?` before a source for one that Spark's optimizer can
remove, `docs.doc~a.b` for the path of a VARIANT that formatted text may omit. `-> rows:` lists what influences all
rows, `-> to: db.table` the target; what follows it is the truth of the next target of a multi-insert. A statement
without `->` lines, or with `-> none`, prepares what others read.
`[from 4.1]`, `[until 3.5]`, `[delta]` and `[hive]` limit where it runs. With `[code]` the text is Python that leaves a
data frame in `frame`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

KINDS = {"IF": "CONDITIONAL", "WINDOW": "WINDOW", "SORT": "SORT"}
ROW_KINDS = ("FILTER", "JOIN", "GROUP_BY", "SORT", "MAY")
_RANGE = re.compile(r"([\w.]*)\{(\d+)\.\.(\d+)\}")
_FLAG = re.compile(r"\[([^\[\]]+)\]\s*$")


@dataclass(frozen=True)
class Sources:
    """Source columns: those that must be there, and those that the optimizer can remove."""

    wanted: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()

    def missing(self, found: set[str]) -> set[str]:
        """The sources that are not found."""
        return {each for each in self.wanted if not _readings(each) & found}

    def extra(self, found: set[str]) -> set[str]:
        """What is found and is no source."""
        return found - {reading for each in self.wanted | self.optional for reading in _readings(each)}


def _readings(source: str) -> set[str]:
    column, tilde, path = source.partition("~")
    return {column, f"{column}.{path}"} if tilde else {source}


@dataclass(frozen=True)
class Statement:
    """A statement with its truth.

    Attributes:
        name: Its job description.
        sql: Its text.
        flags: Where it runs.
        columns: Name and sources by kind of each target column; empty for a statement that prepares others.
        rows: Sources by kind of what influences all rows.
        target: The dataset that it writes.
        further: The truths of the other targets of a multi-insert.
    """

    name: str
    sql: str
    flags: tuple[str, ...] = ()
    columns: tuple[tuple[str, dict[str, Sources]], ...] = ()
    rows: dict[str, Sources] = field(default_factory=dict)
    target: str = ""
    has_truth: bool = False
    further: tuple[Statement, ...] = ()

    def runs_on(self, version: str, formats: frozenset[str] = frozenset()) -> bool:
        """Whether a Spark has what the statement needs.

        Args:
            version: Spark's, as `4.1`.
            formats: The table formats that its classpath has.
        """
        number = tuple(map(int, version.split(".")[:2]))
        for flag in self.flags:
            word, _, limit = flag.partition(" ")
            bound = tuple(map(int, limit.split("."))) if limit else ()
            if (word == "from" and number < bound) or (word == "until" and number > bound):
                return False
            if word in ("delta", "hive") and word not in formats:
                return False
        return True


def sources(text: str, last: str = "") -> Sources:
    """The sources of a list such as `orders.amount, .discount, ?fx.rate`."""
    wanted: set[str] = set()
    optional: set[str] = set()
    for word in (each.strip() for each in text.split(",")):
        if not word or word == "-":
            continue
        name = word.lstrip("?").replace("%2C", ",")
        if name.startswith("."):
            name = f"{last}{name}"
        else:
            last = name.partition(".")[0]
        (optional if word.startswith("?") else wanted).add(name)
    return Sources(frozenset(wanted), frozenset(optional))


def _kinds(text: str, first: str, words: tuple[str, ...] | dict[str, str]) -> dict[str, Sources]:
    found: dict[str, Sources] = {}
    for position, part in enumerate(text.split(";")):
        kind, _, names = part.strip().partition(" ")
        if kind in words:
            found[words[kind] if isinstance(words, dict) else kind] = sources(names)
        elif position == 0 and first:
            found[first] = sources(part)
        elif part.strip():
            raise ValueError(part)
    return found


def parse(text: str) -> list[Statement]:
    """The statements of a file."""
    return [_statement(block) for block in re.split(r"(?m)^# ", text)[1:]]


def _statement(block: str) -> Statement:
    head, *lines = block.rstrip().split("\n")
    head, flags = _without_flags(head)
    sql = "\n".join(line for line in lines if not line.startswith("->")).strip().removesuffix(";")
    truth = [line[2:].strip() for line in lines if line.startswith("->") and line != "-> none"]
    ends = [number for number, line in enumerate(truth, 1) if line.startswith("to: ")][:-1]
    parts = [truth[begin:end] for begin, end in zip([0, *ends], [*ends, len(truth)], strict=True)]
    first, *others = (_truth(Statement(head.strip(), sql, flags, has_truth=bool(truth)), part) for part in parts)
    return replace(first, further=tuple(others))


def _truth(statement: Statement, lines: list[str]) -> Statement:
    """A statement with the columns, the influences on all rows and the target of the lines of one target."""
    columns: list[tuple[str, dict[str, Sources]]] = []
    rows: dict[str, Sources] = {}
    target = ""
    for line in (each for printed in lines for each in _numbered(printed)):
        name, _, rest = line.partition(": ")
        if name.startswith("= "):
            dataset = name.removeprefix("= ")
            copied = [each.strip() for each in rest.split(",")]
            columns += [(each, {"DIRECT": Sources(frozenset({f"{dataset}.{each}"}))}) for each in copied]
        elif name == "rows":
            rows = _kinds(rest, "", ROW_KINDS)
        elif name == "to":
            target = rest.strip()
        else:
            columns.append((name.removesuffix(":").replace("%2C", ","), _kinds(rest, "DIRECT", KINDS)))
    return replace(statement, columns=tuple(columns), rows=rows, target=target)


def _numbered(line: str) -> Iterator[str]:
    """The lines that a line with ranges such as `{1..9}` stands for."""
    column = _RANGE.match(line.partition(":")[0])
    if column and not line.startswith("= "):
        for number in range(int(column[2]), int(column[3]) + 1):
            yield line.replace(column[0], f"{column[1]}{number}", 1).replace("{}", str(number))
    else:
        yield _RANGE.sub(lambda each: ", ".join(f"{each[1]}{n}" for n in range(int(each[2]), int(each[3]) + 1)), line)


PLACES = {
    "scalar": {
        "SELECT": "SELECT {0} AS r FROM things",
        "KEY": "SELECT {0} AS r, max(g) AS n FROM things GROUP BY {0}",
        "WHERE": "SELECT g FROM things WHERE CAST({0} AS STRING) = 'x'",
        "JOIN": "SELECT g FROM things JOIN other_things o ON CAST({0} AS STRING) = o.k",
        "GROUP BY": "SELECT max(g) AS n FROM things GROUP BY CAST({0} AS STRING)",
        "ORDER BY": "SELECT g FROM things ORDER BY CAST({0} AS STRING) LIMIT 3",
        "PARTITION BY": "SELECT max(g) OVER (PARTITION BY CAST({0} AS STRING)) AS w FROM things",
    },
    "aggregate": {
        "SELECT": "SELECT {0} AS r FROM things",
        "GROUPED": "SELECT {0} AS r FROM things GROUP BY {1}",
        "HAVING": "SELECT g FROM things GROUP BY {1} HAVING CAST({0} AS STRING) <> 'x'",
        "SORTED": "SELECT g FROM things GROUP BY {1} ORDER BY CAST({0} AS STRING) LIMIT 3",
    },
    "window": {
        "SELECT": "SELECT {0} AS r FROM things",
        "WHERE": "SELECT g FROM (SELECT g, {0} AS r FROM things) WHERE CAST(r AS STRING) = 'x'",
        "ORDER BY": "SELECT g FROM (SELECT g, {0} AS r FROM things) ORDER BY CAST(r AS STRING) LIMIT 3",
    },
    "generator": {
        "LATERAL": "SELECT g, {1} FROM things LATERAL VIEW {0} t AS {1}",
        "OUTER": "SELECT g, {1} FROM things LATERAL VIEW OUTER {0} t AS {1}",
        "SELECT": "SELECT g, {0} AS ({1}) FROM things",
        "WHERE": "SELECT g FROM things LATERAL VIEW {0} t AS {1} WHERE CAST({2} AS STRING) = 'x'",
    },
}
"""Where an expression is put, by its kind: select lists, conditions, keys and sorts."""

_THINGS = """a BIGINT, b BIGINT, d DOUBLE, s STRING, u STRING, dt DATE, ts TIMESTAMP, bin BINARY, arr ARRAY<INT>,
strs ARRAY<STRING>, m MAP<STRING, BIGINT>, st STRUCT<x: INT, y: STRING>, flag BOOLEAN, g STRING"""
THINGS = (
    f"CREATE TABLE things ({_THINGS}) USING parquet",
    "CREATE TABLE other_things (k STRING, t BIGINT) USING parquet",
)
_GROUP = {"KEY": "GROUP_BY", "GROUP BY": "GROUP_BY", "ORDER BY": "SORT", "SORTED": "SORT", "HAVING": "FILTER"}
_OWN = {"DIRECT": Sources(frozenset({"things.g"}))}


def _of_things(text: str) -> dict[str, Sources]:
    """The sources of an expression over `things`, whose table is not written."""
    return _kinds(re.sub(r"(?<![\w.])\??[a-z]\w*", _with_table, text), "DIRECT", KINDS)


def _with_table(match: re.Match[str]) -> str:
    word = match[0]
    return f"?things.{word[1:]}" if word.startswith("?") else f"things.{word}"


def _together(kinds: Iterable[Sources]) -> Sources:
    kinds = list(kinds)
    wanted = frozenset().union(*(each.wanted for each in kinds))
    return Sources(wanted, frozenset().union(*(each.optional for each in kinds)) - wanted)


def expressions(path: Path) -> list[Statement]:
    """The statements of the expressions of a file, each in all places where it can stand."""
    found = [Statement("", sql) for sql in THINGS]
    kind = ""
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text in PLACES:
            kind = text
        elif kind and text:
            line, flags = _without_flags(text)
            expression, _, truth = line.rpartition(" => ")
            if "skip" not in flags:
                name = f"{number} {re.sub('[^a-z]+', ' ', expression.lower()[:30]).strip()}"
                found.extend(_placed(kind, name, expression, truth, flags))
    return found


def _without_flags(line: str) -> tuple[str, tuple[str, ...]]:
    flags = []
    while match := _FLAG.search(line):
        flags.append(match[1])
        line = line[: match.start()].rstrip()
    return line, tuple(flags)


def _placed(kind: str, name: str, expression: str, truth: str, flags: tuple[str, ...]) -> Iterator[Statement]:
    if kind == "generator":
        yield from _generated(name, expression, truth, flags)
        return
    made = _of_things(truth)
    everything = _together(made.values())
    places = {place: form for place, form in PLACES[kind].items() if place != "SELECT" or "grouping" not in expression}
    key = "ROLLUP (g)" if expression.startswith("grouping") else "g"
    for place, form in places.items():
        sql = form.replace("{0}", expression).replace("{1}", key)
        columns: list[tuple[str, dict[str, Sources]]] = [("g", _OWN)]
        rows: dict[str, Sources] = {}
        if place in ("SELECT", "GROUPED"):
            columns = [("r", made)]
        elif place == "KEY":
            columns, rows = [("r", made), ("n", _OWN)], {"GROUP_BY": everything}
        elif place == "GROUP BY":
            columns, rows = [("n", _OWN)], {"GROUP_BY": everything}
        elif place == "PARTITION BY":
            columns = [("w", {**_OWN, "WINDOW": everything})]
        elif place == "JOIN":
            rows = {"JOIN": _together([everything, Sources(frozenset({"other_things.k"}))])}
        else:
            rows = {_GROUP.get(place, "FILTER"): everything}
        if place in ("GROUPED", "HAVING", "SORTED"):
            rows["GROUP_BY"] = Sources(frozenset({"things.g"}))
        yield Statement(f"{kind} {name} {place}", sql, flags, tuple(columns), rows, has_truth=True)


def _generated(name: str, text: str, truth: str, flags: tuple[str, ...]) -> Iterator[Statement]:
    generator, _, names = text.rpartition(" AS ")
    parts = [each.strip().partition(": ") for each in truth.split("|")]
    columns = tuple((column, _of_things(sources)) for column, _, sources in parts)
    everything = _together(each for _, kinds in columns for each in kinds.values())
    optional = {"MAY": Sources(optional=everything.wanted | everything.optional)}
    last = names.rpartition(",")[2].strip()
    for place, form in PLACES["generator"].items():
        sql = form.replace("{0}", generator).replace("{1}", names).replace("{2}", last)
        own = (("g", _OWN), *columns) if place != "WHERE" else (("g", _OWN),)
        rows = {**optional, "FILTER": _together(columns[-1][1].values())} if place == "WHERE" else optional
        yield Statement(f"generator {name} {place}", sql, flags, own, rows, has_truth=True)


def load(folder: Path, pattern: str = "*") -> list[Statement]:
    """The statements of a folder's files.

    Args:
        folder: The folder.
        pattern: What the names of the files match; the one that creates the tables is always there.
    """
    paths = sorted({*folder.glob("00_*.sql"), *folder.glob(f"{pattern}.sql")})
    found = [each for path in paths for each in parse(path.read_text(encoding="utf-8"))]
    names = [each.name for each in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"several statements are named {sorted(twice)}")
    return found
