"""Python functions over rows, groups, states and tables."""

from collections.abc import Iterator

import pandas as pd
import pyarrow as pa
import pyarrow.compute
from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import LongType, StringType, StructField, StructType

RESULT = "cust STRING, n BIGINT"


def save(shop, name, frame):
    """Write a table of the statement's name."""
    shop.save(f"python: {name}", frame, f"p_{name.replace(' ', '_')}")


def whole_rows(shop):
    """Functions over batches of rows."""

    def pandas_rows(batches):
        for each in batches:
            yield each.assign(n=1)[["cust", "n"]]

    def arrow_rows(batches):
        yield from batches

    orders = shop.orders().where("amount > 1").select("id", "cust")
    save(shop, "map pandas", orders.mapInPandas(pandas_rows, RESULT))
    save(shop, "map arrow", orders.select("cust", F.col("id").alias("n")).mapInArrow(arrow_rows, RESULT))


def groups(shop):
    """Functions over groups, and over pairs of groups."""

    def of_group(rows):
        return pd.DataFrame({"cust": rows["cust"][:1], "n": [len(rows)]})

    def of_groups(left, right):
        return pd.DataFrame({"cust": left["cust"][:1], "n": [len(right)]})

    def of_table(table: pa.Table) -> pa.Table:
        return table.select(["cust", "id"]).rename_columns(["cust", "n"])

    def of_tables(left: pa.Table, right: pa.Table) -> pa.Table:
        return left.select(["cust", "id"]).rename_columns(["cust", "n"])

    orders = shop.orders().select("id", "cust")
    save(shop, "group pandas", orders.groupBy("cust").applyInPandas(of_group, RESULT))
    both = orders.groupBy("cust").cogroup(shop.customers().groupBy("cust"))
    save(shop, "cogroup pandas", both.applyInPandas(of_groups, RESULT))
    if hasattr(orders.groupBy("cust"), "applyInArrow"):
        save(shop, "group arrow", orders.groupBy("cust").applyInArrow(of_table, RESULT))
        save(shop, "cogroup arrow", both.applyInArrow(of_tables, RESULT))

    @F.pandas_udf("double")
    def mean(values: pd.Series) -> float:
        return values.mean()

    @F.pandas_udf("double")
    def plus(values: pd.Series) -> pd.Series:
        return values + 1

    save(shop, "aggregate", shop.orders().groupBy("cust").agg(mean("amount").alias("n")))
    save(shop, "scalar", shop.orders().select("cust", plus("amount").alias("n")))
    over = mean("amount").over(Window.partitionBy("cust"))
    save(shop, "window", shop.orders().select("cust", over.alias("n")))


def arrow_functions(shop):
    """Arrow's own functions (4.1+)."""
    from pyspark.sql.functions import arrow_udf

    @arrow_udf("double")
    def plus(values: pa.Array) -> pa.Array:
        return pa.compute.add(values, 1)

    @arrow_udf("double")
    def mean(values: pa.Array) -> float:
        return pa.compute.mean(values).as_py()

    save(shop, "arrow scalar", shop.orders().select("cust", plus("amount").alias("n")))
    save(shop, "arrow aggregate", shop.orders().groupBy("cust").agg(mean("amount").alias("n")))


def iterated_groups(shop):
    """Groups as iterators of batches (4.1+)."""
    from pyspark.sql.functions import arrow_udf  # noqa: F401 - earlier releases take no iterators

    def of_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for each in batches:
            yield each.rename(columns={"id": "n"})[["cust", "n"]]

    def of_arrow(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for each in batches:
            yield each.select(["cust", "id"]).rename_columns(["cust", "n"])

    orders = shop.orders().select("id", "cust")
    save(shop, "iterate pandas", orders.groupBy("cust").applyInPandas(of_batches, RESULT))
    save(shop, "iterate arrow", orders.groupBy("cust").applyInArrow(of_arrow, RESULT))


def table_functions(shop):
    """Table functions, of columns and of tables."""

    @F.udtf(returnType="word STRING, n INT")
    class Split:
        def eval(self, text: str):
            yield text, 1

    shop.spark.udtf.register("split_words", Split)
    save(shop, "table function", shop.spark.sql("SELECT id, word, n FROM shop.orders, LATERAL split_words(cust)"))

    @F.udtf(returnType="cust STRING, n INT", useArrow=True)
    class Count:
        def eval(self, row):
            yield row["cust"], 1

    shop.spark.udtf.register("count_rows", Count)
    query = "SELECT * FROM count_rows(TABLE(SELECT id, cust FROM shop.orders))"
    save(shop, "whole table argument", shop.spark.sql(query))
    query = "SELECT * FROM count_rows(TABLE(SELECT id, cust FROM shop.orders) PARTITION BY cust ORDER BY id)"
    save(shop, "table argument", shop.spark.sql(query))


def pandas_states(shop):
    """States of groups, a stream and no batch."""
    from pyspark.sql.streaming.state import GroupStateTimeout

    def count(key, batches, state):
        n = sum(len(each) for each in batches)
        yield pd.DataFrame({"cust": [key[0]], "n": [n]})

    outputs = StructType([StructField("cust", StringType()), StructField("n", LongType())])
    kept = StructType([StructField("n", LongType())])
    frame = shop.clicks().where("amount > 1").groupBy("cust")
    frame = frame.applyInPandasWithState(count, outputs, kept, "append", GroupStateTimeout.NoTimeout)
    shop.writer("python: state", frame, "append").toTable("shop.p_state").awaitTermination()
    frame = frame.where("n > 1").select("n")
    shop.writer("python: state cut", frame, "append").toTable("shop.p_state_cut").awaitTermination()


def transformed_states(shop):
    """Arbitrary states (4.0+), over pandas frames and over rows."""
    from pyspark.sql import Row
    from pyspark.sql.streaming import StatefulProcessor

    shop.spark.conf.set(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )

    class InPandas(StatefulProcessor):
        def init(self, handle):
            self.state = handle.getValueState("n", "n BIGINT")

        def handleInputRows(self, key, rows, timerValues):  # noqa: N802, N803
            yield pd.DataFrame({"cust": [key[0]], "n": [sum(len(each) for each in rows)]})

        def close(self):
            pass

    class OfRows(InPandas):
        def handleInputRows(self, key, rows, timerValues):  # noqa: N802, N803
            yield Row(cust=key[0], n=sum(1 for _ in rows))

    grouped = shop.clicks().where("amount > 1").select("id", "cust").groupBy("cust")
    frame = grouped.transformWithStateInPandas(InPandas(), RESULT, "append", "none")
    shop.writer("python: transform", frame, "append").toTable("shop.p_transform").awaitTermination()
    batch = shop.orders().select("id", "cust").groupBy("cust")
    save(shop, "transform batch", batch.transformWithStateInPandas(InPandas(), RESULT, "append", "none"))
    save(shop, "transform rows", batch.transformWithState(OfRows(), RESULT, "append", "none"))
    first = shop.customers().groupBy("cust")

    class Started(InPandas):
        def handleInitialState(self, key, initialState, timerValues):  # noqa: N802, N803
            pass

    frame = grouped.transformWithStateInPandas(Started(), RESULT, "append", "none", first)
    shop.writer("python: transform initial", frame, "append").toTable("shop.p_initial").awaitTermination()
    shop.spark.conf.unset("spark.sql.streaming.stateStore.providerClass")


STATEMENTS = (whole_rows, groups, arrow_functions, iterated_groups, table_functions, pandas_states, transformed_states)
