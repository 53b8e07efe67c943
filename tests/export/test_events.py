"""Exported RunEvents are valid, and shaped as the consumers need them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator
from openlineage.client.uuid import generate_static_uuid

from eventlog_lineage.export.event_datasets import run_id, schema_facet
from eventlog_lineage.export.runs import Selection
from support.openlineage_classes import again, json_schema, standard, without_empty
from support.stores.exports import (
    PATH,
    RAW,
    SOLD,
    WAREHOUSE,
    Event,
    all_completed,
    catalog,
    completed,
    events,
    night_of,
    output,
    statement_events,
)
from support.stores.memory import MemoryStore
from support.stores.nights import START, Night
from support.stores.shop import open_shop
from support.stores.staged_logs import harvest_logs

SAMPLES = Path(__file__).resolve().parents[1]
OPTIONS = (
    {},
    {"indirect": "fields", "nested": "top", "explicit": True},
    {"indirect": "none", "explicit": True, "namespace": "nightly", "catalogs": {"spark_catalog": "hive://meta:9083"}},
)
EVERY = Selection(all_runs=True)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path | MemoryStore]]:
    """The shop's store, and stores of logs of real jobs."""
    shop = tmp_path_factory.mktemp("shop")
    open_shop(shop)
    logs = {
        "agent": "export/logs/agent.zstd",
        "field_lineage": "export/logs/field_lineage.zstd",
        "samples": "sample_logs/nightly-sales-3-5.zstd",
        "lakehouse": "lakehouse_logs/iceberg-4-1.zstd",
    }
    made = {name: MemoryStore() for name in logs}
    for name, log in logs.items():
        harvest_logs(made[name], [SAMPLES / log])
    yield {"shop": shop, **made}
    for store in made.values():
        store.close()


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "large", "small"])
@pytest.mark.parametrize("name", ["shop", "agent", "field_lineage", "samples", "lakehouse"])
def test_every_event_validates_and_loads_into_openlineages_classes(
    stores: dict[str, Path | MemoryStore], name: str, options: dict[str, object]
) -> None:
    """The client writes from its classes what was loaded into them: no key, type or place is lost."""
    validator = Draft202012Validator(json_schema(), validate_formats=True)
    found = events(stores[name], EVERY, **options)
    assert len(found) >= 20
    for event in map(standard, found):
        assert [error.message for error in validator.iter_errors(event)] == []
        assert again(event) == without_empty(event)


@pytest.mark.parametrize(
    "broken",
    [
        {"run": {"runId": "no uuid"}},
        {"eventType": "DONE"},
        {"eventTime": 5},
        {"outputs": [{"namespace": "n", "name": "t", "facets": {"columnLineage": {"fields": {}}}}]},
        {"outputs": [{"namespace": "n"}]},
    ],
    ids=lambda broken: next(iter(broken)),
)
def test_the_validation_finds_what_is_wrong(stores: dict[str, Path | MemoryStore], broken: Event) -> None:
    event = {**events(stores["shop"])[0], **broken}
    assert not Draft202012Validator(json_schema(), validate_formats=True).is_valid(event)


def test_a_facet_in_a_wrong_place_is_found(stores: dict[str, Path | MemoryStore]) -> None:
    """DataHub refuses an event that has `outputStatistics` among the dataset's facets."""
    (event,) = (each for each in events(stores["shop"]) if "stage orders" in each["job"]["name"] and each["outputs"])
    dataset = output(event)
    moved = {**dataset, "facets": dataset.pop("outputFacets")}
    assert not Draft202012Validator(json_schema()).is_valid({**event, "outputs": [moved]})


