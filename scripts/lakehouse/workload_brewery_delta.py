"""The brewery's statements that only Delta understands, and those of Delta next to Iceberg and Parquet."""

from __future__ import annotations

from pyspark.sql import functions as f

from lakehouse.workload import Job, Step, numbered
from lakehouse.workload_nights import NightSteps

CHANGES = {
    1: "w_mapped: column_renamed strength\nw_mapped: column_dropped gone\nw_mapped: column_added volume\n"
    "w_mapped: column_renamed tank.place\nw_mapped: column_added tank.zone\n"
    "w_mart: column_dropped style\nw_mart: column_added label\nw_mart: column_added water"
}

_GEN = (
    "CREATE TABLE W.gen (gid @, brew_id BIGINT, at TIMESTAMP, yr INT#, flag STRING DEFAULT 'n') USING delta PARTITIONED BY (yr)"
    " TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported', 'delta.enableChangeDataFeed' = 'true')"
)  # fmt: skip


def _delta(job: Job, name: str):  # type: ignore[no-untyped-def]
    """Return the API of a table."""
    from delta.tables import DeltaTable

    return DeltaTable.forName(job.spark, name.removeprefix("spark_catalog."))


def _generated(job: Job) -> None:
    """Create `gen` where SQL has neither identities nor generated columns."""
    from delta.tables import DeltaTable

    built = DeltaTable.create(job.spark).tableName("work.gen").addColumn("gid", "BIGINT").addColumn("brew_id", "BIGINT")
    built = (
        built.addColumn("at", "TIMESTAMP")
        .addColumn("yr", "INT", generatedAlwaysAs="year(at)")
        .addColumn("flag", "STRING")
    )
    built.partitionedBy("yr").property("delta.enableChangeDataFeed", "true").execute()


