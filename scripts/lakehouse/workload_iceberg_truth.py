"""Iceberg's second workload: the datasets' names, and the changes of their columns."""

from __future__ import annotations

_ROOT = "file:///tmp/lakehouse_shop"
_TABLES = """
raw: loans readers w30 w60 w60m
dwh: loan tags ids parted hidden hid2 w90 unpacked cow nest alt ver inlined s_flat s_files s_totals s_merge
pub: daily ranked pivoted newest loan_like w120 w60r packed mor alt_copy alt_final audit changes bounds lists v
"""


def datasets(gov: str) -> dict[str, str]:
    """Return short names to full names; `gov` is the catalog of `pub`."""
    catalogs = {"raw": "lake", "dwh": "lake", "pub": gov}
    return {
        "l_loans": f"{_ROOT}/landing/loans",
        "l_readers": f"{_ROOT}/landing/readers.csv",
        "l_wide": f"{_ROOT}/landing/wide",
        "out_daily": f"{_ROOT}/out/daily",
        "pub_loan": f"{gov}.pub.loan",
        "pub_readers": f"{gov}.pub.readers",
        "odd": "lake.dwh.odd-table",
        "odd_out": f"{gov}.pub.out table",
        "camel": "lake.dwh.CamelTable",
        "ver_snapshots": "lake.dwh.ver.snapshots",
        "ver_history": "lake.dwh.ver.history",
        "mor_files": f"{gov}.pub.mor.files",
        **{
            table: f"{catalogs[line.partition(':')[0]]}.{line.partition(':')[0]}.{table}"
            for line in _TABLES.strip().splitlines()
            for table in line.partition(":")[2].split()
        },
    }


CHANGES = """
alt: column_added note rank code s.c l.element.y
alt: column_renamed remark s.bb
alt: type_changed id v amount
alt: column_moved remark v
alt: column_dropped rank code s.c
alt_copy: column_added checked x
alt_copy: column_renamed said called
alt_copy: column_dropped v said amount s l checked
ids: column_added day mail
ids: column_dropped what
"""