@pytest.mark.parametrize("nested", ["dotted", "top"])
@pytest.mark.parametrize("indirect", ["dataset", "fields"])
@pytest.mark.parametrize("name", ["shop", "agent", "field_lineage", "samples", "lakehouse"])
def test_a_consumer_finds_each_column_of_an_edge_in_a_schema_and_each_source_among_the_inputs(
    stores: dict[str, Path | MemoryStore], name: str, indirect: str, nested: str
) -> None:
    """Marquez drops edges of other columns, OpenMetadata wants a type for each."""
    edges = 0
    for event in events(stores[name], EVERY, indirect=indirect, nested=nested):
        known = {(each["namespace"], each["name"]): columns_of(each) for each in event["inputs"]}
        for dataset in event["outputs"]:
            facet = dataset.get("facets", {}).get("columnLineage", {})
            columns = columns_of(dataset)
            for column, field in facet.get("fields", {}).items():
                assert column in columns
                assert field["transformationDescription"] or field["transformationType"] == "IDENTITY"
                edges += check_sources(field["inputFields"], known)
            edges += check_sources(facet.get("dataset", []), known)
    assert edges > 10


def check_sources(sources: list[Event], known: dict[tuple[str, str], dict[str, str]]) -> int:
    """Each source's column is in the schema of an input; gives how many there are."""
    for source in sources:
        assert source["field"] in known[source["namespace"], source["name"]]
        assert source["transformations"]
    return len(sources)


def columns_of(dataset: Event) -> dict[str, str]:
    """The columns of a dataset's schema facet with their types, nested ones dotted as DataHub flattens them."""
    found: dict[str, str] = {}

    def walk(fields: list[Event], prefix: str) -> None:
        for field in fields:
            kind = field["type"]
            assert kind
            found[prefix + field["name"]] = kind
            inner = field.get("fields", [])
            while inner and kind in {"array", "map"}:  # the elements' fields
                kind, inner = inner[-1]["type"], inner[-1].get("fields", [])
            walk(inner, f"{prefix}{field['name']}.")

    walk(dataset.get("facets", {}).get("schema", {}).get("fields", []), "")
    return found


def test_an_application_and_its_statements_start_and_complete(new_store: MemoryStore) -> None:
    night_of((f"{RAW}!amount", "total", "AGGREGATION")).begin(new_store)
    found = events(new_store, namespace="nightly")
    assert [(event["eventType"], event["eventTime"], event["job"]["name"]) for event in found] == [
        ("START", "2026-11-18T01:00:00.000Z", "nightly sales"),
        ("START", "2026-11-18T01:01:00.000Z", "nightly sales.daily InsertInto"),
        ("COMPLETE", "2026-11-18T01:01:30.000Z", "nightly sales.daily InsertInto"),
        ("COMPLETE", "2026-11-18T02:00:00.000Z", "nightly sales"),
    ]
    application, statement = found[0], found[2]
    parent = statement["run"]["facets"]["parent"]
    assert parent["run"] == parent["root"]["run"] == {"runId": application["run"]["runId"]}
    assert parent["job"] == parent["root"]["job"] == {"namespace": "nightly", "name": "nightly sales"}
    kinds = [event["job"]["facets"]["jobType"] for event in (application, statement)]
    assert [(kind["processingType"], kind["integration"], kind["jobType"]) for kind in kinds] == [
        ("BATCH", "SPARK", "APPLICATION"),
        ("BATCH", "SPARK", "SQL_JOB"),
    ]
    engine = statement["run"]["facets"]["processing_engine"]
    assert (engine["name"], engine["version"]) == ("spark", "3.5.9")
    assert [(each["namespace"], each["name"]) for each in found[1]["inputs"]] == [
        ("spark://spark_catalog", "raw.orders")
    ]
    assert found[1]["outputs"] == []


def test_a_run_has_the_id_that_openlineages_client_makes_of_it(new_store: MemoryStore) -> None:
    night_of((f"{RAW}!amount", "total", "AGGREGATION")).begin(new_store)
    application, statement = events(new_store)[:2]
    instants = {"": START, "/1": START.replace(minute=1)}
    for event, (suffix, started_at) in zip((application, statement), instants.items(), strict=True):
        expected = generate_static_uuid(started_at.replace(tzinfo=timezone.utc), f"app-0/{suffix}".encode())
        assert event["run"]["runId"] == str(expected)
    before = [event["run"]["runId"] for event in events(new_store)]
    Night(1).harvest(new_store)
    assert [event["run"]["runId"] for event in events(new_store)] == before


