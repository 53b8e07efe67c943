"""The panels as dashboards of other programs: an import for Superset, a dashboard for Grafana.

`charts` says how each panel is drawn and with which SQL; a module per program writes its files from that. What a panel
asks belongs in `store.panels`, the page for browsers in `report`.
"""
