"""What is declared in the answers of commands: tags, owners, dashboards."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.library.answers import open_store
from support.stores.nights import START, Night

CUSTOMERS, CLEAN, MART = "spark_catalog.crm.customers", "spark_catalog.staging.customers", "spark_catalog.mart.people"
DECLARED = """
[[dataset]]
name = "staging.customers"
owner = "team crm"
contact = "#crm"
columns = { mail = "As typed" }

[[job]]
name = "*people*"
owner = "platform"

[[exposure]]
name = "board"
owner = "Ann"
depends_on = [{ dataset = "mart.people", columns = ["mail"] }]
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("declared")
    for day in range(4):
        night = Night(day)
        night.app()
        failed = "failed" if day == 3 else "succeeded"
        edges = [(f"{CUSTOMERS}!email", "mail", "IDENTITY"), (f"{CUSTOMERS}!id", "id", "IDENTITY")]
        clean = night.statement(edges, target=CLEAN, status=failed)
        night.show(clean, CLEAN, "mail:string", "id:bigint")
        if day:
            made = night.statement([(f"{CLEAN}!mail", "mail", "IDENTITY"), ("", "day", "")], target=MART, execution=2)
            night.show(made, MART, "mail:string", "day:date")
        night.harvest(folder)
    file = folder.parent / "declared.toml"
    file.write_text(DECLARED, encoding="utf-8")
    assert run(["declare", str(file), "--store", str(folder)]) == 0
    return str(folder)


