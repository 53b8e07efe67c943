"""RunEvents of OpenLineage (spec 2-0-2): jobs, datasets, facets, and their delivery to a server.

Each module makes one part of an event. Names of datasets belong in `export.datasets`, because other formats use them.
"""
