"""The changes of a fleet's trips on Hudi: rows, merges, schemas, maintenance."""

from __future__ import annotations

from pyspark.sql import DataFrame

from lakehouse.constructed import Value, Workload, same, select
from lakehouse.medallion import Night


def landed() -> list[Value]:
    """Return the columns of the trips, made of the landed files."""
    return [
        *same("trip_id vehicle", "landed"),
        Value("driver", "driver.id", "landed.driver.id"),
        Value("km", "km * 1.609", "landed.km"),
        *same("liters ts region", "landed"),
    ]


def vehicles() -> list[Value]:
    """Return the columns of the vehicles, made of the landed files."""
    return [
        Value("plate", "upper(plate)", "makers.plate"),
        *same("make", "makers"),
        Value("seats", "CAST(seats AS INT)", "makers.seats"),
    ]


def save(values: list[Value], operation: str, mode: str) -> object:
    """Return the save of the vehicles with an operation and a save mode."""

    def save(night: Night) -> None:
        frame = night.spark.read.option("header", "true").csv(f"{night.root}/landing/vehicles")
        write(frame.selectExpr(*[f"{each.expression} AS {each.column}" for each in values]), night)

    def write(frame: DataFrame, night: Night) -> None:
        writer = frame.write.format("hudi").option("hoodie.table.name", "vehicles")
        writer = writer.option("hoodie.datasource.write.recordkey.field", "plate")
        writer.option("hoodie.datasource.write.operation", operation).mode(mode).save(f"{night.root}/lake/vehicles")

    return save


def expressions(values: list[Value]) -> list[str]:
    """Return values as expressions for a frame."""
    return [f"{each.expression} AS {each.column}" for each in values]


def place(night: Night, database: str, table: str) -> str:
    """Return the location of a table of the session catalog."""
    return f"{night.root}/warehouse/{database}.db/{table}"


def changes(work: Workload) -> None:
    """Change rows: inserts, updates, deletes, overwrites."""
    work.insert("load more trips", "trips", landed(), "FROM {landed} WHERE trip_id >= 200", "FILTER landed.trip_id")
    work.update(
        "trips update",
        "trips",
        [Value("km", "km + liters", "trips.km trips.liters"), Value("vehicle", "'v0'")],
        "driver = 2",
        "FILTER trips.driver",
    )
    work.update(
        "tagged update", "tagged", [Value("ts", "ts + 1", "tagged.ts")], "trip_id = 101", "FILTER tagged.trip_id"
    )
    work.update(
        "rated update case",
        "rated",
        [Value("note", "CASE WHEN rate > 0.5 THEN upper(note) ELSE 'low' END", "rated.note")],
        "trip_id > 100 AND driver IS NOT NULL",
        "FILTER rated.trip_id",
        "CONDITIONAL rated.rate",
    )
    work.update("driven update", "driven", [Value("rate", "0")], "region = 'north'", "FILTER driven.region")
    work.delete("driven delete", "driven", "rate < 0 OR make = 'x'", "FILTER driven.rate", "FILTER driven.make")
    work.delete("trips delete", "trips", "trip_id = 107", "FILTER trips.trip_id")
    work.delete(
        "rated delete in",
        "rated",
        "driver IN (SELECT driver FROM {score} WHERE place > 50)",
        "JOIN rated.driver",
        "JOIN score.driver",
        "FILTER score.place",
    )
    work.insert(
        "score overwrite",
        "score",
        [
            *same("driver", "trips"),
            Value("trips", "count(DISTINCT vehicle)", "trips.vehicle"),
            Value("km", "avg(km)", "trips.km"),
            Value("place", "CAST(0 AS BIGINT)"),
        ],
        "FROM {trips} GROUP BY driver HAVING sum(liters) > 0",
        "GROUP_BY trips.driver",
        overwrite=True,
    )
    static = [*same("trip_id make", "driven"), Value("rate", "rate * 2", "driven.rate"), *same("loaded", "driven")]
    work.sql(
        "driven overwrite partition",
        f"INSERT OVERWRITE {{driven}} PARTITION (region = 'south') {select(static, 'FROM {driven}')} WHERE region = 'south'",
        "overwrite driven",
        [*static, Value("region", "'south'")],
        ["FILTER driven.region"],
    )
    values = vehicles()
    for name, operation, kind in (
        ("vehicles delete", "delete", "delete"),
        ("vehicles overwrite table", "insert_overwrite_table", "overwrite"),
    ):
        work.frame(name, save(values, operation, "append"), f"{kind} vehicles", values if kind == "overwrite" else ())
    work.run("SET hoodie.spark.sql.insert.into.operation = bulk_insert")
    work.insert(
        "regions bulk insert",
        "regions",
        [*same("region", "driven"), Value("amount", "rate", "driven.rate")],
        "FROM {driven}",
    )
    work.run("RESET hoodie.spark.sql.insert.into.operation")


def change_data(work: Workload) -> None:
    """Save the changes of a table that keeps them."""

    def cdc(night: Night) -> None:
        reader = night.spark.read.format("hudi").option("hoodie.datasource.query.type", "incremental")
        reader = reader.option("hoodie.datasource.query.incremental.format", "cdc")
        frame = reader.option("hoodie.datasource.read.begin.instanttime", "000").load(place(night, "core", "ledger"))
        frame.selectExpr("op", "after").write.mode("overwrite").parquet(f"{night.root}/out/changes")

    work.frame("cdc save", cdc, "overwrite changes", same("op after", "ledger"))


