-- name: ice: create: orders
CREATE TABLE {ns}.orders (id BIGINT, amount DOUBLE, day STRING) {using};

-- name: ice: insert: orders
INSERT INTO {ns}.orders VALUES (1, 10.0, 'a'), (2, 5.0, 'b');

-- name: vault: create: orders
CREATE TABLE vault.shop.orders (id BIGINT, amount DOUBLE, day STRING) {using};

-- name: vault: insert: orders
INSERT INTO vault.shop.orders VALUES (1, 10.0, 'a'), (2, 5.0, 'b');

-- name: ice: ctas: totals
CREATE TABLE {ns}.totals {using} AS SELECT day, sum(amount) AS total FROM vault.shop.orders GROUP BY day;

-- name: vault: ctas: totals
CREATE TABLE vault.shop.totals {using} AS SELECT day, max(amount) AS total FROM {ns}.orders GROUP BY day;

-- name: vault: rtas: totals
CREATE OR REPLACE TABLE vault.shop.totals {using} AS SELECT day, min(amount) AS least FROM {ns}.orders GROUP BY day;

-- name: vault: alter: orders
ALTER TABLE vault.shop.orders ADD COLUMN note STRING;

-- name: ice: rename: orders
ALTER TABLE {ns}.orders RENAME COLUMN amount TO price;

-- name: vault: create: lonely
CREATE TABLE vault.shop.lonely (id BIGINT) {using};

-- name: ice: read: orders
SELECT id, price FROM {ns}.orders;

-- name: vault: read: totals
SELECT day, least FROM vault.shop.totals;

-- name: vault: drop: lonely
DROP TABLE vault.shop.lonely;
