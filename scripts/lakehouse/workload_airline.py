"""An airline's bookings and flights: one night of an ordinary warehouse, with sensors as sixty columns.

Written before any of its statements was traced. In SQL `R.t`, `C.t` and `M.t` are raw, clean and mart tables; in the truth
`r_t`, `c_t` and `m_t`. With two Iceberg catalogs (`two` in the log's name) the marts are in `jdb`.
`python -m lakehouse.workload_airline --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_nights import add_datasets
from lakehouse.workload_run import FEW_TASKS, Workload, layered, places_of

_LAYER = re.compile(r"\b([RCM])\.(?=[\w`])")
_SENSORS = tuple(f"s{n:02d}" for n in range(1, 61))
_BOOKINGS = "pnr STRING, flight STRING, fare DOUBLE, booked TIMESTAMP, pax ARRAY<STRUCT<name: STRING, seat: STRING>>, tags MAP<STRING, STRING>"


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of the layers, by their letters."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return {"R": f"{first}.raw", "C": f"{first}.clean", "M": "jdb.mart" if two else f"{first}.mart"}


def land(root: Path) -> None:
    """Write the landing files."""
    bookings = [
        json.dumps(
            {
                "pnr": f"x{n % 40}",
                "flight": f"f{n % 9}",
                "fare": n * 3.5 if n % 8 else None,
                "booked": f"2026-05-0{n % 4 + 1}T10:{n % 60:02d}:00",
                "pax": [{"name": f"p{m}", "seat": f"{m}A"} for m in range(n % 3)],
                "tags": {"channel": ("web", "app")[n % 2]},
            }
        )
        for n in range(60)
    ]
    _lines(root / "landing" / "bookings" / "bookings.json", bookings)
    flights = ["flight,origin,target,dep,seats"]
    flights += [
        f"f{n},{'BER' if n % 2 else 'VIE'},{'LIS' if n % 3 else 'OSL'},2026-05-0{n % 4 + 1} 06:00:00,{100 + n}"
        for n in range(9)
    ]
    _lines(root / "landing" / "flights" / "flights.csv", flights)
    sensors = [",".join(("flight", *_SENSORS))]
    sensors += [",".join((f"f{n}", *(str(n * m % 13) for m in range(60)))) for n in range(9)]
    _lines(root / "landing" / "sensors" / "sensors.csv", sensors)


def _lines(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


class Airline:
    """The night's jobs.

    Args:
        fmt: The format of the tables.
        sql: Puts catalogs into a text.
    """

    def __init__(self, fmt: str, sql: Callable[[str], str]) -> None:
        self.fmt = fmt
        self.sql = sql
        self.names = CatalogNames(sql)
        self.step = self.names.step
        self.table = self.names.table

    def keyed(self, key: str, order: str) -> str:
        """Return the properties of a table with a key."""
        return {
            "hudi": f" TBLPROPERTIES (primaryKey = '{key}', preCombineField = '{order}')",
            "paimon": f" TBLPROPERTIES ('primary-key' = '{key}', 'bucket' = '1')",
        }.get(self.fmt, "")

    def saved(self, rows: DataFrame, name: str) -> None:
        """Replace a table with a frame."""
        rows.write.format(self.fmt).mode("overwrite").saveAsTable(self.sql(name))

    def raw(self) -> Iterator[Step]:
        """Yield the loads."""

        def bookings(job: Job) -> None:
            rows = job.spark.read.schema(_BOOKINGS).json(f"{job.root}/landing/bookings")
            self.saved(rows.withColumn("channel", f.col("tags").getItem("channel")).drop("tags"), "R.bookings")

        def flights(job: Job) -> None:
            rows = job.spark.read.csv(f"{job.root}/landing/flights", header=True, inferSchema=True)
            rows = rows.withColumnRenamed("target", "dest").withColumn("day", f.to_date("dep"))
            self.saved(rows.repartition(2, "flight"), "R.flights")

        def sensors(job: Job) -> None:
            rows = job.spark.read.option("header", True).csv(f"{job.root}/landing/sensors")
            self.saved(rows.select("flight", *(f.col(each).cast("double") for each in _SENSORS)), "R.sensors")

        yield Step(
            "bookings",
            bookings,
            "overwrite r_bookings",
            "pnr flight fare booked pax < bookings.*; channel < bookings.tags",
        )
        yield Step(
            "flights",
            flights,
            "overwrite r_flights",
            "flight origin dep seats < flights.*; dest < flights.target; day < flights.dep",
        )
        yield Step("sensors", sensors, "overwrite r_sensors", f"flight {' '.join(_SENSORS)} < sensors.*")

    def clean(self) -> Iterator[Step]:
        """Yield the clean tables."""
        step = self.step
        yield step(
            "tickets ddl",
            f"CREATE TABLE C.tickets (pnr STRING, flight STRING, fare DOUBLE, booked TIMESTAMP, channel STRING) USING {self.fmt}{self.keyed('pnr', 'booked')}",
        )
        yield step("pax ddl", f"CREATE TABLE C.pax (pnr STRING, seat STRING, name STRING, n INT) USING {self.fmt}")
        yield step(
            "newest",
            "CREATE OR REPLACE TEMPORARY VIEW newest AS SELECT pnr, latest.flight, latest.fare, latest.booked, channel FROM (SELECT pnr, max(struct(booked, flight, fare)) AS latest, max(channel) AS channel FROM R.bookings GROUP BY pnr)",
        )
        yield step(
            "tickets",
            "INSERT INTO C.tickets SELECT pnr, flight, coalesce(fare, 0.0), booked, upper(channel) FROM newest WHERE flight IN (SELECT flight FROM R.flights WHERE seats > 100)",
            "append c_tickets",
            "pnr flight fare booked channel < r_bookings.*",
            "GROUP_BY r_bookings.pnr; JOIN r_flights.flight; FILTER r_flights.seats",
        )
        yield step(
            "pax",
            "INSERT INTO C.pax SELECT pnr, p.seat, transform(array(p.name), x -> upper(x))[0], size(pax) FROM R.bookings LATERAL VIEW OUTER explode(pax) e AS p",
            "append c_pax",
            "pnr < r_bookings.pnr; seat < r_bookings.pax.seat; name < r_bookings.pax.name; n < r_bookings.pax",
        )

        def legs(job: Job) -> None:
            over = Window.partitionBy("origin").orderBy("dep")
            rows = self.table(job, "R.flights").withColumn(
                "gap", f.col("dep").cast("long") - f.lag(f.col("dep").cast("long")).over(over)
            )
            rows = rows.withColumn("route", f.concat_ws("-", "origin", "dest")).withColumn(
                "nth", f.row_number().over(over)
            )
            self.saved(rows.filter(~f.col("dest").isin("OSL")).drop("origin", "dest"), "C.legs")

        def scaled(job: Job) -> None:
            rows = self.table(job, "R.sensors")
            values = [f.when(f.col(each) > 0, f.log(each)).otherwise(f.lit(0.0)).alias(each) for each in _SENSORS]
            self.saved(
                rows.select(
                    "flight", *values, sum((f.col(each) for each in _SENSORS[1:]), f.col(_SENSORS[0])).alias("total")
                ),
                "C.scaled",
            )

        yield Step(
            "legs",
            legs,
            "overwrite c_legs",
            "flight dep seats day < r_flights.*; gap < r_flights.dep; route < r_flights.origin r_flights.dest; nth <",
            "FILTER r_flights.dest",
        )
        yield Step(
            "scaled",
            scaled,
            "overwrite c_scaled",
            f"flight {' '.join(_SENSORS)} < r_sensors.*; total < {' '.join(f'r_sensors.{each}' for each in _SENSORS)}",
        )

    def marts(self) -> Iterator[Step]:
        """Yield the marts."""
        step = self.step

        def loads(job: Job) -> None:
            rows = self.table(job, "C.tickets").join(self.table(job, "R.flights"), "flight", "right")
            rows = rows.groupBy("flight", "day").agg(
                f.count("pnr").alias("sold"), f.first("seats").alias("seats"), f.sum("fare").alias("revenue")
            )
            self.saved(rows.withColumn("load", f.round(f.col("sold") / f.col("seats"), 2)), "M.loads")

        def channels(job: Job) -> None:
            rows = (
                self.table(job, "C.tickets")
                .cube("channel", "flight")
                .agg(f.avg("fare").alias("fare"), f.grouping_id().alias("level"))
            )
            self.saved(rows, "M.channels")

        def sheet(job: Job) -> None:
            loads = self.table(job, "M.loads").select("flight", "load", "revenue")
            self.saved(self.table(job, "C.scaled").drop("total").join(loads, ["flight"], "left"), "M.sheet")

        def weekly(job: Job) -> None:
            rows = (
                self.table(job, "M.loads")
                .groupBy("flight")
                .pivot("day", ["2026-05-01", "2026-05-02"])
                .agg(f.max("load"))
            )
            self.saved(rows.toDF("flight", "first", "second"), "M.weekly")

        def named(job: Job) -> None:
            label = f.udf(lambda a, b: f"{a}/{b}", "string")
            rows = (
                self.table(job, "C.pax").where("seat IS NOT NULL").select("pnr", label("seat", "name").alias("label"))
            )
            rows = rows.union(self.table(job, "C.tickets").select("pnr", "channel").where("fare > 100"))
            self.saved(rows.distinct(), "M.labels")

        def exported(job: Job) -> None:
            rows = self.table(job, "M.loads").select("flight", f.to_json(f.struct("sold", "load")).alias("body"), "day")
            rows.write.mode("overwrite").partitionBy("day").json(f"{job.root}/export/loads")

        def stream(job: Job) -> None:
            rows = job.spark.readStream.schema(_BOOKINGS).json(f"{job.root}/landing/bookings")
            rows = rows.select("pnr", f.explode("pax").alias("p"), "fare").select("pnr", "p.seat", "fare")
            job.stream(rows, "seat stream").format(self.fmt).toTable(self.sql("C.seats")).awaitTermination()

        yield Step(
            "loads",
            loads,
            "overwrite m_loads",
            "flight day seats < r_flights.*; sold < c_tickets.pnr; revenue < c_tickets.fare; load < c_tickets.pnr r_flights.seats",
            "GROUP_BY r_flights.flight; JOIN c_tickets.flight",
        )
        yield Step(
            "channels",
            channels,
            "overwrite m_channels",
            "channel flight fare < c_tickets.*; level <",
            "GROUP_BY c_tickets.channel",
        )
        yield Step(
            "sheet",
            sheet,
            "overwrite m_sheet",
            f"flight {' '.join(_SENSORS)} < c_scaled.*; load revenue < m_loads.*",
            "JOIN m_loads.flight",
        )
        yield Step(
            "weekly",
            weekly,
            "overwrite m_weekly",
            "flight < m_loads.flight; first second < m_loads.load",
            "GROUP_BY m_loads.flight",
        )
        yield Step(
            "labels",
            named,
            "overwrite m_labels",
            "pnr < c_pax.pnr c_tickets.pnr; label < c_pax.seat c_pax.name c_tickets.channel",
            "FILTER c_pax.seat; FILTER c_tickets.fare",
        )
        yield Step(
            "export",
            exported,
            "overwrite x_loads",
            "flight day < m_loads.*; body < m_loads.sold m_loads.load",
        )
        yield Step("seat stream", stream, "append c_seats", "pnr fare < bookings.*; seat < bookings.pax.seat")
        yield step(
            "rivals",
            "SELECT a.flight, b.flight AS rival, abs(a.load - b.load) AS distance FROM M.loads a CROSS JOIN M.loads b WHERE a.flight < b.flight AND a.day = b.day ORDER BY distance LIMIT 5",
            "",
            "flight < m_loads.flight; rival < m_loads.flight; distance < m_loads.load",
            "SORT m_loads.load",
        )
        yield step(
            "unsold",
            "SELECT flight FROM R.flights EXCEPT SELECT flight FROM C.tickets WHERE fare > 0",
            "",
            "flight < r_flights.flight",
            "JOIN c_tickets.flight; FILTER c_tickets.fare",
        )
        yield step(
            "spine",
            "WITH days AS (SELECT explode(sequence(min(day), max(day))) AS day FROM R.flights) SELECT d.day, count(l.flight) AS n FROM days d LEFT JOIN M.loads l ON l.day = d.day GROUP BY d.day HAVING count(l.flight) >= 0",
            "",
            "day < r_flights.day; n < m_loads.flight",
            "JOIN m_loads.day; GROUP_BY r_flights.day",
        )

    def changes(self) -> Iterator[Step]:
        """Yield changes of rows."""
        step, fmt = self.step, self.fmt
        yield step(
            "refund",
            "UPDATE C.tickets SET fare = fare * 0.9, channel = concat('r-', channel) WHERE flight = 'f3' AND fare > 10",
            "update c_tickets",
            "fare channel < c_tickets.*",
            "FILTER c_tickets.flight; FILTER c_tickets.fare",
        )
        yield step(
            "no show",
            "DELETE FROM C.tickets WHERE fare = 0 OR channel IS NULL",
            "delete c_tickets",
            "",
            "FILTER c_tickets.fare; FILTER c_tickets.channel",
        )
        if fmt in {"delta", "iceberg"}:
            yield step(
                "sheet merge",
                "MERGE INTO M.sheet t USING (SELECT * FROM M.sheet WHERE load > 0.01) s ON t.flight = s.flight WHEN MATCHED AND s.revenue IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET *",
                "merge m_sheet",
                f"flight {' '.join(_SENSORS)} load revenue < m_sheet.*",
            )
            yield step(
                "late",
                "MERGE INTO C.tickets t USING R.bookings s ON t.pnr = s.pnr AND t.flight = s.flight WHEN MATCHED AND s.booked > t.booked THEN UPDATE SET booked = s.booked, fare = greatest(s.fare, t.fare) WHEN NOT MATCHED AND s.fare > 5 THEN INSERT (pnr, flight, fare, booked) VALUES (s.pnr, s.flight, s.fare, s.booked)",
                "merge c_tickets",
                "pnr flight booked < r_bookings.*; fare < r_bookings.fare c_tickets.fare; channel <",
                "JOIN r_bookings.pnr",
            )
            yield step(
                "partial",
                "INSERT INTO C.tickets (flight, pnr, fare) VALUES ('f1', 'manual', 12.5)",
                "append c_tickets",
                "pnr flight fare booked channel <",
            )
            yield step(
                "gate ddl",
                f"CREATE OR REPLACE TABLE M.gates (flight STRING, gate STRING, day DATE) USING {fmt} PARTITIONED BY (day)",
            )
            yield step(
                "gates",
                "INSERT OVERWRITE M.gates PARTITION (day = DATE'2026-05-01') SELECT flight, concat(substr(route, 1, 1), nth) FROM C.legs WHERE day = DATE'2026-05-01'",
                "overwrite m_gates",
                "flight < c_legs.flight; gate < c_legs.route c_legs.nth; day <",
                "FILTER c_legs.day",
            )
            yield step(
                "code",
                f"ALTER TABLE C.pax ADD COLUMN{'S (' if fmt == 'delta' else ' '}code STRING{')' if fmt == 'delta' else ''}",
                "alter c_pax",
            )
            yield step(
                "code set",
                "UPDATE C.pax SET code = sha2(name, 256), name = NULL WHERE seat IS NOT NULL",
                "update c_pax",
                "code < c_pax.name; name <",
                "FILTER c_pax.seat",
            )
            yield step(
                "before",
                "SELECT n.pnr, o.name, n.code FROM C.pax n JOIN C.pax VERSION AS OF {version} o ON o.pnr = n.pnr AND o.seat = n.seat".replace(
                    "{version}", "1"
                )
                if fmt == "delta"
                else "SELECT pnr, name, code FROM C.pax WHERE code IS NOT NULL",
                "",
                "pnr name code < c_pax.*",
                "" if fmt == "delta" else "FILTER c_pax.code",
            )
        if fmt == "hudi":
            yield step(
                "late",
                "MERGE INTO C.tickets t USING R.bookings s ON t.pnr = s.pnr WHEN MATCHED AND s.fare > 10 THEN UPDATE SET fare = s.fare, booked = s.booked WHEN NOT MATCHED THEN INSERT (pnr, flight, fare, booked, channel) VALUES (s.pnr, s.flight, s.fare, s.booked, s.channel)",
                "merge c_tickets",
                "pnr flight fare booked channel < r_bookings.*",
                "JOIN r_bookings.pnr",
            )
        if fmt == "paimon":
            yield step(
                "late",
                "MERGE INTO C.tickets t USING R.bookings s ON t.pnr = s.pnr WHEN MATCHED AND s.fare > 10 THEN UPDATE SET fare = s.fare, booked = s.booked WHEN NOT MATCHED THEN INSERT (pnr, flight, fare, booked, channel) VALUES (s.pnr, s.flight, s.fare, s.booked, lower(s.channel))",
                "merge c_tickets",
                "pnr flight fare booked channel < r_bookings.*",
                "JOIN r_bookings.pnr",
            )
            yield step("tag", "CALL pai.sys.create_tag(table => 'clean.tickets', tag => 'closed')")
            yield step(
                "tagged",
                "SELECT channel, sum(fare) AS fare FROM C.tickets VERSION AS OF 'closed' GROUP BY channel",
                "",
                "channel fare < c_tickets.*",
                "GROUP_BY c_tickets.channel",
            )


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    airline = Airline(fmt, layered(_LAYER, layers(fmt, two)))
    return (*airline.raw(), *airline.clean(), *airline.marts(), *airline.changes())


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    root = f"file://{folder}"
    names = {each: f"{root}/landing/{each}" for each in ("bookings", "flights", "sensors")}
    listed = steps(fmt, two)
    add_datasets(names, listed, layers(fmt, two), root)
    return truth_of(names, listed, "c_pax: column_added code" if fmt in {"delta", "iceberg"} else "")


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(Path("/tmp/lakehouse_airline"), land, places_of(layers), steps, truth, FEW_TASKS).main()


if __name__ == "__main__":
    main()
