"""Paimon: `python -m lakehouse.paimon NAME ROOT PACKAGES`; tables with a primary key, and append tables."""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, session

_CONF = {
    "spark.sql.extensions": "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions",
    "spark.sql.catalog.paimon": "org.apache.paimon.spark.SparkCatalog",
}
_NS = "paimon.shop"
_USING = "USING paimon"
_V2 = "spark.paimon.write.use-v2-write"


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, {**_CONF, "spark.sql.catalog.paimon.warehouse": f"file://{root}/lake"})
    spark.sql("CREATE DATABASE paimon.shop")

    def snapshot(table: str) -> str | None:
        numbers = [int(path.name.rpartition("-")[2]) for path in _place(root, table).glob("snapshot/snapshot-*")]
        return str(max(numbers)) if numbers else None

    shop = Shop(spark, _NS, snapshot, root / "snapshots.jsonl")
    with_primary_key(shop)
    dynamic_buckets(shop)
    append_only(shop)
    frames(shop)
    evolution(shop)
    maintenance(shop)
    streams(shop, root)
    spark.stop()


def _place(root: Path, table: str) -> Path:
    return root / "lake" / "shop.db" / table.rpartition(".")[2]


def with_primary_key(shop: Shop) -> None:
    """Inserts, overwrites, merges, updates, deletes, time travel of a table that is partitioned and has a key."""
    spark, orders = shop.spark, ("orders", "updates")
    (create, created), (_, updates), *rows = common.first_tables(_USING)
    shop.run([(create, f"{created} TBLPROPERTIES ('primary-key' = 'id,day', 'bucket' = '1')")])
    shop.run([("create: updates", updates)])
    shop.run(rows[:2], orders)
    shop.run(rows[2:], ("totals",))
    shop.run(common.WRITES[:1], orders)
    shop.run(common.WRITES[1:2], ("totals",))
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    shop.run(common.WRITES[2:], orders)
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "static")
    shop.run([common.STATIC_OVERWRITE], orders)
    shop.run([(common.RTAS[0], common.RTAS[1].format(using=_USING))], ("totals",))
    (everything, merge), *merges = common.MERGES
    shop.run([(everything, merge.replace("ON t.id = s.id", "ON t.id = s.id AND t.day = s.day")), *merges], orders)
    shop.run(common.CHANGES, orders)
    shop.run(common.READS, orders)
    shop.run(
        [
            ("read: orders, version 1", "SELECT id, customer FROM {ns}.orders VERSION AS OF 1"),
            (
                "insert: totals, time travel",
                (
                    "INSERT INTO {ns}.totals SELECT day, sum(amount), max(amount) FROM {ns}.orders VERSION AS OF 2"
                    " GROUP BY day"
                ),
            ),
            ("delete: orders, partition", "DELETE FROM {ns}.orders WHERE day = '2026-11-03'"),
        ],
        ("orders", "totals"),
    )


def dynamic_buckets(shop: Shop) -> None:
    """A table with a key and no word about buckets: rows go to buckets by an index, over more than one execution."""
    with shop.extended():
        shop.run(
            [
                (
                    "create: keyed",
                    f"CREATE TABLE {{ns}}.keyed (id BIGINT, name STRING) {_USING} TBLPROPERTIES ('primary-key' = 'id')",
                ),
                ("insert: keyed", "INSERT INTO {ns}.keyed SELECT id, upper(customer) FROM {ns}.updates"),
                (
                    "merge: keyed",
                    (
                        "MERGE INTO {ns}.keyed t USING {ns}.updates s ON t.id = s.id"
                        " WHEN MATCHED THEN UPDATE SET name = concat(t.name, s.op)"
                        " WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.customer)"
                    ),
                ),
            ],
            ("keyed", "updates"),
        )


