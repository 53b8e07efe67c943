"""Iceberg's second workload: versions, procedures, views, odd names, streams."""

from __future__ import annotations

from lakehouse.workload import Job, Step

VERSIONS = (
    Step(
        "ver",
        "CREATE TABLE lake.dwh.ver USING iceberg AS SELECT id, fee FROM lake.raw.loans WHERE fee < 2",
        "create ver",
        "id fee < loans.*",
    ),
    Step(
        "ver two",
        "INSERT INTO lake.dwh.ver SELECT id, fee FROM lake.raw.loans WHERE fee >= 2",
        "append ver",
        "id fee < loans.*",
    ),
    Step(
        "ver three",
        "INSERT INTO lake.dwh.ver SELECT id, 0.0D FROM lake.raw.readers",
        "append ver",
        "id < readers.id; fee < ",
    ),
    Step(
        "ver id",
        lambda j: j.sql(f"SELECT id FROM lake.dwh.ver VERSION AS OF {_nth(j, 'lake.dwh.ver', 0)}"),
        "",
        "id < ver.id",
    ),
    Step(
        "ver id write",
        lambda j: j.sql(
            f"INSERT INTO lake.dwh.ids SELECT id, 'old', NULL FROM lake.dwh.ver VERSION AS OF {_nth(j, 'lake.dwh.ver', 1)}"
        ),
        "append ids",
        "id < ver.id; day mail < ",
    ),
    Step(
        "ver option",
        lambda j: j.spark.read.option("snapshot-id", _nth(j, "lake.dwh.ver", 0)).table("lake.dwh.ver").collect(),
        "",
        "id fee < ver.*",
    ),
    Step("ver tag", "ALTER TABLE lake.dwh.ver CREATE TAG first_tag", "alter ver"),
    Step("ver branch", "ALTER TABLE lake.dwh.ver CREATE BRANCH dev", "alter ver"),
    Step(
        "ver branch write",
        "INSERT INTO lake.dwh.ver.branch_dev SELECT id + 1000, fee FROM lake.raw.loans",
        "append ver",
        "id fee < loans.*",
    ),
    Step(
        "ver main after branch", "SELECT id, fee FROM lake.dwh.ver WHERE id > 1", "", "id fee < ver.*", "FILTER ver.id"
    ),
    Step(
        "ver read branch",
        lambda j: _ref(j, "dev", "SELECT id FROM lake.dwh.ver VERSION AS OF 'dev'"),
        "",
        "id < ver.id",
    ),
    Step(
        "ver read tag",
        lambda j: _ref(j, "first_tag", "SELECT id FROM lake.dwh.ver VERSION AS OF 'first_tag'"),
        "",
        "id < ver.id",
    ),
    Step(
        "ver branch update",
        "UPDATE lake.dwh.ver.branch_dev SET fee = id * 2 WHERE id > 1000",
        "update ver",
        "fee < ver.id",
    ),
    Step("ver fast forward", "CALL lake.system.fast_forward('dwh.ver', 'main', 'dev')", "maintenance ver"),
    Step("ver read forward", "SELECT fee FROM lake.dwh.ver", "", "fee < ver.fee"),
    Step(
        "ver rollback",
        lambda j: j.sql(f"CALL lake.system.rollback_to_snapshot('dwh.ver', {_plain(j, 'lake.dwh.ver', 1)})"),
        "maintenance ver",
    ),
    Step("ver read rolled", "SELECT id FROM lake.dwh.ver", "", "id < ver.id"),
    Step(
        "ver set current",
        lambda j: j.sql(f"CALL lake.system.set_current_snapshot('dwh.ver', {_plain(j, 'lake.dwh.ver', 2)})"),
        "maintenance ver",
    ),
    Step(
        "ver write after",
        "INSERT INTO lake.dwh.ver SELECT reader, fee FROM lake.raw.loans",
        "append ver",
        "id < loans.reader; fee < loans.fee",
    ),
    Step("wap on", "ALTER TABLE lake.dwh.ver SET TBLPROPERTIES ('write.wap.enabled' = 'true')", "alter ver"),
    Step("wap write", lambda j: _wap(j), "append ver", "id < readers.id; fee < "),
    Step("wap publish", "CALL lake.system.publish_changes('dwh.ver', 'wap1')", "maintenance ver"),
    Step("wap read", "SELECT id, fee FROM lake.dwh.ver", "", "id fee < ver.*"),
    Step("wap branch write", lambda j: _wap_branch(j), "append ver", "id < readers.id; fee < readers.id"),
    Step(
        "cherry-pick", lambda j: j.sql(f"CALL lake.system.cherrypick_snapshot('dwh.ver', {_tip(j)})"), "maintenance ver"
    ),
    Step("ver drop branch", "ALTER TABLE lake.dwh.ver DROP BRANCH dev", "alter ver"),
    Step("ver replace tag", "ALTER TABLE lake.dwh.ver CREATE OR REPLACE TAG first_tag", "alter ver"),
    Step("ver drop tag", "ALTER TABLE lake.dwh.ver DROP TAG first_tag", "alter ver"),
    Step("ver incremental", lambda j: _incremental(j), "append ids", "id < ver.id; day < ver.fee; mail < "),
    Step(
        "audit snapshots",
        "CREATE TABLE {g}.pub.audit USING iceberg AS SELECT snapshot_id, operation FROM lake.dwh.ver.snapshots",
        "create audit",
        "snapshot_id operation < ver_snapshots.*",
    ),
    Step(
        "audit files",
        "INSERT INTO {g}.pub.audit SELECT record_count, file_path FROM {g}.pub.mor.files",
        "append audit",
        "snapshot_id < mor_files.record_count; operation < mor_files.file_path",
    ),
    Step(
        "history",
        "SELECT made_current_at, snapshot_id FROM lake.dwh.ver.history",
        "",
        "made_current_at snapshot_id < ver_history.*",
    ),
    Step(
        "rewrite files",
        "CALL lake.system.rewrite_data_files(table => 'dwh.cow', options => map('min-input-files', '1', 'rewrite-all', 'true'))",
        "maintenance cow",
    ),
    Step(
        "rewrite sorted",
        "CALL {g}.system.rewrite_data_files(table => 'pub.mor', strategy => 'sort', sort_order => 'id DESC', options => map('rewrite-all', 'true'))",
        "maintenance mor",
    ),
    Step(
        "rewrite deletes",
        "CALL lake.system.rewrite_position_delete_files(table => 'raw.w60m', options => map('rewrite-all', 'true'))",
        "maintenance w60m",
    ),
    Step("rewrite manifests", "CALL lake.system.rewrite_manifests('dwh.loan')", "maintenance loan"),
    Step("expire", "CALL lake.system.expire_snapshots(table => 'dwh.loan', retain_last => 2)", "maintenance loan"),
    Step(
        "changelog view",
        lambda j: j.sql("CALL lake.system.create_changelog_view(table => 'dwh.cow', changelog_view => 'cow_changes')"),
    ),
    Step(
        "changelog read",
        "CREATE TABLE {g}.pub.changes USING iceberg AS SELECT id, fee, _change_type AS what FROM cow_changes WHERE id > 0",
        "create changes",
        "id fee < cow.*; what < cow._change_type",
    ),
    Step("after rewrite", "SELECT book FROM lake.dwh.cow WHERE fee > 0", "", "book < cow.book", "FILTER cow.fee"),
    Step(
        "count star",
        "INSERT INTO {g}.pub.daily SELECT 'c', 'd', 0.0D, count(*) FROM lake.dwh.cow",
        "append daily",
        "day level fees n < ",
    ),
    Step(
        "max min",
        "CREATE TABLE {g}.pub.bounds USING iceberg AS SELECT max(id) AS hi, min(id) AS lo FROM lake.dwh.cow",
        "create bounds",
        "hi lo < cow.id",
    ),
    Step("time", lambda j: j.sql(f"SELECT id FROM lake.dwh.ver TIMESTAMP AS OF '{_at(j)}'"), "", "id < ver.id"),
)

