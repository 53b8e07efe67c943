"""The keys by which statements are known between runs."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, CatalogSettings, ScannedTable
from eventlog_lineage.catalog.stream_tables import StreamLocations
from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.lineage.statement import (
    NO_CONTEXT,
    AttributeLink,
    HiddenTables,
    PrintedNames,
    RddSource,
    RowSources,
    StatementContext,
    compared_lineage_id,
    context_key,
    lineage_id,
    masked_lineage_id,
    settings_key,
)
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.plan_context import TableNames
from eventlog_lineage.plan.printed.sections import ViewRead

PLAN = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"
TOPIC = Dataset("kafka://unknown/clicks", "topic", "kafka")
LAKE = CatalogSettings(
    (("org.apache.iceberg.spark.SparkCatalog", "lake"),),
    "/data/warehouse",
    (("lake", "/data/lake/{database}/{table}"),),
)


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        (NO_SETTINGS, "{}"),
        (
            LAKE,
            (
                '{"catalogs":[["org.apache.iceberg.spark.SparkCatalog","lake"]],"warehouse":"/data/warehouse",'
                '"folders":[["lake","/data/lake/{database}/{table}"]]}'
            ),
        ),
        (CatalogSettings(warehouse="\udc80"), r'{"warehouse":"\udc80"}'),
    ],
)
def test_the_key_of_an_applications_settings_is_this_text(settings: CatalogSettings, key: str) -> None:
    assert settings_key(settings) == key


def named(tables: TableNames) -> StatementContext:
    return StatementContext(names=PrintedNames(tables))


def test_a_statement_without_evidence_has_no_key_and_ids_of_attributes_are_not_part_of_it() -> None:
    assert context_key(NO_CONTEXT) == ""
    keys = {context_key(named(TableNames(aggregates=((number, "max(a)"),)))) for number in (3, 4)}
    assert keys == {'{"tables":{"aggregates":[[0,"max(a)"]]}}'}


EVIDENCE = (
    StatementContext(stream=StreamLocations(has_batch_function=True)),
    StatementContext(batch=1),
    StatementContext(masks=("tokenize",)),
    *(
        StatementContext(names=each)
        for each in (
            PrintedNames(tables=TableNames(unqualified=(("t", "db.t"),))),
            PrintedNames(catalogs=(("org.example.Catalog", "lake"),)),
            PrintedNames(namespaces=(("namespace.sales", "pg"),)),
            PrintedNames(application="application_1"),
            PrintedNames(written=((("a", "(a + 1) AS b"),),)),
        )
    ),
    *(
        StatementContext(hidden=each)
        for each in (
            HiddenTables(views=(ViewRead("`w`", ()),)),
            HiddenTables(commit_location="/lake/t"),
            HiddenTables(maintained_table=Dataset("spark_catalog.db.t", "table", "iceberg")),
            HiddenTables(scanned=(ScannedTable("c.db.t", "paimon"),)),
        )
    ),
    *(
        StatementContext(rows=each)
        for each in (
            RowSources(rdds=(RddSource(0, (1,), (("c.db.t", "parquet"),)),)),
            RowSources(id_offsets=((0, -1),)),
            RowSources(attribute_ids=((1, 2),)),
            RowSources(sampled=((2, "file:///landing/customers"),)),
            RowSources(has_no_plan=True),
            RowSources(has_driver_rows=True),
            RowSources(ran_no_job=True),
        )
    ),
)


@pytest.mark.parametrize("alone", EVIDENCE)
def test_every_kind_of_evidence_gives_a_statement_another_key(alone: StatementContext) -> None:
    assert context_key(alone) not in {"", "{}"}


def test_each_kind_of_evidence_has_an_example() -> None:
    kinds = {
        each.name for group in (StatementContext, PrintedNames, HiddenTables, RowSources) for each in fields(group)
    }
    keys = [json.loads(context_key(alone)) for alone in EVIDENCE]
    assert {label for key in keys for label in key} == kinds - {"names", "hidden", "rows"}


def test_evidence_of_several_kinds_has_its_order_in_a_key() -> None:
    names = PrintedNames(catalogs=(("org.example.Catalog", "lake"),), application="application_1")
    context = StatementContext(None, 1, names, HiddenTables(commit_location="/t"), RowSources(has_no_plan=True), ("m",))
    assert list(json.loads(context_key(context))) == [
        "batch", "commit_location", "catalogs", "has_no_plan", "masks", "application",
    ]  # fmt: skip


def test_statements_with_other_plans_settings_links_and_answers_have_other_ids() -> None:
    links = (AttributeLink(0, 3, 1, 4), AttributeLink(1, 0, 2, 7))
    answer = ExternalLineage(("spark_catalog.shop.orders",), ("c.db.t",), (("c.db.t.a", ("t.id",)),), "", 17, 3, False)
    ids = [
        lineage_id((PLAN,), 1, (), settings_key(NO_SETTINGS)),
        lineage_id((PLAN,), 1, (), settings_key(LAKE)),
        lineage_id((PLAN, OTHER, PLAN), 2, links, settings_key(NO_SETTINGS)),
        compared_lineage_id(PLAN, [answer]),
        compared_lineage_id(PLAN, [answer, ExternalLineage((), (), (), "failed")]),
        masked_lineage_id(PLAN, ("tokenize",)),
    ]
    assert len({*ids}) == len(ids)
    assert compared_lineage_id(PLAN, [replace(answer, reported_at=18)]) == compared_lineage_id(PLAN, [answer])


def test_ids_of_lineages_stay_as_they_are() -> None:
    """Stores have them: where these differ, the next harvest traces all statements again."""
    assert lineage_id((PLAN,), 1, (), settings_key(LAKE)) == "c8476f05086ef43b18e009cf4f2fa26d"
    assert masked_lineage_id(PLAN, ("tokenize",)) == "afafaf0dc9d527632059e3599c6afd77"
