"""An insurer's policies and claims: the same jobs in three nights of one application.

Written before any of its statements was traced. In SQL `B.t`, `S.t` and `G.t` are bronze, silver and gold tables of the
format; in the truth `b_t`, `s_t` and `g_t`. With two Iceberg catalogs (`two` in the log's name) gold is `jdb.dwh`, with
the namespace of silver. `python -m lakehouse.workload_insurer --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse import workload_insurer_own
from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_nights import add_datasets
from lakehouse.workload_run import FEW_TASKS, Workload, layered, places_of

_LAYER = re.compile(r"\b([BSG])\.(?=[\w`])")
_CLAIMS = (
    "claim_id STRING, policy_id STRING, reported TIMESTAMP, amount DOUBLE, status STRING, "
    "claimant STRUCT<name: STRING, city: STRING>, parts ARRAY<STRUCT<code: STRING, cost: DOUBLE>>"
)
_HUDIS = "".join(
    f"_hoodie_{each} " for each in ("commit_time", "commit_seqno", "record_key", "partition_path", "file_name")
)
"""Hudi's own columns, which a frame of its table has."""
_FACTORS = tuple(f"f{n:02d}" for n in range(1, 41))


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of the layers, by their letters."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return {"B": f"{first}.stage", "S": f"{first}.dwh", "G": "jdb.dwh" if two else f"{first}.mart"}


def land(root: Path) -> None:
    """Write the landing files of three nights."""
    for night in (1, 2, 3):
        policies = ["policy_id,holder,product,premium,start,agent,region"]
        policies += [
            f"p{n},holder {n},{('car', 'home', 'life')[n % 3]},{100 + n * night}.5,2026-0{n % 8 + 1}-11,a{n % 4},r{n % 3}"
            for n in range(20 + night)
        ]
        _lines(root / "landing" / "policies" / f"policies_{night}.csv", policies)
        claims = [
            json.dumps(
                {
                    "claim_id": f"c{n}",
                    "policy_id": f"p{n % 23}",
                    "reported": f"2026-09-0{night}T{n % 24:02d}:00:00",
                    "amount": n * 10.5,
                    "status": ("open", "paid", "denied")[n % 3],
                    "claimant": {"name": f"holder {n}", "city": f"city {n % 5}"},
                    "parts": [{"code": f"k{m}", "cost": m * 2.5 - 1} for m in range(n % 4)],
                }
            )
            for n in range(night * 10, night * 10 + 25)
        ]
        _lines(root / "landing" / "claims" / f"2026-09-0{night}" / "part-0.json", claims)
        payments = [
            f"y{night}{n},p{n % 25},2026-09-0{night} 10:{n:02d}:00,{'' if n % 11 == 0 else n * 3 - 20},{('EUR', 'CHF')[n % 2]}"
            for n in range(30)
        ]
        _lines(root / "landing" / "payments" / f"payments_{night}.csv", payments)
        scores = [",".join(("policy_id", *_FACTORS))]
        scores += [",".join((f"p{n}", *(f"{n * m % 17}.25" for m in range(40)))) for n in range(20)]
        _lines(root / "landing" / "scores" / f"scores_{night}.csv", scores)
    _lines(root / "landing" / "rates.csv", ["currency,rate", "EUR,1.0", "CHF,1.06"])


