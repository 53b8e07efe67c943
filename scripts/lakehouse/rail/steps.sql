-- name: trains
-- writes: create h_trains
-- columns: train operator line seats < trains_csv.*

-- name: stops 2026-11-01
-- writes: create b_stops
-- columns: train station planned actual platform sensor note < stops_json.*; src_file < stops_json._metadata.file_name;
--   loaded_at day <

-- name: stops 2026-11-02
-- writes: append b_stops
-- columns: train station planned actual platform sensor note < stops_json.*; src_file < stops_json._metadata.file_name;
--   loaded_at day <

-- name: tickets ddl
CREATE TABLE B.tickets (ticket_id BIGINT, train STRING, class INT, price DOUBLE, sold_at TIMESTAMP, channel STRING,
day DATE) USING iceberg PARTITIONED BY (day);

-- name: tickets view
CREATE TEMPORARY VIEW tickets_csv
USING csv OPTIONS (path '{root}/landing/tickets', header 'true', inferSchema 'true');

-- name: tickets
-- writes: append b_tickets
-- columns: ticket_id train class price sold_at channel day < tickets_csv.*
-- conditions: FILTER tickets_csv.day
INSERT INTO B.tickets SELECT ticket_id, train, CAST(class AS INT), price, to_timestamp(sold_at), channel, day
FROM tickets_csv WHERE day >= '2026-11-01';

-- name: rejects
-- writes: create s_rejects
-- columns: ticket_id < b_tickets.ticket_id;
--   payload < b_tickets.ticket_id b_tickets.train b_tickets.class b_tickets.price b_tickets.sold_at b_tickets.channel
--   b_tickets.day; reason <
-- conditions: FILTER b_tickets.train; FILTER b_tickets.price

-- name: clean
-- writes: create s_tickets
-- columns: ticket_id train class price sold_at channel day < b_tickets.*
-- conditions: FILTER b_tickets.train; FILTER b_tickets.price; FILTER b_tickets.class

-- name: trips
-- writes: create s_trips
-- columns: train station planned actual < b_stops.*; delay_min < b_stops.actual b_stops.planned; code < b_stops.note
-- conditions: FILTER b_stops.actual
CREATE TABLE S.trips USING iceberg AS WITH ranked
AS (SELECT *, row_number() OVER (PARTITION BY train, station, planned ORDER BY loaded_at DESC, src_file) AS rn
FROM B.stops WHERE actual IS NOT NULL)
SELECT train, station, planned, actual, (unix_timestamp(actual) - unix_timestamp(planned)) / 60
AS delay_min, get_json_object(note, '$.code') AS code FROM ranked WHERE rn = 1;

-- name: readings
-- writes: create s_readings
-- columns: train < b_stops.train; sensor_id < b_stops.sensor.id; pos < b_stops.sensor.readings;
--   k < b_stops.sensor.readings.k; f < b_stops.sensor.readings.v

-- name: gates
-- writes: create s_gates
-- columns: at level gate n < gate.value
-- conditions: FILTER gate.value

-- name: stations ddl
CREATE TABLE S.stations (station_id STRING, name STRING, zone INT, seq BIGINT) USING iceberg;

-- name: stations stream
-- writes: merge s_stations
-- columns: station_id name zone seq < cdc.*

-- name: daily ddl
CREATE TABLE G.daily (line STRING, n BIGINT, mean DOUBLE, worst STRING, day STRING) USING iceberg
PARTITIONED BY (day);

-- name: daily 2026-11-01
-- writes: overwrite g_daily
-- columns: line < h_trains.line; n <; mean < s_trips.delay_min; worst < s_trips.station; day <
-- conditions: JOIN s_trips.train; JOIN h_trains.train; FILTER s_trips.planned; GROUP_BY h_trains.line
INSERT OVERWRITE G.daily PARTITION (day = '2026-11-01')
SELECT r.line, count(*) AS n, avg(t.delay_min) AS mean, max_by(t.station, t.delay_min) AS worst
FROM S.trips t JOIN H.trains r ON r.train = t.train WHERE t.planned >= timestamp'2026-11-01 00:00:00'
GROUP BY r.line;

