"""Owners, descriptions and tags of files are facets of the events' datasets and jobs."""

from __future__ import annotations

from typing import Any

from jsonschema_rs import Draft202012Validator

from eventlog_lineage.declarations import Declarations, TagRule, Thing
from support.openlineage_classes import again, json_schema, without_empty
from support.stores.exports import completed, events, output
from support.stores.memory import MemoryStore
from support.stores.nights import Night

RAW, SALES = "spark_catalog.raw.orders", "spark_catalog.sales.daily"
THINGS = (
    Thing("dataset", "sales.daily", owner="team sales", description="Sales by day", tags=("finance",)),
    Thing("column", "sales.daily", "total", description="Euros"),
    Thing("column", "raw.orders", "amount", tags=("money",)),
    Thing("job", "nightly*", owner="platform", description="Every night"),
)


def night() -> Night:
    made = Night()
    made.app()
    edges = [(f"{RAW}!amount", "total", "AGGREGATION"), (f"{RAW}!email", "mail", "IDENTITY")]
    made.show(made.statement(edges, target=SALES), SALES, "total:bigint", "mail:string")
    return made


def content(facet: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facet.items() if not name.startswith("_")}


def test_declarations_are_facets_of_datasets_and_jobs(new_store: MemoryStore) -> None:
    night().harvest(new_store, declared=Declarations(THINGS))
    event = completed(new_store)
    facets = output(event)["facets"]
    assert content(facets["ownership"]) == {"owners": [{"name": "team sales"}]}
    assert content(facets["documentation"]) == {"description": "Sales by day"}
    assert [(tag["key"], tag.get("field"), tag["source"]) for tag in facets["tags"]["tags"]] == [
        ("finance", "mail", "FILE"),
        ("finance", "total", "FILE"),
        ("money", "total", "DERIVED"),
        ("finance", None, "FILE"),
    ]
    assert [field.get("description") for field in facets["schema"]["fields"]] == ["Euros", None]
    assert content(event["job"]["facets"]["ownership"]) == {"owners": [{"name": "platform"}]}
    assert content(event["job"]["facets"]["documentation"]) == {"description": "Every night"}
    validator = Draft202012Validator(json_schema(), validate_formats=True)
    for each in events(new_store):
        assert [error.message for error in validator.iter_errors(each)] == []
        facets = each["run"]["facets"]  # the agent's own facets of an application have no class
        each["run"]["facets"] = {key: facet for key, facet in facets.items() if not key.startswith("spark_")}
        assert again(each) == without_empty(each)


def test_a_tag_that_nobody_declared_is_no_fact_for_a_catalog(new_store: MemoryStore) -> None:
    night().harvest(new_store)
    assert "tags" not in output(completed(new_store))["facets"]
    declared = Night(1)
    declared.harvest(new_store, declared=Declarations(rules=(TagRule("PII", ("*.email",)),)))
    assert [tag["field"] for tag in output(completed(new_store))["facets"]["tags"]["tags"]] == ["mail"]
