"""Declarations of files: TOML, CSV, dbt's manifest and schema.yml."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eventlog_lineage.declarations import Declarations, DeclaredEdge, TagRule, Thing, read_files
from eventlog_lineage.errors import UsageError

TOML = """
[[dataset]]
name = "sales.daily"
owner = "team sales"
contact = "#sales-data"
due = "26h"
tags = "finance"
[dataset.columns]
total = "Euros, without tax"
email = { tags = ["PII"], owner = "privacy" }

[[job]]
name = "nightly*"
owner = "platform"

[[exposure]]
name = "revenue"
type = "dashboard"
url = "https://bi/1"
depends_on = ["sales.daily", { dataset = "crm.customers", columns = ["email"] }]
valid_from = 2026-11-01

[[edge]]
source = "sales.daily"
target = "ftp:partner/daily"
columns = { amount = "total", key = ["day", "shop"] }
job = "copy"
valid_to = "2026-12-01T01:00+01:00"

[[edge]]
source = "sales.daily"
target = "sales.copy"
columns = "*"

[tags.PII]
columns = ["*.phone*"]
masked = "pseudonym"
"""

MANIFEST = {
    "metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json"},
    "nodes": {
        "model.shop.daily": {
            "resource_type": "model",
            "name": "daily",
            "schema": "sales",
            "alias": "daily",
            "relation_name": "`sales`.`daily`",
            "description": "Sales by day",
            "group": "finance",
            "tags": ["nightly"],
            "config": {"tags": ["finance"], "meta": {"contact": "#sales"}},
            "columns": {"total": {"name": "total", "description": "Euros", "config": {"tags": ["money"]}}},
        },
        "test.shop.recency": {
            "resource_type": "test",
            "attached_node": "model.shop.daily",
            "test_metadata": {"name": "recency", "kwargs": {"datepart": "hour", "interval": 30}},
        },
    },
    "sources": {
        "source.shop.crm.customers": {
            "resource_type": "source",
            "name": "customers",
            "schema": "crm",
            "identifier": "customers",
            "meta": {"owner": {"name": "CRM", "email": "crm@example.com"}},
            "freshness": {"warn_after": {"count": 12, "period": "hour"}, "error_after": {"count": 1, "period": "day"}},
            "columns": {},
        }
    },
    "groups": {"group.shop.finance": {"name": "finance", "owner": {"name": "Finance", "email": "f@example.com"}}},
    "exposures": {
        "exposure.shop.revenue": {
            "name": "revenue",
            "type": "dashboard",
            "url": "https://bi/1",
            "owner": {"name": "Ann", "email": "ann@example.com"},
            "depends_on": {"nodes": ["model.shop.daily", "source.shop.crm.customers", "macro.x"]},
        }
    },
}


def declared(folder: Path, name: str, text: str) -> Declarations:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_files([str(path)])


def test_a_toml_file_declares_things_edges_and_tags(tmp_path: Path) -> None:
    found = declared(tmp_path, "declared.toml", TOML)
    assert found.things == (
        Thing("dataset", "sales.daily", "", "team sales", "#sales-data", due_seconds=26 * 3600, tags=("finance",)),
        Thing("column", "sales.daily", "total", description="Euros, without tax"),
        Thing("column", "sales.daily", "email", "privacy", tags=("PII",)),
        Thing("job", "nightly*", owner="platform"),
        Thing("exposure", "exposure:revenue", type="dashboard", url="https://bi/1"),
    )
    since = "2026-11-01T00:00:00"
    revenue = "exposure:revenue"
    until = "2026-12-01T00:00:00"
    assert found.edges == (
        DeclaredEdge("sales.daily", "ftp:partner/daily", "total", "amount", job="copy", valid_to=until),
        DeclaredEdge("sales.daily", "ftp:partner/daily", "day", "key", job="copy", valid_to=until),
        DeclaredEdge("sales.daily", "ftp:partner/daily", "shop", "key", job="copy", valid_to=until),
        DeclaredEdge("sales.daily", "sales.copy", "*", "*"),
        DeclaredEdge("sales.daily", revenue, job=revenue, valid_from=since),
        DeclaredEdge("crm.customers", revenue, "email", "email", job=revenue, valid_from=since),
    )
    assert found.rules == (TagRule("PII", ("*.phone*",), masked="pseudonym"),)


def test_declarations_are_the_same_after_they_were_stored(tmp_path: Path) -> None:
    found = declared(tmp_path, "declared.toml", TOML)
    assert Declarations.of(found.texts()) == found


def test_a_csv_file_declares_edges(tmp_path: Path) -> None:
    names = "source_dataset,source_column,target_dataset,target_column,masking,valid_from"
    text = f"{names}\na.b,x,c.d,y,true,2026-01-02\na.b,,e,,,\n"
    assert declared(tmp_path, "edges.csv", text).edges == (
        DeclaredEdge("a.b", "c.d", "x", "y", masking=True, valid_from="2026-01-02T00:00:00"),
        DeclaredEdge("a.b", "e"),
    )


def test_a_manifest_of_dbt_declares_owners_tags_freshness_and_exposures(tmp_path: Path) -> None:
    found = declared(tmp_path, "manifest.json", json.dumps(MANIFEST))
    daily, total, customers, revenue = found.things
    assert (daily.name, daily.owner, daily.contact) == ("sales.daily", "Finance", "#sales")
    assert (daily.due_seconds, daily.tags, daily.origin) == (30 * 3600, ("nightly", "finance"), "dbt")
    assert (total.column, total.description, total.tags) == ("total", "Euros", ("money",))
    assert (customers.owner, customers.contact, customers.due_seconds) == ("CRM", "crm@example.com", 12 * 3600)
    assert (revenue.name, revenue.owner, revenue.contact) == ("exposure:revenue", "Ann", "ann@example.com")
    assert [(edge.source, edge.target) for edge in found.edges] == [
        ("sales.daily", "exposure:revenue"),
        ("crm.customers", "exposure:revenue"),
    ]


def test_a_schema_yml_of_dbt_names_its_models_without_a_schema(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    text = """
models:
  - name: daily
    config: {meta: {owner: sales}}
    columns: [{name: email, tags: [PII]}]
