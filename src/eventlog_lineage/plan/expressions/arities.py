"""The numbers of arguments that Spark prints for functions with a fixed number of them.

Source: `Expression.toString` (2.4 to 4.3) prints all constructor arguments that are not child-independent: the time
zone of `date_format(d#1, yyyy, Some(Etc/UTC))`, the limit of `split(s#1, ,, -1)`. Versions differ, so a function can
have several counts. The counts are those of the plans of `benchmarks/function_sweep.py` on 3.5, 4.1 and 4.3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_COUNTS = """
1: abs acos acosh array_compact array_distinct array_max array_min array_size ascii asin asinh atan atanh avg
1: bin bit_and bit_count bit_length bit_or bit_xor bool_and bool_or btrim cast cbrt ceil ceiling char
1: char_length character_length chr collation cos cosh cot count_if crc32 csc date_from_unix_date day dayname
1: dayofmonth dayofweek dayofyear degrees exp explode expm1 factorial flatten floor hex inline is_valid_utf8
1: is_valid_variant is_variant_null isnan isnotnull isnull json_array_length json_object_keys
1: knownnotcontainsnull kurtosis last_day lcase len length ln log10 log1p log2 lower luhn_check make_valid_utf8
1: map_entries map_from_entries map_keys map_values max md5 mean median min month monthname negative ntile
1: nullifzero octet_length posexplode positive quarter quote radians rand reverse rint schema_of_variant sec
1: sha sha1 sign signum sin sinh skewness soundex space sqrt std stddev stddev_pop stddev_samp sum tan tanh
1: timestamp_micros timestamp_millis timestamp_nanos timestamp_seconds to_base32 to_variant_object try_avg
1: try_sum try_url_decode try_validate_utf8 typeof ucase unix_date unix_micros unix_millis unix_seconds upper
1: url_encode validate_utf8 var_pop var_samp variance weekday weekofyear year zeroifnull
1 2: base64 cardinality hour initcap ltrim minute parse_json rtrim second shuffle size trim try_parse_json
1 2: unbase64 url_decode
1 2 3: to_csv to_json to_xml
1 2 4: try_to_date
1 2 5: to_timestamp_ltz to_timestamp_ntz try_to_timestamp
1 3: schema_of_variant_agg
1 3 4: collect_list collect_set
1 4: approx_count_distinct collect_union
2: add_months array_append array_contains array_except array_intersect array_position array_prepend
2: array_remove array_repeat array_union arrays_overlap atan2 bit_get bround collate contains corr covar_pop
2: covar_samp date_add date_diff date_sub datediff endswith equal_null exists filter find_in_set forall
2: format_number get get_json_object getbit hypot ifnull ilike jaro_winkler_similarity left log
2: make_ym_interval map_contains_key map_filter map_from_arrays mod nanvl nullif nvl pmod pow power regexp
2: regexp_count regexp_like regexp_substr repeat right rlike round sha2 shiftleft shiftright shiftrightunsigned
2: sort_array startswith stringsplitsql to_char to_number to_utc_timestamp transform transform_keys
2: transform_values trunc try_add try_divide try_mod try_multiply try_parse_url try_subtract try_to_binary
2: try_to_number variant_strip_nulls
2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19: concat_ws
2 3: array_join array_sort date_format date_trunc from_unixtime levenshtein next_day nth_value parse_url
2 3: substring to_binary
2 3 4: element_at try_element_at
2 3 4 5: lambdafunction
2 3 6: max_by min_by
2 4: decode encode histogram_numeric instr sequence string_agg to_unix_timestamp unix_timestamp variant_delete
2 4 5: listagg
2 4 6 8 10 12 14 16 18 19: named_struct struct
2 5: try_variant_get variant_get
3: convert_timezone from_csv hmac lag lead locate lpad map_zip_with nvl2 position regexp_extract
3: regexp_extract_all regexp_instr replace rpad slice split split_part str_to_map stringreplace substr
3: substring_index substringindex translate zip_with
3 4: array_insert conv make_date months_between try_variant_array_append try_variant_insert
3 4: variant_array_append variant_insert
3 5: approx_percentile percentile_approx
4: aggregate make_dt_interval overlay reduce regexp_replace width_bucket
4 5: try_variant_set variant_set
5: aes_decrypt mask
5 6: gettimestamp
6: aes_encrypt try_make_timestamp
6 7 10: make_timestamp make_timestamp_ltz try_make_timestamp_ltz
6 10: make_timestamp_ntz try_make_timestamp_ntz
7: try_make_interval
7 8: make_interval
"""
"""Counts, then the functions that are printed with them. `named_struct` and `struct` have pairs, `concat_ws` has a
separator; 19 is 19 or more."""


def _read(counts: str) -> Mapping[str, frozenset[int]]:
    lines = (line.partition(":") for line in counts.strip().split("\n"))
    return {name: frozenset(map(int, head.split())) for head, _, names in lines for name in names.split()}


ARGUMENTS: Mapping[str, frozenset[int]] = _read(_COUNTS)
"""Function in lower case to the counts of arguments that it is printed with."""

AGGREGATES = frozenset(
    """
    any any_value approx_count_distinct approx_percentile approx_top_k approx_top_k_accumulate array_agg avg
    bit_and bit_or bit_xor bitmap_and_agg bitmap_construct_agg bitmap_or_agg bloom_filter_agg bool_and bool_or
    collect_list collect_set corr count count_if count_min_sketch covar_pop covar_samp every first first_value
    grouping grouping_id histogram_numeric hll_sketch_agg hll_union_agg kll_sketch_agg_bigint
    kll_sketch_agg_double kll_sketch_agg_float kurtosis last last_value listagg max max_by mean median min min_by
    mode percentile percentile_approx percentile_cont percentile_disc pivotfirst product regr_avgx regr_avgy
    regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy schema_of_variant_agg skewness some
    std stddev stddev_pop stddev_samp string_agg sum sum_distinct theta_intersection_agg theta_sketch_agg
    theta_union_agg try_avg try_sum var_pop var_samp variance
    """.split()
)
"""Aggregate functions as `prettyName` prints them (2.4 to 4.3), in lower case."""

FUNCTIONS = tuple(ARGUMENTS)
"""The known functions; `index_of` returns their positions."""
_INDEXES = {name: index for index, name in enumerate(FUNCTIONS)}
_PREFIX = re.compile(r"^-*(?:partial_|merge_)?")


def index_of(function: str) -> int | None:
    """Return the index of a known function, whose name can have a minus and an aggregate's phase before it.

    >>> index_of("partial_Abs"), index_of("f")
    (0, None)
    """
    return _INDEXES.get(_PREFIX.sub("", function).lower())


def is_scalar(function: str) -> bool:
    """Return whether a name is that of a known function that is not an aggregate.

    >>> is_scalar("array_max"), is_scalar("partial_max"), is_scalar("f")
    (True, False, False)
    """
    name = _PREFIX.sub("", function).lower()
    return name in ARGUMENTS and name not in AGGREGATES
