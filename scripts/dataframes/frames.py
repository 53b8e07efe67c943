"""Idioms of DataFrame code: frames kept and read twice, reshaped, filled, sampled, and written in several ways."""

from __future__ import annotations

import pandas as pd
from pyspark.sql import Row, Window
from pyspark.sql import functions as F  # noqa: N812


def save(shop, name, frame):
    """Write a table of the statement's name."""
    shop.save(f"frame: {name}", frame, f"f_{name.replace(' ', '_')}")


def kept(shop):
    """Kept frames that are joined with themselves, united, and overwritten."""
    few = shop.orders().where("amount > 1").select("id", "cust").cache()
    pairs = few.alias("a").join(few.alias("b"), "cust").select("a.id", "cust", F.col("b.id").alias("other"))
    save(shop, "cached pair", pairs)
    few.unpersist()
    sums = shop.orders().groupBy("cust").agg(F.sum("amount").alias("total")).persist()
    shop.describe("persisting")
    sums.count()
    both = sums.where("total > 2").unionByName(sums.select((F.col("total") * 2).alias("total"), "cust"))
    save(shop, "persisted twice", both)
    lowest = sums.agg(F.min("total").alias("low"))
    save(shop, "persisted low", sums.crossJoin(lowest).where("total > low").select("cust", "low"))
    sums.unpersist()


def checkpointed(shop):
    """Checkpoints that are joined with themselves and with their source."""
    shop.describe("checkpointing: pairs")
    few = shop.orders().where("status = 'paid'").select("id", "cust").checkpoint()
    pairs = few.alias("a").join(few.alias("b"), "cust").select("a.id", F.col("b.id").alias("other"))
    save(shop, "checkpointed pair", pairs)
    shop.describe("checkpointing: local pairs")
    few = shop.orders().where("status = 'paid'").select("id", "cust").localCheckpoint()
    renamed = few.select(F.col("id").alias("other"), "cust")
    save(shop, "local pair", few.join(renamed, "cust", "left").select("id", "other"))
    save(shop, "local anti", few.join(renamed.where("other > 2"), F.col("id") == F.col("other"), "left_anti"))
    both = shop.orders().join(few.withColumnRenamed("cust", "who"), "id").select("id", "amount", "who")
    save(shop, "local and source", both)
    shop.describe("checkpointing: grouped")
    sums = shop.orders().groupBy("cust").agg(F.sum("amount").alias("total")).localCheckpoint()
    save(shop, "local groups united", sums.union(sums.where("total > 3")))
    shop.describe("checkpointing: top")
    top = sums.orderBy(F.desc("total")).limit(2).checkpoint()
    save(shop, "top", top.join(shop.customers(), "cust").select("region", "total"))


def reshaped(shop):
    """Pivots, unpivots, groupings and unions."""
    orders = shop.orders()
    long = orders.selectExpr("id", "amount", "amount * 2 AS twice").unpivot("id", ["amount", "twice"], "what", "worth")
    save(shop, "unpivot", long)
    save(shop, "melt", orders.select("id", "cust", "status").melt(["id"], ["cust", "status"], "k", "v").where("k <> v"))
    wide = (
        orders.groupBy("cust").pivot("status", ["open", "paid"]).agg(F.sum("amount").alias("s"), F.max("id").alias("m"))
    )
    save(shop, "pivot", wide)
    rolled = orders.rollup("cust", "status").agg(F.sum("amount").alias("total"), F.grouping_id().alias("level"))
    save(shop, "rollup", rolled)
    save(shop, "cube", orders.cube("cust", F.upper("status").alias("state")).agg(F.max("id").alias("top")))
    sets = "SELECT cust, status, sum(amount) AS total FROM shop.orders GROUP BY cust, status GROUPING SETS ((cust), ())"
    save(shop, "grouping sets", shop.spark.sql(sets))
    less = orders.select("id", F.lower("cust").alias("cust"))
    save(shop, "union by name", orders.select("cust", "id", "amount").unionByName(less, allowMissingColumns=True))


