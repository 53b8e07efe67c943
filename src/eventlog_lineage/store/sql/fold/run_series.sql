-- Runs in a row of one job with one lineage and one outcome are one series: those of the changed jobs. They continue the
-- last series of the time before. {runs} has all runs, if a job is made again.
-- reads: changed_runs changed_jobs run_series
-- makes: continued_series joined_runs alternating_jobs joined_series
-- changes: run_series

CREATE OR REPLACE TEMP TABLE continued_series AS
SELECT s.*
FROM run_series s SEMI JOIN changed_jobs c USING (job_name, succeeded)
QUALIFY row_number() OVER (
    PARTITION BY s.job_name, s.succeeded
    ORDER BY s.first_seen DESC NULLS LAST, s.app_id DESC, s.attempt_id DESC, s.execution_id DESC
) = 1;

CREATE OR REPLACE TEMP TABLE joined_runs AS
SELECT r.job_name, r.lineage_fingerprint, r.succeeded, r.first_seen, r.last_seen, r.run_count, r.app_id, r.attempt_id,
       r.execution_id, r.spark_version, r.spark_version AS last_spark_version
FROM {runs} r
SEMI JOIN (FROM changed_jobs WHERE is_rebuilt) c ON c.job_name = r.job_name AND c.succeeded = r.succeeded
UNION ALL BY NAME
SELECT r.job_name, r.lineage_fingerprint, r.succeeded, r.first_seen, r.first_seen AS last_seen, 1 AS run_count, r.app_id,
       r.attempt_id, r.execution_id, r.spark_version, r.spark_version AS last_spark_version
FROM changed_runs r JOIN changed_jobs c USING (job_name, succeeded)
WHERE NOT c.is_rebuilt
UNION ALL BY NAME
FROM continued_series;

-- Most jobs have one lineage, and so one series. Only the runs of the others are put in order.
CREATE OR REPLACE TEMP TABLE alternating_jobs AS
SELECT job_name, succeeded FROM joined_runs GROUP BY ALL
HAVING min(lineage_fingerprint) <> max(lineage_fingerprint);

CREATE OR REPLACE TEMP TABLE joined_series AS
WITH ends AS (
    SELECT job_name, lineage_fingerprint, succeeded, min(first_seen) AS first_seen, max(last_seen) AS last_seen,
           CAST(sum(run_count) AS BIGINT) AS run_count,
           min(struct_pack(
               seen := coalesce(first_seen, TIMESTAMP '-infinity'), app_id := app_id, attempt_id := attempt_id,
               execution_id := execution_id, spark_version := spark_version
           )) AS begun,
           max(struct_pack(
               seen := coalesce(first_seen, TIMESTAMP '-infinity'), app_id := app_id, attempt_id := attempt_id,
               execution_id := execution_id, spark_version := last_spark_version
           )) AS ended
    FROM joined_runs ANTI JOIN alternating_jobs USING (job_name, succeeded)
    GROUP BY ALL
)
SELECT job_name, lineage_fingerprint, succeeded, first_seen, last_seen, run_count, begun.app_id AS app_id,
       begun.attempt_id AS attempt_id, begun.execution_id AS execution_id, begun.spark_version AS spark_version,
       ended.spark_version AS last_spark_version
FROM ends;

DELETE FROM run_series USING continued_series c
WHERE run_series.job_name = c.job_name AND run_series.succeeded = c.succeeded
  AND run_series.lineage_fingerprint = c.lineage_fingerprint AND run_series.app_id = c.app_id
  AND run_series.attempt_id = c.attempt_id AND run_series.execution_id = c.execution_id;
INSERT INTO run_series BY NAME SELECT * FROM joined_series;

INSERT INTO run_series BY NAME
WITH compared AS (
    SELECT *, coalesce(lag(lineage_fingerprint) OVER w <> lineage_fingerprint, true) AS differs
    FROM joined_runs SEMI JOIN alternating_jobs USING (job_name, succeeded)
    WINDOW w AS (PARTITION BY job_name, succeeded ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id)
),
numbered AS (
    SELECT *, count(*) FILTER (differs) OVER (
        PARTITION BY job_name, succeeded ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id
    ) AS series
    FROM compared
)
SELECT job_name, lineage_fingerprint, succeeded, min(first_seen) AS first_seen, max(last_seen) AS last_seen,
       CAST(sum(run_count) AS BIGINT) AS run_count,
       first(app_id ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id) AS app_id,
       first(attempt_id ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id) AS attempt_id,
       first(execution_id ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id) AS execution_id,
       first(spark_version ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id) AS spark_version,
       last(last_spark_version ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id) AS last_spark_version
FROM numbered
GROUP BY job_name, lineage_fingerprint, succeeded, series;
