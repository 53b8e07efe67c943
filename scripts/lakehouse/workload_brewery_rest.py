"""The brewery's statements that only Hudi and only Paimon understand, with their truth."""

from __future__ import annotations

from lakehouse.workload import HudiPaths, Job, Step
from lakehouse.workload_nights import NightSteps

CHANGES = {
    "hudi": {1: "w_pair: column_added note"},
    "paimon": {1: "", 2: "w_part: column_added note"},
}
_PATH = HudiPaths("brew_id", "score", {"hoodie.datasource.write.table.type": "MERGE_ON_READ"})


class Hudi(NightSteps):
    """Hudi's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""
        step, sql = self.step, self.sql
        grouped = "SELECT brew_id, taster, max(score) AS score, max(at) AS at FROM R.tastes GROUP BY brew_id, taster"

        def saved(job: Job) -> None:
            rows = self.table(job, "R.tastes").groupBy("brew_id").agg({"score": "max", "taster": "min"})
            _PATH.save(rows.toDF("brew_id", "score", "taster"), job, "tops", "upsert")

        def saved_again(job: Job) -> None:
            rows = (
                self.table(job, "W.pair")
                .selectExpr("brew_id", "score * 2 AS score", "taster")
                .dropDuplicates(["brew_id"])
            )
            _PATH.save(rows, job, "tops", "upsert")

        def increment(job: Job) -> None:
            options = {"hoodie.datasource.query.type": "incremental", "hoodie.datasource.read.begin.instanttime": "000"}
            rows = (
                _PATH.load(job, "tops", **options)
                .where("score > 1")
                .selectExpr("brew_id", "score", "upper(taster) AS taster")
            )
            rows.write.format("hudi").mode("append").insertInto(sql("W.log"))

        def past(job: Job) -> None:
            at = self.names.asked(job, "SELECT max(_hoodie_commit_time) FROM W.pair")
            job.sql(sql(f"SELECT brew_id, score FROM W.pair TIMESTAMP AS OF '{at}' WHERE taster = 't1'"))

        return (
            step("pair ddl", "CREATE TABLE W.pair (brew_id BIGINT, taster STRING, score DOUBLE, at STRING) USING hudi TBLPROPERTIES (type = 'mor', primaryKey = 'brew_id,taster', preCombineField = 'at')"),
            step("pair", f"INSERT INTO W.pair {grouped}", "append w_pair", "brew_id taster score at < r_tastes.*", "GROUP_BY r_tastes.brew_id; GROUP_BY r_tastes.taster"),
            step("pair merge", "MERGE INTO W.pair t USING (SELECT brew_id AS b, taster AS who, score, at FROM W.pair) s ON t.brew_id = s.b AND t.taster = s.who WHEN MATCHED AND s.score > 2 THEN UPDATE SET t.score = s.score + t.score, t.at = s.at", "merge w_pair", "score at < w_pair.*"),
            step("pair partial", "MERGE INTO W.pair t USING R.tastes s ON t.brew_id = s.brew_id AND t.taster = s.taster WHEN MATCHED THEN UPDATE SET t.score = s.score, t.at = s.at WHEN NOT MATCHED THEN INSERT (brew_id, taster, score, at) VALUES (s.brew_id, s.taster, s.score, s.at)", "merge w_pair", "brew_id taster score at < r_tastes.*"),
            step("pair update", "UPDATE W.pair SET score = score + length(taster) WHERE at > '2026-10-03'", "update w_pair", "score < w_pair.score w_pair.taster", "FILTER w_pair.at"),
            step("pair delete", "DELETE FROM W.pair WHERE score < 1 OR taster = 't9'", "delete w_pair", "", "FILTER w_pair.score; FILTER w_pair.taster"),
            step("pair column", "ALTER TABLE W.pair ADD COLUMNS (note STRING)", "alter w_pair"),
            step("pair note", "UPDATE W.pair SET note = concat(taster, at) WHERE score > 2", "update w_pair", "note < w_pair.taster w_pair.at", "FILTER w_pair.score"),
            Step("past", past, "", "brew_id score < w_pair.*", "FILTER w_pair.taster"),
            step("log ddl", "CREATE TABLE W.log (brew_id BIGINT, score DOUBLE, taster STRING) USING hudi"),
            Step("tops", saved, "append p_tops", "brew_id < r_tastes.brew_id; score < r_tastes.score; taster < r_tastes.taster", "GROUP_BY r_tastes.brew_id"),
            Step("tops again", saved_again, "append p_tops", "brew_id < w_pair.brew_id; score < w_pair.score; taster < w_pair.taster", "GROUP_BY w_pair.brew_id"),
            Step("increment", increment, "append w_log", "brew_id score taster < p_tops.*", "FILTER p_tops.score"),
            step("changes", "INSERT INTO W.log SELECT brew_id, max(score), note FROM hudi_table_changes('work.pair', 'latest_state', 'earliest') GROUP BY brew_id, note", "append w_log", "brew_id score < w_pair.*; taster < w_pair.note", "GROUP_BY w_pair.note"),
            step("static part", "INSERT OVERWRITE W.daily PARTITION (day = '2026-10-09') SELECT style, volume, 1 FROM R.brews WHERE abv > 4", "overwrite w_daily", "style volume < r_brews.*; n day <", "FILTER r_brews.abv"),
            step("compact", "CALL run_compaction(op => 'run', table => 'work.pair')"),
            step("commits", "CALL show_commits(table => 'work.pair', limit => 5)"),
            step("pair report", "SELECT p.note, sum(l.score) OVER (PARTITION BY p.taster ORDER BY p.at) AS total FROM W.pair p JOIN W.log l ON l.brew_id = p.brew_id", "", "note < w_pair.note; total < w_log.score", "JOIN w_pair.brew_id; JOIN w_log.brew_id"),
            step("flat from hudi", "INSERT OVERWRITE H.styles SELECT taster, note, min(score) FROM W.pair GROUP BY taster, note", "overwrite h_styles", "style < w_pair.taster; label < w_pair.note; target < w_pair.score", "GROUP_BY w_pair.taster"),
        )  # fmt: skip


class Paimon(NightSteps):
    """Paimon's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""
        step = self.step
        return (
            step("part ddl", "CREATE TABLE W.part (brew_id BIGINT, style STRING, score DOUBLE, taster STRING) USING paimon TBLPROPERTIES ('primary-key' = 'brew_id', 'merge-engine' = 'partial-update', 'bucket' = '2', 'changelog-producer' = 'lookup')"),
            step("sums ddl", "CREATE TABLE W.sums (style STRING, volume DOUBLE, last STRING) USING paimon TBLPROPERTIES ('primary-key' = 'style', 'merge-engine' = 'aggregation', 'fields.volume.aggregate-function' = 'sum', 'fields.last.aggregate-function' = 'last_value', 'bucket' = '1')"),
            step("part styles", "INSERT INTO W.part (brew_id, style) SELECT brew_id, upper(style) FROM R.brews", "append w_part", "brew_id < r_brews.brew_id; style < r_brews.style; score taster <"),
            step("part scores", "INSERT INTO W.part SELECT brew_id, CAST(NULL AS STRING), max(score), max(taster) FROM R.tastes GROUP BY brew_id", "append w_part", "brew_id < r_tastes.brew_id; style <; score < r_tastes.score; taster < r_tastes.taster", "GROUP_BY r_tastes.brew_id"),
            step("sums", "INSERT INTO W.sums SELECT style, volume, started_at FROM R.brews WHERE abv > 3", "append w_sums", "style volume < r_brews.*; last < r_brews.started_at", "FILTER r_brews.abv"),
            step("tag", "CALL pai.sys.create_tag(table => 'work.part', tag => 'eve')"),
            step("rated", "CREATE TABLE W.rated USING paimon AS SELECT p.brew_id, p.score / s.volume AS rate FROM W.part p JOIN W.sums s ON upper(s.style) = p.style", "create w_rated", "brew_id < w_part.brew_id; rate < w_part.score w_sums.volume", "JOIN w_part.style; JOIN w_sums.style"),
        )  # fmt: skip

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night, into the tables of the first one."""
        step, sql = self.step, self.sql

        def increment(job: Job) -> None:
            rows = job.spark.read.format("paimon").option("incremental-between", "1,2").table(sql("W.part"))
            rows.selectExpr("brew_id", "score AS rate").write.insertInto(sql("W.rated"))

        return (
            step("part styles", "INSERT INTO W.part SELECT brew_id, lower(style), NULL, NULL FROM R.brews WHERE volume > 150", "append w_part", "brew_id < r_brews.brew_id; style < r_brews.style; score taster <", "FILTER r_brews.volume"),
            step("sums", "INSERT INTO W.sums SELECT style, sum(volume), max(day) FROM W.daily GROUP BY style", "append w_sums", "style volume < w_daily.*; last < w_daily.day", "GROUP_BY w_daily.style"),
            step("best update", "UPDATE W.best SET score = score + 1, taster = upper(taster) WHERE brew_id > 12", "update w_best", "score taster < w_best.*", "FILTER w_best.brew_id"),
            step("best delete", "DELETE FROM W.best WHERE score > 100 OR taster IS NULL", "delete w_best", "", "FILTER w_best.score; FILTER w_best.taster"),
            step("best merge", "MERGE INTO W.best t USING W.part s ON t.brew_id = s.brew_id WHEN MATCHED THEN UPDATE SET taster = concat(s.taster, s.style) WHEN NOT MATCHED THEN INSERT (brew_id, score, taster) VALUES (s.brew_id, s.score, s.taster)", "merge w_best", "brew_id score < w_part.*; taster < w_part.taster w_part.style"),
            step("tagged", "INSERT INTO W.rated SELECT n.brew_id, n.score - o.score FROM W.part n JOIN W.part VERSION AS OF 'eve' o ON o.brew_id = n.brew_id", "append w_rated", "brew_id < w_part.brew_id; rate < w_part.score", "JOIN w_part.brew_id"),
            Step("increment", increment, "append w_rated", "brew_id < w_part.brew_id; rate < w_part.score"),
            step("part column", "ALTER TABLE W.part ADD COLUMN note STRING", "alter w_part"),
            step("part note", "INSERT INTO W.part (brew_id, note) SELECT brew_id, concat(label, src) FROM W.fact", "append w_part", "brew_id < w_fact.brew_id; style score taster <; note < w_fact.label w_fact.src"),
            step("new table", "CREATE TABLE W.noted USING paimon AS SELECT note, count(*) AS n FROM W.part GROUP BY note", "create w_noted", "note < w_part.note; n <", "GROUP_BY w_part.note"),
            step("nested read", "SELECT n.place.code, d.n AS hop FROM W.nested n LATERAL VIEW explode(n.dry) x AS d WHERE d.g > 10", "", "code < w_nested.place.code; hop < w_nested.dry.n", "FILTER w_nested.dry.g"),
            step("all swapped", "INSERT OVERWRITE W.rated SELECT brew_id, k3 / k2 FROM W.wide WHERE style <> 'ale'", "overwrite w_rated", "brew_id < w_wide.brew_id; rate < w_wide.k3 w_wide.k2", "FILTER w_wide.style"),
        )  # fmt: skip
