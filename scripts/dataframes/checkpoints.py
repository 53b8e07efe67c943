"""Checkpoints, local and reliable, eager and lazy; and rows that went through the driver."""

from __future__ import annotations

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812


def totals(shop):
    """Orders of some worth by customer."""
    return shop.orders().where("amount > 1").groupBy("cust").agg(F.sum("amount").alias("total"))


def early_read(shop):
    """A statement that reads the table before: a later checkpoint may have the same attribute ids."""
    shop.describe("read: early")
    shop.orders().where("id > 0").select("id", "cust", "amount", "status").collect()


def same_ids(shop):
    """A checkpoint of the table's own columns."""
    shop.describe("checkpointing: same ids")
    found = shop.orders().where("status = 'paid'").select("id", "amount").localCheckpoint()
    shop.describe("read: between")
    shop.orders().where("cust = 'b'").select("id", "amount").collect()
    shop.save("checkpoint: same ids", found, "same_ids")


def all_columns(shop):
    """A checkpoint of the whole table, and of a part of its rows."""
    shop.describe("checkpointing: all columns")
    found = shop.orders().checkpoint()
    shop.save("checkpoint: all columns", found, "all_columns")
    shop.describe("checkpointing: filtered")
    found = shop.orders().where("amount > 2").checkpoint()
    shop.save("checkpoint: filtered", found, "filtered")


def of_groups(shop):
    """Reliable, eager; local, eager; both lazy."""
    shop.describe("checkpointing: groups")
    shop.save("checkpoint: groups", totals(shop).checkpoint(), "groups")
    shop.describe("checkpointing: local groups")
    shop.save("checkpoint: local groups", totals(shop).localCheckpoint(), "local_groups")
    shop.describe("checkpointing: lazy groups")
    shop.save("checkpoint: lazy groups", totals(shop).checkpoint(eager=False), "lazy_groups")
    shop.describe("checkpointing: lazy local groups")
    shop.save("checkpoint: lazy local groups", totals(shop).localCheckpoint(eager=False), "lazy_local_groups")


def of_joins(shop):
    """A join that is checkpointed, and read three times."""
    shop.describe("checkpointing: join")
    joined = shop.orders().join(shop.customers(), "cust").select("id", "region", "amount").checkpoint()
    shop.save("checkpoint: join", joined, "joined")
    shop.save("checkpoint: join again", joined.where("amount > 3").select("region"), "joined_again")
    counted = joined.groupBy("region").count()
    shop.save("checkpoint: join counted", counted, "joined_counted")


def of_windows(shop):
    """A window over what is checkpointed, and the other way round."""
    shop.describe("checkpointing: window")
    by_cust = Window.partitionBy("cust").orderBy("amount")
    ranked = shop.orders().select("id", F.row_number().over(by_cust).alias("place")).localCheckpoint()
    shop.save("checkpoint: window", ranked.where("place = 1"), "ranked")


def of_checkpoints(shop):
    """A checkpoint of a checkpoint, joined with another."""
    shop.describe("checkpointing: first")
    first = totals(shop).checkpoint()
    shop.describe("checkpointing: second")
    second = first.where("total > 5").select("cust", (F.col("total") * 2).alias("twice")).localCheckpoint()
    shop.save("checkpoint: second", second, "second")
    shop.describe("checkpointing: other")
    other = shop.customers().where("region <> 'x'").localCheckpoint()
    shop.save("checkpoint: both", second.join(other, "cust"), "both")
    shop.save("checkpoint: union", first.union(second), "united")
    shop.save(
        "checkpoint: self join", first.alias("a").join(first.alias("b"), "cust").select("cust", "b.total"), "selfed"
    )


def of_caches(shop):
    """Persisted, then checkpointed."""
    shop.describe("checkpointing: persisted")
    kept = totals(shop).persist()
    kept.count()
    found = kept.checkpoint()
    shop.save("checkpoint: persisted", found, "persisted")
    kept.unpersist()
    found = totals(shop).checkpoint().persist()
    shop.save("checkpoint: then persisted", found, "then_persisted")
    found.unpersist()


def of_frames(shop):
    """Rows that went through the driver: what made them is unknown."""
    shop.describe("collecting")
    rows = totals(shop).toPandas()
    shop.save("driver: pandas", shop.spark.createDataFrame(rows), "from_pandas")
    listed = [tuple(row) for row in totals(shop).collect()]
    shop.save("driver: rows", shop.spark.createDataFrame(listed, "cust STRING, total DOUBLE"), "from_rows")
    if hasattr(shop.spark.range(1), "toArrow"):
        arrow = totals(shop).toArrow()
        shop.save("driver: arrow", shop.spark.createDataFrame(arrow), "from_arrow")
    renamed = rows.rename(columns={"cust": "who"})
    shop.save("driver: renamed", shop.spark.createDataFrame(renamed).where("total > 1"), "from_renamed")
    shop.describe("driver: joined")
    joined = shop.orders().join(F.broadcast(shop.spark.createDataFrame(rows)), "cust").select("id", "total")
    shop.save("driver: joined", joined, "from_both")
    shop.save("driver: values", shop.spark.sql("SELECT * FROM VALUES (1, 'x'), (2, 'y') AS t(k, v)"), "from_values")
    shop.describe("driver: inserted")
    shop.sql("CREATE TABLE shop.inserted (cust STRING, total DOUBLE) USING parquet")
    shop.describe("driver: inserted values")
    shop.sql("INSERT INTO shop.inserted VALUES ('a', 1.0), ('b', 2.0)")
    if not shop.connect:
        shop.describe("driver: rdd")
        taken = shop.spark.createDataFrame(totals(shop).rdd)
        shop.save("driver: rdd", taken, "from_rdd")


def through_connect(shop):
    """Checkpoints through Spark Connect (4.0+), where no statement has a name: the tables are theirs."""
    shop.save("", totals(shop).checkpoint(), "groups")
    shop.save("", totals(shop).localCheckpoint(), "local_groups")
    joined = shop.orders().join(shop.customers(), "cust").select("id", "region", "amount").localCheckpoint()
    shop.save("", joined.where("amount > 3").select("region"), "joined_again")
    first = shop.orders().where("amount > 1").select("id", "cust").localCheckpoint()
    second = shop.orders().where("status = 'paid'").select("id", "cust").localCheckpoint()
    shop.save("", first.join(second, "id").select("id", first.cust), "both")


CONNECT = (through_connect,)
STATEMENTS = (early_read, same_ids, all_columns, of_groups, of_joins, of_windows, of_checkpoints, of_caches, of_frames)