VIEWS = (
    Step(
        "temp view",
        lambda j: _temp(j),
        "append pub_loan",
        "id < loan.id; book < readers.name; fee < loan.fee",
        "JOIN loan.reader; JOIN readers.id",
    ),
    Step("shadow", lambda j: _shadow(j), "append pub_loan", "id < readers.id; book < readers.mail; fee < "),
    Step(
        "cte",
        "INSERT INTO {g}.pub.loan WITH a AS (SELECT reader, fee FROM lake.dwh.loan), b AS (SELECT reader, max(fee) AS m FROM a GROUP BY reader)"
        " SELECT a.reader, r.name, b.m - a.fee FROM a JOIN b ON a.reader = b.reader LEFT JOIN {g}.pub.readers r ON r.id = a.reader",
        "append pub_loan",
        "id < loan.reader; book < pub_readers.name; fee < loan.fee",
    ),
    Step(
        "except",
        "INSERT INTO {g}.pub.readers SELECT id, name FROM lake.raw.readers EXCEPT SELECT id, book FROM {g}.pub.loan",
        "append pub_readers",
        "id name < readers.*",
        "JOIN pub_loan.id",
    ),
    Step(
        "semi anti",
        "INSERT INTO {g}.pub.readers SELECT l.id, l.book FROM lake.dwh.loan l LEFT ANTI JOIN {g}.pub.loan p ON p.id = l.id"
        " UNION ALL SELECT l.reader, l.city FROM lake.dwh.loan l LEFT SEMI JOIN lake.raw.readers r ON r.id = l.reader",
        "append pub_readers",
        "id < loan.id loan.reader; name < loan.book loan.city",
        "JOIN pub_loan.id; JOIN readers.id",
    ),
    Step(
        "case",
        "INSERT INTO {g}.pub.readers SELECT id, CASE WHEN level = 'gold' THEN name WHEN mail IS NULL THEN '-' ELSE lower(mail) END FROM lake.raw.readers",
        "append pub_readers",
        "id < readers.id; name < readers.name readers.mail",
    ),
    Step(
        "rollup",
        "INSERT INTO {g}.pub.daily SELECT day, city, sum(fee), count(*) FROM lake.dwh.loan GROUP BY CUBE (day, city)",
        "append daily",
        "day < loan.day; level < loan.city; fees < loan.fee; n < ",
    ),
    Step(
        "lists",
        "CREATE TABLE {g}.pub.lists USING iceberg AS SELECT reader, collect_list(named_struct('b', book, 'f', fee)) AS rows FROM lake.dwh.loan GROUP BY reader",
        "create lists",
        "reader < loan.reader; rows < loan.book loan.fee",
    ),
    Step(
        "inlined",
        "CREATE TABLE lake.dwh.inlined USING iceberg AS SELECT reader, r.b, r.f FROM {g}.pub.lists LATERAL VIEW explode(rows) x AS r",
        "create inlined",
        "reader < lists.reader; b < lists.rows.b; f < lists.rows.f",
    ),
    Step(
        "view",
        "CREATE VIEW gov.pub.v AS SELECT id, fee * 2 AS twice FROM lake.dwh.loan",
        "create v",
        "id < loan.id; twice < loan.fee",
        only="4-1",
    ),
    Step(
        "view read",
        "INSERT INTO lake.dwh.ver SELECT id, twice FROM gov.pub.v",
        "append ver",
        "id < loan.id; fee < loan.fee",
        only="4-1",
    ),
)

