"""Datasets and columns of a store: their names, keys, tags, functions, the places of their values, what is unused.

A call of anything but Spark's functions in an expression is a function of a user. `function` and `script` are missing
on purpose: Spark prints a typed lambda and a TRANSFORM script so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from eventlog_lineage.errors import DOCS, StoreError, UsageError
from eventlog_lineage.store.queries.open_store import Target, check_dataset, check_name, find_target
from eventlog_lineage.store.schema.declaration import TAGS
from eventlog_lineage.store.schema.relations import sql_text

from .open_store import Answer, OpenStore
from .paths import labels

if TYPE_CHECKING:
    from eventlog_lineage.history.job_names import JobNameRule


def datasets(
    store: OpenStore, pattern: str, *, unread: bool = False, unwritten: bool = False, temporary: bool = False
) -> Answer:
    """List datasets.

    Args:
        pattern: A part of the name, or a pattern with `*`, `?` and `[…]` for the whole name or an ending of it; case
            does not count. Empty for all.
        temporary: Also temporary views, which belong to one application; they come last.

    Returns:
        dataset, kind, format, columns (how many), last_written, last_read, writers and readers (jobs), location.
    """
    chosen = {"pattern": pattern, "unread": unread, "unwritten": unwritten, "temporary": temporary}
    return store.ask(sql_text("queries/ls"), chosen)


def find(store: OpenStore, word: str) -> Answer:
    """Find the datasets, columns, jobs and expressions with a word in them; case does not count.

    Returns:
        kind (`dataset`, `column`, `job`, `expression`), name, detail (a type, an alias, an expression). The name of an
        expression is that of the column that it makes. Names that are or begin with the word come first.
    """
    if not word.strip():
        raise UsageError("no word to find", hint="give a part of a name or of an expression")
    return store.ask(sql_text("queries/find"), {"word": word})


def names_with(store: OpenStore, written: str, *, columns: bool, most: int) -> list[str]:
    """Return the names that a user may be about to write."""
    asked = {"written": written, "columns": columns, "most": most}
    return [str(name) for (name,) in store.ask(sql_text("queries/names_with"), asked).rows]


_EQUAL = ("=", "<=>")
_NOT_A_WORD = re.compile(r"\W+")
_TYPE = re.compile(r"[A-Za-z_]\w*")


def keys(store: OpenStore, asked: str | None = None) -> Answer:
    """Return the columns that jobs join with each other, the pairs of most jobs first.

    Returns:
        dataset, column_name, operator, joined_dataset, joined_column, runs, first_seen, last_seen, jobs, expression.
    """
    target = find_target(store, asked) if asked else Target()
    wanted = {"job": target.job, "dataset": target.dataset, "column": target.column}
    return store.ask(sql_text("queries/keys"), wanted)


def entity_lines(store: OpenStore, found: Answer) -> Iterator[str]:
    """Yield the model that joins imply as a Mermaid `erDiagram`.

    Logs do not show how many rows match: each relation is many to many.
    """
    pairs = [row for row in found.records() if row["operator"] in _EQUAL]
    columns: dict[str, dict[str, None]] = {}
    for row in pairs:
        columns.setdefault(str(row["dataset"]), {})[str(row["column_name"])] = None
        columns.setdefault(str(row["joined_dataset"]), {})[str(row["joined_column"])] = None
    types, known = _types(store, list(columns)), labels(store, columns)
    yield "erDiagram"
    for dataset in sorted(columns):
        label = f"[{_quoted(known[dataset])}]" if dataset in known else ""
        yield f"    {_quoted(dataset)}{label} {{"
        for column in columns[dataset]:
            kind = _TYPE.match(types.get((dataset, column.lower()), ""))
            name = _NOT_A_WORD.sub("_", column)
            comment = f' "{_plain(column)}"' if name != column else ""
            yield f"        {kind[0] if kind else 'unknown'} {name}{comment}"
        yield "    }"
    for row in pairs:
        label = f"{row['column_name']} = {row['joined_column']}"
        yield f'    {_quoted(row["dataset"])} }}o--o{{ {_quoted(row["joined_dataset"])} : "{_plain(label)}"'


def _types(store: OpenStore, datasets: list[str]) -> dict[tuple[str, str], str]:
    query = """
        SELECT dataset, lower(column_name), any_value(data_type) FROM schema_versions
        WHERE valid_to IS NULL AND dataset IN (SELECT unnest(?))
        GROUP BY ALL
    """
    return {(str(dataset), str(column)): str(kind or "") for dataset, column, kind in store.ask(query, [datasets]).rows}


def _quoted(dataset: object) -> str:
    return f'"{_plain(dataset)}"'


def _plain(text: object) -> str:
    return " ".join(str(text).replace('"', "'").split())


SPARK_FUNCTIONS = frozenset(
    """
    abs acos acosh add_months aes_decrypt aes_encrypt aggregate aggregateexpression and ansi_cast any any_value
    approx_count_distinct approx_count_distinct_for_intervals approx_percentile approx_top_k approx_top_k_accumulate
    approx_top_k_combine approx_top_k_estimate array array_agg array_append array_compact array_contains array_distinct
    array_except array_insert array_intersect array_join array_max array_min array_position array_prepend array_remove
    array_repeat array_size array_sort array_union arrays_overlap arrays_zip as ascii asin asinh assert_true atan atan2
    atanh avg base64 between bigint bin binary bit_and bit_count bit_get bit_length bit_or bit_xor bitmap_and_agg
    bitmap_bit_position bitmap_bucket_number bitmap_construct_agg bitmap_count bitmap_or_agg bloom_filter_agg bool_and
    bool_or boolean bround btrim bucket by cardinality case cast cbrt ceil ceiling char char_length character_length
    checkoverflow chr coalesce collate collation collations collect_list collect_set collect_union concat concat_ws
    contains conv convert_timezone corr cos cosh cot count count_distinct count_if count_min_sketch counter_diff
    covar_pop covar_samp crc32 createexternalrow csc cube cume_dist curdate current_catalog current_database
    current_date current_path current_schema current_time current_timestamp current_timezone current_user date date_add
    date_diff date_format date_from_unix_date date_part date_sub date_trunc dateadd datediff datepart day dayname
    dayofmonth dayofweek dayofyear days decimal decode degrees dense_rank div double e element_at elt encode endswith
    equal_null equalnullsafe equalto every exists exp explode explode_outer expm1 extract factorial filter find_in_set
    first first_value flatten float floor forall format_number format_string from_avro from_base32 from_csv from_json
    from_protobuf from_unixtime from_utc_timestamp from_xml get get_json_object getbit getcolumnbyordinal getstructfield
    greaterthan greaterthanorequal greatest grouping grouping_id grouping_sets hash hash_partition hex histogram_numeric
    hivehash hll_sketch_agg hll_sketch_estimate hll_union hll_union_agg hmac hour hours hypot if ifnull
    ilike in initcap inline inline_outer input_file_block_length input_file_block_start input_file_name instr int invoke
    is_valid_utf8 is_valid_variant is_variant_null isnan isnotnull isnull jaro_winkler_similarity java_method
    json_array_length json_object_keys json_tuple kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float
    kll_sketch_agg_bigint kll_sketch_agg_double kll_sketch_agg_float kll_sketch_get_n_bigint kll_sketch_get_n_double
    kll_sketch_get_n_float kll_sketch_get_quantile_bigint kll_sketch_get_quantile_double kll_sketch_get_quantile_float
    kll_sketch_get_rank_bigint kll_sketch_get_rank_double kll_sketch_get_rank_float kll_sketch_merge_bigint
    kll_sketch_merge_double kll_sketch_merge_float kll_sketch_to_string_bigint kll_sketch_to_string_double
    kll_sketch_to_string_float knownfloatingpointnormalized knownnotcontainsnull knownnotnull knownnullable kurtosis lag
    lambda lambdafunction last last_day last_value lcase lead least left len length lessthan lessthanorequal levenshtein
    like listagg listquery ln localtime localtimestamp locate log log10 log1p log2 lower lpad ltrim luhn_check make_date
    make_dt_interval make_interval make_time make_timestamp make_timestamp_ltz make_timestamp_ntz make_valid_utf8
    make_ym_interval makedecimal map map_concat map_contains_key map_entries map_filter map_from_arrays map_from_entries
    map_keys map_values map_zip_with mapobjects mask max max_by md5 mean measure median might_contain min min_by minute
    mod mode monotonically_increasing_id month monthname months months_between murmur3hash named_struct
    namedlambdavariable nanvl negative newinstance next_day normalizenanandzero not now nth_value ntile nullif
    nullifzero nvl nvl2 octet_length or order over overlay parse_json parse_url partial_count partial_sum partition
    percent_rank percentile percentile_approx percentile_cont percentile_disc pi pivotfirst pmod posexplode
    posexplode_outer position positive pow power precisetimestampconversion printf promote_precision python_worker_logs
    quarter quote radians raise_error rand randn random randstr range rank reduce reflect regexp regexp_count
    regexp_extract regexp_extract_all regexp_instr regexp_like regexp_replace regexp_substr regr_avgx regr_avgy
    regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right rint rlike
    rollup round row_number rpad rtrim scalar_subquery scalarsubquery schema_of_avro schema_of_csv schema_of_json
    schema_of_variant schema_of_variant_agg schema_of_xml sec second sentences sequence session_user session_window sets
    sha sha1 sha2 shiftleft shiftright shiftrightunsigned shuffle sign signum sin sinh size skewness slice smallint some
    sort_array soundex space spark_partition_id split split_part sql_keywords sqrt st_asbinary st_geogfromwkb
    st_geomfromwkb st_setsrid st_srid stack startswith static_invoke staticinvoke std stddev stddev_pop stddev_samp
    str_to_map string string_agg stringcontains stringendswith stringstartswith struct substr substring substring_index
    sum sum_distinct tan tanh theta_difference theta_intersection theta_intersection_agg theta_sketch_agg
    theta_sketch_estimate theta_union theta_union_agg time time_bucket time_diff time_from_micros time_from_millis
    time_from_seconds time_to_micros time_to_millis time_to_seconds time_trunc timestamp timestamp_micros
    timestamp_millis timestamp_nanos timestamp_seconds tinyint to_avro to_base32 to_binary to_char to_csv to_date
    to_json to_number to_protobuf to_time to_timestamp to_timestamp_ltz to_timestamp_ntz to_unix_timestamp
    to_utc_timestamp to_varchar to_variant_object to_xml transform transform_keys transform_values translate trim trunc
    truncate try_add try_aes_decrypt try_avg try_divide try_element_at try_invoke try_make_interval try_make_timestamp
    try_make_timestamp_ltz try_make_timestamp_ntz try_mod try_multiply try_parse_json try_parse_url try_reflect
    try_subtract try_sum try_to_binary try_to_date try_to_number try_to_time try_to_timestamp try_url_decode
    try_validate_utf8 try_variant_array_append try_variant_get try_variant_insert try_variant_set
    tuple_difference_double tuple_difference_integer tuple_difference_theta_double tuple_difference_theta_integer
    tuple_intersection_agg_double tuple_intersection_agg_integer tuple_intersection_double tuple_intersection_integer
    tuple_intersection_theta_double tuple_intersection_theta_integer tuple_sketch_agg_double tuple_sketch_agg_integer
    tuple_sketch_estimate_double tuple_sketch_estimate_integer tuple_sketch_summary_double tuple_sketch_summary_integer
    tuple_sketch_theta_double tuple_sketch_theta_integer tuple_union_agg_double tuple_union_agg_integer
    tuple_union_double tuple_union_integer tuple_union_theta_double tuple_union_theta_integer typeof ucase unbase64
    unhex uniform unix_date unix_micros unix_millis unix_nanos unix_seconds unix_timestamp unscaledvalue unwrapoption
    upcast upper url_decode url_encode user uuid validate_utf8 validateexternaltype values var_pop var_samp varchar
    variance variant_array_append variant_delete variant_explode variant_explode_outer variant_get variant_insert
    variant_set variant_strip_nulls vector_avg vector_cosine_similarity vector_inner_product vector_l2_distance
    vector_norm vector_normalize vector_sum version weekday weekofyear when width_bucket window window_time within
    wrapoption xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short xpath_string
    xxhash64 year years zeroifnull zip_with zorder
    """.split()
)


def user_functions(store: OpenStore) -> Answer:
    """List the functions that are none of Spark's.

    Returns:
        function, kind (`python`, `hive`, `scala or java`, `script`, `typed function`), operators that run it, inputs
        (columns), results (columns), jobs. Inputs and results are those of current edges; a function of a query that
        writes nothing has none.
    """
    return store.ask(sql_text("queries/udfs"), {"spark": sorted(SPARK_FUNCTIONS)})


def tags(  # noqa: PLR0913 - what a question can ask for
    store: OpenStore,
    asked: str | None = None,
    *,
    tag: str | None = None,
    derived: bool = False,
    unmasked: bool = False,
    since: datetime | None = None,
) -> Answer:
    """Return the tags of columns and datasets.

    Args:
        unmasked: Only where a path brings the value without a mask.
        since: Only where an unmasked path is complete since this time, UTC without a zone.

    Returns:
        dataset, column_name (NULL for the dataset as a whole), tag, origin (`file`, `dbt`, `rule`, `derived`), masked;
        of a derived tag source_dataset and source_column (where it begins) and via (the column before); owner.

    Raises:
        StoreError: A program without tags wrote the store.
        UsageError: The name means nothing in the store, or several things.
    """
    check_tags(store)
    dataset, column = check_name(store, asked) if asked is not None else (None, "")
    values = {"dataset": dataset, "column": column.lower(), "tag": tag}
    return store.ask(sql_text("queries/tags"), {**values, "derived": derived, "unmasked": unmasked, "since": since})


def tag_names(store: OpenStore) -> list[str]:
    """Return the tags that columns and datasets of the store have.

    Raises:
        StoreError: A program without tags wrote the store.
    """
    check_tags(store)
    return [str(tag) for (tag,) in store.ask("SELECT DISTINCT tag FROM tags ORDER BY tag").rows]


def check_tags(store: OpenStore) -> None:
    """Check that a store has tags: without them, nothing would be tagged.

    Raises:
        StoreError: A program without tags wrote the store.
    """
    query = "SELECT 1 FROM duckdb_tables() WHERE table_name = ? AND database_name = current_database()"
    if not store.ask(query, [TAGS.name]).rows:
        hint = "the next harvest adds them, or `eventlog-lineage declare --none`"
        raise StoreError("the store has no tags: an earlier version of the program wrote it", str(store.store), hint)


ORIGIN, SOURCE, COPY, DERIVED, AGGREGATE, JOINED, RELATED = (
    "origin",
    "source",
    "copy",
    "derived",
    "aggregate",
    "joined",
    "related",
)

_UPSTREAM = sql_text("queries/places_of_values", end="source", macro="upstream")
_DOWNSTREAM = sql_text("queries/places_of_values", end="target", macro="downstream")

Column = tuple[str, str]
"""A dataset, and its column in lower case."""


@dataclass(slots=True)
class _Places:
    """The places found so far, in order."""

    rows: dict[Column, dict[str, object]] = field(default_factory=dict)

    def add(self, holds: str, found: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
        """Add places that are not known yet; return these."""
        new = []
        for each in found:
            key = (str(each["dataset"]), str(each["column_name"]).lower())
            if key not in self.rows:
                self.rows[key] = {"via": None, "masked": None, **each, "holds": holds}
                new.append(self.rows[key])
        return new


def _further_places(store: OpenStore, places: _Places, frontier: list[dict[str, object]]) -> list[dict[str, object]]:
    """Add what some columns are made of and what is made of them; return the columns that are joined with these."""
    names = [f"{each['dataset']}.{each['column_name']}" for each in frontier]
    new = [*frontier, *places.add(SOURCE, store.ask(_UPSTREAM, [names]).records())]
    for each in store.ask(_DOWNSTREAM, [names]).records():
        new += places.add(_holds(each, places), [each])
    return places.add(JOINED, _joined(store, [each for each in new if each["holds"] != AGGREGATE]))


def erasure(store: OpenStore, asked: str) -> Answer:
    """Return every place that holds a column's values, or has rows that are found by them.

    Returns:
        holds (`origin`; `source`, that it is made of; `copy`, `derived`, `aggregate`, made of it; `joined`, compared
        with it for equality; `related`, a key of another dataset whose rows are joined with rows of a holding one),
        dataset, column_name, masked, place (`catalog` for tables and views, else the kind of dataset), location, via
        (the column that it is joined with), expression, jobs, last_seen (of the dataset).

    Raises:
        UsageError: The name is not a column of the store.
    """
    dataset, column = check_name(store, asked, tables_first=True)
    if not column:
        raise UsageError(f"{asked} is a dataset", hint="name the column that identifies a person")
    places = _Places()
    frontier = places.add(ORIGIN, [{"dataset": dataset, "column_name": column}])
    while frontier:
        frontier = _further_places(store, places, frontier)
    whole = [each for each in places.rows.values() if each["holds"] != AGGREGATE]
    known = {each["dataset"] for each in whole}
    others = (each for each in _joined(store, whole, any_column=True) if each["dataset"] not in known)
    places.add(RELATED, others)
    return Answer(_NAMES, list(_rows(store, places.rows.values())))


_NAMES = ("holds", "dataset", "column_name", "masked", "place", "via", "jobs", "location", "expression", "last_seen")


def _holds(edge: Mapping[str, object], places: _Places) -> str:
    """Return what a column holds that is made of known ones; a copy of an aggregate is an aggregate."""
    sources = edge["sources"] if isinstance(edge["sources"], list) else []
    known = [places.rows[source, column]["holds"] for source, column in sources if (source, column) in places.rows]
    if known and all(each == AGGREGATE for each in known):
        return AGGREGATE
    return {"IDENTITY": COPY, "AGGREGATION": AGGREGATE}.get(str(edge["transformation"]), DERIVED)


def _joined(
    store: OpenStore, columns: Iterable[Mapping[str, object]], *, any_column: bool = False
) -> Iterator[dict[str, object]]:
    asked = list(columns)
    parameters = {
        "datasets": [each["dataset"] for each in asked],
        "columns": [each["column_name"] for each in asked],
        "any_column": any_column,
    }
    return store.ask(sql_text("queries/joined_columns"), parameters).records()


def _rows(store: OpenStore, places: Iterable[Mapping[str, object]]) -> Iterator[tuple[object, ...]]:
    facts = {
        str(dataset): (kind, location, last_seen)
        for dataset, kind, location, last_seen in store.ask(
            "SELECT dataset, kind, location, last_seen FROM datasets"
        ).rows
    }
    for each in places:
        kind, location, last_seen = facts.get(str(each["dataset"]), (None, None, None))
        place = "catalog" if kind in {"table", "view"} else kind
        masked = each["masked"] if each["holds"] in {COPY, DERIVED, AGGREGATE} else None
        first = (each["holds"], each["dataset"], each["column_name"], masked, place, each["via"], each.get("jobs"))
        yield (*first, location or None, each.get("expression"), last_seen)


CAVEAT = (
    "Only what the harvested logs show counts: reads by other engines, notebooks without event logs and runs that were "
    f"not harvested are not seen. See {DOCS}/questions.md#what-is-not-used."
)


def unused(store: OpenStore, since: datetime) -> Answer:
    """Return the datasets and columns that were written since a time and that no statement has read since then.

    Args:
        since: From this time on, UTC without a zone.

    Returns:
        kind (`dataset_never_read`, `column_never_read`, `column_read_for_nothing`: read, but nothing is made of it),
        dataset, column_name, last_written, last_read (of the dataset), jobs that write it, executor_seconds that its
        stored runs cost (a column: an equal share). A statement that reads what it writes does not count as a reader.
    """
    found = store.ask(sql_text("queries/unused"), {"since": since, "span": None})
    return found.without("ordinal", "first_written")


def unread(store: OpenStore, span: timedelta) -> Answer:
    """Return the datasets and columns that were not read for a span of time; what is newer than that is left out.

    Args:
        span: Counted back from the start of the newest run in the store, so that a store that was not harvested for a
            while returns the same answer.

    Returns:
        kind (`dataset_never_read`, `dataset_unread`, `column_never_read`, `column_unread`, `column_read_for_nothing`),
        dataset, column_name, first_written, last_written, last_read, jobs that write it, executor_seconds that its
        stored runs cost (a column: an equal share).
    """
    found = store.ask(sql_text("queries/unused"), {"since": None, "span": span})
    return found.without("ordinal")


def columns(store: OpenStore, asked: str) -> Answer:
    """Return a dataset's columns today: their types, and how its current writers make them.

    Raises:
        UsageError: The name is not a dataset of the store.
    """
    return store.ask(sql_text("queries/columns"), [check_dataset(store, asked)])


def has_declarations(store: OpenStore) -> bool:
    """Return whether files declare something of the store."""
    return bool(store.ask("FROM given_declarations LIMIT 1").rows)


def gaps(store: OpenStore, *, every: bool = False) -> Answer:
    """Return what could not be resolved, by reason with the first example, or every gap."""
    return store.ask(sql_text("queries/all_gaps" if every else "queries/gaps"))


def jobs(store: OpenStore, rule: JobNameRule | None = None) -> Answer:
    """Return the store's jobs, as a rule names them."""
    from eventlog_lineage.store.fold.stored_names import name_statements, stored_rule  # noqa: PLC0415 - the other questions start without it

    if rule is None or rule == stored_rule(store.connection):
        return store.ask(sql_text("queries/jobs", named="executions"))
    name_statements(store.connection, rule, "applications")
    return store.ask(sql_text("queries/jobs", named="named_statements"))
