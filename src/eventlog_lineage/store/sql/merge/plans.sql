-- Plans of this harvest.
-- reads: staged_plan_nodes
-- changes: plan_nodes

DELETE FROM plan_nodes WHERE plan_fingerprint IN (SELECT plan_fingerprint FROM staged_plan_nodes);
INSERT INTO plan_nodes BY NAME
SELECT * FROM staged_plan_nodes
QUALIFY row_number() OVER (PARTITION BY plan_fingerprint, node_id ORDER BY detail, node_name) = 1;
