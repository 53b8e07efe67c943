"""The documented cases of field lineage in Spark's SQL: `python field_lineage.py ROOT`.

The tables and what each case shows are those of flink-sql-lineage's documentation and tests; `tab3` is the statement
that an article on field lineage in Hive's format explains. A job description names its case.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql.functions import udtf

ROOT = Path(sys.argv[1])
USERS = "id BIGINT, name STRING, birthday TIMESTAMP, ts TIMESTAMP"
SINK = "company_name STRING, birthday TIMESTAMP, ts TIMESTAMP, `partition` STRING"
DAY = "date_format(birthday, 'yyyyMMdd')"
JOINED = "a.id, concat(a.name, b.company_name), b.company_name, a.birthday, a.ts, date_format(a.birthday, 'yyyyMMdd')"

TABLES = (
    f"ods_mysql_users ({USERS}) USING parquet",
    f"ods_mysql_users_extra ({USERS}, extra_name STRING) USING parquet",
    f"ods_mysql_users_watermark ({USERS}) USING parquet",
    "dim_mysql_company (user_id BIGINT, company_name STRING) USING parquet",
    "ods_user (id BIGINT, birthday TIMESTAMP, first_name STRING, last_name STRING) USING parquet",
    "bid (bid_time TIMESTAMP, price DECIMAL(10, 2), item STRING) USING parquet",
    "datagen_source (id BIGINT, name STRING, age INT) USING parquet",
    f"dwd_hudi_users (id BIGINT, name STRING, {SINK}) USING parquet PARTITIONED BY (`partition`)",
    (
        f"dwd_hudi_users_extra (id BIGINT, name STRING, extra_name STRING, {SINK}) USING parquet"
        " PARTITIONED BY (`partition`)"
    ),
    "dws_users_cnt (id BIGINT, name_cnt BIGINT, company_name_cnt BIGINT) USING parquet",
    "mysql_user (id BIGINT, birthday TIMESTAMP, full_name STRING) USING parquet",
    (
        "print_sink (bid_time TIMESTAMP, price DECIMAL(10, 2), item STRING, window_start TIMESTAMP,"
        " window_end TIMESTAMP, window_time TIMESTAMP) USING parquet"
    ),
    "print_sink_agg (window_start TIMESTAMP, window_end TIMESTAMP, price DECIMAL(20, 2)) USING parquet",
    "default.tab1 (id INT, name STRING) USING parquet",
    "default.tabb2 (id INT, name STRING, age INT) USING parquet",
    "default.tab3 (id INT, name STRING, age INT) USING parquet",
)

CASES = {
    "insert_select": "{users} SELECT id, name, name AS company_name, birthday, ts, {day} FROM ods_mysql_users",
    "udf": "{users} SELECT id, my_suffix_udf(name), name, birthday, ts, {day} FROM ods_mysql_users",
    "nested_functions": (
        "{users} SELECT id, lower(my_suffix_udf(name)), upper(trim(name)), birthday, ts, {day} FROM ods_mysql_users"
    ),
    "static_partition": (
        "{users} PARTITION (`partition` = '20220824') SELECT id, name, name, birthday, ts FROM ods_mysql_users"
    ),
    "column_list": "{users} (id, company_name, `partition`) SELECT id, name, '20220824' FROM ods_mysql_users",
    "subquery": (
        "{users} SELECT abs(sum_id), name, company_name, birthday1, ts, p FROM (SELECT sum(id) AS sum_id, name,"
        " '1' AS company_name, now() AS birthday1, now() AS ts, {day} AS p FROM ods_mysql_users GROUP BY name, {day})"
    ),
    "join": "{users} SELECT {joined} FROM ods_mysql_users a JOIN dim_mysql_company b ON a.id = b.user_id",
    "lookup_join": (
        "{users} SELECT /*+ BROADCAST(b) */ {joined} FROM ods_mysql_users a"
        " LEFT JOIN dim_mysql_company b ON a.id = b.user_id"
    ),
    "count_distinct": (
        "INSERT INTO dws_users_cnt SELECT id, count(DISTINCT name), count(DISTINCT company_name) FROM dwd_hudi_users"
        " GROUP BY id"
    ),
    "concat": "INSERT INTO mysql_user SELECT id, birthday, concat(first_name, last_name) AS full_name FROM ods_user",
    "udtf": (
        "{users} SELECT length, name, word, birthday, ts, {day} FROM ods_mysql_users, LATERAL my_split_udtf(name)"
    ),
    "udtf_left_join": (
        "{users} SELECT length, name, word, birthday, ts, {day} FROM ods_mysql_users"
        " LEFT JOIN LATERAL my_split_udtf(name) ON true"
    ),
    "udtf_renamed": (
        "{users} SELECT new_length, name, new_word, birthday, ts, {day} FROM ods_mysql_users"
        " LEFT JOIN LATERAL my_split_udtf(name) AS t(new_word, new_length) ON true"
    ),
    "udtf_of_function": (
        "{users} SELECT new_length, name, new_word, birthday, ts, {day} FROM ods_mysql_users,"
        " LATERAL my_split_udtf(lower(name)) AS t(new_word, new_length)"
    ),
    "udtf_two_arguments": (
        "INSERT INTO dwd_hudi_users_extra SELECT length, name, extra_name, word, birthday, ts, {day}"
        " FROM ods_mysql_users_extra, LATERAL split_multi_params_udtf(name, extra_name)"
    ),
    "explode": (
        "{users} SELECT length(word), name, word, birthday, ts, {day} FROM ods_mysql_users"
        " LATERAL VIEW explode(split(name, ' ')) w AS word"
    ),
    "row_number": (
        "{users} SELECT row_number() OVER (PARTITION BY id ORDER BY ts DESC), name, name, birthday, ts, {day}"
        " FROM ods_mysql_users"
    ),
    "two_row_numbers": (
        "{users} SELECT row_number() OVER (PARTITION BY id ORDER BY ts DESC), name,"
        " CAST(row_number() OVER (PARTITION BY name ORDER BY ts DESC) AS STRING), birthday, ts, {day}"
        " FROM ods_mysql_users"
    ),
    "tumbling_window": (
        "INSERT INTO print_sink SELECT bid_time, price, item, window.start, window.end, window_time(window)"
        " FROM (SELECT *, window(bid_time, '10 minutes') FROM bid)"
    ),
    "tumbling_aggregate": (
        "INSERT INTO print_sink_agg SELECT window.start, window.end, sum(price) FROM bid"
        " GROUP BY window(bid_time, '10 minutes')"
    ),
    "hopping_aggregate": (
        "INSERT INTO print_sink_agg SELECT window.start, window.end, sum(price) FROM bid"
        " GROUP BY window(bid_time, '10 minutes', '5 minutes')"
    ),
    "ctas": "CREATE TABLE my_ctas_table USING parquet AS SELECT id, name, age FROM datagen_source WHERE id % 10 = 0",
    "cte": (
        "WITH named AS (SELECT id, upper(name) AS name, birthday, ts FROM ods_mysql_users),"
        " companies AS (SELECT user_id, company_name FROM dim_mysql_company WHERE company_name <> '')"
        " {users} SELECT n.id, n.name, c.company_name, n.birthday, n.ts, date_format(n.birthday, 'yyyyMMdd')"
        " FROM named n JOIN companies c ON n.id = c.user_id"
    ),
    "union": (
        "{users} SELECT id, name, name, birthday, ts, {day} FROM ods_mysql_users UNION ALL"
        " SELECT id, extra_name, name, birthday, ts, {day} FROM ods_mysql_users_extra"
    ),
}
"""Case to statement; `{users}` inserts into `dwd_hudi_users`. The last two have no documented rows of their own."""

TAB3 = (
    "WITH a AS (SELECT id, name FROM tab1) INSERT INTO tab3 SELECT a.id, concat(a.name, tabb2.name), tabb2.age"
    " FROM a JOIN tabb2 ON tabb2.id = a.id"
)


class Split:
    """The words of a text, each with its length."""

    def eval(self, *texts: str) -> object:
        """Give a row for each word."""
        for text in texts:
            for word in (text or "").split(" "):
                yield word, len(word)


def main() -> None:
    """Run the cases."""
    spark = SparkSession.builder.master("local[1]").appName("field lineage").getOrCreate()
    spark.udf.register("my_suffix_udf", lambda name: f"{name}-suffix")
    for name in ("my_split_udtf", "split_multi_params_udtf"):
        spark.udtf.register(name, udtf(Split, returnType="word STRING, length INT"))
    spark.sparkContext.setJobDescription("setup")
    spark.sql("CREATE DATABASE flink_demo")
    spark.sql("USE flink_demo")
    for table in TABLES:
        spark.sql(f"CREATE TABLE {table}")
    for table in ("ods_mysql_users", "ods_mysql_users_watermark"):
        spark.sql(f"INSERT INTO {table} VALUES (1, 'ann bee', now(), now())")
    for case, statement in CASES.items():
        spark.sparkContext.setJobDescription(case)
        spark.sql(statement.format(users="INSERT INTO dwd_hudi_users", day=DAY, joined=JOINED)).collect()
    stream(spark)
    spark.sql("USE default")
    spark.sparkContext.setJobDescription("tab3")
    spark.sql(TAB3).collect()
    spark.stop()


def stream(spark: SparkSession) -> None:
    """Run the cases of streams: a watermark, and a stream with a watermark that looks companies up."""
    users = spark.readStream.table("ods_mysql_users_watermark").withWatermark("ts", "1 minute")
    columns = ["id", "name", "name AS company_name", "birthday", "ts", f"{DAY} AS partition"]
    run_once(users.selectExpr(*columns), "watermark")
    companies = spark.table("dim_mysql_company")
    joined = users.join(companies, users.id == companies.user_id, "left")
    names = ["id", "concat(name, company_name) AS name", "company_name", *columns[3:]]
    run_once(joined.selectExpr(*names), "watermark_join")


def run_once(rows: object, case: str) -> None:
    """Write a stream's rows into `dwd_hudi_users` and wait."""
    writer = rows.writeStream.queryName(case).trigger(availableNow=True)  # type: ignore[attr-defined]
    writer = writer.option("checkpointLocation", str(ROOT / "checkpoints" / case)).partitionBy("partition")
    writer.toTable("dwd_hudi_users").awaitTermination()


if __name__ == "__main__":
    main()
