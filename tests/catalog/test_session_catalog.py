"""Tables that a command prints as the user wrote them, without a database: `CREATE TABLE t LIKE s` after `USE shop`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, CatalogSettings, ExecutionSummary
from eventlog_lineage.catalog.session_catalog import SessionCatalog
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import QualifiedTable, SessionTable, UnqualifiedTable

LIKE = """== Physical Plan ==
Execute CreateTableLikeCommand (1)
   +- CreateTableLikeCommand (2)


(1) Execute CreateTableLikeCommand
Output: []

(2) CreateTableLikeCommand
Arguments: `t`, `s`, Storage(), false

"""
USE = """== Physical Plan ==
SetCatalogAndNamespace (1)


(1) SetCatalogAndNamespace
Arguments: org.apache.spark.sql.connector.catalog.CatalogManager@1f, {}

"""
SAVE = LIKE.replace("CreateTableLikeCommand", "SaveAsV1TableCommand").replace("`s`, Storage(), false", "Overwrite")
INSIDE = """== Physical Plan ==
Execute CreateDataSourceTableAsSelectCommand (1)
   +- CreateDataSourceTableAsSelectCommand (2)


(1) Execute CreateDataSourceTableAsSelectCommand
Output: []

(2) CreateDataSourceTableAsSelectCommand
Arguments: `spark_catalog`.`shop`.`t`, Overwrite, [id]

"""


def told(
    *texts: str, changed: tuple[str, ...] = (), root: int | None = None, is_served: bool = False
) -> StatementLineage:
    """The last of some executions, or the one that starts with `root`."""
    runs = [
        ExecutionSummary(
            number,
            root if root is not None and number >= root else number,
            "",
            number,
            number,
            PlanText(text).summary,
            changed=changed if number == len(texts) - 1 else (),
            is_served=is_served,
        )
        for number, text in enumerate(texts)
    ]
    group = group_executions(runs, NO_SETTINGS)[-1]
    by_name = {run.summary.fingerprint: PlanText(text) for run, text in zip(runs, texts, strict=True)}
    return trace(group, by_name)


def target(lineage: StatementLineage) -> str:
    assert lineage.target is not None
    return lineage.target.name


def test_what_the_catalog_says_that_it_changed_has_the_database() -> None:
    lineage = told(USE.format("spark_catalog, other"), LIKE, changed=("`shop`.`T`",))
    assert (target(lineage), lineage.gaps) == ("spark_catalog.shop.t", ())


@pytest.mark.parametrize(
    ("uses", "name"),
    [
        (["spark_catalog, shop"], "spark_catalog.shop.t"),
        (["spark_catalog, [shop]"], "spark_catalog.shop.t"),
        (["spark_catalog, ArrayBuffer(shop)"], "spark_catalog.shop.t"),
        (["spark_catalog, shop", "lake, db"], "spark_catalog.default.t"),
        (["lake", "spark_catalog", "spark_catalog, b"], "spark_catalog.b.t"),
    ],
)
def test_the_database_that_the_session_turned_to_is_the_tables(uses: list[str], name: str) -> None:
    lineage = told(*(USE.format(use) for use in uses), LIKE)
    assert (target(lineage), lineage.gaps) == (name, ())


def test_the_command_of_2_4_turns_to_a_database_too() -> None:
    use = LIKE.replace("CreateTableLikeCommand", "SetDatabaseCommand").replace("`t`, `s`, Storage(), false", "shop")
    assert target(told(use, LIKE)) == "spark_catalog.shop.t"


def test_a_table_whose_database_nothing_tells_is_the_defaults_with_a_gap() -> None:
    lineage = told(LIKE)
    assert target(lineage) == "spark_catalog.default.t"
    assert [gap.reason for gap in lineage.gaps] == [GapReason.UNKNOWN_TARGET]


def test_two_tables_of_the_name_that_changed_meanwhile_are_a_gap() -> None:
    lineage = told(USE.format("spark_catalog, shop"), LIKE, changed=("`shop`.`t`", "`other`.`t`"))
    assert [gap.reason for gap in lineage.gaps] == [GapReason.UNKNOWN_TARGET]


def test_what_one_session_of_a_server_turns_to_says_nothing_of_another() -> None:
    lineage = told(USE.format("spark_catalog, shop"), LIKE, is_served=True)
    assert [gap.reason for gap in lineage.gaps] == [GapReason.UNKNOWN_TARGET]


def test_an_inner_execution_that_names_the_table_in_full_knows_better() -> None:
    lineage = told(USE.format("spark_catalog, other"), SAVE, INSIDE, root=1)
    assert target(lineage) == "spark_catalog.other.t"
    alone = told(SAVE, INSIDE, root=0)
    assert (target(alone), alone.gaps) == ("spark_catalog.shop.t", ())


def test_names_with_a_database_and_temporary_views_are_no_session_tables() -> None:
    assert PlanText(LIKE).facts == (SessionTable("t"),)
    assert PlanText(LIKE.replace("`t`,", "`shop`.`t`,")).facts == ()
    assert PlanText(LIKE.replace("`t`,", "`a``b`,")).facts == (SessionTable("a`b"),)


VIEW = """== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- Project (4)
            +- UnresolvedRelation (3)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `{0}`, select k from {1}, false, false, LocalTempView

(3) UnresolvedRelation
Arguments: [{1}], [], false

(4) Project
Arguments: ['k]

"""
DROP = """== Physical Plan ==
Execute DropTableCommand (1)
   +- DropTableCommand (2)


(1) Execute DropTableCommand
Output: []

(2) DropTableCommand
Arguments: `T`, false, true, false

"""


@pytest.mark.parametrize(
    ("earlier", "relation", "kind"),
    [
        ((VIEW.format("t", "s"),), "t", "temp_view"),
        ((VIEW.format("T", "s"), USE.format("spark_catalog, shop")), "t", "temp_view"),
        ((), "spark_catalog.default.t", "table"),
        ((USE.format("spark_catalog, shop"),), "spark_catalog.shop.t", "table"),
        ((VIEW.format("t", "s"), DROP), "spark_catalog.default.t", "table"),
    ],
)
def test_a_parsed_relation_is_a_temporary_view_or_a_table_of_the_session(
    earlier: tuple[str, ...], relation: str, kind: str
) -> None:
    """Spark 3.1 prints the parsed query of a temporary view."""
    lineage = told(*earlier, VIEW.format("v", "t"))
    reads = [(use.dataset.name, use.dataset.kind) for use in lineage.accesses if use.direction == "read"]
    assert (target(lineage), reads) == ("v", [(relation, kind)])


@pytest.mark.parametrize(
    ("names", "shared", "name"),
    [
        (("shop.orders", "lake.shop.orders"), (), "lake.shop.orders"),
        (("shop.orders", "lake.shop.orders"), (("Catalog", ("lake", "pond")),), ""),
        (("shop.orders", "lake.shop.orders", "pond.shop.orders"), (), ""),
        (("shop.orders", "lake.raw.orders"), (), ""),
    ],
)
def test_a_table_with_and_without_its_catalog_is_one(
    names: tuple[str, ...], shared: tuple[tuple[str, tuple[str, ...]], ...], name: str
) -> None:
    catalog = SessionCatalog(CatalogSettings(shared=shared))
    facts = tuple(map(QualifiedTable, names))
    catalog.apply(ExecutionSummary(0, 0, "", 0, 0, replace(PlanText("").summary, facts=facts)))
    assert catalog.resolve(UnqualifiedTable("orders$audit_log"), 1) == (f"{name}$audit_log" if name else "")