@given(st.datetimes(datetime(1980, 1, 1), datetime(2200, 1, 1)), st.text(st.characters(codec="utf-8")))
def test_ids_are_uuids_of_version_7_and_those_of_the_client(started_at: datetime, name: str) -> None:
    made = run_id(started_at, name)
    assert made == str(generate_static_uuid(started_at.replace(tzinfo=timezone.utc), name.encode()))
    assert (UUID(made).version, UUID(made).variant) == (7, "specified in RFC 4122")


def test_a_failed_statement_fails_with_its_error(new_store: MemoryStore) -> None:
    night = night_of((f"{RAW}!amount", "total", "AGGREGATION"), status="failed", error="no space left")
    night.begin(new_store)
    assert events(new_store) == []
    failed = statement_events(new_store, EVERY)[1]
    assert failed["eventType"] == "FAIL"
    error = failed["run"]["facets"]["errorMessage"]
    assert (error["message"], error["programmingLanguage"]) == ("no space left", "JAVA")
    written = output(failed)
    assert (written["namespace"], written["name"]) == ("spark://spark_catalog", "sales.daily")


@pytest.mark.parametrize(
    ("status", "complete", "kinds"),
    [
        ("running", False, ["START", "START"]),
        ("unknown", False, ["START", "START"]),
        ("unknown", True, ["START", "START", "ABORT", "COMPLETE"]),
    ],
)
def test_a_statement_without_an_end_has_none_until_its_application_has_one(
    new_store: MemoryStore, status: str, complete: bool, kinds: list[str]
) -> None:
    night = Night()
    night.app(complete=complete)
    night.statement([(f"{RAW}!amount", "total", "AGGREGATION")], target=SOLD, status=status)
    night.begin(new_store)
    assert [event["eventType"] for event in events(new_store, EVERY)] == kinds


def test_the_last_succeeded_run_of_each_job_and_target_is_exported_unless_others_are_asked_for(
    new_store: MemoryStore,
) -> None:
    for day in range(3):
        night = Night(day)
        night.app()
        night.statement(
            [(f"{RAW}!amount", "total", "AGGREGATION")], target=SOLD, status="failed" if day == 2 else "succeeded"
        )
        night.harvest(new_store)

    def days(selection: Selection | None = None) -> list[str]:
        return [
            each["eventTime"][:10] for each in statement_events(new_store, selection) if each["eventType"] == "START"
        ]

    assert days() == ["2026-11-19"]
    assert days(Selection(since=datetime(2026, 11, 19))) == ["2026-11-19", "2026-11-20"]
    assert days(EVERY) == ["2026-11-18", "2026-11-19", "2026-11-20"]


def test_a_job_whose_runs_were_dropped_is_exported_by_what_is_kept_of_them(new_store: MemoryStore) -> None:
    night_of((f"{RAW}!amount", "total", "AGGREGATION")).begin(new_store)
    later = Night(400)
    later.app()
    later.harvest(new_store, keep_days=30)
    event = completed(new_store)
    assert (event["eventTime"], event["job"]["name"]) == ("2026-11-18T01:01:30.000Z", "nightly sales.daily InsertInto")
    assert list(output(event)["facets"]["columnLineage"]["fields"]) == ["total"]


def test_each_target_of_a_multi_insert_is_a_job_with_its_own_inputs(new_store: MemoryStore) -> None:
    """Else consumers draw each input to each output."""
    night = Night()
    night.app()
    shape = night.statement([(f"{RAW}!amount", "total", "AGGREGATION")], target=SOLD)
    edge = dict(night.rows["lineage_edges"][0])
    other = {"source_dataset": PATH, "source_column": "x", "target_dataset": "spark_catalog.sales.other", "position": 1}
    night.add("lineage_edges", **edge | other)
    for dataset, direction in ((PATH, "read"), ("spark_catalog.sales.other", "write")):
        mode = "append" if direction == "write" else ""
        facts = {"dataset": dataset, "direction": direction, "mode": mode, "columns": []}
        night.add("lineage_io", lineage_fingerprint=shape, **facts)
        night.dataset(dataset)
    night.harvest(new_store)
    found = all_completed(new_store)
    assert [
        (event["job"]["name"], [each["name"] for each in event["inputs"]], output(event)["name"]) for event in found
    ] == [
        ("nightly sales.daily InsertInto.sales.daily", ["raw.orders"], "sales.daily"),
        ("nightly sales.daily InsertInto.sales.other", ["landing/orders"], "sales.other"),
    ]
    assert len({event["run"]["runId"] for event in found}) == 2


