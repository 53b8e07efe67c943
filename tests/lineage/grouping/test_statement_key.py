"""What identifies a statement between runs is written out here: stores that exist hold hashes of these texts.

A test that fails here means that the next harvest of every store traces its statements again. The words are those of
version 0.1.0, whatever the classes are called by now.
"""

from __future__ import annotations

from dataclasses import fields

import pytest

from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.lineage.catalog_settings import NO_SETTINGS, CatalogSettings
from eventlog_lineage.lineage.grouping.statement_key import (
    compared_lineage_id,
    context_key,
    lineage_id,
    schema_observation_key,
    settings_key,
)
from eventlog_lineage.lineage.statement import NO_CONTEXT, AttributeLink, ScannedTable, StatementContext
from eventlog_lineage.lineage.stream_locations import StreamLocations
from eventlog_lineage.model import Dataset
from eventlog_lineage.observed_schemas import Evidence, HashedChanges, SchemaColumn, SomeColumns, TableCreated
from eventlog_lineage.operators.plan_context import TableNames
from eventlog_lineage.plan.views import ViewRead

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
        (NO_SETTINGS, "Surroundings(catalogs=(), warehouse='', folders=())"),
        (
            LAKE,
            (
                "Surroundings(catalogs=(('org.apache.iceberg.spark.SparkCatalog', 'lake'),), "
                "warehouse='/data/warehouse', "
                "folders=(('lake', '/data/lake/{database}/{table}'),))"
            ),
        ),
        (
            CatalogSettings(warehouse="/it's here"),
            """Surroundings(catalogs=(), warehouse="/it's here", folders=())""",
        ),
        (
            CatalogSettings(warehouse="a'b\"c\\d\te\nf\x00g\x7fé日\udc80"),
            r"""Surroundings(catalogs=(), warehouse='a\'b"c\\d\te\nf\x00g\x7fé日\udc80', folders=())""",
        ),
    ],
)
def test_the_key_of_an_applications_settings_is_this_text(settings: CatalogSettings, key: str) -> None:
    assert settings_key(settings) == key


@pytest.mark.parametrize(
    ("context", "key"),
    [
        (NO_CONTEXT, ""),
        (
            StatementContext(stream=StreamLocations(((TOPIC,), None), Dataset("/out", "path"))),
            (
                "StreamPlaces(sources=((Dataset(name='kafka://unknown/clicks', kind='topic', format='kafka', "
                "location=''),), "
                "None), sink=Dataset(name='/out', kind='path', format='', location=''), unnamed_sink='', servers='', "
                "nests=False)"
            ),
        ),
        (
            StatementContext(
                stream=StreamLocations((), None, "PaimonSink", "broker:9092", has_batch_function=True), batch=1
            ),
            "StreamPlaces(sources=(), sink=None, unnamed_sink='PaimonSink', servers='broker:9092', nests=True)1",
        ),
        (
            StatementContext(
                commit_location="/lake/t",
                tables=TableNames(unqualified=(("t", "db.t"),)),
                maintained_table=Dataset("spark_catalog.db.t", "table", "iceberg"),
            ),
            "Hints(commit_place='/lake/t', tables=(('t', 'db.t'),), tended='spark_catalog.db.t', scanned=(), row=())",
        ),
        (
            StatementContext(
                scanned=(ScannedTable("c.db.t", "paimon", ("a", "b"), (("a", "b"), ("a",))),),
                id_offsets=((0, -1),),
                attribute_ids=((1, 2), (3,)),
                views=(ViewRead("`db`.`v`", ("a",)), ViewRead("`w`", ())),
            ),
            (
                "Hints(commit_place='', tables=(), tended='', scanned=(ScannedTable(name='c.db.t', format='paimon', "
                "columns=('a', 'b'), whole=(('a', 'b'), ('a',))),), row=((0, -1),))"
                "((1, 2), (3,))"
                "(ViewRead(name='`db`.`v`', columns=('a',)), ViewRead(name='`w`', columns=()))"
            ),
        ),
    ],
    ids=["none", "stream", "foreachBatch", "hints", "scans and views"],
)
def test_the_key_of_a_statements_context_is_this_text(context: StatementContext, key: str) -> None:
    assert context_key(context) == key