-- name: daily 2026-11-02
-- writes: overwrite g_daily
-- columns: line < h_trains.line; n <; mean < s_trips.delay_min; worst < s_trips.station; day <
-- conditions: JOIN s_trips.train; JOIN h_trains.train; FILTER s_trips.planned; GROUP_BY h_trains.line
INSERT OVERWRITE G.daily PARTITION (day = '2026-11-02')
SELECT r.line, count(*) AS n, avg(t.delay_min) AS mean, max_by(t.station, t.delay_min) AS worst
FROM S.trips t JOIN H.trains r ON r.train = t.train WHERE t.planned >= timestamp'2026-11-02 00:00:00'
GROUP BY r.line;

-- name: alerts ddl
CREATE TABLE G.alerts (train STRING, worst DOUBLE, operator STRING, src STRING) USING iceberg;

-- name: hot
-- writes: append g_alerts
-- columns: train < s_trips.train; worst < s_trips.delay_min; operator < h_trains.operator; src <
-- conditions: JOIN s_trips.train; JOIN h_trains.train; GROUP_BY s_trips.train

-- name: pivot
-- writes: create g_channels
-- columns: train < s_tickets.train; web_sum app_sum < s_tickets.price; web_top app_top < s_tickets.class
-- conditions: GROUP_BY s_tickets.train

-- name: facts
-- writes: create g_facts
-- columns: key < s_tickets.train s_trips.train s_readings.sensor_id; amount < s_tickets.price s_readings.f; kind <;
--   delay_min < s_trips.delay_min; pos < s_readings.pos

-- name: diffs
-- writes: create s_diffs
-- columns: ticket_id < b_tickets.ticket_id s_tickets.ticket_id; state <; diff < b_tickets.price s_tickets.price;
--   hash < b_tickets.train s_tickets.train
-- conditions: JOIN b_tickets.ticket_id; JOIN s_tickets.ticket_id

-- name: windows
-- writes: create g_windows
-- columns: operator < h_trains.operator; since < s_trips.planned; stations < s_trips.station; lines < h_trains.line
-- conditions: JOIN s_trips.train; JOIN h_trains.train; FILTER h_trains.seats; GROUP_BY h_trains.operator

-- name: view
-- writes: create h_delays
-- columns: train < s_trips.train; line < h_trains.line; delay_min < s_trips.delay_min; station_name < s_stations.name
-- conditions: JOIN s_trips.train; JOIN s_stations.station_id
CREATE VIEW H.delays AS SELECT t.train, r.line, t.delay_min, s.name AS station_name
FROM S.trips t JOIN H.trains r USING (train) LEFT JOIN S.stations s ON s.station_id = t.station;

-- name: from view
-- writes: append g_alerts
-- columns: train < s_trips.train; worst < s_trips.delay_min; operator < s_stations.name; src < h_trains.line
-- conditions: FILTER s_trips.delay_min; JOIN s_stations.station_id
INSERT INTO G.alerts SELECT train, sum(delay_min) OVER (PARTITION BY line
ORDER BY train ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), station_name, concat('v-', line) FROM H.delays
WHERE delay_min BETWEEN 1 AND 50;

-- name: calendar
-- writes: create g_calendar
-- columns: day <; revenue < s_tickets.price; n < s_tickets.ticket_id
-- conditions: JOIN s_tickets.day
CREATE TABLE G.calendar USING iceberg AS SELECT c.day, coalesce(sum(t.price), 0) AS revenue, count(t.ticket_id) AS n
FROM (SELECT explode(sequence(DATE'2026-10-30', DATE'2026-11-03')) AS day) c LEFT JOIN S.tickets t ON t.day = c.day
GROUP BY c.day ORDER BY c.day;

