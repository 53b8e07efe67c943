"""The clinic's statements that only Iceberg understands, with their truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, Job, Step

CHANGES = """
b_chart: column_renamed wt
b_chart: type_changed ward
b_chart: type_changed weight
b_chart: column_added mood
b_chart: column_dropped born
b_bills: column_added paid
b_courses: column_dropped share
b_courses: column_added share_of
"""


def steps(sql: Callable[[str], str]) -> tuple[Step, ...]:  # noqa: C901 - functions of single steps
    """Return the steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    call, quietly = partial(names.call, "B"), names.asked

    def by_month(job: Job) -> None:
        (
            table(job, "A.visits")
            .select("visit_id", "seen", "fee", "doctor", "day")
            .writeTo(sql("B.monthly"))
            .using("iceberg")
            .partitionedBy(f.months("seen"), f.bucket(2, "doctor"))
            .tableProperty("write.distribution-mode", "hash")
            .tableProperty("write.delete.mode", "merge-on-read")
            .create()
        )

    def dynamic_insert(job: Job) -> None:
        frame = (
            table(job, "A.visits").selectExpr("visit_id", "seen", "fee + 1 AS fee", "doctor", "day").where("fee > 20")
        )
        frame.write.option("overwrite-mode", "dynamic").insertInto(sql("B.monthly"), overwrite=True)

    def overwrite_expr(job: Job) -> None:
        frame = table(job, "A.visits").where("doctor = 'dr1'").selectExpr("visit_id", "seen", "fee", "doctor", "day")
        frame.writeTo(sql("B.monthly")).overwrite((f.col("doctor") == "dr1") & (f.col("fee") > 0))

    def branch_write(job: Job) -> None:
        frame = table(job, "A.visits").selectExpr(
            "visit_id + 700 AS visit_id", "fee AS amount", "sha1(doctor) AS why", "true AS paid"
        )
        frame.write.format("iceberg").option("branch", "trial").mode("append").saveAsTable(sql("B.bills"))

    def branch_read(job: Job) -> None:
        frame = (
            job.spark.read.option("branch", "trial")
            .table(sql("B.bills"))
            .groupBy("why")
            .agg(f.sum("amount").alias("amount"))
        )
        frame.writeTo(sql("B.trials")).using("iceberg").create()

    def at_time(job: Job) -> None:
        first = quietly(job, "SELECT snapshot_id FROM B.bills.snapshots ORDER BY committed_at LIMIT 1")
        when = quietly(job, "SELECT CAST(committed_at AS STRING) FROM B.bills.snapshots ORDER BY committed_at LIMIT 1")
        job.pins(sql("B.bills"), first)
        job.spark.sql(sql(f"INSERT INTO B.trials SELECT why, amount FROM B.bills TIMESTAMP AS OF '{when}'")).collect()

    def rollback_time(job: Job) -> None:
        first = quietly(job, "SELECT snapshot_id FROM B.trials.snapshots ORDER BY committed_at LIMIT 1")
        job.spark.sql(call("set_current_snapshot", f"table => '@.trials', snapshot_id => {first}L")).collect()

    def changelog(job: Job) -> None:
        job.spark.sql(
            call("create_changelog_view", "table => '@.chart', changelog_view => 'chart_log', net_changes => true")
        ).collect()
        job.spark.sql(
            sql(
                "CREATE TABLE B.audit USING iceberg AS SELECT patient_id, _change_type AS op, _change_ordinal AS nth FROM chart_log"
            )
        ).collect()

    def overwrite_table(job: Job) -> None:
        table(job, "B.courses").withColumnRenamed("share", "share_of").writeTo(sql("B.courses")).using(
            "iceberg"
        ).createOrReplace()

    def window_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("iceberg")
            .option("stream-from-timestamp", "0")
            .load(sql("A.visits"))
            .withWatermark("seen", "1 hour")
            .groupBy(f.window("seen", "1 day"), "doctor")
            .agg(f.max("fee").alias("most"))
            .select(f.col("window.start").alias("begun"), "doctor", "most")
        )
        job.stream(rows, "window stream", "complete").format("iceberg").toTable(sql("B.tops")).awaitTermination()

    def merge_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.dropDuplicates(["patient_id"]).select("patient_id", "test").createOrReplaceTempView("tests")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.chart t USING tests s ON t.patient_id = s.patient_id WHEN MATCHED THEN UPDATE SET t.mood = concat(s.test, t.contact.phone)"
                )
            )

        source = job.spark.readStream.format("iceberg").load(sql("A.labs"))
        job.stream(source, "merge stream").foreachBatch(apply).start().awaitTermination()

    def file_stream(job: Job) -> None:
        schema = (
            "visit_id BIGINT, patient_id INT, seen TIMESTAMP, doctor STRING, fee DECIMAL(10,2), codes STRING, day DATE"
        )
        late = job.spark.readStream.schema(schema).option("header", True).csv(f"{job.root}/landing/late")
        rows = late.selectExpr("visit_id", "seen", "fee", "doctor", "day").where("fee > 0")
        job.stream(rows, "late stream").format("iceberg").option("fanout-enabled", "true").toTable(
            sql("B.monthly")
        ).awaitTermination()

    w60 = [f"v{n}" for n in range(1, 61)]
    return (
        Step("monthly", by_month, "create b_monthly", "visit_id seen fee doctor day < visits.*"),
        Step(
            "dynamic insert",
            dynamic_insert,
            "overwrite b_monthly",
            "visit_id seen fee doctor day < visits.*",
            "FILTER visits.fee",
        ),
        Step(
            "overwrite expr",
            overwrite_expr,
            "overwrite b_monthly",
            "visit_id seen fee doctor day < visits.*",
            "FILTER visits.doctor",
        ),
        step(
            "chart",
            "CREATE TABLE B.chart (patient_id INT NOT NULL, ward INT, weight DECIMAL(6,2), contact STRUCT<phone: STRING, home: STRUCT<city: STRING, zip: INT>>, born DATE) USING iceberg PARTITIONED BY (truncate(1, ward)) TBLPROPERTIES ('format-version' = '2')",
        ),
        step(
            "chart fill",
            "INSERT INTO B.chart SELECT patient_id, ward, weight, contact, born FROM A.patients WHERE weight IS NOT NULL",
            "append b_chart",
            "patient_id ward weight contact born < patients.*",
            "FILTER patients.weight",
        ),
        step(
            "nested update",
            "UPDATE B.chart SET contact.home.city = upper(contact.home.city), weight = weight + ward WHERE year(born) > 1970",
            "update b_chart",
            "contact < b_chart.contact.phone b_chart.contact.home.city b_chart.contact.home.zip; weight < b_chart.weight b_chart.ward",
            "FILTER b_chart.born",
        ),
        step("chart identifier", "ALTER TABLE B.chart SET IDENTIFIER FIELDS patient_id"),
        step("chart widen", "ALTER TABLE B.chart ALTER COLUMN ward TYPE BIGINT", "alter b_chart"),
        step("chart decimal", "ALTER TABLE B.chart ALTER COLUMN weight TYPE DECIMAL(10,2)", "alter b_chart"),
        step("chart rename", "ALTER TABLE B.chart RENAME COLUMN weight TO wt", "alter b_chart"),
        step(
            "chart add",
            "ALTER TABLE B.chart ADD COLUMN mood STRING COMMENT 'of the day' AFTER patient_id",
            "alter b_chart",
        ),
        step("chart drop", "ALTER TABLE B.chart DROP COLUMN born", "alter b_chart"),
        step(
            "chart merge",
            "MERGE INTO B.chart AS c USING (SELECT patient_id, max(level) AS level, count(*) AS n FROM A.labs GROUP BY patient_id HAVING count(*) > 0) AS l ON c.patient_id = l.patient_id"
            " WHEN MATCHED AND l.level < 0.3 THEN UPDATE SET c.wt = c.wt + l.n, c.mood = 'low' WHEN MATCHED AND l.level > 3.5 THEN DELETE"
            " WHEN NOT MATCHED AND l.n > 1 THEN INSERT (patient_id, mood, wt) VALUES (l.patient_id, CAST(l.level AS STRING), l.n)",
            "merge b_chart",
            "patient_id < labs.patient_id; mood < labs.level; wt < b_chart.wt; ward contact <",
        ),
        step(
            "chart values",
            "MERGE INTO B.chart t USING (SELECT * FROM VALUES (1, 'glad'), (2, 'sad') AS v(patient_id, mood)) s ON t.patient_id = s.patient_id WHEN MATCHED THEN UPDATE SET mood = s.mood WHEN NOT MATCHED THEN INSERT (patient_id, mood) VALUES (s.patient_id, s.mood)",
            "merge b_chart",
            "mood patient_id ward wt contact <",
        ),
        step(
            "chart cte",
            "WITH loud AS (SELECT patient_id, max(doctor) AS who FROM A.visits GROUP BY patient_id) MERGE INTO B.chart t USING (SELECT loud.*, p.name FROM loud JOIN A.patients p USING (patient_id)) s ON t.patient_id = s.patient_id AND t.mood IS NULL"
            " WHEN MATCHED THEN UPDATE SET mood = coalesce(s.who, s.name)",
            "merge b_chart",
            "mood < visits.doctor patients.name",
        ),
        step(
            "chart delete",
            "DELETE FROM B.chart c WHERE EXISTS (SELECT 1 FROM A.labs l WHERE l.patient_id = c.patient_id AND l.level > c.ward + 100) AND c.contact.home.city = 'C1'",
            "delete b_chart",
        ),
        step("delete partition", "DELETE FROM B.monthly WHERE day = DATE'2026-08-03'", "delete b_monthly"),
        step(
            "delete rows",
            "DELETE FROM B.monthly WHERE fee > 300 AND doctor IN ('dr1', 'dr2')",
            "delete b_monthly",
            "",
            "FILTER b_monthly.fee",
        ),
        step(
            "update alias",
            "UPDATE B.monthly AS m SET m.fee = (SELECT max(p.weight) FROM A.patients p WHERE p.patient_id < 9), m.doctor = lower(m.doctor) WHERE m.visit_id NOT IN (SELECT visit_id FROM B.latest WHERE rn = 7 AND visit_id IS NOT NULL)",
            "update b_monthly",
            "fee < patients.weight; doctor < b_monthly.doctor",
        ),
        step("tag", "ALTER TABLE B.bills CREATE OR REPLACE TAG `week-32` RETAIN 30 DAYS"),
        step("branch", "ALTER TABLE B.bills CREATE BRANCH trial"),
        step("bills add", "ALTER TABLE B.bills ADD COLUMN paid BOOLEAN", "alter b_bills"),
        step(
            "bills paid",
            "INSERT INTO B.bills (visit_id, paid, amount) SELECT v.visit_id, p.insured, v.fee FROM A.visits v JOIN A.patients p ON p.patient_id = v.patient_id",
            "append b_bills",
            "visit_id < visits.visit_id; paid < patients.insured; amount < visits.fee; why <",
            "JOIN patients.patient_id",
        ),
        Step(
            "branch write",
            branch_write,
            "append b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why < visits.doctor; paid <",
        ),
        step(
            "branch delete",
            "DELETE FROM B.bills.branch_trial WHERE amount > 200",
            "delete b_bills",
            "",
            "FILTER b_bills.amount",
        ),
        Step("branch read", branch_read, "create b_trials", "why amount < b_bills.*"),
        step(
            "tag compare",
            "SELECT n.why, n.amount - o.amount AS grown FROM B.bills n LEFT JOIN B.bills VERSION AS OF 'week-32' o ON o.visit_id = n.visit_id",
            "",
            "why < b_bills.why; grown < b_bills.amount",
        ),
        Step("at time", at_time, "append b_trials", "why amount < b_bills.*"),
        Step("rollback", rollback_time, "maintenance b_trials"),
        step(
            "after rollback",
            "SELECT why FROM B.trials WHERE amount > 1",
            "",
            "why < b_trials.why",
            "FILTER b_trials.amount",
        ),
        step("replace branch", "ALTER TABLE B.bills REPLACE BRANCH trial"),
        step("drop branch", "ALTER TABLE B.bills DROP BRANCH trial"),
        Step(
            "rewritten",
            call(
                "rewrite_data_files",
                "table => '@.monthly', where => 'fee > 10', strategy => 'binpack', options => map('rewrite-all', 'true')",
            ),
            "maintenance b_monthly",
        ),
        Step(
            "zordered",
            call(
                "rewrite_data_files",
                "table => '@.bills', strategy => 'sort', sort_order => 'zorder(visit_id, amount)', options => map('rewrite-all', 'true')",
            ),
            "maintenance b_bills",
        ),
        Step("manifests", call("rewrite_manifests", "table => '@.bills', use_caching => false"), "maintenance b_bills"),
        Step(
            "expired",
            call(
                "expire_snapshots",
                "table => '@.wide25', older_than => TIMESTAMP '2030-01-01 00:00:00', retain_last => 1",
            ),
            "maintenance b_wide25",
        ),
        Step("orphans", call("remove_orphan_files", "table => '@.bills', dry_run => true"), "maintenance b_bills"),
        Step(
            "stats", call("compute_table_stats", "table => '@.bills', columns => array('why')"), "maintenance b_bills"
        ),
        Step(
            "changelog",
            changelog,
            "create b_audit",
            "patient_id < b_chart.patient_id; op < b_chart._change_type; nth < b_chart._change_ordinal",
        ),
        step("ancestors", "SELECT snapshot_id, parent_id FROM B.bills.history WHERE is_current_ancestor"),
        step(
            "files joined",
            "SELECT f.record_count, e.status FROM B.bills.files f LEFT JOIN B.bills.all_entries e ON e.snapshot_id > 0",
        ),
        Step(
            "window stream",
            window_stream,
            "overwrite b_tops",
            "begun < visits.seen; doctor < visits.doctor; most < visits.fee",
        ),
        Step("merge stream", merge_stream, "merge b_chart", "mood < labs.test b_chart.contact.phone"),
        Step(
            "late stream", file_stream, "append b_monthly", "visit_id seen fee doctor day < late.*", "FILTER late.fee"
        ),
        Step(
            "overwrite table",
            overwrite_table,
            "overwrite b_courses",
            "visit_id before course < b_courses.*; share_of < b_courses.share",
        ),
        step(
            "odd",
            "CREATE TABLE B.`visit-log` USING iceberg AS SELECT visit_id AS `Visit No`, doctor AS `doctor's`, fee AS `fee.in€` FROM A.visits",
            "create b_odd",
            "`Visit No` < visits.visit_id; `doctor's` < visits.doctor; `fee.in€` < visits.fee",
        ),
        step(
            "odd insert",
            "INSERT INTO B.`visit-log` SELECT `Visit No` + 1, upper(`doctor's`), `fee.in€` * 2 FROM B.`visit-log` WHERE `fee.in€` > 4",
            "append b_odd",
            "`Visit No` < b_odd.`Visit No`; `doctor's` < b_odd.`doctor's`; `fee.in€` < b_odd.`fee.in€`",
        ),
        step(
            "both catalogs",
            "CREATE TABLE A.bills USING iceberg AS SELECT a.patient_id, b.age, a.born FROM A.patients a FULL OUTER JOIN B.patients b ON a.patient_id = b.patient_id",
            "create bills",
            "patient_id born < patients.*; age < b_patients.age",
            "JOIN b_patients.patient_id",
        ),
        step(
            "same names",
            "MERGE INTO A.bills t USING B.bills s ON t.patient_id = s.visit_id WHEN MATCHED THEN UPDATE SET age = s.amount",
            "merge bills",
            "age < b_bills.amount",
        ),
        step(
            "first update",
            "UPDATE A.bills SET age = age + 1, born = add_months(born, age) WHERE patient_id > 2",
            "update bills",
            "age < bills.age; born < bills.born bills.age",
            "FILTER bills.patient_id",
        ),
        step("first delete", "DELETE FROM A.bills WHERE age > 400", "delete bills", "", "FILTER bills.age"),
        step(
            "first overwrite",
            "INSERT OVERWRITE A.bills SELECT visit_id, amount, DATE'2026-01-01' FROM B.bills WHERE why LIKE 'd%'",
            "overwrite bills",
            "patient_id < b_bills.visit_id; age < b_bills.amount; born <",
            "FILTER b_bills.why",
        ),
        step(
            "wide60",
            "CREATE TABLE B.wide60 USING iceberg TBLPROPERTIES ('write.merge.mode' = 'merge-on-read') AS SELECT visit_id, "
            + ", ".join(f"fee + {n} AS v{n}" for n in range(1, 61))
            + " FROM A.visits",
            "create b_wide60",
            "visit_id < visits.visit_id; " + " ".join(w60) + " < visits.fee",
        ),
        step(
            "wide60 merge",
            "MERGE INTO B.wide60 t USING (SELECT visit_id + 5 AS visit_id, fee, doctor FROM A.visits) s ON t.visit_id = s.visit_id WHEN MATCHED AND s.fee > 40 THEN UPDATE SET v30 = s.fee, v60 = t.v59 + s.fee WHEN NOT MATCHED THEN INSERT (visit_id, v1) VALUES (s.visit_id, s.fee)",
            "merge b_wide60",
            "visit_id < visits.visit_id; v1 v30 < visits.fee; v60 < b_wide60.v59 visits.fee; "
            + " ".join(n for n in w60 if n not in {"v1", "v30", "v60"})
            + " <",
        ),
        step(
            "wide60 update",
            "UPDATE B.wide60 SET v60 = v1, v1 = v60, v26 = v26 + v25 WHERE v26 > v25 AND visit_id > 3",
            "update b_wide60",
            "v60 < b_wide60.v1; v1 < b_wide60.v60; v26 < b_wide60.v26 b_wide60.v25",
            "FILTER b_wide60.v26",
        ),
        step(
            "wide30 update",
            "UPDATE B.wide30 SET w30 = w01 WHERE w02 > 3",
            "update b_wide30",
            "w30 < b_wide30.w01",
            "FILTER b_wide30.w02",
        ),
        step(
            "wide25 delete",
            "DELETE FROM B.wide25 WHERE w24 > w23 * 2 OR visit_id IS NULL",
            "delete b_wide25",
            "",
            "FILTER b_wide25.w24",
        ),
        Step(
            "wide90 frame",
            lambda j: (
                table(j, "B.wide60")
                .join(table(j, "B.wide30").withColumnRenamed("visit_id", "id"), f.expr("id = visit_id"), "left")
                .drop("id")
                .writeTo(sql("B.wide90"))
                .using("iceberg")
                .createOrReplace()
            ),
            "overwrite b_wide90",
            "visit_id "
            + " ".join(w60)
            + " < b_wide60.*; "
            + " ".join(f"w{n:02d}" for n in range(1, 31))
            + " < b_wide30.*",
            "JOIN b_wide30.visit_id",
        ),
        step(
            "stats read",
            "SELECT min(fee) AS low, max(visit_id) AS last, count(*) AS n FROM B.monthly",
            "",
            "low < b_monthly.fee; last < b_monthly.visit_id; n <",
        ),
        step(
            "view window",
            "CREATE OR REPLACE VIEW B.v_ranked (who, paid, nth) AS SELECT doctor, fee, rank() OVER (PARTITION BY doctor ORDER BY fee) FROM A.visits WHERE fee > 3",
            "create b_v_ranked",
            "who < visits.doctor; paid < visits.fee; nth <",
            only="4-1",
        ),
        step(
            "from view",
            "CREATE OR REPLACE TABLE B.ranked USING iceberg AS SELECT who, max(paid) AS most FROM B.v_ranked WHERE nth < 4 GROUP BY who",
            "overwrite b_ranked",
            "who < visits.doctor; most < visits.fee",
            only="4-1",
        ),
        step("renamed", "ALTER TABLE B.audit RENAME TO B.audited"),
        step("renamed read", "SELECT op FROM B.audited", "", "op < b_audited.op"),
        step("truncated", "TRUNCATE TABLE B.melted", "truncate b_melted"),
        step("dropped", "DROP TABLE B.tuple"),
    )