EVIDENCE = StatementContext(
    stream=StreamLocations(has_batch_function=True),
    batch=1,
    views=(ViewRead("`w`", ()),),
    commit_location="/lake/t",
    tables=TableNames(unqualified=(("t", "db.t"),)),
    maintained_table=Dataset("spark_catalog.db.t", "table", "iceberg"),
    scanned=(ScannedTable("c.db.t", "paimon"),),
    id_offsets=((0, -1),),
    attribute_ids=((1, 2),),
    catalogs=(("org.example.Catalog", "lake"),),
    sampled=((2, "file:///landing/customers"),),
    has_no_plan=True,
    has_driver_rows=True,
    masks=("tokenize",),
)


@pytest.mark.parametrize("field", [field.name for field in fields(StatementContext)])
def test_every_kind_of_evidence_gives_a_statement_another_key(field: str) -> None:
    alone = StatementContext(**{field: getattr(EVIDENCE, field)})
    assert context_key(alone) != context_key(NO_CONTEXT)


def test_the_lineage_id_of_a_plain_statement_is_this_hash() -> None:
    assert lineage_id((PLAN,), 1, (), settings_key(NO_SETTINGS)) == "fee3688a2787f9aff52c8745d0a63c17"
    assert lineage_id((PLAN,), 1, (), settings_key(LAKE)) == "857b966a3a06f6d35480f8dcbf4352d1"


def test_the_lineage_id_of_a_statement_with_links_between_plans_is_this_hash() -> None:
    links = (AttributeLink(0, 3, 1, 4), AttributeLink(1, 0, 2, 7))
    assert lineage_id((PLAN, OTHER, PLAN), 2, links, settings_key(NO_SETTINGS)) == "92df24c6063605129fac4658f1d478b2"


def test_the_lineage_id_of_a_statement_with_other_tools_answers_is_this_hash() -> None:
    answer = ExternalLineage(
        ("spark_catalog.shop.orders",),
        ("c.db.t",),
        (("c.db.t.a", ("spark_catalog.shop.orders.id",)),),
        "",
        17,
        3,
        False,
    )
    assert compared_lineage_id(PLAN, [answer]) == "299a6013f362fb49db3acc8b11d450b7"
    assert (
        compared_lineage_id(PLAN, [answer, ExternalLineage((), (), (), "failed")]) == "9529799509404cdc00292ee0fc2d1439"
    )


def test_schema_observations_of_one_statement_are_ordered_by_this_text() -> None:
    columns = (SchemaColumn("a", "bigint"), SchemaColumn("b", "string", "0f"))
    read = SomeColumns(
        dataset="c.db.t",
        evidence=Evidence.READ,
        columns=columns,
        ordered=True,
        types_by_reader=True,
        detail="[a#1L, b#2]",
    )
    assert schema_observation_key(read) == (
        "SchemaSign(dataset='c.db.t', evidence='read', extent='some', columns=(SchemaColumn(name='a', "
        "data_type='bigint', derivation=''), SchemaColumn(name='b', data_type='string', derivation='0f')), "
        "ordered=True, words=('types of the reader',), detail='[a#1L, b#2]')"
    )
    assert schema_observation_key(TableCreated(dataset="t", if_not_exists=True)) == (
        "SchemaSign(dataset='t', evidence='create', extent='none', columns=(), ordered=False, "
        "words=('if not exists',), detail='')"
    )
    assert schema_observation_key(HashedChanges(dataset="t", changes=("DeleteColumn@61",), detail="x")) == (
        "SchemaSign(dataset='t', evidence='alter', extent='codes', columns=(), ordered=False, "
        "words=('DeleteColumn@61',), detail='x')"
    )
