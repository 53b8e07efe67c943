"""What is declared joins the lineage of the logs: names, edges, exposures, tags."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eventlog_lineage import declare
from eventlog_lineage.declarations import Declarations, DeclaredEdge, TagRule, Thing, read_files
from eventlog_lineage.errors import UsageError
from eventlog_lineage.library.answers import open_store
from support.stores.memory import MemoryStore
from support.stores.nights import Night
from support.stores.rows import rows

CUSTOMERS, CLEAN, MART = "spark_catalog.crm.customers", "spark_catalog.staging.customers", "spark_catalog.mart.people"
BOARD = "exposure:board"


def night() -> Night:
    made = Night()
    made.app()
    made.statement([(f"{CUSTOMERS}!email", "mail", "IDENTITY"), (f"{CUSTOMERS}!id", "id", "IDENTITY")], target=CLEAN)
    shape = made.statement(
        [(f"{CLEAN}!mail", "digest", "TRANSFORMATION"), (f"{CLEAN}!mail", "domain", "TRANSFORMATION")],
        target=MART,
        execution=2,
    )
    for edge in made.rows["lineage_edges"]:
        if edge["lineage_fingerprint"] == shape and edge["target_column"] == "digest":
            edge["masking"] = True
    return made


def stored(
    store: MemoryStore, *things: Thing, edges: tuple[DeclaredEdge, ...] = (), rules: tuple[TagRule, ...] = ()
) -> None:
    store.harvest(night(), declared=Declarations(things, edges, rules))


def tags(store: MemoryStore) -> list[tuple[Any, ...]]:
    query = "SELECT dataset, column_name, tag, origin, source_column, masked FROM tags ORDER BY ALL"
    return [row for row in rows(store, query) if row[1] is not None]


def test_a_name_in_a_file_means_the_dataset_that_ends_with_it(new_store: MemoryStore) -> None:
    stored(
        new_store,
        Thing("dataset", "crm.customers", owner="CRM"),
        Thing("dataset", "*customers", contact="#data"),
        Thing("dataset", "customers", owner="nobody: two datasets have that name"),
        Thing("dataset", "unknown", owner="nobody"),
        Thing("job", "nightly*", owner="platform"),
    )
    assert rows(new_store, "SELECT kind, dataset, job_name, owner, contact FROM declarations ORDER BY ALL") == [
        ("dataset", CUSTOMERS, None, "CRM", "#data"),
        ("dataset", CLEAN, None, "", "#data"),
        ("job", None, "nightly sales: customers InsertInto", "platform", ""),
        ("job", None, "nightly sales: people InsertInto", "platform", ""),
    ]


def test_an_edge_of_a_file_is_followed_while_it_is_valid(new_store: MemoryStore) -> None:
    stored(
        new_store,
        edges=(
            DeclaredEdge("mart.people", "ftp:partner", "domain", "host", job="copy"),
            DeclaredEdge("mart.people", "old.copy", "domain", "host", valid_to="2020-01-01T00:00:00"),
        ),
    )
    found = rows(
        new_store,
        "SELECT target_dataset, target_column, job_name FROM downstream('crm.customers.email') ORDER BY depth",
    )
    assert found[-1] == ("ftp:partner", "host", "copy")
    assert "old.copy" not in {row[0] for row in found}
    query = (
        "SELECT source_dataset, target_dataset, origin, is_current FROM table_lineage WHERE origin <> 'log' ORDER BY 2"
    )
    assert rows(new_store, query) == [(MART, "ftp:partner", "manual", True), (MART, "old.copy", "manual", False)]
    assert rows(new_store, "SELECT kind FROM datasets WHERE dataset = 'ftp:partner'") == [("other",)]


def test_an_edge_of_a_file_holds_at_a_time_and_in_a_span(new_store: MemoryStore) -> None:
    span = {"valid_from": "2020-01-01T00:00:00", "valid_to": "2020-12-31T00:00:00"}
    stored(
        new_store,
        edges=(
            DeclaredEdge("mart.people", "old.copy", "domain", "host", job="copy", **span),
            DeclaredEdge("mart.people", "old.files", job="files", **span),
        ),
    )

    def targets(times: str) -> list[tuple[Any, ...]]:
        query = f"SELECT target_dataset, target_column FROM downstream_at('mart.people.domain', {times}) ORDER BY ALL"
        between = f"SELECT target_dataset, NULL FROM downstream_at('mart.people', {times}) ORDER BY ALL"
        return [*rows(new_store, query), *rows(new_store, between)]

    both = [("old.copy", "host"), ("old.copy", None), ("old.files", None)]
    assert targets("TIMESTAMP '2020-06-01'") == both
    assert targets("TIMESTAMP '2021-06-01'") == targets("TIMESTAMP '2019-06-01'") == []
    assert targets("TIMESTAMP '2021-06-01', since_time := TIMESTAMP '2020-06-01'") == both
    assert targets("TIMESTAMP '2026-06-01', since_time := TIMESTAMP '2021-01-01'") == []


def test_a_dataset_that_only_a_file_names_is_that_of_a_log_once_a_log_has_it(new_store: MemoryStore) -> None:
    stored(new_store, edges=(DeclaredEdge("mart.people", "bi.extract"),))
    later = Night(1)
    later.app()
    later.statement([("spark_catalog.bi.extract!x", "y", "IDENTITY")], target="spark_catalog.bi.report")
    later.harvest(new_store)
    assert [row[0] for row in rows(new_store, "SELECT dataset FROM datasets WHERE contains(dataset, 'extract')")] == [
        "spark_catalog.bi.extract"
    ]
    assert rows(new_store, "SELECT target_dataset FROM downstream('mart.people')") == [
        ("spark_catalog.bi.extract",),
        ("spark_catalog.bi.report",),
    ]


def test_a_copy_of_all_columns_has_an_edge_for_each(new_store: MemoryStore) -> None:
    stored(new_store, edges=(DeclaredEdge("staging.customers", "backup.customers", "*", "*"),))
    query = "SELECT source_column, target_column FROM column_lineage WHERE origin = 'manual' ORDER BY ALL"
    assert rows(new_store, query) == [("id", "id"), ("mail", "mail")]


def test_a_dashboard_is_a_dataset_that_may_show_any_column_of_what_it_reads(new_store: MemoryStore) -> None:
    board = Thing("exposure", BOARD, owner="Ann", type="dashboard")
    stored(new_store, board, edges=(DeclaredEdge("mart.people", BOARD, job=BOARD),))
    impact = rows(
        new_store,
        "SELECT dataset, kind, dependency FROM impact('crm.customers.email') WHERE dataset = 'exposure:board'",
    )
    assert impact == [(BOARD, "dataset", "INDIRECT")]
    assert rows(new_store, "SELECT kind FROM datasets WHERE dataset = 'exposure:board'") == [("exposure",)]
    assert {row[0] for row in rows(new_store, "SELECT source_dataset FROM upstream('board')")} == {
        CUSTOMERS,
        CLEAN,
        MART,
    }


def test_a_column_with_the_name_of_personal_data_is_personal_until_a_mask(new_store: MemoryStore) -> None:
    night().harvest(new_store)
    assert tags(new_store) == [
        (CUSTOMERS, "email", "PII", "rule", None, False),
        (MART, "domain", "PII", "derived", "email", False),
        (CLEAN, "mail", "PII", "derived", "email", False),
    ]


def test_a_rule_says_what_a_mask_makes_of_a_tag(new_store: MemoryStore) -> None:
    rule = TagRule("PII", ("crm.*.email",), masked="pseudonym")
    stored(new_store, Thing("column", "crm.customers", "id", tags=("key",)), rules=(rule,))
    assert tags(new_store) == [
        (CUSTOMERS, "email", "PII", "rule", None, False),
        (CUSTOMERS, "id", "key", "file", None, False),
        (MART, "digest", "pseudonym", "derived", "email", True),
        (MART, "domain", "PII", "derived", "email", False),
        (CLEAN, "id", "key", "derived", "id", False),
        (CLEAN, "mail", "PII", "derived", "email", False),
    ]


@pytest.mark.parametrize(
    ("pattern", "tagged"),
    [
        ("*.mail*", [(CLEAN, "mail")]),
        ("mail", [(CLEAN, "mail")]),
        ("*mail", [(CUSTOMERS, "email")]),
        ("staging.*", [(CLEAN, "id"), (CLEAN, "mail")]),
        ("staging.customers.*", [(CLEAN, "id"), (CLEAN, "mail")]),
        ("*.cust*", []),
        ("crm.*.id", [(CUSTOMERS, "id")]),
    ],
)
def test_the_last_part_of_a_pattern_is_the_column(
    new_store: MemoryStore, pattern: str, tagged: list[tuple[str, str]]
) -> None:
    stored(new_store, rules=(TagRule("PII", (pattern,)),))
    assert [row[:2] for row in tags(new_store) if row[3] == "rule"] == tagged


def test_a_tag_of_a_dataset_is_one_of_its_columns_and_flows_unless_it_does_not(new_store: MemoryStore) -> None:
    stored(
        new_store,
        Thing("dataset", "crm.customers", tags=("GDPR",)),
        rules=(TagRule("GDPR", flows=False), TagRule("PII")),
    )
    assert tags(new_store) == [
        (CUSTOMERS, "email", "GDPR", "file", None, False),
        (CUSTOMERS, "id", "GDPR", "file", None, False),
    ]
    assert (CUSTOMERS, None) in rows(new_store, "SELECT dataset, column_name FROM tags")


def test_a_masked_column_with_a_name_of_personal_data_is_not_personal(new_store: MemoryStore) -> None:
    made = night()
    for edge in made.rows["lineage_edges"]:
        if edge["target_column"] == "digest":
            edge["target_column"] = "email"
    made.harvest(new_store)
    assert (MART, "email") not in {row[:2] for row in tags(new_store)}


def test_two_columns_that_are_made_of_each_other_keep_their_tag(new_store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement([("a!email", "email", "IDENTITY")], target="b")
    made.statement([("b!email", "email", "IDENTITY")], target="a", execution=2)
    made.harvest(new_store)
    assert [(row[0], row[3]) for row in tags(new_store)] == [("a", "rule"), ("b", "derived")]


@pytest.fixture(scope="module")
def on_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("declared")
    night().begin(store)
    return store


def test_declare_changes_a_store_without_a_harvest_of_logs(on_disk: Path, tmp_path: Path) -> None:
    file = tmp_path / "owners.toml"
    file.write_text('[[exposure]]\nname = "board"\ndepends_on = ["mart.people"]\n', encoding="utf-8")
    declare(file, on_disk)
    with open_store(on_disk) as store:
        assert BOARD in {row["target_dataset"] for row in store.downstream("crm.customers.email").records()}
    Night(1).harvest(on_disk)
    with open_store(on_disk) as store:
        assert store.sql("SELECT kind, dataset FROM declarations").fetchall() == [("exposure", BOARD)]
    declare((), on_disk)
    with open_store(on_disk) as store:
        assert store.sql("SELECT count(*) FROM declarations").fetchall() == [(0,)]
        assert store.sql("SELECT DISTINCT origin FROM column_lineage").fetchall() == [("log",)]


def test_an_ambiguous_name_is_refused_with_its_candidates_and_a_harvest_warns(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = Night()
    made.app()
    made.statement([("spark_catalog.raw.orders!id", "id", "IDENTITY")], target="spark_catalog.clean.orders")
    made.harvest(tmp_path / "store")
    file = tmp_path / "owners.toml"
    file.write_text('[[dataset]]\nname = "orders"\nowner = "Ann"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"orders: spark_catalog\.clean\.orders, spark_catalog\.raw\.orders"):
        declare(file, tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.sql("SELECT count(*) FROM declarations").fetchall() == [(0,)]
    later = Night(1)
    later.app()
    later.statement([("spark_catalog.raw.orders!id", "id", "IDENTITY")], target="spark_catalog.clean.orders")
    later.harvest(tmp_path / "store", declared=read_files([str(file)]))
    assert "ambiguous declared name" in caplog.text


CHAINED = """
[[edge]]
source = "kafka:events"
target = "other.copy"
[[edge]]
source = "other.copy"
target = "ftp:partner"
"""


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ('[[dataset]]\nname = "crm.custmers"\nowner = "CRM"', ["crm.custmers"]),
        ('[[dataset]]\nname = "crn.*"\nowner = "CRM"', ["crn.*"]),
        ('[[dataset]]\nname = "crm.customers"\ncolumns = { emial = { tags = ["PII"] } }', [f"{CUSTOMERS}.emial"]),
        ('[[dataset]]\nname = "crm.customers"\ncolumns = { EMAIL = { tags = ["PII"] } }', []),
        ('[[job]]\nname = "nigthly*"\nowner = "platform"', ["nigthly*"]),
        ('[tags.PII]\ncolumns = ["*.emial"]', ["tags.PII"]),
        ('[tags.PII]\ncolumns = ["*.emial", "*.email"]', []),
        ('[[exposure]]\nname = "board"\ndepends_on = ["mart.poeple"]', ["mart.poeple"]),
        ('[[edge]]\nsource = "mart.poeple"\ntarget = "ftp:partner"', ["mart.poeple"]),
        ('[[edge]]\nsource = "mart.people"\ntarget = "ftp:p"\ncolumns = { a = "domian" }', [f"{MART}.domian"]),
        ('[[edge]]\nsource = "kafka:events"\ntarget = "ftp:partner"', []),
        (CHAINED, []),
    ],
)
def test_names_that_match_nothing_in_the_store_are_reported(
    new_store: MemoryStore, tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, unknown: list[str]
) -> None:
    file = tmp_path / "declared.toml"
    file.write_text(text, encoding="utf-8")
    night().harvest(new_store, declared=read_files([str(file)]))
    found = [name for record in caplog.records for name in getattr(record, "facts", {}).get("names", ())]
    assert found == unknown
    caplog.clear()
    Night(1).harvest(new_store)
    assert "declared" not in caplog.text


Statement = tuple[str, list[tuple[str, str, str]]]

STRUCT = [(f"{CUSTOMERS}!contact", "contact", "IDENTITY")]
FIELDS = [(f"{CUSTOMERS}!contact.email", "mail", "IDENTITY"), (f"{CUSTOMERS}!contact.zip", "zip", "IDENTITY")]


@pytest.mark.parametrize(
    ("tagged", "statements", "expected"),
    [
        ("contact.email", [(CLEAN, FIELDS)], {"mail"}),
        ("contact", [(CLEAN, FIELDS)], {"mail", "zip"}),
        ("contact.email", [(CLEAN, STRUCT)], {"contact"}),
        ("contact", [(CLEAN, STRUCT)], {"contact"}),
        ("email", [(CLEAN, [(f"{CUSTOMERS}!email", "contact.email", "IDENTITY")])], {"contact.email"}),
        ("email", [(CLEAN, [(f"{CUSTOMERS}!email", "", "FILTER"), (f"{CUSTOMERS}!id", "id", "IDENTITY")])], set()),
        ("email", [(CLEAN, [(f"{CUSTOMERS}!email", "is_known", "CONDITIONAL")])], set()),
        ("email", [(CLEAN, [(f"{CUSTOMERS}!email", "mails", "AGGREGATION")])], {"mails"}),
    ],
)
def test_a_tag_goes_where_values_go(
    new_store: MemoryStore, tagged: str, statements: list[Statement], expected: set[str]
) -> None:
    made = Night()
    made.app()
    for number, (target, edges) in enumerate(statements):
        made.statement(edges, target=target, execution=number)
    made.harvest(new_store, declared=Declarations((Thing("column", "crm.customers", tagged, tags=("secret",)),)))
    found = {row[1] for row in tags(new_store) if row[2] == "secret" and row[3] == "derived" and row[0] == CLEAN}
    assert found == expected


def test_a_field_of_a_copied_struct_keeps_a_tag_and_its_siblings_have_none(new_store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement(STRUCT, target=CLEAN)
    read = [(f"{CLEAN}!contact.email", "mail", "IDENTITY"), (f"{CLEAN}!contact.zip", "zip", "IDENTITY")]
    made.statement(read, target=MART, execution=2)
    made.harvest(new_store, declared=Declarations((Thing("column", "crm.customers", "contact.email", tags=("S",)),)))
    assert {row[1] for row in tags(new_store) if row[:1] == (MART,) and row[2] == "S"} == {"mail"}


def test_a_tag_goes_through_a_view_to_another_application(new_store: MemoryStore) -> None:
    made = Night()
    first, second = made.app("a-1", "ingest"), made.app("a-2", "marts")
    view = "spark_catalog.crm.people"
    edges = [(f"{CUSTOMERS}!email", "mail", "IDENTITY")]
    made.statement(edges, target=view, app=first, mode="create", command="CreateView")
    made.rows["shown_datasets"][-1]["kind"] = "view"
    made.statement([(f"{view}!mail", "mail", "IDENTITY")], target=MART, app=second, execution=2)
    made.harvest(new_store)
    assert [row[:2] for row in tags(new_store)] == [(CUSTOMERS, "email"), (view, "mail"), (MART, "mail")]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ((TagRule("PII", ("*.email",)),), []),
        ((TagRule("PII", ("*.email",), masked="pseudonym"),), [("pseudonym", True)]),
        ((TagRule("PII", ("*.email",), masked="PII"),), [("PII", True)]),
        ((TagRule("PII", ("*.email",), masked="safe"), TagRule("safe", flows=False)), [("safe", True)]),
        ((TagRule("PII", ("*.email",), masked="safe", flows=False),), []),
    ],
)
def test_what_becomes_of_a_tag_at_a_mask(
    new_store: MemoryStore, rules: tuple[TagRule, ...], expected: list[tuple[str, bool]]
) -> None:
    made = night()
    made.statement([(f"{MART}!digest", "key", "IDENTITY")], target="spark_catalog.mart.keys", execution=3)
    made.harvest(new_store, declared=Declarations(rules=rules))
    found = {name: [(row[2], row[5]) for row in tags(new_store) if row[1] == name] for name in ("digest", "key")}
    assert found["digest"] == expected
    assert found["key"] == [each for each in expected if each[0] != "safe" or len(rules) == 1]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.contact", {"mail", "zip"}),
        ("contact.email", {"mail"}),
        ("crm.*", {"mail", "zip"}),
        ("*.contact.zip", {"zip"}),
    ],
)
def test_a_rule_for_a_struct_is_one_for_its_fields(new_store: MemoryStore, pattern: str, expected: set[str]) -> None:
    made = Night()
    made.app()
    made.statement(FIELDS, target=CLEAN)
    made.harvest(new_store, declared=Declarations(rules=(TagRule("S", (pattern,)),)))
    assert {row[1] for row in tags(new_store) if row[2] == "S" and row[0] == CLEAN} == expected