def records(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert run([*words, "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_declare_says_what_it_took_and_wants_files(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["declare", "--store", store]) == 2
    assert "Give FILES or --none" in capsys.readouterr().err
    file = tmp_path / "none.toml"
    file.write_text("", encoding="utf-8")
    assert run(["declare", str(file), "--store", str(tmp_path / "nowhere")]) == 1
    assert not (tmp_path / "nowhere").exists()


def test_tags_lists_what_is_personal_by_derivation(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "tags", "--tag", "pii", "--derived", "--unmasked", "--store", store)
    assert [(row["dataset"], row["column_name"], row["via"], row["owner"]) for row in found] == [
        ("exposure:board", "mail", f"{MART}.mail", "Ann"),
        (MART, "mail", f"{CLEAN}.mail", None),
        (CLEAN, "mail", f"{CUSTOMERS}.email", "team crm"),
    ]
    assert {row["source_column"] for row in found} == {"email"}
    assert [row["origin"] for row in records(capsys, "tags", "crm.customers", "--store", store)] == ["rule"]
    assert records(capsys, "tags", "mart.people.day", "--store", store) == []


def test_tags_fails_on_a_path_that_is_new_and_unmasked(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    since = f"{START.replace(day=START.day + 1):%Y-%m-%d}"
    found = records(capsys, "tags", "--since", since, "--store", store)
    assert [row["dataset"] for row in found] == ["exposure:board", MART]
    assert run(["tags", "--since", since, "--fail-on", "unmasked", "--store", store]) == 1
    assert "2 columns are tagged by derivation and unmasked" in capsys.readouterr().err
    assert run(["tags", "mart.people.day", "--fail-on", "unmasked", "--store", store]) == 0


def test_columns_have_tags_and_what_files_declare(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "columns", "staging.customers", "--store", store)
    assert [(row["column_name"], row["tags"], row["description"]) for row in found] == [
        ("mail", ["PII"], "As typed"),
        ("id", [], None),
    ]
    assert run(["columns", "staging.customers", "--store", store]) == 0
    assert "As typed" in capsys.readouterr().out


def test_impact_names_whom_to_call(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "impact", "crm.customers.email", "--store", store)
    assert {tuple(row["tags"]) for row in found} == {("PII",)}
    assert [(row["dataset"], row["owner"], row["contact"]) for row in found] == [
        (CLEAN, "team crm", "#crm"),
        (MART, "platform", None),
        ("exposure:board", "Ann", None),
    ]
    assert run(["impact", "crm.customers.email", "--store", store]) == 0
    assert "team crm #crm" in capsys.readouterr().out


def test_why_late_names_whom_to_call(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "why-late", "mart.people", "--store", store)
    assert (found[0]["dataset"], found[0]["owner"], found[0]["contact"]) == (CLEAN, "team crm", "#crm")
    assert run(["why-late", "mart.people", "--store", store]) == 0
    assert "Contact team crm, #crm." in capsys.readouterr().out


def test_a_dataset_of_a_dashboard_is_used(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "unused", "--since", "2026-11-18", "--store", store)
    assert [(row["kind"], row["dataset"], row["column_name"]) for row in found] == [
        ("column_never_read", MART, "day"),
        ("column_never_read", CLEAN, "id"),
    ]
    with open_store(store) as opened:
        removable = opened.panel("removable").records()
        assert {(row["dataset"], row["column_name"]) for row in removable} == {(MART, "day"), (CLEAN, "id")}


def test_personal_data_has_the_last_edges_to_a_tagged_column(store: str) -> None:
    with open_store(store) as opened:
        found = opened.personal_data().records()
        assert [(row["dataset"], row["transformations"]) for row in found] == [
            ("exposure:board", ["IDENTITY"]),
            (MART, ["IDENTITY"]),
            (CLEAN, ["IDENTITY"]),
        ]
        since = datetime(2026, 11, 30, tzinfo=timezone.utc)
        assert opened.tags(since=since).records() == []


def test_a_statement_with_dependants_is_annotated_at_its_line(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "042.sql"
    file.write_text("-- drops\nSELECT 1;\n\nALTER TABLE crm.customers\n  DROP COLUMN email;\nDROP TABLE x.y;\n")
    capsys.readouterr()
    assert run(["impact", "--ddl", str(file), "--annotate", "github", "--store", store]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("::")]
    text = f"{CUSTOMERS}.email is dropped: {CLEAN}.mail, {MART}.mail, exposure:board.mail depend on it"
    call = "call Ann, platform, team crm #crm"
    assert lines == [f"::warning file={file},line=4,title=Impact on lineage::{text}; {call}"]
    asked = ["impact", "--ddl", str(file), "--annotate", "github", "--fail-on", "direct", "--store", store]
    assert run(asked) == 1
    assert "::error file=" in capsys.readouterr().err
    assert run(["impact", str(file), "--fail-on", "direct", "--store", store]) == 1, "as a pre-commit hook names files"


def test_changes_fails_on_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day, columns in enumerate((("a", "b"), ("a",))):
        night = Night(day)
        night.app()
        made = night.statement([("raw!a", each, "IDENTITY") for each in columns], target="t", literal=str(day))
        night.show(made, "t", *columns, literal=str(day))
        if not day:
            night.statement([("t!b", "c", "IDENTITY")], target="u", execution=2)
        night.harvest(tmp_path)
    for kind, code in (("table_dropped", 0), ("breaking", 1), ("column_dropped", 1), ("any", 1)):
        capsys.readouterr()
        assert run(["changes", "--since", "2026-11-01", "--fail-on", kind, "--store", str(tmp_path)]) == code
        assert (f"--fail-on {kind}: " in capsys.readouterr().err) == (code == 1)
    for option in ("--fail-on", "--kind"):
        assert run(["changes", "--since", "2026-11-01", option, "colum_dropped", "--store", str(tmp_path)]) == 2
        assert "unknown kind of change 'colum_dropped'; use one of" in capsys.readouterr().err


def test_a_declared_interval_is_that_of_late_and_why_late(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One write is enough, where the usual interval needs three."""
    folder = str(tmp_path / "store")
    for day in range(2):
        night = Night(day)
        night.app()
        night.statement([(f"{CUSTOMERS}!email", "mail", "IDENTITY")], target=MART if day else CLEAN)
        night.harvest(Path(folder))
    assert records(capsys, "late", "--store", folder) == []
    file = tmp_path / "due.toml"
    file.write_text('[[dataset]]\nname = "staging.customers"\ndue = "12h"\n', encoding="utf-8")
    assert run(["declare", str(file), "--store", folder]) == 0
    (late,) = records(capsys, "late", "--store", folder)
    assert (late["dataset"], late["usual_gap_seconds"], late["times_usual"]) == (CLEAN, 43_200, 2.1)
    (late,) = records(capsys, "late", "--due", "staging.*=48h", "--store", folder)
    assert late["usual_gap_seconds"] == 48 * 3600
    (why,) = records(capsys, "why-late", "staging.customers", "--store", folder)[:1]
    assert (why["state"], why["due_at"][:16]) == ("missing", "2026-11-18T13:01")


@pytest.mark.parametrize(
    ("words", "out", "err"),
    [
        (["upstream", "mart.people.mail", "--skip", "*"], "All datasets upstream of mart.people.mail are skipped", ""),
        (["downstream", "crm.customers", "--skip", "*"], "All datasets downstream of crm.customers are skipped", ""),
        (["upstream", "mart.people.mail", "--skip", "stagin.*"], CLEAN, "--skip stagin.* matches no dataset"),
        (["downstream", "crm.customers.email", "--skip", "x", "--format", "csv"], MART, "--skip x matches no dataset"),
        (["impact", "crm.customers.email", "--skip", "x", "--format", "json"], MART, "--skip x matches no dataset"),
        (["path", "crm.customers.email", "mart.people.mail", "--skip", "x"], CLEAN, "--skip x matches no dataset"),
        (["upstream", "mart.people.mail", "--skip", "temp", "--format", "mermaid"], CLEAN, ""),
        (
            ["impact", "crm.customers.email", "--skip", "*"],
            "Nothing in the store outside of skipped datasets depends on",
            "",
        ),
        (["tags", "--tag", "secret", "--fail-on", "unmasked"], "No tags.", "no column has the tag secret; tags: PII"),
        (["tags", "mart.people.day", "--tag", "pii"], "No tags.", ""),
    ],
)
def test_an_option_that_matches_nothing_or_all_says_so(
    store: str, capsys: pytest.CaptureFixture[str], words: list[str], out: str, err: str
) -> None:
    capsys.readouterr()
    assert run([*words, "--store", store]) == 0
    told = capsys.readouterr()
    assert out in told.out
    assert err in told.err if err else not told.err


@pytest.mark.parametrize("words", [["impact", "crm.customers", "--skip", "staging.*"], ["tags", "--tag", "secret"]])
def test_a_warning_about_an_option_is_printed_once_and_only_if_no_store_has_a_match(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    other = str(tmp_path / "other")
    night = Night(0)
    night.app()
    night.statement([(f"{CUSTOMERS}!id", "id", "IDENTITY")], target="mart.ids")
    night.harvest(Path(other))
    for stores, warnings in (([other, other], 1), ([other, store], int("tags" in words))):
        capsys.readouterr()
        assert run([*words, *(option for each in stores for option in ("--store", each))]) == 0
        assert capsys.readouterr().err.count("Warning: ") == warnings


@pytest.mark.parametrize("command", ["upstream", "downstream"])
def test_a_span_that_ends_before_it_begins_is_refused(
    store: str, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    capsys.readouterr()
    span = ["--since", "2026-11-20", "--until", "2026-11-19"]
    assert run([command, "mart.people.mail", *span, "--store", store]) == 2
    assert "--until is before --since" in capsys.readouterr().err
    assert run(["changes", *span, "--store", store]) == 2
