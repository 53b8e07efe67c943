-- The namespace of each catalog, by the newest application that has it in its settings.
SELECT catalog, namespace
FROM catalogs
QUALIFY row_number() OVER (PARTITION BY catalog ORDER BY shown_at DESC NULLS LAST, namespace) = 1
