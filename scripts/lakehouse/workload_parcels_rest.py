"""The parcel service's statements that only Hudi and only Paimon understand, with their truth."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import CatalogNames, HudiPaths, Job, Step, numbered

CHANGES = {
    "hudi": "b_keyed: column_added note",
    "paimon": "b_keyed: column_added note\nb_keyed: column_renamed remark\nb_keyed: type_changed n\nb_loads: column_dropped role\nb_loads: column_added n",
}


def _changed(step: Callable[..., Step]) -> tuple[Step, ...]:
    return (
        step(
            "keyed update",
            "UPDATE B.keyed SET kg = kg * 1.1, sender = upper(sender) WHERE parcel_id > 4",
            "update b_keyed",
            "kg sender < b_keyed.*",
            "FILTER b_keyed.parcel_id",
        ),
        step(
            "keyed delete",
            "DELETE FROM B.keyed WHERE kg > 33 AND sender LIKE 'S%'",
            "delete b_keyed",
            "",
            "FILTER b_keyed.kg",
        ),
    )


def hudi(sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return Hudi's steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    paths = HudiPaths("parcel_id", "kg")
    save, load = paths.save, paths.load

    def cdc_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.selectExpr("parcel_id", "sender", "kg * 2 AS kg").createOrReplaceTempView("cdc_latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.keyed t USING cdc_latest s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg"
                    " WHEN NOT MATCHED THEN INSERT (parcel_id, sender, kg) VALUES (s.parcel_id, s.sender, s.kg)"
                )
            )

        schema = "parcel_id BIGINT, sender STRING, recipient STRING, kg DOUBLE, price DOUBLE, day STRING"
        source = job.spark.readStream.schema(schema).option("header", True).csv(f"{job.root}/landing/late")
        job.stream(source, "cdc stream").foreachBatch(apply).start().awaitTermination()

    def path_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("hudi")
            .load(f"{job.root}/lake/boxes")
            .selectExpr("parcel_id", "upper(sender) AS sender", "kg")
        )
        options = {
            "hoodie.table.name": "echo",
            "hoodie.datasource.write.recordkey.field": "parcel_id",
            "hoodie.datasource.write.precombine.field": "kg",
        }
        job.stream(rows, "path stream").format("hudi").options(**options).start(
            f"{job.root}/lake/echo"
        ).awaitTermination()

    return (
        step(
            "keyed ddl",
            "CREATE TABLE B.keyed (parcel_id BIGINT, sender STRING, kg DOUBLE) USING hudi TBLPROPERTIES (primaryKey = 'parcel_id', preCombineField = 'kg')",
        ),
        step(
            "keyed",
            "INSERT INTO B.keyed SELECT parcel_id, concat(sender, '/', recipient), kg FROM A.parcels WHERE price > 1",
            "append b_keyed",
            "parcel_id kg < parcels.*; sender < parcels.sender parcels.recipient",
            "FILTER parcels.price",
        ),
        step(
            "keyed merge table",
            "MERGE INTO B.keyed t USING B.parcels s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg, sender = s.sender WHEN NOT MATCHED THEN INSERT *",
            "merge b_keyed",
            "parcel_id sender kg < b_parcels.*",
        ),
        step(
            "keyed merge view",
            "MERGE INTO B.keyed t USING (SELECT * FROM B.parcels) s ON t.parcel_id = s.parcel_id WHEN MATCHED AND s.kg < 3 THEN DELETE WHEN MATCHED THEN UPDATE SET kg = t.kg + s.kg",
            "merge b_keyed",
            "kg < b_keyed.kg b_parcels.kg",
        ),
        *_changed(step),
        step("keyed add", "ALTER TABLE B.keyed ADD COLUMNS (note STRING)", "alter b_keyed"),
        step(
            "keyed added",
            "INSERT INTO B.keyed SELECT parcel_id + 100, hub, lat, prio FROM A.scans",
            "append b_keyed",
            "parcel_id < scans.parcel_id; sender < scans.hub; kg < scans.lat; note < scans.prio",
        ),
        step(
            "keyed read",
            "SELECT note, count(*) AS n FROM B.keyed WHERE kg > 2 GROUP BY note",
            "",
            "note < b_keyed.note; n <",
            "FILTER b_keyed.kg",
        ),
        step(
            "keyed join",
            "INSERT INTO B.loads SELECT k.sender, k.kg - p.kg, p.day FROM B.keyed k JOIN A.parcels p ON p.parcel_id = k.parcel_id",
            "append b_loads",
            "who < b_keyed.sender; load < b_keyed.kg parcels.kg; role < parcels.day",
            "JOIN parcels.parcel_id",
        ),
        Step("cdc stream", cdc_stream, "merge b_keyed", "parcel_id sender < late.*; kg < late.kg"),
        step(
            "mor",
            "CREATE TABLE B.mor USING hudi PARTITIONED BY (day) TBLPROPERTIES (type = 'mor', primaryKey = 'parcel_id', preCombineField = 'kg') AS SELECT parcel_id, kg, sender, day FROM A.parcels",
            "create b_mor",
            "parcel_id kg sender day < parcels.*",
        ),
        step(
            "mor update",
            "UPDATE B.mor SET sender = concat(sender, day) WHERE kg > 10",
            "update b_mor",
            "sender < b_mor.sender b_mor.day",
            "FILTER b_mor.kg",
        ),
        step(
            "mor static",
            "INSERT INTO B.mor PARTITION (day = '2026-07-09') SELECT parcel_id, net, recipient FROM A.parcels",
            "append b_mor",
            "parcel_id < parcels.parcel_id; kg < parcels.net; sender < parcels.recipient; day <",
        ),
        step(
            "mor overwrite",
            "INSERT OVERWRITE B.mor SELECT parcel_id, kg, sender, day FROM A.parcels WHERE day = '2026-07-02'",
            "overwrite b_mor",
            "parcel_id kg sender day < parcels.*",
        ),
        step(
            "mor delete",
            "DELETE FROM B.mor WHERE parcel_id IN (SELECT parcel_id FROM A.scans WHERE hub = 'h1')",
            "delete b_mor",
        ),
        step("mor cluster", "CALL run_clustering(table => 'desk.mor')", "maintenance b_mor"),
        step(
            "mor read",
            "SELECT sender, kg FROM B.mor WHERE day > '2026-07-01' ORDER BY kg LIMIT 4",
            "",
            "sender kg < b_mor.*",
            "FILTER b_mor.day",
        ),
        Step(
            "boxes",
            lambda j: save(
                table(j, "A.parcels").select("parcel_id", "sender", "kg", "day"), j, "boxes", "bulk_insert", "overwrite"
            ),
            "overwrite p_boxes",
            "parcel_id sender kg day < parcels.*",
        ),
        Step(
            "boxes upsert",
            lambda j: save(
                table(j, "A.scans").selectExpr("parcel_id", "hub AS sender", "lat AS kg", "at AS day").where("kg > 3"),
                j,
                "boxes",
                "upsert",
            ),
            "append p_boxes",
            "parcel_id < scans.parcel_id; sender < scans.hub; kg < scans.lat; day < scans.at",
            "FILTER scans.lat",
        ),
        Step(
            "boxes joined",
            lambda j: save(
                table(j, "A.parcels")
                .join(table(j, "A.scans"), "parcel_id")
                .groupBy("parcel_id")
                .agg(f.max("hub").alias("sender"), f.sum("kg").alias("kg"), f.min("day").alias("day")),
                j,
                "boxes",
                "insert",
            ),
            "append p_boxes",
            "parcel_id < parcels.parcel_id; sender < scans.hub; kg day < parcels.*",
            "JOIN scans.parcel_id",
        ),
        Step(
            "boxes read",
            lambda j: load(j, "boxes").where("sender = 's1'").groupBy("sender").agg(f.sum("kg").alias("kg")).collect(),
            "",
            "sender kg < p_boxes.*",
            "FILTER p_boxes.sender",
        ),
        Step(
            "boxes to table",
            lambda j: (
                load(j, "boxes")
                .selectExpr("sender AS who", "kg AS load", "day AS role")
                .write.insertInto(sql("B.loads"))
            ),
            "append b_loads",
            "who < p_boxes.sender; load < p_boxes.kg; role < p_boxes.day",
        ),
        Step(
            "boxes deletes",
            lambda j: save(
                table(j, "B.parcels").where("kg > 20").selectExpr("parcel_id", "sender", "kg", "'x' AS day"),
                j,
                "boxes",
                "delete",
            ),
            "delete p_boxes",
        ),
        Step("path stream", path_stream, "append p_echo", "parcel_id kg < p_boxes.*; sender < p_boxes.sender"),
        step(
            "view",
            "CREATE VIEW B.v_heavy AS SELECT sender, max(kg) AS kg FROM B.keyed GROUP BY sender",
            "create b_v_heavy",
            "sender kg < b_keyed.*",
        ),
        step(
            "through view",
            "INSERT INTO B.loads SELECT v.sender, v.kg, 'v' FROM B.v_heavy v WHERE v.kg > 1",
            "append b_loads",
            "who < b_keyed.sender; load < b_keyed.kg; role <",
        ),
        step(
            "wide keyed ddl",
            f"CREATE TABLE B.widek (pk BIGINT, {numbered(40, 'q{n} DOUBLE')}) USING hudi TBLPROPERTIES (primaryKey = 'pk', preCombineField = 'q1')",
        ),
        step(
            "wide keyed",
            f"INSERT INTO B.widek SELECT pk, {numbered(40, 'm{n} + 1', 10).replace('m9', 'm09')} , m01, m02, m03, m04, m05, m06, m07, m08, m09 FROM B.wide70",
            "append b_widek",
            "pk < b_wide70.pk; "
            + "; ".join(f"q{n - 9} < b_wide70.m{n}" for n in range(10, 41))
            + "; "
            + "; ".join(f"q{n + 31} < b_wide70.m0{n}" for n in range(1, 10)),
        ),
        step(
            "wide read",
            f"SELECT pk, {numbered(40, 'q{n} * 2 AS r{n}')} FROM B.widek WHERE q39 > 0",
            "",
            "pk < b_widek.pk; " + "; ".join(f"r{n} < b_widek.q{n}" for n in range(1, 41)),
            "FILTER b_widek.q39",
        ),
        step(
            "ctas keyed",
            "CREATE TABLE B.ckeyed USING hudi TBLPROPERTIES (primaryKey = 'sender', preCombineField = 'kg') AS SELECT p.sender, sum(p.kg) AS kg, max(s.hub) AS hub FROM A.parcels p LEFT JOIN A.scans s ON s.parcel_id = p.parcel_id WHERE p.net > 1 GROUP BY p.sender",
            "create b_ckeyed",
            "sender kg < parcels.*; hub < scans.hub",
            "JOIN scans.parcel_id; FILTER parcels.net",
        ),
    )


def paimon(sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return Paimon's steps.

    Args:
        sql: Puts catalogs into a text.
    """
    names = CatalogNames(sql)
    step, table = names.step, names.table

    def cdc_stream(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.groupBy("parcel_id").agg(
                f.max("kg").alias("kg"), f.max("sender").alias("sender")
            ).createOrReplaceTempView("cdc_latest")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO B.keyed t USING cdc_latest s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg"
                    " WHEN NOT MATCHED THEN INSERT (parcel_id, sender, kg, n) VALUES (s.parcel_id, s.sender, s.kg, 0)"
                )
            )

        source = job.spark.readStream.format("paimon").table(sql("A.parcels"))
        job.stream(source, "cdc stream").foreachBatch(apply).start().awaitTermination()

    def table_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("paimon")
            .table(sql("A.scans"))
            .selectExpr("upper(hub) AS hub", "n_events * 2 AS n")
        )
        job.stream(rows, "table stream").format("paimon").toTable(sql("B.echo")).awaitTermination()

    def dynamic(job: Job) -> None:
        job.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
        try:
            table(job, "A.parcels").where("day <> '2026-07-02'").selectExpr(
                "parcel_id", "kg + 1 AS kg", "day"
            ).write.mode("overwrite").insertInto(sql("B.daily"))
        finally:
            job.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")

    w = [f"m{n:02d}" for n in range(1, 70)]
    return (
        step(
            "keyed ddl",
            "CREATE TABLE B.keyed (parcel_id BIGINT, sender STRING, kg DOUBLE, n INT) USING paimon TBLPROPERTIES ('primary-key' = 'parcel_id', 'bucket' = '2')",
        ),
        step(
            "keyed",
            "INSERT INTO B.keyed SELECT parcel_id, concat(sender, '/', recipient), kg, length(day) FROM A.parcels WHERE price > 1",
            "append b_keyed",
            "parcel_id kg < parcels.*; sender < parcels.sender parcels.recipient; n < parcels.day",
            "FILTER parcels.price",
        ),
        step(
            "keyed merge",
            "MERGE INTO B.keyed t USING (SELECT s.parcel_id, max(s.hub) AS hub, sum(p.kg) AS kg FROM A.scans s JOIN A.parcels p ON p.parcel_id = s.parcel_id GROUP BY s.parcel_id) u ON t.parcel_id = u.parcel_id WHEN MATCHED AND u.kg > 30 THEN DELETE WHEN MATCHED THEN UPDATE SET kg = t.kg + u.kg, sender = u.hub WHEN NOT MATCHED THEN INSERT (parcel_id, sender, kg, n) VALUES (u.parcel_id, u.hub, u.kg, 1)",
            "merge b_keyed",
            "parcel_id < scans.parcel_id; sender < scans.hub; kg < b_keyed.kg parcels.kg; n <",
        ),
        step(
            "keyed merge table",
            "MERGE INTO B.keyed t USING B.parcels s ON t.parcel_id = s.parcel_id WHEN MATCHED THEN UPDATE SET kg = s.kg, sender = s.sender",
            "merge b_keyed",
            "sender kg < b_parcels.*",
        ),
        *_changed(step),
        step(
            "keyed read",
            "SELECT sender, count(*) AS n FROM B.keyed WHERE kg > 2 GROUP BY sender",
            "",
            "sender < b_keyed.sender; n <",
            "FILTER b_keyed.kg",
        ),
        step("keyed add", "ALTER TABLE B.keyed ADD COLUMNS (note STRING)", "alter b_keyed"),
        step("keyed rename", "ALTER TABLE B.keyed RENAME COLUMN note TO remark", "alter b_keyed"),
        step("keyed widen", "ALTER TABLE B.keyed ALTER COLUMN n TYPE BIGINT", "alter b_keyed"),
        step(
            "keyed added",
            "INSERT INTO B.keyed SELECT parcel_id + 100, hub, lat, n_events, prio FROM A.scans",
            "append b_keyed",
            "parcel_id < scans.parcel_id; sender < scans.hub; kg < scans.lat; n < scans.n_events; remark < scans.prio",
        ),
        step(
            "keyed columns",
            "INSERT INTO B.keyed (parcel_id, kg, sender, n, remark) SELECT parcel_id + 200, net, day, 7, recipient FROM A.parcels",
            "append b_keyed",
            "parcel_id < parcels.parcel_id; kg < parcels.net; sender < parcels.day; n <; remark < parcels.recipient",
        ),
        step(
            "keyed join",
            "INSERT INTO B.loads SELECT k.sender, k.kg - p.kg, p.day FROM B.keyed k JOIN A.parcels p ON p.parcel_id = k.parcel_id",
            "append b_loads",
            "who < b_keyed.sender; load < b_keyed.kg parcels.kg; role < parcels.day",
            "JOIN parcels.parcel_id",
        ),
        Step("cdc stream", cdc_stream, "merge b_keyed", "parcel_id sender kg < parcels.*; n remark <"),
        Step("table stream", table_stream, "append b_echo", "hub < scans.hub; n < scans.n_events"),
        step(
            "daily",
            "CREATE TABLE B.daily USING paimon PARTITIONED BY (day) AS SELECT parcel_id, kg, day FROM A.parcels",
            "create b_daily",
            "parcel_id kg day < parcels.*",
        ),
        Step("dynamic", dynamic, "overwrite b_daily", "parcel_id kg day < parcels.*", "FILTER parcels.day"),
        step(
            "static part",
            "INSERT OVERWRITE B.daily PARTITION (day = '2026-07-09') SELECT parcel_id, net FROM A.parcels",
            "overwrite b_daily",
            "parcel_id < parcels.parcel_id; kg < parcels.net; day <",
        ),
        step(
            "daily update",
            "UPDATE B.daily SET kg = kg + parcel_id WHERE day = '2026-07-01'",
            "update b_daily",
            "kg < b_daily.kg b_daily.parcel_id",
            "FILTER b_daily.day",
        ),
        step(
            "daily delete", "DELETE FROM B.daily WHERE day = '2026-07-03'", "delete b_daily", "", "FILTER b_daily.day"
        ),
        step(
            "daily delete in",
            "DELETE FROM B.daily WHERE parcel_id IN (SELECT parcel_id FROM A.scans WHERE hub = 'h1')",
            "delete b_daily",
            "",
            "JOIN scans.parcel_id",
        ),
        step("tag", "CALL pai.sys.create_tag(table => 'desk.daily', tag => 'eoy', snapshot => 1)"),
        step(
            "travel",
            "SELECT d.kg - o.kg AS moved FROM B.daily d JOIN B.daily VERSION AS OF 'eoy' o ON o.parcel_id = d.parcel_id",
            "",
            "moved < b_daily.kg",
        ),
        step(
            "travel insert",
            "INSERT INTO B.loads SELECT day, kg, 't' FROM B.daily VERSION AS OF 1",
            "append b_loads",
            "who < b_daily.day; load < b_daily.kg; role <",
        ),
        step("compact", "CALL pai.sys.compact(table => 'desk.keyed')", "maintenance b_keyed"),
        step("system", "SELECT snapshot_id, schema_id FROM B.`daily$snapshots`"),
        step(
            "fixed",
            "CREATE TABLE B.unaware USING paimon TBLPROPERTIES ('bucket' = '-1') AS SELECT hub, max_by(parcel_id, lat) AS best, sum(n_events) AS n FROM A.scans GROUP BY hub",
            "create b_unaware",
            "hub < scans.hub; best < scans.parcel_id; n < scans.n_events",
        ),
        step(
            "dynamic bucket ddl",
            "CREATE TABLE B.dyn (sender STRING, kg DOUBLE, day STRING) USING paimon TBLPROPERTIES ('primary-key' = 'sender', 'bucket' = '-1')",
        ),
        step(
            "dynamic bucket",
            "INSERT INTO B.dyn SELECT sender, sum(kg), max(day) FROM A.parcels GROUP BY sender",
            "append b_dyn",
            "sender kg day < parcels.*",
        ),
        step(
            "agg ddl",
            "CREATE TABLE B.agg (hub STRING, n BIGINT, low DOUBLE) USING paimon TBLPROPERTIES ('primary-key' = 'hub', 'bucket' = '1', 'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'sum', 'fields.low.aggregate-function' = 'min')",
        ),
        step(
            "agg",
            "INSERT INTO B.agg SELECT hub, n_events, lat FROM A.scans WHERE prio IS NOT NULL",
            "append b_agg",
            "hub < scans.hub; n < scans.n_events; low < scans.lat",
            "FILTER scans.prio",
        ),
        step(
            "rtas",
            "CREATE OR REPLACE TABLE B.loads USING paimon AS SELECT sender AS who, kg AS load, count(*) AS n FROM B.parcels GROUP BY sender, kg",
            "overwrite b_loads",
            "who < b_parcels.sender; load < b_parcels.kg; n <",
        ),
        Step(
            "frame overwrite",
            lambda j: (
                table(j, "B.by_hub")
                .selectExpr("hub", "outs AS ins", "ins AS outs")
                .write.format("paimon")
                .mode("overwrite")
                .saveAsTable(sql("B.by_hub2"))
            ),
            "overwrite b_by_hub2",
            "hub < b_by_hub.hub; ins < b_by_hub.outs; outs < b_by_hub.ins",
        ),
        step(
            "wide keyed ddl",
            "CREATE TABLE B.widek (pk BIGINT, "
            + ", ".join(f"{n} DOUBLE" for n in w)
            + ") USING paimon TBLPROPERTIES ('primary-key' = 'pk', 'bucket' = '1')",
        ),
        step(
            "wide keyed",
            "INSERT INTO B.widek SELECT * FROM B.wide70",
            "append b_widek",
            "pk " + " ".join(w) + " < b_wide70.*",
        ),
        step(
            "wide merge",
            "MERGE INTO B.widek t USING B.wide70 s ON t.pk = s.pk WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge b_widek",
            "pk " + " ".join(w) + " < b_wide70.*",
        ),
        step(
            "wide update",
            "UPDATE B.widek SET m05 = m06 + pk, m60 = m61 WHERE pk > 2",
            "update b_widek",
            "m05 < b_widek.m06 b_widek.pk; m60 < b_widek.m61",
            "FILTER b_widek.pk",
        ),
        step(
            "wide read",
            "SELECT pk, " + ", ".join(f"{n} * 2 AS r{n}" for n in w) + " FROM B.widek",
            "",
            "pk < b_widek.pk; " + "; ".join(f"r{n} < b_widek.{n}" for n in w),
        ),
        step("truncate", "TRUNCATE TABLE B.daily", "truncate b_daily"),
        step("dropped", "DROP TABLE B.cube"),
    )
