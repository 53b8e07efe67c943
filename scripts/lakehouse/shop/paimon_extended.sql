-- name: create: orders
-- from: common

-- name: create: updates
-- from: common

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: create: keyed
-- from: common

-- name: insert: keyed, computed
-- from: common

-- name: insert: keyed, named
-- from: common

-- name: insert: keyed, aggregated
-- from: common

-- name: insert: keyed, joined
-- from: common

-- name: overwrite: keyed
-- from: common

-- name: insert: keyed, common table
-- from: common

-- name: merge: keyed
-- from: common

-- name: merge: keyed, insert only
-- from: common

-- name: table: made

-- name: table: kept

-- name: update: from subquery
-- from: common

-- name: delete: where in
-- from: common

-- name: ctas: system table
-- from: common

-- name: merge: all clauses
-- from: common

-- name: helper: copied
CREATE TABLE {ns}.copied (id BIGINT, doubled DOUBLE) {using};

-- name: stream: copied
