"""The harbour's statements that only Hudi and only Paimon understand, with their truth."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, HudiPaths, Job, Step, numbered

RAW = frozenset({"ships", "visits", "w60", "calls"})
CHANGES = {
    "hudi": "balance: column_added note",
    "paimon": "balance: column_added note\nbalance: column_renamed remark\nflags: column_dropped h mean\nflags: column_added top",
}


def hudi(sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return Hudi's steps.

    Args:
        sql: Puts catalogs into a text.
    """

    def saved(frame: DataFrame, job: Job, target: str, operation: str, mode: str = "append", **more: str) -> None:
        name, key = target.split()
        HudiPaths(key, "hours").save(frame, job, name, operation, mode, **more)

    def upsert_stream(job: Job) -> None:
        def upsert(batch: DataFrame, number: int) -> None:
            batch.groupBy("ship_id").agg(f.max("hours").alias("hours")).createOrReplaceTempView("latest")
            batch.sparkSession.sql(
                "MERGE INTO gold.balance t USING (SELECT ship_id, CAST(hours AS DOUBLE) AS due, 1L AS ts FROM latest) s ON t.ship_id = s.ship_id"
                " WHEN MATCHED THEN UPDATE SET due = s.due, ts = s.ts WHEN NOT MATCHED THEN INSERT *"
            )

        source = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        job.stream(source, "upsert stream").foreachBatch(upsert).start().awaitTermination()

    def incremental(job: Job) -> None:
        frame = (
            job.spark.read.format("hudi")
            .option("hoodie.datasource.query.type", "incremental")
            .option("hoodie.datasource.read.begin.instanttime", "000")
            .load(f"{job.root}/lake/berths")
        )
        saved(frame.selectExpr("ship_id", "hours + 1 AS hours"), job, "grown ship_id", "insert")

    return (
        Step(
            "berths",
            lambda j: saved(
                j.spark.table("raw.visits")
                .groupBy("ship_id")
                .agg(f.max("hours").alias("hours"), f.max("agent").alias("agent")),
                j,
                "berths ship_id",
                "bulk_insert",
                "overwrite",
            ),
            "overwrite berths",
            "ship_id hours agent < visits.*",
        ),
        Step(
            "berths upsert",
            lambda j: saved(
                j.spark.table("raw.ships")
                .selectExpr("ship_id", "built AS hours", "name AS agent")
                .where("ship_id > 4"),
                j,
                "berths ship_id",
                "upsert",
            ),
            "append berths",
            "ship_id < ships.ship_id; hours < ships.built; agent < ships.name",
        ),
        Step(
            "berths read",
            lambda j: (
                j.spark.read.format("hudi").load(f"{j.root}/lake/berths").where("hours > 5").select("agent").collect()
            ),
            "",
            "agent < berths.agent",
            "FILTER berths.hours",
        ),
        Step("incremental", incremental, "append grown", "ship_id hours < berths.*"),
        Step(
            "balance ddl",
            "CREATE TABLE gold.balance (ship_id BIGINT, due DOUBLE, ts BIGINT) USING hudi TBLPROPERTIES (primaryKey = 'ship_id', preCombineField = 'ts')",
        ),
        Step(
            "balance",
            "INSERT INTO gold.balance SELECT ship_id, sum(due), max(unix_timestamp('2026-01-01')) FROM gold.dues GROUP BY ship_id",
            "append balance",
            "ship_id due < dues.*; ts <",
        ),
        Step(
            "merge",
            "MERGE INTO gold.balance t USING (SELECT v.ship_id, CAST(sum(v.hours) AS DOUBLE) AS due, 7L AS ts FROM raw.visits v JOIN raw.ships s ON s.ship_id = v.ship_id WHERE s.flag = 'NL' GROUP BY v.ship_id) s ON t.ship_id = s.ship_id WHEN MATCHED AND s.due > 100 THEN DELETE WHEN MATCHED THEN UPDATE SET due = t.due + s.due, ts = s.ts WHEN NOT MATCHED THEN INSERT (ship_id, due, ts) VALUES (s.ship_id, s.due, s.ts)",
            "merge balance",
            "ship_id < visits.ship_id; due < balance.due visits.hours; ts <",
        ),
        Step(
            "merge star",
            "MERGE INTO gold.balance t USING (SELECT ship_id, tons AS due, CAST(built AS BIGINT) AS ts FROM raw.ships) s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge balance",
            "ship_id < ships.ship_id; due < ships.tons; ts < ships.built",
        ),
        Step(
            "merge table",
            "MERGE INTO gold.balance t USING raw.ships s ON t.ship_id = s.ship_id WHEN MATCHED AND s.tons > 10 THEN UPDATE SET due = s.tons, ts = 9 WHEN NOT MATCHED THEN INSERT (ship_id, due, ts) VALUES (s.ship_id, s.tons, 1)",
            "merge balance",
            "ship_id < ships.ship_id; due < ships.tons; ts <",
        ),
        Step(
            "update",
            "UPDATE gold.balance SET due = due * 2 + ship_id WHERE ts > 1",
            "update balance",
            "due < balance.due balance.ship_id",
            "FILTER balance.ts",
        ),
        Step(
            "update in",
            "UPDATE gold.balance SET due = 0 WHERE ship_id IN (SELECT ship_id FROM raw.visits WHERE agent IS NULL)",
            "update balance",
            "due <",
        ),
        Step(
            "delete",
            "DELETE FROM gold.balance WHERE due > 90000 AND ship_id > 0",
            "delete balance",
            "",
            "FILTER balance.due",
        ),
        Step(
            "delete in",
            "DELETE FROM gold.balance WHERE ship_id IN (SELECT ship_id FROM raw.ships WHERE tons > 5500)",
            "delete balance",
        ),
        Step(
            "parts ddl",
            "CREATE TABLE gold.daily (visit_id BIGINT, hours INT, day STRING) USING hudi PARTITIONED BY (day) TBLPROPERTIES (primaryKey = 'visit_id', type = 'mor')",
        ),
        Step(
            "parts",
            "INSERT INTO gold.daily SELECT visit_id, hours, day FROM raw.visits",
            "append daily",
            "visit_id hours day < visits.*",
        ),
        Step(
            "parts static",
            "INSERT INTO gold.daily PARTITION (day = '2026-05-05') SELECT ship_id, built FROM raw.ships",
            "append daily",
            "visit_id < ships.ship_id; hours < ships.built; day <",
        ),
        Step(
            "parts overwrite",
            "INSERT OVERWRITE gold.daily PARTITION (day) SELECT visit_id + 1, hours, day FROM raw.visits WHERE day = '2026-05-02'",
            "overwrite daily",
            "visit_id hours day < visits.*",
        ),
        Step("parts dropped", "ALTER TABLE gold.daily DROP PARTITION (day = '2026-05-05')"),
        Step(
            "mor update",
            "UPDATE gold.daily SET hours = hours + visit_id WHERE day = '2026-05-01'",
            "update daily",
            "hours < daily.hours daily.visit_id",
        ),
        Step(
            "mor read",
            "SELECT day, max(hours) AS h FROM gold.daily GROUP BY day",
            "",
            "day < daily.day; h < daily.hours",
        ),
        Step("compact", "CALL run_compaction(op => 'run', table => 'gold.daily')"),
        Step(
            "time travel",
            "INSERT INTO gold.dues SELECT ship_id, due FROM gold.balance TIMESTAMP AS OF '2099-01-01'",
            "append dues",
            "ship_id due < balance.*",
        ),
        Step(
            "dynamic",
            lambda j: saved(
                j.spark.table("raw.visits").selectExpr("visit_id", "hours", "agent", "day"),
                j,
                "agents visit_id",
                "insert_overwrite",
                **{"hoodie.datasource.write.partitionpath.field": "day"},
            ),
            "overwrite agents",
            "visit_id hours agent day < visits.*",
        ),
        Step(
            "deletes",
            lambda j: saved(
                j.spark.read.format("hudi")
                .load(f"{j.root}/lake/agents")
                .where("agent IS NULL")
                .select("visit_id", "hours", "agent", "day"),
                j,
                "agents visit_id",
                "delete",
                **{"hoodie.datasource.write.partitionpath.field": "day"},
            ),
            "delete agents",
        ),
        Step(
            "w60 saved",
            lambda j: saved(
                j.spark.table("raw.w60").selectExpr("k", "k AS hours", *(f"c{n} + 1 AS c{n}" for n in range(1, 59))),
                j,
                "w60s k",
                "upsert",
            ),
            "append w60s",
            "k < w60.k; hours < w60.k; " + " ".join(f"c{n}" for n in range(1, 59)) + " < w60.*",
        ),
        Step(
            "w60 keyed ddl",
            f"CREATE TABLE gold.w60k (k BIGINT, {numbered(59, 'd{n} DOUBLE')}) USING hudi TBLPROPERTIES (primaryKey = 'k', preCombineField = 'd1')",
        ),
        Step(
            "w60 keyed",
            f"INSERT INTO gold.w60k SELECT k, {numbered(59, 'c{n} + 1')} FROM raw.w60",
            "append w60k",
            "k < w60.k; " + "; ".join(f"d{n} < w60.c{n}" for n in range(1, 60)),
        ),
        Step(
            "w60 merge",
            f"MERGE INTO gold.w60k t USING (SELECT k, {numbered(59, 'c{n} AS d{n}')} FROM raw.w60) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge w60k",
            "k < w60.k; " + "; ".join(f"d{n} < w60.c{n}" for n in range(1, 60)),
        ),
        Step(
            "w60 update",
            "UPDATE gold.w60k SET d58 = d57 + d2, d3 = CASE WHEN d40 > 1 THEN d4 ELSE 0 END WHERE d44 > 2",
            "update w60k",
            "d58 < w60k.d57 w60k.d2; d3 < w60k.d4",
            "FILTER w60k.d44",
        ),
        Step("upsert stream", upsert_stream, "merge balance", "ship_id < json.ship_id; due < json.hours; ts <"),
        Step("add", "ALTER TABLE gold.balance ADD COLUMNS (note STRING)", "alter balance"),
        Step(
            "added insert",
            "INSERT INTO gold.balance SELECT ship_id + 100, tons, 1L, name FROM raw.ships",
            "append balance",
            "ship_id < ships.ship_id; due < ships.tons; ts <; note < ships.name",
        ),
        Step(
            "added read", "SELECT note FROM gold.balance WHERE due > 1", "", "note < balance.note", "FILTER balance.due"
        ),
        Step(
            "view",
            "CREATE VIEW gold.busy AS SELECT day, max(hours) AS most FROM gold.daily GROUP BY day",
            "create busy",
            "day < daily.day; most < daily.hours",
        ),
        Step(
            "replace",
            "CREATE OR REPLACE TABLE gold.labels USING hudi AS SELECT ship_id, name AS label FROM raw.ships",
            "overwrite labels",
            "ship_id < ships.ship_id; label < ships.name",
        ),
        Step("truncate", "TRUNCATE TABLE gold.daily", "truncate daily"),
    )


