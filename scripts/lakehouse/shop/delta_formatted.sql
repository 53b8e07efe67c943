-- name: create: orders
-- from: common

-- name: create: updates
-- from: common

-- name: insert: orders, values
-- from: common

-- name: insert: updates, values
-- from: common

-- name: update: from metadata
-- from: common

-- name: ctas: from metadata
-- from: common
