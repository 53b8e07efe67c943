"""Which of the further kinds a format has, and those that only it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql import functions as f

from lakehouse.workload import HudiPaths, Job, Step

if TYPE_CHECKING:
    from lakehouse.workload_kinds import Kinds

_ALTERED = "b_alt: column_added note\nb_alt: column_renamed label\nb_alt: column_dropped amount"
CHANGES = {
    "delta": f"{_ALTERED}\nb_evolved: column_added extra",
    "iceberg": f"{_ALTERED}\nb_alt: type_changed small\nb_alt: column_moved note",
    "paimon": f"{_ALTERED}\nb_alt: type_changed small",
    "hudi": "",
}
_ROOT_PATH = HudiPaths("id", "amount")


def cells(fmt: str, kinds: Kinds) -> Iterator[Step]:
    """Return the cells of a format."""
    return {"delta": _delta, "iceberg": _iceberg, "hudi": _hudi, "paimon": _paimon}[fmt](kinds)


def _altered(kinds: Kinds, options: str, types: bool) -> Iterator[Step]:
    """Yield ALTERs of columns, each followed by statements that use them."""
    step = kinds.step
    columns = "id BIGINT, grp STRING, amount DOUBLE, small INT"
    yield step("alt ddl", f"CREATE TABLE B.alt ({columns}) USING {kinds.fmt} {options}")
    insert = "INSERT INTO B.alt SELECT id, grp, amount, CAST(id AS INT) FROM A.items"
    yield step("alt filled", insert, "append b_alt", "id grp amount < a_items.*; small < a_items.id")
    yield step("alt rename", "ALTER TABLE B.alt RENAME COLUMN grp TO label", "alter b_alt")
    yield step(
        "alt renamed read",
        "SELECT label, sum(amount) AS total FROM B.alt GROUP BY label",
        "",
        "label < b_alt.label; total < b_alt.amount",
        "GROUP_BY b_alt.label",
    )
    yield step("alt add", f"ALTER TABLE B.alt ADD COLUMN{'S (' if kinds.fmt == 'delta' else ' '}note STRING{')' if kinds.fmt == 'delta' else ''}", "alter b_alt")  # fmt: skip
    yield step(
        "alt note set", "UPDATE B.alt SET note = concat(label, '!') WHERE small > 3", "update b_alt", "note < b_alt.label", "FILTER b_alt.small"
    )  # fmt: skip
    yield step("alt drop", "ALTER TABLE B.alt DROP COLUMN amount", "alter b_alt")
    yield step(
        "alt insert",
        "INSERT INTO B.alt SELECT id, grp, CAST(amount AS INT), upper(grp) FROM A.items WHERE id > 5",
        "append b_alt",
        "id < a_items.id; label note < a_items.grp; small < a_items.amount",
        "FILTER a_items.id",
    )
    if types:
        yield step("alt type", "ALTER TABLE B.alt ALTER COLUMN small TYPE BIGINT", "alter b_alt")
    if kinds.fmt == "iceberg":
        yield step("alt move", "ALTER TABLE B.alt ALTER COLUMN note FIRST", "alter b_alt")
        yield step(
            "alt read",
            "SELECT * FROM B.alt WHERE note IS NOT NULL",
            "",
            "note id label small < b_alt.*",
            "FILTER b_alt.note",
        )
    else:
        yield step(
            "alt read",
            "SELECT * FROM B.alt WHERE note IS NOT NULL",
            "",
            "id label small note < b_alt.*",
            "FILTER b_alt.note",
        )


def _delta(kinds: Kinds) -> Iterator[Step]:
    yield from kinds.sources()
    yield from _altered(kinds, "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')", types=False)
    yield from kinds.table("src")
    yield from kinds.by_source("src")
    yield from kinds.deletions("src", not_in=False)
    yield from kinds.overwrites()
    yield from kinds.streams()
    yield kinds.through_rdd()

    def at(job: Job, name: str):  # type: ignore[no-untyped-def]
        from delta.tables import DeltaTable

        return DeltaTable.forPath(job.spark, f"{job.root}/lake/{name}")

    def saved(job: Job) -> None:
        kinds.names.table(job, "A.items").drop("day").write.format("delta").save(f"{job.root}/lake/pathed")

    def updated(job: Job) -> None:
        at(job, "pathed").update("id > 3", {"amount": "amount * 2", "grp": f.lit("x")})

    def deleted(job: Job) -> None:
        at(job, "pathed").delete("id = 7")

    def merged(job: Job) -> None:
        rows = kinds.names.table(job, "A.wide").select("id", f.col("w05").cast("double").alias("amount"))
        merge = at(job, "pathed").alias("t").merge(rows.alias("s"), "t.id = s.id")
        merge.whenMatchedUpdate(set={"amount": "s.amount"}).whenNotMatchedInsert(
            values={"id": "s.id", "amount": "s.amount"}
        ).whenNotMatchedBySourceUpdate(set={"grp": "lower(t.grp)"}).execute()

    yield Step("path saved", saved, "create p_pathed", "id grp amount < a_items.*")
    yield Step("path updated", updated, "update p_pathed", "amount < p_pathed.amount; grp <", "FILTER p_pathed.id")
    yield Step("path deleted", deleted, "delete p_pathed", "", "FILTER p_pathed.id")
    yield Step(
        "path merged",
        merged,
        "merge p_pathed",
        "id < a_wide.id; amount < a_wide.w05; grp < p_pathed.grp",
        "JOIN a_wide.id",
    )
    yield from _delta_tables(kinds)


def _delta_tables(kinds: Kinds) -> Iterator[Step]:
    step, sql = kinds.step, kinds.sql

    def evolved(job: Job) -> None:
        rows = kinds.names.table(job, "A.items").select(
            "id", f.lit("e").alias("grp"), "amount", f.col("day").alias("extra")
        )
        rows.write.format("delta").option("mergeSchema", "true").mode("append").saveAsTable(sql("B.evolved"))

    def overwritten(job: Job) -> None:
        rows = kinds.names.table(job, "A.items").where("id < 5").select("id", "grp", "amount", "day")
        rows.write.format("delta").option("replaceWhere", "id < 5").mode("overwrite").saveAsTable(sql("B.evolved"))

    def feed(job: Job) -> None:
        rows = (
            job.spark.read.format("delta")
            .option("readChangeFeed", "true")
            .option("startingVersion", 1)
            .table(sql("B.fed"))
        )
        rows = rows.where("_change_type <> 'update_preimage'").groupBy("grp").agg(f.sum("amount").alias("amount"))
        rows.write.format("delta").mode("overwrite").saveAsTable(sql("B.changes"))

    def feed_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.format("delta")
            .option("readChangeFeed", "true")
            .option("startingVersion", 0)
            .table(sql("B.fed"))
        )
        rows = rows.select("id", "amount", f.col("_change_type").alias("kind"))
        job.stream(rows, "feed stream").toTable(sql("B.feed")).awaitTermination()

    yield from kinds.table("evolved")
    yield Step("evolved more", evolved, "append b_evolved", "id amount < a_items.*; grp <; extra < a_items.day")
    yield Step(
        "evolved where", overwritten, "overwrite b_evolved", "id grp amount < a_items.*; extra <", "FILTER a_items.id"
    )
    yield from kinds.table("fed", "TBLPROPERTIES (delta.enableChangeDataFeed = true)")
    yield step(
        "fed update",
        "UPDATE B.fed SET amount = amount + id WHERE grp = 'g1'",
        "update b_fed",
        "amount < b_fed.amount b_fed.id",
        "FILTER b_fed.grp",
    )
    yield Step(
        "feed", feed, "overwrite b_changes", "grp amount < b_fed.*", "FILTER b_fed._change_type; GROUP_BY b_fed.grp"
    )
    yield Step("feed stream", feed_stream, "append b_feed", "id amount < b_fed.*; kind < b_fed._change_type")
    yield step(
        "flat",
        "CREATE TABLE spark_catalog.default.flat USING parquet AS SELECT id, grp FROM A.items",
        "create flat",
        "id grp < a_items.*",
    )
    yield step(
        "view",
        "CREATE OR REPLACE VIEW spark_catalog.default.sums AS SELECT grp, sum(amount) AS total FROM B.fed GROUP BY grp",
        "create v_sums",
        "grp < b_fed.grp; total < b_fed.amount",
        "GROUP_BY b_fed.grp",
    )
    yield step(
        "from view",
        "INSERT INTO B.src (id, grp, amount) SELECT 1, v.grp, v.total FROM spark_catalog.default.sums v WHERE v.total > 2",
        "append b_src",
        "id <; grp < b_fed.grp; amount < b_fed.amount",
        "GROUP_BY b_fed.grp",
    )
    yield step(
        "cloned",
        "CREATE OR REPLACE TABLE B.cloned SHALLOW CLONE B.fed VERSION AS OF 1",
        "overwrite b_cloned",
        "id grp amount < b_fed.*",
    )
    yield step("cloned insert", "INSERT INTO B.cloned TABLE B.fed", "append b_cloned", "id grp amount < b_fed.*")
    yield step(
        "clustered ddl", "CREATE TABLE B.clustered (id BIGINT, grp STRING, amount DOUBLE) USING delta CLUSTER BY (grp)"
    )
    yield step(
        "clustered in",
        "INSERT INTO B.clustered BY NAME SELECT amount, id FROM A.items",
        "append b_clustered",
        "id amount < a_items.*; grp <",
    )
    yield step("recluster", "ALTER TABLE B.clustered CLUSTER BY (id)")
    yield step("optimize", "OPTIMIZE B.clustered", "maintenance b_clustered")
    yield step("check", "ALTER TABLE B.clustered ADD CONSTRAINT small CHECK (id < 100)")
    yield step(
        "checked",
        "INSERT INTO B.clustered REPLACE WHERE id > 35 SELECT id, grp, amount FROM A.items WHERE id > 35",
        "overwrite b_clustered",
        "id grp amount < a_items.*",
        "FILTER a_items.id",
    )


def _iceberg(kinds: Kinds) -> Iterator[Step]:
    yield from kinds.sources()
    yield from _altered(kinds, "", types=True)
    yield from kinds.table("src")
    yield from kinds.by_source("src")
    yield from kinds.deletions("src")
    mor = "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read')"
    yield from kinds.table("mor", mor)
    yield from kinds.by_source("mor")
    yield from kinds.deletions("mor")
    yield from kinds.overwrites()
    yield from kinds.streams()
    yield kinds.through_rdd()
    yield from _iceberg_partitions(kinds)
    yield from _iceberg_files(kinds)


def _iceberg_partitions(kinds: Kinds) -> Iterator[Step]:
    step, sql, call = kinds.step, kinds.sql, kinds.names.call

    def replaced(job: Job) -> None:
        rows = (
            kinds.names.table(job, "A.items")
            .groupBy("grp")
            .agg(f.max("day").alias("day"), f.min("amount").alias("least"))
        )
        rows.writeTo(sql("B.latest")).partitionedBy(f.months("day")).createOrReplace()

    def into_branch(job: Job) -> None:
        rows = kinds.names.table(job, "A.items").select("id", "grp", "amount")
        rows.writeTo(sql("B.src.branch_trial")).append()

    def changed(job: Job) -> None:
        job.sql(
            call(
                "B",
                "create_changelog_view",
                "table => '@.src', changelog_view => 'src_log', identifier_columns => array('id')",
            )
        )
        job.sql(sql("CREATE OR REPLACE TABLE B.changes USING iceberg AS SELECT id, amount, _change_type AS kind FROM src_log WHERE _change_type <> 'DELETE'"))  # fmt: skip

    def between(job: Job) -> None:
        place = sql("B.x").removesuffix(".x")
        first = kinds.names.asked(job, f"SELECT min_by(snapshot_id, committed_at) FROM {place}.parts.snapshots")
        last = kinds.names.asked(job, f"SELECT min_by(snapshot_id, committed_at) FROM {place}.parts.snapshots WHERE snapshot_id <> {first} AND operation = 'append'")  # fmt: skip
        options = {"end-snapshot-id": last} if last != "None" else {}
        rows = (
            job.spark.read.format("iceberg").option("start-snapshot-id", first).options(**options).load(sql("B.parts"))
        )
        rows.select("id", "grp").write.format("parquet").mode("overwrite").save(f"{job.root}/export/between")

    yield step("field", "ALTER TABLE B.parts ADD PARTITION FIELD bucket(4, id)")
    yield step(
        "fielded",
        "INSERT OVERWRITE B.parts SELECT id, amount + 1, grp FROM A.items WHERE id > 30",
        "overwrite b_parts",
        "id amount grp < a_items.*",
        "FILTER a_items.id",
    )
    yield step("field dropped", "ALTER TABLE B.parts DROP PARTITION FIELD grp")
    yield step("field replaced", "ALTER TABLE B.parts REPLACE PARTITION FIELD bucket(4, id) WITH truncate(2, grp)")
    yield step(
        "refielded",
        "INSERT INTO B.parts SELECT id, amount, 'zz' FROM A.items",
        "append b_parts",
        "id amount < a_items.*; grp <",
    )
    yield step("ordered", "ALTER TABLE B.parts WRITE ORDERED BY id")
    yield Step(
        "latest", replaced, "overwrite b_latest", "grp day < a_items.*; least < a_items.amount", "GROUP_BY a_items.grp"
    )
    yield Step(
        "latest again",
        replaced,
        "overwrite b_latest",
        "grp day < a_items.*; least < a_items.amount",
        "GROUP_BY a_items.grp",
    )
    yield step("branch", "ALTER TABLE B.src CREATE BRANCH trial")
    yield Step("into branch", into_branch, "append b_src", "id grp amount < a_items.*")
    yield step(
        "branch sql",
        "INSERT INTO B.src.branch_trial SELECT id, upper(grp), amount FROM A.items WHERE id = 3",
        "append b_src",
        "id grp amount < a_items.*",
        "FILTER a_items.id",
    )
    yield step(
        "branch update",
        "UPDATE B.src.branch_trial SET amount = amount * 3 WHERE grp = 'G1'",
        "update b_src",
        "amount < b_src.amount",
        "FILTER b_src.grp",
    )
    yield step(
        "branch read",
        "SELECT t.id, t.amount - m.amount AS more FROM B.src VERSION AS OF 'trial' t JOIN B.src m ON m.id = t.id",
        "",
        "id < b_src.id; more < b_src.amount",
        "JOIN b_src.id",
    )
    yield step("forward", call("B", "fast_forward", "table => '@.src', branch => 'main', to => 'trial'"))
    yield step("tag", "ALTER TABLE B.src CREATE TAG done RETAIN 7 DAYS")
    yield step(
        "tag read",
        "CREATE TABLE B.tagged USING iceberg AS SELECT * FROM B.src VERSION AS OF 'done'",
        "create b_tagged",
        "id grp amount < b_src.*",
    )
    yield step("tag dropped", "ALTER TABLE B.src DROP TAG done")
    yield Step(
        "changed",
        changed,
        "overwrite b_changes",
        "id < b_src.id; amount < b_src.amount; kind < b_src._change_type",
        "FILTER b_src._change_type",
    )
    yield Step("between", between, "overwrite x_between", "id grp < b_parts.*")


def _iceberg_files(kinds: Kinds) -> Iterator[Step]:
    step, call = kinds.step, kinds.names.call
    yield step(
        "flat",
        "CREATE TABLE spark_catalog.default.flat USING parquet AS SELECT id, grp FROM A.items",
        "create flat",
        "id grp < a_items.*",
    )
    yield step("taken ddl", "CREATE TABLE B.taken (id BIGINT, grp STRING) USING iceberg")
    yield step(
        "add files",
        call("B", "add_files", "table => '@.taken', source_table => 'spark_catalog.default.flat'"),
        "append b_taken",
        "",
    )
    yield step(
        "taken insert",
        "INSERT INTO B.taken SELECT id, reverse(grp) FROM spark_catalog.default.flat",
        "append b_taken",
        "id grp < flat.*",
    )
    yield step(
        "taken read",
        "SELECT grp, count(*) AS n FROM B.taken GROUP BY grp",
        "",
        "grp < b_taken.grp; n <",
        "GROUP_BY b_taken.grp",
    )
    yield step(
        "view",
        "CREATE OR REPLACE VIEW spark_catalog.default.sums AS SELECT grp, sum(amount) AS total FROM B.mor GROUP BY grp",
        "create v_sums",
        "grp < b_mor.grp; total < b_mor.amount",
        "GROUP_BY b_mor.grp",
    )
    yield step(
        "from view",
        "INSERT INTO B.src (id, grp, amount) SELECT 1, v.grp, v.total FROM spark_catalog.default.sums v WHERE v.total > 2",
        "append b_src",
        "id <; grp < b_mor.grp; amount < b_mor.amount",
        "GROUP_BY b_mor.grp",
    )
    yield step(
        "rewrite",
        call("B", "rewrite_data_files", "table => '@.mor', options => map('rewrite-all', 'true')"),
        "maintenance b_mor",
    )
    yield step("manifests", call("B", "rewrite_manifests", "table => '@.mor'"), "maintenance b_mor")
    yield step(
        "deletes",
        call("B", "rewrite_position_delete_files", "table => '@.mor', options => map('rewrite-all', 'true')"),
        "maintenance b_mor",
    )
    yield step("truncate", "TRUNCATE TABLE B.mor", "truncate b_mor")


def _hudi(kinds: Kinds) -> Iterator[Step]:
    step = kinds.step
    yield from kinds.sources()
    yield from kinds.table("src", "TBLPROPERTIES (primaryKey = 'id', preCombineField = 'amount')")
    yield from kinds.streams()
    yield kinds.through_rdd()

    def saved(job: Job) -> None:
        _ROOT_PATH.save(
            kinds.names.table(job, "A.items").select("id", "grp", "amount"), job, "first", "bulk_insert", "overwrite"
        )

    def path_to_path(job: Job) -> None:
        rows = _ROOT_PATH.load(job, "first").where("amount > 2").select("id", f.upper("grp").alias("grp"), "amount")
        _ROOT_PATH.save(rows, job, "second", "upsert", "overwrite")

    def path_to_table(job: Job) -> None:
        rows = _ROOT_PATH.load(job, "second").groupBy("grp").agg(f.max("amount").alias("amount"))
        rows.write.format("hudi").mode("overwrite").saveAsTable(kinds.sql("B.tops"))

    def removed(job: Job) -> None:
        _ROOT_PATH.save(
            _ROOT_PATH.load(job, "first").where("id < 4").select("id", "grp", "amount"), job, "first", "delete"
        )

    yield Step("path saved", saved, "overwrite p_first", "id grp amount < a_items.*")
    yield Step("path to path", path_to_path, "overwrite p_second", "id grp amount < p_first.*", "FILTER p_first.amount")
    yield Step("path to table", path_to_table, "overwrite b_tops", "grp amount < p_second.*", "GROUP_BY p_second.grp")
    yield Step("path removed", removed, "delete p_first", "", "FILTER p_first.id")
    yield step(
        "parts ddl", "CREATE TABLE B.parts (id BIGINT, amount DOUBLE, grp STRING) USING hudi PARTITIONED BY (grp)"
    )
    yield step(
        "parts filled",
        "INSERT INTO B.parts SELECT id, amount, grp FROM A.items",
        "append b_parts",
        "id amount grp < a_items.*",
    )
    yield step(
        "parts static",
        "INSERT OVERWRITE B.parts PARTITION (grp = 'g1') SELECT id + 1, -amount FROM A.items WHERE grp = 'g2'",
        "overwrite b_parts",
        "id amount < a_items.*; grp <",
        "FILTER a_items.grp",
    )
    yield step(
        "src update",
        "UPDATE B.src SET amount = amount + id, grp = 'x' WHERE grp = 'g1'",
        "update b_src",
        "amount < b_src.amount b_src.id; grp <",
        "FILTER b_src.grp",
    )
    yield step(
        "src delete in",
        "DELETE FROM B.src WHERE id IN (SELECT id FROM A.items WHERE day < DATE'2026-01-05')",
        "delete b_src",
        "",
        "JOIN a_items.id; FILTER a_items.day",
    )
    yield step(
        "src merge",
        "MERGE INTO B.src t USING A.items s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = s.amount WHEN NOT MATCHED THEN INSERT (id, grp, amount) VALUES (s.id, s.grp, s.amount)",
        "merge b_src",
        "id grp amount < a_items.*",
        "JOIN a_items.id",
    )
    yield step(
        "view",
        "CREATE OR REPLACE VIEW spark_catalog.default.sums AS SELECT grp, sum(amount) AS total FROM B.src GROUP BY grp",
        "create v_sums",
        "grp < b_src.grp; total < b_src.amount",
        "GROUP_BY b_src.grp",
    )
    yield step(
        "from view",
        "INSERT INTO B.parts SELECT 1, v.total, v.grp FROM spark_catalog.default.sums v WHERE v.total > 2",
        "append b_parts",
        "id <; grp < b_src.grp; amount < b_src.amount",
        "GROUP_BY b_src.grp",
    )


def _paimon(kinds: Kinds) -> Iterator[Step]:
    step = kinds.step
    yield from kinds.sources()
    yield from _altered(kinds, "TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1')", types=True)
    yield from kinds.table(
        "src", "TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1')", "id BIGINT NOT NULL, grp STRING, amount DOUBLE"
    )
    yield from kinds.deletions("src", not_in=False)
    yield from kinds.streams()
    yield kinds.through_rdd()
    yield step(
        "parts ddl", "CREATE TABLE B.parts (id BIGINT, amount DOUBLE, grp STRING) USING paimon PARTITIONED BY (grp)"
    )
    yield step(
        "parts filled",
        "INSERT INTO B.parts SELECT id, amount, grp FROM A.items",
        "append b_parts",
        "id amount grp < a_items.*",
    )
    yield step(
        "parts static",
        "INSERT OVERWRITE B.parts PARTITION (grp = 'g1') SELECT id + 1, -amount FROM A.items WHERE grp = 'g2'",
        "overwrite b_parts",
        "id amount < a_items.*; grp <",
        "FILTER a_items.grp",
    )
    yield step(
        "src merge",
        "MERGE INTO B.src t USING A.items s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = s.amount WHEN NOT MATCHED THEN INSERT (id, grp, amount) VALUES (s.id, upper(s.grp), s.amount)",
        "merge b_src",
        "id grp amount < a_items.*",
        "JOIN a_items.id",
    )
    yield step(
        "src update",
        "UPDATE B.src SET amount = amount + id WHERE grp = 'g1'",
        "update b_src",
        "amount < b_src.amount b_src.id",
        "FILTER b_src.grp",
    )
    yield step("tag", "CALL pai.sys.create_tag(table => 'made.src', tag => 'done')")
    yield step(
        "tag read",
        "CREATE TABLE B.tagged USING paimon AS SELECT * FROM B.src VERSION AS OF 'done'",
        "create b_tagged",
        "id grp amount < b_src.*",
    )
    yield step("compact", "CALL pai.sys.compact(table => 'made.src')")
    yield step(
        "view",
        "CREATE OR REPLACE VIEW spark_catalog.default.sums AS SELECT grp, sum(amount) AS total FROM B.src GROUP BY grp",
        "create v_sums",
        "grp < b_src.grp; total < b_src.amount",
        "GROUP_BY b_src.grp",
    )
    yield step(
        "from view",
        "INSERT INTO B.parts SELECT 1, v.total, v.grp FROM spark_catalog.default.sums v WHERE v.total > 2",
        "append b_parts",
        "id <; grp < b_src.grp; amount < b_src.amount",
        "GROUP_BY b_src.grp",
    )