class Delta(NightSteps):
    """Delta's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""
        return (*self._columns(), *self._writes(), *self._mixed())

    def _columns(self) -> tuple[Step, ...]:
        """Return what renames, drops, generates and evolves columns."""
        step, sql = self.step, self.sql

        def evolve(job: Job) -> None:
            source = self.table(job, "R.brews").selectExpr(
                "brew_id AS id",
                "abv AS strength",
                "named_struct('no', tank.no, 'place', tank.site.code, 'zone', tank.site.zone) AS tank",
                "volume",
            )
            merge = _delta(job, sql("W.mapped")).alias("t").merge(source.alias("s"), "t.id = s.id")
            merge.withSchemaEvolution().whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()

        def at_time(job: Job) -> None:
            job.spark.sparkContext.setJobDescription("helper: snapshots")
            at = _delta(job, sql("R.brews")).history(1).collect()[0]["timestamp"]
            job.spark.sparkContext.setJobDescription(job.step)
            job.sql(
                sql(
                    f"CREATE TABLE W.past USING delta AS SELECT b.brew_id, m.strength - b.abv AS diff FROM R.brews TIMESTAMP AS OF CAST('{at}' AS TIMESTAMP) b JOIN W.mapped m ON m.id = b.brew_id"
                )
            )

        return (
            step("mapped ddl", "CREATE TABLE W.mapped (id BIGINT, gone STRING, old DOUBLE, tank STRUCT<no: INT, code: STRING>) USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"),
            step("mapped", "INSERT INTO W.mapped SELECT brew_id, style, abv, struct(tank.no, tank.site.code) FROM R.brews WHERE brew_id < 18", "append w_mapped", "id < r_brews.brew_id; gone < r_brews.style; old < r_brews.abv; tank < r_brews.tank.no r_brews.tank.site.code", "FILTER r_brews.brew_id"),
            step("mapped rename", "ALTER TABLE W.mapped RENAME COLUMN old TO strength", "alter w_mapped"),
            step("mapped nested rename", "ALTER TABLE W.mapped RENAME COLUMN tank.code TO place", "alter w_mapped"),
            step("mapped drop", "ALTER TABLE W.mapped DROP COLUMN gone", "alter w_mapped"),
            step("mapped update", "UPDATE W.mapped SET tank.no = tank.no + id, strength = round(strength) WHERE strength > 4", "update w_mapped", "tank < w_mapped.tank.no w_mapped.id w_mapped.tank.place; strength < w_mapped.strength", "FILTER w_mapped.strength"),
            Step("mapped evolve", evolve, "merge w_mapped", "id < r_brews.brew_id; strength < r_brews.abv; tank < r_brews.tank.no r_brews.tank.site.code r_brews.tank.site.zone; volume < r_brews.volume"),
            step("mapped read", "SELECT tank.place, tank.zone, sum(strength) AS s FROM W.mapped GROUP BY tank.place, tank.zone", "", "place < w_mapped.tank.place; zone < w_mapped.tank.zone; s < w_mapped.strength", "GROUP_BY w_mapped.tank.place"),
            Step("at time", at_time, "create w_past", "brew_id < r_brews.brew_id; diff < w_mapped.strength r_brews.abv", "JOIN w_mapped.id; JOIN r_brews.brew_id"),
            step("gen ddl", _GEN.replace("@", "BIGINT GENERATED ALWAYS AS IDENTITY").replace("#", " GENERATED ALWAYS AS (year(at))"), only="4-1"),
            Step("gen ddl", _generated, only="3-5"),
            step("gen", "INSERT INTO W.gen (at, brew_id) SELECT CAST(at AS TIMESTAMP), brew_id FROM R.tastes", "append w_gen", "gid <; brew_id < r_tastes.brew_id; at < r_tastes.at; yr < r_tastes.at; flag <"),
            step("gen merge", "MERGE INTO W.gen t USING (SELECT brew_id, max(at) AS last FROM R.tastes GROUP BY brew_id) s ON t.brew_id = s.brew_id AND t.flag = 'n' WHEN MATCHED THEN UPDATE SET t.at = greatest(t.at, CAST(s.last AS TIMESTAMP)), t.flag = upper(t.flag)", "merge w_gen", "at < w_gen.at r_tastes.at; yr < w_gen.at r_tastes.at; flag < w_gen.flag"),
        )  # fmt: skip

    def _writes(self) -> tuple[Step, ...]:
        """Return overwrites of parts, feeds, conversions and a wide MERGE."""
        step, sql = self.step, self.sql

        def feed(job: Job) -> None:
            rows = job.spark.read.option("readChangeFeed", "true").option("startingVersion", 1).table(sql("W.gen"))
            found = (
                rows.where("_change_type <> 'update_preimage'")
                .groupBy("_change_type", "brew_id")
                .agg(f.max("at").alias("at"))
            )
            found.withColumnRenamed("_change_type", "op").write.format("delta").saveAsTable(sql("W.feed"))

        def mart(job: Job) -> None:
            self.table(job, "R.brews").select("brew_id", "style").write.format("delta").saveAsTable(sql("W.mart"))

        def mart_again(job: Job) -> None:
            rows = self.table(job, "W.fact").selectExpr("brew_id", "lower(label) AS label", "water")
            rows.write.format("delta").mode("overwrite").option("overwriteSchema", "true").saveAsTable(sql("W.mart"))

        return (
            step("replace where", "INSERT INTO W.daily REPLACE WHERE day = '2026-10-03' SELECT label, water, 1, '2026-10-03' FROM W.fact WHERE src = 'sql'", "overwrite w_daily", "style < w_fact.label; volume < w_fact.water; n day <", "FILTER w_fact.src"),
            Step("feed", feed, "create w_feed", "op < w_gen._change_type; brew_id at < w_gen.*", "FILTER w_gen._change_type; GROUP_BY w_gen.brew_id"),
            step("convert", "CONVERT TO DELTA parquet.`{root}/export/water` PARTITIONED BY (label STRING)"),
            step("converted read", "INSERT INTO W.fact SELECT brew_id, label, water, best, 'conv' FROM delta.`{root}/export/water` WHERE water > 5", "append w_fact", "brew_id label water best < x_water.*; src <", "FILTER x_water.water"),
            step("converted delete", "DELETE FROM delta.`{root}/export/water` WHERE label = 'ALE' OR best IS NULL", "delete x_water", "", "FILTER x_water.label; FILTER x_water.best"),
            step("wide merge", "MERGE INTO W.wide t USING (SELECT brew_id, max(score) AS top FROM R.tastes GROUP BY brew_id) s ON t.brew_id = s.brew_id WHEN MATCHED THEN UPDATE SET t.k29 = t.k28 + s.top, t.style = upper(t.style)", "merge w_wide", "k29 < w_wide.k28 r_tastes.score; style < w_wide.style"),
            step("wide select", f"SELECT {numbered(30, 'max(k{n}) AS m{n}')} FROM W.wide WHERE style = 'ALE'", "", "; ".join(f"m{n} < w_wide.k{n}" for n in range(1, 31)), "FILTER w_wide.style"),
            Step("mart", mart, "create w_mart", "brew_id style < r_brews.*"),
            Step("mart again", mart_again, "overwrite w_mart", "brew_id water < w_fact.*; label < w_fact.label"),
            step("then view", "CREATE OR REPLACE TEMP VIEW then AS SELECT brew_id, style FROM W.mart VERSION AS OF 0"),
            step("view read", "CREATE TABLE W.then USING delta AS SELECT t.style, m.water FROM then t JOIN W.mart m ON m.brew_id = t.brew_id", "create w_then", "style < w_mart.style; water < w_mart.water", "JOIN w_mart.brew_id"),
            step("deep update", "UPDATE W.nested SET dry = transform(dry, d -> named_struct('n', d.n, 'g', d.g + place.no)), place.code = concat(place.code, '!') WHERE exists(dry, d -> d.g > 30)", "update w_nested", "dry < w_nested.dry.n w_nested.dry.g w_nested.place.no; place < w_nested.place.no w_nested.place.code", "FILTER w_nested.dry.g"),
        )  # fmt: skip

    def _mixed(self) -> tuple[Step, ...]:
        """Return statements over tables of several formats."""
        step, sql = self.step, self.sql

        def append(job: Job) -> None:
            rows = (
                self.table(job, "I.brews")
                .where("abv > 3")
                .selectExpr("brew_id", "style AS label", "CAST(abv AS DOUBLE) AS water")
            )
            rows.write.format("delta").mode("append").saveAsTable(sql("W.mart"))

        def stream(job: Job) -> None:
            rows = job.spark.readStream.table(sql("R.tastes")).where("score > 1").select("brew_id", "taster")
            job.stream(rows, "to ice").toTable(sql("I.tastes")).awaitTermination()

        def frames(job: Job) -> None:
            rows = (
                self.table(job, "I.brews")
                .join(self.table(job, "H.styles"), "style", "left_semi")
                .join(self.table(job, "W.best"), "brew_id")
            )
            rows.selectExpr("brew_id", "concat(style, taster) AS tag", "score").writeTo(sql("I.tagged")).using(
                "iceberg"
            ).create()

        return (
            step("ice brews", "CREATE TABLE I.brews USING iceberg AS SELECT brew_id, style, abv FROM R.brews WHERE volume > 100", "create i_brews", "brew_id style abv < r_brews.*", "FILTER r_brews.volume"),
            step("ice merge", "MERGE INTO I.brews t USING W.mapped s ON t.brew_id = s.id WHEN MATCHED AND s.strength > 3 THEN UPDATE SET t.abv = s.strength + t.abv WHEN NOT MATCHED THEN INSERT (brew_id, abv) VALUES (s.id, s.strength)", "merge i_brews", "brew_id < w_mapped.id; abv < w_mapped.strength i_brews.abv; style <"),
            Step("delta from ice", append, "append w_mart", "brew_id < i_brews.brew_id; label < i_brews.style; water < i_brews.abv", "FILTER i_brews.abv"),
            step("delta merge", "MERGE INTO W.best t USING (SELECT i.brew_id, max(h.label) AS label, max(h.target) AS target FROM I.brews i JOIN H.styles h ON h.style = i.style GROUP BY i.brew_id) s ON t.brew_id = s.brew_id WHEN MATCHED THEN UPDATE SET t.taster = s.label WHEN NOT MATCHED AND s.target > 3 THEN INSERT (brew_id, score) VALUES (s.brew_id, s.target)", "merge w_best", "brew_id < i_brews.brew_id; score < h_styles.target; taster < h_styles.label"),
            step("ice tastes ddl", "CREATE TABLE I.tastes (brew_id BIGINT, taster STRING) USING iceberg"),
            Step("to ice", stream, "append i_tastes", "brew_id taster < r_tastes.*", "FILTER r_tastes.score"),
            Step("ice tagged", frames, "create i_tagged", "brew_id < i_brews.brew_id; tag < i_brews.style w_best.taster; score < w_best.score", "JOIN i_brews.brew_id; JOIN h_styles.style"),
            step("flat overwrite", "INSERT OVERWRITE H.styles SELECT t.tag, m.label, b.score FROM I.tagged t JOIN W.mart m ON m.brew_id = t.brew_id JOIN W.best b ON b.brew_id = t.brew_id", "overwrite h_styles", "style < i_tagged.tag; label < w_mart.label; target < w_best.score", "JOIN i_tagged.brew_id; JOIN w_best.brew_id"),
            step("ice update", "UPDATE I.brews SET style = coalesce(style, 'none') WHERE brew_id IN (SELECT brew_id FROM W.gen)", "update i_brews", "style < i_brews.style", "JOIN w_gen.brew_id"),
            step("three read", "SELECT t.taster, count(DISTINCT b.style) AS n FROM I.tastes t JOIN R.brews b ON b.brew_id = t.brew_id LEFT ANTI JOIN H.styles h ON h.style = b.style GROUP BY t.taster", "", "taster < i_tastes.taster; n < r_brews.style", "JOIN i_tastes.brew_id; JOIN h_styles.style; GROUP_BY i_tastes.taster"),
        )  # fmt: skip
