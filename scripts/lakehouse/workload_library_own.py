"""The library's statements in the dialects of the formats, with their truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, Job, Step

CHANGES = {
    "delta": "members: column_added phone\nmembers: column_renamed mail\nmembers: column_dropped phone\nhistory: column_added note",
    "iceberg": "members: column_added phone\nmembers: column_renamed mail\nfines: type_changed n\nhistory: column_added note",
    "paimon": "members: column_added phone\nmembers: column_renamed mail",
    "hudi": "members: column_added phone",
}
_MEMBERS = "member_id < members_raw.member_id; email < members_raw.email; city < members_raw.address.city; night <"


@dataclass(frozen=True)
class Own:
    """The steps of one format.

    Attributes:
        before: Definitions.
        nightly: Returns the steps of a night.
        after: The steps after the nights.
    """

    before: tuple[Step, ...]
    nightly: Callable[[int], tuple[Step, ...]]
    after: tuple[Step, ...]


def _members(fmt: str, more: str = "") -> str:
    return f"CREATE TABLE silver.members (member_id INT, email STRING, city STRING, night INT) USING {fmt} {more}"


_LATEST = "(SELECT member_id, email, address.city AS city, night FROM (SELECT *, row_number() OVER (PARTITION BY member_id ORDER BY since DESC) AS n FROM bronze.members_raw WHERE night = {night}) WHERE n = 1)"


_CHANGED = (
    "m.email <> s.email OR m.city <> s.city THEN UPDATE SET m.email = s.email, m.city = s.city, m.night = s.night"
)


def _merged(step: Callable[..., Step], night: int, changed: str) -> Step:
    return step(
        f"night {night}: members",
        f"MERGE INTO silver.members m USING {_LATEST.replace('{night}', str(night))} s ON m.member_id = s.member_id"
        f" WHEN MATCHED AND {changed} WHEN NOT MATCHED THEN INSERT *",
        "merge members",
        _MEMBERS.replace("night <", "night < members_raw.night"),
    )


def _fined(step: Callable[..., Step], night: int, count: str) -> Step:
    return step(
        f"night {night}: fines",
        f"MERGE INTO silver.fines f USING (SELECT member_id, sum(fine) AS fine, {count} AS n FROM silver.loans GROUP BY member_id) s ON f.member_id = s.member_id"
        " WHEN MATCHED AND f.n = s.n THEN DELETE WHEN MATCHED THEN UPDATE SET fine = f.fine + s.fine, n = s.n"
        " WHEN NOT MATCHED THEN INSERT (member_id, fine, n) VALUES (s.member_id, s.fine, s.n)",
        "merge fines",
        "member_id < loans.member_id; fine < fines.fine loans.fine; n <",
    )


def _masked(step: Callable[..., Step], city: str) -> Step:
    return step(
        "masked",
        f"UPDATE silver.members SET mail = sha2(mail, 256), phone = NULL WHERE city = '{city}'",
        "update members",
        "mail < members.mail; phone <",
        "FILTER members.city",
    )


def _shouted(step: Callable[..., Step], night: int) -> Step:
    return step(
        f"night {night}: members update",
        "UPDATE silver.members SET city = upper(city) WHERE member_id < 5",
        "update members",
        "city < members.city",
        "FILTER members.member_id",
    )


def _noted(table: Callable[[Job, str], DataFrame], job: Job) -> DataFrame:
    return table(job, "silver.history").withColumn("note", f.expr("concat(city, begun)"))


_NOTED = "member_id city begun ended < history.*; note < history.city history.begun"


def delta(sql: Callable[[str], str]) -> Own:
    """Return Delta's steps."""
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def merged(job: Job) -> None:
        from delta.tables import DeltaTable

        changed = (
            table(job, "silver.members")
            .alias("n")
            .join(table(job, "silver.history").where("ended IS NULL").alias("h"), "member_id", "left")
            .where("h.city IS NULL OR h.city <> n.city")
            .select("n.*")
        )
        rows = changed.selectExpr("member_id AS key", "*").union(changed.selectExpr("CAST(NULL AS INT) AS key", "*"))
        (
            DeltaTable.forName(job.spark, "silver.history")
            .alias("h")
            .merge(rows.alias("n"), "h.member_id = n.key AND h.ended IS NULL")
            .whenMatchedUpdate(set={"ended": "n.night"})
            .whenNotMatchedInsert(
                "n.key IS NULL", values={"member_id": "n.member_id", "city": "n.city", "begun": "n.night"}
            )
            .execute()
        )

    def nightly(night: int) -> tuple[Step, ...]:
        return (
            _merged(step, night, _CHANGED),
            Step(
                f"night {night}: history",
                merged,
                "merge history",
                "member_id city < members.*; begun ended < members.night",
            ),
            _fined(step, night, "count(*)"),
            step(
                f"night {night}: packed",
                "INSERT INTO silver.kept SELECT loan_id, book_id, fine FROM silver.loans WHERE fine > 3",
                "append kept",
                "loan_id book_id fine < loans.*",
                "FILTER loans.fine",
            ),
            step(
                f"night {night}: packed update",
                "UPDATE silver.kept SET fine = fine + book_id WHERE loan_id % 2 = 0",
                "update kept",
                "fine < kept.fine kept.book_id",
                "FILTER kept.loan_id",
            ),
            step(
                f"night {night}: packed delete",
                "DELETE FROM silver.kept WHERE fine > 30",
                "delete kept",
                "",
                "FILTER kept.fine",
            ),
            step(
                f"night {night}: packed merge",
                "MERGE INTO silver.kept k USING silver.books b ON k.book_id = b.book_id WHEN MATCHED THEN UPDATE SET fine = b.copies WHEN NOT MATCHED THEN INSERT (loan_id, book_id) VALUES (-1, b.book_id)",
                "merge kept",
                "fine < books.copies; book_id < books.book_id; loan_id <",
            ),
        )

    def packed_stream(job: Job) -> None:
        rows = job.spark.readStream.table(sql("silver.loans")).selectExpr(
            "loan_id", "member_id AS book_id", "fine * 2 AS fine"
        )
        job.stream(rows, "packed stream").format("delta").toTable(sql("silver.kept")).awaitTermination()

    return Own(
        (
            step("members ddl", _members("delta", "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")),
            step(
                "history ddl",
                "CREATE TABLE silver.history (member_id INT, city STRING, begun INT, ended INT) USING delta",
            ),
            step(
                "fines ddl",
                "CREATE TABLE silver.fines (member_id INT, fine DOUBLE, n BIGINT) USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
            ),
            step(
                "kept ddl",
                "CREATE TABLE silver.kept (loan_id BIGINT, book_id INT, fine DOUBLE) USING delta TBLPROPERTIES ('delta.autoOptimize.autoCompact' = 'true', 'delta.autoOptimize.optimizeWrite' = 'true')",
            ),
            Step("compact soon", lambda j: j.spark.conf.set("spark.databricks.delta.autoCompact.minNumFiles", "2")),
        ),
        nightly,
        (
            step("mail", "ALTER TABLE silver.members RENAME COLUMN email TO mail", "alter members"),
            step("phone", "ALTER TABLE silver.members ADD COLUMN phone STRING AFTER member_id", "alter members"),
            _masked(step, "c1"),
            step(
                "forgotten",
                "DELETE FROM silver.members WHERE member_id IN (7, 8) AND mail IS NOT NULL",
                "delete members",
                "",
                "FILTER members.member_id",
            ),
            Step(
                "packed stream",
                packed_stream,
                "append kept",
                "loan_id < loans.loan_id; book_id < loans.member_id; fine < loans.fine",
            ),
            Step(
                "packed save",
                lambda j: (
                    table(j, "silver.loans")
                    .select("loan_id", "book_id", "fine")
                    .where("fine < 9")
                    .write.format("delta")
                    .mode("append")
                    .saveAsTable(sql("silver.kept"))
                ),
                "append kept",
                "loan_id book_id fine < loans.*",
                "FILTER loans.fine",
            ),
            Step(
                "packed overwrite",
                lambda j: (
                    table(j, "silver.loans")
                    .selectExpr("loan_id", "member_id AS book_id", "fine")
                    .write.mode("overwrite")
                    .insertInto(sql("silver.kept"))
                ),
                "overwrite kept",
                "loan_id fine < loans.*; book_id < loans.member_id",
            ),
            step(
                "evolved",
                "SELECT mail, phone FROM silver.members m WHERE NOT EXISTS (SELECT 1 FROM silver.fines f WHERE f.member_id = m.member_id)",
                "",
                "mail phone < members.*",
                "JOIN fines.member_id",
            ),
            Step(
                "noted",
                lambda j: (
                    _noted(table, j)
                    .write.format("delta")
                    .mode("overwrite")
                    .option("overwriteSchema", True)
                    .saveAsTable(sql("silver.history"))
                ),
                "overwrite history",
                _NOTED,
            ),
            step(
                "as of",
                "INSERT INTO silver.fines SELECT member_id, begun, ended FROM silver.history VERSION AS OF 1",
                "append fines",
                "member_id < history.member_id; fine < history.begun; n < history.ended",
            ),
            step("optimized", "OPTIMIZE silver.loans", "maintenance loans"),
            step("vacuumed", "VACUUM silver.loans", "maintenance loans"),
            step("dropped column", "ALTER TABLE silver.members DROP COLUMN phone", "alter members"),
            step("restored", "RESTORE TABLE silver.members TO VERSION AS OF 2", "maintenance members"),
        ),
    )


