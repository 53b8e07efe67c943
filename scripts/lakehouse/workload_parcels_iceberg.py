"""The parcel service's statements that only Iceberg understands, with their truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, Job, Step

CHANGES = """
b_evolve: column_renamed weight
b_evolve: type_changed n
b_evolve: column_dropped flag
b_evolve: column_added tag
b_evolve: column_moved tag
b_merged: column_added grade
b_loads: column_dropped role
b_loads: column_added n
"""


def steps(sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    call, quietly = partial(names.call, "B"), names.asked

    def schema_merge(job: Job) -> None:
        table(job, "A.parcels").selectExpr("parcel_id", "kg", "substr(sender, 1, 1) AS grade").writeTo(
            sql("B.merged")
        ).option("mergeSchema", "true").append()

    def dynamic(job: Job) -> None:
        table(job, "A.parcels").where("day <> '2026-07-02'").selectExpr("parcel_id", "kg + 1 AS kg", "day").writeTo(
            sql("B.daily")
        ).overwritePartitions()

    def wap(job: Job) -> None:
        job.spark.sql(sql("ALTER TABLE B.daily SET TBLPROPERTIES ('write.wap.enabled' = 'true')"))
        job.spark.conf.set("spark.wap.branch", "audit_july")
        try:
            job.sql(
                sql("INSERT INTO B.daily SELECT parcel_id + 500, lat, '2026-07-20' FROM A.scans WHERE n_events > 1")
            )
        finally:
            job.spark.conf.unset("spark.wap.branch")

    def travel(job: Job) -> None:
        first = job.pins(
            sql("B.fed"), quietly(job, "SELECT snapshot_id FROM B.fed.snapshots ORDER BY committed_at LIMIT 1")
        )
        job.spark.sql(
            sql(
                f"CREATE TABLE B.moved USING iceberg AS SELECT n.parcel_id, n.kg - o.kg AS moved FROM B.fed n JOIN B.fed VERSION AS OF {first} o ON o.parcel_id = n.parcel_id"
            )
        ).collect()

    def rollback(job: Job) -> None:
        first = quietly(job, "SELECT snapshot_id FROM B.fed.snapshots ORDER BY committed_at LIMIT 1")
        job.spark.sql(call("rollback_to_snapshot", f"table => '@.fed', snapshot_id => {first}")).collect()

    def cdc_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            latest = batch.groupBy("parcel_id").agg(f.max("kg").alias("kg"), f.max_by("sender", "day").alias("sender"))
            latest.createOrReplaceTempView("cdc_latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.parcels t USING cdc_latest s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg + t.kg"
                    " WHEN NOT MATCHED THEN INSERT (parcel_id, sender, kg) VALUES (s.parcel_id, s.sender, s.kg)"
                )
            )

        source = job.spark.readStream.format("iceberg").load(sql("A.parcels"))
        job.stream(source, "cdc stream").foreachBatch(apply).start().awaitTermination()

    def table_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("iceberg")
            .load(sql("A.scans"))
            .selectExpr("upper(hub) AS hub", "n_events * 2 AS n")
        )
        job.stream(rows, "table stream").format("iceberg").toTable(sql("B.echo")).awaitTermination()

    def load_stream(job: Job) -> None:
        rows = job.spark.readStream.format("iceberg").load(sql("A.scans")).groupBy("hub").agg(f.count("*").alias("n"))
        job.stream(rows, "count stream", "complete").format("iceberg").option(
            "path", sql("B.echo")
        ).start().awaitTermination()

    w = [f"m{n:02d}" for n in range(1, 70)]
    return (
        step(
            "senders",
            "CREATE TABLE B.senders USING iceberg TBLPROPERTIES ('format-version' = '2') AS SELECT sender, min(recipient) AS favourite, '2026-07-01' AS valid_from, CAST(NULL AS STRING) AS valid_to, true AS is_current FROM A.parcels GROUP BY sender",
            "create b_senders",
            "sender < parcels.sender; favourite < parcels.recipient; valid_from valid_to is_current <",
        ),
        step(
            "scd2",
            "WITH news AS (SELECT sender, max(recipient) AS favourite, max(day) AS day FROM A.parcels GROUP BY sender)"
            " MERGE INTO B.senders t USING (SELECT n.sender AS merge_key, n.* FROM news n UNION ALL SELECT NULL, n.* FROM news n JOIN B.senders o ON o.sender = n.sender WHERE o.is_current AND o.favourite <> n.favourite) s"
            " ON t.sender = s.merge_key AND t.is_current WHEN MATCHED AND t.favourite <> s.favourite THEN UPDATE SET is_current = false, valid_to = s.day"
            " WHEN NOT MATCHED THEN INSERT (sender, favourite, valid_from, valid_to, is_current) VALUES (s.sender, s.favourite, s.day, NULL, true)",
            "merge b_senders",
            "sender < parcels.sender; favourite < parcels.recipient; valid_from valid_to < parcels.day; is_current <",
        ),
        Step(
            "merged",
            lambda j: (
                table(j, "A.parcels")
                .select("parcel_id", "kg")
                .writeTo(sql("B.merged"))
                .using("iceberg")
                .tableProperty("write.spark.accept-any-schema", "true")
                .create()
            ),
            "create b_merged",
            "parcel_id kg < parcels.*",
        ),
        Step("schema merge", schema_merge, "append b_merged", "parcel_id kg < parcels.*; grade < parcels.sender"),
        step(
            "daily",
            "CREATE TABLE B.daily USING iceberg PARTITIONED BY (day, bucket(3, parcel_id)) AS SELECT parcel_id, kg, day FROM A.parcels",
            "create b_daily",
            "parcel_id kg day < parcels.*",
        ),
        Step("dynamic", dynamic, "overwrite b_daily", "parcel_id kg day < parcels.*", "FILTER parcels.day"),
        step(
            "replace field",
            "ALTER TABLE B.daily REPLACE PARTITION FIELD bucket(3, parcel_id) WITH truncate(10, parcel_id) AS tens",
        ),
        step("drop field", "ALTER TABLE B.daily DROP PARTITION FIELD tens"),
        step("ordered", "ALTER TABLE B.daily WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY kg DESC"),
        step(
            "after field",
            "INSERT INTO B.daily SELECT parcel_id + 100, price, day FROM A.parcels WHERE sender = 's1'",
            "append b_daily",
            "parcel_id < parcels.parcel_id; kg < parcels.price; day < parcels.day",
            "FILTER parcels.sender",
        ),
        step(
            "static part",
            "INSERT OVERWRITE B.daily PARTITION (day = '2026-07-09') SELECT parcel_id, net FROM A.parcels",
            "overwrite b_daily",
            "parcel_id < parcels.parcel_id; kg < parcels.net; day <",
        ),
        Step(
            "overwrite where",
            lambda j: (
                table(j, "A.scans")
                .selectExpr("parcel_id", "lat AS kg", "'2026-07-03' AS day")
                .writeTo(sql("B.daily"))
                .overwrite(f.expr("day = '2026-07-03'"))
            ),
            "overwrite b_daily",
            "parcel_id < scans.parcel_id; kg < scans.lat; day <",
        ),
        step(
            "evolve ddl",
            "CREATE TABLE B.evolve (parcel_id BIGINT, kg DOUBLE, n INT, flag STRING) USING iceberg TBLPROPERTIES ('format-version' = '2', 'write.update.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read')",
        ),
        step(
            "evolve fill",
            "INSERT INTO B.evolve SELECT parcel_id, kg, length(sender), day FROM A.parcels",
            "append b_evolve",
            "parcel_id kg < parcels.*; n < parcels.sender; flag < parcels.day",
        ),
        step("evolve rename", "ALTER TABLE B.evolve RENAME COLUMN kg TO weight", "alter b_evolve"),
        step(
            "evolve renamed",
            "SELECT weight FROM B.evolve WHERE flag > '2026-07-01'",
            "",
            "weight < b_evolve.weight",
            "FILTER b_evolve.flag",
        ),
        step("evolve widen", "ALTER TABLE B.evolve ALTER COLUMN n TYPE BIGINT", "alter b_evolve"),
        step(
            "evolve update",
            "UPDATE B.evolve SET n = n * 2, flag = concat(flag, CAST(weight AS STRING)) WHERE parcel_id < 10 OR n IS NULL",
            "update b_evolve",
            "n < b_evolve.n; flag < b_evolve.flag b_evolve.weight",
            "FILTER b_evolve.parcel_id",
        ),
        step("evolve drop", "ALTER TABLE B.evolve DROP COLUMN flag", "alter b_evolve"),
        step("evolve add", "ALTER TABLE B.evolve ADD COLUMNS (tag STRING)", "alter b_evolve"),
        step("evolve first", "ALTER TABLE B.evolve ALTER COLUMN tag FIRST", "alter b_evolve"),
        step(
            "evolve after",
            "INSERT INTO B.evolve SELECT first_kind, parcel_id, lat, n_events FROM A.scans",
            "append b_evolve",
            "tag < scans.first_kind; parcel_id < scans.parcel_id; weight < scans.lat; n < scans.n_events",
        ),
        step(
            "evolve merge",
            "MERGE INTO B.evolve t USING (SELECT parcel_id, collect_set(hub)[0] AS hub, count(*) AS n FROM A.scans GROUP BY parcel_id) s ON t.parcel_id = s.parcel_id WHEN MATCHED AND s.n > 5 THEN DELETE WHEN MATCHED THEN UPDATE SET tag = s.hub, n = t.n + s.n WHEN NOT MATCHED THEN INSERT (parcel_id, tag) VALUES (s.parcel_id, s.hub)",
            "merge b_evolve",
            "tag < scans.hub; parcel_id < scans.parcel_id; n < b_evolve.n; weight <",
        ),
        step(
            "evolve delete",
            "DELETE FROM B.evolve WHERE tag IN ('in', 'out') AND weight < 4",
            "delete b_evolve",
            "",
            "FILTER b_evolve.tag",
        ),
        step(
            "fed",
            "CREATE TABLE B.fed USING iceberg AS SELECT parcel_id, kg, sender FROM A.parcels",
            "create b_fed",
            "parcel_id kg sender < parcels.*",
        ),
        step(
            "fed update",
            "UPDATE B.fed AS x SET x.kg = x.kg + length(x.sender) WHERE x.parcel_id % 2 = 0",
            "update b_fed",
            "kg < b_fed.kg b_fed.sender",
            "FILTER b_fed.parcel_id",
        ),
        step(
            "fed delete in",
            "DELETE FROM B.fed WHERE parcel_id IN (SELECT parcel_id FROM A.scans WHERE hub = 'h2')",
            "delete b_fed",
        ),
        step(
            "fed update sub",
            "UPDATE B.fed SET kg = (SELECT max(p.kg) FROM A.parcels p WHERE p.parcel_id = fed.parcel_id) WHERE sender = 's1'",
            "update b_fed",
            "kg < parcels.kg",
            "FILTER b_fed.sender",
        ),
        Step("travel", travel, "create b_moved", "parcel_id < b_fed.parcel_id; moved < b_fed.kg"),
        step("tag", "ALTER TABLE B.fed CREATE TAG eoy RETAIN 10 DAYS"),
        step("branch", "ALTER TABLE B.fed CREATE BRANCH IF NOT EXISTS dev"),
        step(
            "branch update",
            "UPDATE B.fed.branch_dev SET kg = kg / 2 WHERE sender = 's2'",
            "update b_fed",
            "kg < b_fed.kg",
            "FILTER b_fed.sender",
        ),
        step(
            "branch merge",
            "MERGE INTO B.fed.branch_dev t USING A.parcels s ON t.parcel_id = s.parcel_id WHEN MATCHED AND s.day = '2026-07-01' THEN UPDATE SET sender = s.recipient",
            "merge b_fed",
            "sender < parcels.recipient",
        ),
        step(
            "branch join",
            "SELECT m.parcel_id, d.kg - m.kg AS d FROM B.fed m JOIN B.fed VERSION AS OF 'dev' d ON d.parcel_id = m.parcel_id",
            "",
            "parcel_id < b_fed.parcel_id; d < b_fed.kg",
        ),
        step(
            "tag read",
            "INSERT INTO B.moved SELECT parcel_id, kg FROM B.fed FOR SYSTEM_VERSION AS OF 'eoy'",
            "append b_moved",
            "parcel_id < b_fed.parcel_id; moved < b_fed.kg",
        ),
        Step("forward", call("fast_forward", "'@.fed', 'main', 'dev'"), "maintenance b_fed"),
        step("after forward", "SELECT kg FROM B.fed WHERE sender = 's2'", "", "kg < b_fed.kg"),
        Step("rollback", rollback, "maintenance b_fed"),
        step("after rollback", "SELECT kg, sender FROM B.fed", "", "kg sender < b_fed.*"),
        Step(
            "wap", wap, "append b_daily", "parcel_id < scans.parcel_id; kg < scans.lat; day <", "FILTER scans.n_events"
        ),
        step(
            "wap read",
            "SELECT count(kg) AS n FROM B.daily VERSION AS OF 'audit_july' WHERE day > '2026-07-10'",
            "",
            "n < b_daily.kg",
            "FILTER b_daily.day",
        ),
        Step("wap published", call("fast_forward", "'@.daily', 'main', 'audit_july'"), "maintenance b_daily"),
        Step(
            "rewritten",
            call(
                "rewrite_data_files",
                "table => '@.daily', strategy => 'sort', sort_order => 'kg', options => map('rewrite-all', 'true')",
            ),
            "maintenance b_daily",
        ),
        Step(
            "positions",
            call("rewrite_position_delete_files", "table => '@.evolve', options => map('rewrite-all', 'true')"),
            "maintenance b_evolve",
        ),
        Step(
            "expired",
            call(
                "expire_snapshots",
                "table => '@.evolve', older_than => TIMESTAMP '2030-01-01 00:00:00', retain_last => 1",
            ),
            "maintenance b_evolve",
        ),
        step(
            "metadata",
            "SELECT f.file_path, s.operation FROM B.daily.entries e JOIN B.daily.snapshots s ON s.snapshot_id = e.snapshot_id JOIN B.daily.files f ON true",
        ),
        step(
            "partitions", "INSERT INTO B.moved SELECT record_count, CAST(file_count AS DOUBLE) FROM B.daily.partitions"
        ),
        step("path column", "SELECT _file, _pos, kg FROM B.daily WHERE kg > 2"),
        Step("table stream", table_stream, "append b_echo", "hub < scans.hub; n < scans.n_events"),
        Step("count stream", load_stream, "overwrite b_echo", "hub < scans.hub; n <"),
        Step("cdc stream", cdc_stream, "merge b_parcels", "parcel_id sender < parcels.*; kg < parcels.kg b_parcels.kg"),
        step(
            "rtas",
            "CREATE OR REPLACE TABLE B.loads USING iceberg AS SELECT who, load, count(*) AS n FROM B.loads GROUP BY who, load",
            "overwrite b_loads",
            "who load < b_loads.*; n <",
        ),
        Step(
            "frame replace",
            lambda j: (
                table(j, "B.by_hub")
                .withColumn("rate", f.expr("ins / nullif(outs, 0)"))
                .writeTo(sql("B.rates"))
                .using("iceberg")
                .partitionedBy("hub")
                .createOrReplace()
            ),
            "overwrite b_rates",
            "hub ins outs < b_by_hub.*; rate < b_by_hub.ins b_by_hub.outs",
        ),
        step(
            "rtas wide",
            f"REPLACE TABLE B.wide70 USING iceberg AS SELECT pk, {', '.join(w[:-1])}, m69 + size(split(cast(pk AS STRING), '')) AS m69 FROM B.wide70",
            "overwrite b_wide70",
            "pk < b_wide70.pk; " + " ".join(w[:-1]) + " < b_wide70.*; m69 < b_wide70.m69 b_wide70.pk",
        ),
        step(
            "wide update",
            "UPDATE B.wide70 SET m05 = m06 + pk, m60 = m61, m33 = 0 WHERE pk > 2",
            "update b_wide70",
            "m05 < b_wide70.m06 b_wide70.pk; m60 < b_wide70.m61; m33 <",
            "FILTER b_wide70.pk",
        ),
        step(
            "wide merge",
            "MERGE INTO B.wide70 t USING (SELECT pk + 1000 AS pk, "
            + ", ".join(w)
            + " FROM B.wide70) s ON t.pk = s.pk WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge b_wide70",
            "pk " + " ".join(w) + " < b_wide70.*",
        ),
        step("max stats", "SELECT max(kg) AS m, count(*) AS n FROM B.parcels", "", "m < b_parcels.kg; n <"),
        step(
            "view one",
            "CREATE VIEW B.v_heavy AS SELECT sender, kg FROM A.parcels WHERE kg > 3",
            "create b_v_heavy",
            "sender kg < parcels.*",
            only="4-1",
        ),
        step(
            "view two",
            "CREATE OR REPLACE VIEW B.v_top (who, most) AS SELECT sender, max(kg) AS kg FROM B.v_heavy GROUP BY sender",
            "create b_v_top",
            "who < b_v_heavy.sender; most < b_v_heavy.kg",
            only="4-1",
        ),
        step(
            "through views",
            "CREATE TABLE B.through USING iceberg AS SELECT v.who, v.most, p.net FROM B.v_top v JOIN A.parcels p ON p.sender = v.who",
            "create b_through",
            "who < parcels.sender; most < parcels.kg; net < parcels.net",
            only="4-1",
        ),
        step("if not exists", "CREATE TABLE IF NOT EXISTS B.daily (parcel_id BIGINT) USING iceberg"),
        step("after exists", "SELECT day FROM B.daily WHERE kg > 1", "", "day < b_daily.day"),
        step("truncate", "TRUNCATE TABLE B.echo", "truncate b_echo"),
        step("dropped", "DROP TABLE B.cube PURGE"),
    )
