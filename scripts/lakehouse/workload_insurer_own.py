"""What the insurer does with one format only, night after night."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import HudiPaths, Job, Step

if TYPE_CHECKING:
    from lakehouse.workload_insurer import Insurer

CHANGES = {
    "delta": "s_history: column_added note\ng_contact: column_added phone",
    "iceberg": "s_history: column_added note\ns_history: column_renamed remark\ng_daily: type_changed n",
    "hudi": "s_history: column_added note",
    "paimon": "s_history: column_added note",
}
_HISTORY = "policy_id STRING, agent STRING, premium DOUBLE, since INT, until INT, open BOOLEAN"
_DAY = "s_payments.day"
_PATH = HudiPaths("policy_id", "night")


def night(fmt: str, insurer: Insurer) -> tuple[Step, ...]:
    """Return a night's own steps."""
    own = {"delta": _delta, "iceberg": _iceberg, "hudi": _hudi, "paimon": _paimon}[fmt]
    return tuple(own(insurer))


def _daily(insurer: Insurer, job: Job) -> DataFrame:
    """Return payments per day and policy."""
    rows = insurer.table(job, "S.payments").where("eur IS NOT NULL").groupBy("policy_id", "day")
    return rows.agg(f.sum("eur").alias("eur"), f.count("kind").cast("int").alias("n")).select(
        "policy_id", "eur", "n", "day"
    )


_DAILY = ("policy_id eur day < s_payments.*; n < s_payments.kind", "FILTER s_payments.eur; GROUP_BY s_payments.day")


def _shared(insurer: Insurer) -> Iterator[Step]:
    """Yield what Delta and Iceberg have in common."""
    step, night, fmt = insurer.step, insurer.night, insurer.fmt
    if night == 1:
        yield step("history ddl", f"CREATE TABLE S.history ({_HISTORY}) USING {fmt}")
        yield step(
            "daily ddl",
            f"CREATE TABLE G.daily (policy_id STRING, eur DOUBLE, n INT, day DATE) USING {fmt} PARTITIONED BY (day)",
        )
    staged = "SELECT p.policy_id AS merge_key, p.* FROM S.policies p UNION ALL SELECT NULL AS merge_key, p.* FROM S.policies p JOIN S.history h ON p.policy_id = h.policy_id WHERE h.open AND p.premium <> h.premium"
    yield step(
        "history",
        f"MERGE INTO S.history h USING ({staged}) s ON h.policy_id = s.merge_key AND h.open = true WHEN MATCHED AND h.premium <> s.premium THEN UPDATE SET open = false, until = s.night WHEN NOT MATCHED THEN INSERT (policy_id, agent, premium, since, until, open) VALUES (s.policy_id, s.agent, s.premium, s.night, NULL, true)",
        "merge s_history",
        "policy_id agent premium < s_policies.*; since until < s_policies.night; open <"
        + ("; note <" if night == 3 and fmt == "delta" else "; remark <" if night == 3 else ""),
    )
    yield step(
        "reserves",
        f"CREATE OR REPLACE TABLE G.reserves USING {fmt} AS WITH cost AS (SELECT claim_id, sum(cost) AS cost FROM S.parts GROUP BY claim_id) SELECT c.policy_id, c.claim_id, coalesce(k.cost, c.amount) AS reserve, c.status IN ('open', 'late') AS pending FROM S.claims c LEFT JOIN cost k USING (claim_id) WHERE c.amount > 20",
        "overwrite g_reserves",
        "policy_id claim_id < s_claims.*; reserve < s_parts.cost s_claims.amount; pending < s_claims.status",
        "FILTER s_claims.amount; JOIN s_parts.claim_id; GROUP_BY s_parts.claim_id",
    )
    yield step(
        "close",
        f"UPDATE S.claims SET status = 'closed', amount = round(amount, 0) WHERE status = 'paid' AND reported < TIMESTAMP'2026-09-0{night} 12:00:00'",
        "update s_claims",
        "amount < s_claims.amount; status <",
        "FILTER s_claims.status; FILTER s_claims.reported",
    )
    yield step(
        "cap",
        f"UPDATE S.scores SET f01 = least(f01, 15), f17 = f17 + f18, f40 = nvl(f40, 0) WHERE night = {night}",
        "update s_scores",
        "f01 < s_scores.f01; f17 < s_scores.f17 s_scores.f18; f40 < s_scores.f40",
        "FILTER s_scores.night",
    )
    yield step(
        "forget",
        f"DELETE FROM S.rejects WHERE reason LIKE 'no policy%' AND payment_id < 'y{night}15'",
        "delete s_rejects",
        "",
        "FILTER s_rejects.reason; FILTER s_rejects.payment_id",
    )


