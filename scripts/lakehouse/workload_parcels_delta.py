"""The parcel service's statements that only Delta understands, with their truth."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, Job, Step

CHANGES = """
b_merged: column_added grade
b_merged: column_added note
b_evolve: column_renamed weight
b_evolve: column_dropped day
b_evolve: column_added tag
b_evolve: column_added tail
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

    def lake(job: Job, name: str) -> str:
        return f"{job.root}/lake/{name}"

    def scd2(job: Job) -> None:
        from delta.tables import DeltaTable

        news = (
            table(job, "A.parcels")
            .groupBy("sender")
            .agg(f.max("recipient").alias("favourite"), f.max("day").alias("day"))
        )
        old = table(job, "B.senders").where("is_current")
        changed = news.alias("n").join(old.alias("o"), "sender").where("n.favourite <> o.favourite").select("n.*")
        staged = changed.selectExpr("NULL AS merge_key", "*").unionByName(news.selectExpr("sender AS merge_key", "*"))
        (
            DeltaTable.forName(job.spark, sql("B.senders"))
            .alias("t")
            .merge(staged.alias("s"), "t.sender = s.merge_key")
            .whenMatchedUpdate(
                "t.is_current AND t.favourite <> s.favourite", {"is_current": "false", "valid_to": "s.day"}
            )
            .whenNotMatchedInsert(
                values={
                    "sender": "s.sender",
                    "favourite": "s.favourite",
                    "valid_from": "s.day",
                    "valid_to": "null",
                    "is_current": "true",
                }
            )
            .execute()
        )

    def schema_merge(job: Job) -> None:
        frame = table(job, "A.parcels").selectExpr("parcel_id", "kg", "substr(sender, 1, 1) AS grade")
        frame.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable(sql("B.merged"))

    def evolve_merge(job: Job) -> None:
        job.spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")
        try:
            job.sql(
                sql(
                    "MERGE INTO B.merged t USING (SELECT parcel_id, kg * 3 AS kg, hub AS note FROM A.scans JOIN A.parcels USING (parcel_id)) s"
                    " ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                )
            )
        finally:
            job.spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled")

    def dynamic(job: Job) -> None:
        frame = table(job, "A.parcels").where("day <> '2026-07-02'").selectExpr("parcel_id", "kg + 1 AS kg", "day")
        frame.write.mode("overwrite").option("partitionOverwriteMode", "dynamic").insertInto(sql("B.daily"))

    def where_option(job: Job) -> None:
        frame = (
            table(job, "A.parcels")
            .where("day = '2026-07-01'")
            .select("parcel_id", "price", "day")
            .toDF("parcel_id", "kg", "day")
        )
        frame.write.format("delta").mode("overwrite").option("replaceWhere", "day = '2026-07-01'").saveAsTable(
            sql("B.daily")
        )

    def cdc_stream(job: Job) -> None:
        from delta.tables import DeltaTable

        def apply(batch: DataFrame, number: int) -> None:
            latest = batch.groupBy("parcel_id").agg(f.max("kg").alias("kg"), f.max_by("sender", "day").alias("sender"))
            target = DeltaTable.forName(batch.sparkSession, sql("B.parcels"))
            (
                target.alias("t")
                .merge(latest.alias("s"), "t.parcel_id = s.parcel_id")
                .whenMatchedUpdate(set={"kg": "s.kg + t.kg"})
                .whenNotMatchedInsert(values={"parcel_id": "s.parcel_id", "sender": "s.sender", "kg": "s.kg"})
                .execute()
            )

        source = job.spark.readStream.table(sql("A.parcels"))
        job.stream(source, "cdc stream").foreachBatch(apply).start().awaitTermination()

    def path_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("delta")
            .load(lake(job, "boxes"))
            .withColumn("loud", f.upper("sender"))
            .drop("sender")
        )
        job.stream(rows, "path stream").format("delta").start(lake(job, "echo")).awaitTermination()

    def feed(job: Job) -> None:
        frame = (
            job.spark.read.format("delta")
            .option("readChangeFeed", "true")
            .option("startingVersion", 1)
            .table(sql("B.fed"))
        )
        frame = frame.where("_change_type <> 'update_preimage'").selectExpr(
            "parcel_id", "kg", "_change_type AS op", "_commit_version AS v"
        )
        frame.writeTo(sql("B.feed")).using("delta").createOrReplace()

    def travel(job: Job) -> None:
        old = job.spark.read.format("delta").option("versionAsOf", job.pins("desk.fed", 1)).table(sql("B.fed"))
        table(job, "B.fed").alias("n").join(old.alias("o"), "parcel_id", "full").selectExpr(
            "parcel_id", "n.kg - o.kg AS moved"
        ).write.format("delta").mode("overwrite").saveAsTable(sql("B.moved"))

    return (
        step(
            "senders",
            "CREATE TABLE B.senders USING delta AS SELECT sender, min(recipient) AS favourite, '2026-07-01' AS valid_from, CAST(NULL AS STRING) AS valid_to, true AS is_current FROM A.parcels GROUP BY sender",
            "create b_senders",
            "sender < parcels.sender; favourite < parcels.recipient; valid_from valid_to is_current <",
        ),
        Step(
            "scd2",
            scd2,
            "merge b_senders",
            "sender < parcels.sender; favourite < parcels.recipient; valid_from < parcels.day; valid_to < parcels.day; is_current <",
        ),
        Step(
            "merged",
            lambda j: table(j, "A.parcels").select("parcel_id", "kg").writeTo(sql("B.merged")).using("delta").create(),
            "create b_merged",
            "parcel_id kg < parcels.*",
        ),
        Step("schema merge", schema_merge, "append b_merged", "parcel_id kg < parcels.*; grade < parcels.sender"),
        Step(
            "evolve merge",
            evolve_merge,
            "merge b_merged",
            "parcel_id < scans.parcel_id; kg < parcels.kg; grade <; note < scans.hub",
        ),
        step(
            "daily",
            "CREATE TABLE B.daily USING delta PARTITIONED BY (day) AS SELECT parcel_id, kg, day FROM A.parcels",
            "create b_daily",
            "parcel_id kg day < parcels.*",
        ),
        Step("dynamic", dynamic, "overwrite b_daily", "parcel_id kg day < parcels.*", "FILTER parcels.day"),
        Step("where option", where_option, "overwrite b_daily", "parcel_id day < parcels.*; kg < parcels.price"),
        step(
            "replace where",
            "INSERT INTO B.daily REPLACE WHERE day = '2026-07-03' SELECT parcel_id, lat, '2026-07-03' FROM A.scans",
            "overwrite b_daily",
            "parcel_id < scans.parcel_id; kg < scans.lat; day <",
        ),
        step(
            "static part",
            "INSERT OVERWRITE B.daily PARTITION (day = '2026-07-09') SELECT parcel_id, net FROM A.parcels",
            "overwrite b_daily",
            "parcel_id < parcels.parcel_id; kg < parcels.net; day <",
        ),
        step(
            "evolve ddl",
            "CREATE TABLE B.evolve (parcel_id BIGINT, kg DOUBLE, day STRING, flag STRING DEFAULT 'n') USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name', 'delta.feature.allowColumnDefaults' = 'supported', 'delta.enableDeletionVectors' = 'true')",
        ),
        step(
            "evolve fill",
            "INSERT INTO B.evolve (parcel_id, kg, day) SELECT parcel_id, kg, day FROM A.parcels",
            "append b_evolve",
            "parcel_id kg day < parcels.*; flag <",
        ),
        step("evolve rename", "ALTER TABLE B.evolve RENAME COLUMN kg TO weight", "alter b_evolve"),
        step(
            "evolve renamed",
            "SELECT weight FROM B.evolve WHERE day > '2026-07-01'",
            "",
            "weight < b_evolve.weight",
            "FILTER b_evolve.day",
        ),
        step("evolve drop", "ALTER TABLE B.evolve DROP COLUMN day", "alter b_evolve"),
        step(
            "evolve add",
            "ALTER TABLE B.evolve ADD COLUMNS (tag STRING AFTER parcel_id, tail MAP<STRING, INT>)",
            "alter b_evolve",
        ),
        step(
            "evolve after",
            "INSERT INTO B.evolve SELECT parcel_id, first_kind, lat, prio, map(hub, 1) FROM A.scans",
            "append b_evolve",
            "parcel_id < scans.parcel_id; tag < scans.first_kind; weight < scans.lat; flag < scans.prio; tail < scans.hub",
        ),
        step(
            "evolve update",
            "UPDATE B.evolve SET tag = concat(tag, flag) WHERE weight > 20 OR flag IS NULL",
            "update b_evolve",
            "tag < b_evolve.tag b_evolve.flag",
            "FILTER b_evolve.weight",
        ),
        step(
            "evolve delete",
            "DELETE FROM B.evolve WHERE tag IN ('in', 'out') AND weight < 4",
            "delete b_evolve",
            "",
            "FILTER b_evolve.tag",
        ),
        step(
            "identity ddl",
            "CREATE TABLE B.ident (id BIGINT GENERATED BY DEFAULT AS IDENTITY, sender STRING, kg DOUBLE, grams DOUBLE GENERATED ALWAYS AS (kg * 1000), band STRING GENERATED ALWAYS AS (substr(sender, 1, 1))) USING delta PARTITIONED BY (band)",
        ),
        step(
            "identity fill",
            "INSERT INTO B.ident (sender, kg) SELECT sender, kg FROM A.parcels WHERE kg IS NOT NULL",
            "append b_ident",
            "id <; sender band < parcels.sender; kg grams < parcels.kg",
        ),
        step(
            "identity merge",
            "MERGE INTO B.ident t USING (SELECT sender, sum(kg) AS kg FROM A.parcels GROUP BY sender) s ON t.sender = s.sender AND t.id < 3 WHEN MATCHED THEN UPDATE SET kg = s.kg WHEN NOT MATCHED THEN INSERT (sender, kg) VALUES (s.sender, s.kg)",
            "merge b_ident",
            "id <; sender < parcels.sender; band < parcels.sender b_ident.sender; kg grams < parcels.kg",
        ),
        step(
            "fed",
            "CREATE TABLE B.fed USING delta TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true') AS SELECT parcel_id, kg, sender FROM A.parcels",
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
            "fed delete",
            "DELETE FROM B.fed WHERE parcel_id % 5 = 0 AND sender <> 's9'",
            "delete b_fed",
        ),
        Step(
            "feed",
            feed,
            "overwrite b_feed",
            "parcel_id kg < b_fed.*; op < b_fed._change_type; v < b_fed._commit_version",
            "FILTER b_fed._change_type",
        ),
        Step("travel", travel, "overwrite b_moved", "parcel_id < b_fed.parcel_id; moved < b_fed.kg"),
        step(
            "travel sql",
            "SELECT parcel_id, kg FROM B.fed VERSION AS OF 0 EXCEPT SELECT parcel_id, kg FROM B.fed VERSION AS OF 1",
            "",
            "parcel_id kg < b_fed.*",
        ),
        step(
            "self merge",
            "MERGE INTO B.fed t USING (SELECT * FROM B.fed VERSION AS OF 0) s ON t.parcel_id = s.parcel_id WHEN MATCHED AND t.kg <> s.kg THEN UPDATE SET kg = s.kg WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN DELETE",
            "merge b_fed",
            "parcel_id kg sender < b_fed.*",
        ),
        Step(
            "boxes",
            lambda j: (
                table(j, "A.parcels").select("parcel_id", "sender", "kg").write.format("delta").save(lake(j, "boxes"))
            ),
            "create p_boxes",
            "parcel_id sender kg < parcels.*",
        ),
        Step(
            "boxes name",
            lambda j: j.sql(
                f"INSERT INTO delta.`{lake(j, 'boxes')}` SELECT parcel_id + 1000, hub, lat FROM {sql('A.scans')}"
            ),
            "append p_boxes",
            "parcel_id < scans.parcel_id; sender < scans.hub; kg < scans.lat",
        ),
        Step(
            "boxes merge",
            lambda j: j.sql(
                f"MERGE INTO delta.`{lake(j, 'boxes')}` t USING {sql('B.parcels')} s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg * 10"
            ),
            "merge p_boxes",
            "kg < b_parcels.kg",
        ),
        Step(
            "boxes join",
            lambda j: j.sql(
                f"SELECT b.kg, p.net FROM delta.`{lake(j, 'boxes')}` b LEFT JOIN {sql('A.parcels')} p ON p.parcel_id = b.parcel_id"
            ),
            "",
            "kg < p_boxes.kg; net < parcels.net",
            "JOIN parcels.parcel_id",
        ),
        Step(
            "boxes overwrite",
            lambda j: (
                j.spark.read.format("delta")
                .load(lake(j, "boxes"))
                .where("kg > 0")
                .withColumn("kg", f.col("kg") / 2)
                .write.format("delta")
                .mode("overwrite")
                .save(lake(j, "boxes"))
            ),
            "overwrite p_boxes",
            "parcel_id sender kg < p_boxes.*",
            "FILTER p_boxes.kg",
        ),
        Step("path stream", path_stream, "append p_echo", "parcel_id kg < p_boxes.*; loud < p_boxes.sender"),
        Step("cdc stream", cdc_stream, "merge b_parcels", "parcel_id sender < parcels.*; kg < parcels.kg b_parcels.kg"),
        step(
            "view one",
            "CREATE VIEW B.v_heavy AS SELECT sender, kg FROM A.parcels WHERE kg > 3",
            "create b_v_heavy",
            "sender kg < parcels.*",
        ),
        step(
            "view two",
            "CREATE OR REPLACE VIEW B.v_top (who, most) AS SELECT sender, max(kg) AS kg FROM B.v_heavy GROUP BY sender",
            "create b_v_top",
            "who < parcels.sender; most < parcels.kg",
        ),
        step(
            "through views",
            "CREATE TABLE B.through USING delta AS SELECT v.who, v.most, p.net FROM B.v_top v JOIN A.parcels p ON p.sender = v.who",
            "create b_through",
            "who < parcels.sender; most < parcels.kg; net < parcels.net",
        ),
        step(
            "rtas",
            "CREATE OR REPLACE TABLE B.loads USING delta AS SELECT who, load, count(*) AS n FROM B.loads GROUP BY who, load",
            "overwrite b_loads",
            "who load < b_loads.*; n <",
        ),
        step(
            "rtas wide",
            f"REPLACE TABLE B.wide70 USING delta AS SELECT pk, {', '.join(f'm{n:02d}' for n in range(1, 69))}, m69 + size(split(cast(pk AS STRING), '')) AS m69 FROM B.wide70",
            "overwrite b_wide70",
            "pk < b_wide70.pk; "
            + " ".join(f"m{n:02d}" for n in range(1, 69))
            + " < b_wide70.*; m69 < b_wide70.m69 b_wide70.pk",
        ),
        step(
            "wide update",
            "UPDATE B.wide70 SET " + ", ".join(f"m{n:02d} = m{n + 1:02d}" for n in range(1, 69)) + " WHERE pk > 2",
            "update b_wide70",
            "; ".join(f"m{n:02d} < b_wide70.m{n + 1:02d}" for n in range(1, 69)),
            "FILTER b_wide70.pk",
        ),
        step(
            "wide merge",
            "MERGE INTO B.wide70 t USING (SELECT pk + 1 AS pk, "
            + ", ".join(f"m{n:02d} AS z{n}" for n in range(1, 40))
            + " FROM B.wide70) s ON t.pk = s.pk WHEN MATCHED THEN UPDATE SET "
            + ", ".join(f"m{n:02d} = s.z{n}" for n in range(1, 40)),
            "merge b_wide70",
            "; ".join(f"m{n:02d} < b_wide70.m{n:02d}" for n in range(1, 40)),
        ),
        step("optimize", "OPTIMIZE B.daily WHERE day = '2026-07-09' ZORDER BY (parcel_id)", "maintenance b_daily"),
        step("vacuum", "VACUUM B.daily RETAIN 1000 HOURS", "maintenance b_daily"),
        step("restore", "RESTORE TABLE B.daily TO VERSION AS OF 0", "maintenance b_daily"),
        step("after restore", "SELECT parcel_id, kg FROM B.daily", "", "parcel_id kg < b_daily.*"),
        step("if not exists", "CREATE TABLE IF NOT EXISTS B.daily (parcel_id BIGINT) USING delta"),
        step("after exists", "SELECT day FROM B.daily WHERE kg > 1", "", "day < b_daily.day"),
        step(
            "clone",
            "CREATE OR REPLACE TABLE B.cloned SHALLOW CLONE B.fed VERSION AS OF 1",
            "overwrite b_cloned",
            "parcel_id kg sender < b_fed.*",
        ),
        step(
            "from clone",
            "INSERT INTO B.cloned SELECT parcel_id, kg, sender FROM B.fed WHERE kg > 20",
            "append b_cloned",
            "parcel_id kg sender < b_fed.*",
        ),
        step("dropped", "DROP TABLE B.cube"),
    )
