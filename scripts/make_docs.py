"""Writes the pages that follow from the code, and the answers in those that show calls.

docs/tables.md comes from the declared tables, docs/operators.md from the rules, docs/configuration.md from the
commands' options; docs/questions.md and docs/newcomer.md get the answers of a store of the sample logs, which
`./scripts/demo` makes.

PYTHONPATH=src python scripts/make_docs.py [--check] [--store .demo]
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import click

from eventlog_lineage.cli.common import Configured, settings_of
from eventlog_lineage.cli.main import commands, run
from eventlog_lineage.operators.registry import folder_of, rules
from eventlog_lineage.store.queries.open_store import OpenStore, open_store
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.relations import MACROS, VIEWS
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest

DOCS = Path(__file__).resolve().parent.parent / "docs"
TABLES_PAGE = DOCS / "tables.md"
QUESTIONS_PAGE = DOCS / "questions.md"
NEWCOMER_PAGE = DOCS / "newcomer.md"
OPERATORS_PAGE = DOCS / "operators.md"
CONFIGURATION_PAGE = DOCS / "configuration.md"

_CALL = re.compile(
    r"^(?P<call>(?P<fence>`{3,})console\n\$ eventlog-lineage (?P<words>.*)\n)(?:(?!(?P=fence)\n).*\n)*(?P=fence)\n",
    re.MULTILINE,
)
"""A call and its answer; an answer with fences stands in a longer fence."""

HEAD = """# Tables

Written by `scripts/make_docs.py` from `src/eventlog_lineage/store/schema/tables.py`; DuckDB shows the same sentences in
`duckdb_tables()`, `duckdb_views()` and `duckdb_columns()`.

Timestamps are UTC, without a zone. `app_id` and `attempt_id` identify an application's run, with `execution_id` a
statement. The public tables are in `DIR/lineage.duckdb`, and as Parquet in `DIR/<table>/`; those
marked *by day* are partitioned by `started_on`, the day on which the application started. [store.md](store.md)
describes how to read them, [questions.md](questions.md) has questions and answers.
"""

VIEWS_HEAD = """## Views

In `lineage.duckdb` only: first those for everyday questions, then those with the columns of other systems. The words of
these systems (`transformation_type`, `transform`, `database_name`) are in their views only; everywhere else it is
`dependency`, `transformation` and `schema_name`.
"""

MACROS_HEAD = """## Table macros

`asked` is a dataset or `dataset.column`, or a list of them: the full name, an alias, or an ending of either that only
one dataset has, in upper or lower case. An unknown or ambiguous name is an error.

```sql
FROM upstream('sales.daily_sales.revenue');
FROM downstream(['landing/orders', 'staging.customers.email'], max_depth := 2, direct_only := true);
SELECT * FROM table_lineage WHERE target_dataset = resolve('sales.daily_sales');
```
"""

OPERATORS_HEAD = """\
# Operators

All supported operators, by rule. The list has physical and logical operators: a command that contains a query prints
it as a logical tree. Names are canonical: names of native engines and older versions (`GpuProject`,
`ProjectExecTransformer`, `CustomShuffleReader`) are mapped to Spark's first (`plan/printed/operator_names.py`).

An operator that is not in this list passes on attributes with the same id in its input and output; its other outputs
may depend on all inputs, with confidence `opaque`, and a `gaps` row `unknown_operator` reports it. Nothing is dropped.
Please report it: adding an operator takes one file and one fixture ([CONTRIBUTING.md](../CONTRIBUTING.md)).

| rule | operators | what it does |
|---|---|---|
"""

CONFIGURATION_HEAD = """\
# Configuration

Every setting has one name: `--keep 400` on the command line is `EVENTLOG_LINEAGE_KEEP=400` in the environment and
`keep = 400` in a TOML file: the one that `--config FILE` or `EVENTLOG_LINEAGE_CONFIG` names, else
`./eventlog-lineage.toml`, else the table `[tool.eventlog-lineage]` of `./pyproject.toml`. The command line takes
precedence over the environment, the environment over the file, the file over the default. An unknown key in the file is
an error. Settings of `[profile.NAME]` take precedence in the file with `--profile NAME` or `EVENTLOG_LINEAGE_PROFILE`.

```toml
# /etc/eventlog-lineage.toml: EVENTLOG_LINEAGE_CONFIG=/etc/eventlog-lineage.toml eventlog-lineage harvest
sources = ["hdfs:///spark-logs", "/mnt/history/*"]
store = "/data/lineage"
master = "yarn"
keep = 400
log-format = "json"

[conf]
"spark.executor.memory" = "2g"
"spark.executor.instances" = 4
```

