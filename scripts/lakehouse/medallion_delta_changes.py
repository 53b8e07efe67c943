"""The second night: rows and columns of Delta tables change; clones, feeds, time travel, restores."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import functions

from lakehouse.medallion_landing import orders_of
from lakehouse.session import Shop

VECTORS = "TBLPROPERTIES (delta.enableDeletionVectors = true, delta.enableChangeDataFeed = true)"
ROWS = "id BIGINT, customer STRING, amount DOUBLE, status STRING, day STRING"


def changes(shop: Shop, root: Path) -> None:
    """All of it."""
    orders = orders_of(shop.spark, root, 2)
    shop.step("n2: bronze orders", lambda: orders.write.format("delta").mode("append").saveAsTable("bronze.orders"))
    noted = orders.selectExpr("*", "concat(status, '?') AS note").withColumn("id", orders.id + 5000)
    shop.step(
        "n2: bronze orders, new column",
        lambda: noted.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable("bronze.orders"),
    )
    _rows(shop)
    _vectors(shop)
    _frames(shop)
    _versions(shop, root)
    _columns(shop)


def _rows(shop: Shop) -> None:
    """MERGE, UPDATE and DELETE of a table without deletion vectors."""
    source = (
        "(SELECT o.id, c.name AS customer, o.amount, o.status, o.day FROM {ns}.bronze.orders o"
        " JOIN {ns}.bronze.customers c ON o.customer_id = CAST(c.id AS BIGINT) WHERE o.day = '2026-11-02')"
    )
    shop.run(
        [
            (
                "n2: merge all",
                (
                    f"MERGE INTO {{ns}}.silver.orders t USING {source} s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                ),
            ),
            (
                "n2: merge clauses",
                (
                    "MERGE INTO {ns}.silver.orders t USING {ns}.bronze.orders s ON t.id = s.id"
                    " WHEN MATCHED AND s.status = 'gone' THEN DELETE"
                    " WHEN MATCHED AND t.amount < 30"
                    " THEN UPDATE SET amount = t.amount + s.amount, status = upper(s.status)"
                    " WHEN NOT MATCHED THEN INSERT (id, amount, day) VALUES (s.id, s.amount, s.day)"
                    " WHEN NOT MATCHED BY SOURCE AND t.day = '1999-01-01' THEN DELETE"
                ),
            ),
            (
                "n2: merge insert only",
                (
                    "MERGE INTO {ns}.silver.orders t USING {ns}.bronze.orders s ON t.id = s.id + 1000"
                    " WHEN NOT MATCHED AND s.amount > 10 THEN INSERT (id, customer, amount, status, day)"
                    " VALUES (s.id + 1000, 'none', s.amount, s.status, s.day)"
                ),
            ),
            (
                "n2: merge aggregate",
                (
                    "MERGE INTO {ns}.silver.clustered t USING (SELECT customer, sum(amount) AS total, count(*) AS n"
                    " FROM {ns}.silver.orders GROUP BY customer) s ON t.customer = s.customer"
                    " WHEN MATCHED THEN UPDATE SET total = s.total, orders = s.n"
                ),
            ),
            (
                "n2: merge map",
                (
                    "MERGE INTO {ns}.bronze.picked t USING {ns}.bronze.orders s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET k = s.attrs['k'], city = s.addr.city"
                    " WHEN NOT MATCHED THEN INSERT (id, k, first_tag) VALUES (s.id, s.attrs['k'], s.tags[0])"
                ),
            ),
            (
                "n2: update",
                "UPDATE {ns}.silver.orders SET amount = amount * 2, status = concat(status, day) WHERE id = 11",
            ),
            ("n2: update constant", "UPDATE {ns}.silver.orders SET status = 'old'"),
            (
                "n2: update subquery",
                (
                    "UPDATE {ns}.silver.orders SET amount ="
                    " (SELECT max(amount) FROM {ns}.bronze.orders WHERE status = 'new') WHERE id = 12"
                ),
            ),
            ("n2: delete", "DELETE FROM {ns}.silver.orders WHERE amount < 12 AND id > 1"),
            ("n2: delete partition", "DELETE FROM {ns}.silver.orders WHERE day = '2026-11-09'"),
            ("n2: delete all", "DELETE FROM {ns}.silver.literals"),
            (
                "n2: merge evolution",
                (
                    "MERGE INTO {ns}.silver.latest t"
                    " USING (SELECT id, customer, amount, status FROM {ns}.silver.orders) s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                ),
            ),
        ]
    )


def _vectors(shop: Shop) -> None:
    """The same with deletion vectors and a change data feed, from an empty table on."""
    shop.run(
        [
            ("n2: dv create", f"CREATE TABLE {{ns}}.silver.dv ({ROWS}) USING delta {VECTORS}"),
            (
                "n2: dv merge, empty",
                (
                    "MERGE INTO {ns}.silver.dv t USING {ns}.silver.orders s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET amount = t.amount + s.amount"
                    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day)"
                    " VALUES (s.id, upper(s.customer), s.amount, s.day)"
                ),
            ),
            (
                "n2: dv merge",
                (
                    "MERGE INTO {ns}.silver.dv t USING {ns}.silver.orders s ON t.id = s.id"
                    " WHEN MATCHED AND s.amount > 15 THEN UPDATE SET amount = t.amount + s.amount, status = s.status"
                    " WHEN NOT MATCHED THEN INSERT *"
                ),
            ),
            (
                "n2: dv merge, by source",
                (
                    "MERGE INTO {ns}.silver.dv t USING {ns}.bronze.orders s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET status = s.status"
                    " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET customer = concat(t.customer, '!')"
                ),
            ),
            ("n2: dv update", "UPDATE {ns}.silver.dv SET amount = amount + id WHERE customer = 'ANN'"),
            ("n2: dv delete", "DELETE FROM {ns}.silver.dv WHERE amount > 100"),
            (
                "n2: dv insert",
                "INSERT INTO {ns}.silver.dv SELECT id + 500, customer, amount, status, day FROM {ns}.silver.orders",
            ),
            (
                "n2: feed",
                (
                    "CREATE TABLE {ns}.gold.feed USING delta AS SELECT id, amount, _change_type AS kind"
                    " FROM table_changes('{ns}.silver.dv', 1)"
                ),
            ),
            (
                "n2: feed, where",
                (
                    "CREATE TABLE {ns}.gold.feed_where USING delta AS SELECT id, amount, _commit_version AS version"
                    " FROM table_changes('{ns}.silver.dv', 1, 4) WHERE _change_type = 'insert' AND amount > 5"
                ),
            ),
        ]
    )
    read = shop.spark.read.option("readChangeFeed", "true").option("startingVersion", 1).table("silver.dv")
    shop.step(
        "n2: feed, frame",
        lambda: (
            read.where("status = 'old'").select("id", "status").write.format("delta").saveAsTable("gold.feed_frame")
        ),
    )
    shop.step(
        "n2: read feed", lambda: read.where("_change_type != 'update_preimage' AND id > 3").select("id").collect()
    )


def _frames(shop: Shop) -> None:
    """The API of tables, and frames over existing tables."""
    spark = shop.spark
    table = spark._jvm.io.delta.tables.DeltaTable
    jvm = spark._jsparkSession
    frame = shop.table("silver.orders")
    newer = frame.selectExpr("id", "amount * 3 AS amount", "customer")

    def merge() -> None:
        target = getattr(table.forName(jvm, "silver.dv"), "as")("t")
        source = newer.alias("s")._jdf
        builder = target.merge(source, "t.id = s.id")
        values = {"amount": "s.amount", "customer": "lower(s.customer)"}
        builder = builder.whenMatched().updateExpr(values)
        builder.whenNotMatched("s.amount > 0").insertExpr({"id": "s.id", "amount": "s.amount + 1"}).execute()

    shop.step("n2: api merge", merge)
    shop.step(
        "n2: api update",
        lambda: table.forName(jvm, "silver.dv").updateExpr("id = 11", {"status": "concat(customer, day)"}),
    )
    shop.step("n2: api delete", lambda: table.forName(jvm, "silver.dv").delete("amount > 900"))
    shop.step("n2: writeTo append", lambda: frame.writeTo("silver.dv").append())
    replaced = frame.where("day = '2026-11-01'")
    shop.step(
        "n2: writeTo overwrite",
        lambda: replaced.writeTo("silver.orders").overwrite(functions.col("day") == "2026-11-01"),
    )
    shop.step(
        "n2: replaceWhere",
        lambda: replaced.write.format("delta").mode("overwrite").option("replaceWhere", "day = '2026-11-01'")
        .saveAsTable("silver.orders"),
    )  # fmt: skip
    shop.step("n2: insertInto", lambda: replaced.selectExpr("id + 1", "customer", "amount", "status", "day")
              .write.insertInto("silver.orders"))  # fmt: skip
    shop.step(
        "n2: overwrite table",
        lambda: shop.table("silver.dv").select("id", "amount").write.format("delta").mode("overwrite")
        .option("overwriteSchema", "true").saveAsTable("silver.cached"),
    )  # fmt: skip


def _versions(shop: Shop, root: Path) -> None:
    """Time travel, restores, clones, tables by path."""
    place = f"{root}/lake/appended"
    shop.run(
        [
            ("n2: read version", "SELECT id, amount FROM {ns}.silver.orders VERSION AS OF 1"),
            (
                "n2: insert version",
                "INSERT INTO {ns}.silver.known SELECT id, amount FROM {ns}.silver.orders VERSION AS OF 2 WHERE id > 3",
            ),
            ("n2: restore", "RESTORE TABLE {ns}.silver.known TO VERSION AS OF 0"),
            ("n2: read restored", "SELECT id FROM {ns}.silver.known"),
            ("n2: clone", "CREATE TABLE {ns}.gold.cloned SHALLOW CLONE {ns}.silver.known"),
            ("n2: clone insert", "INSERT INTO {ns}.gold.cloned SELECT id, amount FROM {ns}.silver.orders"),
            ("n2: clone replace", "CREATE OR REPLACE TABLE {ns}.gold.recloned SHALLOW CLONE {ns}.silver.dv"),
            ("n2: clone version", "CREATE TABLE {ns}.gold.cloned_old SHALLOW CLONE {ns}.silver.orders VERSION AS OF 1"),
            (
                "n2: from clone",
                "CREATE TABLE {ns}.gold.of_clone USING delta AS SELECT id, amount FROM {ns}.gold.cloned",
            ),
            ("n2: path insert", f"INSERT INTO delta.`{place}` SELECT id, amount FROM {{ns}}.silver.orders"),
            ("n2: path update", f"UPDATE delta.`{place}` SET amount = amount + id WHERE id = 11"),
            ("n2: path delete", f"DELETE FROM delta.`{place}` WHERE amount > 1000"),
            (
                "n2: path merge",
                (
                    f"MERGE INTO delta.`{place}` t USING {{ns}}.silver.orders s ON t.id = s.id"
                    " WHEN MATCHED THEN UPDATE SET amount = s.amount WHEN NOT MATCHED THEN INSERT *"
                ),
            ),
            ("n2: optimize", "OPTIMIZE {ns}.silver.orders ZORDER BY (id)"),
        ]
    )
    frame = shop.spark.read.format("delta").option("versionAsOf", 0).load(place)
    shop.step("n2: path version", lambda: frame.select("id").write.format("delta").saveAsTable("gold.old_ids"))
    shop.step(
        "n2: path overwrite",
        lambda: shop.table("silver.orders").selectExpr("id", "amount / 2 AS amount").write.format("delta")
        .mode("overwrite").save(place),
    )  # fmt: skip


def _columns(shop: Shop) -> None:
    """ALTER of all kinds, each followed by a statement that shows its effect."""
    mapping = "('delta.columnMapping.mode' = 'name', 'delta.minReaderVersion' = '2', 'delta.minWriterVersion' = '5')"
    shop.run(
        [
            (
                "n2: alter create",
                "CREATE TABLE {ns}.silver.alters (id INT, a STRING, b DOUBLE, s STRUCT<x: INT>) USING delta",
            ),
            (
                "n2: alter load",
                (
                    "INSERT INTO {ns}.silver.alters SELECT CAST(id AS INT),"
                    " customer, amount, named_struct('x', CAST(id AS INT)) FROM {ns}.silver.orders"
                ),
            ),
            ("n2: alter properties", f"ALTER TABLE {{ns}}.silver.alters SET TBLPROPERTIES {mapping}"),
            (
                "n2: alter add",
                "ALTER TABLE {ns}.silver.alters ADD COLUMNS (c STRING COMMENT 'new', d SMALLINT AFTER id)",
            ),
            ("n2: alter add nested", "ALTER TABLE {ns}.silver.alters ADD COLUMNS (s.y STRING)"),
            ("n2: alter rename", "ALTER TABLE {ns}.silver.alters RENAME COLUMN a TO customer"),
            ("n2: alter read", "SELECT id, customer, b, s.y FROM {ns}.silver.alters"),
            ("n2: alter drop", "ALTER TABLE {ns}.silver.alters DROP COLUMN b"),
            ("n2: alter move", "ALTER TABLE {ns}.silver.alters ALTER COLUMN c FIRST"),
            ("n2: alter comment", "ALTER TABLE {ns}.silver.alters ALTER COLUMN c COMMENT 'changed'"),
            (
                "n2: alter widening",
                "ALTER TABLE {ns}.silver.alters SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
            ),
            ("n2: alter type", "ALTER TABLE {ns}.silver.alters ALTER COLUMN d TYPE INT"),
            ("n2: alter constraint", "ALTER TABLE {ns}.silver.alters ADD CONSTRAINT positive CHECK (id > 0)"),
            ("n2: alter cluster", "ALTER TABLE {ns}.silver.clustered CLUSTER BY (orders)"),
            (
                "n2: alter insert",
                "INSERT INTO {ns}.silver.alters (id, customer, d) SELECT id, customer, 7 FROM {ns}.silver.orders",
            ),
            ("n2: alter read again", "SELECT * FROM {ns}.silver.alters"),
            ("n2: alter rename table", "ALTER TABLE {ns}.silver.alters RENAME TO silver.altered"),
            (
                "n2: alter renamed",
                "CREATE TABLE {ns}.gold.altered USING delta AS SELECT c, customer FROM {ns}.silver.altered",
            ),
            ("n2: drop", "DROP TABLE {ns}.silver.literals"),
        ]
    )
