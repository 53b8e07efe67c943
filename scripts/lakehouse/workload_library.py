"""A library's loans over three nights on every format: a medallion whose jobs run again each night.

Written before any of its statements was traced. In SQL `bronze.t`, `silver.t` and `gold.t` are tables of three layers;
in the truth they are `t`, as their names differ. With two catalogs (`two` in the log's name) `gold` is in `jdb`.
`python -m lakehouse.workload_library --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse import workload_library_own
from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_run import Workload, layered, named_datasets

_ROOT = Path("/tmp/lakehouse_library")
_LAYER = re.compile(r"(?<![\w./])(bronze|silver|gold)\.(?=[\w`])")
_BRONZE = frozenset({"loans_raw", "members_raw", "books_raw"})
_SILVER = frozenset({"loans", "members", "books", "rejects", "history", "fines", "visits", "wide", "kept"})
_NIGHTS = (1, 2, 3)


def catalogs(fmt: str, two: bool) -> tuple[str, str]:
    """Return the catalogs of bronze and silver, and of gold."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return first, "jdb" if two else first


def places(fmt: str, two: bool) -> tuple[str, ...]:
    """Return the layers with their catalogs."""
    first, gold = catalogs(fmt, two)
    return f"{first}.bronze", f"{first}.silver", f"{gold}.gold"


def land(root: Path) -> None:
    """Write the landing files of all nights."""
    for night in _NIGHTS:
        for folder in ("loans", "members", "books"):
            (root / "landing" / folder / f"night={night}").mkdir(parents=True, exist_ok=True)
        rows = [
            f"{night * 100 + n},{n % 7 + 1},{n % 9 + 1},2026-09-0{night} 1{n % 9}:00:00,{'x' if n == 5 else n * 1.25}"
            for n in range(1, 21)
        ]
        (root / "landing" / "loans" / f"night={night}" / "part.csv").write_text(
            "\n".join(["loan_id,member_id,book_id,lent_at,fine", *rows]) + "\n"
        )
        members = [
            {
                "member_id": n,
                "email": f"m{n}@x.org",
                "since": f"202{n % 5}-01-0{night}",
                "address": {"street": f"s {n}", "city": f"c{(n + night) % 3}"},
                "tags": ["a", f"t{n % 2}"],
            }
            for n in range(1, 9)
        ]
        (root / "landing" / "members" / f"night={night}" / "part.json").write_text(
            "".join(json.dumps(each) + "\n" for each in members)
        )
        books = [f"{n}|title {n}|{'fantasy' if n % 2 else 'crime'}|{n * 10 + night}" for n in range(1, 10)]
        (root / "landing" / "books" / f"night={night}" / "part.txt").write_text("\n".join(books) + "\n")


