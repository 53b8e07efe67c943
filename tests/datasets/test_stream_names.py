"""What sources and sinks of streaming queries are called, by the words of their progress events."""

from __future__ import annotations

import pytest

from eventlog_lineage.datasets.streams import class_of, keeps_nothing, stream_sink, stream_source


@pytest.mark.parametrize(
    ("description", "offsets", "names"),
    [
        ("FileStreamSource[file:/data/in]", (), ["file:///data/in"]),
        ("FileStreamSource[s3a://lake/{a,b}]", (), ["s3://lake/a", "s3://lake/b"]),
        ("FileStreamSource[file:/x/{a,b/c}/*.csv]", (), ["file:///x/a", "file:///x/b/c"]),
        ("FileStreamSource[file:/in/{eu,us{1,2}}/*/*.json]", (), ["file:///in/eu", "file:///in/us1", "file:///in/us2"]),
        ("FileStreamSource[file:/in/orders-{1,2}-*]", (), ["file:///in"]),
        ("DeltaSource[s3a://lake/orders]", (), ["s3://lake/orders"]),
        ("KafkaV2[Subscribe[clicks, orders]]", (), ["kafka://unknown/clicks", "kafka://unknown/orders"]),
        ("KafkaV2[Assign[clicks-0, clicks-12]]", (), ["kafka://unknown/clicks"]),
        (
            "KafkaV2[SubscribePattern[cl.*]]",
            (None, '{"clicks":{"0":3},"clips":{"0":1}}'),
            ["kafka://unknown/clicks", "kafka://unknown/clips"],
        ),
        ("KafkaV2[SubscribePattern[cl.*]]", (None,), ["kafka://unknown/unknown"]),
        ("RateStreamV2[rowsPerSecond=1, rampUpTimeSeconds=0, numPartitions=default", (), ["rate"]),
    ],
)
def test_a_source_is_named_as_its_progress_describes_it(
    description: str, offsets: tuple[str | None, ...], names: list[str]
) -> None:
    assert [dataset.name for dataset in stream_source(description, offsets) or ()] == names


def test_a_source_that_prints_its_class_is_left_to_the_plan() -> None:
    assert stream_source("org.apache.iceberg.spark.source.SparkMicroBatchStream@7761ce2") is None


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("FileSink[file:/data/out]", "file:///data/out"),
        ("DeltaSink[file:/w/shop.db/copied]", "file:///w/shop.db/copied"),
        ("lake.shop.copied", "lake.shop.copied"),
        ("MemorySink", "counts"),
    ],
)
def test_a_sink_is_named_as_its_progress_describes_it(description: str, name: str) -> None:
    sink = stream_sink(description, "counts")
    assert sink is not None
    assert sink.name == name


@pytest.mark.parametrize(
    "description", ["ForeachBatchSink", "org.apache.spark.sql.execution.streaming.ConsoleTable$@13d07631"]
)
def test_a_sink_that_stores_nothing_is_no_dataset(description: str) -> None:
    assert stream_sink(description, "") is None
    assert keeps_nothing(description)


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("org.apache.spark.sql.kafka010.KafkaSourceProvider$KafkaTable@5b4c8e9a", "KafkaTable"),
        ("org.apache.paimon.spark.sources.PaimonSink@4edee211", "PaimonSink"),
        ("org.example.Their$@1f", "Their"),
    ],
)
def test_a_sink_that_prints_its_class_only_is_none_and_its_class_is_told(description: str, name: str) -> None:
    assert stream_sink(description, "") is None
    assert not keeps_nothing(description)
    assert class_of(description) == name