def merges(work: Workload) -> None:
    """Merge: all clauses, partial updates, sources that are queries."""
    work.merge(
        "ledger merge clauses",
        "ledger",
        "(SELECT trip_id AS id, km, region AS note FROM {trips} WHERE km > 3)",
        "t.id = s.id",
        [
            ("WHEN MATCHED AND s.km > 1000 THEN DELETE", ()),
            ("WHEN MATCHED THEN UPDATE", [Value("km", "t.km + s.km", "ledger.km trips.km")]),
            (
                "WHEN NOT MATCHED THEN INSERT",
                [
                    Value("id", "s.id", "trips.trip_id"),
                    Value("km", "s.km", "trips.km"),
                    Value("note", "s.note", "trips.region"),
                ],
            ),
        ],
        "JOIN ledger.id",
        "JOIN trips.trip_id",
        "FILTER trips.km",
    )
    work.merge(
        "rated merge partial",
        "rated",
        "{trips}",
        "t.trip_id = s.trip_id",
        [("WHEN MATCHED THEN UPDATE", [Value("note", "s.vehicle", "trips.vehicle")])],
        "JOIN rated.trip_id",
        "JOIN trips.trip_id",
    )
    work.merge(
        "rated merge aggregate",
        "rated",
        "(SELECT trip_id, max(driver) AS driver, sum(km) AS rate FROM {trips} GROUP BY trip_id)",
        "t.trip_id = s.trip_id",
        [
            ("WHEN MATCHED THEN UPDATE", [Value("rate", "s.rate * 2", "trips.km")]),
            (
                "WHEN NOT MATCHED THEN INSERT",
                [
                    Value("trip_id", "s.trip_id", "trips.trip_id"),
                    Value("driver", "s.driver", "trips.driver"),
                    Value("rate", "s.rate", "trips.km"),
                    Value("note", "'new'"),
                ],
            ),
        ],
        "JOIN rated.trip_id",
        "JOIN trips.trip_id",
        "GROUP_BY trips.trip_id",
    )
    work.merge(
        "rated merge join",
        "rated",
        "(SELECT t.trip_id, t.driver, s.km AS rate, t.region AS note FROM {trips} t JOIN {score} s ON t.driver = s.driver)",
        "t.trip_id = s.trip_id",
        [
            (
                "WHEN NOT MATCHED THEN INSERT *",
                [
                    *same("trip_id driver", "trips"),
                    Value("rate", "s.rate", "score.km"),
                    Value("note", "s.note", "trips.region"),
                ],
            )
        ],
        "JOIN rated.trip_id",
        "JOIN trips.trip_id",
        "JOIN trips.driver",
        "JOIN score.driver",
    )
    work.merge(
        "ledger merge delete",
        "ledger",
        "{rated}",
        "t.id = s.trip_id",
        [("WHEN MATCHED AND s.rate < 0 THEN DELETE", ())],
        "JOIN ledger.id",
        "JOIN rated.trip_id",
    )
    work.merge(
        "ledger merge values",
        "ledger",
        "(SELECT CAST(1 AS BIGINT) AS id, 2.5D AS km, 'x' AS note)",
        "t.id = s.id",
        [
            ("WHEN MATCHED THEN UPDATE SET *", [Value("id", ""), Value("km", ""), Value("note", "")]),
            ("WHEN NOT MATCHED THEN INSERT *", ()),
        ],
        "JOIN ledger.id",
    )


def evolution(work: Workload) -> None:
    """Change schemas and partitions."""
    work.ctas(
        "evolved ctas",
        "evolved",
        "USING hudi TBLPROPERTIES (primaryKey = 'trip_id')",
        [*same("trip_id km", "trips"), Value("note", "region", "trips.region")],
        "FROM {trips}",
    )
    work.sql("evolved add", "ALTER TABLE {evolved} ADD COLUMNS (seen STRING, hits INT)", "alter evolved")
    work.insert(
        "evolved insert",
        "evolved",
        [
            *same("trip_id km", "trips"),
            Value("note", "'n'"),
            Value("seen", "vehicle", "trips.vehicle"),
            Value("hits", "7"),
        ],
        "FROM {trips} WHERE trip_id < 104",
        "FILTER trips.trip_id",
    )
    work.run("SET hoodie.schema.on.read.enable = true")
    work.run("SET hoodie.datasource.write.schema.allow.auto.evolution.column.drop = true")
    work.sql("evolved rename", "ALTER TABLE {evolved} RENAME COLUMN note TO remark", "alter evolved")
    work.sql("evolved widen", "ALTER TABLE {evolved} ALTER COLUMN hits TYPE BIGINT", "alter evolved")
    work.sql("evolved drop", "ALTER TABLE {evolved} DROP COLUMN seen", "alter evolved")
    work.schema_changes += [
        {"table": "evolved", "column_added": "seen hits", "column_renamed": "remark", "column_dropped": "seen"},
        {"table": "evolved", "type_changed": "hits"},
    ]
    work.query("evolved read", same("remark hits", "evolved"), "FROM {evolved}")
    work.sql("drop partition", "ALTER TABLE {trips} DROP PARTITION (region = 'north')", "alter trips")
    work.run("RESET hoodie.schema.on.read.enable")


def procedures(work: Workload) -> None:
    """Maintain."""
    for name, call, table in (
        ("compaction", "run_compaction(op => 'schedule', table => 'core.rated')", "rated"),
        ("compaction run", "run_compaction(op => 'run', table => 'core.rated')", "rated"),
        ("clustering", "run_clustering(table => 'raw.trips')", "trips"),
        ("clean", "run_clean(table => 'core.ledger')", "ledger"),
        ("archive", "archive_commits(table => 'core.ledger')", "ledger"),
    ):
        work.sql(name, f"CALL {call}", f"maintenance {table}")
    work.run("CALL show_commits(table => 'core.ledger')")
