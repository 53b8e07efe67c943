-- name: create: orders
CREATE TABLE {ns}.orders (id BIGINT, customer STRING, amount DOUBLE) PARTITIONED BY (day STRING) STORED AS ORC;

-- name: create: updates
CREATE TABLE {ns}.updates (id BIGINT, customer STRING, amount DOUBLE, day STRING,
op STRING) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS TEXTFILE;

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: ctas: totals
CREATE TABLE {ns}.totals STORED AS PARQUET AS SELECT day, sum(amount) AS total, count(id) AS orders FROM {ns}.orders
GROUP BY day;

-- name: insert: orders, from updates
-- from: common

-- name: overwrite: totals
-- from: common

-- name: overwrite: orders, static partition
INSERT OVERWRITE TABLE {ns}.orders PARTITION (day = '2026-11-03') SELECT id, customer, amount + 1 FROM {ns}.updates
WHERE day = '2026-11-03';

-- name: overwrite: orders, dynamic partition
INSERT OVERWRITE TABLE {ns}.orders PARTITION (day) SELECT id, customer, amount * 2, day FROM {ns}.updates
WHERE op = 'i';

-- name: insert: updates, from orders
INSERT INTO {ns}.updates SELECT o.id, lower(o.customer), o.amount, o.day, u.op
FROM {ns}.orders o JOIN {ns}.updates u ON o.id = u.id;

-- name: overwrite: directory
INSERT OVERWRITE DIRECTORY '{root}/lake/out' STORED AS ORC SELECT id, upper(customer) AS customer
FROM {ns}.orders;

-- name: read: orders
SELECT id, amount FROM {ns}.orders WHERE day = '2026-11-02' AND customer IS NOT NULL;

-- name: table: saved

-- name: table: appended

-- name: alter: add
ALTER TABLE {ns}.updates ADD COLUMNS (note STRING);

-- name: alter: partition
ALTER TABLE {ns}.orders ADD PARTITION (day = '2026-11-09');

-- name: alter: rename
ALTER TABLE {ns}.totals RENAME TO shop.sums;

-- name: read: sums
SELECT day, total FROM {ns}.sums;

-- name: insert: updates, with note
INSERT INTO {ns}.updates SELECT id, customer, amount, day, 'n', upper(customer) FROM {ns}.orders;

-- name: read: notes
SELECT id, note FROM {ns}.updates WHERE note IS NOT NULL;

-- name: create: view
CREATE VIEW {ns}.big AS SELECT id, amount * 2 AS doubled FROM {ns}.orders;

-- name: ctas: from view
CREATE TABLE {ns}.bigger STORED AS ORC AS SELECT id, doubled + 1 AS more FROM {ns}.big;

-- name: repair: orders
MSCK REPAIR TABLE {ns}.orders;

-- name: truncate: sums
TRUNCATE TABLE {ns}.sums;

-- name: save: landing

-- name: stream: inserted