def append_only(shop: Shop) -> None:
    """A table without a key: row-level changes copy its files; writes of version 2, too."""
    shop.run(
        [
            (
                "ctas: marked",
                f"CREATE TABLE {{ns}}.marked {_USING} AS SELECT id, customer, amount, day FROM {{ns}}.orders",
            ),
            (
                "merge: marked",
                (
                    "MERGE INTO {ns}.marked t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED AND s.op = 'd' THEN DELETE"
                    " WHEN MATCHED THEN UPDATE SET t.amount = t.amount + s.amount"
                    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day)"
                    " VALUES (s.id, lower(s.customer), s.amount, s.day)"
                ),
            ),
            (
                "merge: marked, not matched by source",
                common.BY_SOURCE[1].replace("{ns}.orders", "{ns}.marked"),
            ),
            ("update: marked", "UPDATE {ns}.marked SET amount = amount * 3 WHERE id = 3"),
            ("delete: marked", "DELETE FROM {ns}.marked WHERE amount < 12 AND id > 1"),
        ],
        ("marked", "updates"),
    )
    shop.spark.conf.set(_V2, "true")
    shop.run(
        [
            (
                "insert: marked, version 2",
                "INSERT INTO {ns}.marked SELECT id, upper(customer), amount, day FROM {ns}.updates",
            ),
            (
                "overwrite: marked, version 2",
                "INSERT OVERWRITE {ns}.marked SELECT id, customer, amount + 1, day FROM {ns}.updates WHERE op = 'u'",
            ),
            ("update: marked, version 2", "UPDATE {ns}.marked SET amount = amount * 2 WHERE id = 1"),
            ("delete: marked, version 2", "DELETE FROM {ns}.marked WHERE amount > 100000"),
        ],
        ("marked", "updates"),
    )
    shop.spark.conf.unset(_V2)


def frames(shop: Shop) -> None:
    """Tables through frames."""
    shop.step("table: saved", lambda: shop.table("orders").write.format("paimon").saveAsTable("paimon.shop.saved"))
    later = shop.table("orders").selectExpr("id + 5000 AS id", "customer", "amount", "day")
    shop.step("table: appended", lambda: later.writeTo("paimon.shop.saved").append(), ("saved",))
    rows = shop.table("updates").selectExpr("id", "upper(customer) AS customer", "amount", "day")
    shop.step("table: inserted", lambda: rows.write.insertInto("paimon.shop.saved"), ("saved",))


def evolution(shop: Shop) -> None:
    """Schema changes, the changes of a table as rows."""
    shop.run(common.ALTERS)
    shop.run([(name, sql.replace("{using}", _USING)) for name, sql in common.RENAMES])
    shop.run([("create: counts", f"CREATE TABLE {{ns}}.counts (n INT) {_USING}")])
    shop.run(
        [
            ("alter: widen", "ALTER TABLE {ns}.counts ALTER COLUMN n TYPE BIGINT"),
            ("alter: properties", "ALTER TABLE {ns}.counts SET TBLPROPERTIES ('snapshot.num-retained.max' = '20')"),
            ("alter: table", "ALTER TABLE {ns}.counts RENAME TO shop.numbers"),
            (
                "ctas: audit",
                f"CREATE TABLE {{ns}}.audit {_USING} AS SELECT rowkind AS kind, id FROM {{ns}}.`orders$audit_log`",
            ),
            (
                "ctas: changes",
                (
                    f"CREATE TABLE {{ns}}.changes {_USING} AS"
                    " SELECT id, amount FROM paimon_incremental_query('paimon.shop.saved', '1', '3')"
                ),
            ),
        ]
    )


def maintenance(shop: Shop) -> None:
    """Upkeep that moves rows and changes none."""
    shop.run(
        [
            ("compact: orders", "CALL paimon.sys.compact(table => 'shop.orders')"),
            ("compact: marked", "CALL paimon.sys.compact(table => 'shop.marked')"),
            ("tag: orders", "CALL paimon.sys.create_tag(table => 'shop.orders', tag => 'first', snapshot => 2)"),
            ("tag: marked", "ALTER TABLE {ns}.marked CREATE TAG `kept`"),
            (
                "expire: totals",
                "CALL paimon.sys.expire_snapshots(table => 'shop.totals', retain_max => 2, retain_min => 1)",
            ),
            ("orphans: orders", "CALL paimon.sys.remove_orphan_files(table => 'shop.orders')"),
            ("rollback: marked", "CALL paimon.sys.rollback(table => 'shop.marked', version => '2')"),
        ],
        ("orders", "marked"),
    )


def streams(shop: Shop, root: Path) -> None:
    """A stream from table to table, and one that merges its batches."""
    spark = shop.spark
    spark.sparkContext.setJobDescription(None)
    spark.sql("CREATE TABLE paimon.shop.copied (id BIGINT, doubled DOUBLE) USING paimon")
    copied = spark.readStream.table("paimon.shop.updates").selectExpr("id", "amount * 2 AS doubled")
    with shop.extended():  # the sink prints its class only, the batch's text has the query's options
        common.copy_stream(copied, "paimon", str(_place(root, "copied")), root / "checkpoint1")
    merged = spark.readStream.table("paimon.shop.updates").selectExpr("id", "upper(customer) AS name", "amount", "day")
    common.merge_stream(merged, common.STREAM_MERGE.format(ns=_NS), root / "checkpoint2")


if __name__ == "__main__":
    main()
