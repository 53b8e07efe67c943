"""The clinic's statements that only Delta understands, with their truth."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, Job, Step

CHANGES = """
b_chart: column_renamed wt
b_chart: column_dropped zip
b_chart: column_added mood
b_chart: column_added extra
b_grown: column_added level
b_grown: column_added note
b_courses: column_dropped share
b_courses: column_added share_of
"""


def steps(sql: Callable[[str], str]) -> tuple[Step, ...]:  # noqa: C901, PLR0915 - functions of single steps
    """Return the steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def lake(job: Job, name: str) -> str:
        return f"{job.root}/lake/{name}"

    def builder(job: Job) -> None:
        from delta.tables import DeltaTable

        (
            DeltaTable.createIfNotExists(job.spark)
            .tableName("board.built")
            .addColumn("visit_id", "BIGINT", nullable=False)
            .addColumn("fee", "DECIMAL(10,2)", comment="euros")
            .addColumn("seen", "TIMESTAMP")
            .addColumn("month", "INT", generatedAlwaysAs="month(seen)")
            .partitionedBy("month")
            .property("delta.enableChangeDataFeed", "true")
            .execute()
        )

    def built_append(job: Job) -> None:
        table(job, "A.visits").select("visit_id", "fee", "seen").write.format("delta").mode("append").saveAsTable(
            sql("B.built")
        )

    def api_update(job: Job) -> None:
        from delta.tables import DeltaTable

        DeltaTable.forName(job.spark, "board.built").update(
            condition=(f.col("fee") > 50) & (f.col("month") == 8),
            set={"fee": f.expr("fee - visit_id / 10"), "seen": "date_add(seen, 1)"},
        )

    def api_delete(job: Job) -> None:
        from delta.tables import DeltaTable

        DeltaTable.forName(job.spark, "board.built").delete("visit_id IN (3, 4) OR fee IS NULL")

    def api_merge(job: Job) -> None:
        from delta.tables import DeltaTable

        source = table(job, "A.visits").groupBy("visit_id").agg(f.max("fee").alias("fee"), f.max("seen").alias("seen"))
        (
            DeltaTable.forName(job.spark, "board.built")
            .alias("t")
            .merge(source.where("visit_id < 20").alias("s"), "t.visit_id = s.visit_id AND t.month = 8")
            .whenMatchedDelete("s.fee > 350")
            .whenMatchedUpdate(set={"fee": "s.fee"})
            .whenNotMatchedInsert(values={"visit_id": "s.visit_id + 500", "fee": "s.fee / 2", "seen": "s.seen"})
            .whenNotMatchedBySourceUpdate("t.fee > 1000", {"fee": "0"})
            .execute()
        )

    def path_dynamic(job: Job) -> None:
        frame = table(job, "A.visits").where("day > '2026-08-01'").select("visit_id", "fee", "day")
        frame.write.format("delta").mode("overwrite").option("partitionOverwriteMode", "dynamic").partitionBy(
            "day"
        ).save(lake(job, "days"))

    def idempotent(job: Job) -> None:
        frame = table(job, "A.visits").selectExpr("visit_id + 900 AS visit_id", "fee", "day")
        frame.write.format("delta").mode("append").option("txnAppId", "clinic").option("txnVersion", "7").option(
            "userMetadata", "x"
        ).save(lake(job, "days"))

    def days(job: Job) -> None:
        frame = table(job, "A.visits").select("visit_id", "fee", "day")
        frame.write.format("delta").partitionBy("day").save(lake(job, "days"))

    def at_time(job: Job) -> None:
        job.spark.sparkContext.setJobDescription("helper: snapshots")
        first = job.spark.sql(sql("DESCRIBE HISTORY B.chart")).orderBy("version").collect()[0]["timestamp"]
        job.spark.sparkContext.setJobDescription(job.step)
        job.pins("board.chart", 0)
        old = job.spark.read.option("timestampAsOf", str(first)).table(sql("B.chart"))
        old.select("patient_id", "weight").write.format("delta").saveAsTable(sql("B.old_chart"))

    def changes(job: Job) -> None:
        job.spark.sql(
            sql(
                "CREATE TABLE B.audit USING delta AS SELECT visit_id, fee, _change_type AS op, _commit_timestamp AS at FROM table_changes('board.built', 1) WHERE _change_type IN ('insert', 'delete')"
            )
        ).collect()

    def change_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            kept = (
                batch.where("_change_type <> 'update_preimage'")
                .groupBy("visit_id")
                .agg(f.max_by("fee", "_commit_version").alias("fee"))
            )
            kept.createOrReplaceTempView("feed_batch")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.mirror t USING feed_batch s ON s.visit_id = t.visit_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                )
            )

        feed = job.spark.readStream.option("readChangeFeed", "true").option("startingVersion", 1).table(sql("B.built"))
        job.stream(feed, "change stream").foreachBatch(apply).start().awaitTermination()

    def session_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.table(sql("A.visits"))
            .withWatermark("seen", "1 day")
            .groupBy(f.session_window("seen", "3 hours").alias("w"), "doctor")
            .agg(f.sum("fee").alias("fees"))
            .selectExpr("w.start AS begun", "doctor", "fees")
        )
        job.stream(rows, "session stream", "complete").format("delta").toTable(sql("B.sessions")).awaitTermination()

    def joined_stream(job: Job) -> None:
        left = job.spark.readStream.table(sql("A.visits")).select("visit_id", "patient_id", "fee").alias("v")
        right = job.spark.readStream.table(sql("A.labs")).alias("l")
        rows = left.join(right, f.expr("v.patient_id = l.patient_id")).selectExpr(
            "v.visit_id", "v.fee * l.level AS cost", "l.test"
        )
        job.stream(rows, "joined stream").format("delta").partitionBy("test").toTable(sql("B.costs")).awaitTermination()

    def two_batches(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.persist()
            batch.select("visit_id", "doctor").write.format("delta").mode("append").option("txnAppId", "w").option(
                "txnVersion", number
            ).saveAsTable(sql("B.seen"))
            batch.unpersist()

        schema = (
            "visit_id BIGINT, patient_id INT, seen STRING, doctor STRING, fee DECIMAL(10,2), codes STRING, day DATE"
        )
        late = job.spark.readStream.schema(schema).option("header", True).csv(f"{job.root}/landing/late")
        job.stream(late.withColumn("doctor", f.initcap("doctor")), "late stream").foreachBatch(
            apply
        ).start().awaitTermination()

    def overwrite_schema(job: Job) -> None:
        table(job, "B.courses").withColumnRenamed("share", "share_of").write.format("delta").mode("overwrite").option(
            "overwriteSchema", "true"
        ).saveAsTable(sql("B.courses"))

    def merge_append(job: Job) -> None:
        frame = table(job, "A.labs").selectExpr("patient_id", "test", "level")
        frame.writeTo(sql("B.grown")).option("mergeSchema", "true").append()

    def converted(job: Job) -> None:
        job.spark.sparkContext.setJobDescription("helper: prepare")
        job.spark.range(5).selectExpr("id", "id * 2 AS twice").write.parquet(lake(job, "plain"))
        job.spark.sparkContext.setJobDescription(job.step)
        job.sql(f"CONVERT TO DELTA parquet.`{lake(job, 'plain')}`")

    w60 = [f"v{n}" for n in range(1, 61)]
    return (
        Step("built", builder),
        Step("built append", built_append, "append b_built", "visit_id fee seen < visits.*; month < visits.seen"),
        Step(
            "api update",
            api_update,
            "update b_built",
            "fee < b_built.fee b_built.visit_id; seen < b_built.seen; month < b_built.seen",
            "FILTER b_built.fee; FILTER b_built.month",
        ),
        Step("api delete", api_delete, "delete b_built", "", "FILTER b_built.visit_id"),
        Step(
            "api merge",
            api_merge,
            "merge b_built",
            "visit_id < visits.visit_id; fee < visits.fee; seen < visits.seen; month < visits.seen b_built.seen",
        ),
        step(
            "chart",
            "CREATE TABLE B.chart USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name', 'delta.enableDeletionVectors' = 'true') AS"
            " SELECT patient_id, weight, contact, born, allergies, 0 AS zip FROM A.patients",
            "create b_chart",
            "patient_id weight contact born allergies < patients.*; zip <",
        ),
        step(
            "nested update",
            "UPDATE B.chart SET contact.phone = concat(contact.phone, '#'), allergies = array_distinct(allergies) WHERE year(born) > 1970",
            "update b_chart",
            "contact < b_chart.contact.phone b_chart.contact.home; allergies < b_chart.allergies",
            "FILTER b_chart.born",
        ),
        step(
            "nested merge",
            "MERGE INTO B.chart AS c USING (SELECT patient_id, max(level) AS level, count(*) AS n FROM A.labs GROUP BY patient_id HAVING count(*) > 0) AS l ON c.patient_id = l.patient_id"
            " WHEN MATCHED AND l.level < 0.3 THEN UPDATE SET c.weight = c.weight + l.n WHEN MATCHED AND l.level > 3.5 THEN DELETE"
            " WHEN NOT MATCHED THEN INSERT (patient_id, weight) VALUES (l.patient_id, l.level)",
            "merge b_chart",
            "patient_id < labs.patient_id; weight < b_chart.weight labs.level; contact born allergies zip <",
        ),
        step("chart rename", "ALTER TABLE B.chart RENAME COLUMN weight TO wt", "alter b_chart"),
        step("chart drop", "ALTER TABLE B.chart DROP COLUMNS (zip)", "alter b_chart"),
        step(
            "chart add",
            "ALTER TABLE B.chart ADD COLUMNS (mood STRING COMMENT 'of the day', extra MAP<STRING, INT>)",
            "alter b_chart",
        ),
        step("chart check", "ALTER TABLE B.chart ADD CONSTRAINT heavy CHECK (wt > 1)"),
        step("chart comment", "COMMENT ON TABLE B.chart IS 'patients today'"),
        step("chart column", "ALTER TABLE B.chart ALTER COLUMN wt COMMENT 'kilos'"),
        step(
            "chart insert",
            "INSERT INTO B.chart (patient_id, mood, wt) SELECT patient_id + 100, lower(name), weight FROM A.patients WHERE contact.home.zip > 1004",
            "append b_chart",
            "patient_id < patients.patient_id; mood < patients.name; wt < patients.weight; contact born allergies extra <",
            "FILTER patients.contact.home.zip",
        ),
        step(
            "chart values",
            "MERGE INTO B.chart t USING (SELECT * FROM VALUES (1, 'glad'), (2, 'sad') AS v(patient_id, mood)) s ON t.patient_id = s.patient_id WHEN MATCHED THEN UPDATE SET mood = s.mood",
            "merge b_chart",
            "mood <",
        ),
        step(
            "chart cte",
            "WITH loud AS (SELECT patient_id, max(doctor) AS who FROM A.visits GROUP BY patient_id) MERGE INTO B.chart t USING loud ON t.patient_id = loud.patient_id AND t.mood IS NULL"
            " WHEN MATCHED THEN UPDATE SET mood = coalesce(loud.who, t.contact.phone)",
            "merge b_chart",
            "mood < visits.doctor b_chart.contact.phone",
        ),
        step(
            "chart delete",
            "DELETE FROM B.chart WHERE size(allergies) > 1 AND contact.home.city = 'c1'",
            "delete b_chart",
            "",
            "FILTER b_chart.allergies; FILTER b_chart.contact.home.city",
        ),
        Step("at time", at_time, "create b_old_chart", "patient_id weight < b_chart.*"),
        Step("days", days, "create p_days", "visit_id fee day < visits.*"),
        Step("path dynamic", path_dynamic, "overwrite p_days", "visit_id fee day < visits.*", "FILTER visits.day"),
        Step("idempotent", idempotent, "append p_days", "visit_id fee day < visits.*"),
        Step(
            "path overwrite",
            lambda j: j.sql(
                sql(
                    f"INSERT OVERWRITE delta.`{lake(j, 'days')}` SELECT visit_id, max(fee), min(day) FROM A.visits GROUP BY visit_id"
                )
            ),
            "overwrite p_days",
            "visit_id fee day < visits.*",
        ),
        Step(
            "path update",
            lambda j: j.sql(
                f"UPDATE delta.`{lake(j, 'days')}` SET fee = CASE WHEN day > '2026-08-02' THEN fee * 2 ELSE 0 END"
            ),
            "update p_days",
            "fee < p_days.fee",
        ),
        Step(
            "path located",
            lambda j: j.sql(sql(f"CREATE TABLE IF NOT EXISTS B.located USING delta LOCATION '{lake(j, 'days')}'")),
        ),
        step(
            "located insert",
            "INSERT INTO B.located SELECT patient_id, weight, born FROM A.patients",
            "append b_located",
            "visit_id < patients.patient_id; fee < patients.weight; day < patients.born",
        ),
        step(
            "filtered overwrite",
            "INSERT INTO B.bills REPLACE WHERE why = 'free' AND amount >= 0 SELECT visit_id, fee, 'free' FROM A.visits WHERE doctor = 'dr3'",
            "overwrite b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why <",
            "FILTER visits.doctor",
        ),
        step(
            "clustered",
            "CREATE TABLE B.clustered USING delta CLUSTER BY (doctor, day) TBLPROPERTIES ('delta.autoOptimize.autoCompact' = 'true') AS SELECT visit_id, doctor, day, sig, codes FROM A.visits",
            "create b_clustered",
            "visit_id doctor day sig codes < visits.*",
        ),
        step(
            "clustered insert",
            "INSERT INTO B.clustered SELECT visit_id + 1, doctor, date_add(day, 7), unhex(hex(sig)), slice(codes, 1, 1) FROM B.clustered WHERE doctor <> 'dr2'",
            "append b_clustered",
            "visit_id doctor day sig codes < b_clustered.*",
            "FILTER b_clustered.doctor",
        ),
        step("recluster", "ALTER TABLE B.clustered CLUSTER BY (day)"),
        step("optimize full", "OPTIMIZE B.clustered FULL", "maintenance b_clustered"),
        step("optimize", "OPTIMIZE B.bills ZORDER BY (visit_id, amount)", "maintenance b_bills"),
        step("reorg", "REORG TABLE B.chart APPLY (PURGE)", "maintenance b_chart"),
        step("vacuum lite", "VACUUM B.bills LITE", "maintenance b_bills"),
        Step(
            "changes",
            changes,
            "create b_audit",
            "visit_id fee < b_built.*; op < b_built._change_type; at < b_built._commit_timestamp",
            "FILTER b_built._change_type",
        ),
        step("mirror", "CREATE TABLE B.mirror (visit_id BIGINT, fee DECIMAL(10,2)) USING delta"),
        Step("change stream", change_stream, "merge b_mirror", "visit_id fee < b_built.*"),
        Step(
            "session stream",
            session_stream,
            "overwrite b_sessions",
            "begun < visits.seen; doctor < visits.doctor; fees < visits.fee",
        ),
        Step(
            "joined stream",
            joined_stream,
            "append b_costs",
            "visit_id < visits.visit_id; cost < visits.fee labs.level; test < labs.test",
            "JOIN labs.patient_id",
        ),
        step("seen ddl", "CREATE TABLE B.seen (visit_id BIGINT, doctor STRING) USING delta"),
        Step("late stream", two_batches, "append b_seen", "visit_id doctor < late.*"),
        Step(
            "overwrite schema",
            overwrite_schema,
            "overwrite b_courses",
            "visit_id before course < b_courses.*; share_of < b_courses.share",
        ),
        step("grown", "CREATE TABLE B.grown (patient_id INT, test STRING) USING delta"),
        Step("merge append", merge_append, "append b_grown", "patient_id test level < labs.*"),
        step(
            "schema evolution",
            "MERGE WITH SCHEMA EVOLUTION INTO B.grown g USING (SELECT patient_id, name AS note FROM A.patients) p ON g.patient_id = p.patient_id WHEN MATCHED THEN UPDATE SET note = p.note WHEN NOT MATCHED THEN INSERT *",
            "merge b_grown",
            "patient_id < patients.patient_id; note < patients.name; test level <",
        ),
        step(
            "shallow",
            "CREATE TABLE B.shallow SHALLOW CLONE B.chart",
            "create b_shallow",
            "patient_id wt contact born allergies mood extra < b_chart.*",
        ),
        step(
            "shallow update",
            "UPDATE B.shallow SET mood = NULL, wt = -wt WHERE mood = 'glad'",
            "update b_shallow",
            "mood <; wt < b_shallow.wt",
            "FILTER b_shallow.mood",
        ),
        step("restored", "RESTORE B.bills TO VERSION AS OF 2", "maintenance b_bills"),
        step(
            "self travel",
            "INSERT INTO B.bills SELECT n.visit_id, n.amount - o.amount, o.why FROM B.bills n JOIN B.bills@v1 o ON o.visit_id = n.visit_id WHERE o.amount <> n.amount",
            "append b_bills",
            "visit_id amount why < b_bills.*",
        ),
        Step("converted", converted),
        Step(
            "converted read",
            lambda j: j.sql(f"SELECT twice FROM delta.`{lake(j, 'plain')}` WHERE id > 1"),
            "",
            "twice < p_plain.twice",
            "FILTER p_plain.id",
        ),
        step(
            "wide60",
            "CREATE TABLE B.wide60 USING delta AS SELECT visit_id, "
            + ", ".join(f"fee + {n} AS v{n}" for n in range(1, 61))
            + " FROM A.visits",
            "create b_wide60",
            "visit_id < visits.visit_id; " + " ".join(w60) + " < visits.fee",
        ),
        step(
            "wide60 merge",
            "MERGE INTO B.wide60 t USING (SELECT visit_id + 5 AS visit_id, "
            + ", ".join(f"v{61 - n} AS v{n}" for n in range(1, 61))
            + " FROM B.wide60) s ON t.visit_id = s.visit_id WHEN MATCHED AND s.v3 > 40 THEN UPDATE SET * WHEN NOT MATCHED AND s.v60 > 2 THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN UPDATE SET t.v30 = t.v29",
            "merge b_wide60",
            "visit_id < b_wide60.visit_id; "
            + "; ".join(f"v{n} < b_wide60.v{61 - n}" + (" b_wide60.v29" if n == 30 else "") for n in range(1, 61)),
        ),
        step(
            "wide60 update",
            "UPDATE B.wide60 SET v60 = v1, v1 = v60, v26 = v26 + v25 WHERE v26 > v25 AND visit_id > 3",
            "update b_wide60",
            "v60 < b_wide60.v1; v1 < b_wide60.v60; v26 < b_wide60.v26 b_wide60.v25",
            "FILTER b_wide60.v26",
        ),
        Step(
            "wide60 saved",
            lambda j: (
                table(j, "B.wide60")
                .join(table(j, "B.wide30").withColumnRenamed("visit_id", "id"), f.expr("id = visit_id"), "left")
                .drop("id")
                .write.format("delta")
                .mode("overwrite")
                .option("overwriteSchema", "true")
                .save(lake(j, "wide90"))
            ),
            "overwrite p_wide90",
            "visit_id "
            + " ".join(w60)
            + " < b_wide60.*; "
            + " ".join(f"w{n:02d}" for n in range(1, 31))
            + " < b_wide30.*",
            "JOIN b_wide30.visit_id",
        ),
        step(
            "view of views",
            "CREATE OR REPLACE VIEW B.v_bills COMMENT 'bills' AS SELECT b.why, sum(b.amount) AS total FROM B.bills b LEFT JOIN B.seen s ON s.visit_id = b.visit_id GROUP BY b.why",
            "create b_v_bills",
            "why < b_bills.why; total < b_bills.amount",
        ),
        step(
            "from view",
            "INSERT OVERWRITE TABLE B.grown SELECT length(v.why), v.why, CAST(v.total AS FLOAT), 'v' FROM B.v_bills v",
            "overwrite b_grown",
            "patient_id test < b_bills.why; level < b_bills.amount; note <",
        ),
        step("like", "CREATE TABLE B.alike LIKE B.grown USING delta"),
        step(
            "alike insert",
            "INSERT INTO B.alike BY NAME SELECT 'n' AS note, level, test, patient_id FROM A.labs",
            "append b_alike",
            "patient_id test level < labs.*; note <",
        ),
        step("renamed", "ALTER TABLE B.alike RENAME TO B.akin"),
        step(
            "renamed insert",
            "INSERT INTO B.akin SELECT patient_id, name, weight, NULL FROM A.patients",
            "append b_akin",
            "patient_id < patients.patient_id; test < patients.name; level < patients.weight; note <",
        ),
        step("truncated", "TRUNCATE TABLE B.melted", "truncate b_melted"),
        step("dropped", "DROP TABLE B.tuple"),
    )
