"""Delta's second workload: the datasets' names, and the changes of their columns."""

from __future__ import annotations

_ROOT = "file:///tmp/lakehouse_shop"
_TABLES = """
stage: meters readings w30 w60 w120 w30p s_flat s_files s_totals s_cdf s_join s_merge s_batch s_wide
core: flat flags device gen dflt ident flat_like both sites ext empty dv alt wid wid2 wid3 api plain_names mixedcase
mart: daily pivoted unpivoted attrs latest counts means back w60r w90 v60 w60v packed unpacked
mart: changes alt_copy then cloned
mart: w60c numbers conv deep v_daily from_view v_top lists inlined agg_names
"""

DATASETS = {
    "l_meters": f"{_ROOT}/landing/meters.csv",
    "l_readings": f"{_ROOT}/landing/readings",
    "l_wide": f"{_ROOT}/landing/wide",
    "p_m": f"{_ROOT}/lake/m",
    "p_w60": f"{_ROOT}/lake/w60",
    "p_stream": f"{_ROOT}/lake/stream",
    "out_daily": f"{_ROOT}/out/daily",
    "odd": "spark_catalog.core.odd_table",
    "select_": "spark_catalog.core.select",
    "lateral_": "spark_catalog.mart.lateral",
    **{
        table: f"spark_catalog.{line.partition(':')[0]}.{table}"
        for line in _TABLES.strip().splitlines()
        for table in line.partition(":")[2].split()
    },
}

CHANGES = """
p_m: column_added kwh site
p_m: column_dropped serial kwh
means: column_added unit
empty: column_added volt
alt: column_added extra more s.c
alt: column_renamed sort s.bb
alt: column_dropped more extra site
alt: column_moved sort id
wid: type_changed c
wid: column_added d
wid2: column_added c b
wid2: column_dropped word a
wid3: column_added kind z
wid3: column_dropped b
wid3: type_changed c
"""
