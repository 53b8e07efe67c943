"""Read workloads: `NAME/workload.toml`, and statements in SQL files with their truth as front matter.

    -- name: scores
    -- writes: append scores
    -- columns: id day < orders.*; total < orders.amount orders.tax; loaded <
    -- conditions: FILTER orders.day; JOIN orders.id
    INSERT INTO gold.scores SELECT …;

`name` is the job description. A statement without SQL is a function of that name in the Python module next to the
file: frames, streams, APIs. Other keys:

* `writes`: kind and dataset, `nothing` for a query. Without it the truth does not list the statement; several are
  several truths. `elsewhere: NAME`, in place of `name`, has the truth about a statement that no step starts.
* `only`: ends of the names of logs that have it; `formats`: variants that have it.
* `from: common`: its SQL is that of the same name in `common.sql`. `frame`: the function, if it has another name.
* `set: KEY = VALUE`: a setting of the session for this statement. `asks: SELECT …`: a query whose answer is `{asked}`
  in the SQL, without a trace in the log. `snapshots: orders`: tables whose snapshots are recorded, in place of all.

A line of front matter continues on lines that begin with `--` and three spaces. `{1..60: c{n} + 1 AS d{n+1}}` stands
for 60 items. `{format}` is the variant's format, `{root}` the folder of the run; names of layers become catalog and
database.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
_ITEMS = re.compile(r"\{(\d+)\.\.(\d+): ((?:[^{}]|\{n(?:[+-]\d+)?\})*)\}")
_NUMBER = re.compile(r"\{n([+-]\d+)?\}")
_WORDS = re.compile(r"(?:`[^`]*`|[^\s`])+")
_TRUTHS = ("writes", "columns", "conditions")
_KEYS = ("name", "elsewhere", "only", "formats", "from", "frame", "set", "asks", "snapshots", *_TRUTHS)


@dataclass(frozen=True)
class Truth:
    """What a statement writes, as its front matter says it."""

    writes: str
    columns: str = ""
    conditions: str = ""


@dataclass(frozen=True)
class Step:
    """A statement: its name, its SQL (empty for a function of the module next to the file), what is true of it."""

    name: str
    file: str
    sql: str = ""
    only: str = ""
    formats: str = ""
    elsewhere: bool = False
    source: str = ""
    frame: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    asks: str = ""
    snapshots: str = ""
    truths: tuple[Truth, ...] = ()


@dataclass(frozen=True)
class Workload:
    """A variant of a workload: what runs on one format.

    Attributes:
        name: The workload's, the name of its folder.
        format: The format of its tables.
        root: The folder of the run that made the committed logs.
        module: The module with the functions of all files; each file has its own without it.
        steps: The statements in order, SQL with its catalogs.
        named: Puts catalogs into a text.
        settings: Spark's settings.
        namespaces: What is created before the first statement.
        datasets: Short names of the truth to full names.
        changes: A line per change of a schema, `orders: column_added note`, ` @4-1` for one log only.
    """

    name: str
    format: str
    root: str
    module: str
    steps: tuple[Step, ...]
    named: Callable[[str], str]
    layers: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    namespaces: tuple[str, ...] = ()
    datasets: Mapping[str, str] = field(default_factory=dict)
    changes: str = ""

    def truth(self) -> dict[str, Any]:
        """Return the truth in the form of `tests/medallion_logs/README.md`."""
        statements = [_statement(step, each) for step in self.steps for each in step.truths]
        changes = [_change(line) for line in self.changes.strip().splitlines()]
        return {"datasets": dict(self.datasets), "statements": statements, "schema_changes": changes}


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds."""
    toml = importlib.import_module("tomllib" if importlib.util.find_spec("tomllib") else "tomli")  # 3.11 and before
    content: dict[str, Any] = toml.loads(path.read_text(encoding="utf-8"))
    return content


def of_log(name: str) -> Workload:
    """Return the workload of a log of `logs.toml`."""
    log = read_toml(FOLDER / "logs.toml")[name]
    return load(log["workload"], log["variant"])


def load(name: str, variant: str) -> Workload:
    """Return a variant of a workload, `harbour` and `iceberg_two`."""
    folder = FOLDER / name
    content = read_toml(folder / "workload.toml")
    own = content["variants"][variant]
    form = own.get("format", variant.partition("_")[0])
    layers = own.get("layers", {})
    words = {**own.get("words", {}), "format": form}
    named = layered(layers, words)
    root = own.get("root", content["root"])
    steps = (step for file in own.get("files", ["steps"]) for step in _complete(folder, file))
    known = {**content["datasets"], **own.get("datasets", {})}
    shared = read_toml(FOLDER / "settings.toml")
    settings = [shared[each] for each in own.get("settings", [form])]
    return Workload(
        name,
        form,
        root,
        own.get("module", content.get("module", "")),
        tuple(
            each if each.file in own.get("plain", ()) else replace(each, sql=named(each.sql), asks=named(each.asks))
            for each in steps
            if variant in (each.formats or variant).split()
        ),
        named,
        layers,
        words,
        {key: value for each in (*settings, content.get("settings", {})) for key, value in each.items()},
        tuple(map(named, own.get("namespaces", content.get("namespaces", sorted(set(layers.values())))))),
        {short: named(full.replace("{root}", f"file://{root}")) for short, full in known.items()},
        content.get("changes", "") + own.get("changes", ""),
    )