NAMES = (
    Step(
        "odd",
        "CREATE TABLE lake.dwh.`odd-table` USING iceberg AS SELECT id AS `the id`, name AS `x[0]`, mail AS `k#1`, id + 1 AS `sum(id)`, level AS `größe` FROM lake.raw.readers",
        "create odd",
        "`the id` < readers.id; x[0] < readers.name; k#1 < readers.mail; sum(id) < readers.id; größe < readers.level",
    ),
    Step(
        "odd insert",
        "INSERT INTO lake.dwh.`odd-table` SELECT `the id` * 2, upper(`x[0]`), `k#1`, `sum(id)`, `größe` FROM lake.dwh.`odd-table` WHERE `the id` > 1",
        "append odd",
        "`the id` x[0] k#1 sum(id) größe < odd.*",
        "FILTER odd.`the id`",
    ),
    Step(
        "odd update",
        "UPDATE lake.dwh.`odd-table` SET `x[0]` = concat(`k#1`, 'z'), `the id` = `sum(id)` WHERE `größe` = 'gold'",
        "update odd",
        "x[0] < odd.k#1; `the id` < odd.sum(id)",
        "FILTER odd.größe",
    ),
    Step(
        "odd merge",
        "MERGE INTO lake.dwh.`odd-table` t USING {g}.pub.readers s ON t.`the id` = s.id WHEN MATCHED THEN UPDATE SET `x[0]` = s.name"
        " WHEN NOT MATCHED THEN INSERT (`the id`, `x[0]`, `k#1`, `sum(id)`, `größe`) VALUES (s.id, 'a', s.name, 0, 'b')",
        "merge odd",
        "x[0] < pub_readers.name; `the id` < pub_readers.id; k#1 < pub_readers.name; sum(id) größe < ",
    ),
    Step(
        "odd out",
        "CREATE TABLE {g}.pub.`out table` USING iceberg AS SELECT `the id` AS `a.b`, `k#1` || `größe` AS k FROM lake.dwh.`odd-table`",
        "create odd_out",
        "a.b < odd.`the id`; k < odd.k#1 odd.größe",
    ),
    Step(
        "odd back",
        "INSERT INTO {g}.pub.readers SELECT `a.b`, k FROM {g}.pub.`out table`",
        "append pub_readers",
        "id < odd_out.a.b; name < odd_out.k",
    ),
    Step(
        "mixed case",
        "CREATE TABLE lake.dwh.CamelTable USING iceberg AS SELECT id AS CamelId, name AS FullName FROM lake.raw.readers",
        "create camel",
        "CamelId < readers.id; FullName < readers.name",
    ),
    Step(
        "mixed read",
        "INSERT INTO lake.dwh.CamelTable SELECT CAMELID + 1, fullname FROM lake.dwh.CamelTable",
        "append camel",
        "CamelId FullName < camel.*",
    ),
)

