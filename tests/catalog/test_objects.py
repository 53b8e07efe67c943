"""Catalogs of one class: commands print an object's hash code, other plans show which catalog that is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from eventlog_lineage.catalog.application_facts import ExecutionSummary, catalog_settings_of
from eventlog_lineage.catalog.objects import name_catalogs
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import CatalogObject, pack_fact, unpack_fact
from eventlog_lineage.plan.summary.plan_summary import summarize_plan

LOG = Path(__file__).resolve().parents[1] / "lakehouse_logs" / "iceberg-catalogs-4-1.zstd"
CLASS = "org.apache.iceberg.spark.SparkCatalog"
SHARED = {CLASS: ("ice", "jdb")}
SETTINGS = catalog_settings_of({"spark.sql.catalog.ice": CLASS, "spark.sql.catalog.jdb": CLASS})


def command(name: str, object_hash: str, table: str, rest: str = "[], [], TableSpec(), false") -> str:
    return f"== Physical Plan ==\n{name} (1)\n\n\n(1) {name}\nArguments: {CLASS}@{object_hash}, {table}, {rest}\n\n"


def create(object_hash: str, table: str) -> str:
    return command("CreateTable", object_hash, table)


def write(table: str) -> str:
    line = f"IcebergWrite(table={table}, format=PARQUET)"
    return f"== Physical Plan ==\nAppendData (1)\n\n\n(1) AppendData\nArguments: {line}\n\n"


def scan(table: str) -> str:
    """Return the plan of a read as Spark 3.5 prints it: without a snapshot."""
    lines = f"(1) BatchScan {table}\nOutput [1]: [id#1L]\n{table} (branch=null) [filters=, groupedBy=]\n\n"
    return f"== Physical Plan ==\nBatchScan {table} (1)\n\n\n{lines}"


def executions(*texts: str) -> list[ExecutionSummary]:
    return [
        ExecutionSummary(number, number, "", number, number, summarize_plan(PlanText(text)))
        for number, text in enumerate(texts)
    ]


def names(*texts: str) -> dict[str, str]:
    return name_catalogs(executions(*texts), SHARED)


def test_a_table_that_is_named_after_it_was_created_names_its_catalog_and_the_other_follows() -> None:
    assert names(create("a1", "ns.t"), write("ice.ns.t")) == {"a1": "ice"}
    assert names(create("a1", "ns.t"), write("ice.ns.t"), create("b2", "ns.u")) == {"a1": "ice", "b2": "jdb"}


def test_a_catalog_that_has_a_table_already_does_not_create_it() -> None:
    assert names(create("a1", "ns.t"), write("ice.ns.t"), create("b2", "ns.t")) == {"a1": "ice", "b2": "jdb"}
    assert names(write("ice.ns.t"), create("a1", "ns.t")) == {"a1": "jdb"}


def test_a_dropped_table_can_be_created_again() -> None:
    drop = command("DropTable", "a1", "ns.t", "false, false")
    assert names(create("a1", "ns.t"), write("ice.ns.t"), drop, create("a1", "ns.t")) == {"a1": "ice"}


@pytest.mark.parametrize("rest", ["[], [], TableSpec(), true", "[id#1], Some(x)"])
def test_if_not_exists_and_replace_may_meet_a_table(rest: str) -> None:
    name = "CreateTable" if rest.endswith("true") else "ReplaceTable"
    assert names(write("ice.ns.t"), command(name, "a1", "ns.t", rest)) == {}


def test_what_two_objects_have_created_names_neither() -> None:
    assert names(create("a1", "ns.t"), create("b2", "ns.t"), write("ice.ns.t")) == {}


def test_a_table_of_another_class_or_catalog_names_nothing() -> None:
    assert names(create("a1", "ns.t"), write("lake.ns.t"), write("ns.t")) == {}


def traced(*texts: str) -> StatementLineage:
    """The last of some executions."""
    statement = group_executions(executions(*texts), SETTINGS)[-1]
    return trace(statement, {statement.fingerprints[0]: PlanText(texts[-1])})


def test_a_catalog_that_nothing_names_is_a_gap_and_never_another_catalogs_name() -> None:
    lineage = traced(create("a1", "ns.t"))
    assert lineage.target is not None
    assert lineage.target.name == "unknown@.ns.t"
    (gap,) = lineage.gaps
    assert gap.reason is GapReason.UNKNOWN_TARGET
    assert "several catalogs of the application are a SparkCatalog" in gap.detail


def test_a_known_catalog_names_the_target_without_a_gap() -> None:
    lineage = traced(create("a1", "ns.t"), write("ice.ns.t"), create("a1", "ns.u"))
    assert (lineage.target.name if lineage.target else "", lineage.gaps) == ("ice.ns.u", ())


@pytest.mark.parametrize(
    "definition",
    [
        create("a1", "region.sales.t"),
        command("CreateTableAsSelect", "a1", "region.sales.t", "Relation [id#1L] csv, TableSpec(Map(),None), false"),
        command("AlterTable", "a1", "region.sales.t", "org.apache.spark.sql.connector.catalog.TableChange$AddColumn@1"),
        command("DropTable", "a1", "region.sales.t", "false, false"),
        command("CreateV2View", "a1", "region.sales.t", "SELECT 1, [StructField(id,LongType,true)], [], false"),
    ],
)
def test_each_level_of_a_namespace_is_in_the_catalog(definition: str) -> None:
    lineage = traced(create("a1", "region.sales.seen"), write("jdb.region.sales.seen"), definition)
    assert lineage.target is not None
    assert lineage.target.name == "jdb.region.sales.t"


def call(table: str, procedure: str = "RollbackToSnapshotProcedure") -> str:
    arguments = f"[previous_snapshot_id#1L], org.apache.iceberg.spark.procedures.{procedure}@4f25358f, [{table},7]"
    return f"== Physical Plan ==\nCall (1)\n\n\n(1) Call\nArguments: {arguments}\n\n"


@pytest.mark.parametrize(
    ("texts", "target"),
    [
        ((write("jdb.ns.t"), write("ice.ns.u"), call("ns.t")), "jdb.ns.t"),
        ((write("ice.ns.u"), call("jdb.ns.t")), "jdb.ns.t"),
        ((write("jdb.region.ns.t"), call("`region`.ns.t")), "jdb.region.ns.t"),
        ((write("jdb.ns.t"), write("ice.ns.t"), call("ns.t")), None),
        ((write("jdb.ns.u"), call("ns.t")), None),
        ((write("jdb.ns.t"), call("ns.t", "ExpireSnapshotsProcedure")), "jdb.ns.t"),
        ((create("a1", "ns.u"), write("jdb.ns.u"), create("a1", "ns.t"), call("ns.t")), "jdb.ns.t"),
    ],
)
def test_a_procedures_catalog_is_the_only_one_in_which_its_table_is_named(
    texts: tuple[str, ...], target: str | None
) -> None:
    lineage = traced(*texts)
    assert (lineage.target.name if lineage.target else None) == target
    assert [gap.reason for gap in lineage.gaps] == ([] if target else [GapReason.UNKNOWN_TARGET])


def test_the_session_catalogs_procedures_are_not_those_of_another_catalog() -> None:
    session = {"spark.sql.catalog.spark_catalog": "org.apache.iceberg.spark.SparkSessionCatalog"}
    settings = catalog_settings_of({**session, "spark.sql.catalog.ice": CLASS})
    texts = (write("spark_catalog.ns.t"), call("ns.t"))
    statement = group_executions(executions(*texts), settings)[-1]
    target = trace(statement, {statement.fingerprints[0]: PlanText(texts[-1])}).target
    assert target is not None
    assert target.name == "spark_catalog.ns.t"


def test_runs_in_two_catalogs_are_two_lineages_though_their_plans_are_equal() -> None:
    ice = group_executions(executions(create("a1", "ns.t"), write("ice.ns.t"), create("a1", "ns.u")), SETTINGS)[-1]
    jdb = group_executions(executions(create("a1", "ns.t"), write("jdb.ns.t"), create("a1", "ns.u")), SETTINGS)[-1]
    assert ice.fingerprints == jdb.fingerprints
    assert ice.lineage_id != jdb.lineage_id


def test_every_definition_of_a_real_log_is_in_the_catalog_that_its_statement_names() -> None:
    (log,) = find_logs([str(LOG)])
    targets = [
        (traced.root.description, traced.lineage.target.name)
        for traced in trace_log(read_log(log))
        if traced.lineage.target is not None
    ]
    assert len(targets) > 10
    for description, target in targets:
        catalog, _, what = description.partition(": ")
        assert target == f"{catalog}.shop.{what.rpartition(': ')[2]}"


def test_a_table_that_one_warehouse_holds_names_the_catalog_of_its_object() -> None:
    held = [("jdb", "ns.t")]
    assert name_catalogs(executions(create("a1", "ns.t")), SHARED, held) == {"a1": "jdb"}
    assert name_catalogs(executions(create("a1", "ns.t"), create("b2", "ns.u")), SHARED, held) == {
        "a1": "jdb",
        "b2": "ice",
    }


def test_a_table_that_both_warehouses_hold_names_none() -> None:
    assert name_catalogs(executions(create("a1", "ns.t")), SHARED, [("ice", "ns.t"), ("jdb", "ns.t")]) == {}


def test_a_warehouse_names_no_catalog_by_a_table_that_was_dropped() -> None:
    dropped = command("DropTable", "a1", "ns.t", "false, false")
    assert name_catalogs(executions(create("a1", "ns.t"), dropped), SHARED, [("jdb", "ns.t")]) == {}


def test_a_scan_without_a_snapshot_names_the_catalog_of_the_object_that_replaced_the_table() -> None:
    replaced = command("AtomicReplaceTableAsSelect", "1f", "raw.events")
    assert names(replaced, scan("jdb.raw.events")) == {"1f": "jdb"}
    assert names(replaced, scan("raw.events")) == {}


def test_a_relation_that_prints_the_tables_own_name_names_the_catalog_next_to_it() -> None:
    view = (
        "== Physical Plan ==\nExecute CreateViewCommand (1)\n   +- CreateViewCommand (2)\n"
        "         +- DataSourceV2Relation (3)\n\n\n(1) Execute CreateViewCommand\nOutput: []\n\n"
        "(2) CreateViewCommand\nArguments: `spark_catalog`.`ref`.`v`, SELECT 1, false, true, PersistedView, true\n\n"
        f"(3) DataSourceV2Relation\nArguments: ice.ns.t, [id#1L], {CLASS}@a1, ns.t, []\n\n"
    )
    known = write("jdb.ns.t")  # an earlier application made it
    assert names(create("a1", "ns.t"), known) == {"a1": "jdb"}
    assert names(create("a1", "ns.u"), known, view) == {"a1": "ice"}
    (printed,) = (fact for fact in executions(view)[0].summary.facts if isinstance(fact, CatalogObject))
    assert unpack_fact(pack_fact(printed)) == printed == CatalogObject(CLASS, "a1", "ns.t", catalog="ice")
    assert names(create("a1", "ns.u"), view, create("b2", "ns.w")) == {"a1": "ice", "b2": "jdb"}


def test_a_stream_has_a_session_of_its_own_with_other_objects_of_the_same_catalogs() -> None:
    streamed = [each._replace(stream_run_id="run") for each in executions(create("c3", "ns.s"), write("jdb.ns.s"))]
    own = executions(create("a1", "ns.t"), write("ice.ns.t"), create("b2", "ns.u"))
    later = [each._replace(execution_id=each.execution_id + 2) for each in own]
    assert name_catalogs([*streamed, *later], SHARED) == {"c3": "jdb", "a1": "ice", "b2": "jdb"}


def test_more_objects_than_catalogs_are_those_of_several_sessions_and_nothing_follows_by_elimination() -> None:
    made = create("a1", "ns.t"), write("ice.ns.t"), create("b2", "ns.u")
    assert names(*made) == {"a1": "ice", "b2": "jdb"}
    assert names(*made, create("c3", "ns.v")) == {"a1": "ice"}
    assert names(*made, create("c3", "ns.v"), write("ice.ns.v"), write("ice.ns.u")) == dict.fromkeys(
        ("a1", "b2", "c3"), "ice"
    )


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({}, {"a1": "ice", "b2": "jdb"}),
        ({"is_served": True}, {"a1": "ice"}),
        ({"is_served": True, "operation": "SparkConnect_OperationTag_User_a_Session_1_Operation_2"}, {"a1": "ice"}),
    ],
)
def test_objects_of_several_clients_may_be_the_same_catalog(fields: dict[str, object], found: dict[str, str]) -> None:
    one, two, other = executions(create("a1", "ns.t"), write("ice.ns.t"), create("b2", "ns.u"))
    assert name_catalogs([one, two, other._replace(**fields)], SHARED) == found


@pytest.mark.parametrize("catalog", ["ice", "jdb"])
def test_a_staging_table_that_is_made_again_all_day_takes_time_in_proportion(catalog: str) -> None:
    drop = command("DropTable", "a1", "ns.t", "false, false")
    again = executions(*(create("a1", "ns.t"), write(f"{catalog}.ns.t"), call("ns.t"), drop) * 500)
    begin = time.process_time()
    statements = group_executions(again, SETTINGS)
    assert time.process_time() - begin < 3  # 0.1 s on an idle machine
    assert statements[2].context.names.catalogs == (("org.apache.iceberg.spark", catalog),)