def nightly(fmt: str, sql: Callable[[str], str], night: int) -> tuple[Step, ...]:
    """Return the steps that run each night.

    Args:
        fmt: The format.
        sql: Puts catalogs into a text.
        night: 1 to 3.
    """
    table = CatalogNames(sql).table
    first = night == 1
    made = "create" if first else "append"

    def named(name: str) -> str:
        return f"night {night}: {name}"

    def put(frame: DataFrame, name: str, **options: str) -> None:
        writer = frame.write.format(fmt).options(**options)
        if first:
            writer.saveAsTable(sql(name))
        else:
            frame.write.insertInto(sql(name))

    def loans_raw(job: Job) -> None:
        frame = job.spark.read.option("header", True).csv(f"{job.root}/landing/loans/night={night}")
        put(frame.withColumn("loaded", f.current_timestamp()).withColumn("night", f.lit(night)), "bronze.loans_raw")

    def members_raw(job: Job) -> None:
        schema = (
            "member_id INT, email STRING, since DATE, address STRUCT<street: STRING, city: STRING>, tags ARRAY<STRING>"
        )
        frame = job.spark.read.schema(schema).json(f"{job.root}/landing/members/night={night}")
        put(frame.select("*", f.lit(night).alias("night")), "bronze.members_raw")

    def books_raw(job: Job) -> None:
        frame = (
            job.spark.read.option("sep", "|")
            .schema("book_id INT, title STRING, genre STRING, copies INT")
            .csv(f"{job.root}/landing/books/night={night}")
        )
        frame.createOrReplaceTempView("landed_books")
        verb = f"CREATE TABLE bronze.books_raw USING {fmt} AS" if first else "INSERT INTO bronze.books_raw"
        job.sql(sql(f"{verb} SELECT b.*, {night} AS night FROM landed_books b"))

    def top_gold(job: Job) -> None:
        frame = (
            table(job, "silver.loans")
            .alias("l")
            .join(table(job, "silver.books").alias("b"), f.col("l.book_id") == f.col("b.book_id"), "inner")
            .groupBy("b.genre", f.date_trunc("month", "l.lent_at").alias("month"))
            .agg({"fine": "sum", "loan_id": "count"})
            .toDF("genre", "month", "fines", "loans")
            .transform(lambda each: each.withColumn("mean", f.col("fines") / f.col("loans")))
        )
        frame.write.format(fmt).mode("overwrite").saveAsTable(sql("gold.genres"))

    def insert_gold(job: Job) -> None:
        spec = Window.partitionBy("member_id").orderBy(f.col("lent_at").cast("long")).rangeBetween(-86400, 0)
        frame = table(job, "silver.loans").select(
            "loan_id",
            "member_id",
            f.sum("fine").over(spec).alias("day_fines"),
            f.lead("book_id").over(Window.partitionBy("member_id").orderBy("lent_at")).alias("next"),
        )
        put(frame, "gold.running")

    return (
        Step(
            named("loans_raw"),
            loans_raw,
            f"{made} loans_raw",
            "loan_id member_id book_id lent_at fine < csv.*; loaded night <",
        ),
        Step(
            named("members_raw"),
            members_raw,
            f"{made} members_raw",
            "member_id email since address tags < json.*; night <",
        ),
        Step(named("books_raw"), books_raw, f"{made} books_raw", "book_id title genre copies < txt.*; night <"),
        Step(
            named("rejects"),
            sql(
                (f"CREATE TABLE silver.rejects USING {fmt} AS " if first else "INSERT INTO silver.rejects ")
                + f"SELECT loan_id, fine AS bad, 'fine' AS why FROM bronze.loans_raw WHERE night = {night} AND try_cast(fine AS DOUBLE) IS NULL"
            ),
            f"{made} rejects",
            "loan_id < loans_raw.loan_id; bad < loans_raw.fine; why <",
            "FILTER loans_raw.fine",
        ),
        Step(
            named("loans"),
            sql(
                (f"CREATE TABLE silver.loans USING {fmt} AS " if first else "INSERT INTO silver.loans ")
                + "SELECT CAST(loan_id AS BIGINT) AS loan_id, CAST(member_id AS INT) AS member_id, CAST(book_id AS INT) AS book_id, to_timestamp(lent_at) AS lent_at, round(try_cast(fine AS DOUBLE), 2) AS fine FROM"
                f" (SELECT *, row_number() OVER (PARTITION BY loan_id ORDER BY loaded DESC) AS n FROM bronze.loans_raw WHERE night = {night}) WHERE n = 1 AND loan_id NOT IN (SELECT loan_id FROM silver.rejects)"
            ),
            f"{made} loans",
            "loan_id member_id book_id lent_at fine < loans_raw.*",
            "FILTER loans_raw.night",
        ),
        Step(
            named("books"),
            sql(
                f"CREATE OR REPLACE TABLE silver.books USING {fmt} AS SELECT book_id, max_by(title, night) AS title, max_by(genre, night) AS genre, sum(copies) AS copies FROM bronze.books_raw GROUP BY book_id"
                if fmt != "hudi"
                else "INSERT OVERWRITE silver.books SELECT book_id, max_by(title, night), max_by(genre, night), sum(copies) FROM bronze.books_raw GROUP BY book_id"
            ),
            "overwrite books",
            "book_id title genre copies < books_raw.*",
            "GROUP_BY books_raw.book_id",
        ),
        Step(
            named("genres"),
            top_gold,
            "overwrite genres",
            "genre < books.genre; month < loans.lent_at; fines < loans.fine; loans < loans.loan_id; mean < loans.fine loans.loan_id",
            "JOIN books.book_id",
        ),
        Step(
            named("running"),
            insert_gold,
            f"{made} running",
            "loan_id member_id < loans.*; day_fines < loans.fine; next < loans.book_id",
        ),
        Step(
            named("popular"),
            sql(
                "INSERT INTO gold.popular SELECT b.title, count(*) AS n, array_sort(collect_set(l.member_id)) AS who, "
                f"{night} FROM silver.loans l RIGHT JOIN silver.books b USING (book_id) GROUP BY b.title ORDER BY n DESC LIMIT 5"
            ),
            "append popular",
            "title < books.title; n <; who < loans.member_id; night <",
            "GROUP_BY books.title",
        ),
        Step(
            named("check"),
            sql(
                "SELECT count(*) AS n, count(DISTINCT member_id) AS m, max(lent_at) AS last FROM silver.loans WHERE fine IS NOT NULL"
            ),
            "",
            "n <; m < loans.member_id; last < loans.lent_at",
        ),
    )