-- name: sessions
-- writes: create g_sessions
-- columns: train < s_tickets.train; session <; first_at < s_tickets.sold_at; total < s_tickets.price
-- conditions: GROUP_BY s_tickets.train
CREATE TABLE G.sessions USING iceberg AS SELECT train, session, min(sold_at) AS first_at, sum(price) AS total
FROM (SELECT *, sum(is_new) OVER (PARTITION BY train ORDER BY sold_at) AS session FROM (SELECT *, CASE
WHEN sold_at - lag(sold_at) OVER (PARTITION BY train ORDER BY sold_at) > INTERVAL '1' HOUR THEN 1 ELSE 0 END
AS is_new FROM S.tickets)) GROUP BY train, session;

-- name: export
-- writes: overwrite x_sales
-- columns: ticket_id price < s_tickets.*; operator line < h_trains.*
-- conditions: JOIN s_tickets.train; FILTER s_tickets.price

-- name: directory
-- writes: overwrite x_worst
-- columns: line mean worst < g_daily.*
-- conditions: GROUP_BY g_daily.line
INSERT OVERWRITE DIRECTORY '{root}/export/worst' USING orc SELECT line, max(mean) AS mean, min(worst) AS worst
FROM G.daily GROUP BY line;

-- name: from files
-- writes: append g_alerts
-- columns: train < x_worst.line; worst < x_worst.mean; operator < h_trains.line; src < h_trains.operator
-- conditions: JOIN x_worst.line; JOIN x_sales.line; FILTER x_worst.mean
INSERT INTO G.alerts (train, src, worst, operator) SELECT w.line, s.operator, w.mean, s.line
FROM orc.`{root}/export/worst` w JOIN csv.`{root}/export/sales` s0 ON s0.line = w.line
JOIN H.trains s ON s.line = w.line WHERE w.mean > 0;

-- name: report
-- writes: nothing
-- columns: operator < h_trains.operator; g <; zone < s_stations.zone; mean < s_trips.delay_min
-- conditions: JOIN s_trips.train; GROUP_BY s_stations.zone
SELECT r.operator, grouping_id(r.operator, s.zone) AS g, s.zone, round(avg(t.delay_min), 1) AS mean
FROM S.trips t JOIN H.trains r USING (train) JOIN S.stations s ON s.station_id = t.station
GROUP BY CUBE (r.operator, s.zone) HAVING count(*) > 1 ORDER BY mean DESC LIMIT 20;

-- name: rename
-- writes: alter s_trips
ALTER TABLE S.trips RENAME COLUMN delay_min TO late;

-- name: add season
-- writes: alter s_trips
ALTER TABLE S.trips ADD COLUMNS (season STRING COMMENT 'of the year');

-- name: drop code
-- writes: alter s_trips
ALTER TABLE S.trips DROP COLUMN code;

-- name: season
-- writes: update s_trips
-- columns: season < s_trips.station
-- conditions: FILTER s_trips.season
UPDATE S.trips SET season = CASE WHEN month(planned) IN (12, 1, 2) THEN 'winter' ELSE lower(station) END
WHERE season IS NULL;

-- name: late read
-- writes: nothing
-- columns: season < s_trips.season; late < s_trips.late
-- conditions: FILTER s_trips.train; GROUP_BY s_trips.season
SELECT season, sum(late) AS late FROM S.trips WHERE train LIKE 't%' GROUP BY season;

-- name: widen
-- writes: alter s_gates
ALTER TABLE S.gates ALTER COLUMN n TYPE BIGINT;

-- name: gates insert
-- writes: append s_gates
-- columns: at gate n < s_gates.*; level <
-- conditions: FILTER s_gates.level
INSERT INTO S.gates SELECT at, 'INFO', gate, n + 4000000000 FROM S.gates WHERE level = 'WARN';

-- name: part field
ALTER TABLE S.tickets ADD PARTITION FIELD days(sold_at);

-- name: ordered
ALTER TABLE S.tickets WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY train;