def _complete(folder: Path, file: str) -> Iterator[Step]:
    """Yield the statements of a file, those with `from` with their SQL."""
    steps = list(parse(folder / f"{file}.sql"))
    sources = {each.source for each in steps} - {""}
    known = {(source, each.name): each.sql for source in sources for each in parse(folder / f"{source}.sql")}
    for each in steps:
        yield replace(each, sql=known[each.source, each.name]) if each.source else each


def layered(layers: Mapping[str, str], words: Mapping[str, str]) -> Callable[[str], str]:
    """Return what puts the catalog and database of layers, and words in braces, into a text.

    `{gold.catalog}` and `{gold.database}` are the two names of the layer `gold`.
    """
    parts = {layer: place.rpartition(".") for layer, place in layers.items()}
    words = {**words, **{f"{layer}.catalog": catalog for layer, (catalog, _, _) in parts.items()}}
    words = {**words, **{f"{layer}.database": database for layer, (_, _, database) in parts.items()}}
    found = re.compile(rf"(?<![\w./])({'|'.join(layers) or '(?!)'})\.(?=[\w`])")

    def named(text: str) -> str:
        for word, value in words.items():
            text = text.replace(f"{{{word}}}", value)
        return found.sub(lambda match: f"{layers[match[1]]}.", text)

    return named


def parse(path: Path) -> Iterator[Step]:
    """Yield the statements of a file, its number ranges written out."""
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        lines = block.splitlines()
        count = next((number for number, line in enumerate(lines) if not line.startswith("-- ")), len(lines))
        sql = expanded(" ".join(lines[count:]), ", ")
        yield _step(list(_front_matter(lines[:count])), path.stem, sql[:-1] if sql.endswith(";") else sql)


def expanded(text: str, comma: str) -> str:
    """Write number ranges out, separated by a comma."""
    return _ITEMS.sub(lambda match: comma.join(_numbered(match[3], int(match[1]), int(match[2]))), text)


def _numbered(item: str, first: int, last: int) -> Iterator[str]:
    pieces = _NUMBER.split(item)
    for number in range(first, last + 1):
        numbers = (str(number + int(offset or 0)) for offset in pieces[1::2])
        yield "".join(part for pair in zip_longest(pieces[::2], numbers, fillvalue="") for part in pair)


def _front_matter(lines: list[str]) -> Iterator[tuple[str, str]]:
    text = "\n".join(lines).replace("\n--   ", " ")
    for line in text.splitlines():
        key, _, value = line[3:].partition(":")
        if key not in _KEYS:
            raise ValueError(f"unknown key in front matter: {line}")
        yield key, value.strip()


def _step(front: list[tuple[str, str]], file: str, sql: str) -> Step:
    (head, name), *rest = front
    truths: list[dict[str, str]] = []
    settings = []
    given = {}
    for key, value in rest:
        if key == "writes":
            truths.append({key: value})
        elif key in _TRUTHS:
            truths[-1][key] = expanded(value, "; ")
        elif key == "set":
            setting, _, content = value.partition(" = ")
            settings.append((setting, content))
        else:
            given["source" if key == "from" else key] = value
    made: dict[str, Any] = {**given, "settings": tuple(settings), "truths": tuple(Truth(**each) for each in truths)}
    return Step(name, file, sql, elsewhere=head == "elsewhere", **made)


def _statement(step: Step, truth: Truth) -> dict[str, Any]:
    columns = {}
    for part in filter(None, (part.strip() for part in truth.columns.split(";"))):
        targets, _, sources = part.partition("<")
        found = [word for range_ in _WORDS.findall(sources) for word in _range(range_)]
        columns[targets.strip()] = found[0] if len(found) == 1 else found
    item: dict[str, Any] = {"name": step.name, "in": step.only, "columns": columns}
    item["writes"] = "" if truth.writes == "nothing" else truth.writes
    item["conditions"] = [each.strip() for each in truth.conditions.split(";") if each.strip()]
    return {key: value for key, value in item.items() if value}


def _range(word: str) -> list[str]:
    """Return the sources of `wide.c{1..40}`."""
    match = re.fullmatch(r"(.*)\{(\d+)\.\.(\d+)\}", word)
    return [f"{match[1]}{number}" for number in range(int(match[2]), int(match[3]) + 1)] if match else [word]


def _change(line: str) -> dict[str, str]:
    text, _, logs = line.partition(" @")
    table, _, change = text.strip().partition(": ")
    kind, _, columns = change.partition(" ")
    return {"table": table, kind: columns, **({"in": logs} if logs else {})}