`EVENTLOG_LINEAGE_CACHE` names the folder of the cache for stores on [object storage](object-storage.md#the-cache).

`EVENTLOG_LINEAGE_HISTORY_AUTH` (see [reading logs](reading-logs.md)) is read from the environment only: it is
a secret, and other users can see command lines.

In the environment a flag is `1` or `0`, and repeatable settings are separated by spaces; put values with spaces on the
command line or into the file. In the file, repeatable settings are arrays, and `conf` is a table.

| setting | environment | takes | default | commands | |
|---|---|---|---|---|---|
"""


def tables_page() -> str:
    """The text of docs/tables.md."""
    with tempfile.TemporaryDirectory() as folder:
        with open_for_harvest(folder) as writer:
            writer.publish(HarvestFacts(datetime(2026, 1, 1)))
        with open_store(folder) as store:
            return "\n".join(_lines(store))


def _lines(store: OpenStore) -> Iterator[str]:
    yield HEAD
    yield "## Public tables\n"
    for table in PUBLIC_TABLES:
        yield from _table(table)
    yield VIEWS_HEAD
    yield from _views(store)
    yield MACROS_HEAD
    yield from _macros(store)


def _table(table: Table) -> Iterator[str]:
    yield f"### {table.name}\n"
    yield f"One row is {table.meaning}.{' *By day.*' if table.per_run and table in PUBLIC_TABLES else ''}\n"
    yield "| column | type | |"
    yield "|---|---|---|"
    for column in table.columns:
        yield f"| {column.name} | {column.type} | {column.sentence} |"
    yield ""


def _views(store: OpenStore) -> Iterator[str]:
    comments = dict(store.ask("SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'main'").rows)
    for name in VIEWS:
        columns = store.ask(f"DESCRIBE main.{name}").rows
        yield f"### {name}\n"
        yield f"{comments[name]}\n"
        yield f"{', '.join(f'`{column[0]}`' for column in columns)}\n"


def _macros(store: OpenStore) -> Iterator[str]:
    query = (
        "SELECT comment, parameters FROM duckdb_functions() WHERE function_name = ? AND function_type = 'table_macro'"
    )
    for name in MACROS:
        comment, parameters = store.ask(query, [name]).rows[0]
        yield f"* `{name}({', '.join(str(parameter) for parameter in _parameters(parameters))})`: {comment}"


def _parameters(names: object) -> list[str]:
    return [str(name) for name in names] if isinstance(names, list) else []


def questions_page(store: str) -> str:
    """The text of docs/questions.md with the answers of a store of the sample logs."""
    return _with_answers(QUESTIONS_PAGE, store)


def newcomer_page(store: str) -> str:
    """The text of docs/newcomer.md with the answers of a store of the sample logs."""
    return _with_answers(NEWCOMER_PAGE, store)


def _with_answers(page: Path, store: str) -> str:
    """A page's text with what its commands print; `| grep WORD` and `| head -N` after a command are understood."""

    def answered(match: re.Match[str]) -> str:
        words = shlex.split(match["words"])
        pipes = [at for at, word in enumerate(words) if word == "|"]
        answer = io.StringIO()
        with contextlib.redirect_stdout(answer):
            code = run([*words[: pipes[0] if pipes else None], "--store", store])
        if code:
            raise SystemExit(f"{page.name}: {match['words']} ends with {code}")
        lines = answer.getvalue().splitlines(keepends=True)
        for at in pipes:
            program, word = words[at + 1 : at + 3]
            lines = [line for line in lines if word in line] if program == "grep" else lines[: int(word.lstrip("-"))]
        return f"{match['call']}{''.join(lines)}{match['fence']}\n"

    return _CALL.sub(answered, page.read_text(encoding="utf-8"))


def operators_page() -> str:
    """The text of docs/operators.md."""
    names: dict[tuple[str, str, str], list[str]] = {}
    for name, rule in rules().items():
        said = " ".join((inspect.getdoc(rule) or "").split("\n\n")[0].split())
        names.setdefault((folder_of(rule), rule.__name__, said), []).append(name)
    paths = {folder_of(rule): rule.__module__.replace(".", "/") for rule in rules().values()}
    lines = [
        f"| [{folder}](../src/{paths[folder]}.py) | {_spelled(operators)} | {said} |\n"
        for (folder, _, said), operators in sorted(names.items())
    ]
    return OPERATORS_HEAD + "".join(lines).replace("||", "\\|\\|")


def _spelled(operators: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(operators))


def configuration_page() -> str:
    """The text of docs/configuration.md."""
    found = settings_of(commands, click.Context(commands))
    everywhere = max(len(names) for _, names in found.values())
    lines = []
    for key, (parameter, having) in sorted(found.items()):
        where = "all" if len(having) == everywhere else ", ".join(f"`{name}`" for name in having)
        cells = (
            f"`{key}`",
            f"`{parameter.variable()}`",
            _taken(parameter),
            _default(parameter),
            where,
            _said(parameter),
        )
        lines.append(f"| {' | '.join(cells)} |\n")
    return CONFIGURATION_HEAD + "".join(lines)


def _taken(parameter: Configured) -> str:
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return "yes or no"
    if isinstance(parameter.type, click.Choice):
        return ", ".join(f"`{choice}`" for choice in parameter.type.choices)
    several = ", several" if getattr(parameter, "multiple", False) or parameter.nargs == -1 else ""
    return f"{(parameter.metavar or parameter.type.name).removesuffix('...')}{several}"


def _default(parameter: Configured) -> str:
    if isinstance(parameter, click.Argument) or getattr(parameter, "is_flag", False):
        return ""
    default = parameter.default
    return f"`{default}`" if isinstance(default, (str, int, float)) and not isinstance(default, bool) else ""


def _said(parameter: Configured) -> str:
    return str(getattr(parameter, "help", "") or "What to harvest; the words after `harvest`.")


def main() -> int:
    """Write the pages, or say whether they are up to date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a page is out of date")
    parser.add_argument("--store", help="a store of the sample logs, for docs/questions.md and docs/newcomer.md")
    asked = parser.parse_args()
    pages = {TABLES_PAGE: tables_page(), OPERATORS_PAGE: operators_page()}
    pages[CONFIGURATION_PAGE] = configuration_page()
    if asked.store:
        pages[QUESTIONS_PAGE] = questions_page(asked.store)
        pages[NEWCOMER_PAGE] = newcomer_page(asked.store)
    if asked.check:
        return int(any(path.read_text(encoding="utf-8") != page for path, page in pages.items()))
    for path, page in pages.items():
        path.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
