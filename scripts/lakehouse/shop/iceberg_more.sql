-- name: alter: add
-- from: common

-- name: alter: comment
-- from: common

-- name: alter: reorder
-- from: common

-- name: alter: rename
-- from: common

-- name: ctas: remarks
-- from: common

-- name: alter: drop
-- from: common

-- name: create: counts
-- from: common

-- name: alter: widen
-- from: common
-- snapshots: marked

-- name: alter: partition field
-- snapshots: marked
ALTER TABLE {ns}.marked ADD PARTITION FIELD bucket(2, id);

-- name: alter: branch
-- snapshots: marked
ALTER TABLE {ns}.marked CREATE BRANCH audit;

-- name: insert: marked, branch
-- snapshots: marked
INSERT INTO {ns}.marked.branch_audit SELECT id, customer, amount, day FROM {ns}.updates;

-- name: ctas: changes
-- snapshots: changes
CREATE TABLE {ns}.changes {using} AS SELECT id, amount, _change_type AS kind FROM {ns}.orders.changes;

-- name: rewrite: orders
-- snapshots: orders
CALL lake.system.rewrite_data_files(table => 'shop.orders', options => map('rewrite-all', 'true'));

-- name: rewrite: manifests
-- snapshots: orders
CALL lake.system.rewrite_manifests('shop.orders');

-- name: expire: orders
-- snapshots: orders
CALL lake.system.expire_snapshots(table => 'shop.totals', retain_last => 1);

-- name: helper: copied
CREATE TABLE {ns}.copied (id BIGINT, doubled DOUBLE) {using};

-- name: stream: copied

-- name: stream: merged