-- name: more tickets
-- writes: append s_tickets
-- columns: ticket_id train class price sold_at day < s_tickets.*; channel <
-- conditions: FILTER s_tickets.channel
INSERT INTO S.tickets SELECT ticket_id + 1000, train, class, price + 1, sold_at, 'desk', day FROM S.tickets
WHERE channel <> 'desk';

-- name: accept any
ALTER TABLE B.tickets SET TBLPROPERTIES ('write.spark.accept-any-schema' = 'true');

-- name: refunds
-- writes: append b_tickets
-- columns: ticket_id train class price sold_at channel day < s_tickets.*; refund < s_tickets.price
-- conditions: FILTER s_tickets.price

-- name: monthly
-- writes: overwrite g_monthly
-- columns: train < s_tickets.train; month < s_tickets.day; total < s_tickets.price; since < s_tickets.sold_at
-- conditions: GROUP_BY s_tickets.train

-- name: stations ddl 2
CREATE TABLE G.stations (station_id STRING, name STRING, zone INT) USING iceberg
TBLPROPERTIES ('write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read');

-- name: same names
-- writes: append g_stations
-- columns: station_id name zone < s_stations.*
-- conditions: FILTER s_stations.zone
INSERT INTO G.stations SELECT station_id, name, zone FROM S.stations WHERE zone >= 0;

-- name: upsert stream
-- writes: merge g_stations
-- columns: station_id < g_monthly.train; zone < g_monthly.total g_stations.zone; name <

-- name: partitions
-- writes: overwrite g_monthly
-- columns: train month total since < g_monthly.*
-- conditions: FILTER g_monthly.total

-- name: recreated
-- writes: overwrite g_calendar
-- columns: day revenue < g_calendar.*; trains <

-- name: history ddl
CREATE TABLE G.history (station_id STRING, name STRING, hash STRING, valid_from BIGINT, valid_to BIGINT,
is_current BOOLEAN) USING iceberg PARTITIONED BY (is_current);

-- name: scd2
-- writes: merge g_history
-- columns: station_id name < s_stations.*; hash < s_stations.name s_stations.zone;
--   valid_from valid_to < s_stations.seq; is_current <
MERGE INTO G.history t USING (SELECT c.station_id AS merge_key, c.* FROM S.stations c UNION ALL SELECT NULL, c.*
FROM S.stations c JOIN G.history h ON h.station_id = c.station_id
WHERE h.is_current AND h.hash <> md5(concat_ws('~', c.name,
c.zone))) u ON t.station_id = u.merge_key AND t.is_current
WHEN MATCHED AND t.hash <> md5(concat_ws('~', u.name, u.zone)) THEN UPDATE SET t.is_current = false,
t.valid_to = u.seq WHEN NOT MATCHED THEN INSERT (station_id, name, hash, valid_from, is_current)
VALUES (u.station_id, initcap(u.name), md5(concat_ws('~', u.name, u.zone)), u.seq, true);

-- name: station rename
-- writes: update s_stations
-- columns: name < s_stations.name s_stations.zone; zone < s_stations.zone
-- conditions: JOIN s_trips.station; FILTER s_trips.late
UPDATE S.stations SET name = concat(name, ' (', zone, ')'), zone = zone + 1 WHERE station_id IN (SELECT station
FROM S.trips WHERE late > 3);

-- name: scd2 again
-- writes: merge g_history
-- columns: station_id name < s_stations.*; hash < s_stations.name s_stations.zone;
--   valid_from valid_to < s_stations.seq; is_current <
MERGE INTO G.history t USING (SELECT c.station_id AS merge_key, c.* FROM S.stations c UNION ALL SELECT NULL, c.*
FROM S.stations c JOIN G.history h ON h.station_id = c.station_id
WHERE h.is_current AND h.hash <> md5(concat_ws('~', c.name,
c.zone))) u ON t.station_id = u.merge_key AND t.is_current
WHEN MATCHED AND t.hash <> md5(concat_ws('~', u.name, u.zone)) THEN UPDATE SET t.is_current = false,
t.valid_to = u.seq WHEN NOT MATCHED THEN INSERT (station_id, name, hash, valid_from, is_current)
VALUES (u.station_id, initcap(u.name), md5(concat_ws('~', u.name, u.zone)), u.seq, true);

