"""The store as one HTML file for a browser.

The page's script is built from `web/` and ships as `page.html`; this package selects what goes into it and writes it.
Questions for terminals and programs belong in `store.queries`.
"""