STREAMS = (
    Step("stream target", "CREATE TABLE lake.dwh.s_flat (id BIGINT, twice DOUBLE) USING iceberg"),
    Step(
        "stream table",
        lambda j: _stream(
            j,
            "stream table",
            j.spark.readStream.format("iceberg")
            .load("lake.raw.loans")
            .where("fee > 0")
            .selectExpr("id", "fee * 2 AS twice"),
            "lake.dwh.s_flat",
        ),
        "append s_flat",
        "id < loans.id; twice < loans.fee",
        "FILTER loans.fee",
    ),
    Step("stream target two", "CREATE TABLE lake.dwh.s_files (book STRING, city STRING) USING iceberg"),
    Step(
        "stream files",
        lambda j: _stream(
            j,
            "stream files",
            j.spark.readStream.schema(j.spark.table("lake.raw.loans").schema)
            .json(f"{j.root}/landing/loans")
            .selectExpr("book", "place.city"),
            "lake.dwh.s_files",
        ),
        "append s_files",
        "book < l_loans.book; city < l_loans.place.city",
    ),
    Step("stream target three", "CREATE TABLE lake.dwh.s_totals (book STRING, total DOUBLE) USING iceberg"),
    Step(
        "stream totals",
        lambda j: _stream(
            j,
            "stream totals",
            j.spark.readStream.table("lake.raw.loans").groupBy("book").agg({"fee": "sum"}).toDF("book", "total"),
            "lake.dwh.s_totals",
            "complete",
        ),
        "overwrite s_totals",
        "book < loans.book; total < loans.fee",
        "GROUP_BY loans.book",
    ),
    Step(
        "stream merge", lambda j: _stream_merge(j), "merge s_merge", "id < loans.id; fee < loans.fee", "JOIN s_merge.id"
    ),
    Step("stream batch", lambda j: _stream_batch(j), "append s_flat", "id < loans.reader; twice < loans.fee"),
    Step(
        "after stream",
        "INSERT INTO lake.dwh.ver SELECT id, twice FROM lake.dwh.s_flat WHERE twice > 1",
        "append ver",
        "id < s_flat.id; fee < s_flat.twice",
        "FILTER s_flat.twice",
    ),
    Step(
        "add files",
        "CALL lake.system.add_files(table => 'dwh.s_files', source_table => '`parquet`.`{root}/out/books`')",
    ),
    Step("drop purge", "DROP TABLE lake.dwh.CamelTable PURGE"),
    Step(
        "last read",
        "SELECT a.id, b.book FROM lake.dwh.s_merge a JOIN lake.dwh.s_totals b ON a.fee < b.total",
        "",
        "id < s_merge.id; book < s_totals.book",
        "JOIN s_merge.fee; JOIN s_totals.total",
    ),
)

STEPS = (*VERSIONS, *VIEWS, *NAMES, *STREAMS)


