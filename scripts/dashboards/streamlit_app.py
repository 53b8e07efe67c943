"""The nine panels and a search for columns, as a Streamlit app.

pip install streamlit eventlog-lineage
LINEAGE_STORE=/var/lib/lineage streamlit run scripts/dashboards/streamlit_app.py

The store is opened read-only for each query, so the app always shows the last harvest.
"""

from __future__ import annotations

import os

import streamlit as st

import eventlog_lineage as el
from eventlog_lineage.errors import LineageError

STORE = os.environ.get("LINEAGE_STORE", "lineage-store")


def table(answer: el.Result, empty: str) -> None:
    """Show an answer, or a sentence where it has no rows."""
    if len(answer):
        st.dataframe(answer.records(), width="stretch")
    else:
        st.write(empty)


st.set_page_config("Spark lineage", layout="wide")
st.title("Spark lineage")
try:
    with el.open_store(STORE) as store:
        tabs = st.tabs([*(panel.title for panel in store.panels), "Trace"])
        for tab, panel in zip(tabs, store.panels, strict=False):
            with tab:
                st.subheader(panel.question)
                st.caption(panel.note)
                table(store.panel(panel.name), panel.empty)
        with tabs[-1]:
            name = st.text_input("Dataset or column", placeholder="sales.daily.total")
            direction = st.radio("Direction", ["upstream", "downstream"], horizontal=True)
            if name:
                found = store.upstream(name) if direction == "upstream" else store.downstream(name)
                table(found, f"No lineage of {name}.")
except LineageError as error:
    st.error(str(error))