def _delta(insurer: Insurer) -> Iterator[Step]:
    step, done, night, sql = insurer.step, insurer.done, insurer.night, insurer.sql
    yield from _shared(insurer)

    def api(job: Job, name: str):  # type: ignore[no-untyped-def]
        from delta.tables import DeltaTable

        return DeltaTable.forName(job.spark, sql(name).removeprefix("spark_catalog."))

    def daily(job: Job) -> None:
        rows = _daily(insurer, job).write.format("delta").mode("overwrite")
        rows.option("partitionOverwriteMode", "dynamic").partitionBy("day").saveAsTable(sql("G.daily"))

    def contact(job: Job) -> None:
        rows = insurer.table(job, "B.claims").select("policy_id", "claimant.*").dropDuplicates(["policy_id"])
        rows = rows.withColumn("phone", f.md5("name")) if night > 1 else rows
        rows.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable(sql("G.contact"))

    def ledger(job: Job) -> None:
        rows = insurer.table(job, "S.payments").groupBy("policy_id").agg(f.sum("eur").alias("paid"))
        merge = api(job, "S.ledger").alias("l").merge(rows.alias("p"), "l.policy_id = p.policy_id")
        merge = merge.whenMatchedUpdate("p.paid <> l.paid", {"paid": f.col("p.paid"), "nights": f.expr("l.nights + 1")})
        merge.whenNotMatchedInsert(values={"policy_id": "p.policy_id", "paid": "p.paid", "nights": "1"}).execute()

    def by_night(job: Job) -> None:
        rows = insurer.table(job, "B.claims").where(f"night = {night}").select("claim_id", "amount", "night")
        rows.write.format("delta").mode("overwrite").partitionBy("night").option(
            "replaceWhere", f"night = {night}"
        ).save(f"{job.root}/lake/claims")

    def live(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            last = batch.groupBy("claim_id").agg(f.max_by("amount", "name").alias("amount"))
            merge = api(job, "S.live").alias("t").merge(last.alias("s"), "s.claim_id = t.claim_id")
            merge.whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()

        rows = job.spark.readStream.table(sql("S.claim_events"))
        job.stream(rows, "live stream", "update").foreachBatch(apply).start().awaitTermination()

    if night == 1:
        yield step("live ddl", "CREATE TABLE S.live (claim_id STRING, amount DOUBLE) USING delta")
        yield step(
            "ledger ddl",
            "CREATE TABLE S.ledger (policy_id STRING, paid DOUBLE, nights INT) USING delta TBLPROPERTIES (delta.enableChangeDataFeed = true)",
        )
    yield done("daily", daily, "overwrite g_daily", *_DAILY)
    yield done(
        "contact",
        contact,
        f"{'create' if night == 1 else 'append'} g_contact",
        "policy_id < b_claims.*; name < b_claims.claimant.name; city < b_claims.claimant.city"
        + ("; phone < b_claims.claimant.name" if night > 1 else ""),
        "GROUP_BY b_claims.policy_id",
    )
    yield done(
        "ledger", ledger, "merge s_ledger", "policy_id < s_payments.*; paid < s_payments.eur; nights < s_ledger.nights"
    )
    yield done(
        "by night", by_night, "overwrite p_claims", "claim_id amount night < b_claims.*", "FILTER b_claims.night"
    )
    truth = ("merge s_live", "claim_id < s_claim_events.*; amount < s_claim_events.amount")
    yield Step("live stream", live, *(truth if night == 1 else ()))
    if night == 2:
        yield step("note", "ALTER TABLE S.history ADD COLUMNS (note STRING)", "alter s_history")
        yield step(
            "note set",
            "UPDATE S.history SET note = concat(agent, '/', since) WHERE NOT open",
            "update s_history",
            "note < s_history.agent s_history.since",
            "FILTER s_history.open",
        )
        yield step("optimize", "OPTIMIZE S.payments ZORDER BY (policy_id)", "maintenance s_payments")
    if night == 3:
        yield step(
            "feed",
            "INSERT INTO S.rejects SELECT policy_id, _change_type, paid FROM table_changes('dwh.ledger', 2) WHERE _change_type = 'update_postimage'",
            "append s_rejects",
            "payment_id < s_ledger.policy_id; reason < s_ledger._change_type; amount < s_ledger.paid",
            "FILTER s_ledger._change_type",
        )
        yield step(
            "grown",
            "SELECT n.policy_id, n.paid - o.paid AS more FROM S.ledger n JOIN S.ledger VERSION AS OF 1 o ON o.policy_id = n.policy_id",
            "",
            "policy_id < s_ledger.*; more < s_ledger.paid",
            "JOIN s_ledger.policy_id",
        )
        yield step("vacuum", "VACUUM S.payments", "maintenance s_payments")
        yield step(
            "path read",
            f"CREATE TABLE G.claims USING delta AS SELECT claim_id, max(amount) AS amount FROM delta.`{{root}}/lake/claims` WHERE night >= {night - 1} GROUP BY claim_id",
            "create g_claims",
            "claim_id amount < p_claims.*",
            "FILTER p_claims.night; GROUP_BY p_claims.claim_id",
        )


def _iceberg(insurer: Insurer) -> Iterator[Step]:
    step, done, night, sql = insurer.step, insurer.done, insurer.night, insurer.sql
    call = insurer.names.call
    yield from _shared(insurer)

    def daily(job: Job) -> None:
        _daily(insurer, job).writeTo(sql("G.daily")).overwritePartitions()

    def contact(job: Job) -> None:
        rows = insurer.table(job, "B.claims").select("policy_id", "claimant.*").dropDuplicates(["policy_id"])
        if night == 1:
            rows.writeTo(sql("G.contact")).tableProperty("format-version", "2").create()
        else:
            rows.writeTo(sql("G.contact")).append()

    def ledger(job: Job) -> None:
        rows = insurer.table(job, "S.payments").groupBy("policy_id").agg(f.sum("eur").alias("paid"))
        rows.createOrReplaceTempView("paid")
        job.sql(sql("MERGE INTO S.ledger l USING paid p ON l.policy_id = p.policy_id WHEN MATCHED AND p.paid <> l.paid THEN UPDATE SET l.paid = p.paid, l.nights = l.nights + 1 WHEN NOT MATCHED THEN INSERT (policy_id, paid, nights) VALUES (p.policy_id, p.paid, 1)"))  # fmt: skip

    def live(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.groupBy("claim_id").agg(f.max_by("amount", "name").alias("amount")).createOrReplaceTempView("news")
            batch.sparkSession.sql(sql("MERGE INTO S.live t USING news s ON s.claim_id = t.claim_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"))  # fmt: skip

        rows = job.spark.readStream.table(sql("S.claim_events"))
        job.stream(rows, "live stream").foreachBatch(apply).start().awaitTermination()

    if night == 1:
        mor = "TBLPROPERTIES ('format-version' = '2', 'write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read')"
        yield step("live ddl", "CREATE TABLE S.live (claim_id STRING, amount DOUBLE) USING iceberg")
        yield step(
            "ledger ddl", f"CREATE TABLE S.ledger (policy_id STRING, paid DOUBLE, nights INT) USING iceberg {mor}"
        )
    yield done("daily", daily, "overwrite g_daily", *_DAILY)
    yield done(
        "contact",
        contact,
        f"{'create' if night == 1 else 'append'} g_contact",
        "policy_id < b_claims.*; name < b_claims.claimant.name; city < b_claims.claimant.city",
        "GROUP_BY b_claims.policy_id",
    )
    yield done(
        "ledger", ledger, "merge s_ledger", "policy_id < s_payments.*; paid < s_payments.eur; nights < s_ledger.nights"
    )
    truth = ("merge s_live", "claim_id < s_claim_events.*; amount < s_claim_events.amount")
    yield Step("live stream", live, *(truth if night == 1 else ()))
    if night == 2:
        yield step("note", "ALTER TABLE S.history ADD COLUMN note STRING AFTER agent", "alter s_history")
        yield step(
            "note set",
            "UPDATE S.history SET note = concat(agent, '/', since) WHERE NOT open",
            "update s_history",
            "note < s_history.agent s_history.since",
            "FILTER s_history.open",
        )
        yield step("remark", "ALTER TABLE S.history RENAME COLUMN note TO remark", "alter s_history")
        yield step("wider", "ALTER TABLE G.daily ALTER COLUMN n TYPE BIGINT", "alter g_daily")
        yield step("tag", "ALTER TABLE S.ledger CREATE TAG night2", "-")
        yield step(
            "compact",
            call("S", "rewrite_data_files", "table => '@.payments', options => map('rewrite-all', 'true')"),
            "maintenance s_payments",
        )
    if night == 3:
        yield step(
            "grown",
            "SELECT n.policy_id, n.paid - o.paid AS more FROM S.ledger n JOIN S.ledger VERSION AS OF 'night2' o ON o.policy_id = n.policy_id",
            "",
            "policy_id < s_ledger.*; more < s_ledger.paid",
            "JOIN s_ledger.policy_id",
        )
        yield step(
            "snapshots",
            "SELECT max(committed_at) AS at, count(*) AS n FROM S.ledger.snapshots WHERE operation = 'overwrite'",
        )
        yield step(
            "expire",
            call(
                "S",
                "expire_snapshots",
                "table => '@.claims', retain_last => 2, older_than => TIMESTAMP'2027-01-01 00:00:00'",
            ),
            "maintenance s_claims",
        )
        yield step(
            "late",
            "INSERT INTO G.claims_by_city SELECT city, count(DISTINCT policy_id) AS n FROM S.claims WHERE status <> 'closed' GROUP BY city",
            "append g_claims_by_city",
            "city < s_claims.*; n < s_claims.policy_id",
            "FILTER s_claims.status; GROUP_BY s_claims.city",
        )
    if night == 2:
        yield step("city ddl", "CREATE TABLE G.claims_by_city (city STRING, n BIGINT) USING iceberg")


def _hudi(insurer: Insurer) -> Iterator[Step]:
    step, done, night = insurer.step, insurer.done, insurer.night

    def totals(job: Job) -> None:
        rows = insurer.table(job, "S.payments").groupBy("policy_id").agg(f.sum("eur").alias("paid"))
        rows = rows.withColumn("night", f.lit(night))
        _PATH.save(rows, job, "totals", "upsert", "overwrite" if night == 1 else "append")

    def balance(job: Job) -> None:
        rows = _PATH.load(job, "totals").join(insurer.table(job, "S.policies"), "policy_id")
        rows = rows.select("policy_id", (f.col("premium") - f.col("paid")).alias("due"), "product")
        insurer.replace(rows, "G.balance")

    if night == 1:
        yield step("history ddl", f"CREATE TABLE S.history ({_HISTORY}) USING hudi TBLPROPERTIES (primaryKey = 'policy_id', preCombineField = 'since')")  # fmt: skip
        yield step("daily ddl", "CREATE TABLE G.daily (policy_id STRING, eur DOUBLE, n INT, day DATE) USING hudi PARTITIONED BY (day)")  # fmt: skip
    yield step(
        "history",
        "INSERT INTO S.history SELECT policy_id, agent, premium, night, NULL, true"
        + (", product" if night == 3 else "")
        + f" FROM S.policies WHERE night = {night}",
        "append s_history",
        "policy_id agent premium < s_policies.*; since < s_policies.night; until open <"
        + ("; note < s_policies.product" if night == 3 else ""),
        "FILTER s_policies.night",
    )
    yield step(
        "daily",
        f"INSERT OVERWRITE G.daily PARTITION (day = '2026-09-0{night}') SELECT policy_id, sum(eur), CAST(count(kind) AS INT) FROM S.payments WHERE day = DATE'2026-09-0{night}' GROUP BY policy_id",
        "overwrite g_daily",
        "policy_id eur < s_payments.*; n < s_payments.kind; day <",
        f"FILTER {_DAY}; GROUP_BY s_payments.policy_id",
    )
    yield step(
        "close",
        "UPDATE S.claims SET status = 'closed', amount = round(amount, 0) WHERE status = 'paid'",
        "update s_claims",
        "amount < s_claims.amount; status <",
        "FILTER s_claims.status",
    )
    yield step("forget", "DELETE FROM S.claims WHERE status = 'denied' AND amount < 100", "delete s_claims", "", "FILTER s_claims.status; FILTER s_claims.amount")  # fmt: skip
    yield done(
        "totals",
        totals,
        f"{'overwrite' if night == 1 else 'append'} p_totals",
        "policy_id < s_payments.*; paid < s_payments.eur; night <",
        "GROUP_BY s_payments.policy_id",
    )
    yield done(
        "balance",
        balance,
        "overwrite g_balance",
        "policy_id < p_totals.*; due < s_policies.premium p_totals.paid; product < s_policies.product",
        "JOIN s_policies.policy_id",
    )
    if night == 2:
        yield step("note", "ALTER TABLE S.history ADD COLUMNS (note STRING)", "alter s_history")


def _paimon(insurer: Insurer) -> Iterator[Step]:
    step, done, night, sql = insurer.step, insurer.done, insurer.night, insurer.sql

    def daily(job: Job) -> None:
        rows = _daily(insurer, job).withColumn("day", f.date_format("day", "yyyy-MM-dd"))
        rows.write.format("paimon").mode("append").saveAsTable(sql("G.daily"))

    def live(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            rows = batch.groupBy("claim_id").agg(f.max_by("amount", "name").alias("amount"))
            rows.write.format("paimon").mode("append").saveAsTable(sql("S.live"))

        rows = job.spark.readStream.table(sql("S.claim_events"))
        job.stream(rows, "live stream").foreachBatch(apply).start().awaitTermination()

    if night == 1:
        yield step("history ddl", f"CREATE TABLE S.history ({_HISTORY}) USING paimon")
        yield step("daily ddl", "CREATE TABLE G.daily (policy_id STRING, eur DOUBLE, n INT, day STRING) USING paimon PARTITIONED BY (day) TBLPROPERTIES ('primary-key' = 'day,policy_id', 'bucket' = '1')")  # fmt: skip
        yield step("live ddl", "CREATE TABLE S.live (claim_id STRING, amount DOUBLE) USING paimon TBLPROPERTIES ('primary-key' = 'claim_id', 'bucket' = '1')")  # fmt: skip
    yield step(
        "history",
        "INSERT INTO S.history"
        + (" (policy_id, agent, premium, since, until, open)" if night == 1 else "")
        + " SELECT policy_id, agent, premium, night, NULL, true"
        + (", product" if night == 3 else "")
        + f" FROM S.policies WHERE night = {night}",
        "append s_history",
        "policy_id agent premium < s_policies.*; since < s_policies.night; until open <"
        + ("; note < s_policies.product" if night == 3 else ""),
        "FILTER s_policies.night",
    )
    yield done("daily", daily, "append g_daily", *_DAILY)
    yield step(
        "close",
        "UPDATE S.claims SET status = 'closed', amount = round(amount, 0) WHERE status = 'paid'",
        "update s_claims",
        "amount < s_claims.amount; status <",
        "FILTER s_claims.status",
    )
    yield step("forget", "DELETE FROM S.claims WHERE status = 'denied' AND amount < 100", "delete s_claims", "", "FILTER s_claims.status; FILTER s_claims.amount")  # fmt: skip
    truth = ("append s_live", "claim_id < s_claim_events.*; amount < s_claim_events.amount", "GROUP_BY s_claim_events.claim_id")  # fmt: skip
    yield Step("live stream", live, *(truth if night == 1 else ()))
    if night == 2:
        yield step("note", "ALTER TABLE S.history ADD COLUMN note STRING", "alter s_history")
        yield step("tag", "CALL pai.sys.create_tag(table => 'mart.daily', tag => 'night2')")
        yield step(
            "day again",
            "INSERT OVERWRITE G.daily PARTITION (day = '2026-09-01') SELECT policy_id, eur + 1, n FROM G.daily WHERE day = '2026-09-02'",
            "overwrite g_daily",
            "policy_id n eur < g_daily.*; day <",
            "FILTER g_daily.day",
        )
    if night == 3:
        yield step("compact", "CALL pai.sys.compact(table => 'dwh.claims')")
        yield step(
            "tagged",
            "SELECT n.policy_id, n.eur - o.eur AS more FROM G.daily n JOIN G.daily VERSION AS OF 'night2' o ON o.policy_id = n.policy_id AND o.day = n.day",
            "",
            "policy_id < g_daily.*; more < g_daily.eur",
            "JOIN g_daily.policy_id",
        )