EDGES = (
    (f"{RAW}!amount", "total", "AGGREGATION", "sum(CASE WHEN orders.paid THEN orders.amount END)"),
    (f"{RAW}!paid", "total", "CONDITIONAL", "sum(CASE WHEN orders.paid THEN orders.amount END)"),
    (f"{RAW}!day", "day", "IDENTITY", "orders.day"),
    ("", "made_at", "", "current_timestamp()"),
    (f"{RAW}!day", "", "GROUP_BY", "orders.day"),
    (f"{RAW}!day", "", "FILTER", "(orders.day > 1)"),
)


def ways(sources: list[Event]) -> list[tuple[str, list[str]]]:
    """Each source's column, and how it takes part."""
    return [
        (source["field"], [f"{way['type']} {way['subtype']}" for way in source["transformations"]])
        for source in sources
    ]


def lineage(event: Event) -> dict[str, list[tuple[str, list[str]]]]:
    """Column to its sources; `*` for those of the dataset."""
    facet = output(event)["facets"]["columnLineage"]
    found = {column: ways(field["inputFields"]) for column, field in facet["fields"].items()}
    return found | ({"*": ways(facet["dataset"])} if "dataset" in facet else {})


@pytest.mark.parametrize(
    ("indirect", "expected"),
    [
        (
            "dataset",
            {
                "total": [("amount", ["DIRECT AGGREGATION"]), ("paid", ["INDIRECT CONDITIONAL"])],
                "day": [("day", ["DIRECT IDENTITY"])],
                "*": [("day", ["INDIRECT GROUP_BY", "INDIRECT FILTER"])],
            },
        ),
        (
            "fields",
            {
                "total": [
                    ("amount", ["DIRECT AGGREGATION"]),
                    ("paid", ["INDIRECT CONDITIONAL"]),
                    ("day", ["INDIRECT GROUP_BY", "INDIRECT FILTER"]),
                ],
                "day": [("day", ["DIRECT IDENTITY", "INDIRECT GROUP_BY", "INDIRECT FILTER"])],
                "made_at": [("day", ["INDIRECT GROUP_BY", "INDIRECT FILTER"])],
            },
        ),
        ("none", {"total": [("amount", ["DIRECT AGGREGATION"])], "day": [("day", ["DIRECT IDENTITY"])]}),
    ],
)
def test_what_influences_all_columns_goes_where_the_option_says(
    new_store: MemoryStore, indirect: str, expected: dict[str, list[tuple[str, list[str]]]]
) -> None:
    night_of(*EDGES).begin(new_store)
    assert lineage(completed(new_store, indirect=indirect)) == expected


def test_the_deprecated_description_and_type_are_filled_for_those_who_show_nothing_else(new_store: MemoryStore) -> None:
    night = night_of(*EDGES, (f"{RAW}!email", "who", "TRANSFORMATION", "sha2(orders.email, 256)"))
    night.rows["lineage_edges"][-1]["masking"] = True
    night.begin(new_store)
    fields = output(completed(new_store))["facets"]["columnLineage"]["fields"]
    told = {name: (each["transformationType"], each["transformationDescription"]) for name, each in fields.items()}
    assert told == {
        "total": ("AGGREGATION", "sum(CASE WHEN orders.paid THEN orders.amount END)"),
        "day": ("IDENTITY", "orders.day"),
        "who": ("MASKED", "sha2(orders.email, 256)"),
    }
    (source,) = fields["who"]["inputFields"]
    assert source["transformations"][0]["masking"] is True