def _lines(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


class Insurer:
    """The jobs of a night.

    Args:
        fmt: The format of the tables.
        sql: Puts catalogs into a text.
        night: Its number.
    """

    def __init__(self, fmt: str, sql: Callable[[str], str], night: int) -> None:
        self.fmt = fmt
        self.sql = sql
        self.names = CatalogNames(sql)
        self.table = self.names.table
        self.night = night

    def step(self, name: str, text: str, writes: str = "-", *truth: str, only: str = "") -> Step:
        """Return the step of a statement of the night."""
        return self.names.step(f"n{self.night}: {name}", text, writes, *truth, only=only)

    def done(self, name: str, run: Callable[[Job], object], writes: str = "-", *truth: str) -> Step:
        """Return the step of a function."""
        return Step(f"n{self.night}: {name}", run, writes, *truth)

    def replace(self, rows: DataFrame, table: str) -> None:
        """Overwrite a table with a frame."""
        rows.write.format(self.fmt).mode("overwrite").saveAsTable(self.sql(table))

    def policies_in(self, job: Job) -> None:
        """Load the full list of policies."""
        path = f"{job.root}/landing/policies/policies_{self.night}.csv"
        rows = job.spark.read.option("header", True).option("inferSchema", True).csv(path)
        rows = rows.withColumn("night", f.lit(self.night)).withColumn("loaded", f.current_timestamp())
        self.replace(rows, "B.policies")

    def claims_in(self, job: Job) -> None:
        """Append the night's claims."""
        rows = job.spark.read.schema(_CLAIMS).json(f"{job.root}/landing/claims/2026-09-0{self.night}")
        rows = rows.withColumn("file", f.input_file_name()).withColumn("night", f.lit(self.night))
        rows.write.mode("append").insertInto(self.sql("B.claims"))

    def scores_in(self, job: Job) -> None:
        """Load the scores of policies, forty factors each."""
        rows = job.spark.read.csv(f"{job.root}/landing/scores/scores_{self.night}.csv", header=True, inferSchema=True)
        self.replace(rows.dropDuplicates(["policy_id"]).withColumn("night", f.lit(self.night)), "B.scores")

    def rejects(self, job: Job) -> None:
        """Keep payments without an amount or a policy."""
        known = self.table(job, "S.policies").select("policy_id")
        rows = self.table(job, "B.payments").where(f.col("night") == self.night)
        missing = rows.where("amount IS NULL").withColumn("reason", f.lit("no amount"))
        strangers = rows.where("amount IS NOT NULL").join(known, "policy_id", "left_anti")
        strangers = strangers.withColumn("reason", f.concat(f.lit("no policy "), "policy_id"))
        rows = missing.unionByName(strangers).select("payment_id", "reason", "amount")
        rows.write.mode("append").insertInto(self.sql("S.rejects"))

    def risk(self, job: Job) -> None:
        """Scale all factors by the policy's largest."""
        rows = self.table(job, "S.scores").withColumn("top", f.greatest(*_FACTORS))
        rows = rows.select(
            "policy_id", *(f.round(f.col(name) / f.col("top"), 3).alias(f"r_{name}") for name in _FACTORS), "top"
        )
        self.replace(rows, "G.risk")

    def agents(self, job: Job) -> None:
        """Rank agents within their regions."""
        over = Window.partitionBy("region").orderBy(f.desc("volume"))
        rows = self.table(job, "S.policies").groupBy("region", "agent")
        rows = rows.agg(f.sum("premium").alias("volume"), f.count_distinct("product").alias("products"))
        rows = rows.withColumn("place", f.dense_rank().over(over)).where("place <= 10")
        self.replace(
            rows.withColumn("share", f.col("volume") / f.sum("volume").over(Window.partitionBy("region"))), "G.agents"
        )

    def monthly(self, job: Job) -> None:
        """Put payments into columns by their kind."""
        rows = self.table(job, "S.payments").withColumn("month", f.date_format("day", "yyyy-MM"))
        rows = rows.groupBy("month").pivot("kind", ["payment", "refund"]).agg(f.sum("eur"))
        self.replace(rows.na.fill(0.0), "G.monthly")

    def whole(self, job: Job) -> None:
        """Write a row per policy with all that is known of it."""
        claims = self.table(job, "S.claims").groupBy("policy_id").agg(
            f.count("*").alias("claims"), f.sum("amount").alias("claimed"), f.max("reported").alias("last_claim")
        )  # fmt: skip
        rows = self.table(job, "S.policies").join(claims, "policy_id", "left")
        rows = rows.join(f.broadcast(self.table(job, "S.scores").drop("night")), "policy_id", "left")
        self.replace(rows.drop("night").fillna({"claims": 0}), "G.policies")

    def export(self, job: Job) -> None:
        """Hand the ratios over as files."""
        rows = self.table(job, "G.loss").withColumn("percent", f.format_number(f.col("ratio") * 100, 1))
        rows.coalesce(1).write.partitionBy("product").mode("overwrite").parquet(f"{job.root}/export/loss")

    def check(self, job: Job) -> None:
        """Count what must not be."""
        rows = self.table(job, "S.claims").join(self.table(job, "S.policies"), "policy_id", "left_anti")
        rows.where("amount > 1000").select("claim_id", "policy_id").collect()

    def claim_stream(self, job: Job) -> None:
        """Append new claims as they come."""
        rows = job.spark.readStream.schema(_CLAIMS).json(f"{job.root}/landing/claims/*")
        rows = rows.where("status <> 'denied'").select("claim_id", f.lower("claimant.name").alias("name"), "amount")
        job.stream(rows, "claim stream").toTable(self.sql("S.claim_events")).awaitTermination()

    def common(self) -> Iterator[Step]:
        """Yield what each night does with each format."""
        night, step, done = self.night, self.step, self.done
        factors = " ".join(_FACTORS)
        yield done(
            "policies in",
            self.policies_in,
            "overwrite b_policies",
            "policy_id holder product premium start agent region < policies.*; night loaded <",
        )
        yield done(
            "claims in",
            self.claims_in,
            "append b_claims",
            "claim_id policy_id reported amount status claimant parts < claims.*; file night <",
        )
        yield step(
            "payments in",
            f"INSERT INTO B.payments SELECT _c0, _c1, to_timestamp(_c2), CAST(_c3 AS DOUBLE), _c4, {night} FROM csv.`{{root}}/landing/payments/payments_{night}.csv`",
            "append b_payments",
            "payment_id < payments._c0; policy_id < payments._c1; paid_at < payments._c2; amount < payments._c3; currency < payments._c4; night <",
        )
        yield done(
            "scores in",
            self.scores_in,
            "overwrite b_scores",
            f"policy_id {factors} < scores.*; night <",
            "GROUP_BY scores.policy_id",
        )
        yield step(
            "policies",
            "MERGE INTO S.policies t USING (SELECT policy_id, sha2(holder, 256) AS holder_key, upper(product) AS product, CAST(premium AS DOUBLE) AS premium, to_date(start) AS start, agent, coalesce(region, 'none') AS region, night FROM (SELECT p.*, row_number() OVER (PARTITION BY policy_id ORDER BY premium DESC) AS rn FROM B.policies p) x WHERE rn = 1) s ON t.policy_id = s.policy_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge s_policies",
            "policy_id product premium start agent region night < b_policies.*; holder_key < b_policies.holder",
        )
        assigned = "amount = s.amount, status = s.status, reported = s.reported"
        yield step(
            "claims",
            f"MERGE INTO S.claims t USING (SELECT claim_id, policy_id, reported, amount, status, initcap(claimant.city) AS city, size(parts) AS n_parts FROM B.claims WHERE night = {night}) s ON t.claim_id = s.claim_id WHEN MATCHED AND s.reported > t.reported THEN UPDATE SET {assigned} WHEN NOT MATCHED THEN INSERT *",
            "merge s_claims",
            "claim_id policy_id reported amount status < b_claims.*; city < b_claims.claimant.city; n_parts < b_claims.parts",
        )
        yield step(
            "parts",
            f"INSERT INTO S.parts SELECT claim_id, pos, part.code, round(part.cost, 2) AS cost FROM B.claims LATERAL VIEW posexplode(parts) p AS pos, part WHERE night = {night} AND part.cost > 0",
            "append s_parts",
            "claim_id < b_claims.*; pos < b_claims.parts; code < b_claims.parts.code; cost < b_claims.parts.cost",
            "FILTER b_claims.night; FILTER b_claims.parts.cost",
        )
        yield step(
            "payments",
            f"INSERT INTO S.payments SELECT p.payment_id, p.policy_id, to_date(p.paid_at) AS day, p.amount * r.rate AS eur, CASE WHEN p.amount < 0 THEN 'refund' ELSE 'payment' END AS kind FROM B.payments p LEFT JOIN rates r ON r.currency = p.currency WHERE p.night = {night} AND p.amount IS NOT NULL",
            "append s_payments",
            "payment_id policy_id < b_payments.*; day < b_payments.paid_at; eur < b_payments.amount rates_csv.rate; kind <",
            "JOIN b_payments.currency; FILTER b_payments.night",
        )
        yield done(
            "rejects",
            self.rejects,
            "append s_rejects",
            "payment_id amount < b_payments.*; reason < b_payments.policy_id",
            "JOIN s_policies.policy_id; FILTER b_payments.night",
        )
        yield step(
            "scores",
            "MERGE INTO S.scores t USING B.scores s ON t.policy_id = s.policy_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "merge s_scores",
            f"policy_id {factors} night < b_scores.*",
        )
        yield done(
            "risk",
            self.risk,
            "overwrite g_risk",
            "policy_id < s_scores.*; top < "
            + " ".join(f"s_scores.{each}" for each in _FACTORS)
            + "; "
            + "".join(f"r_{each} " for each in _FACTORS)
            + "< "
            + " ".join(f"s_scores.{each}" for each in _FACTORS),
        )
        yield step(
            "loss",
            "INSERT OVERWRITE G.loss SELECT p.product, p.region, sum(c.amount) AS claimed, sum(p.premium) AS premium, sum(c.amount) / sum(p.premium) AS ratio, count(*) AS n FROM S.policies p JOIN S.claims c ON c.policy_id = p.policy_id AND c.status <> 'denied' GROUP BY p.product, p.region HAVING sum(p.premium) > 0",
            "overwrite g_loss",
            "product region premium < s_policies.*; claimed < s_claims.amount; ratio < s_claims.amount s_policies.premium; n <",
            "JOIN s_claims.policy_id; FILTER s_claims.status; GROUP_BY s_policies.product",
        )
        yield done(
            "agents",
            self.agents,
            "overwrite g_agents",
            "region agent < s_policies.*; volume share < s_policies.premium; products < s_policies.product; place <",
            "GROUP_BY s_policies.agent",
        )
        yield done(
            "monthly",
            self.monthly,
            "overwrite g_monthly",
            "month < s_payments.day; payment refund < s_payments.eur",
            "GROUP_BY s_payments.day",
        )
        yield done(
            "whole",
            self.whole,
            "overwrite g_policies",
            "policy_id holder_key product premium start agent region < s_policies.*; claims <; claimed < s_claims.amount; last_claim < s_claims.reported; "
            f"{factors} < s_scores.*",
            "JOIN s_claims.policy_id; JOIN s_scores.policy_id",
        )
        yield done(
            "export",
            self.export,
            "overwrite x_loss",
            f"{_HUDIS if self.fmt == 'hudi' else ''}region claimed premium ratio n product < g_loss.*; percent < g_loss.ratio",
        )
        yield step(
            "report",
            "WITH big AS (SELECT policy_id, claimed FROM G.policies WHERE claims > 1) SELECT r.policy_id, r.top, big.claimed, (SELECT avg(ratio) FROM G.loss) AS mean FROM G.risk r JOIN big ON big.policy_id = r.policy_id ORDER BY big.claimed DESC LIMIT 20",
            "",
            "policy_id top < g_risk.*; claimed < g_policies.claimed; mean < g_loss.ratio",
            "JOIN g_risk.policy_id; FILTER g_policies.claims; SORT g_policies.claimed",
        )
        yield done(
            "check",
            self.check,
            "",
            "claim_id policy_id < s_claims.*",
            "JOIN s_policies.policy_id; FILTER s_claims.amount",
        )
        truth = (
            "append s_claim_events",
            "claim_id amount < claims.*; name < claims.claimant.name",
            "FILTER claims.status",
        )
        yield Step("claim stream", self.claim_stream, *(truth if night == 1 else ()))


def prepared(fmt: str, sql: Callable[[str], str]) -> Iterator[Step]:
    """Yield the tables that are defined before the first night, and a view of the session."""
    step = CatalogNames(sql).step

    def keyed(key: str, order: str) -> str:
        return {
            "hudi": f" TBLPROPERTIES (primaryKey = '{key}', preCombineField = '{order}')",
            "paimon": f" TBLPROPERTIES ('primary-key' = '{key}', 'bucket' = '1')",
        }.get(fmt, "")

    factors = ", ".join(f"{each} DOUBLE" for each in _FACTORS)
    tables = {
        "B.claims": (f"{_CLAIMS}, file STRING, night INT", ""),
        "B.payments": (
            "payment_id STRING, policy_id STRING, paid_at TIMESTAMP, amount DOUBLE, currency STRING, night INT",
            "",
        ),
        "S.policies": (
            "policy_id STRING, holder_key STRING, product STRING, premium DOUBLE, start DATE, agent STRING, region STRING, night INT",
            keyed("policy_id", "night"),
        ),
        "S.claims": (
            "claim_id STRING, policy_id STRING, reported TIMESTAMP, amount DOUBLE, status STRING, city STRING, n_parts INT",
            keyed("claim_id", "reported"),
        ),
        "S.parts": ("claim_id STRING, pos INT, code STRING, cost DOUBLE", ""),
        "S.payments": ("payment_id STRING, policy_id STRING, day DATE, eur DOUBLE, kind STRING", ""),
        "S.rejects": ("payment_id STRING, reason STRING, amount DOUBLE", ""),
        "S.scores": (f"policy_id STRING, {factors}, night INT", keyed("policy_id", "night")),
        "G.loss": (
            "product STRING, region STRING, claimed DOUBLE, premium DOUBLE, ratio DOUBLE, n BIGINT",
            "",
        ),
    }
    for name, (columns, more) in tables.items():
        yield step(f"{name} ddl", f"CREATE TABLE {name} ({columns}) USING {fmt}{more}")
    yield step(
        "rates",
        "CREATE TEMPORARY VIEW rates USING csv OPTIONS (path '{root}/landing/rates.csv', header 'true', inferSchema 'true')",
    )


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    found = list(prepared(fmt, sql))
    for night in (1, 2, 3):
        insurer = Insurer(fmt, sql, night)
        found += insurer.common()
        found += workload_insurer_own.night(fmt, insurer)
    return tuple(found)


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    root = f"file://{folder}"
    names = {each: f"{root}/landing/{each}" for each in ("policies", "claims", "payments", "scores")}
    names["rates_csv"] = f"{root}/landing/rates.csv"
    listed = steps(fmt, two)
    add_datasets(names, listed, layers(fmt, two), root)
    return truth_of(names, listed, workload_insurer_own.CHANGES.get(fmt, ""))


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(Path("/tmp/lakehouse_insurer"), land, places_of(layers), steps, truth, FEW_TASKS).main()


if __name__ == "__main__":
    main()
