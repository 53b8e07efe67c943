"""Tables that a plan omits, by the settings of its session and by the request of Spark Connect."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from eventlog_lineage.connectors.identify import identify
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import source_gaps, trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

SQL = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecution"
CONNECT = "org.apache.spark.sql.connect.service.SparkListenerConnectOperationStarted"
TAG = "SparkConnect_OperationTag_User__Session_s_Operation_o"
SCAN = "(1) Scan parquet spark_catalog.default.t\nOutput [1]: [id#1L]\nReadSchema: struct<id:bigint>\n\n"
UNNAMED = (
    f"== Physical Plan ==\nAppendData (2)\n+- * Scan parquet spark_catalog.default.t (1)\n\n\n{SCAN}"
    "(2) AppendData\nInput [1]: [id#1L]\nArguments: org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy"
    "$$Lambda$4154/0x1@2514707b, org.apache.spark.sql.connector.write.WriteBuilder$1@47899d8c\n"
)
SAVE = (
    "== Physical Plan ==\nExecute SaveIntoDataSourceCommand (1)\n   +- SaveIntoDataSourceCommand (2)\n"
    "         +- LogicalRelation (3)\n\n\n(1) Execute SaveIntoDataSourceCommand\nOutput: []\n\n"
    "(2) SaveIntoDataSourceCommand\n"
    "Arguments: org.apache.spark.sql.execution.datasources.jdbc.JdbcRelationProvider@1f83863a, "
    "[url=*********(redacted), dbtable=sales.daily, password=*********(redacted)], Append\n\n"
    "(3) LogicalRelation\nArguments: parquet, [id#1L], `spark_catalog`.`default`.`t`, "
    "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat@1, false\n"
)
MONGO = {"spark.mongodb.write.connection.uri": "mongodb://u:pw@m1:27017/shop", "spark.mongodb.write.collection": "new"}
SERVER = "mongodb://m1:27017/shop"
NAMED = 'write_operation { input { } source: "mongodb" options { key: "collection" value: "sent" } mode: X }'
JDBC = (
    'write_operation { input { } source: "jdbc" options { key: "dbtable" value: "sales.daily" } '
    'options { key: "url" value: "jdbc:postgresql://db2/shop" } mode: X }'
)


class Shown(NamedTuple):
    """What a log shows: settings of the application, of its session, of a job, and a request of Connect."""

    settings: Mapping[str, str] = MappingProxyType({})
    session: Mapping[str, str] = MappingProxyType({})
    job: Mapping[str, str] = MappingProxyType({})
    request: str = ""


def written(folder: Path, plan: str, shown: Shown) -> tuple[StatementLineage, int]:
    """The lineage of the statement of a log, and the number of gaps of its sources."""
    start = {"executionId": 0, "rootExecutionId": 0, "description": "save", "details": "", "time": 2, "jobTags": [TAG]}
    info = {"nodeName": "AppendData", "simpleString": "", "children": [], "metadata": {}, "metrics": []}
    properties = {"spark.sql.execution.id": "0", **shown.job}
    events = [
        {"Event": "SparkListenerLogStart", "Spark Version": "3.5.8"},
        {"Event": "SparkListenerEnvironmentUpdate", "Spark Properties": dict(shown.settings)},
        {"Event": "SparkListenerApplicationStart", "App Name": "a", "App ID": "local-1", "Timestamp": 1, "User": "u"},
        {"Event": CONNECT, "jobTag": TAG, "operationId": "o", "statementText": shown.request, "eventTime": 1},
        {
            "Event": f"{SQL}Start",
            **start,
            "physicalPlanDescription": plan,
            "sparkPlanInfo": info,
            "modifiedConfigs": dict(shown.session),
        },
        {
            "Event": "SparkListenerJobStart",
            "Job ID": 0,
            "Submission Time": 3,
            "Stage Infos": [],
            "Stage IDs": [0],
            "Properties": properties,
        },
        {"Event": f"{SQL}End", "executionId": 0, "time": 4, "errorMessage": ""},
        {"Event": "SparkListenerApplicationEnd", "Timestamp": 5},
    ]
    path = folder / "local-1"
    path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in events))
    (log,) = find_logs([str(path)])
    read = read_log(log)
    (statement,) = trace_log(read)
    return statement.lineage, len(source_gaps(read))


@pytest.mark.parametrize(
    ("settings", "session", "job"),
    [
        (MONGO, {}, {}),
        ({"spark.mongodb.write.connection.uri": f"{SERVER}.new?w=1"}, {}, {}),
        (MONGO, {"spark.mongodb.write.collection": "later"}, {}),
        (MONGO, {}, {**MONGO, "spark.mongodb.write.database": "depot"}),
        ({}, {}, {}),
    ],
)
@pytest.mark.parametrize("name", ["AppendData", "AppendData MongoTable()"])
def test_settings_do_not_name_a_target_that_an_option_may_name(
    tmp_path: Path, name: str, settings: dict[str, str], session: dict[str, str], job: dict[str, str]
) -> None:
    plan = UNNAMED.replace("AppendData (2)", f"{name} (2)").replace("(2) AppendData", f"(2) {name}")
    lineage, _ = written(tmp_path, plan, Shown(settings, session, job))
    assert lineage.target is not None
    assert lineage.target.name.startswith("target:unknown@local-1/")
    assert [(gap.reason, "override" in gap.hint) for gap in lineage.gaps] == [("unknown_target", True)]
    assert [(edge.target_column, edge.source_column) for edge in lineage.edges] == [("id", "id")]
    assert "pw@" not in str(lineage)


@pytest.mark.parametrize("collection", ["*********(redacted)", "es"])
def test_no_setting_is_in_the_place_of_a_redacted_option(collection: str) -> None:
    settings = {"spark.es.resource": "es", "spark.es.nodes": "e1"}
    found = identify("", {"es.resource": collection}, settings, "org.elasticsearch.spark.sql", "write")
    assert found is not None
    assert (found.dataset.name if found.dataset else "") == ("elasticsearch://e1:9200/es" if collection == "es" else "")


def test_a_request_of_connect_names_the_target_of_a_write_that_prints_none(tmp_path: Path) -> None:
    lineage, _ = written(tmp_path, UNNAMED, Shown(MONGO, request=NAMED))
    assert lineage.target is not None
    assert lineage.target.name == f"{SERVER}.sent"
    assert lineage.gaps == ()


def test_a_request_of_connect_names_the_server_of_a_save(tmp_path: Path) -> None:
    lineage, gaps = written(tmp_path, SAVE, Shown(request=JDBC))
    assert lineage.target is not None
    assert lineage.target.name == "postgres://db2:5432/shop.sales.daily"
    assert gaps == 0
    lineage, gaps = written(tmp_path, SAVE, Shown())
    assert lineage.target is not None
    assert lineage.target.name == "jdbc:sales.daily"
    assert gaps == 1


HOSTILE = {
    "deep": "select " + "(" * 10_000 + "1" + ")" * 10_000 + " as id from shop.orders",
    "long": "select id from shop.orders where id in (" + ",".join(["'x'"] * 64_000) + ")",
    "torn": "select id from shop.orders where (",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_sql_in_a_plan_is_a_gap_in_bounded_time(tmp_path: Path, name: str) -> None:
    relation = f"JDBCRelation(({HOSTILE[name]}) SPARK_GEN_SUBQ_0) [numPartitions=1] "
    plan = UNNAMED.replace("Scan parquet spark_catalog.default.t", f"Scan {relation}")
    started = time.process_time()
    lineage, gaps = written(tmp_path, plan, Shown(MONGO, request=NAMED))
    assert time.process_time() - started < 20
    assert "unparsed_query" in {gap.reason for gap in lineage.gaps}
    assert "jdbc:shop.orders" in {access.dataset.name for access in lineage.accesses}
    assert all(len(gap.detail) <= 500 for gap in lineage.gaps)
    assert gaps <= 1


def test_a_natural_join_in_a_plan_is_a_gap_and_its_columns_stay_resolved(tmp_path: Path) -> None:
    relation = "JDBCRelation((select id from shop.a natural join shop.b) SPARK_GEN_SUBQ_0) [numPartitions=1] "
    plan = UNNAMED.replace("Scan parquet spark_catalog.default.t", f"Scan {relation}")
    lineage, _ = written(tmp_path, plan, Shown(request=NAMED))
    assert [gap.detail for gap in lineage.gaps] == [
        "the SQL does not list the keys of NATURAL JOIN b, the columns that both tables have"
    ]
    assert {edge.source_dataset for edge in lineage.edges} == {"jdbc:shop.a", "jdbc:shop.b"}


def conditions(lineage: StatementLineage) -> set[str]:
    """The influences on all rows: `dataset.column kind`."""
    found = (each for each in lineage.edges if each.target_column is None)
    return {f"{each.source_dataset}.{each.source_column} {each.transformation}" for each in found}


def test_the_filters_in_the_query_of_a_cosmos_scan_are_conditions(tmp_path: Path) -> None:
    """From the class: `ItemsScan.description`."""
    scan = "BatchScan com.azure.cosmos.spark.items.acme.shop.orders"
    plan = (
        f"== Physical Plan ==\n* Project (2)\n+- {scan} (1)\n\n\n(1) {scan}\nOutput [2]: [id#1, city#2]\n"
        "Cosmos ItemsScan: shop.orders\n - Cosmos Query: SELECT * FROM r WHERE r['city']=@param0\n"
        "RuntimeFilters: []\n\n(2) Project\nOutput [1]: [id#1]\nInput [2]: [id#1, city#2]\n"
    )
    lineage, gaps = written(tmp_path, plan, Shown())
    orders = "azurecosmos://acme.documents.azure.com/dbs/shop/colls/orders"
    assert (conditions(lineage), gaps) == ({f"{orders}.city FILTER"}, 0)


def mongo_plan(analyzed: str, physical: str) -> str:
    """An extended text: MongoDB's scans print no filters."""
    parts = (("Parsed", "x"), ("Analyzed", f"n: bigint\n{analyzed}"), ("Optimized", "x"))
    logical = "".join(f"== {name} Logical Plan ==\n{tree}\n\n" for name, tree in parts)
    return f"{logical}== Physical Plan ==\n{physical}\n"


