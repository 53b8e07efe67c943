"""A server for agents (Model Context Protocol, stdio): read-only tools over a store.

`tools` has the questions, `pages` fits their answers into the size that agents read, `server` offers them. The only
package that imports `mcp`, the protocol's own SDK (extra `eventlog-lineage[mcp]`). Queries belong in `store.queries`.
"""