def _gov(job: Job) -> str:
    return "gov" if (job.root / "gov.db").exists() else "lake"


def _asked(job: Job, text: str) -> list:
    """Query without the step's name: the log leaves it out."""
    job.spark.sparkContext.setJobDescription("helper: snapshots")
    rows = job.spark.sql(text).collect()
    job.spark.sparkContext.setJobDescription(job.step)
    return rows


def _plain(job: Job, table: str, number: int) -> int:
    return _asked(job, f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at")[number][0]


def _nth(job: Job, table: str, number: int) -> str:
    return job.pins(table, _plain(job, table, number))


def _ref(job: Job, name: str, text: str) -> None:
    job.pins("lake.dwh.ver", _asked(job, f"SELECT snapshot_id FROM lake.dwh.ver.refs WHERE name = '{name}'")[0][0])
    job.sql(text)


def _tip(job: Job) -> int:
    return _asked(job, "SELECT snapshot_id FROM lake.dwh.ver.refs WHERE name = 'audit'")[0][0]


def _at(job: Job) -> str:
    row = _asked(job, "SELECT made_current_at, snapshot_id FROM lake.dwh.ver.history ORDER BY 1")[1]
    job.pins("lake.dwh.ver", row[1])
    return str(row[0])


def _wap(job: Job) -> None:
    job.spark.conf.set("spark.wap.id", "wap1")
    job.sql("INSERT INTO lake.dwh.ver SELECT id + 9000, 1.0D FROM lake.raw.readers")
    job.spark.conf.unset("spark.wap.id")


def _wap_branch(job: Job) -> None:
    job.spark.conf.set("spark.wap.branch", "audit")
    job.sql("INSERT INTO lake.dwh.ver SELECT id, id / 2 FROM lake.raw.readers")
    job.spark.conf.unset("spark.wap.branch")


def _incremental(job: Job) -> None:
    start, end = _plain(job, "lake.dwh.ver", 0), _plain(job, "lake.dwh.ver", 2)
    job.pins("lake.dwh.ver", end)
    frame = (
        job.spark.read.format("iceberg")
        .option("start-snapshot-id", start)
        .option("end-snapshot-id", end)
        .load("lake.dwh.ver")
    )
    frame.selectExpr("id", "CAST(fee AS STRING) AS day", "CAST(NULL AS STRING) AS mail").writeTo(
        "lake.dwh.ids"
    ).append()


def _temp(job: Job) -> None:
    job.spark.table("lake.dwh.loan").where("fee > 0").createOrReplaceTempView("paid")
    job.sql(
        "CREATE OR REPLACE TEMP VIEW named AS SELECT p.id, r.name, p.fee FROM paid p JOIN lake.raw.readers r ON p.reader = r.id"
    )
    job.sql(f"INSERT INTO {_gov(job)}.pub.loan SELECT * FROM named")


def _shadow(job: Job) -> None:
    job.spark.table("lake.raw.readers").createOrReplaceTempView("loan")
    job.sql(f"INSERT INTO {_gov(job)}.pub.loan SELECT id, mail, 0.5D FROM loan")


def _stream(job: Job, name: str, frame: object, table: str, mode: str = "append") -> None:
    job.stream(frame, name, mode).format("iceberg").toTable(table).awaitTermination()


def _stream_merge(job: Job) -> None:
    job.spark.sql(
        "CREATE TABLE lake.dwh.s_merge (id BIGINT, fee DOUBLE) USING iceberg TBLPROPERTIES ('format-version' = '2')"
    )

    def upsert(batch, number) -> None:
        batch.createOrReplaceTempView("arrived")
        batch.sparkSession.sql(
            "MERGE INTO lake.dwh.s_merge t USING (SELECT id, max(fee) AS fee FROM arrived GROUP BY id) s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET fee = s.fee WHEN NOT MATCHED THEN INSERT *"
        )

    job.stream(job.spark.readStream.table("lake.raw.loans"), "stream merge").foreachBatch(
        upsert
    ).start().awaitTermination()


def _stream_batch(job: Job) -> None:
    def append(batch, number) -> None:
        batch.selectExpr("reader AS id", "fee AS twice").writeTo("lake.dwh.s_flat").append()

    job.stream(job.spark.readStream.table("lake.raw.loans"), "stream batch").foreachBatch(
        append
    ).start().awaitTermination()
