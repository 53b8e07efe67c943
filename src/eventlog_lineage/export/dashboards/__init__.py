"""The panels as dashboards of other programs: an import for Superset, a dashboard for Grafana.

`charts` defines the chart and the SQL of each panel; a module per program writes its files from that. What a panel
asks belongs in `store.panels`, the page for browsers in `report`.
"""