def paimon(sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return Paimon's steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def place(name: str) -> str:
        return "{root}/pai/" + name.replace(".", ".db/")

    def upsert_stream(job: Job) -> None:
        def upsert(batch: DataFrame, number: int) -> None:
            batch.groupBy("ship_id").agg(f.max("hours").cast("double").alias("due")).createOrReplaceTempView("latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO gold.balance t USING latest s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET due = s.due WHEN NOT MATCHED THEN INSERT (ship_id, due) VALUES (s.ship_id, s.due)"
                )
            )

        source = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        job.stream(source, "upsert stream").foreachBatch(upsert).start().awaitTermination()

    def sink(job: Job) -> None:
        source = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        frame = source.selectExpr("ship_id", "CAST(hours AS DOUBLE) AS due")
        job.stream(frame, "sink stream").format("paimon").start(
            place("gold.sunk").replace("{root}", str(job.root))
        ).awaitTermination()

    def copied(job: Job) -> None:
        source = job.spark.readStream.format("paimon").table(sql("gold.sunk"))
        job.stream(source.selectExpr("ship_id AS id", "due + 1 AS due"), "copy stream").format("paimon").toTable(
            sql("gold.copied")
        ).awaitTermination()

    return (
        step(
            "balance ddl",
            "CREATE TABLE gold.balance (ship_id BIGINT, due DOUBLE) USING paimon TBLPROPERTIES ('primary-key' = 'ship_id', 'bucket' = '2')",
        ),
        step(
            "balance",
            "INSERT INTO gold.balance SELECT ship_id, sum(due) FROM gold.dues GROUP BY ship_id",
            "append balance",
            "ship_id due < dues.*",
        ),
        step(
            "merge",
            "MERGE INTO gold.balance t USING (SELECT v.ship_id, CAST(sum(v.hours) AS DOUBLE) AS due FROM raw.visits v JOIN raw.ships s ON s.ship_id = v.ship_id WHERE s.flag = 'NL' GROUP BY v.ship_id) s ON t.ship_id = s.ship_id WHEN MATCHED AND s.due > 100 THEN DELETE WHEN MATCHED THEN UPDATE SET due = t.due + s.due WHEN NOT MATCHED THEN INSERT (ship_id, due) VALUES (s.ship_id, s.due)",
            "merge balance",
            "ship_id < visits.ship_id; due < balance.due visits.hours",
        ),
        step(
            "merge star",
            "MERGE INTO gold.balance t USING (SELECT ship_id, tons AS due FROM raw.ships) s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge balance",
            "ship_id < ships.ship_id; due < ships.tons",
        ),
        step(
            "merge by source",
            "MERGE INTO gold.balance t USING raw.ships s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET due = s.tons WHEN NOT MATCHED BY SOURCE AND t.due < 0 THEN DELETE",
            "merge balance",
            "due < ships.tons",
        ),
        step(
            "update",
            "UPDATE gold.balance SET due = due * 2 + length(CAST(ship_id AS STRING)) WHERE ship_id > 1",
            "update balance",
            "due < balance.due balance.ship_id",
            "FILTER balance.ship_id",
        ),
        step(
            "update in",
            "UPDATE gold.balance SET due = 0 WHERE ship_id IN (SELECT ship_id FROM raw.visits WHERE agent IS NULL)",
            "update balance",
            "due <",
        ),
        step("delete", "DELETE FROM gold.balance WHERE due > 90000", "delete balance", "", "FILTER balance.due"),
        step(
            "delete exists",
            "DELETE FROM gold.balance WHERE EXISTS (SELECT 1 FROM raw.ships s WHERE s.tons > 99999 AND s.ship_id = balance.ship_id)",
            "delete balance",
        ),
        step(
            "append update",
            "UPDATE gold.dues SET due = due + 1 WHERE ship_id = 2",
            "update dues",
            "due < dues.due",
            "FILTER dues.ship_id",
        ),
        step("append delete", "DELETE FROM gold.dues WHERE due < 0", "delete dues", "", "FILTER dues.due"),
        step(
            "daily",
            "CREATE TABLE gold.daily USING paimon PARTITIONED BY (day) AS SELECT visit_id, hours, day FROM raw.visits",
            "create daily",
            "visit_id hours day < visits.*",
        ),
        step(
            "overwrite",
            "INSERT OVERWRITE gold.daily SELECT visit_id, hours + 1, day FROM raw.visits WHERE hours > 2",
            "overwrite daily",
            "visit_id hours day < visits.*",
            "FILTER visits.hours",
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
                j.sql(sql("INSERT OVERWRITE gold.daily SELECT visit_id, length(agent), day FROM raw.visits")),
                j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode"),
            ),
            "overwrite daily",
            "visit_id day < visits.*; hours < visits.agent",
        ),
        Step(
            "save path",
            lambda j: (
                table(j, "raw.ships")
                .selectExpr("ship_id", "tons AS due")
                .write.format("paimon")
                .mode("append")
                .save(place("gold.dues").replace("{root}", str(j.root)))
            ),
            "append dues",
            "ship_id < ships.ship_id; due < ships.tons",
        ),
        Step(
            "load path",
            lambda j: (
                j.spark.read.format("paimon")
                .load(place("raw.ships").replace("{root}", str(j.root)))
                .where("built > 1991")
                .selectExpr("ship_id", "built * 1.0D AS due")
                .write.insertInto(sql("gold.dues"))
            ),
            "append dues",
            "ship_id < ships.ship_id; due < ships.built",
            "FILTER ships.built",
        ),
        step(
            "travel",
            "INSERT INTO gold.dues SELECT ship_id, due FROM gold.balance VERSION AS OF 1",
            "append dues",
            "ship_id due < balance.*",
        ),
        step(
            "tag",
            "CALL sys.create_tag(table => 'gold.balance', tag => 't1', snapshot => 1)".replace("sys.", "pai.sys."),
            "maintenance balance",
        ),
        step("tagged", "SELECT ship_id FROM gold.balance VERSION AS OF 't1'", "", "ship_id < balance.ship_id"),
        Step(
            "increment",
            lambda j: (
                j.spark.read.format("paimon")
                .option("incremental-between", "1,3")
                .table(sql("gold.balance"))
                .where("due > 1")
                .write.mode("append")
                .insertInto(sql("gold.dues"))
            ),
            "append dues",
            "ship_id due < balance.*",
        ),
        step("audit log", "SELECT rowkind, ship_id FROM gold.`balance$audit_log`", "", ""),
        step("system", "SELECT snapshot_id, commit_kind FROM gold.`balance$snapshots`"),
        step("rollback", "CALL pai.sys.rollback(table => 'gold.balance', version => '1')", "maintenance balance"),
        step("compact", "CALL pai.sys.compact(table => 'gold.daily')", "maintenance daily"),
        step(
            "w60 keyed",
            f"CREATE TABLE gold.w60k TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '1') AS SELECT k, {numbered(59, 'c{n} AS d{n}')} FROM raw.w60",
            "create w60k",
            "k < w60.k; " + "; ".join(f"d{n} < w60.c{n}" for n in range(1, 60)),
        ),
        step(
            "w60 merge",
            f"MERGE INTO gold.w60k t USING (SELECT k, {numbered(59, 'c{n} * 2 AS d{n}')} FROM raw.w60) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge w60k",
            "k < w60.k; " + "; ".join(f"d{n} < w60.c{n}" for n in range(1, 60)),
        ),
        step(
            "w60 update",
            "UPDATE gold.w60k SET d58 = d57 + d2, d3 = CASE WHEN d40 > 1 THEN d4 ELSE 0 END WHERE d44 > 2",
            "update w60k",
            "d58 < w60k.d57 w60k.d2; d3 < w60k.d4",
            "FILTER w60k.d44",
        ),
        Step("upsert stream", upsert_stream, "merge balance", "ship_id < json.ship_id; due < json.hours"),
        step(
            "sunk ddl",
            "CREATE TABLE gold.sunk (ship_id BIGINT, due DOUBLE) USING paimon TBLPROPERTIES ('primary-key' = 'ship_id', 'bucket' = '1')",
        ),
        step("copied ddl", "CREATE TABLE gold.copied (id BIGINT, due DOUBLE) USING paimon"),
        Step("sink stream", sink, "append sunk", "ship_id < json.ship_id; due < json.hours"),
        Step("copy stream", copied, "append copied", "id < sunk.ship_id; due < sunk.due"),
        step("add", "ALTER TABLE gold.balance ADD COLUMNS (note STRING)", "alter balance"),
        step("rename", "ALTER TABLE gold.balance RENAME COLUMN note TO remark", "alter balance"),
        step(
            "added",
            "INSERT INTO gold.balance SELECT ship_id, tons, name FROM raw.ships",
            "append balance",
            "ship_id < ships.ship_id; due < ships.tons; remark < ships.name",
        ),
        step(
            "added read",
            "SELECT remark FROM gold.balance WHERE due > 1",
            "",
            "remark < balance.remark",
            "FILTER balance.due",
        ),
        Step(
            "replace",
            lambda j: (
                table(j, "raw.ships")
                .groupBy("flag")
                .agg(f.count("*").alias("n"), f.max("built").alias("top"))
                .write.format("paimon")
                .mode("overwrite")
                .saveAsTable(sql("gold.flags"))
            ),
            "overwrite flags",
            "flag < ships.flag; n <; top < ships.built",
        ),
        step("rename table", "ALTER TABLE gold.copied RENAME TO gold.copies"),
        step(
            "renamed",
            "INSERT INTO gold.copies SELECT ship_id, due FROM gold.dues WHERE due > 3",
            "append copies",
            "id < dues.ship_id; due < dues.due",
            "FILTER dues.due",
        ),
        step("truncate", "TRUNCATE TABLE gold.sunk", "truncate sunk"),
    )