def once(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:  # noqa: C901, PLR0915 - functions of single steps
    """Return the steps that run after the nights.

    Args:
        fmt: The format.
        sql: Puts catalogs into a text.
    """
    table = CatalogNames(sql).table

    def saved(name: str, make: Callable[[Job], DataFrame], columns: str, conditions: str = "") -> Step:
        def run(job: Job) -> None:
            make(job).write.format(fmt).saveAsTable(sql(name))

        return Step(f"{name} saved", run, f"create {name.partition('.')[2]}", columns, conditions)

    def made(name: str, query: str, columns: str, conditions: str = "") -> Step:
        return Step(
            f"{name} made",
            sql(f"CREATE TABLE {name} USING {fmt} AS {query}"),
            f"create {name.partition('.')[2]}",
            columns,
            conditions,
        )

    def functions(job: Job) -> DataFrame:
        upper = f.udf(lambda text: (text or "").upper(), "string")
        return table(job, "bronze.members_raw").select(
            f.col("member_id").alias("id"),
            f.regexp_replace("email", "@.*", "").alias("user"),
            f.create_map(f.lit("city"), f.col("address.city"), f.lit("street"), f.col("address.street")).alias("place"),
            f.transform("tags", lambda tag: f.concat(tag, f.col("email"))).alias("marks"),
            f.when(f.col("since") > "2022-01-01", upper("email")).otherwise(f.col("address.city")).alias("label"),
            f.arrays_zip(f.col("tags"), f.array(f.col("night"))).alias("pairs"),
            f.xxhash64("email", "member_id").alias("digest"),
        )

    def self_join(job: Job) -> DataFrame:
        loans = table(job, "silver.loans")
        left = loans.selectExpr("member_id AS a", "book_id")
        right = loans.selectExpr("member_id AS b", "book_id")
        return (
            left.join(right, "book_id")
            .where("a < b")
            .groupBy("a", "b")
            .agg(f.count("book_id").alias("shared"))
            .orderBy(f.desc("shared"))
            .limit(20)
        )

    def chained(job: Job) -> DataFrame:
        def fined(frame: DataFrame) -> DataFrame:
            return frame.where(f.col("fine") > 2).withColumnRenamed("fine", "due")

        def by_member(frame: DataFrame) -> DataFrame:
            return frame.groupBy("member_id").pivot("book_id", [1, 2, 3]).agg(f.max("due").alias("most"))

        return (
            table(job, "silver.loans")
            .transform(fined)
            .transform(by_member)
            .fillna(0.0)
            .selectExpr("member_id", "`1` AS b1", "`2` + `3` AS b23")
        )

    def pandas_grouped(job: Job) -> DataFrame:
        def mean(values):  # type: ignore[no-untyped-def]
            return float(values.mean())

        average = f.pandas_udf(mean, "double", f.PandasUDFType.GROUPED_AGG) if hasattr(f, "PandasUDFType") else f.avg
        return table(job, "silver.loans").groupBy("book_id").agg(average(f.col("fine")).alias("mean"))

    def structured(job: Job) -> DataFrame:
        both = f.udf(lambda a, b: (a, b), "a INT, b INT")
        pair = both("member_id", "book_id")
        return (
            table(job, "silver.loans")
            .select("loan_id", pair.alias("pair"))
            .select("loan_id", "pair.a", f.col("pair.b").alias("book"))
        )

    def in_pandas(job: Job) -> DataFrame:
        def add(frames):  # type: ignore[no-untyped-def]
            for frame in frames:
                frame["double"] = frame["fine"] * 2
                yield frame[["loan_id", "double"]]

        return table(job, "silver.loans").select("loan_id", "fine").mapInPandas(add, "loan_id LONG, double DOUBLE")

    def cached(job: Job) -> DataFrame:
        base = table(job, "silver.loans").where("fine > 1").cache()
        base.count()
        return (
            base.groupBy("member_id")
            .agg(f.min("lent_at").alias("first"))
            .join(base.groupBy("member_id").agg(f.avg("fine").alias("mean")), "member_id")
        )

    def local(job: Job) -> DataFrame:
        rows = job.spark.createDataFrame([(1, "short"), (2, "long")], "book_id INT, kind STRING")
        return (
            table(job, "silver.loans")
            .join(f.broadcast(rows), "book_id", "left")
            .select("loan_id", f.coalesce("kind", f.lit("none")).alias("kind"))
        )

    def nested_union(job: Job) -> None:
        books = table(job, "silver.books").selectExpr("title AS name", "'book' AS kind", "copies AS n")
        members = table(job, "bronze.members_raw").selectExpr(
            "email AS name", "'member' AS kind", "CAST(size(tags) AS BIGINT) AS n"
        )
        books.unionByName(members).dropDuplicates(["name"]).repartition(2, "kind").write.format(fmt).partitionBy(
            "kind"
        ).saveAsTable(sql("gold.names"))

    def static_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.schema("loan_id BIGINT, member_id INT, book_id INT, lent_at TIMESTAMP, fine STRING")
            .option("header", True)
            .csv(f"{job.root}/landing/loans")
        )
        joined = rows.join(table(job, "silver.books"), "book_id").selectExpr(
            "loan_id", "title", "concat_ws(':', genre, fine) AS note"
        )
        writer = job.stream(joined, "static stream").format(fmt)
        if fmt == "hudi":
            options = {
                "hoodie.table.name": "lent",
                "hoodie.datasource.write.recordkey.field": "loan_id",
                "hoodie.datasource.write.precombine.field": "title",
            }
            writer.options(**options).start(f"{job.root}/lake/lent").awaitTermination()
        else:
            writer.toTable(sql("gold.lent")).awaitTermination()

    def each_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            good = batch.where("fine IS NOT NULL")
            good.select("loan_id", "fine").write.format(fmt).mode("append").insertInto(sql("gold.fined"))

        schema = "loan_id BIGINT, member_id INT, book_id INT, lent_at TIMESTAMP, fine DOUBLE"
        rows = (
            job.spark.readStream.schema(schema)
            .option("header", True)
            .csv(f"{job.root}/landing/loans")
            .withColumn("fine", f.col("fine") / 2)
        )
        job.stream(rows, "each stream").foreachBatch(apply).start().awaitTermination()

    stream_target = "append p_lent" if fmt == "hudi" else "append lent"
    return (
        saved(
            "gold.functions",
            functions,
            "id < members_raw.member_id; user < members_raw.email; place < members_raw.address.city members_raw.address.street; marks < members_raw.tags members_raw.email; label < members_raw.email members_raw.address.city; pairs < members_raw.tags members_raw.night; digest < members_raw.email members_raw.member_id",
        ),
        saved(
            "gold.pairs",
            self_join,
            "a b < loans.member_id; shared < loans.book_id",
            "FILTER loans.member_id; JOIN loans.book_id",
        ),
        saved("gold.chained", chained, "member_id < loans.member_id; b1 b23 < loans.fine", "FILTER loans.fine"),
        saved("gold.means", pandas_grouped, "book_id < loans.book_id; mean < loans.fine"),
        saved("gold.structured", structured, "loan_id < loans.loan_id; a book < loans.member_id loans.book_id"),
        saved("gold.mapped", in_pandas, "loan_id double < loans.loan_id loans.fine"),
        saved(
            "gold.cached",
            cached,
            "member_id < loans.member_id; first < loans.lent_at; mean < loans.fine",
            "FILTER loans.fine",
        ),
        saved("gold.local", local, "loan_id < loans.loan_id; kind <"),
        Step(
            "gold.names saved",
            nested_union,
            "create names",
            "name < books.title members_raw.email; kind <; n < books.copies members_raw.tags",
        ),
        made(
            "gold.five",
            "SELECT m.email, b.title, l.fine, r.bad, coalesce(g.fines, 0D) AS fines FROM silver.loans l JOIN silver.books b ON b.book_id = l.book_id JOIN bronze.members_raw m ON m.member_id = l.member_id AND m.night = 1"
            " LEFT JOIN silver.rejects r ON r.loan_id = CAST(l.loan_id AS STRING) LEFT JOIN gold.genres g ON g.genre = b.genre WHERE l.fine > 0 OR r.why = 'fine'",
            "email < members_raw.email; title < books.title; fine < loans.fine; bad < rejects.bad; fines < genres.fines",
            "JOIN books.book_id; JOIN members_raw.member_id; JOIN rejects.loan_id; JOIN genres.genre; FILTER members_raw.night",
        ),
        made(
            "gold.cohorts",
            "WITH starts AS (SELECT member_id, min(date_trunc('day', lent_at)) AS day0 FROM silver.loans GROUP BY member_id) SELECT s.day0, datediff(l.lent_at, s.day0) AS age, count(DISTINCT l.member_id) AS members FROM silver.loans l JOIN starts s ON s.member_id = l.member_id GROUP BY 1, 2",
            "day0 < loans.lent_at; age < loans.lent_at; members < loans.member_id",
            "GROUP_BY loans.lent_at",
        ),
        made(
            "gold.islands",
            "SELECT member_id, min(lent_at) AS begun, max(lent_at) AS ended, sum(fine) AS fine FROM (SELECT *, sum(fresh) OVER (PARTITION BY member_id ORDER BY lent_at) AS island FROM"
            " (SELECT *, CASE WHEN lag(lent_at) OVER (PARTITION BY member_id ORDER BY lent_at) IS NULL THEN 1 ELSE 0 END AS fresh FROM silver.loans)) GROUP BY member_id, island",
            "member_id < loans.member_id; begun ended < loans.lent_at; fine < loans.fine",
            "GROUP_BY loans.member_id",
        ),
        made(
            "gold.stacked",
            "SELECT book_id, what, CAST(amount AS DOUBLE) AS amount FROM (SELECT book_id, stack(3, 'copies', copies, 'length', CAST(length(title) AS BIGINT), 'one', 1L) AS (what, amount) FROM silver.books) WHERE amount > 0",
            "book_id < books.book_id; what <; amount < books.copies books.title",
        ),
        made(
            "gold.shares",
            "SELECT title, copies, copies / sum(copies) OVER () AS share, ntile(2) OVER (ORDER BY copies) AS half, copies > (SELECT percentile_approx(copies, 0.5) FROM silver.books) AS big, (SELECT max(email) FROM bronze.members_raw WHERE night = 3) AS someone FROM silver.books",
            "title copies < books.*; share < books.copies; half <; big < books.copies; someone < members_raw.email",
        ),
        made(
            "gold.exploded",
            "SELECT member_id, pos, tag, upper(address.city) AS city, struct(email, since) AS who FROM bronze.members_raw LATERAL VIEW posexplode(array_distinct(tags)) t AS pos, tag WHERE night BETWEEN 1 AND 2 AND tag RLIKE '^t'",
            "member_id < members_raw.member_id; pos tag < members_raw.tags; city < members_raw.address.city; who < members_raw.email members_raw.since",
            "FILTER members_raw.night; FILTER members_raw.tags",
        ),
        made(
            "gold.wide28",
            "SELECT loan_id, "
            + ", ".join(f"fine * {n} AS w{n}" for n in range(1, 28))
            + " FROM silver.loans DISTRIBUTE BY loan_id SORT BY loan_id",
            "loan_id < loans.loan_id; " + " ".join(f"w{n}" for n in range(1, 28)) + " < loans.fine",
        ),
        Step(
            "wide28 swap",
            sql(
                "INSERT OVERWRITE gold.wide28 SELECT loan_id, "
                + ", ".join(f"w{28 - n}" for n in range(1, 28))
                + " FROM gold.wide28 WHERE w27 IS NOT NULL"
            ),
            "overwrite wide28",
            # Hudi resolves the columns of an INSERT by their names if it can
            "loan_id < wide28.loan_id; "
            + "; ".join(f"w{n} < wide28.w{n if fmt == 'hudi' else 28 - n}" for n in range(1, 28)),
        ),
        Step(
            "static stream",
            static_stream,
            stream_target,
            "loan_id < csv.loan_id; title < books.title; note < books.genre csv.fine",
            "JOIN books.book_id",
        ),
        Step("each stream", each_stream, "append fined", "loan_id < csv.loan_id; fine < csv.fine"),
        Step(
            "left semi",
            sql(
                "SELECT title FROM silver.books b LEFT SEMI JOIN silver.loans l ON l.book_id = b.book_id AND l.fine > 20"
            ),
            "",
            "title < books.title",
            "JOIN loans.book_id",
        ),
        Step(
            "full list",
            sql("SELECT * FROM gold.popular p ORDER BY night, n DESC"),
            "",
            "title n who night < popular.*",
            "SORT popular.night",
        ),
    )


