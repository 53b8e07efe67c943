"""Tables of 30 and 60 columns under the default limit of 25 fields in a plan's text."""

from __future__ import annotations

from pathlib import Path

from lakehouse.session import Shop

NUMBERS = range(1, 61)


def wide(shop: Shop, root: Path) -> None:
    """Every way to write them."""
    _load(shop, root)
    _change(shop)
    _overwrite(shop)


def _load(shop: Shop, root: Path) -> None:
    spark = shop.spark
    made = spark.range(8).selectExpr("id", *(f"id + {n} AS c{n}" for n in NUMBERS), "CAST(id % 2 AS STRING) AS day")
    shop.step("n1: wide landing", lambda: made.write.parquet(f"{root}/landing/wide"))
    landed = spark.read.parquet(f"{root}/landing/wide")
    shop.step("n1: wide save", lambda: landed.write.format("delta").save(f"{root}/lake/wide"))
    shop.step(
        "n1: wide saveAsTable", lambda: landed.write.format("delta").partitionBy("day").saveAsTable("bronze.wide")
    )  # fmt: skip
    shop.step("n1: wide create", lambda: landed.writeTo("bronze.wide_created").using("delta").create())
    doubled = ", ".join(f"c{n} * 2 AS c{n}" for n in NUMBERS)
    shop.run(
        [
            ("n1: wide ctas", "CREATE TABLE {ns}.silver.wide USING delta AS SELECT * FROM {ns}.bronze.wide"),
            (
                "n1: wide ctas, computed",
                (
                    f"CREATE TABLE {{ns}}.silver.wide_doubled USING delta AS SELECT id, {doubled} FROM {{ns}}.bronze.wide"
                    " WHERE c60 > 0"
                ),
            ),
            (
                "n1: wide rtas, join",
                (
                    "CREATE OR REPLACE TABLE {ns}.silver.wide_joined USING delta AS SELECT a.*, b.c60 AS other"
                    " FROM {ns}.bronze.wide a JOIN {ns}.silver.wide_doubled b ON a.id = b.id"
                ),
            ),
            (
                "n1: wide aggregate",
                "CREATE TABLE {ns}.gold.wide_sums USING delta AS SELECT day, "
                + ", ".join(f"sum(c{n}) AS s{n}" for n in NUMBERS)
                + " FROM {ns}.bronze.wide GROUP BY day",
            ),
            ("n1: wide insert", "INSERT INTO {ns}.silver.wide SELECT * FROM {ns}.bronze.wide WHERE c1 > 1"),
            ("n1: wide read", "SELECT c59, c60 FROM {ns}.silver.wide WHERE c58 > 3"),
            ("n1: wide read all", "SELECT * FROM {ns}.silver.wide"),
        ]
    )


def _change(shop: Shop) -> None:
    everything = ", ".join(f"c{n} = c{n} + 1" for n in NUMBERS)
    insert = ", ".join(f"c{n}" for n in NUMBERS)
    shop.run(
        [
            ("n1: wide update", "UPDATE {ns}.silver.wide SET c1 = c2 * 2, c59 = c60 + 1 WHERE c58 > 3"),
            ("n1: wide update all", f"UPDATE {{ns}}.silver.wide SET {everything} WHERE c58 > 3"),
            ("n1: wide delete", "DELETE FROM {ns}.silver.wide WHERE c57 = 3"),
            (
                "n1: wide merge, all",
                (
                    "MERGE INTO {ns}.silver.wide t USING {ns}.bronze.wide s ON t.id = s.id AND t.day = s.day"
                    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                ),
            ),
            (
                "n1: wide merge, computed",
                "MERGE INTO {ns}.silver.wide t USING (SELECT id, day, "
                + ", ".join(f"c{n} * 3 AS c{n}" for n in NUMBERS)
                + " FROM {ns}.bronze.wide) s ON t.id = s.id"
                " WHEN MATCHED AND s.c60 > 2 THEN UPDATE SET c1 = s.c1, c60 = s.c60 + t.c59"
                f" WHEN NOT MATCHED THEN INSERT (id, {insert}, day) VALUES (s.id, {insert.replace('c', 's.c')}, s.day)",
            ),
            (
                "n1: wide merge, deletes",
                (
                    "MERGE INTO {ns}.silver.wide t USING {ns}.bronze.wide s ON t.id = s.id"
                    " WHEN MATCHED AND s.c60 > 100 THEN DELETE WHEN NOT MATCHED BY SOURCE THEN UPDATE SET c59 = t.c60"
                ),
            ),
            (
                "n1: wide merge, aggregate",
                "MERGE INTO {ns}.silver.wide t USING (SELECT id, "
                + ", ".join(f"max(c{n}) AS c{n}" for n in NUMBERS)
                + " FROM {ns}.bronze.wide GROUP BY id) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET "
                + ", ".join(f"c{n} = s.c{n}" for n in NUMBERS),
            ),
        ]
    )


def _overwrite(shop: Shop) -> None:
    spark = shop.spark
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    shop.run(
        [
            ("n1: wide dynamic", "INSERT OVERWRITE {ns}.bronze.wide SELECT * FROM {ns}.silver.wide WHERE day = '1'"),
            (
                "n1: wide dynamic, computed",
                "INSERT OVERWRITE {ns}.bronze.wide SELECT id, "
                + ", ".join(f"c{n} + 1 AS c{n}" for n in NUMBERS)
                + ", day FROM {ns}.silver.wide WHERE day = '1'",
            ),
        ]
    )
    some = [f"c{n}" for n in range(1, 29)]
    frame = shop.table("silver.wide").select("id", *some, "day")
    shop.step(
        "n1: thirty save", lambda: frame.write.format("delta").partitionBy("day").saveAsTable("silver.thirty")
    )  # fmt: skip
    shop.step(
        "n1: thirty insertInto", lambda: frame.where("day = '1'").write.mode("overwrite").insertInto("silver.thirty")
    )
    shop.step("n1: thirty dynamic", lambda: frame.where("day = '0'").writeTo("silver.thirty").overwritePartitions())
    spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    shop.step(
        "n1: thirty option",
        lambda: frame.where("day = '0'").write.format("delta").mode("overwrite")
        .option("partitionOverwriteMode", "dynamic").saveAsTable("silver.thirty"),
    )  # fmt: skip
    shop.step(
        "n1: thirty replaceWhere",
        lambda: frame.where("day = '0'").write.format("delta").mode("overwrite").option("replaceWhere", "day = '0'")
        .saveAsTable("silver.thirty"),
    )  # fmt: skip
    shop.run(
        [
            ("n1: thirty static", ("INSERT OVERWRITE {ns}.silver.thirty PARTITION (day = '1')"
             f" SELECT id, {', '.join(some)} FROM {{ns}}.silver.wide WHERE c60 > 3")),
            ("n1: thirty replace where", ("INSERT INTO {ns}.silver.thirty REPLACE WHERE day = '1'"
             f" SELECT id, {', '.join(some)}, day FROM {{ns}}.silver.wide WHERE day = '1'")),
        ]
    )  # fmt: skip