-- name: mor update
-- writes: update g_stations
-- columns: name < g_stations.name g_stations.station_id
-- conditions: FILTER g_stations.zone
UPDATE G.stations SET name = coalesce(name, station_id) WHERE zone NOT BETWEEN 1 AND 2;

-- name: mor delete
-- writes: delete g_stations
-- conditions: JOIN g_history.station_id
DELETE FROM G.stations t WHERE NOT EXISTS (SELECT * FROM G.history h WHERE h.station_id = t.station_id);

-- name: partition delete
-- writes: delete b_stops
-- conditions: FILTER b_stops.day
DELETE FROM B.stops WHERE day = '2026-11-01';

-- name: both
-- writes: nothing
-- columns: name < s_stations.name; gold < g_stations.name; diff < s_stations.zone g_stations.zone
-- conditions: JOIN s_stations.station_id; JOIN g_stations.station_id; FILTER g_stations.zone
SELECT s.name, g.name AS gold, s.zone - g.zone AS diff
FROM S.stations s FULL JOIN G.stations g ON g.station_id = s.station_id WHERE coalesce(s.zone, g.zone) > 0;

-- name: tag
ALTER TABLE S.tickets CREATE TAG closing RETAIN 10 DAYS;

-- name: tagged
-- writes: append g_alerts
-- columns: train < s_tickets.train; worst < s_tickets.price; operator < s_tickets.channel; src <
-- conditions: JOIN s_tickets.ticket_id
INSERT INTO G.alerts SELECT n.train, n.price - o.price, o.channel, 'tag'
FROM S.tickets n JOIN S.tickets VERSION AS OF 'closing' o ON o.ticket_id = n.ticket_id;

-- name: wap
ALTER TABLE S.rejects SET TBLPROPERTIES ('write.wap.enabled' = 'true');

-- name: audit branch
ALTER TABLE S.rejects CREATE BRANCH audit;

-- name: audit
-- writes: append s_rejects
-- columns: ticket_id < s_tickets.ticket_id; payload < s_tickets.price; reason < s_tickets.channel
-- conditions: FILTER s_tickets.price

-- name: main read
-- writes: nothing
-- columns: reason < s_rejects.reason; n < s_rejects.ticket_id
-- conditions: FILTER s_rejects.payload
SELECT reason, count(ticket_id) AS n FROM S.rejects WHERE payload IS NOT NULL GROUP BY reason;

-- name: audit read
-- writes: nothing
-- columns: reason < s_rejects.reason; n < s_rejects.ticket_id
-- conditions: FILTER s_rejects.payload
SELECT reason, count(ticket_id) AS n FROM S.rejects.branch_audit WHERE payload IS NOT NULL GROUP BY reason;

-- name: past
-- writes: nothing
-- columns: station < b_stops.station; n < b_stops.train

-- name: at time
-- writes: nothing
-- columns: train price < s_tickets.*
-- conditions: FILTER s_tickets.class

-- name: back
-- writes: maintenance b_stops

-- name: restored read
-- writes: nothing
-- columns: day < b_stops.day; n < b_stops.sensor.id
-- conditions: GROUP_BY b_stops.day
SELECT day, count(DISTINCT sensor.id) AS n FROM B.stops GROUP BY day;

-- name: gold view
-- writes: create g_sums
-- columns: train < g_monthly.train; total < g_monthly.total; late < s_trips.late
-- conditions: JOIN g_monthly.train; JOIN s_trips.train
CREATE OR REPLACE VIEW G.sums AS SELECT m.train, sum(m.total) AS total, max(s.late) AS late
FROM G.monthly m JOIN ice.silver.trips s ON lower(m.train) = s.train GROUP BY m.train;