def filled(shop):
    """Nulls, replaced values, new columns, metadata and higher-order functions."""
    orders = shop.orders()
    save(shop, "fill", orders.na.fill({"cust": "none", "amount": 0.0}).drop("status"))
    save(shop, "replace", orders.replace({"open": "o", "paid": "p"}, subset=["status"]).select("id", "status"))
    save(shop, "drop", orders.dropna(subset=["amount", "cust"]).select("id"))
    more = orders.withColumns({"net": F.col("amount") / 2, "who": F.concat_ws("-", "cust", "status")})
    save(shop, "with columns", more.withMetadata("net", {"unit": "eur"}).drop("amount"))
    listed = orders.groupBy("cust").agg(F.collect_list("amount").alias("all"), F.max("id").alias("top"))
    made = listed.select(
        "cust",
        F.transform("all", lambda x: x * F.col("top")).alias("times"),
        F.aggregate("all", F.lit(0.0), lambda total, x: total + x).alias("total"),
        F.exists("all", lambda x: x > 2).alias("any"),
        F.zip_with("all", F.array("top"), lambda x, y: x + y).alias("zipped"),
    )
    save(shop, "higher order", made)
    save(
        shop,
        "struct",
        orders.select(F.struct("id", F.struct("cust", "amount").alias("who")).alias("s")).select("s.who.cust", "s.id"),
    )
    with_field = orders.select(F.struct("id", "cust").alias("s"), "amount").withColumn(
        "s", F.col("s").withField("a", F.col("amount"))
    )
    save(shop, "with field", with_field.select("s.a", "s.cust"))
    save(
        shop,
        "map",
        orders.select("id", F.create_map("cust", "amount").alias("m")).select("id", F.explode("m").alias("k", "v")),
    )
    save(
        shop,
        "json",
        orders.select(F.from_json(F.to_json(F.struct("id", "cust")), "id BIGINT, cust STRING").alias("j")).select(
            "j.cust"
        ),
    )


def ordered(shop):
    """Frames of windows, hints, partitionings and sorts."""
    orders = shop.orders()
    by_cust = Window.partitionBy("cust").orderBy("id")
    rows = orders.select(
        "id",
        F.sum("amount").over(by_cust.rowsBetween(-1, 1)).alias("near"),
        F.lag("amount").over(by_cust).alias("before"),
        F.first("status", ignorenulls=True).over(by_cust.rangeBetween(Window.unboundedPreceding, 0)).alias("first"),
        F.ntile(2).over(Window.orderBy("amount")).alias("half"),
    )
    save(shop, "window frames", rows)
    best = orders.withColumn("n", F.row_number().over(by_cust)).where("n = 1").drop("n")
    save(shop, "latest", best.select("id", "cust"))
    hinted = orders.join(F.broadcast(shop.customers()), "cust").repartitionByRange(2, "amount")
    save(shop, "hint", hinted.sortWithinPartitions("id").select("id", "region"))
    save(
        shop,
        "merge hint",
        orders.hint("merge").join(shop.customers().hint("merge"), "cust", "full").select("id", "region"),
    )
    save(shop, "sample by", orders.sampleBy("cust", {"a": 0.5, "b": 1.0}, 1).select("id"))
    bound = orders.approxQuantile("amount", [0.5], 0.1)[0]
    save(shop, "quantile", orders.where(F.col("amount") >= bound).select("id"))
    save(shop, "describe", orders.describe("amount", "id"))
    save(shop, "summary", orders.select("amount").summary("min", "50%"))
    save(
        shop,
        "chosen",
        orders.groupBy("status").agg(F.max_by("cust", "amount").alias("best"), F.min_by("id", "amount").alias("low")),
    )
    save(shop, "random split", orders.randomSplit([0.5, 0.5], 1)[0].select("id", "cust"))
    save(shop, "subtract", orders.select("cust").subtract(shop.customers().where("region = 'x'").select("cust")))
    save(shop, "except all", orders.select("cust").exceptAll(shop.customers().select("cust")))
    save(shop, "intersect all", orders.select("cust").intersectAll(shop.customers().select("cust")))


def functions(shop):
    """Python's functions in each place."""

    @F.udf("string")
    def tidy(text):
        return text and text.strip()

    @F.pandas_udf("a double, b string")
    def parts(amount: pd.Series, cust: pd.Series) -> pd.DataFrame:
        return pd.DataFrame({"a": amount, "b": cust})

    @F.pandas_udf("double")
    def ratio(left: pd.Series, right: pd.Series) -> pd.Series:
        return left / right

    def share(rows: pd.DataFrame) -> pd.DataFrame:
        return rows[["who", "amount"]]

    orders = shop.orders()
    save(
        shop,
        "udf everywhere",
        orders.where(tidy("status") == "paid").groupBy(tidy("cust").alias("who")).agg(F.sum("amount").alias("total")),
    )
    joined = orders.join(shop.customers().withColumnRenamed("cust", "c"), tidy("cust") == tidy("c"))
    save(shop, "udf join", joined.select("id", tidy("region").alias("region")))
    save(shop, "struct udf", orders.select("id", parts("amount", "cust").alias("p")).select("id", "p.a", "p.b"))
    save(
        shop,
        "two udfs",
        orders.select(ratio("amount", F.col("id").cast("double")).alias("r"), tidy(tidy("cust")).alias("t")),
    )
    grouped = orders.select(F.upper("cust").alias("who"), "amount").groupBy("who")
    save(shop, "apply", grouped.applyInPandas(share, "who STRING, amount DOUBLE").where("amount > 2"))
    once = orders.select("id", "cust").cache()
    save(shop, "map cached", once.mapInPandas(lambda batches: batches, "id BIGINT, cust STRING"))
    once.unpersist()


