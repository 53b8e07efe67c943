-- Times later than {latest} that an earlier release stored as they were in a log.
-- reads: later_applications
-- changes: changed_days open_applications open_executions past_runs schema_observations run_series
-- changes: selected_observations

-- with: later_applications
-- Their days, and those without a start, are written again.
INSERT INTO changed_days SELECT DISTINCT started_on FROM later_applications;
INSERT INTO changed_days SELECT DISTINCT CAST(NULL AS DATE) FROM later_applications;

-- with: later_applications
UPDATE open_applications SET started_at = CASE WHEN started_at <= {latest} THEN started_at END,
                        ended_at = CASE WHEN ended_at <= {latest} THEN ended_at END
WHERE (app_id, attempt_id) IN (SELECT (app_id, attempt_id) FROM later_applications);
UPDATE open_executions SET started_at = CASE WHEN started_at <= {latest} THEN started_at END,
                      ended_at = CASE WHEN ended_at <= {latest} THEN ended_at END,
                      duration_ms = CASE WHEN started_at <= {latest} AND ended_at <= {latest} THEN duration_ms END
WHERE (app_id, attempt_id) IN (SELECT (app_id, attempt_id) FROM later_applications);

UPDATE past_runs SET first_seen = CASE WHEN first_seen <= {latest} THEN first_seen END,
                     last_seen = CASE WHEN last_seen <= {latest} THEN last_seen END,
                     ended_at = CASE WHEN ended_at <= {latest} THEN ended_at END
WHERE first_seen > {latest} OR last_seen > {latest} OR ended_at > {latest};
DELETE FROM schema_observations WHERE seen_at > {latest};

-- with: later_applications
-- What is made of all runs is made again.
DELETE FROM run_series;
DELETE FROM selected_observations;