sources:
  - {name: crm, tables: [{name: customers, description: People}]}
exposures:
  - {name: revenue, type: dashboard, owner: {name: Ann}, depends_on: ["ref('daily')", "source('crm', 'customers')"]}
"""
    found = declared(tmp_path, "schema.yml", text)
    assert [(each.kind, each.name, each.column) for each in found.things] == [
        ("dataset", "daily", ""),
        ("column", "daily", "email"),
        ("dataset", "crm.customers", ""),
        ("exposure", "exposure:revenue", ""),
    ]
    assert [edge.source for edge in found.edges] == ["daily", "crm.customers"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", "[[datasets]]\nname = 'x'", "unknown key 'datasets'"),
        ("a.toml", "[[dataset]]\nowner = 'x'", "a dataset has no name"),
        ("a.toml", "[[dataset]]\nname = 'x'\ndue = 'soon'", "invalid span 'soon'"),
        ("a.toml", "[[edge]]\nsource = 'x'", "lacks its source or its target"),
        ("a.toml", "[[edge]]\nsource = 'x'\ntarget = 'y'\nvalid_from = 'never'", "invalid time 'never'"),
        ("a.toml", "[[edge]]\nsource = 'x'\ntarget = 'y'\nvalid_from = '7d'", "invalid time '7d'"),
        ("a.toml", "[tags]\nPII = 3", "tag PII is not a table"),
        ("a.toml", "dataset = 3", "dataset is not a list of tables"),
        ("a.csv", "from,to\nx,y\n", "unknown key 'from'"),
        ("a.json", "{}", "not a manifest of dbt"),
        ("a.json", "[", "invalid JSON"),
    ],
)
def test_a_mistake_in_a_file_is_an_error_with_the_file(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        declared(tmp_path, name, text)
    assert raised.value.where.endswith(name)


def test_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UsageError, match="cannot read the declarations"):
        read_files(["/nowhere/owners.toml"])