def test_the_explicit_facet_has_an_entry_with_all_sources(new_store: MemoryStore) -> None:
    night_of((f"{RAW}!amount", "total", "AGGREGATION"), (f"{RAW}!day", "", "FILTER"), reads=[PATH]).begin(new_store)
    assert "lineage" not in completed(new_store)["job"]["facets"]
    found = events(new_store, explicit=True)
    assert [event["eventType"] for event in found if "lineage" in event["job"]["facets"]] == ["COMPLETE"]
    (entry,) = completed(new_store, explicit=True)["job"]["facets"]["lineage"]["entries"]
    assert (entry["namespace"], entry["name"], entry["type"]) == ("spark://spark_catalog", "sales.daily", "DATASET")
    assert [(each["name"], each.get("field")) for each in entry["inputs"]] == [
        ("raw.orders", "day"),
        ("landing/orders", None),
    ]
    assert [each["field"] for each in entry["fields"]["total"]["inputs"]] == ["amount"]


def test_a_table_is_named_by_its_files_with_its_name_in_the_catalog_as_a_symlink(new_store: MemoryStore) -> None:
    night = night_of((f"{PATH}!amount", "total", "AGGREGATION"))
    night.place(SOLD, f"{WAREHOUSE}/sales.db/daily")
    night.begin(new_store)
    event = completed(new_store)
    assert (output(event)["namespace"], output(event)["name"]) == ("s3://lake", "warehouse/sales.db/daily")
    assert symlinks(output(event)) == [("spark://spark_catalog", "sales.daily", "TABLE")]
    assert symlinks(event["inputs"][0]) == []
    (source,) = output(event)["facets"]["columnLineage"]["fields"]["total"]["inputFields"]
    assert (source["namespace"], source["name"]) == ("s3://lake", "landing/orders")


@pytest.mark.parametrize(
    ("shown", "given", "expected"),
    [
        ("", {}, [("spark://spark_catalog", "sales.daily", "TABLE")]),
        ("hive://metastore:9083", {}, [("hive://metastore:9083", "sales.daily", "TABLE")]),
        ("s3://lake/warehouse", {}, [("s3://lake/warehouse", "sales.daily", "TABLE")]),
        ("s3://lake/elsewhere", {}, []),  # a table outside of the warehouse cannot be found by the warehouse's name
        ("s3://lake/elsewhere", {"spark_catalog": "hive://a:1"}, [("hive://a:1", "sales.daily", "TABLE")]),
        ("hive://metastore:9083", {"spark_catalog": "hive://a:1"}, [("hive://a:1", "sales.daily", "TABLE")]),
    ],
)
def test_a_catalogs_namespace_is_the_users_or_what_the_log_shows(
    new_store: MemoryStore, shown: str, given: dict[str, str], expected: list[tuple[str, str, str]]
) -> None:
    night = night_of((f"{RAW}!amount", "total", "AGGREGATION"))
    night.place(SOLD, f"{WAREHOUSE}/sales.db/daily")
    if shown:
        catalog(night, namespace=shown)
    night.begin(new_store)
    event = completed(new_store, catalogs=given)
    assert symlinks(output(event)) == expected
    namespace = given.get("spark_catalog") or shown or "spark://spark_catalog"
    folder = namespace.removeprefix("s3://lake/")
    source = (namespace, "raw.orders") if folder == namespace else ("s3://lake", f"{folder}/raw.db/orders")
    assert [(each["namespace"], each["name"]) for each in event["inputs"]] == [source]


def symlinks(dataset: Event) -> list[tuple[str, str, str]]:
    """The identifiers of a dataset's symlinks."""
    identifiers = dataset.get("facets", {}).get("symlinks", {}).get("identifiers", [])
    return [(each["namespace"], each["name"], each["type"]) for each in identifiers]


