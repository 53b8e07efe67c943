"""The sources in requests of Spark Connect, without secrets."""

from __future__ import annotations

import pytest

from eventlog_lineage.events.decoding.decoders import requested_reads, requested_write

READ = r"""write_operation { input { read { data_source { format: "jdbc" schema: ""
  options { key: "password" value: "s3cret" }
  options { key: "query" value: "select a from t where b = \"x\"" }
  options { key: "url" value: "jdbc:postgresql://me:s3cret@db1:5544/shop?password=s3cret" }
} } } source: "parquet" }"""
VIEW = r"""sql { query: "create view v
  using jdbc options (url \'jdbc:postgresql://db1/shop\', dbtable \'sales.t\', password \'p\')" }"""


def test_a_read_shows_its_query_and_its_url_without_credentials() -> None:
    ((name, options),) = requested_reads(READ)
    assert name == "jdbc"
    assert dict(options) == {"query": 'select a from t where b = "x"', "url": "jdbc:postgresql://db1:5544/shop"}
    assert "s3cret" not in str(options)


def test_a_view_using_a_source_shows_the_options_of_its_sql() -> None:
    ((_, options),) = requested_reads(VIEW)
    assert dict(options) == {"url": "jdbc:postgresql://db1/shop", "dbtable": "sales.t"}


def test_a_format_without_a_connector_shows_nothing() -> None:
    assert requested_reads('data_source { format: "parquet" options { key: "path" value: "/x" } }') == ()


SAVE = r"""write_operation { input { common { plan_id: 0 } read { data_source { format: "mongodb"
  options { key: "collection" value: "orders" } } } } source: "jdbc"
  mode: SAVE_MODE_APPEND
  options { key: "dbtable" value: "sales.daily" }
  options { key: "password" value: "s3cret" }
  options { key: "url" value: "jdbc:postgresql://me:s3cret@db2/shop" } }"""
PATH = 'write_operation { input { } source: "bigquery" path: "acme.shop.copies" mode: SAVE_MODE_APPEND }'
FILES = 'write_operation { input { } source: "parquet" path: "/x/out" mode: SAVE_MODE_OVERWRITE }'
CATALOG = 'write_operation_v2 { input { } table_name: "cass.shop.orders" mode: MODE_APPEND }'
TABLE = 'write_operation { input { } source: "jdbc" table { table_name: "pg.sales.daily" save_method: X } mode: Y }'


def test_a_save_shows_its_table_and_its_url_without_credentials() -> None:
    assert requested_write(SAVE) == ("jdbc", (("dbtable", "sales.daily"), ("url", "jdbc:postgresql://db2/shop")))


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (PATH, ("bigquery", (("path", "acme.shop.copies"),))),
        (CATALOG, ("", (("table", "cass.shop.orders"),))),
        (TABLE, ("", (("table", "pg.sales.daily"),))),
        (FILES, ()),
        (READ, ()),
        (VIEW, ()),
        ("write_operation {" * 5000 + 'source: "jdbc"' * 5000, ()),
    ],
)
def test_a_request_shows_the_target_of_its_write(text: str, target: tuple[object, ...]) -> None:
    assert requested_write(text) == target
