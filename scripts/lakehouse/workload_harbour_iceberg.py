"""The harbour's statements that only Iceberg understands, with their truth."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, Job, Step, numbered

RAW = frozenset({"ships", "visits", "w60", "calls", "w60m"})
CHANGES = """
calls: column_added tug
calls: column_renamed pilot
calls: column_dropped tug
calls: type_changed hours
notes: column_added extra
swapped: column_dropped c2
swapped: column_added extra
labels: column_dropped tons
"""


def steps(sql: Callable[[str], str]) -> tuple[Step, ...]:  # noqa: C901, PLR0915 - functions of single steps
    """Return the steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def snapshot(job: Job, name: str, number: int) -> int:
        rows = job.spark.sql(f"SELECT snapshot_id FROM {sql(name)}.snapshots ORDER BY committed_at").collect()
        return int(rows[number][0])

    def quiet(job: Job, name: str, number: int) -> int:
        job.spark.sparkContext.setJobDescription("helper: snapshots")
        found = snapshot(job, name, number)
        job.spark.sparkContext.setJobDescription(job.step)
        job.pins(sql(name), found)
        return found

    def partitioned(job: Job) -> None:
        frame = table(job, "raw.visits").selectExpr(
            "visit_id", "ship_id", "arrived", "hours", "agent AS pilot_name", "day"
        )
        (
            frame.writeTo(sql("raw.calls"))
            .using("iceberg")
            .partitionedBy(f.days("arrived"), f.bucket(4, "ship_id"))
            .tableProperty("write.update.mode", "merge-on-read")
            .tableProperty("write.merge.mode", "merge-on-read")
            .tableProperty("write.delete.mode", "merge-on-read")
            .create()
        )

    def at_snapshot(job: Job) -> None:
        number = quiet(job, "gold.balance", 0)
        job.spark.read.option("snapshot-id", number).table(sql("gold.balance")).writeTo(sql("gold.dues")).append()

    def sql_version(job: Job) -> None:
        number = quiet(job, "gold.balance", 0)
        job.spark.sql(sql(f"INSERT INTO gold.dues SELECT ship_id, due FROM gold.balance VERSION AS OF {number}"))

    def incremental(job: Job) -> None:
        first = quiet(job, "gold.dues", 0)
        frame = job.spark.read.format("iceberg").option("start-snapshot-id", first).load(sql("gold.dues"))
        frame.selectExpr("ship_id", "due * 2 AS due").writeTo(sql("gold.grown")).using("iceberg").create()

    def rollback(job: Job) -> None:
        number = quiet(job, "gold.balance", 0)
        catalog = sql("gold.x").partition(".")[0]
        job.spark.sql(f"CALL {catalog}.system.rollback_to_snapshot('gold.balance', {number})").collect()

    def call(text: str) -> Callable[[Job], None]:
        def run(job: Job) -> None:
            job.spark.sql(
                text.replace("@g", sql("gold.x").partition(".")[0])
                .replace("@r", sql("raw.x").partition(".")[0])
                .replace("{root}", str(job.root))
            ).collect()

        return run

    def changelog(job: Job) -> None:
        catalog = sql("raw.x").partition(".")[0]
        job.spark.sql(
            f"CALL {catalog}.system.create_changelog_view(table => 'raw.calls', changelog_view => 'calls_log',"
            " identifier_columns => array('visit_id'))"
        ).collect()
        job.spark.sql(
            sql(
                "CREATE TABLE gold.log USING iceberg AS SELECT visit_id, hours, _change_type AS op FROM calls_log WHERE _change_type <> 'DELETE'"
            )
        )

    def upsert_stream(job: Job) -> None:
        def upsert(batch: DataFrame, number: int) -> None:
            batch.groupBy("ship_id").agg(f.max("hours").cast("double").alias("due")).createOrReplaceTempView("latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO gold.balance t USING latest s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET due = t.due + s.due"
                    " WHEN NOT MATCHED THEN INSERT *"
                )
            )

        source = job.spark.readStream.format("iceberg").load(sql("raw.visits"))
        job.stream(source, "upsert stream").foreachBatch(upsert).start().awaitTermination()

    def copy_stream(job: Job) -> None:
        source = (
            job.spark.readStream.format("iceberg")
            .load(sql("raw.visits"))
            .selectExpr("visit_id AS id", "upper(agent) AS who", "berth.code AS berth")
        )
        job.stream(source.where("id > 101"), "copy stream").format("iceberg").option("fanout-enabled", "true").toTable(
            sql("gold.streamed")
        ).awaitTermination()

    def file_stream(job: Job) -> None:
        frame = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        counts = frame.groupBy("ship_id").agg(f.sum("hours").alias("hours"), f.count("*").alias("n"))
        job.stream(counts, "file stream", "complete").format("iceberg").toTable(sql("gold.totals")).awaitTermination()

    def staged(job: Job) -> None:
        table(job, "raw.ships").join(table(job, "raw.visits"), "ship_id").groupBy("ship_id", "name").agg(
            f.max("tons").alias("tons"), f.max("day").alias("day")
        ).createOrReplaceTempView("staged")

    def merge_into(job: Job) -> None:
        (
            table(job, "raw.visits")
            .groupBy("ship_id")
            .agg(f.min("hours").cast("double").alias("low"))
            .alias("s")
            .mergeInto(sql("gold.balance"), f.expr(sql("gold.balance") + ".ship_id = s.ship_id"))
            .whenMatched(f.expr("s.low > 4"))
            .update({"due": f.col("s.low")})
            .whenNotMatched()
            .insert({"ship_id": f.col("s.ship_id"), "due": f.col("s.low") + 1})
            .merge()
        )

    return (
        Step(
            "calls",
            partitioned,
            "create calls",
            "visit_id ship_id arrived hours day < visits.*; pilot_name < visits.agent",
        ),
        step(
            "calls insert",
            "INSERT INTO raw.calls SELECT visit_id + 1000, ship_id, arrived + INTERVAL 1 DAY, hours + 1, lower(agent), day FROM raw.visits WHERE hours > 6",
            "append calls",
            "visit_id ship_id arrived hours day < visits.*; pilot_name < visits.agent",
            "FILTER visits.hours",
        ),
        step(
            "balance",
            "CREATE TABLE gold.balance USING iceberg AS SELECT ship_id, sum(due) AS due FROM gold.dues GROUP BY 1",
            "create balance",
            "ship_id due < dues.*",
        ),
        step(
            "update scalar",
            "UPDATE gold.balance SET due = due + (SELECT avg(tons) FROM raw.ships WHERE built > 1990) WHERE ship_id < 3",
            "update balance",
            "due < balance.due ships.tons",
            "FILTER balance.ship_id",
        ),
        step(
            "update in",
            "UPDATE gold.balance SET due = 0 WHERE ship_id IN (SELECT ship_id FROM raw.visits WHERE agent IS NULL)",
            "update balance",
            "due <",
        ),
        step(
            "update exists",
            "UPDATE gold.balance b SET due = due * 2 WHERE EXISTS (SELECT 1 FROM raw.ships s WHERE s.ship_id = b.ship_id AND s.flag = 'NL')",
            "update balance",
            "due < balance.due",
        ),
        step(
            "delete exists",
            "DELETE FROM gold.balance b WHERE EXISTS (SELECT 1 FROM raw.ships s WHERE s.ship_id = b.ship_id AND s.tons > 5500)",
            "delete balance",
        ),
        step(
            "delete not in",
            "DELETE FROM raw.calls WHERE ship_id NOT IN (SELECT ship_id FROM raw.ships)",
            "delete calls",
        ),
        step(
            "delete between",
            "DELETE FROM raw.calls WHERE hours BETWEEN 90 AND 95 OR pilot_name LIKE 'x%'",
            "delete calls",
        ),
        step(
            "update mor",
            "UPDATE raw.calls SET hours = CASE WHEN ship_id = 2 THEN hours + 1 ELSE hours END, pilot_name = concat(pilot_name, day) WHERE visit_id > 103",
            "update calls",
            "hours < calls.hours; pilot_name < calls.pilot_name calls.day",
            "FILTER calls.visit_id",
        ),
        step(
            "merge mor",
            "MERGE INTO raw.calls t USING (SELECT visit_id, max(hours) AS hours, max(agent) AS agent, max(ship_id) AS ship FROM raw.visits GROUP BY visit_id) s ON t.visit_id = s.visit_id"
            " WHEN MATCHED AND s.hours > 14 THEN DELETE WHEN MATCHED THEN UPDATE SET t.hours = s.hours + t.hours, t.pilot_name = s.agent"
            " WHEN NOT MATCHED THEN INSERT (visit_id, ship_id, hours) VALUES (s.visit_id, s.ship, s.hours) WHEN NOT MATCHED BY SOURCE AND t.hours > 90 THEN UPDATE SET t.pilot_name = 'none'",
            "merge calls",
            "visit_id < visits.visit_id; ship_id < visits.ship_id; hours < visits.hours calls.hours; pilot_name < visits.agent; arrived day <",
        ),
        step(
            "history ddl",
            "CREATE TABLE gold.history (ship_id BIGINT, name STRING, tons DOUBLE, since STRING, until STRING, current BOOLEAN) USING iceberg",
        ),
        step(
            "history first",
            "INSERT INTO gold.history SELECT ship_id, name, tons, '2026-01-01', NULL, true FROM raw.ships",
            "append history",
            "ship_id name tons < ships.*; since until current <",
        ),
        Step("stage", staged),
        step(
            "scd2",
            "MERGE INTO gold.history t USING (SELECT ship_id AS key, ship_id, name, tons, day FROM staged UNION ALL"
            " SELECT NULL AS key, s.ship_id, s.name, s.tons, s.day FROM staged s JOIN gold.history h ON s.ship_id = h.ship_id WHERE h.current AND s.tons <> h.tons) u ON t.ship_id = u.key"
            " WHEN MATCHED AND t.current AND t.tons <> u.tons THEN UPDATE SET current = false, until = u.day"
            " WHEN NOT MATCHED THEN INSERT (ship_id, name, tons, since, until, current) VALUES (u.ship_id, u.name, u.tons, u.day, NULL, true)",
            "merge history",
            "ship_id name tons < ships.*; since until < visits.day; current <",
        ),
        step(
            "merge by source",
            "MERGE INTO gold.balance t USING (SELECT s.ship_id, sum(v.hours) h FROM raw.ships s LEFT JOIN raw.visits v ON v.ship_id = s.ship_id GROUP BY s.ship_id) s"
            " ON t.ship_id = s.ship_id WHEN MATCHED AND s.h IS NULL THEN DELETE WHEN MATCHED AND s.h > 10 THEN UPDATE SET due = t.due + s.h"
            " WHEN MATCHED THEN UPDATE SET due = s.h WHEN NOT MATCHED AND s.h > 0 THEN INSERT (ship_id, due) VALUES (s.ship_id, s.h)"
            " WHEN NOT MATCHED BY SOURCE AND t.due < 0 THEN UPDATE SET due = 0 WHEN NOT MATCHED BY SOURCE AND t.due > 1e9 THEN DELETE",
            "merge balance",
            "ship_id < ships.ship_id; due < balance.due visits.hours",
        ),
        step(
            "merge constant",
            "MERGE INTO gold.balance t USING (SELECT 1L AS ship_id, 2.5D AS due) s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge balance",
            "ship_id due <",
        ),
        Step("merge into api", merge_into, "merge balance", "due < visits.hours; ship_id < visits.ship_id", only="4-1"),
        step(
            "daily",
            "CREATE TABLE gold.daily USING iceberg PARTITIONED BY (day) AS SELECT visit_id, hours, day FROM raw.visits",
            "create daily",
            "visit_id hours day < visits.*",
        ),
        Step(
            "overwrite partitions",
            lambda j: (
                table(j, "raw.visits")
                .where("day = '2026-05-02'")
                .selectExpr("visit_id", "CAST(ship_id AS INT) AS hours", "day")
                .writeTo(sql("gold.daily"))
                .overwritePartitions()
            ),
            "overwrite daily",
            "visit_id day < visits.*; hours < visits.ship_id",
            "FILTER visits.day",
        ),
        Step(
            "overwrite api",
            lambda j: (
                table(j, "raw.visits")
                .selectExpr("visit_id", "length(agent) AS hours", "day")
                .where("day = '2026-05-01'")
                .writeTo(sql("gold.daily"))
                .overwrite(f.col("day") == "2026-05-01")
            ),
            "overwrite daily",
            "visit_id day < visits.*; hours < visits.agent",
        ),
        step(
            "static",
            "INSERT OVERWRITE gold.daily PARTITION (day = '2026-05-03') SELECT ship_id, built FROM raw.ships",
            "overwrite daily",
            "visit_id < ships.ship_id; hours < ships.built; day <",
        ),
        Step(
            "dynamic",
            lambda j: (
                j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
                j.sql(
                    sql("INSERT OVERWRITE gold.daily SELECT visit_id, hours + 1, day FROM raw.calls WHERE hours > 1")
                ),
                j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode"),
            ),
            "overwrite daily",
            "visit_id hours day < calls.*",
            "FILTER calls.hours",
        ),
        step("branch", "ALTER TABLE gold.daily CREATE BRANCH audit RETAIN 7 DAYS"),
        step("tag", "ALTER TABLE gold.daily CREATE TAG first_night"),
        step(
            "branch insert",
            "INSERT INTO gold.daily.branch_audit SELECT visit_id, hours, 'audited' FROM raw.visits",
            "append daily",
            "visit_id hours < visits.*; day <",
        ),
        Step(
            "branch option",
            lambda j: (
                table(j, "raw.visits")
                .select("visit_id", "hours", "day")
                .writeTo(sql("gold.daily.branch_audit"))
                .append()
            ),
            "append daily",
            "visit_id hours day < visits.*",
        ),
        step(
            "branch read",
            "SELECT visit_id FROM gold.daily VERSION AS OF 'audit' WHERE hours > 1",
            "",
            "visit_id < daily.visit_id",
            "FILTER daily.hours",
        ),
        step(
            "tag insert",
            "INSERT INTO gold.dues SELECT visit_id, hours FROM gold.daily VERSION AS OF 'first_night'",
            "append dues",
            "ship_id < daily.visit_id; due < daily.hours",
        ),
        Step("fast forward", call("CALL @g.system.fast_forward('gold.daily', 'main', 'audit')"), "maintenance daily"),
        Step("at snapshot", at_snapshot, "append dues", "ship_id due < balance.*"),
        Step("sql version", sql_version, "append dues", "ship_id due < balance.*"),
        Step("incremental", incremental, "create grown", "ship_id due < dues.*"),
        Step("rollback", rollback, "maintenance balance"),
        step("after rollback", "SELECT ship_id FROM gold.balance WHERE due > 2", "", "ship_id < balance.ship_id"),
        Step(
            "rewrite",
            call("CALL @r.system.rewrite_data_files(table => 'raw.calls', options => map('min-input-files', '1'))"),
            "maintenance calls",
        ),
        Step("manifests", call("CALL @g.system.rewrite_manifests('gold.daily')"), "maintenance daily"),
        Step(
            "expire",
            call("CALL @g.system.expire_snapshots(table => 'gold.dues', retain_last => 1)"),
            "maintenance dues",
        ),
        Step("orphans", call("CALL @r.system.remove_orphan_files(table => 'raw.visits')"), "maintenance visits"),
        Step("changelog", changelog, "create log", "visit_id hours < calls.*; op < calls._change_type"),
        step(
            "changes table",
            "SELECT visit_id, _change_type, _change_ordinal FROM raw.calls.changes",
            "",
            "visit_id _change_type _change_ordinal < calls.*",
        ),
        step("snapshots table", "SELECT snapshot_id, operation FROM raw.calls.snapshots"),
        step(
            "files metadata",
            "CREATE TABLE gold.files USING iceberg AS SELECT file_path, record_count FROM raw.calls.files",
        ),
        step(
            "count stats", "INSERT INTO gold.dues SELECT count(*), 1.0D FROM raw.ships", "append dues", "ship_id due <"
        ),
        step("alter add", "ALTER TABLE raw.calls ADD COLUMN tug STRING AFTER hours", "alter calls"),
        step("alter rename", "ALTER TABLE raw.calls RENAME COLUMN pilot_name TO pilot", "alter calls"),
        step("alter type", "ALTER TABLE raw.calls ALTER COLUMN hours TYPE BIGINT", "alter calls"),
        step(
            "alter insert",
            "INSERT INTO raw.calls (visit_id, hours, tug, pilot, arrived) SELECT visit_id, hours, 'tug', agent, arrived FROM raw.visits WHERE ship_id = 1",
            "append calls",
            "visit_id hours arrived < visits.*; pilot < visits.agent; tug ship_id day <",
        ),
        step("alter drop", "ALTER TABLE raw.calls DROP COLUMN tug", "alter calls"),
        step("partition field", "ALTER TABLE raw.calls ADD PARTITION FIELD truncate(3, day)", "alter calls"),
        step("order", "ALTER TABLE raw.calls WRITE ORDERED BY visit_id", "alter calls"),
        step("altered read", "SELECT pilot, hours FROM raw.calls", "", "pilot hours < calls.*"),
        step(
            "replace as",
            "CREATE OR REPLACE TABLE gold.labels USING iceberg AS SELECT ship_id, concat(name, flag) AS label FROM raw.ships",
            "overwrite labels",
            "ship_id < ships.ship_id; label < ships.name ships.flag",
        ),
        Step(
            "save overwrite",
            lambda j: (
                table(j, "raw.ships")
                .groupBy("flag")
                .agg(f.count("*").alias("n"), f.max("built").alias("h"), f.lit(1.0).alias("mean"))
                .write.format("iceberg")
                .mode("overwrite")
                .saveAsTable(sql("gold.flags"))
            ),
            "overwrite flags",
            "flag < ships.flag; n <; h < ships.built; mean <",
        ),
        step(
            "swapped",
            "CREATE TABLE gold.swapped USING iceberg AS SELECT k, c1, c2 FROM raw.w60",
            "create swapped",
            "k c1 c2 < w60.*",
        ),
        Step(
            "swap",
            lambda j: (
                table(j, "gold.swapped")
                .selectExpr("k", "c1 + c2 AS c1", "c2 AS extra")
                .writeTo(sql("gold.swapped"))
                .using("iceberg")
                .createOrReplace()
            ),
            "overwrite swapped",
            "k < swapped.k; c1 < swapped.c1 swapped.c2; extra < swapped.c2",
        ),
        step(
            "notes",
            "CREATE TABLE gold.notes (id BIGINT, note STRING) USING iceberg TBLPROPERTIES ('write.spark.accept-any-schema' = 'true')",
        ),
        Step(
            "merge schema",
            lambda j: (
                table(j, "raw.ships")
                .selectExpr("ship_id AS id", "name AS note", "flag AS extra")
                .writeTo(sql("gold.notes"))
                .option("mergeSchema", "true")
                .append()
            ),
            "append notes",
            "id < ships.ship_id; note < ships.name; extra < ships.flag",
        ),
        step("notes read", "SELECT extra FROM gold.notes", "", "extra < notes.extra"),
        step(
            "by name",
            "INSERT INTO gold.notes BY NAME SELECT flag AS extra, ship_id AS id, upper(name) AS note FROM raw.ships",
            "append notes",
            "id < ships.ship_id; note < ships.name; extra < ships.flag",
        ),
        step(
            "w60 merge",
            f"MERGE INTO gold.w60b t USING (SELECT k, {numbered(59, 'c{n} * 2 AS d{n}')} FROM raw.w60 WHERE c50 > 3) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge w60b",
            "k < w60.k; " + "; ".join(f"d{n} < w60.c{n}" for n in range(1, 60)),
        ),
        step(
            "w60 update",
            "UPDATE gold.w60b SET d58 = d57 + d2, d3 = CASE WHEN d40 > 1 THEN d4 ELSE 0 END WHERE d44 > 2",
            "update w60b",
            "d58 < w60b.d57 w60b.d2; d3 < w60b.d4",
            "FILTER w60b.d44",
        ),
        step(
            "w60 partial",
            "INSERT INTO gold.w60b (k, d59, d3) SELECT k, c3, c59 FROM raw.w60",
            "append w60b",
            "k < w60.k; d59 < w60.c3; d3 < w60.c59; " + " ".join(f"d{n}" for n in range(1, 59) if n != 3) + " <",
        ),
        step("w60 delete", "DELETE FROM gold.w60b WHERE d50 + d51 > 1000000", "delete w60b", "", "FILTER w60b.d50"),
        step(
            "w60m",
            "CREATE TABLE raw.w60m USING iceberg TBLPROPERTIES ('write.merge.mode'='merge-on-read','write.update.mode'='merge-on-read','write.delete.mode'='merge-on-read') AS SELECT * FROM raw.w60",
            "create w60m",
            "k c{1..59} < w60.*",
        ),
        step(
            "w60m merge",
            "MERGE INTO raw.w60m t USING raw.w60 s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge w60m",
            "k c{1..59} < w60.*",
        ),
        step(
            "w60m update",
            "UPDATE raw.w60m SET c2 = c59 + 1 WHERE c58 > 4",
            "update w60m",
            "c2 < w60m.c59",
            "FILTER w60m.c58",
        ),
        step("w60m delete", "DELETE FROM raw.w60m WHERE c44 = 12 AND c2 > 3", "delete w60m", "", "FILTER w60m.c44"),
        Step(
            "upsert stream", upsert_stream, "merge balance", "ship_id < visits.ship_id; due < balance.due visits.hours"
        ),
        step("streamed", "CREATE TABLE gold.streamed (id BIGINT, who STRING, berth STRING) USING iceberg"),
        Step(
            "copy stream",
            copy_stream,
            "append streamed",
            "id < visits.visit_id; who < visits.agent; berth < visits.berth.code",
        ),
        step("totals", "CREATE TABLE gold.totals (ship_id BIGINT, hours BIGINT, n BIGINT) USING iceberg"),
        Step("file stream", file_stream, "overwrite totals", "ship_id hours < json.*; n <"),
        step(
            "view",
            "CREATE VIEW gold.busy AS SELECT d.day, count(*) AS n, max(d.hours) AS most FROM gold.daily d GROUP BY d.day",
            "create busy",
            "day < daily.day; n <; most < daily.hours",
            only="4-1",
        ),
        step(
            "view join",
            "CREATE OR REPLACE VIEW gold.named (who, tons) COMMENT 'x' AS SELECT concat(s.name, '-', v.agent) AS a, s.tons * 2 FROM raw.ships s JOIN raw.visits v ON v.ship_id = s.ship_id WHERE s.built > 1990",
            "create named",
            "who < ships.name visits.agent; tons < ships.tons",
            "JOIN visits.ship_id; FILTER ships.built",
            only="4-1",
        ),
        step(
            "from view",
            "CREATE TABLE gold.busiest USING iceberg AS SELECT day, most FROM gold.busy WHERE n > 1",
            "create busiest",
            "day < daily.day; most < daily.hours",
            only="4-1",
        ),
        step(
            "from view join",
            "SELECT who FROM gold.named WHERE tons > 5",
            "",
            "who < ships.name visits.agent",
            only="4-1",
        ),
        step("rename table", "ALTER TABLE gold.grown RENAME TO gold.grew"),
        step(
            "renamed insert",
            "INSERT INTO gold.grew SELECT ship_id, due FROM gold.dues WHERE due > 3",
            "append grew",
            "ship_id due < dues.*",
            "FILTER dues.due",
        ),
        step("truncate", "TRUNCATE TABLE gold.streamed", "truncate streamed"),
        step("drop", "DROP TABLE gold.busiest"),
    )
