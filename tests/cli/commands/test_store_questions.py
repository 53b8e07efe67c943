"""The commands that ask a store, from the words on the command line to what is printed."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eventlog_lineage import __version__
from eventlog_lineage.cli.main import FORMER, GROUPS, commands, essence, run
from eventlog_lineage.cli.output import Shown, show
from eventlog_lineage.store.queries.open_store import Answer
from support.stores.nights import Night

A, B, C = "spark_catalog.raw.a", "spark_catalog.sales.b", "spark_catalog.mart.c"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "y", "AGGREGATION"), (f"{A}!k", "", "JOIN")], target=B)
    shape = made.rows["lineages"][0]["lineage_fingerprint"]
    made.add(
        "lineage_gaps", lineage_fingerprint=shape, reason="unknown_operator", operator="Foo", detail="d", hint="tell us"
    )
    made.statement([(f"{B}!y", "z", "IDENTITY")], target=C, execution=2)
    path = tmp_path_factory.mktemp("cli")
    made.harvest(path)
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a call prints; it must end well."""
    assert run(words) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def failure(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> str:
    """The one line that a call prints on stderr."""
    assert run(words) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


def test_upstream_as_plain_text_in_a_pipe(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    job = "nightly sales"
    assert answer(capsys, "upstream", "mart.c.z", "--store", store) == (
        "depth  source                   target                   transformation  expression  job\n"
        f"1      {B}.y  {C}.z   IDENTITY        y           {job}: c InsertInto\n"
        f"2      {A}.k    {B}    JOIN            k           {job}: b InsertInto\n"
        f"2      {A}.x    {B}.y  AGGREGATION     x           {job}: b InsertInto\n"
    )


def test_upstream_as_json_and_csv_has_all_columns(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    records = json.loads(answer(capsys, "upstream", "c.z", "--direct-only", "--format", "json", "--store", store))
    assert [record["source_column"] for record in records] == ["y", "x"]
    assert records[1]["transformation"] == "AGGREGATION"
    table = list(csv.DictReader(io.StringIO(answer(capsys, "upstream", "c.z", "--format", "csv", "--store", store))))
    assert list(table[0]) == list(records[0])
    assert table[0]["depth"] == "1"


def test_downstream_as_mermaid_and_dot(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "downstream", "a.k", "--format", "mermaid", "--store", store) == (
        "flowchart LR\n"
        f'  subgraph d0["{A} (parquet)"]\n    n0["k"]\n  end\n'
        f'  subgraph d1["{B} (parquet)"]\n    n1["all columns"]\n    n2["y"]\n  end\n'
        f'  subgraph d2["{C} (parquet)"]\n    n3["z"]\n  end\n'
        '  n0 -.->|"JOIN"| n1\n'
        '  n2 -->|"IDENTITY"| n3\n'
        "  classDef asked stroke-width:4px,font-weight:bold\n"
        "  class n0 asked\n"
    )
    drawn = answer(capsys, "downstream", "raw.a", "--depth", "1", "--format", "dot", "--store", store)
    assert drawn == (
        "digraph lineage {\n  rankdir=LR; node [shape=box];\n"
        f'  n0 [label="{A} (parquet)"];\n  n1 [label="{B} (parquet)"];\n'
        f'  n0 -> n1 [label=""];\n  n0 [penwidth=3];\n}}\n'
    )


def test_a_trace_of_nothing_says_so(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "upstream", "a.x", "--store", store) == "No upstream of a.x in the store.\n"
    assert answer(capsys, "upstream", "a.x", "--format", "json", "--store", store) == "[]\n"


def test_rows_of_an_rdd_come_from_all_columns_of_a_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, d = Night(), "spark_catalog.mart.d"
    made.app()
    made.statement([(f"{A}!x", "y", "AGGREGATION"), (f"{A}!k", "", "JOIN")], target=B)
    made.statement([(f"{B}!", "z", "TRANSFORMATION")], target=C, execution=2)
    made.statement([(f"{C}!z", "v", "IDENTITY")], target=d, execution=3)
    made.harvest(tmp_path)
    for when in ((), ("--at", "2027-01-01")):
        words = (*when, "--format", "json", "--store", str(tmp_path))
        up = json.loads(answer(capsys, "upstream", "d.v", *words))
        assert [(each["depth"], each["source_dataset"], each["source_column"], each["confidence"]) for each in up] == [
            (1, C, "z", "exact"),
            (2, B, None, "opaque"),
            (3, A, "k", "exact"),
            (3, A, "x", "exact"),
        ]
        for column, through in (("x", (B, "y")), ("k", (B, None))):
            down = json.loads(answer(capsys, "downstream", f"a.{column}", *words))
            assert [(each["target_dataset"], each["target_column"]) for each in down] == [through, (C, "z"), (d, "v")]
    affected = json.loads(answer(capsys, "impact", "b.y", "--format", "json", "--store", str(tmp_path)))
    assert [(each["dataset"], each["column_name"], each["dependency"]) for each in affected] == [
        (C, "z", "DIRECT"),
        (d, "v", "DIRECT"),
    ]
    told = answer(capsys, "why", "d.v", "--store", str(tmp_path))
    assert "Over 3 steps its values come from spark_catalog.raw.a.x.\n" in told
    assert f"{C}.z is computed from all columns of {B}\n" in told
    assert "opaque" in told
    places = json.loads(answer(capsys, "erasure", "b.y", "--format", "json", "--store", str(tmp_path)))
    assert [(each["holds"], each["dataset"]) for each in places] == [
        ("origin", B),
        ("source", A),
        ("derived", C),
        ("copy", d),
    ]


def test_columns_tells_sources_and_expressions(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    records = json.loads(answer(capsys, "columns", "sales.b", "--format", "json", "--store", store))
    assert records == [
        {
            "ordinal": 1,
            "column_name": "y",
            "data_type": None,
            "sources": [f"{A}.x"],
            "transformations": ["AGGREGATION"],
            "expressions": ["x"],
            "jobs": ["nightly sales: b InsertInto"],
            "last_written": "2026-11-18T01:01:00",
            "tags": [],
            "owner": None,
            "description": None,
        }
    ]


def test_gaps_are_grouped_by_reason_with_a_hint(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    records = json.loads(answer(capsys, "gaps", "--format", "json", "--store", store))
    assert [(r["reason"], r["gaps"], r["statements"], r["for_example"], r["hint"]) for r in records] == [
        ("unknown_operator", 1, 1, "Foo", "tell us")
    ]
    every = json.loads(answer(capsys, "gaps", "--all", "--format", "json", "--store", store))
    assert [(r["app_id"], r["execution_id"], r["job_name"]) for r in every] == [
        ("app-0", 1, "nightly sales: b InsertInto")
    ]


def test_the_example_of_a_reason_is_one_gap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "y", "IDENTITY")], target=B)
    shape = made.rows["lineages"][0]["lineage_fingerprint"]
    for name, detail, hint in (("", "a", "of none"), ("Scan", "c", "of Scan c"), ("Scan", "b", "of Scan b")):
        gap = {"reason": "unknown_source", "operator": name, "detail": detail, "hint": hint}
        made.add("lineage_gaps", lineage_fingerprint=shape, **gap)
    made.harvest(tmp_path)
    records = json.loads(answer(capsys, "gaps", "--format", "json", "--store", str(tmp_path)))
    assert [(r["gaps"], r["for_example"], r["detail"], r["hint"]) for r in records] == [(3, "Scan", "b", "of Scan b")]


def test_jobs_previews_another_rule_and_changes_nothing(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = tmp_path / "rule.txt"
    rule.write_text("nightly\n@default\n")
    for words, name in (
        ([], "nightly sales: b InsertInto"),
        (["--rule", str(rule)], "sales: b InsertInto"),
        ([], "nightly sales: b InsertInto"),
    ):
        records = json.loads(answer(capsys, "jobs", *words, "--format", "json", "--store", store))
        assert (records[0]["job_name"], records[0]["runs"], records[0]["targets"]) == (name, 1, [B])
        assert records[0]["application"] == "nightly sales 2026-11-18"


def test_sql_asks_anything_of_tables_views_and_macros(
    store: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "SELECT source_column FROM upstream('c.z', direct_only := true) ORDER BY 1"
    assert answer(capsys, "sql", query, "--store", store) == "source_column\nx\ny\n"
    monkeypatch.setattr(
        sys, "stdin", io.StringIO("SELECT [1, 2] AS a, TIMESTAMP '2026-11-20 01:02:03' AS b, NULL AS c")
    )
    assert answer(capsys, "sql", "-", "--format", "csv", "--store", store) == 'a,b,c\n"[1, 2]",2026-11-20T01:02:03,\n'


def test_sql_cannot_change_the_store(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "read-only" in failure(capsys, 2, "sql", "DELETE FROM datasets", "--store", store)


def test_the_store_is_taken_from_the_environment(
    store: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENTLOG_LINEAGE_STORE", store)
    assert answer(capsys, "sql", "SELECT 1 AS one") == "one\n1\n"


@pytest.mark.parametrize(
    ("code", "words", "message"),
    [
        (2, ["upstream", "mart.cc.z"], "Error: no dataset or column of the store is called mart.cc.z; did you mean"),
        (2, ["upstream"], "Error: Missing argument 'NAME'; see eventlog-lineage upstream --help"),
        (2, ["upsteram", "x"], "Error: No such command 'upsteram'"),
        (2, ["upstream", "x", "--depth", "0"], "Error: Invalid value for '--depth'"),
        (2, ["upstream", "x", "--format", "xml"], "Error: Invalid value for '--format'"),
        (1, ["gaps", "--store", "/nowhere"], "Error: there is no store (/nowhere); name the store with --store"),
    ],
)
def test_errors_are_one_line_with_the_contracts_exit_code(
    store: str, capsys: pytest.CaptureFixture[str], code: int, words: list[str], message: str
) -> None:
    chosen = [] if "--store" in words or len(words) == 1 or words[0] == "upsteram" else ["--store", store]
    assert failure(capsys, code, *words, *chosen).startswith(message)


def test_an_error_of_a_query_is_one_line_and_the_place_in_the_query(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sql", "FROM nothing", "--store", store]) == 2
    printed = capsys.readouterr()
    message, line, caret = printed.err.splitlines()
    assert printed.out == ""
    assert message.startswith("Error: the query fails: Catalog Error: Table with name nothing does not exist!")
    assert line == "LINE 1: FROM nothing"
    assert caret.index("^") == line.index("nothing")


@pytest.mark.parametrize("words", [["--debug", "gaps"], ["gaps", "--debug"]])
def test_debug_shows_the_traceback_before_or_after_the_command(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--store", "/nowhere"]) == 1
    assert "Traceback" in capsys.readouterr().err


SPARKS = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.runJob.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 2.0 failed 1 times
Traceback (most recent call last):
  File "worker.py", line 3386, in main
OSError: [Errno 28] No space left on device
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:645)
Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):
"""


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError(SPARKS), "OSError: [Errno 28] No space left on device"),
        (RuntimeError(": java.io.IOException: gone\n\tat x"), "java.io.IOException: gone"),
        (KeyError("x"), "KeyError: 'x'"),
        (ValueError(), "ValueError: no message"),
        (ValueError("x" * 999), "ValueError: " + "x" * 287 + "…"),
    ],
)
def test_an_unexpected_error_is_a_short_line(error: Exception, words: str) -> None:
    assert essence(error) == words


def test_an_error_whose_text_cannot_be_read_is_named_by_its_class() -> None:
    class GoneError(Exception):
        def __str__(self) -> str:
            raise ConnectionError("Java is gone")

    assert essence(GoneError()) == "GoneError: no message"


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    names = commands.list_commands(commands.make_context("x", [], resilient_parsing=True))
    assert {"columns", "downstream", "gaps", "jobs", "sql", "upstream"} <= set(names)
    for name in names:
        text = answer(capsys, name, "--help")
        assert f"eventlog-lineage {name}" in text.split("Usage:")[1], name
        assert "Example" in text, name
        assert "--debug" in text, name


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = answer(capsys)
    listed = [name for names in GROUPS.values() for name in names.split()]
    assert sorted([*listed, *FORMER]) == commands.list_commands(commands.make_context("x", [], resilient_parsing=True))
    assert [line.rstrip(":") for line in shown.splitlines() if line.rstrip(":") in GROUPS] == list(GROUPS)
    for name in listed:
        assert f"\n  {name} " in shown
    assert not any(f"\n  {name} " in shown for name in FORMER)
    assert answer(capsys, "help") == shown
    assert answer(capsys, "help", "export", "csv") == answer(capsys, "export", "csv", "--help")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("upstrem", "; did you mean upstream?"),
        ("lineage", "; did you mean upstream?"),
        ("histroy", "; did you mean changes DATASET --versions?"),
        ("zzz", ""),
    ],
)
def test_an_unknown_command_names_the_nearest(word: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = failure(capsys, 2, word)
    assert told == f"Error: No such command {word!r}{hint}; see eventlog-lineage --help\n"


def test_a_commands_own_options_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    text = answer(capsys, "upstream", "--help")
    places = [text.index(f"  {name} ") for name in ("--depth N", "--at WHEN", "--format", "--store DIR", "--debug")]
    assert places == sorted(places)
    assert "--out " not in text
    assert "--json" not in text


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = answer(capsys, "completion", shell)
    assert f"_EVENTLOG_LINEAGE_COMPLETE={shell}_complete" in script


def test_former_names_are_the_same(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, "history", "sales.b", "--json", "--store", store)
    assert told == answer(capsys, "changes", "sales.b", "--versions", "--format", "json", "--store", store)
    for option in ("--out", "--output", "-o"):
        out = tmp_path / f"page{option}.html"
        answer(capsys, "report", option, str(out), "--store", store)
        assert out.exists()


def test_a_file_of_an_unknown_format_is_refused(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = failure(capsys, 2, "ls", "-o", str(tmp_path / "x.xlsx"), "--store", store)
    assert "no format for files named .xlsx" in told
    assert list(tmp_path.iterdir()) == []
    assert answer(capsys, "ls", "-o", str(tmp_path / "x.txt"), "--store", store) == ""


def test_help_and_version_start_fast_and_import_nothing_heavy() -> None:
    script = (
        "import sys\nfrom eventlog_lineage.cli.main import run\nrun(['--help'])\nrun(['upstream', '--help'])\n"
        "heavy = {'duckdb', 'pyspark', 'pyarrow', 'rich'} & set(sys.modules)\nassert not heavy, heavy\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    before = os.times()
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, stdout=subprocess.DEVNULL)
    after = os.times()
    assert after.children_user - before.children_user < 2  # seconds of the processor; some 0.1 are usual
    module = [sys.executable, "-m", "eventlog_lineage", "--version"]
    told = subprocess.run(module, check=True, env=environment, capture_output=True, text=True)
    assert told.stdout == f"eventlog-lineage {__version__}\n"


def test_a_question_to_a_local_store_imports_nothing_that_it_does_not_need(store: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    duckdb_alone = "import sys, duckdb\nduckdb.execute('SELECT ?', ['x']).fetchall()\nprint(*sys.modules)"
    imported = subprocess.run([sys.executable, "-c", duckdb_alone], check=True, capture_output=True, text=True).stdout
    heavy = {"numpy", "pyarrow", "eventlog_lineage.redaction"} - set(imported.split())  # DuckDB 1.4 imports both
    script = (
        "import sys\nfrom eventlog_lineage.cli.main import run\nassert run(sys.argv[1:]) == 0\n"
        f"found = {heavy} & set(sys.modules)\nassert not found, found\n"
    )
    for words in (["upstream", "sales.b"], ["columns", "sales.b"], ["gaps"]):
        call = [sys.executable, "-c", script, *words, "--store", store]
        subprocess.run(call, check=True, env=environment, stdout=subprocess.DEVNULL)


def test_a_reader_that_goes_away_is_no_error(store: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    query = "SELECT * FROM range(200000)"
    with subprocess.Popen(
        [sys.executable, "-m", "eventlog_lineage", "sql", query, "--store", store],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "range\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0


def test_no_format_for_a_pipe_cuts_a_value() -> None:
    long = Answer(("text",), [("a\nb " + "x" * 500,)])
    table, record = io.StringIO(), io.StringIO()
    show(Shown(long), table)
    show(Shown(long, "json"), record)
    assert table.getvalue().splitlines()[1] == "a b " + "x" * 500
    assert json.loads(record.getvalue()) == [{"text": long.rows[0][0]}]


def test_names_are_escaped_in_drawings() -> None:
    edge = ('a"<b>#', None, "c\\", None, "DIRECT", None)
    names = ("source_dataset", "source_column", "target_dataset", "target_column", "dependency", "transformation")
    for form, expected in (("mermaid", '["a#quot;#lt;b>#35;"]'), ("dot", '[label="a\\"<b>#"]')):
        out = io.StringIO()
        show(Shown(Answer(names, [edge]), form), out)
        assert expected in out.getvalue()