def iceberg(sql: Callable[[str], str]) -> Own:
    """Return Iceberg's steps."""
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def nightly(night: int) -> tuple[Step, ...]:
        return (
            _merged(step, night, _CHANGED),
            step(
                f"night {night}: expire",
                "UPDATE silver.history h SET ended = (SELECT max(night) FROM silver.members) WHERE ended IS NULL AND EXISTS (SELECT 1 FROM silver.members m WHERE m.member_id = h.member_id AND m.city <> h.city)",
                "update history",
                "ended < members.night",
            ),
            step(
                f"night {night}: history",
                "INSERT INTO silver.history (member_id, city, begun) SELECT m.member_id, m.city, m.night FROM silver.members m LEFT ANTI JOIN silver.history h ON h.member_id = m.member_id AND h.ended IS NULL",
                "append history",
                "member_id city < members.*; begun < members.night; ended <",
                "JOIN history.member_id",
            ),
            _fined(step, night, "CAST(count(*) AS INT)"),
            Step(
                f"night {night}: daily",
                lambda j: (
                    table(j, "silver.loans")
                    .groupBy(f.to_date("lent_at").alias("day"), "book_id")
                    .agg(f.sum("fine").alias("fine"))
                    .writeTo(sql("gold.daily"))
                    .overwritePartitions()
                ),
                "overwrite daily",
                "day < loans.lent_at; book_id fine < loans.*",
                "GROUP_BY loans.book_id",
            ),
        )

    def tagged(job: Job) -> None:
        job.spark.read.option("tag", "after_nights").table(sql("silver.fines")).selectExpr(
            "member_id", "fine / n AS mean"
        ).writeTo(sql("gold.rates")).using("iceberg").tableProperty("format-version", "2").create()

    def loans_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.groupBy("book_id").agg(f.max("fine").alias("fine")).createOrReplaceTempView("newest")
            batch.sparkSession.sql(
                sql(
                    "INSERT INTO gold.daily SELECT current_date(), n.book_id, n.fine FROM newest n JOIN silver.books b ON b.book_id = n.book_id"
                )
            )

        job.stream(job.spark.readStream.format("iceberg").load(sql("silver.loans")), "loans stream").foreachBatch(
            apply
        ).start().awaitTermination()

    return Own(
        (
            step(
                "members ddl",
                _members(
                    "iceberg",
                    "PARTITIONED BY (bucket(2, member_id)) TBLPROPERTIES ('format-version' = '2', 'write.merge.mode' = 'merge-on-read')",
                ),
            ),
            step(
                "history ddl",
                "CREATE TABLE silver.history (member_id INT, city STRING, begun INT, ended INT) USING iceberg",
            ),
            step("fines ddl", "CREATE TABLE silver.fines (member_id INT, fine DOUBLE, n INT) USING iceberg"),
            step(
                "daily ddl",
                "CREATE TABLE gold.daily (day DATE, book_id INT, fine DOUBLE) USING iceberg PARTITIONED BY (days(day))",
            ),
        ),
        nightly,
        (
            step("mail", "ALTER TABLE silver.members RENAME COLUMN email TO mail", "alter members"),
            step("phone", "ALTER TABLE silver.members ADD COLUMN phone STRING", "alter members"),
            step("longer", "ALTER TABLE silver.fines ALTER COLUMN n TYPE BIGINT", "alter fines"),
            _masked(step, "c1"),
            step(
                "forgotten",
                "DELETE FROM silver.members WHERE member_id IN (SELECT member_id FROM silver.fines WHERE fine > 50)",
                "delete members",
            ),
            step("tag", "ALTER TABLE silver.fines CREATE TAG after_nights"),
            Step("tagged", tagged, "create rates", "member_id < fines.member_id; mean < fines.fine fines.n"),
            step("branch", "ALTER TABLE gold.daily CREATE BRANCH test"),
            step(
                "branch overwrite",
                "INSERT OVERWRITE gold.daily.branch_test SELECT day, book_id, fine + 1 FROM gold.daily",
                "overwrite daily",
                "day book_id fine < daily.*",
            ),
            step(
                "branch merge",
                "MERGE INTO gold.daily.branch_test d USING silver.books b ON d.book_id = b.book_id WHEN MATCHED THEN UPDATE SET d.fine = b.copies WHEN NOT MATCHED BY SOURCE THEN DELETE",
                "merge daily",
                "fine < books.copies",
            ),
            step(
                "branch compare",
                "SELECT count(*) AS n FROM (SELECT day, fine FROM gold.daily EXCEPT ALL SELECT day, fine FROM gold.daily VERSION AS OF 'test')",
                "",
                "n <",
            ),
            Step("loans stream", loans_stream, "append daily", "day <; book_id fine < loans.*", "JOIN books.book_id"),
            Step(
                "noted",
                lambda j: _noted(table, j).writeTo(sql("silver.history")).using("iceberg").createOrReplace(),
                "overwrite history",
                _NOTED,
            ),
            Step(
                "compacted",
                lambda j: j.spark.sql(
                    f"CALL {sql('silver.x').partition('.')[0]}.system.rewrite_data_files(table => 'silver.loans', options => map('min-input-files', '2'))"
                ).collect(),
                "maintenance loans",
            ),
            step("partitioned", "ALTER TABLE silver.fines ADD PARTITION FIELD bucket(4, member_id) AS shard"),
            step(
                "repartitioned",
                "INSERT OVERWRITE silver.fines SELECT member_id, sum(fine), count(*) FROM silver.loans GROUP BY member_id",
                "overwrite fines",
                "member_id fine < loans.*; n <",
            ),
            step("snapshots", "SELECT made_current_at, snapshot_id FROM silver.fines.history"),
            step("deleted file", "DELETE FROM gold.daily WHERE day < DATE'2026-09-02'", "delete daily"),
            step(
                "replaced view",
                "CREATE OR REPLACE VIEW gold.v_loans AS SELECT l.member_id, count(*) AS n, sum(l.fine) AS fine FROM ice.silver.loans l JOIN ice.silver.books b ON b.book_id = l.book_id WHERE b.genre = 'crime' GROUP BY l.member_id HAVING count(*) > 1",
                "create v_loans",
                "member_id fine < loans.*; n <",
                "JOIN books.book_id",
                only="4-1",
            ),
            step(
                "viewed",
                "INSERT INTO silver.fines SELECT member_id, fine, n FROM gold.v_loans",
                "append fines",
                "member_id fine < loans.*; n <",
                only="4-1",
            ),
        ),
    )