def prepare(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the definitions."""
    return (
        Step(
            "popular", sql(f"CREATE TABLE gold.popular (title STRING, n BIGINT, who ARRAY<INT>, night INT) USING {fmt}")
        ),
        Step("fined", sql(f"CREATE TABLE gold.fined (loan_id BIGINT, fine DOUBLE) USING {fmt}")),
        *(
            (
                Step(
                    "books table",
                    sql(
                        "CREATE TABLE silver.books (book_id INT, title STRING, genre STRING, copies BIGINT) USING hudi"
                    ),
                ),
            )
            if fmt == "hudi"
            else ()
        ),
    )


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, dict(zip(("bronze", "silver", "gold"), places(fmt, two), strict=True)))
    own = getattr(workload_library_own, fmt)(sql)
    nights = (step for night in _NIGHTS for step in (*nightly(fmt, sql, night), *own.nightly(night)))
    return (*prepare(fmt, sql), *own.before, *nights, *once(fmt, sql), *own.after)


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    first, gold = catalogs(fmt, two)
    root = f"file://{folder}"
    names = {"csv": f"{root}/landing/loans", "json": f"{root}/landing/members", "txt": f"{root}/landing/books"}
    listed = steps(fmt, two)
    for name in sorted(named_datasets(listed) - {""}):
        layer = f"{first}.bronze" if name in _BRONZE else f"{first}.silver" if name in _SILVER else f"{gold}.gold"
        names.setdefault(name, f"{root}/lake/{name[2:]}" if name.startswith("p_") else f"{layer}.{name}")
    return truth_of(names, listed, workload_library_own.CHANGES.get(fmt, ""))


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(_ROOT, land, places, steps, truth).main()


if __name__ == "__main__":
    main()
