-- name: create: orders
-- from: common

-- name: create: updates
-- from: common

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: overwrite: orders, static partition
-- from: common

-- name: insert: by name
INSERT INTO {ns}.orders BY NAME SELECT day, amount * 2 AS amount, upper(customer) AS customer, id FROM {ns}.updates;

-- name: insert: list of columns
INSERT INTO {ns}.orders (day, id) SELECT concat(day, op), id + 1 FROM {ns}.updates;

-- name: insert: replace where
INSERT INTO {ns}.orders REPLACE WHERE day = '2026-11-01' SELECT id, customer, amount + 1, day FROM {ns}.updates
WHERE day = '2026-11-01';

-- name: merge: schema evolution
MERGE WITH SCHEMA EVOLUTION INTO {ns}.orders t USING (SELECT id, customer, amount, day, op AS reason
FROM {ns}.updates) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;

-- name: update: from subquery
UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates WHERE op = 'u'), customer = upper(customer)
WHERE id = 1;

-- name: update: from metadata
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: frame: append

-- name: frame: overwrite

-- name: frame: overwrite partitions

-- name: frame: create or replace

-- name: save: path

-- name: merge: path
-- from: common

-- name: update: path
-- from: common

-- name: delete: path
-- from: common

-- name: manifest: path
-- from: common

-- name: create: feed
-- from: common

-- name: insert: feed
-- from: common

-- name: update: feed
-- from: common

-- name: stream: copied
-- frame: feed copied
