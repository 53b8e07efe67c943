"""Views over paths, metadata columns, lateral joins, and statements that fail."""

from __future__ import annotations

from pathlib import Path


def metadata(shop):
    """Hidden columns of files."""
    parts = "_metadata.file_name", "_metadata.file_path AS path", "_metadata.file_size", "_metadata"
    frame = shop.orders().selectExpr("id", *parts)
    shop.save("metadata: table", frame, "m_table")
    files = shop.spark.read.parquet(f"{shop.root}/landing/clicks")
    frame = files.where("_metadata.file_size > 1").selectExpr("id", "upper(_metadata.file_name) AS name")
    shop.save("metadata: path", frame, "m_path")
    frame = files.selectExpr("id", "_metadata.row_index AS at", "_metadata.file_modification_time AS made")
    shop.save("metadata: row index", frame, "m_rows")
    names = "input_file_name() AS file", "id"
    shop.save("metadata: function", shop.orders().selectExpr(*names), "m_function")
    shop.describe("metadata: sql")
    shop.sql(
        "CREATE TABLE shop.m_sql USING parquet AS "
        "SELECT cust, count(_metadata.file_path) AS n FROM shop.orders GROUP BY cust"
    )


def paths(shop):
    """Temporary views over files: what a later scan shows, and what none does."""
    clicks = shop.spark.read.parquet(f"{shop.root}/landing/clicks")
    shop.describe("view: clicks")
    clicks.createOrReplaceTempView("clicks")
    shop.describe("view: unread")
    clicks.createOrReplaceTempView("unread")
    shop.describe("view: joined")
    clicks.join(shop.orders(), "id").select("id", clicks.amount).createOrReplaceTempView("joined")
    csv = f"{shop.root}/landing/plain"
    shop.describe("setup")
    shop.orders().coalesce(1).write.option("header", True).csv(csv)
    plain = shop.spark.read.option("header", True).csv(csv)
    shop.describe("view: never")
    plain.createOrReplaceTempView("never")
    shop.describe("view: over clicks")
    shop.sql(
        "CREATE OR REPLACE TEMPORARY VIEW over_clicks AS SELECT id, amount * 2 AS twice FROM clicks WHERE amount > 1"
    )
    shop.save("view: read", shop.spark.table("over_clicks"), "v_read")
    shop.save("view: read all", shop.spark.table("clicks"), "v_read_all")
    shop.save("view: read joined", shop.spark.table("joined"), "v_joined")


def by_source(shop):
    """`CREATE TEMPORARY VIEW … USING`."""
    csv = f"{shop.root}/landing/people"
    Path(csv).mkdir(parents=True, exist_ok=True)
    (Path(csv) / "a.csv").write_text("1,ann\n2,bob\n")
    shop.describe("view: csv")
    shop.sql(f"CREATE TEMPORARY VIEW people (id INT, name STRING) USING csv OPTIONS (path '{csv}')")
    shop.describe("view: inferred")
    shop.sql(f"CREATE OR REPLACE TEMPORARY VIEW guessed USING parquet OPTIONS (path '{shop.root}/landing/clicks')")
    shop.describe("view: global")
    shop.sql(f"CREATE GLOBAL TEMPORARY VIEW everybody USING csv OPTIONS (path '{csv}', header 'false')")
    shop.save("view: read csv", shop.spark.sql("SELECT name FROM people WHERE id = 1"), "v_people")
    shop.save("view: read guessed", shop.spark.sql("SELECT id, cust FROM guessed"), "v_guessed")


def laterals(shop):
    """Lateral joins."""
    query = (
        "SELECT o.id, r FROM shop.orders o, LATERAL (SELECT region AS r FROM shop.customers c WHERE c.cust = o.cust)"
    )
    shop.save("lateral: subquery", shop.spark.sql(query), "l_subquery")
    query = "SELECT o.id, t FROM shop.orders o, LATERAL (SELECT o.amount * 2 AS t)"
    shop.save("lateral: computed", shop.spark.sql(query), "l_computed")
    query = (
        "SELECT o.id, s FROM shop.orders o LEFT JOIN LATERAL "
        "(SELECT sum(p.amount) AS s FROM shop.orders p WHERE p.cust = o.cust) ON true"
    )
    shop.save("lateral: aggregate", shop.spark.sql(query), "l_aggregate")
    shop.describe("lateral: view")
    shop.sql(
        "CREATE VIEW shop.l_view AS SELECT o.id, r FROM shop.orders o, "
        "LATERAL (SELECT region AS r FROM shop.customers c WHERE c.cust = o.cust)"
    )
    shop.describe("lateral: created")
    shop.sql(
        "CREATE TABLE shop.l_created USING parquet AS "
        "SELECT o.id, t FROM shop.orders o JOIN LATERAL (SELECT o.amount + 1 AS t) x ON t > 1"
    )


def failures(shop):
    """Statements that fail: in parsing, in analysis, and while they run."""
    texts = (
        ("parsed", "SELEC 1"),
        ("analysed", "SELECT missing FROM shop.orders"),
        ("absent", "SELECT * FROM shop.absent"),
        ("inserted", "INSERT INTO shop.orders SELECT 1"),
        ("created", "CREATE TABLE shop.f USING parquet AS SELECT missing FROM shop.orders"),
        ("running", "SELECT id, raise_error(status) AS e FROM shop.orders"),
    )
    for name, text in texts:
        shop.describe(f"failure: {name}")
        try:
            shop.sql(text)
        except Exception:  # it is meant to fail
            continue


STATEMENTS = (metadata, paths, by_source, laterals, failures)