def mongo_scan(collection: str, columns: str = "") -> str:
    """A scan as a tree string prints it."""
    return f"BatchScan MongoTable()[{columns}] MongoScan{{namespaceDescription=shop.{collection}}} RuntimeFilters: []"


COUNT = "*(1) HashAggregate(keys=[], functions=[count(1)], output=[n#9L])\n+- "
ORDERS = "RelationV2[id#1, city#2] MongoTable()"


def test_a_filter_that_only_the_analyzed_plan_has_is_a_condition(tmp_path: Path) -> None:
    analyzed = f"Aggregate [count(1) AS n#9L]\n+- Filter (city#2 = Rome)\n   +- {ORDERS}"
    lineage, gaps = written(tmp_path, mongo_plan(analyzed, f"{COUNT}{mongo_scan('orders')}"), Shown(MONGO))
    assert (conditions(lineage), lineage.gaps, gaps) == ({"mongodb://m1:27017/shop.orders.city FILTER"}, (), 0)


def test_a_filter_of_one_of_several_tables_without_columns_is_a_gap(tmp_path: Path) -> None:
    sides = f"   :- Filter (city#2 = Rome)\n   :  +- {ORDERS}\n   +- RelationV2[id#3] MongoTable()"
    scans = f"CartesianProduct\n   :- {mongo_scan('orders')}\n   +- {mongo_scan('people')}"
    plan = mongo_plan(f"Aggregate [count(1) AS n#9L]\n+- Join Cross\n{sides}", f"{COUNT}{scans}")
    lineage, _ = written(tmp_path, plan, Shown())
    assert {gap.reason for gap in lineage.gaps} == {"unprinted_filter"}
    assert conditions(lineage) == set()


def test_unprinted_filters_are_a_gap_of_the_application_without_an_analyzed_plan(tmp_path: Path) -> None:
    _, gaps = written(tmp_path, f"== Physical Plan ==\n{COUNT}{mongo_scan('orders')}\n", Shown(MONGO))
    assert gaps == 1
