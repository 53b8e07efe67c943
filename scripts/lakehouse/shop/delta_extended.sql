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

-- name: merge: from aggregate
-- from: common

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
