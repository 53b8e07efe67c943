"""The clinic's statements that only Hudi and only Paimon understand, with their truth."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, HudiPaths, Job, Step

CHANGES = {
    "hudi": "b_chart: column_added mood",
    "paimon": "b_chart: column_added mood\nb_chart: column_renamed feeling\nb_chart: column_dropped born\nb_chart: type_changed ward\nb_courses: column_dropped share\nb_courses: column_added share_of",
}
_W30 = [f"w{n:02d}" for n in range(1, 31)]


def _wide_update(step: Callable[..., Step]) -> Step:
    return step(
        "wide update",
        "UPDATE B.widek SET w30 = w01 + w29, w02 = 0 WHERE w15 > 3",
        "update b_widek",
        "w30 < b_widek.w01 b_widek.w29; w02 <",
        "FILTER b_widek.w15",
    )


def hudi(sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return Hudi's steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    paths = HudiPaths("visit_id", "fee", {"hoodie.datasource.write.partitionpath.field": "doctor"})
    save, load = paths.save, paths.load

    def upsert_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            save(batch.groupBy("visit_id", "doctor").agg(f.max("fee").alias("fee")), job, "stays", "upsert")

        schema = "visit_id BIGINT, patient_id INT, seen STRING, doctor STRING, fee DOUBLE, codes STRING, day STRING"
        source = job.spark.readStream.schema(schema).option("header", True).csv(f"{job.root}/landing/late")
        job.stream(source, "upsert stream").foreachBatch(apply).start().awaitTermination()

    return (
        step(
            "chart",
            "CREATE TABLE B.chart (patient_id INT, ward INT, weight DOUBLE, city STRING, born DATE) USING hudi TBLPROPERTIES (type = 'cow', primaryKey = 'patient_id', preCombineField = 'weight')",
        ),
        step(
            "chart fill",
            "INSERT INTO B.chart SELECT patient_id, CAST(ward AS INT), CAST(weight AS DOUBLE), contact.home.city, born FROM A.patients WHERE insured",
            "append b_chart",
            "patient_id ward weight born < patients.*; city < patients.contact.home.city",
            "FILTER patients.insured",
        ),
        step(
            "chart merge query",
            "MERGE INTO B.chart AS c USING (SELECT patient_id, max(level) AS level, max(test) AS test FROM A.labs GROUP BY patient_id) AS l ON c.patient_id = l.patient_id"
            " WHEN MATCHED AND l.level > 3.5 THEN DELETE WHEN MATCHED THEN UPDATE SET weight = c.weight + l.level, city = l.test"
            " WHEN NOT MATCHED THEN INSERT (patient_id, ward, weight, city, born) VALUES (l.patient_id, 0, l.level, l.test, NULL)",
            "merge b_chart",
            "patient_id < labs.patient_id; weight < b_chart.weight labs.level; city < labs.test; ward born <",
        ),
        step(
            "chart merge join",
            "MERGE INTO B.chart t USING (SELECT p.patient_id, p.name, v.fee FROM A.patients p JOIN A.visits v ON v.patient_id = p.patient_id WHERE v.fee > 40) s ON t.patient_id = s.patient_id"
            " WHEN MATCHED THEN UPDATE SET city = concat(s.name, t.city), weight = s.fee",
            "merge b_chart",
            "city < patients.name b_chart.city; weight < visits.fee",
        ),
        step(
            "chart merge delete",
            "MERGE INTO B.chart t USING (SELECT patient_id FROM A.patients WHERE ward = 3) s ON t.patient_id = s.patient_id WHEN MATCHED THEN DELETE",
            "merge b_chart",
        ),
        step(
            "chart merge star",
            "MERGE INTO B.chart t USING (SELECT patient_id + 300 AS patient_id, CAST(ward AS INT) AS ward, CAST(weight AS DOUBLE) AS weight, name AS city, born FROM A.patients WHERE ward > 1) s ON t.patient_id = s.patient_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge b_chart",
            "patient_id ward weight born < patients.*; city < patients.name",
        ),
        step(
            "chart merge view",
            "WITH loud AS (SELECT patient_id, max(doctor) AS who, max(CAST(fee AS DOUBLE)) AS fee FROM A.visits GROUP BY patient_id) MERGE INTO B.chart t USING loud ON t.patient_id = loud.patient_id WHEN MATCHED THEN UPDATE SET t.city = loud.who, t.weight = loud.fee",
            "merge b_chart",
            "city < visits.doctor; weight < visits.fee",
        ),
        step("chart add", "ALTER TABLE B.chart ADD COLUMNS (mood STRING)", "alter b_chart"),
        step(
            "chart update",
            "UPDATE B.chart SET mood = concat_ws('-', city, CAST(ward AS STRING)), weight = weight / 2 WHERE ward >= 1 AND born > DATE'1970-01-01'",
            "update b_chart",
            "mood < b_chart.city b_chart.ward; weight < b_chart.weight",
            "FILTER b_chart.ward",
        ),
        step(
            "chart delete",
            "DELETE FROM B.chart WHERE city IS NULL OR weight > 900",
            "delete b_chart",
            "",
            "FILTER b_chart.city",
        ),
        step(
            "chart delete in",
            "DELETE FROM B.chart WHERE patient_id NOT IN (SELECT patient_id FROM A.patients WHERE patient_id IS NOT NULL) AND ward = 9",
            "delete b_chart",
        ),
        step(
            "chart read",
            "SELECT mood, max(weight) AS w FROM B.chart WHERE ward > 0 GROUP BY mood",
            "",
            "mood < b_chart.mood; w < b_chart.weight",
            "FILTER b_chart.ward",
        ),
        step(
            "mor",
            "CREATE TABLE B.mor USING hudi PARTITIONED BY (doctor) TBLPROPERTIES (type = 'mor', primaryKey = 'visit_id,patient_id', preCombineField = 'fee') AS SELECT visit_id, patient_id, fee, day, doctor FROM A.visits",
            "create b_mor",
            "visit_id patient_id fee day doctor < visits.*",
        ),
        step(
            "mor update",
            "UPDATE B.mor SET fee = fee + 1, day = date_add(day, 1) WHERE doctor = 'dr1'",
            "update b_mor",
            "fee day < b_mor.*",
            "FILTER b_mor.doctor",
        ),
        step(
            "mor merge",
            "MERGE INTO B.mor t USING A.visits s ON t.visit_id = s.visit_id AND t.patient_id = s.patient_id WHEN MATCHED AND s.fee > 100 THEN UPDATE SET t.fee = s.fee, t.day = s.day WHEN NOT MATCHED THEN INSERT (visit_id, patient_id, fee, day, doctor) VALUES (s.visit_id, s.patient_id, s.fee, s.day, s.doctor)",
            "merge b_mor",
            "visit_id patient_id fee day doctor < visits.*",
        ),
        step("mor delete", "DELETE FROM B.mor WHERE day = DATE'2026-08-09'", "delete b_mor", "", "FILTER b_mor.day"),
        step("mor compact", "CALL run_compaction(op => 'run', table => 'board.mor')", "maintenance b_mor"),
        step(
            "mor partition",
            "INSERT OVERWRITE B.mor PARTITION (doctor = 'dr7') SELECT visit_id, patient_id, fee, day FROM A.visits WHERE doctor = 'dr0'",
            "overwrite b_mor",
            "visit_id patient_id fee day < visits.*; doctor <",
            "FILTER visits.doctor",
        ),
        step("mor drop", "ALTER TABLE B.mor DROP PARTITION (doctor = 'dr2')"),
        step(
            "mor read",
            "SELECT doctor, fee FROM B.mor WHERE visit_id > 3",
            "",
            "doctor fee < b_mor.*",
            "FILTER b_mor.visit_id",
        ),
        Step(
            "stays",
            lambda j: save(
                table(j, "A.visits").selectExpr("visit_id", "CAST(fee AS DOUBLE) AS fee", "doctor"),
                j,
                "stays",
                "insert",
                "overwrite",
            ),
            "overwrite p_stays",
            "visit_id fee doctor < visits.*",
        ),
        Step(
            "stays joined",
            lambda j: save(
                table(j, "A.visits")
                .join(table(j, "A.patients"), "patient_id")
                .selectExpr(
                    "visit_id + 40 AS visit_id", "CAST(weight AS DOUBLE) AS fee", "concat(doctor, ward) AS doctor"
                ),
                j,
                "stays",
                "upsert",
            ),
            "append p_stays",
            "visit_id < visits.visit_id; fee < patients.weight; doctor < visits.doctor patients.ward",
            "JOIN patients.patient_id",
        ),
        Step(
            "stays overwrite",
            lambda j: save(
                table(j, "A.visits")
                .where("doctor = 'dr1'")
                .selectExpr("visit_id", "CAST(fee * 2 AS DOUBLE) AS fee", "doctor"),
                j,
                "stays",
                "insert_overwrite",
            ),
            "overwrite p_stays",
            "visit_id fee doctor < visits.*",
            "FILTER visits.doctor",
        ),
        Step(
            "stays bulk",
            lambda j: save(
                table(j, "A.visits")
                .groupBy("doctor")
                .agg(f.max("visit_id").alias("visit_id"), f.sum("fee").cast("double").alias("fee"))
                .select("visit_id", "fee", "doctor"),
                j,
                "stays",
                "bulk_insert",
            ),
            "append p_stays",
            "visit_id fee doctor < visits.*",
        ),
        Step("upsert stream", upsert_stream, "append p_stays", "visit_id doctor fee < late.*"),
        Step(
            "stays read",
            lambda j: (
                load(j, "stays").where("doctor > 'dr0'").select("visit_id", (f.col("fee") * 2).alias("twice")).collect()
            ),
            "",
            "visit_id < p_stays.visit_id; twice < p_stays.fee",
            "FILTER p_stays.doctor",
        ),
        Step(
            "stays to table",
            lambda j: (
                load(j, "stays")
                .selectExpr("visit_id", "CAST(fee AS DECIMAL(14,2)) AS amount", "doctor AS why")
                .write.insertInto(sql("B.bills"))
            ),
            "append b_bills",
            "visit_id < p_stays.visit_id; amount < p_stays.fee; why < p_stays.doctor",
        ),
        Step(
            "stays sql",
            lambda j: j.sql(sql(f"CREATE TABLE B.stays USING hudi LOCATION '{j.root}/lake/stays'")),
        ),
        step(
            "stays table",
            "SELECT s.doctor, count(*) AS n, min(s.fee) AS low FROM B.stays s JOIN A.visits v ON v.visit_id = s.visit_id GROUP BY s.doctor",
            "",
            "doctor < b_stays.doctor; n <; low < b_stays.fee",
            "JOIN visits.visit_id",
        ),
        step("clustering", "CALL run_clustering(table => 'board.bills', order => 'visit_id')", "maintenance b_bills"),
        step("cleaned", "CALL run_clean(table => 'board.chart')", "maintenance b_chart"),
        step(
            "view",
            "CREATE VIEW B.v_chart AS SELECT c.city, avg(c.weight) AS mean FROM B.chart c WHERE c.ward < 3 GROUP BY c.city",
            "create b_v_chart",
            "city < b_chart.city; mean < b_chart.weight",
        ),
        step(
            "from view",
            "INSERT INTO B.bills SELECT 1, v.mean, v.city FROM B.v_chart v",
            "append b_bills",
            "visit_id <; amount < b_chart.weight; why < b_chart.city",
        ),
        step(
            "wide keyed",
            "CREATE TABLE B.widek USING hudi TBLPROPERTIES (primaryKey = 'visit_id', preCombineField = 'w01') AS SELECT * FROM B.wide30",
            "create b_widek",
            "visit_id " + " ".join(_W30) + " < b_wide30.*",
        ),
        _wide_update(step),
        step(
            "wide merge",
            "MERGE INTO B.widek t USING B.wide30 s ON t.visit_id = s.visit_id WHEN MATCHED THEN UPDATE SET w01 = s.w30, w28 = t.w28 + s.w02",
            "merge b_widek",
            "w01 < b_wide30.w30; w28 < b_widek.w28 b_wide30.w02",
        ),
        step("truncated", "TRUNCATE TABLE B.melted", "truncate b_melted"),
        step("dropped", "DROP TABLE B.tuple"),
    )


def paimon(sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return Paimon's steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def merge_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.dropDuplicates(["patient_id"]).select("patient_id", "test").createOrReplaceTempView("tests")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.chart t USING tests s ON t.patient_id = s.patient_id WHEN MATCHED THEN UPDATE SET city = concat(s.test, t.city)"
                )
            )

        job.stream(job.spark.readStream.format("paimon").table(sql("A.labs")), "merge stream").foreachBatch(
            apply
        ).start().awaitTermination()

    def late_stream(job: Job) -> None:
        schema = (
            "visit_id BIGINT, patient_id INT, seen STRING, doctor STRING, fee DECIMAL(10,2), codes STRING, day DATE"
        )
        late = job.spark.readStream.schema(schema).option("header", True).csv(f"{job.root}/landing/late")
        rows = late.selectExpr("visit_id", "CAST(fee AS DECIMAL(14,2)) AS amount", "doctor AS why").where("amount > 1")
        job.stream(rows, "late stream").format("paimon").toTable(sql("B.bills")).awaitTermination()

    def insert_overwrite(job: Job) -> None:
        frame = table(job, "A.visits").groupBy("doctor").agg(f.count("*").alias("n"), f.max("day").alias("day"))
        frame.select("doctor", "n", "day").write.mode("overwrite").insertInto(sql("B.counts"))

    def saved_append(job: Job) -> None:
        frame = (
            table(job, "A.visits")
            .groupBy("doctor")
            .agg(f.countDistinct("patient_id").alias("n"), f.min("day").alias("day"))
        )
        frame.write.format("paimon").mode("append").saveAsTable(sql("B.counts"))

    def by_path(job: Job) -> DataFrame:
        return job.spark.read.format("paimon").load(f"file://{job.root}/pai/board.db/bills")

    return (
        step(
            "chart",
            "CREATE TABLE B.chart (patient_id INT, ward INT, weight DOUBLE, city STRING, born DATE) USING paimon TBLPROPERTIES ('primary-key' = 'patient_id', 'bucket' = '1', 'merge-engine' = 'partial-update')",
        ),
        step(
            "chart fill",
            "INSERT INTO B.chart SELECT patient_id, CAST(ward AS INT), CAST(weight AS DOUBLE), contact.home.city, born FROM A.patients WHERE insured",
            "append b_chart",
            "patient_id ward weight born < patients.*; city < patients.contact.home.city",
            "FILTER patients.insured",
        ),
        step(
            "chart partial",
            "INSERT INTO B.chart SELECT patient_id, NULL, sum(level), max(test), NULL FROM A.labs GROUP BY patient_id",
            "append b_chart",
            "patient_id < labs.patient_id; weight < labs.level; city < labs.test; ward born <",
        ),
        step(
            "history",
            "CREATE TABLE B.history (patient_id INT, ward INT, city STRING) USING paimon TBLPROPERTIES ('primary-key' = 'patient_id', 'bucket' = '2', 'changelog-producer' = 'input')",
        ),
        step(
            "history fill",
            "INSERT INTO B.history SELECT patient_id, ward, city FROM B.chart",
            "append b_history",
            "patient_id ward city < b_chart.*",
        ),
        step(
            "history merge query",
            "MERGE INTO B.history AS c USING (SELECT patient_id, max(doctor) AS who, CAST(count(*) AS INT) AS n FROM A.visits GROUP BY patient_id) AS l ON c.patient_id = l.patient_id"
            " WHEN MATCHED AND l.n > 3 THEN DELETE WHEN MATCHED THEN UPDATE SET ward = c.ward + l.n, city = l.who"
            " WHEN NOT MATCHED THEN INSERT (patient_id, ward, city) VALUES (l.patient_id, 0, l.who)",
            "merge b_history",
            "patient_id < visits.patient_id; ward < b_history.ward; city < visits.doctor",
        ),
        step(
            "history merge star",
            "MERGE INTO B.history t USING (SELECT patient_id + 300 AS patient_id, CAST(ward AS INT) AS ward, name AS city FROM A.patients) s ON t.patient_id = s.patient_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge b_history",
            "patient_id ward < patients.*; city < patients.name",
        ),
        step(
            "history merge insert",
            "MERGE INTO B.history t USING A.labs s ON t.patient_id = s.patient_id WHEN NOT MATCHED THEN INSERT (patient_id, ward, city) VALUES (s.patient_id, 7, s.test)",
            "merge b_history",
            "patient_id < labs.patient_id; city < labs.test; ward <",
        ),
        step(
            "history update",
            "UPDATE B.history SET city = lower(city), ward = ward * 2 WHERE patient_id BETWEEN 2 AND 9",
            "update b_history",
            "city ward < b_history.*",
            "FILTER b_history.patient_id",
        ),
        step(
            "history delete",
            "DELETE FROM B.history WHERE city = 'none' OR ward > 100",
            "delete b_history",
            "",
            "FILTER b_history.city",
        ),
        step(
            "history delete in",
            "DELETE FROM B.history WHERE patient_id IN (SELECT patient_id FROM A.patients WHERE insured = false)",
            "delete b_history",
            "",
            "JOIN patients.patient_id",
        ),
        step(
            "history read",
            "SELECT h.city, p.name FROM B.history h JOIN A.patients p ON p.patient_id = h.patient_id WHERE h.ward > 1",
            "",
            "city < b_history.city; name < patients.name",
            "JOIN patients.patient_id; FILTER b_history.ward",
        ),
        step("chart add", "ALTER TABLE B.chart ADD COLUMNS (mood STRING COMMENT 'of the day')", "alter b_chart"),
        step("chart rename", "ALTER TABLE B.chart RENAME COLUMN mood TO feeling", "alter b_chart"),
        step("chart drop", "ALTER TABLE B.chart DROP COLUMN born", "alter b_chart"),
        step("chart widen", "ALTER TABLE B.chart ALTER COLUMN ward TYPE BIGINT", "alter b_chart"),
        step(
            "chart by name",
            "INSERT INTO B.chart BY NAME SELECT doctor AS feeling, patient_id, CAST(visit_id AS BIGINT) AS ward, 'c' AS city, CAST(fee AS DOUBLE) AS weight FROM A.visits",
            "append b_chart",
            "patient_id < visits.patient_id; ward < visits.visit_id; weight < visits.fee; city <; feeling < visits.doctor",
        ),
        step(
            "counts",
            "CREATE TABLE B.counts USING paimon PARTITIONED BY (day) TBLPROPERTIES ('file.format' = 'orc') AS SELECT doctor, count(*) AS n, day FROM A.visits GROUP BY doctor, day",
            "create b_counts",
            "doctor day < visits.*; n <",
        ),
        Step("counts overwrite", insert_overwrite, "overwrite b_counts", "doctor day < visits.*; n <"),
        Step("counts append", saved_append, "append b_counts", "doctor day < visits.*; n < visits.patient_id"),
        step(
            "counts static",
            "INSERT OVERWRITE B.counts PARTITION (day = '2026-08-01') SELECT name, zip FROM B.patients WHERE flag",
            "overwrite b_counts",
            "doctor < b_patients.name; n < b_patients.zip; day <",
            "FILTER b_patients.flag",
        ),
        step(
            "counts update",
            "UPDATE B.counts SET n = n + 1 WHERE doctor = 'dr1'",
            "update b_counts",
            "n < b_counts.n",
            "FILTER b_counts.doctor",
        ),
        step(
            "counts delete",
            "DELETE FROM B.counts WHERE n > 500 AND doctor <> 'x'",
            "delete b_counts",
            "",
            "FILTER b_counts.n",
        ),
        step("counts tag", "CALL pai.sys.create_tag(table => 'board.counts', tag => 'first', snapshot => 1)"),
        step(
            "counts travel",
            "INSERT INTO B.counts SELECT doctor, n * 2, day FROM B.counts VERSION AS OF 'first' WHERE n > 0",
            "append b_counts",
            "doctor n day < b_counts.*",
            "FILTER b_counts.n",
        ),
        step(
            "counts rollback",
            "CALL pai.sys.rollback(table => 'board.counts', version => 'first')",
            "maintenance b_counts",
        ),
        step(
            "counts expire",
            "CALL pai.sys.expire_snapshots(table => 'board.bills', retain_max => 2)",
            "maintenance b_bills",
        ),
        step(
            "bills compact",
            "CALL pai.sys.compact(table => 'board.bills', order_strategy => 'order', order_by => 'visit_id')",
            "maintenance b_bills",
        ),
        step("system", "SELECT * FROM B.`bills$files`"),
        Step(
            "late stream",
            late_stream,
            "append b_bills",
            "visit_id < late.visit_id; amount < late.fee; why < late.doctor",
            "FILTER late.fee",
        ),
        Step("merge stream", merge_stream, "merge b_chart", "city < labs.test b_chart.city"),
        Step(
            "path read",
            lambda j: by_path(j).where("amount > 3").select("visit_id").collect(),
            "",
            "visit_id < b_bills.visit_id",
            "FILTER b_bills.amount",
        ),
        step(
            "agg",
            "CREATE TABLE B.agg (doctor STRING, fees DECIMAL(20,2), last DATE) USING paimon TBLPROPERTIES ('primary-key' = 'doctor', 'bucket' = '1', 'merge-engine' = 'aggregation', 'fields.fees.aggregate-function' = 'sum', 'fields.last.aggregate-function' = 'max')",
        ),
        step(
            "agg fill",
            "INSERT INTO B.agg SELECT doctor, fee, day FROM A.visits WHERE patient_id > 2",
            "append b_agg",
            "doctor < visits.doctor; fees < visits.fee; last < visits.day",
            "FILTER visits.patient_id",
        ),
        step(
            "agg overwrite",
            "INSERT OVERWRITE B.agg SELECT doctor, max(fee), min(day) FROM A.visits GROUP BY doctor",
            "overwrite b_agg",
            "doctor < visits.doctor; fees < visits.fee; last < visits.day",
        ),
        step(
            "dynamic bucket",
            "CREATE TABLE B.dyn (patient_id INT, name STRING, fee DECIMAL(10,2)) USING paimon TBLPROPERTIES ('primary-key' = 'patient_id')",
        ),
        step(
            "dynamic fill",
            "INSERT INTO B.dyn SELECT p.patient_id, p.name, v.fee FROM A.patients p LEFT JOIN A.visits v ON v.patient_id = p.patient_id",
            "append b_dyn",
            "patient_id name < patients.*; fee < visits.fee",
            "JOIN visits.patient_id",
        ),
        step(
            "dynamic update",
            "UPDATE B.dyn SET name = concat(name, '.') WHERE fee > 3",
            "update b_dyn",
            "name < b_dyn.name",
            "FILTER b_dyn.fee",
        ),
        Step(
            "replaced",
            lambda j: (
                table(j, "B.courses")
                .withColumnRenamed("share", "share_of")
                .writeTo(sql("B.courses"))
                .using("paimon")
                .createOrReplace()
            ),
            "overwrite b_courses",
            "visit_id before course < b_courses.*; share_of < b_courses.share",
        ),
        step(
            "wide keyed",
            "CREATE TABLE B.widek USING paimon TBLPROPERTIES ('primary-key' = 'visit_id', 'bucket' = '1') AS SELECT * FROM B.wide30",
            "create b_widek",
            "visit_id " + " ".join(_W30) + " < b_wide30.*",
        ),
        _wide_update(step),
        step(
            "wide merge",
            "MERGE INTO B.widek t USING B.wide30 s ON t.visit_id = s.visit_id WHEN MATCHED AND s.w05 > 3 THEN UPDATE SET w01 = s.w30, w28 = t.w28 + s.w02 WHEN NOT MATCHED THEN INSERT *",
            "merge b_widek",
            "w01 < b_wide30.w30 b_wide30.w01; w28 < b_widek.w28 b_wide30.w02 b_wide30.w28; visit_id "
            + " ".join(n for n in _W30 if n not in {"w01", "w28"})
            + " < b_wide30.*",
        ),
        step(
            "wide delete",
            "DELETE FROM B.widek WHERE w30 > w29 AND w28 > 1000000",
            "delete b_widek",
            "",
            "FILTER b_widek.w30",
        ),
        step("truncated", "TRUNCATE TABLE B.melted", "truncate b_melted"),
        step("dropped", "DROP TABLE B.tuple"),
    )