def test_counts_and_versions_are_in_their_places_and_nothing_is_null(new_store: MemoryStore) -> None:
    night = night_of((f"{RAW}!amount", "total", "AGGREGATION"))
    keys = {"app_id": "app-0", "attempt_id": "", "execution_id": 1}
    night.add("io_metrics", **keys, dataset="", direction="write", rows=7, bytes=None, files=2)
    night.add("io_metrics", **keys, dataset=RAW, direction="read", rows=None, bytes=900, files=None)
    for dataset, direction, version in ((RAW, "read", "3,4"), (SOLD, "write", "77")):
        facts = {"snapshot_id": version, "snapshot_confidence": "exact"}
        night.add("run_snapshots", **keys, dataset=dataset, direction=direction, **facts)
    for each in night.rows["shown_datasets"]:
        each["format"] = {RAW: "iceberg", SOLD: "delta"}[each["dataset"]]
    night.harvest(new_store)
    event = completed(new_store)
    written = output(event)
    assert without_facet(written["outputFacets"]["outputStatistics"]) == {"rowCount": 7, "fileCount": 2}
    assert without_facet(event["inputs"][0]["inputFacets"]["inputStatistics"]) == {"size": 900}
    assert written["facets"]["version"]["datasetVersion"] == "77"
    assert "version" not in event["inputs"][0]["facets"]
    assert without_facet(written["facets"]["storage"]) == {"storageLayer": "delta", "fileFormat": "parquet"}
    assert without_facet(event["inputs"][0]["facets"]["storage"])["storageLayer"] == "iceberg"
    assert written["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "OVERWRITE"
    assert "null" not in json.dumps(events(new_store))


def test_a_renamed_table_is_the_output_with_its_name_before(new_store: MemoryStore) -> None:
    harvest_logs(new_store, [SAMPLES / "session_logs" / "sessions-4-1.zstd"])
    found = [event for event in statement_events(new_store) if "rename: " in event["job"]["name"] and event["outputs"]]
    (renamed,) = found
    facet = output(renamed)["facets"]["lifecycleStateChange"]
    database = "/tmp/session_logs/warehouse/shop.db"
    assert (output(renamed)["namespace"], output(renamed)["name"]) == ("file", f"{database}/remade")
    assert without_facet(facet) == {
        "lifecycleStateChange": "RENAME",
        "previousIdentifier": {"namespace": "file", "name": f"{database}/made"},
    }
    changes = {
        event["job"]["name"].partition(".")[2]: output(event)["facets"]["lifecycleStateChange"]["lifecycleStateChange"]
        for event in statement_events(new_store)
        if event["outputs"] and "lifecycleStateChange" in output(event)["facets"]
    }
    assert changes["alter: shop.made"] == "ALTER"
    assert changes["drop: shop.t"] == "DROP"
    assert changes["ctas: shop.copied"] == "CREATE"


def without_facet(facet: Event) -> Event:
    """What a facet says, without its producer and schema."""
    return {key: value for key, value in facet.items() if not key.startswith("_")}


def test_a_schema_is_that_of_the_run_in_the_agents_words(new_store: MemoryStore) -> None:
    """The second night adds a column; a run of the first night has the first schema."""
    for day, columns in enumerate(
        (("id:bigint", "address:struct<city:string,zip:int>"), ("id:bigint", "added:string"))
    ):
        night = Night(day)
        night.app()
        shape = night.statement([(f"{RAW}!id", "id", "IDENTITY")], target=SOLD, literal=str(day))
        night.show(shape, SOLD, *columns, literal=str(day))
        night.harvest(new_store)
    first, second = map(output, all_completed(new_store, EVERY))
    assert first["facets"]["schema"]["fields"] == [
        {"name": "id", "type": "long", "ordinal_position": 1},
        {
            "name": "address",
            "type": "struct",
            "ordinal_position": 2,
            "fields": [{"name": "city", "type": "string"}, {"name": "zip", "type": "integer"}],
        },
    ]
    assert list(columns_of(second)) == ["id", "added"]


@pytest.mark.parametrize(
    ("columns", "named", "expected"),
    [
        ([], [], {}),
        ([("a", "")], ["A", "b"], {"a": "unknown", "b": "unknown"}),
        ([("a", "struct<x:int>"), ("a.x", "int")], ["a.X", "a.y"], {"a": "struct", "a.x": "integer", "a.y": "unknown"}),
        ([], ["a.b.c"], {"a": "struct", "a.b": "struct", "a.b.c": "unknown"}),
        ([("a", "array<struct<x:bigint>>")], ["a.x"], {"a": "array", "a.x": "long"}),
        ([("m", "map<string,struct<x:decimal(10,2)>>")], ["m.x"], {"m": "map", "m.x": "decimal(10,2)"}),
        ([("a", "string")], ["a.b"], {"a": "string", "a.b": "unknown"}),
        ([(".", "int"), ("a.", "int")], [".b"], {".": "integer", "a.": "integer", ".b": "unknown"}),
    ],
)
def test_a_schema_has_each_column_once_with_its_fields(
    columns: list[tuple[str, str]], named: list[str], expected: dict[str, str]
) -> None:
    facet = schema_facet(columns, [(name, "") for name in named])
    assert columns_of({"facets": {"schema": facet}} if facet else {}) == expected


def test_a_column_is_spelled_as_in_the_schema_whatever_case_the_query_used(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    shape = night.statement([(f"{RAW}!ID", "TOTAL", "IDENTITY")], target=SOLD)
    night.show(shape, SOLD, "Total:bigint")
    night.show(shape, RAW, "Id:bigint", evidence="read", extent="some")
    night.begin(new_store)
    event = completed(new_store)
    assert lineage(event) == {"Total": [("Id", ["DIRECT IDENTITY"])]}
    assert (list(columns_of(output(event))), list(columns_of(event["inputs"][0]))) == (["Total"], ["Id"])


def test_nested_columns_fold_to_their_top_column_and_their_edges_unite(new_store: MemoryStore) -> None:
    night_of(
        (f"{RAW}!address.city", "who.city", "IDENTITY"), (f"{RAW}!address.zip", "who.zip", "TRANSFORMATION")
    ).begin(new_store)
    assert lineage(completed(new_store)) == {
        "who.city": [("address.city", ["DIRECT IDENTITY"])],
        "who.zip": [("address.zip", ["DIRECT TRANSFORMATION"])],
    }
    assert lineage(completed(new_store, nested="top")) == {
        "who": [("address", ["DIRECT IDENTITY", "DIRECT TRANSFORMATION"])]
    }


def test_a_jobs_name_has_no_dots_before_the_statement(new_store: MemoryStore) -> None:
    night = Night()
    night.app(name="com.shop.Nightly: sales 2026-11-18")
    night.statement([(f"{RAW}!id", "id", "IDENTITY")], target=SOLD, description="load v1.2: orders")
    night.begin(new_store)
    application, statement = events(new_store)[:2]
    assert application["job"]["name"] == "com_shop_Nightly: sales"
    assert statement["job"]["name"] == "com_shop_Nightly: sales.load v1.2: orders: daily"


def test_the_sql_of_a_statement_is_the_jobs_query(new_store: MemoryStore) -> None:
    query = "INSERT INTO sales.daily SELECT sum(amount) FROM raw.orders"
    night = Night()
    night.app()
    for number, sql in enumerate((query, None)):
        edges = [(f"{RAW}!id", "id", "IDENTITY")]
        night.statement(edges, target=f"{SOLD}_{number}", execution=number, sql_text=sql)
    night.harvest(new_store)
    found = {output(event)["name"]: event["job"]["facets"] for event in all_completed(new_store)}
    assert {
        name: (facets["sql"]["query"], facets["sql"]["dialect"]) for name, facets in found.items() if "sql" in facets
    } == {"sales.daily_0": (query, "spark")}
    assert len(found) == 2


HOSTILE = (
    'a"b',
    "</script>",
    "=1+1",
    "tab\tline\nend",
    "\u202egnp.exe",
    "\U0001f600",
    "a`b.c d",
    "x" * 5000,
    ".",
    "\x00",
)


def test_any_names_make_valid_events(new_store: MemoryStore) -> None:
    """Names and expressions come from logs."""
    night = Night()
    night.app(name=f"app {HOSTILE[0]} {HOSTILE[3]}")
    for number, text in enumerate(HOSTILE):
        edges = [(f"cat.{text}.t!{text}", text, "TRANSFORMATION", text), (f"{PATH}/{text}!{text}", "", "FILTER", text)]
        night.statement(edges, target=f"cat.{text}.u", execution=number, description=text, literal=text)
    night.harvest(new_store)
    validator = Draft202012Validator(json_schema())
    for options in OPTIONS:
        found = events(new_store, EVERY, **options)
        assert len(found) == 2 * len(HOSTILE) + 2
        for event in found:
            assert [error.message for error in validator.iter_errors(event)] == []
            assert again(standard(event)) == without_empty(standard(event))
        made = {column for event in found if event["outputs"] for column in columns_of(output(event))}
        assert {"=1+1", "</script>", "\x00"} <= made


def test_a_micro_batch_is_streaming_and_a_session_s_view_is_no_dataset(new_store: MemoryStore) -> None:
    night = night_of((f"{RAW}!id", "id", "IDENTITY"), stream_query_id="q", stream_batch_id=0)
    night.statement([(f"{RAW}!id", "id", "IDENTITY")], target="seen", execution=2)
    night.rows["shown_datasets"][-1]["kind"] = "temp_view"
    night.begin(new_store)
    assert completed(new_store)["job"]["facets"]["jobType"]["processingType"] == "STREAMING"


def test_an_application_and_its_datasets_say_where_they_are(new_store: MemoryStore) -> None:
    night_of((f"{PATH}!amount", "total", "AGGREGATION")).begin(new_store)
    application = events(new_store)[0]["run"]["facets"]
    details = application["spark_applicationDetails"]
    assert (details["applicationId"], details["appName"], details["userName"]) == (
        "app-0",
        "nightly sales 2026-11-18",
        "etl",
    )
    names = {"spark.app.id": "app-0", "spark.app.name": "nightly sales 2026-11-18"}
    assert application["spark_properties"]["properties"] == names
    for dataset in (completed(new_store)["inputs"][0], output(completed(new_store))):
        assert without_facet(dataset["facets"]["dataSource"]) == dict.fromkeys(("name", "uri"), dataset["namespace"])


@pytest.mark.parametrize(
    ("order", "written"), [(("drop", "overwrite"), ["OVERWRITE"]), (("overwrite", "drop"), ["OVERWRITE", "DROP"])]
)
def test_a_table_that_is_dropped_and_made_again_is_not_removed(
    new_store: MemoryStore, order: tuple[str, str], written: list[str]
) -> None:
    night = Night()
    night.app()
    for execution, mode in enumerate(order, 1):
        edges = [(f"{PATH}!amount", "total", "AGGREGATION")] if mode == "overwrite" else []
        night.statement(edges, target=SOLD, mode=mode, execution=execution, command=mode)
    night.begin(new_store)
    for selection in (None, EVERY):
        found = all_completed(new_store, selection)
        assert [output(each)["facets"]["lifecycleStateChange"]["lifecycleStateChange"] for each in found] == written


_DELIMITER = re.compile(r":(?!//|\d+)")
"""Marquez's `NodeId.parts`: colons of schemes and ports end no part of a node's id."""


@pytest.mark.parametrize("name", ["samples", "lakehouse", "field_lineage", "agent"])
def test_marquez_finds_each_dataset_and_field_by_its_node_id(stores: dict[str, Path | MemoryStore], name: str) -> None:
    for event in events(stores[name], EVERY):
        for dataset in (*event["inputs"], *event["outputs"]):
            known = [dataset["namespace"], dataset["name"]]
            assert _DELIMITER.split(":".join(["dataset", *known])) == ["dataset", *known]
            assert known[0] == "file" or "://" in known[0]
            columns = [each["name"] for each in dataset["facets"].get("schema", {}).get("fields", ())]
            for column in (each for each in columns if ":" not in each):
                assert _DELIMITER.split(":".join(["datasetField", *known, column])) == ["datasetField", *known, column]