def hudi(sql: Callable[[str], str]) -> Own:
    """Return Hudi's steps."""
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def upsert(job: Job, night: int) -> None:
        frame = (
            table(job, "bronze.loans_raw")
            .where(f"night = {night}")
            .selectExpr("loan_id", "fine AS due", "lent_at AS at")
        )
        frame.write.format("hudi").options(
            **{
                "hoodie.table.name": "dues",
                "hoodie.datasource.write.recordkey.field": "loan_id",
                "hoodie.datasource.write.precombine.field": "at",
                "hoodie.datasource.write.operation": "upsert",
            }
        ).mode("append").save(f"{job.root}/lake/dues")

    def nightly(night: int) -> tuple[Step, ...]:
        return (
            step(
                f"night {night}: members",
                f"INSERT INTO silver.members SELECT member_id, email, address.city, night FROM bronze.members_raw WHERE night = {night}",
                "append members",
                "member_id email night < members_raw.*; city < members_raw.address.city",
                "FILTER members_raw.night",
            ),
            _shouted(step, night),
            step(
                f"night {night}: fines",
                "MERGE INTO silver.fines f USING silver.loans s ON f.loan_id = s.loan_id WHEN MATCHED THEN UPDATE SET fine = s.fine WHEN NOT MATCHED THEN INSERT (loan_id, fine, book_id) VALUES (s.loan_id, s.fine, s.book_id)",
                "merge fines",
                "loan_id fine book_id < loans.*",
            ),
            Step(
                f"night {night}: dues",
                lambda j, night=night: upsert(j, night),
                "append p_dues",
                "loan_id < loans_raw.loan_id; due < loans_raw.fine; at < loans_raw.lent_at",
                "FILTER loans_raw.night",
            ),
        )

    return Own(
        (
            step(
                "members ddl", _members("hudi", "TBLPROPERTIES (primaryKey = 'member_id', preCombineField = 'night')")
            ),
            step(
                "fines ddl",
                "CREATE TABLE silver.fines (loan_id BIGINT, fine DOUBLE, book_id INT) USING hudi TBLPROPERTIES (type = 'mor', primaryKey = 'loan_id', preCombineField = 'fine')",
            ),
        ),
        nightly,
        (
            step("phone", "ALTER TABLE silver.members ADD COLUMNS (phone STRING)", "alter members"),
            step(
                "forgotten",
                "DELETE FROM silver.members WHERE city = 'C1' AND night < 3",
                "delete members",
                "",
                "FILTER members.city",
            ),
            step(
                "members read",
                "SELECT m.city, f.fine FROM silver.members m JOIN silver.fines f ON f.book_id = m.member_id",
                "",
                "city < members.city; fine < fines.fine",
                "JOIN fines.book_id",
            ),
            Step(
                "dues read",
                lambda j: (
                    j.spark.read.format("hudi")
                    .load(f"{j.root}/lake/dues")
                    .groupBy("at")
                    .agg(f.max("due").alias("due"))
                    .collect()
                ),
                "",
                "at due < p_dues.*",
                "GROUP_BY p_dues.at",
            ),
            step(
                "dues joined",
                "CREATE TABLE gold.dues USING hudi AS SELECT l.loan_id, r.bad FROM silver.loans l FULL OUTER JOIN silver.rejects r ON r.loan_id = l.loan_id",
                "create dues",
                "loan_id < loans.loan_id; bad < rejects.bad",
                "JOIN rejects.loan_id",
            ),
            step("compacted", "CALL run_compaction(op => 'run', table => 'silver.fines')", "maintenance fines"),
        ),
    )


