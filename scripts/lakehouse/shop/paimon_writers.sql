-- name: create: orders
-- from: common

-- name: create: updates
-- from: common

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: insert: by name
INSERT INTO {ns}.orders BY NAME SELECT day, amount, op AS customer, id FROM {ns}.updates;

-- name: insert: list of columns
INSERT INTO {ns}.orders (id, day) SELECT id, op FROM {ns}.updates;

-- name: update: from subquery
-- from: common

-- name: delete: where in
-- from: common

-- name: ctas: system table
-- from: common

-- name: branch: orders
CALL paimon.sys.create_branch('shop.orders', 'dev');

-- name: insert: branch
INSERT INTO {ns}.`orders$branch_dev` SELECT id, lower(customer), amount, day FROM {ns}.updates;

-- name: ctas: branch
CREATE TABLE {ns}.tried {using} AS SELECT id, amount FROM {ns}.`orders$branch_dev`;

-- name: create: keyed
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: insert: keyed, computed
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: insert: keyed, named
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: insert: keyed, aggregated
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: insert: keyed, joined
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: overwrite: keyed
-- from: common
-- set: spark.sql.ui.explainMode = extended

-- name: create: open
CREATE TABLE {ns}.open (id BIGINT, amount DOUBLE) {using};

-- name: save: new column

-- name: refresh: open
REFRESH TABLE {ns}.open;

-- name: ctas: new column
-- from: common
