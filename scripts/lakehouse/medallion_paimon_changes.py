"""The changes of a fleet's trips on Paimon: rows, merges, schemas, maintenance."""

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


def makers(night: Night, values: list[Value]) -> DataFrame:
    """Return the landed vehicles as a frame."""
    frame = night.spark.read.option("header", "true").csv(f"{night.root}/landing/vehicles")
    return frame.selectExpr(*expressions(values))


def expressions(values: list[Value]) -> list[str]:
    """Return values as expressions for a frame."""
    return [f"{each.expression} AS {each.column}" for each in values]


def changes(work: Workload) -> None:
    """Change rows: inserts, updates, deletes, overwrites."""
    work.insert("load more trips", "trips", landed(), "FROM {landed} WHERE trip_id >= 200", "FILTER landed.trip_id")
    moved = [Value("km", "km + liters", "trips.km trips.liters"), Value("vehicle", "'v0'")]
    work.update("trips update", "trips", moved, "driver = 2", "FILTER trips.driver")
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
    work.update(
        "rated update in",
        "rated",
        [Value("rate", "rate / 2", "rated.rate")],
        "driver IN (SELECT driver FROM {score} WHERE place = 1)",
        "JOIN rated.driver",
        "JOIN score.driver",
        "FILTER score.place",
    )
    work.delete("driven delete", "driven", "rate < 0 OR make = 'x'", "FILTER driven.rate", "FILTER driven.make")
    work.delete("ledger delete", "ledger", "id = 107", "FILTER ledger.id")
    work.delete("trips delete partition", "trips", "region = 'east'", "FILTER trips.region")
    work.delete(
        "rated delete in",
        "rated",
        "driver IN (SELECT driver FROM {score} WHERE place > 50)",
        "JOIN rated.driver",
        "JOIN score.driver",
        "FILTER score.place",
    )
    counted = [
        *same("driver", "trips"),
        Value("trips", "count(DISTINCT vehicle)", "trips.vehicle"),
        Value("km", "avg(km)", "trips.km"),
        Value("place", "CAST(0 AS BIGINT)"),
    ]
    work.insert(
        "score overwrite",
        "score",
        counted,
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
    work.run("SET spark.sql.sources.partitionOverwriteMode = dynamic")
    changed = [
        *same("trip_id vehicle driver", "trips"),
        Value("km", "km + 1", "trips.km"),
        *same("liters ts region", "trips"),
    ]
    work.insert(
        "trips overwrite dynamic",
        "trips",
        changed,
        "FROM {trips} WHERE region = 'north'",
        "FILTER trips.region",
        overwrite=True,
    )
    work.run("RESET spark.sql.sources.partitionOverwriteMode")
    values = vehicles()
    work.frame(
        "vehicles overwrite frame",
        lambda night: makers(night, values).write.format("paimon").mode("overwrite").insertInto("lake.raw.vehicles"),
        "overwrite vehicles",
        values,
    )
    work.frame(
        "vehicles append path",
        lambda night: (
            makers(night, values).write.format("paimon").mode("append").save(f"{night.root}/lake/raw.db/vehicles")
        ),
        "append vehicles",
        values,
    )


def merges(work: Workload) -> None:
    """Merge: all clauses, sources that are queries."""
    inserted = [
        Value("id", "s.id", "trips.trip_id"),
        Value("km", "s.km", "trips.km"),
        Value("note", "s.note", "trips.region"),
    ]
    work.merge(
        "ledger merge clauses",
        "ledger",
        "(SELECT trip_id AS id, km, region AS note FROM {trips} WHERE km > 3)",
        "t.id = s.id",
        [
            ("WHEN MATCHED AND s.km > 1000 THEN DELETE", ()),
            ("WHEN MATCHED THEN UPDATE", [Value("km", "t.km + s.km", "ledger.km trips.km")]),
            ("WHEN NOT MATCHED THEN INSERT", inserted),
        ],
        "JOIN ledger.id",
        "JOIN trips.trip_id",
        "FILTER trips.km",
    )
    work.merge(
        "ledger merge partial",
        "ledger",
        "{trips}",
        "t.id = s.trip_id",
        [("WHEN MATCHED THEN UPDATE", [Value("note", "s.vehicle", "trips.vehicle")])],
        "JOIN ledger.id",
        "JOIN trips.trip_id",
    )
    work.merge(
        "rated merge join",
        "rated",
        "(SELECT t.trip_id, t.driver, s.km AS rate, t.region AS note FROM {trips} t JOIN {score} s ON t.driver = s.driver)",
        "t.trip_id = s.trip_id",
        [
            (
                "WHEN NOT MATCHED THEN INSERT *",
                [*same("trip_id driver", "trips"), Value("rate", "", "score.km"), Value("note", "", "trips.region")],
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
    """Change schemas."""
    first = [*same("trip_id km", "trips"), Value("note", "region", "trips.region"), Value("hits", "CAST(1 AS INT)")]
    work.ctas("evolved ctas", "evolved", "USING paimon", first, "FROM {trips}")
    work.sql("evolved add", "ALTER TABLE {evolved} ADD COLUMNS (seen STRING)", "alter evolved")
    work.insert(
        "evolved insert",
        "evolved",
        [
            *same("trip_id km", "trips"),
            Value("note", "'n'"),
            Value("hits", "7"),
            Value("seen", "vehicle", "trips.vehicle"),
        ],
        "FROM {trips} WHERE trip_id < 104",
        "FILTER trips.trip_id",
    )
    work.sql("evolved rename", "ALTER TABLE {evolved} RENAME COLUMN note TO remark", "alter evolved")
    work.sql("evolved widen", "ALTER TABLE {evolved} ALTER COLUMN hits TYPE BIGINT", "alter evolved")
    work.sql("evolved drop", "ALTER TABLE {evolved} DROP COLUMN seen", "alter evolved")
    work.schema_changes += [
        {"table": "evolved", "column_added": "seen", "column_renamed": "remark", "column_dropped": "seen"},
        {"table": "evolved", "type_changed": "hits"},
    ]
    work.query("evolved read", same("remark hits", "evolved"), "FROM {evolved}")
    work.insert(
        "evolved insert again",
        "evolved",
        [
            *same("trip_id km", "trips"),
            Value("remark", "vehicle", "trips.vehicle"),
            Value("hits", "driver", "trips.driver"),
        ],
        "FROM {trips}",
    )


def procedures(work: Workload) -> None:
    """Maintain."""
    for name, call, table in (
        ("compaction", "compact(table => 'raw.trips')", "trips"),
        ("rollback", "rollback(table => 'mart.score', version => '1')", "score"),
        ("expire", "expire_snapshots(table => 'core.ledger', retain_max => 2)", "ledger"),
        ("delete tag", "delete_tag(table => 'raw.trips', tag => 'end')", "trips"),
        ("orphans", "remove_orphan_files(table => 'core.rated')", "rated"),
    ):
        work.sql(name, f"CALL lake.sys.{call}", f"maintenance {table}")
    work.query("after rollback", same("driver km", "score"), "FROM {score}")