def paimon(sql: Callable[[str], str]) -> Own:
    """Return Paimon's steps."""
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def nightly(night: int) -> tuple[Step, ...]:
        return (
            _merged(step, night, "m.email <> s.email THEN UPDATE SET email = s.email, city = s.city, night = s.night"),
            _shouted(step, night),
            step(
                f"night {night}: fines",
                "INSERT INTO silver.fines SELECT member_id, sum(fine), count(*) FROM silver.loans GROUP BY member_id",
                "append fines",
                "member_id fine < loans.*; n <",
                "GROUP_BY loans.member_id",
            ),
            step(
                f"night {night}: daily",
                "INSERT OVERWRITE gold.daily PARTITION (day = '2026-09-0"
                + str(night)
                + "') SELECT book_id, max(fine) FROM silver.loans GROUP BY book_id",
                "overwrite daily",
                "book_id fine < loans.*; day <",
            ),
        )

    return Own(
        (
            step("members ddl", _members("paimon", "TBLPROPERTIES ('primary-key' = 'member_id', 'bucket' = '2')")),
            step(
                "fines ddl",
                "CREATE TABLE silver.fines (member_id INT, fine DOUBLE, n BIGINT) USING paimon TBLPROPERTIES ('primary-key' = 'member_id', 'bucket' = '1', 'sequence.field' = 'n')",
            ),
            step(
                "daily ddl",
                "CREATE TABLE gold.daily (book_id INT, fine DOUBLE, day STRING) USING paimon PARTITIONED BY (day)",
            ),
        ),
        nightly,
        (
            step("mail", "ALTER TABLE silver.members RENAME COLUMN email TO mail", "alter members"),
            step("phone", "ALTER TABLE silver.members ADD COLUMN phone STRING", "alter members"),
            _masked(step, "C1"),
            step(
                "forgotten",
                "DELETE FROM silver.members WHERE member_id IN (SELECT member_id FROM silver.fines WHERE fine > 50)",
                "delete members",
                "",
                "JOIN fines.member_id",
            ),
            step(
                "members read",
                "SELECT m.city, f.fine FROM silver.members m JOIN silver.fines f ON f.member_id = m.member_id",
                "",
                "city < members.city; fine < fines.fine",
                "JOIN fines.member_id",
            ),
            Step(
                "daily saved",
                lambda j: (
                    table(j, "gold.daily")
                    .where("day > '2026-09-01'")
                    .selectExpr("book_id", "fine * 2 AS fine", "day")
                    .write.format("paimon")
                    .mode("append")
                    .saveAsTable(sql("gold.daily"))
                ),
                "append daily",
                "book_id fine day < daily.*",
                "FILTER daily.day",
            ),
            step("daily deleted", "DELETE FROM gold.daily WHERE fine IS NULL", "delete daily", "", "FILTER daily.fine"),
            step("compacted", "CALL pai.sys.compact(table => 'silver.fines')", "maintenance fines"),
            step(
                "as of",
                "SELECT fine FROM gold.daily VERSION AS OF 1 WHERE book_id = 3",
                "",
                "fine < daily.fine",
                "FILTER daily.book_id",
            ),
        ),
    )