-- name: from gold view
-- writes: overwrite g_top
-- columns: train < g_monthly.train; ratio < g_monthly.total s_trips.late
-- conditions: JOIN s_trips.train
CREATE OR REPLACE TABLE G.top USING iceberg AS SELECT train, total / late AS ratio FROM G.sums WHERE late > 0;

-- name: rewrite
-- writes: maintenance s_tickets
CALL {S.catalog}.system.rewrite_data_files(table => '{S.database}.tickets', strategy => 'sort',
sort_order => 'train ASC, price DESC', options => map('rewrite-all', 'true'));

-- name: rewrite where
-- writes: maintenance g_stations
CALL {G.catalog}.system.rewrite_data_files(table => '{G.database}.stations', where => 'zone = 1');

-- name: positions
-- writes: maintenance g_stations
CALL {G.catalog}.system.rewrite_position_delete_files('{G.database}.stations');

-- name: manifests
-- writes: maintenance s_trips
CALL {S.catalog}.system.rewrite_manifests('{S.database}.trips');

-- name: expire
-- writes: maintenance s_stations
CALL {S.catalog}.system.expire_snapshots(table => '{S.database}.stations', retain_last => 1,
older_than => timestamp'2036-01-01 00:00:00');

-- name: orphans
-- writes: maintenance s_tickets
CALL {S.catalog}.system.remove_orphan_files(table => '{S.database}.tickets', dry_run => true);

-- name: partitions table
SELECT partition, record_count, file_count FROM S.tickets.partitions WHERE record_count > 1;

-- name: maxima
-- writes: append g_alerts
-- columns: train < s_tickets.train; worst <; operator < s_tickets.channel; src <
INSERT INTO G.alerts SELECT max(train), count(*), min(channel), 'max' FROM S.tickets;

-- name: maxima where
-- writes: append g_alerts
-- columns: train < s_tickets.train; worst <; operator < s_rejects.reason; src <
-- conditions: FILTER s_tickets.price; JOIN s_rejects.ticket_id
INSERT INTO G.alerts SELECT max(train), count(1), min(reason), 'max2'
FROM S.tickets JOIN S.rejects USING (ticket_id) WHERE price > 3;

-- name: recursive
-- only: 4-1
-- writes: nothing
-- columns: station < s_trips.station b_stops.station; depth <; path < s_trips.station b_stops.platform
-- conditions: FILTER s_trips.train
WITH RECURSIVE hops(station, depth, path) AS (SELECT DISTINCT station, 0, CAST(station AS STRING) FROM S.trips
WHERE train = 't1' UNION ALL SELECT t.station, h.depth + 1, concat(h.path, '>', t.platform)
FROM hops h JOIN B.stops t ON t.station > h.station WHERE h.depth < 2)
SELECT station, max(depth) AS depth, max(path) AS path FROM hops GROUP BY station;

-- name: script
-- only: 4-1
-- writes: append g_alerts
-- columns: train < s_trips.train; worst < s_trips.late; operator < s_trips.season; src <
-- conditions: FILTER s_trips.late
BEGIN DECLARE least DOUBLE DEFAULT 2.0; IF (SELECT count(*) > 0 FROM S.trips) THEN INSERT INTO G.alerts
SELECT train, late, season, 'script' FROM S.trips WHERE late > least; END IF; END;

-- name: pipes
-- only: 4-1
-- writes: append g_alerts
-- columns: train < s_tickets.train; worst operator < s_tickets.price; src <
-- conditions: FILTER s_tickets.channel; GROUP_BY s_tickets.train
INSERT INTO G.alerts FROM S.tickets |> WHERE channel = 'web' |> AGGREGATE sum(price) AS total
GROUP BY train |> EXTEND total * 2 AS twice |> SET total = total + 1 |>
SELECT train, twice, CAST(total AS STRING), 'pipe';
