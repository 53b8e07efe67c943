"""The brewery's statements that only Iceberg understands, with their truth."""

from __future__ import annotations

from lakehouse.workload import Job, Step, numbered
from lakehouse.workload_nights import NightSteps

CHANGES = {
    1: "w_nested: column_renamed place.site\nw_nested: column_added zone\nw_nested: column_renamed warmth\nw_nested: column_dropped dry\n"
    "w_fact: column_added extra @4-1"
}
_LAST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at DESC LIMIT 1"
_FIRST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at LIMIT 1"


class Iceberg(NightSteps):
    """Iceberg's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""
        return (*self._taken(), *self._columns(), *self._reads(), *self._writes())

    def _taken(self) -> tuple[Step, ...]:
        """Return tables that are taken over."""
        step, call = self.step, self.names.call
        return (
            step("taken ddl", "CREATE TABLE W.taken (style STRING, label STRING, target DOUBLE) USING iceberg"),
            step("add files", call("W", "add_files", "table => '@.taken', source_table => '`parquet`.`{root}/warehouse/flat.db/styles`'"), "append w_taken"),
            step("taken read", "INSERT INTO W.fact SELECT 1, label, target, NULL, style FROM W.taken WHERE target > 1", "append w_fact", "brew_id best <; label < w_taken.label; water < w_taken.target; src < w_taken.style", "FILTER w_taken.target"),
            step("snapshot", call("R", "snapshot", "source_table => 'spark_catalog.flat.styles', table => 'ice.@.snap'"), "create r_snap"),
            step("snap update", "UPDATE R.snap SET label = concat(label, style) WHERE target < 6", "update r_snap", "label < r_snap.label r_snap.style", "FILTER r_snap.target"),
            step("snap merge", "MERGE INTO R.snap t USING W.taken s ON t.style = s.style WHEN MATCHED THEN UPDATE SET t.target = (t.target + s.target) / 2 WHEN NOT MATCHED BY SOURCE THEN DELETE", "merge r_snap", "target < r_snap.target w_taken.target"),
        )  # fmt: skip

    def _columns(self) -> tuple[Step, ...]:
        """Return what renames, drops and evolves columns."""
        step = self.step
        return (
            step("nested add", "ALTER TABLE W.nested ADD COLUMN zone STRING AFTER brew_id", "alter w_nested"),
            step("nested rename", "ALTER TABLE W.nested RENAME COLUMN warm TO warmth", "alter w_nested"),
            step("nested field", "ALTER TABLE W.nested RENAME COLUMN place.code TO site", "alter w_nested"),
            step("nested update", "UPDATE W.nested SET place.site = concat(place.site, zone), zone = element_at(map_keys(warmth), 1) WHERE place.no > 0", "update w_nested", "zone < w_nested.warmth; place < w_nested.place.no w_nested.place.site w_nested.zone", "FILTER w_nested.place.no"),
            step("nested drop", "ALTER TABLE W.nested DROP COLUMN dry", "alter w_nested"),
            step("nested insert", "INSERT INTO W.nested (brew_id, place, zone) SELECT brew_id, named_struct('no', tank.no, 'site', style), tank.site.zone FROM R.brews WHERE abv > 5", "append w_nested", "brew_id < r_brews.brew_id; place < r_brews.tank.no r_brews.style; zone < r_brews.tank.site.zone; warmth <", "FILTER r_brews.abv"),
            step(
                "fact evolve",
                "MERGE WITH SCHEMA EVOLUTION INTO W.fact t USING (SELECT brew_id, upper(style) AS label, abv AS water, volume AS best, 'evo' AS src, temps['mash'] AS extra FROM R.brews) s ON t.brew_id = s.brew_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
                "merge w_fact",
                "brew_id < r_brews.brew_id; label < r_brews.style; water < r_brews.abv; best < r_brews.volume; src <; extra < r_brews.temps",
                only="4-1",
            ),
            step("nested read", "SELECT zone, place.site, map_values(warmth) AS w FROM W.nested ORDER BY place.no LIMIT 3", "", "zone < w_nested.zone; site < w_nested.place.site; w < w_nested.warmth", "SORT w_nested.place.no"),
        )  # fmt: skip

    def _reads(self) -> tuple[Step, ...]:
        """Return reads of branches, tags, old snapshots and changes."""
        step, sql, call = self.step, self.sql, self.names.call

        def appended(job: Job) -> None:
            first, last = (self.names.asked(job, text.replace("{table}", "R.tastes")) for text in (_FIRST, _LAST))
            rows = job.spark.read.format("iceberg").option("start-snapshot-id", first).option("end-snapshot-id", last)
            rows.load(sql("R.tastes")).groupBy("taster").sum("score").toDF("taster", "total").writeTo(
                sql("W.increment")
            ).using("iceberg").create()

        def changes(job: Job) -> None:
            job.sql(
                sql(self.names.call("W", "create_changelog_view", "table => '@.taken', changelog_view => 'taken_log'"))
            )
            job.sql(
                sql(
                    "CREATE TABLE W.changes USING iceberg AS SELECT upper(style) AS style, _change_type AS op, target FROM taken_log WHERE target > 0"
                )
            )

        return (
            step("tag", "ALTER TABLE R.tastes CREATE TAG eve"),
            step("branch", "ALTER TABLE R.tastes CREATE BRANCH trial"),
            step("branch write", "INSERT INTO R.tastes.branch_trial SELECT brew_id + 1, label, water, src FROM W.fact WHERE best IS NOT NULL", "append r_tastes", "brew_id < w_fact.brew_id; taster < w_fact.label; score < w_fact.water; at < w_fact.src", "FILTER w_fact.best"),
            step("branch delete", "DELETE FROM R.tastes.branch_trial WHERE score > 500", "delete r_tastes", "", "FILTER r_tastes.score"),
            step("branch diff", "CREATE TABLE W.diff USING iceberg AS SELECT b.brew_id, b.score - coalesce(m.score, 0) AS d FROM R.tastes VERSION AS OF 'trial' b LEFT JOIN R.tastes VERSION AS OF 'eve' m ON m.brew_id = b.brew_id AND m.at = b.at", "create w_diff", "brew_id < r_tastes.brew_id; d < r_tastes.score", "JOIN r_tastes.brew_id; JOIN r_tastes.at"),
            step("forward", call("R", "fast_forward", "table => '@.tastes', branch => 'main', to => 'trial'"), "maintenance r_tastes"),
            step("more tastes", "INSERT INTO R.tastes SELECT brew_id, 'late', d, NULL FROM W.diff WHERE d > 1", "append r_tastes", "brew_id < w_diff.brew_id; taster at <; score < w_diff.d", "FILTER w_diff.d"),
            Step("increment", appended, "create w_increment", "taster < r_tastes.taster; total < r_tastes.score", "GROUP_BY r_tastes.taster"),
            step("eve view", "CREATE OR REPLACE TEMP VIEW eve AS SELECT taster, max(score) AS top FROM R.tastes VERSION AS OF 'eve' GROUP BY taster"),
            *(
                step("eve read", "INSERT INTO W.fact (brew_id, label, water, best, src) SELECT CAST(i.total AS BIGINT), e.taster, e.top, NULL, 'eve' FROM eve e JOIN W.increment i ON i.taster = e.taster", "append w_fact", f"brew_id < w_increment.total; label < r_tastes.taster; water < r_tastes.score; best src <{extra}", only=spark)
                for spark, extra in (("4-1", "; extra <"), ("3-5", ""))
            ),
            Step("changes", changes, "create w_changes", "style < w_taken.style; op < w_taken._change_type; target < w_taken.target", "FILTER w_taken.target"),
            step("past time", "SELECT count(brew_id) AS n, max(score) AS s FROM R.tastes TIMESTAMP AS OF current_timestamp() WHERE taster = 't1'", "", "n < r_tastes.brew_id; s < r_tastes.score", "FILTER r_tastes.taster"),
        )  # fmt: skip

    def _writes(self) -> tuple[Step, ...]:
        """Return wide merge-on-read changes, overwrites and functions of the catalog."""
        step, sql = self.step, self.sql
        catalog = sql("W.x").partition(".")[0]

        def partitions(job: Job) -> None:
            rows = self.table(job, "W.daily").selectExpr("upper(style) AS style", "volume / 2 AS volume", "n", "day")
            rows.writeTo(sql("W.daily")).overwritePartitions()

        def condition(job: Job) -> None:
            from pyspark.sql import functions as f

            rows = self.table(job, "R.brews").selectExpr("style", "abv AS volume", "1L AS n", "'2026-10-02' AS day")
            rows.writeTo(sql("W.daily")).overwrite(f.col("day") == "2026-10-02")

        return (
            step("wide ddl", "ALTER TABLE W.wide SET TBLPROPERTIES ('write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read')"),
            step("wide update", "UPDATE W.wide SET k2 = k3 + k4, k29 = k28 * 2 WHERE k1 > 120", "update w_wide", "k2 < w_wide.k3 w_wide.k4; k29 < w_wide.k28", "FILTER w_wide.k1"),
            step("wide delete", "DELETE FROM W.wide WHERE k30 > 100 AND k29 > 90000", "delete w_wide", "", "FILTER w_wide.k30; FILTER w_wide.k29"),
            step("wide merge", "MERGE INTO W.wide t USING (SELECT brew_id, max(score) AS top FROM R.tastes GROUP BY brew_id) s ON t.brew_id = s.brew_id WHEN MATCHED THEN UPDATE SET t.k1 = s.top, t.style = upper(t.style)", "merge w_wide", "k1 < r_tastes.score; style < w_wide.style"),
            step("wide read", f"SELECT {numbered(28, 'max(k{n}) AS m{n}')} FROM W.wide WHERE style = 'ALE' GROUP BY brew_id", "", "; ".join(f"m{n} < w_wide.k{n}" for n in range(1, 29)), "FILTER w_wide.style; GROUP_BY w_wide.brew_id"),
            Step("partitions", partitions, "overwrite w_daily", "style volume n day < w_daily.*"),
            Step("condition", condition, "overwrite w_daily", "style < r_brews.style; volume < r_brews.abv; n day <"),
            step("bucketed", f"CREATE TABLE W.bucketed USING iceberg PARTITIONED BY (bucket(4, brew_id)) AS SELECT brew_id, {catalog}.system.bucket(4, brew_id) AS b, {catalog}.system.truncate(2, style) AS s FROM R.brews", "create w_bucketed", "brew_id < r_brews.brew_id; b < r_brews.brew_id; s < r_brews.style"),
            step("flat back", "INSERT OVERWRITE H.styles SELECT t.style, w.s, avg(t.target) FROM R.snap t LEFT JOIN W.bucketed w ON substr(t.style, 1, 2) = w.s GROUP BY t.style, w.s", "overwrite h_styles", "style < r_snap.style; label < w_bucketed.s; target < r_snap.target", "JOIN r_snap.style; JOIN w_bucketed.s; GROUP_BY r_snap.style"),
            step("files", "SELECT file_path, record_count FROM W.daily.files WHERE record_count > 0"),
        )  # fmt: skip
