"""The nine panels and a search for columns, as a Streamlit app.

pip install streamlit eventlog-lineage
LINEAGE_STORE=/var/lib/lineage streamlit run scripts/dashboards/streamlit_app.py

The store is opened read-only for each query, so the app always shows the last harvest.
"""

from __future__ import annotations

import os

import streamlit as st

from eventlog_lineage.errors import LineageError
from eventlog_lineage.store.panels import PANELS
from eventlog_lineage.store.queries.lookups import trace
from eventlog_lineage.store.queries.open_store import Answer, open_store

STORE = os.environ.get("LINEAGE_STORE", "lineage-store")


def table(answer: Answer, empty: str) -> None:
    """Show an answer, or a sentence where it has no rows."""
    if answer.rows:
        st.dataframe(list(answer.records()), width="stretch")
    else:
        st.write(empty)


st.set_page_config("Spark lineage", layout="wide")
st.title("Spark lineage")
try:
    with open_store(STORE) as store:
        tabs = st.tabs([panel.title for panel in PANELS] + ["Trace"])
        for tab, panel in zip(tabs, PANELS, strict=False):
            with tab:
                st.subheader(panel.question)
                st.caption(panel.note)
                table(store.ask(panel.query), "No rows.")
        with tabs[-1]:
            name = st.text_input("Dataset or column", placeholder="sales.daily.total")
            up = st.radio("Direction", ["upstream", "downstream"], horizontal=True) == "upstream"
            if name:
                table(trace(store, name, up=up), f"No lineage of {name}.")
except LineageError as error:
    st.error(str(error))