def driver(shop):
    """Rows of the driver and of RDDs."""
    spark = shop.spark
    rows = spark.createDataFrame([Row(cust="a", bonus=1.0), Row(cust="b", bonus=2.0)])
    save(shop, "driver rows joined", shop.orders().join(rows, "cust").select("id", "bonus"))
    mapped = shop.orders().rdd.map(lambda row: (row.id, row.cust)).toDF(["id", "cust"])
    save(shop, "mapped rdd", mapped)
    kept = spark.createDataFrame(shop.orders().where("amount > 1").rdd, shop.orders().schema)
    save(shop, "same rdd", kept.select("id"))
    save(shop, "range", spark.range(3).select((F.col("id") * 2).alias("n")))


def views(shop):
    """Temporary views of each kind, by SQL and by code."""
    spark = shop.spark
    shop.describe("frame: view made")
    shop.orders().where("amount > 1").createOrReplaceTempView("f_some")
    save(shop, "temp view", spark.sql("SELECT cust, max(id) AS top FROM f_some GROUP BY cust"))
    shop.describe("frame: global view made")
    spark.table("f_some").select("id", F.upper("cust").alias("who")).createOrReplaceGlobalTempView("f_all")
    save(shop, "global view", spark.table("global_temp.f_all").where("who <> 'x'"))
    shop.describe("frame: cached view made")
    shop.sql("CACHE TABLE f_fast AS SELECT id, status FROM f_some WHERE status IS NOT NULL")
    save(shop, "cached view", spark.table("f_fast"))
    shop.describe("frame: sql view made")
    shop.sql(
        "CREATE OR REPLACE TEMPORARY VIEW f_sql AS "
        "SELECT s.id, c.region FROM f_some s JOIN shop.customers c USING (cust)"
    )
    save(shop, "sql view", spark.table("f_sql"))
    shop.describe("frame: uncached")
    shop.sql("UNCACHE TABLE f_fast")


def written(shop):
    """The ways to write."""
    orders = shop.orders()
    shop.describe("frame: partitioned")
    orders.select("id", "amount", "status").write.partitionBy("status").mode("overwrite").saveAsTable("shop.w_parts")
    shop.describe("frame: bucketed")
    orders.select("id", "cust").write.bucketBy(2, "cust").sortBy("id").mode("overwrite").saveAsTable("shop.w_buckets")
    shop.describe("frame: inserted")
    orders.where("id > 1").select("id", (F.col("amount") * 2).alias("other"), "status").write.insertInto("shop.w_parts")
    shop.describe("frame: appended")
    orders.select("status", "id", "amount").write.partitionBy("status").mode("append").saveAsTable("shop.w_parts")
    shop.describe("frame: files")
    orders.select("id", "cust").write.partitionBy("cust").mode("overwrite").json(f"{shop.root}/lake/w_files")
    shop.describe("frame: csv")
    orders.select("id", F.lower("cust").alias("who")).write.option("header", True).mode("append").csv(
        f"{shop.root}/lake/w_csv"
    )
    shop.describe("frame: created")
    orders.select("id", "cust").writeTo("shop.w_created").using("parquet").create()
    shop.describe("frame: by path")
    orders.select("id", "status").write.option("path", f"{shop.root}/lake/w_outside").saveAsTable("shop.w_outside")
    shop.describe("frame: from path")
    shop.spark.read.parquet(f"{shop.root}/lake/w_outside").where("status = 'paid'").write.saveAsTable("shop.w_back")


def databases(shop):
    """Tables of a database, through JDBC."""
    url = "jdbc:derby:memory:shop;create=true"
    names = {"driver": "org.apache.derby.jdbc.EmbeddedDriver"}
    shop.describe("frame: jdbc written")
    shop.orders().select("id", "cust", "amount").write.jdbc(url, "SALES", "overwrite", names)
    read = shop.spark.read.jdbc(url, "SALES", properties=names)
    save(shop, "jdbc read", read.where("AMOUNT > 1").selectExpr("ID AS id", "upper(CUST) AS who"))
    query = shop.spark.read.format("jdbc").option("url", url).options(**names)
    save(shop, "jdbc query", query.option("query", 'SELECT "id", SUM("amount") AS T FROM SALES GROUP BY "id"').load())


STATEMENTS = (kept, checkpointed, reshaped, filled, ordered, functions, driver, views, written, databases)
