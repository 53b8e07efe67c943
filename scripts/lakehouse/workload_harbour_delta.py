"""The harbour's statements that only Delta understands, with their truth."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import Job, Step, numbered

RAW = frozenset({"ships", "visits", "w60"})
PATHS = {
    "berths": "{root}/lake/berths",
    "tariffs": "{root}/landing/tariffs",
    "copied": "{root}/lake/copied",
    "agents": "{root}/lake/agents",
    "grown": "{root}/lake/grown",
    "w60s": "{root}/lake/w60s",
}
CHANGES = """
registry: column_added note
registry: column_added remark
registry: column_renamed nation
registry: column_dropped remark
prices: column_added valid
prices: type_changed price @4-1
crew_table: column_added rank
swapped: column_dropped c2
swapped: column_added extra
w60j: column_dropped e{1..30} name f{1..59}
w60j: column_added f{1..59} c{1..59}
"""


def steps(sql: Callable[[str], str]) -> tuple[Step, ...]:  # noqa: C901, PLR0915 - functions of single steps
    """Return the steps.

    Args:
        sql: Puts catalogs into a text.
    """

    def api_merge(job: Job) -> None:
        from delta.tables import DeltaTable

        source = (
            job.spark.table("raw.visits")
            .groupBy("ship_id")
            .agg(f.max("hours").alias("most"), f.max("day").alias("seen"))
        )
        (
            DeltaTable.forPath(job.spark, f"{job.root}/lake/berths")
            .alias("t")
            .merge(source.alias("s"), "t.ship_id = s.ship_id")
            .whenMatchedUpdate(
                condition="s.most > t.hours",
                set={"hours": "s.most", "note": f.concat(f.col("t.note"), f.col("s.seen"))},
            )
            .whenNotMatchedInsert(values={"ship_id": "s.ship_id", "hours": "s.most + 1", "note": f.lit("new")})
            .whenNotMatchedBySourceUpdate(condition="t.hours < 0", set={"note": f.lit("gone")})
            .whenNotMatchedBySourceDelete(condition="t.hours < -5")
            .execute()
        )

    def api_all(job: Job) -> None:
        from delta.tables import DeltaTable

        source = job.spark.table("gold.dues").groupBy("ship_id").agg(f.sum("due").alias("due"))
        table = DeltaTable.forName(job.spark, "gold.balance")
        table.alias("b").merge(
            source.alias("d"), f.expr("b.ship_id = d.ship_id AND b.ship_id > 0")
        ).whenMatchedUpdateAll(condition="d.due <> b.due").whenNotMatchedInsertAll().execute()

    def api_update(job: Job) -> None:
        from delta.tables import DeltaTable

        DeltaTable.forName(job.spark, "gold.balance").update(
            condition=f.col("due") > 10, set={"due": f.col("due") * f.col("ship_id")}
        )

    def api_delete(job: Job) -> None:
        from delta.tables import DeltaTable

        DeltaTable.forPath(job.spark, f"{job.root}/lake/berths").delete("hours > 900")

    def replace_where(job: Job) -> None:
        frame = (
            job.spark.table("raw.visits")
            .where("day = '2026-05-01'")
            .selectExpr("visit_id", "hours * 2 AS hours", "day")
        )
        frame.write.format("delta").mode("overwrite").option("replaceWhere", "day = '2026-05-01'").saveAsTable(
            "gold.daily"
        )

    def dynamic(job: Job) -> None:
        frame = (
            job.spark.table("raw.visits").selectExpr("visit_id", "ship_id AS hours", "day").where("day = '2026-05-02'")
        )
        frame.write.format("delta").mode("overwrite").option("partitionOverwriteMode", "dynamic").insertInto(
            "gold.daily"
        )

    def scd2(job: Job) -> None:
        job.sql(
            "MERGE INTO gold.history t USING (SELECT ship_id AS key, ship_id, name, tons, day FROM staged UNION ALL"
            " SELECT NULL AS key, s.ship_id, s.name, s.tons, s.day FROM staged s JOIN gold.history h ON s.ship_id = h.ship_id"
            " WHERE h.current AND s.tons <> h.tons) u ON t.ship_id = u.key"
            " WHEN MATCHED AND t.current AND t.tons <> u.tons THEN UPDATE SET current = false, until = u.day"
            " WHEN NOT MATCHED THEN INSERT (ship_id, name, tons, since, until, current)"
            " VALUES (u.ship_id, u.name, u.tons, u.day, NULL, true)"
        )

    def staged(job: Job) -> None:
        job.spark.table("raw.ships").join(job.spark.table("raw.visits"), "ship_id").groupBy("ship_id", "name").agg(
            f.max("tons").alias("tons"), f.max("day").alias("day")
        ).createOrReplaceTempView("staged")

    def cdf_batch(job: Job) -> None:
        frame = job.spark.read.option("readChangeFeed", "true").option("startingVersion", 1).table("gold.tracked")
        changed = frame.where("_change_type != 'update_preimage'").selectExpr("ship_id", "due", "_change_type AS op")
        changed.write.format("delta").mode("append").saveAsTable("gold.audit")

    def cdf_stream(job: Job) -> None:
        frame = job.spark.readStream.option("readChangeFeed", "true").option("startingVersion", 0).table("gold.tracked")
        out = frame.where("_change_type = 'insert'").select("ship_id", (f.col("due") + 1).alias("due"))
        job.stream(out, "feed stream").toTable("gold.fed").awaitTermination()

    def each_batch(job: Job) -> None:
        from delta.tables import DeltaTable

        def upsert(batch: DataFrame, number: int) -> None:
            latest = batch.groupBy("ship_id").agg(f.max("hours").alias("due"))
            (
                DeltaTable.forName(batch.sparkSession, "gold.balance")
                .alias("t")
                .merge(latest.alias("s"), "t.ship_id = s.ship_id")
                .whenMatchedUpdate(set={"due": "t.due + s.due"})
                .whenNotMatchedInsertAll()
                .execute()
            )

        job.stream(job.spark.readStream.table("raw.visits"), "upsert stream").foreachBatch(
            upsert
        ).start().awaitTermination()

    def two_sinks(job: Job) -> None:
        def write(batch: DataFrame, number: int) -> None:
            options = {"txnAppId": "harbour", "txnVersion": str(number)}
            batch.select("visit_id", "agent").write.format("delta").options(**options).mode("append").save(
                f"{job.root}/lake/crew"
            )
            batch.groupBy("day").count().write.format("delta").mode("append").saveAsTable("gold.counts")

        job.stream(job.spark.readStream.table("raw.visits"), "two sinks").foreachBatch(write).start().awaitTermination()

    def path_stream(job: Job) -> None:
        frame = (
            job.spark.readStream.format("delta")
            .load(f"{job.root}/lake/berths")
            .selectExpr("ship_id AS id", "upper(note) AS note")
        )
        writer = job.stream(frame, "path stream").format("delta")
        writer.start(f"{job.root}/lake/copied").awaitTermination()

    def file_stream(job: Job) -> None:
        frame = job.spark.readStream.schema("visit_id BIGINT, ship_id BIGINT, hours INT").json(
            f"{job.root}/landing/visits"
        )
        counts = frame.groupBy("ship_id").agg(f.sum("hours").alias("hours"), f.count("*").alias("n"))
        job.stream(counts, "file stream", "complete").format("delta").toTable("gold.totals").awaitTermination()

    def restore(job: Job) -> None:
        from delta.tables import DeltaTable

        DeltaTable.forName(job.spark, "gold.balance").restoreToVersion(0)

    def evolve_merge(job: Job) -> None:
        job.spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")
        try:
            job.sql(
                "MERGE INTO gold.history t USING (SELECT ship_id, name, tons, day AS since, 'a' AS grade FROM staged) s"
                " ON t.ship_id = s.ship_id AND t.current WHEN MATCHED THEN UPDATE SET t.grade = s.grade, t.tons = s.tons"
                " WHEN NOT MATCHED THEN INSERT *"
            )
        finally:
            job.spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled")

    return (
        Step(
            "berths",
            lambda j: (
                j.spark.table("raw.visits")
                .groupBy("ship_id")
                .agg(f.min("hours").alias("hours"), f.lit("-").alias("note"))
                .write.format("delta")
                .save(f"{j.root}/lake/berths")
            ),
            "create berths",
            "ship_id hours < visits.*; note <",
        ),
        Step(
            "api merge",
            api_merge,
            "merge berths",
            "ship_id < visits.ship_id; hours < visits.hours; note < berths.note visits.day",
        ),
        Step(
            "path sql",
            "INSERT INTO delta.`{root}/lake/berths` SELECT ship_id, CAST(tons AS INT), name FROM raw.ships WHERE tons > 4000",
            "append berths",
            "ship_id < ships.ship_id; hours < ships.tons; note < ships.name",
        ),
        Step(
            "path update",
            "UPDATE delta.`{root}/lake/berths` SET note = upper(note), hours = hours + 1 WHERE ship_id = 2",
            "update berths",
            "note hours < berths.*",
            "FILTER berths.ship_id",
        ),
        Step("api delete", api_delete, "delete berths"),
        Step(
            "balance",
            "CREATE TABLE gold.balance USING delta AS SELECT ship_id, sum(due) AS due FROM gold.dues GROUP BY 1",
            "create balance",
            "ship_id due < dues.*",
        ),
        Step("api all", api_all, "merge balance", "ship_id due < dues.*"),
        Step("api update", api_update, "update balance", "due < balance.due balance.ship_id", "FILTER balance.due"),
        Step(
            "daily",
            "CREATE TABLE gold.daily USING delta PARTITIONED BY (day) AS SELECT visit_id, hours, day FROM raw.visits",
            "create daily",
            "visit_id hours day < visits.*",
        ),
        Step("replace where", replace_where, "overwrite daily", "visit_id hours day < visits.*", "FILTER visits.day"),
        Step(
            "replace where sql",
            "INSERT INTO gold.daily REPLACE WHERE day = '2026-05-02' SELECT visit_id, hours + 7, day FROM raw.visits WHERE day = '2026-05-02'",
            "overwrite daily",
            "visit_id hours day < visits.*",
        ),
        Step("dynamic", dynamic, "overwrite daily", "visit_id day < visits.*; hours < visits.ship_id"),
        Step(
            "static",
            "INSERT OVERWRITE gold.daily PARTITION (day = '2026-05-03') SELECT ship_id, built FROM raw.ships",
            "overwrite daily",
            "visit_id < ships.ship_id; hours < ships.built; day <",
        ),
        Step(
            "overwrite api",
            lambda j: (
                j.spark.table("raw.visits")
                .selectExpr("visit_id", "length(agent) AS hours", "day")
                .writeTo("gold.daily")
                .overwrite(f.col("day") == "2026-05-01")
            ),
            "overwrite daily",
            "visit_id day < visits.*; hours < visits.agent",
        ),
        Step(
            "history",
            "CREATE TABLE gold.history (ship_id BIGINT, name STRING, tons DOUBLE, since STRING, until STRING, current BOOLEAN) USING delta",
        ),
        Step(
            "history first",
            "INSERT INTO gold.history SELECT ship_id, name, tons, '2026-01-01', NULL, true FROM raw.ships",
            "append history",
            "ship_id name tons < ships.*; since until current <",
        ),
        Step("stage", staged),
        Step("scd2", scd2, "merge history", "ship_id name tons < ships.*; since until < visits.day; current <"),
        Step("evolve merge", evolve_merge, "merge history", "ship_id name tons < ships.*; since < visits.day; grade <"),
        Step(
            "merge by source",
            "MERGE INTO gold.balance t USING (SELECT s.ship_id, sum(v.hours) h FROM raw.ships s LEFT JOIN raw.visits v ON v.ship_id = s.ship_id GROUP BY s.ship_id) s"
            " ON t.ship_id = s.ship_id WHEN MATCHED AND s.h IS NULL THEN DELETE WHEN MATCHED AND s.h > 10 THEN UPDATE SET due = t.due + s.h"
            " WHEN MATCHED THEN UPDATE SET due = s.h WHEN NOT MATCHED AND s.h > 0 THEN INSERT (ship_id, due) VALUES (s.ship_id, s.h)"
            " WHEN NOT MATCHED BY SOURCE AND t.due < 0 THEN UPDATE SET due = 0 WHEN NOT MATCHED BY SOURCE AND t.due > 1e9 THEN DELETE",
            "merge balance",
            "ship_id < ships.ship_id; due < balance.due visits.hours",
        ),
        Step(
            "merge constant",
            "MERGE INTO gold.balance t USING (SELECT 1L AS ship_id, 2.5D AS due) s ON t.ship_id = s.ship_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge balance",
            "ship_id due <",
        ),
        Step(
            "w60 merge",
            f"MERGE INTO gold.w60b t USING (SELECT k, {numbered(59, 'c{n} * 2 AS d{n}')} FROM raw.w60 WHERE c50 > 3) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge w60b",
            "k < w60.k; " + "; ".join(f"d{n} < w60.c{n}" for n in range(1, 60)),
        ),
        Step(
            "w60 merge some",
            f"MERGE INTO gold.w60b t USING raw.w60 s ON t.k = s.k WHEN MATCHED THEN UPDATE SET d59 = s.c1 + t.d58, d30 = s.c30 WHEN NOT MATCHED THEN INSERT (k, {numbered(59, 'd{n}')}) VALUES (s.k, {numbered(59, 's.c{n}')})",
            "merge w60b",
            "k < w60.k; " + "; ".join(f"d{n} < w60.c{n}" for n in range(1, 59)) + "; d59 < w60.c59 w60.c1 w60b.d58",
        ),
        Step(
            "w60 update",
            "UPDATE gold.w60b SET d58 = d57 + d2, d3 = CASE WHEN d40 > 1 THEN d4 ELSE 0 END WHERE d44 > 2",
            "update w60b",
            "d58 < w60b.d57 w60b.d2; d3 < w60b.d4",
            "FILTER w60b.d44",
        ),
        Step(
            "w60 replace",
            f"CREATE OR REPLACE TABLE gold.w60j USING delta AS SELECT k, {numbered(59, 'd{n} AS f{n}')} FROM gold.w60b WHERE d59 > 0",
            "overwrite w60j",
            "k < w60b.k; " + "; ".join(f"f{n} < w60b.d{n}" for n in range(1, 60)),
        ),
        Step(
            "w60 overwrite",
            lambda j: (
                j.spark.table("raw.w60")
                .write.format("delta")
                .mode("overwrite")
                .option("overwriteSchema", "true")
                .saveAsTable("gold.w60j")
            ),
            "overwrite w60j",
            "k c{1..59} < w60.*",
        ),
        Step(
            "time version",
            "INSERT INTO gold.dues SELECT ship_id, due FROM gold.balance VERSION AS OF 0",
            "append dues",
            "ship_id due < balance.*",
        ),
        Step(
            "time option",
            lambda j: (
                j.spark.read.format("delta")
                .option("versionAsOf", int(j.pins("gold.balance", 1)))
                .table("gold.balance")
                .write.insertInto("gold.dues")
            ),
            "append dues",
            "ship_id due < balance.*",
        ),
        Step(
            "time path",
            lambda j: (
                j.spark.read.format("delta")
                .load(f"{j.root}/lake/berths@v0")
                .selectExpr("ship_id", "hours AS due")
                .write.mode("append")
                .format("delta")
                .saveAsTable("gold.dues")
            ),
            "append dues",
            "ship_id < berths.ship_id; due < berths.hours",
        ),
        Step(
            "time diff",
            "SELECT n.ship_id, n.due - o.due AS moved FROM gold.balance n JOIN gold.balance VERSION AS OF 0 o ON n.ship_id = o.ship_id",
            "",
            "ship_id < balance.ship_id; moved < balance.due",
        ),
        Step("restore", restore, "maintenance balance"),
        Step("after restore", "SELECT ship_id FROM gold.balance WHERE due > 2", "", "ship_id < balance.ship_id"),
        Step("restore sql", "RESTORE TABLE gold.daily TO VERSION AS OF 1", "maintenance daily"),
        Step("clone", "CREATE TABLE gold.twin SHALLOW CLONE gold.daily", "create twin", "visit_id hours day < daily.*"),
        Step(
            "clone version",
            "CREATE OR REPLACE TABLE gold.twin SHALLOW CLONE gold.daily VERSION AS OF 0",
            "create twin",
            "visit_id hours day < daily.*",
        ),
        Step(
            "clone insert",
            "INSERT INTO gold.twin SELECT visit_id + 1, hours, day FROM gold.twin WHERE hours > 3",
            "append twin",
            "visit_id hours day < twin.*",
            "FILTER twin.hours",
        ),
        Step(
            "tracked",
            "CREATE TABLE gold.tracked (ship_id BIGINT, due DOUBLE) USING delta TBLPROPERTIES (delta.enableChangeDataFeed = true)",
        ),
        Step(
            "tracked insert",
            "INSERT INTO gold.tracked SELECT ship_id, tons FROM raw.ships",
            "append tracked",
            "ship_id < ships.ship_id; due < ships.tons",
        ),
        Step(
            "tracked update",
            "UPDATE gold.tracked SET due = due + ship_id WHERE ship_id IN (1, 2)",
            "update tracked",
            "due < tracked.due tracked.ship_id",
            "FILTER tracked.ship_id",
        ),
        Step(
            "tracked delete",
            "DELETE FROM gold.tracked WHERE ship_id = 6",
            "delete tracked",
            "",
            "FILTER tracked.ship_id",
        ),
        Step(
            "feed",
            cdf_batch,
            "append audit".replace("append", "create"),
            "ship_id due < tracked.*; op < tracked._change_type",
        ),
        Step(
            "feed sql",
            "INSERT INTO gold.audit SELECT ship_id, due, concat(_change_type, _commit_version) FROM table_changes('gold.tracked', 1, 2) WHERE due > 1",
            "append audit",
            "ship_id due < tracked.*; op < tracked._change_type tracked._commit_version",
        ),
        Step("fed", "CREATE TABLE gold.fed (ship_id BIGINT, due DOUBLE) USING delta"),
        Step("feed stream", cdf_stream, "append fed", "ship_id due < tracked.*"),
        Step("upsert stream", each_batch, "merge balance", "ship_id < visits.ship_id; due < balance.due visits.hours"),
        Step("two sinks", two_sinks),
        Step("path stream", path_stream, "append copied", "id < berths.ship_id; note < berths.note"),
        Step("file stream", file_stream, "overwrite totals", "ship_id hours < json.*; n <"),
        Step(
            "prices",
            "CREATE TABLE gold.prices (berth STRING, price INT, doubled INT GENERATED ALWAYS AS (price * 2)) USING delta TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
        ),
        Step(
            "prices insert",
            "INSERT INTO gold.prices (berth, price) SELECT berth.code, hours FROM raw.visits",
            "append prices",
            "berth < visits.berth.code; price doubled < visits.hours",
        ),
        Step("prices widen", "ALTER TABLE gold.prices ALTER COLUMN price TYPE BIGINT", "alter prices", only="4-1"),
        Step("prices add", "ALTER TABLE gold.prices ADD COLUMNS (valid DATE)", "alter prices"),
        Step(
            "registry",
            "CREATE TABLE gold.registry USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS SELECT ship_id, name, flag FROM raw.ships",
            "create registry",
            "ship_id name flag < ships.*",
        ),
        Step("registry rename", "ALTER TABLE gold.registry RENAME COLUMN flag TO nation", "alter registry"),
        Step("registry add", "ALTER TABLE gold.registry ADD COLUMN note STRING AFTER name", "alter registry"),
        Step(
            "registry merge schema",
            lambda j: (
                j.spark.table("raw.ships")
                .selectExpr("ship_id", "name", "'n' AS note", "flag AS nation", "built AS remark")
                .write.format("delta")
                .mode("append")
                .option("mergeSchema", "true")
                .saveAsTable("gold.registry")
            ),
            "append registry",
            "ship_id name < ships.*; note <; nation < ships.flag; remark < ships.built",
        ),
        Step("registry drop", "ALTER TABLE gold.registry DROP COLUMN remark", "alter registry"),
        Step("registry read", "SELECT nation, note FROM gold.registry", "", "nation note < registry.*"),
        Step(
            "crew",
            lambda j: (
                j.spark.table("raw.visits")
                .selectExpr("visit_id", "agent", "ship_id AS rank")
                .write.format("delta")
                .mode("append")
                .option("mergeSchema", "true")
                .save(f"{j.root}/lake/crew")
            ),
            "append crew_table",
            "visit_id agent < visits.*; rank < visits.ship_id",
        ),
        Step("external", "CREATE TABLE gold.crew_table USING delta LOCATION '{root}/lake/crew'"),
        Step(
            "external insert",
            "INSERT INTO gold.crew_table SELECT ship_id, name, built FROM raw.ships",
            "append crew_table",
            "visit_id < ships.ship_id; agent < ships.name; rank < ships.built",
        ),
        Step("external read", "SELECT rank FROM gold.crew_table", "", "rank < crew_table.rank"),
        Step(
            "tariffs",
            lambda j: j.spark.table("raw.ships").select("flag", "tons").write.parquet(f"{j.root}/landing/tariffs"),
            "create tariffs",
            "flag tons < ships.*",
        ),
        Step("convert", "CONVERT TO DELTA parquet.`{root}/landing/tariffs`"),
        Step(
            "converted read",
            "CREATE TABLE gold.tariffed USING delta AS SELECT flag, sum(tons) AS tons FROM delta.`{root}/landing/tariffs` GROUP BY flag",
            "create tariffed",
            "flag tons < tariffs.*",
        ),
        Step("optimize", "OPTIMIZE gold.daily WHERE day >= '2026-05-01' ZORDER BY (visit_id)", "maintenance daily"),
        Step("vacuum", "VACUUM gold.daily RETAIN 200 HOURS", "maintenance daily"),
        Step(
            "stats count",
            "INSERT INTO gold.dues SELECT count(*), max(tons) FROM raw.ships",
            "append dues",
            "ship_id <; due < ships.tons",
        ),
        Step(
            "view",
            "CREATE OR REPLACE VIEW gold.busy AS SELECT d.day, count(*) AS n, max(d.hours) AS most FROM gold.daily d GROUP BY d.day",
            "create busy",
            "day < daily.day; n <; most < daily.hours",
        ),
        Step(
            "from view",
            "CREATE TABLE gold.busiest USING delta AS SELECT day, most FROM gold.busy WHERE n > 1",
            "create busiest",
            "day < daily.day; most < daily.hours",
        ),
        Step(
            "swapped",
            "CREATE TABLE gold.swapped USING delta AS SELECT k, c1, c2 FROM raw.w60",
            "create swapped",
            "k c1 c2 < w60.*",
        ),
        Step(
            "swap",
            lambda j: (
                j.spark.table("gold.swapped")
                .selectExpr("k", "c1 + c2 AS c1", "c2 AS extra")
                .writeTo("gold.swapped")
                .using("delta")
                .createOrReplace()
            ),
            "overwrite swapped",
            "k < swapped.k; c1 < swapped.c1 swapped.c2; extra < swapped.c2",
        ),
        Step(
            "save ignore",
            lambda j: j.spark.table("raw.ships").write.format("delta").mode("ignore").saveAsTable("gold.fresh"),
            "create fresh",
            "ship_id name flag tons built < ships.*",
        ),
        Step("like", "CREATE TABLE gold.alike LIKE raw.ships USING delta"),
        Step(
            "insert table",
            "INSERT INTO gold.alike TABLE raw.ships",
            "append alike",
            "ship_id name flag tons built < ships.*",
        ),
        Step(
            "by name",
            "INSERT INTO gold.alike BY NAME SELECT built, tons * 2 AS tons, name, flag, ship_id FROM raw.ships",
            "append alike",
            "ship_id name flag tons built < ships.*",
        ),
        Step("delete all", "DELETE FROM gold.alike", "delete alike"),
        Step("truncate", "TRUNCATE TABLE gold.fed", "truncate fed"),
    )
