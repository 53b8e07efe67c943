# transit: riders
CREATE TABLE riders (rid BIGINT, email STRING, city STRING, plan STRING, born DATE, home STRUCT<lat: DOUBLE, lon: DOUBLE, zone: STRING>,
  devices ARRAY<STRUCT<os: STRING, ver: INT, seen: TIMESTAMP>>, props MAP<STRING, STRING>, updated TIMESTAMP) USING parquet
# transit: rides
CREATE TABLE rides (id BIGINT, rid BIGINT, car STRING, began TIMESTAMP, ended TIMESTAMP, km DOUBLE, fare DECIMAL(10,2), tip DECIMAL(10,2),
  stops ARRAY<STRUCT<place: STRING, at: TIMESTAMP, fee: DOUBLE>>, raw STRING, status STRING, day DATE) USING parquet PARTITIONED BY (day)
# transit: cars
CREATE TABLE cars (car STRING, model STRING, bought DATE, price DOUBLE, spec STRING, tags ARRAY<STRING>, codes ARRAY<INT>) USING parquet
# transit: pings
CREATE TABLE pings (car STRING, at TIMESTAMP, lat DOUBLE, lon DOUBLE, speed DOUBLE, doc STRING) USING parquet
# transit: snapshot of riders
CREATE TABLE snap_riders (rid BIGINT, email STRING, city STRING, plan STRING, scd_id STRING, valid_from TIMESTAMP, valid_to TIMESTAMP) USING parquet
# transit: facts
CREATE TABLE mart.fct_rides (id BIGINT, rid BIGINT, minutes DOUBLE, total DECIMAL(12,2), loaded TIMESTAMP, day DATE) USING parquet PARTITIONED BY (day)
# transit: defaults
CREATE TABLE mart.with_defaults (a BIGINT, b STRING DEFAULT 'none', c DOUBLE DEFAULT 1.5, d DATE) USING parquet
# transit models: dbt snapshot, new and changed rows
WITH snapshot_query AS (SELECT rid, email, city, plan, updated FROM riders WHERE plan IS NOT NULL),
snapshotted AS (SELECT *, rid AS dbt_unique_key FROM snap_riders WHERE valid_to IS NULL),
source AS (SELECT *, rid AS dbt_unique_key, md5(concat_ws('|', coalesce(CAST(rid AS STRING), ''), CAST(updated AS STRING))) AS scd_id FROM snapshot_query)
SELECT 'insert' AS change, s.rid, s.email, s.scd_id, nullif(s.updated, s.updated + INTERVAL 1 SECOND) AS valid_to
FROM source s LEFT OUTER JOIN snapshotted t ON s.dbt_unique_key = t.dbt_unique_key
WHERE t.dbt_unique_key IS NULL OR (t.dbt_unique_key IS NOT NULL AND t.valid_from < s.updated)
-> change: -
-> rid: riders.rid
-> email: riders.email
-> scd_id: riders.rid, .updated; IF riders.rid
-> valid_to: riders.updated; IF riders.updated
-> rows: JOIN riders.rid, snap_riders.rid; FILTER riders.plan, snap_riders.valid_to, .rid, .valid_from, riders.updated
# transit models: dbt snapshot of checked columns
SELECT s.rid, s.plan, sha1(concat(s.email, s.city)) <> sha1(concat(t.email, t.city)) AS dirty
FROM riders s JOIN snap_riders t USING (rid) WHERE t.valid_to IS NULL AND NOT (s.plan <=> t.plan)
-> rid: riders.rid
-> plan: riders.plan
-> dirty: riders.email, .city, snap_riders.email, .city
-> rows: JOIN riders.rid, snap_riders.rid, ?riders.plan, ?snap_riders.plan; FILTER snap_riders.valid_to; MAY riders.plan, snap_riders.plan
# transit models: history closed by the next version
SELECT rid, email, updated AS valid_from, coalesce(lead(updated) OVER (PARTITION BY rid ORDER BY updated), TIMESTAMP'9999-12-31') AS valid_to, lead(updated) OVER (PARTITION BY rid ORDER BY updated) IS NULL AS is_current FROM riders
-> rid: riders.rid
-> email: riders.email
-> valid_from: riders.updated
-> valid_to: riders.updated; IF riders.updated, ?.rid; WINDOW riders.rid, .updated
-> is_current: riders.updated; WINDOW riders.rid, .updated
# transit models: incremental rows above the newest one
INSERT INTO mart.fct_rides SELECT id, rid, (unix_timestamp(ended) - unix_timestamp(began)) / 60, fare + coalesce(tip, 0), ended, day FROM rides WHERE ended > (SELECT coalesce(max(loaded), TIMESTAMP'1900-01-01') FROM mart.fct_rides)
-> id: rides.id
-> rid: rides.rid
-> minutes: rides.ended, .began
-> total: rides.fare, .tip; IF rides.tip
-> loaded: rides.ended
-> day: rides.day
-> rows: FILTER rides.ended, fct_rides.loaded
-> to: mart.fct_rides
# transit models: incremental by days that were touched
INSERT OVERWRITE mart.fct_rides PARTITION (day) SELECT id, rid, km, fare, ended, day FROM rides WHERE day IN (SELECT DISTINCT to_date(updated) FROM riders WHERE plan = 'pro')
-> id: rides.id
-> rid: rides.rid
-> minutes: rides.km
-> total: rides.fare
-> loaded: rides.ended
-> day: rides.day
-> rows: JOIN rides.day, riders.updated; FILTER riders.plan
-> to: mart.fct_rides
# transit models: late rows win over old ones
SELECT id, fare, src FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY prio, at DESC) AS rn FROM (SELECT id, fare, ended AS at, 1 AS prio, 'new' AS src FROM rides UNION ALL SELECT id, CAST(total AS DECIMAL(10,2)), loaded, 2, 'old' FROM mart.fct_rides)) WHERE rn = 1
-> id: rides.id, fct_rides.id
-> fare: rides.fare, fct_rides.total
-> src: -
-> rows: FILTER rides.id, .ended, fct_rides.id, .loaded
# transit models: surrogate key of dbt_utils
SELECT md5(CAST(coalesce(CAST(rid AS STRING), '_dbt_utils_surrogate_key_null_') || '-' || coalesce(CAST(day AS STRING), '_dbt_utils_surrogate_key_null_') AS STRING)) AS ride_key, sum(fare) AS total FROM rides GROUP BY ALL
-> ride_key: rides.rid, .day; IF rides.rid, .day
-> total: rides.fare
-> rows: GROUP_BY rides.rid, .day
# transit models: dbt_utils star, union of relations, deduplicate
SELECT unioned.rid, unioned.mail FROM (SELECT CAST('riders' AS STRING) AS _dbt_source_relation, CAST(rid AS BIGINT) AS rid, CAST(email AS STRING) AS mail, updated AS at FROM riders UNION ALL SELECT CAST('snap' AS STRING), CAST(rid AS BIGINT), CAST(email AS STRING), valid_from FROM snap_riders) AS unioned INNER JOIN (SELECT rid, max(updated) AS at FROM riders GROUP BY rid) AS newest ON unioned.rid = newest.rid AND unioned.at = newest.at
-> rid: riders.rid, snap_riders.rid
-> mail: riders.email, snap_riders.email
-> rows: JOIN riders.rid, .updated, snap_riders.rid, .valid_from; GROUP_BY riders.rid
# transit models: dbt_utils date spine
WITH rawdata AS (SELECT p0.n + p1.n * 2 + p2.n * 4 + 1 AS generated FROM (SELECT 0 AS n UNION ALL SELECT 1) p0 CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) p1 CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) p2),
spine AS (SELECT date_add(DATE'2026-01-01', CAST(row_number() OVER (ORDER BY generated) AS INT) - 1) AS d FROM rawdata)
SELECT s.d, count(r.id) AS n FROM spine s LEFT JOIN rides r ON r.day = s.d GROUP BY s.d
-> d: -
-> n: rides.id
-> rows: JOIN rides.day
# transit models: dbt tests as one query
SELECT count(*) AS failures, count(*) <> 0 AS should_warn, count(*) <> 0 AS should_error FROM (WITH child AS (SELECT rid AS from_field FROM rides WHERE rid IS NOT NULL), parent AS (SELECT rid AS to_field FROM riders) SELECT from_field FROM child LEFT JOIN parent ON child.from_field = parent.to_field WHERE parent.to_field IS NULL) dbt_internal_test
-> failures: -
-> should_warn: -
-> should_error: -
-> rows: JOIN rides.rid, riders.rid; MAY rides.rid, riders.rid
# transit models: metric with a spine of dimensions
WITH cities AS (SELECT DISTINCT city FROM riders), plans AS (SELECT DISTINCT plan FROM riders)
SELECT c.city, p.plan, coalesce(sum(r.fare), 0) AS fares FROM cities c CROSS JOIN plans p LEFT JOIN (SELECT x.city, x.plan, y.fare FROM riders x JOIN rides y ON x.rid = y.rid) r ON r.city = c.city AND r.plan = p.plan GROUP BY c.city, p.plan
-> city: riders.city
-> plan: riders.plan
-> fares: rides.fare; IF rides.fare
-> rows: GROUP_BY riders.city, .plan; JOIN riders.city, .plan, .rid, rides.rid
# transit islands: speeding of cars in a row
SELECT car, min(at) AS began, max(at) AS ended, max(speed) AS top FROM (SELECT car, at, speed, sum(CASE WHEN speed > 50 THEN 0 ELSE 1 END) OVER (PARTITION BY car ORDER BY at) AS island FROM pings) WHERE speed > 50 GROUP BY car, island HAVING count(*) >= 3
-> car: pings.car
-> began: pings.at
-> ended: pings.at
-> top: pings.speed
-> rows: GROUP_BY pings.car, .at, .speed; FILTER pings.speed
# transit islands: overlapping rides packed
SELECT car, pack, min(began) AS began, max(ended) AS ended FROM (SELECT *, sum(starts) OVER (PARTITION BY car ORDER BY began, ended) AS pack FROM (SELECT car, began, ended, CASE WHEN began <= max(ended) OVER (PARTITION BY car ORDER BY began, ended ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) THEN 0 ELSE 1 END AS starts FROM rides)) GROUP BY car, pack
-> car: rides.car
-> pack: -; IF rides.began, .ended, ?.car; WINDOW rides.car, .began, .ended
-> began: rides.began
-> ended: rides.ended
-> rows: GROUP_BY rides.car, .began, .ended
# transit sessions: with a gap of each car
SELECT p.car, session_window.start AS s, avg(p.speed) AS v FROM pings p JOIN cars c ON c.car = p.car GROUP BY p.car, session_window(p.at, CASE WHEN c.model = 'bus' THEN '10 minutes' ELSE '5 minutes' END)
-> car: pings.car
-> s: pings.at; IF ?pings.at
-> v: pings.speed
-> rows: JOIN pings.car, cars.car; GROUP_BY pings.car, .at, ?cars.model; MAY pings.at, cars.model
# transit sessions: closest ping before each ride
SELECT r.id, max_by(struct(p.lat, p.lon), p.at) AS place, max(p.at) AS at FROM rides r LEFT JOIN pings p ON p.car = r.car AND p.at BETWEEN r.began - INTERVAL 10 MINUTES AND r.began GROUP BY r.id
-> id: rides.id
-> place: pings.lat, .lon; IF pings.at
-> at: pings.at
-> rows: JOIN pings.car, rides.car, pings.at, rides.began; GROUP_BY rides.id
# transit pivots: counts, sums and lists
SELECT * FROM (SELECT city, plan, rid, born FROM riders) PIVOT (count(DISTINCT rid) AS n, min(born) AS oldest FOR plan IN ('free' AS f, 'pro' AS p))
-> city: riders.city
-> f_n: riders.rid; IF riders.plan
-> f_oldest: riders.born; IF riders.plan
-> p_n: riders.rid; IF riders.plan
-> p_oldest: riders.born; IF riders.plan
-> rows: GROUP_BY riders.city, ?.plan, ?.rid; MAY riders.plan, .rid
# transit pivots: unpivot of expressions, then pivoted again
SELECT car, max(CASE WHEN k = 'lat' THEN v END) AS lat, avg(CASE WHEN k = 'lon' THEN v END) AS lon FROM (SELECT car, lat * 2 AS lat, lon FROM pings) UNPIVOT EXCLUDE NULLS (v FOR k IN (lat, lon)) GROUP BY car
-> car: pings.car
-> lat: pings.lat, .lon; IF ?pings.lat
-> lon: pings.lat, .lon; IF ?pings.lat
-> rows: GROUP_BY pings.car; MAY pings.lat, .lon
# transit json: objects, keys and lengths
SELECT id, from_json(raw, 'STRUCT<who: STRUCT<name: STRING, age: INT>, tags: ARRAY<STRING>>').who.age AS age, json_array_length(raw) AS n, json_object_keys(raw)[0] AS k, to_json(map_from_arrays(array('c', 's'), array(car, status))) AS j FROM rides
-> id: rides.id
-> age: rides.raw
-> n: rides.raw
-> k: rides.raw
-> j: rides.car, .status
# transit json: parsed array, exploded
SELECT r.id, i.sku, i.price * r.km AS cost FROM rides r LATERAL VIEW OUTER inline(from_json(raw, 'ARRAY<STRUCT<sku: STRING, price: DOUBLE>>')) i AS sku, price WHERE i.sku <> r.status
-> id: rides.id
-> sku: rides.raw
-> cost: rides.raw, .km
-> rows: FILTER rides.raw, .status
# transit csv: a row of text as columns
SELECT c.car, s.a AS a, s.b + c.price AS b, schema_of_csv('1,a') AS t FROM cars c CROSS JOIN LATERAL (SELECT x.r.a AS a, x.r.b AS b FROM (SELECT from_csv(c.spec, 'a STRING, b DOUBLE') AS r) x) s
-> car: cars.car
-> a: cars.spec
-> b: cars.spec, .price
-> t: -
# transit xml: fields of documents [from 4.0]
SELECT car, from_xml(doc, 'a INT, b STRUCT<c: STRING>').b.c AS c, to_xml(named_struct('v', speed, 'w', lat)) AS x, xpath_string(doc, 'a/b') AS p FROM pings WHERE xpath_boolean(doc, 'a[@x=1]')
-> car: pings.car
-> c: pings.doc
-> x: pings.speed, .lat
-> p: pings.doc
-> rows: FILTER pings.doc
# transit text: regular expressions
SELECT regexp_count(spec, '\\d+') AS a, regexp_instr(spec, model) AS b, regexp_substr(spec, concat('^', model, '[^)]*')) AS c, regexp_extract_all(spec, '(\\w+)=(\\d+)', 2)[0] AS d, regexp_like(model, '^[(]') AS e, spec RLIKE model AS f FROM cars
-> a: cars.spec
-> b: cars.spec, .model
-> c: cars.spec, .model; IF ?cars.spec, ?cars.model
-> d: cars.spec
-> e: cars.model
-> f: cars.spec, .model
# transit text: like with lists and escapes
SELECT car FROM cars WHERE model LIKE ANY ('a%', '%(b', car) OR spec NOT LIKE ALL ('x!%%', '%,y') OR spec ILIKE 'A\\_%' OR model LIKE '%!%%' ESCAPE '!'
-> car: cars.car
-> rows: FILTER cars.model, .car, .spec
# transit text: split, trimmed, replaced
SELECT btrim(model, '()') AS a, overlay(spec PLACING model FROM 3 FOR 2) AS b, translate(spec, '[]{}', '()') AS c, split(spec, '[;,]', 2)[1] AS d, substring_index(spec, ',', -1) AS e, soundex(model) = soundex(car) AS f, position('(' IN spec) AS g, sentences(spec)[0][0] AS h FROM cars
-> a: cars.model
-> b: cars.spec, .model
-> c: cars.spec
-> d: cars.spec
-> e: cars.spec
-> f: cars.model, .car
-> g: cars.spec
-> h: cars.spec
# transit lambdas: values of maps by keys and columns
SELECT rid, transform_values(props, (k, v) -> CASE WHEN k = plan THEN upper(v) ELSE coalesce(v, city) END) AS a, transform_keys(props, (k, v) -> concat(k, ':', plan)) AS b, map_filter(props, (k, v) -> v LIKE '%,%' AND k <> email) AS c FROM riders
-> rid: riders.rid
-> a: riders.props, .city; IF riders.props, .city, ?.plan
-> b: riders.props, .plan
-> c: riders.props, .email
# transit lambdas: aggregates that build structs
SELECT id, aggregate(stops, named_struct('n', 0, 'fees', CAST(0 AS DOUBLE)), (a, s) -> named_struct('n', a.n + 1, 'fees', a.fees + s.fee), a -> a.fees / a.n) AS mean_fee, aggregate(stops, CAST(NULL AS STRING), (a, s) -> coalesce(s.place, a)) AS last_place FROM rides
-> id: rides.id
-> mean_fee: rides.stops.fee, ?.stops
-> last_place: rides.stops.place; IF ?rides.stops.place, ?.stops
# transit lambdas: structs of elements with their position
SELECT id, transform(stops, (s, i) -> named_struct('pos', i, 'place', s.place, 'late', s.at > ended)) AS a, filter(transform(stops, s -> s.fee * km), f -> f > tip)[0] AS b, exists(stops, s -> s.place = status) AS c FROM rides
-> id: rides.id
-> a: rides.stops.place, .stops.at, .ended, ?.stops
-> b: rides.stops.fee, .km, .tip
-> c: rides.stops.place, .status
# transit lambdas: sorted and folded
SELECT id, array_sort(stops, (l, r) -> CASE WHEN l.at < r.at THEN -1 WHEN l.at > r.at THEN 1 ELSE 0 END)[0].place AS first_place, array_max(transform(stops, s -> s.at)) AS last_at, zip_with(stops.place, stops.fee, (p, f) -> concat(p, f))[0] AS z, forall(stops, s -> s.fee IS NOT NULL) AS paid FROM rides
-> id: rides.id
-> first_place: rides.stops.place; IF ?rides.stops.at
-> last_at: rides.stops.at
-> z: rides.stops.place, .stops.fee
-> paid: rides.stops.fee
# transit lambdas: maps together
SELECT rid, map_zip_with(props, map('x', city), (k, a, b) -> coalesce(a, b, k)) AS a, map_contains_key(props, plan) AS b, element_at(map_concat(props, map('e', email)), 'e') AS c, map_entries(map_filter(props, (k, v) -> k > 'm'))[0].value AS d FROM riders
-> rid: riders.rid
-> a: riders.props, .city; IF ?riders.props, ?.city
-> b: riders.props, .plan
-> c: riders.props, .email
-> d: riders.props
# transit qualify: rewritten with a named subquery
SELECT r.* FROM (SELECT id, rid, fare, dense_rank() OVER w AS rk, count(*) OVER (PARTITION BY rid) AS n FROM rides WINDOW w AS (PARTITION BY rid, month(day) ORDER BY fare DESC, km)) r WHERE r.rk <= 2 AND r.n > 1
-> id: rides.id
-> rid: rides.rid
-> fare: rides.fare
-> rk: -; WINDOW rides.rid, .day, .fare, .km
-> n: -; WINDOW rides.rid
-> rows: FILTER rides.rid, .day, .fare, .km
# transit qualify: first and last of a struct
SELECT id, f.place AS first_place, l.place AS last_place FROM (SELECT id, first_value(stops[0]) OVER w AS f, last_value(element_at(stops, -1)) OVER w AS l, row_number() OVER w AS n FROM rides WINDOW w AS (PARTITION BY car ORDER BY began)) WHERE n = 1
-> id: rides.id
-> first_place: rides.stops.place, ?.stops; WINDOW rides.car, .began
-> last_place: rides.stops.place, ?.stops; WINDOW rides.car, .began
-> rows: FILTER rides.car, .began
# transit samples: rows, percentages and repeatable
SELECT s.car, t.model FROM pings TABLESAMPLE (50 PERCENT) REPEATABLE (3) s JOIN (SELECT * FROM cars TABLESAMPLE (10 ROWS)) t ON s.car = t.car WHERE s.speed > 1
-> car: pings.car
-> model: cars.model
-> rows: JOIN pings.car, cars.car; FILTER pings.speed
# transit windows: two named ones
SELECT car, avg(speed) OVER w AS a, nth_value(lat, 2) OVER w2 AS b, cume_dist() OVER (PARTITION BY car ORDER BY speed) AS c, sum(speed) OVER w2 / count(lon) OVER w AS d FROM pings WINDOW w AS (PARTITION BY car ORDER BY at), w2 AS (PARTITION BY date_trunc('DAY', at) ORDER BY car DESC)
-> car: pings.car
-> a: pings.speed; WINDOW pings.car, .at
-> b: pings.lat; WINDOW pings.at, .car
-> c: -; WINDOW pings.car, .speed
-> d: pings.speed, .lon; WINDOW pings.at, .car
# transit windows: ranges of intervals
SELECT car, count(*) OVER (PARTITION BY car ORDER BY at RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND CURRENT ROW) AS n, max(speed) OVER (PARTITION BY car ORDER BY CAST(at AS DATE) RANGE BETWEEN 6 PRECEDING AND 1 PRECEDING) AS m FROM pings
-> car: pings.car
-> n: -; WINDOW pings.car, .at
-> m: pings.speed; WINDOW pings.car, .at
# transit windows: distinct over and lists over
SELECT id, size(collect_set(car) OVER (PARTITION BY rid)) AS cars, collect_list(status) OVER (PARTITION BY rid ORDER BY began) AS states, array_distinct(collect_list(day) OVER (PARTITION BY car))[0] AS d FROM rides
-> id: rides.id
-> cars: rides.car; WINDOW rides.rid
-> states: rides.status; WINDOW rides.rid, .began
-> d: rides.day; WINDOW rides.car
# transit groups: sets of expressions
SELECT upper(city) AS c, year(born) AS y, CASE WHEN grouping(upper(city)) = 1 THEN 'all' ELSE max(plan) END AS p, count(DISTINCT email) AS n FROM riders GROUP BY GROUPING SETS ((upper(city), year(born)), (upper(city)), (year(born)), ())
-> c: riders.city
-> y: riders.born
-> p: riders.plan; IF ?riders.city
-> n: riders.email
-> rows: GROUP_BY riders.city, .born; MAY riders.email
# transit groups: sets of two lists and a filter
SELECT model, bought, sum(price) FILTER (WHERE size(tags) > 1) AS s, grouping_id(model, bought) AS g FROM cars GROUP BY ROLLUP (model), CUBE (bought) HAVING sum(price) > 10
-> model: cars.model
-> bought: cars.bought
-> s: cars.price; IF cars.tags
-> g: -; IF ?cars.model, ?cars.bought
-> rows: GROUP_BY cars.model, .bought; FILTER cars.price
# transit groups: by structs, arrays and fields
SELECT home.zone AS z, struct(city, plan) AS s, devices[0].os AS os, count(1) AS n FROM riders GROUP BY home.zone, struct(city, plan), devices[0].os
-> z: riders.home.zone
-> s: riders.city, .plan
-> os: riders.devices.os
-> n: -
-> rows: GROUP_BY riders.home.zone, .city, .plan, .devices.os
# transit groups: boolean aggregates and modes
SELECT city, bool_or(plan = 'pro') AS a, every(born IS NOT NULL) AS b, count_if(email LIKE '%@%') AS c, mode(plan) AS d, any_value(home) AS e, count(DISTINCT city, plan) AS f, max(named_struct('a', born, 'b', email)).b AS g FROM riders GROUP BY city
-> city: riders.city
-> a: riders.plan
-> b: riders.born
-> c: riders.email; IF ?riders.email
-> d: riders.plan
-> e: riders.home
-> f: riders.city, .plan
-> g: riders.email; IF riders.born
-> rows: GROUP_BY riders.city; MAY riders.plan
# transit groups: sketches and percentiles
SELECT car, approx_percentile(speed, array(0.1, 0.9), 100)[1] AS p90, hll_sketch_estimate(hll_sketch_agg(CAST(lat AS STRING), 12)) AS n, percentile_disc(0.5) WITHIN GROUP (ORDER BY lon DESC) AS m, corr(lat, lon) AS c, regr_r2(speed, lat) AS r FROM pings GROUP BY car
-> car: pings.car
-> p90: pings.speed
-> n: pings.lat
-> m: pings.lon
-> c: pings.lat, .lon
-> r: pings.speed, .lat
-> rows: GROUP_BY pings.car
# transit scalars: in every clause
SELECT r.city, (SELECT max(price) FROM cars) AS top, count(*) + (SELECT count(car) FROM pings WHERE speed > 99) AS n FROM riders r WHERE r.rid > (SELECT min(rid) FROM rides WHERE status = 'ok') GROUP BY r.city HAVING count(r.email) > (SELECT avg(km) FROM rides) ORDER BY (SELECT max(lat) FROM pings), n LIMIT 5
-> city: riders.city
-> top: cars.price
-> n: pings.car; IF ?pings.speed
-> rows: FILTER riders.rid, rides.rid, .status, riders.email, rides.km, ?pings.speed; GROUP_BY riders.city; SORT pings.lat, .car
# transit scalars: correlated in lists, conditions and joins
SELECT c.car, (SELECT max(p.speed) FROM pings p WHERE p.car = c.car AND p.lat > 0) AS v, CASE WHEN c.price > (SELECT avg(d.price) FROM cars d WHERE d.model = c.model) THEN c.spec END AS s FROM cars c WHERE (SELECT sum(r.km) FROM rides r WHERE r.car = c.car) > 100
-> car: cars.car
-> v: pings.speed
-> s: cars.spec; IF cars.price
-> rows: JOIN cars.car, pings.car, cars.model, rides.car; FILTER pings.lat, rides.km
# transit scalars: correlated count that is zero when nothing matches
SELECT c.car, (SELECT count(*) FROM rides r WHERE r.car = c.car) AS n, (SELECT coalesce(sum(p.speed), -1) FROM pings p WHERE p.car = c.car) AS s FROM cars c
-> car: cars.car
-> n: -; IF ?rides.car, ?cars.car, ?pings.car
-> s: pings.speed; IF pings.speed, ?.car
-> rows: JOIN cars.car, rides.car, pings.car
# transit scalars: lateral that takes the newest [from 4.0]
SELECT c.car, n.id, n.fare FROM cars c LEFT JOIN LATERAL (SELECT r.id, r.fare FROM rides r WHERE r.car = c.car ORDER BY r.ended DESC LIMIT 1) n
-> car: cars.car
-> id: rides.id
-> fare: rides.fare
-> rows: JOIN cars.car, rides.car; MAY rides.ended
# transit aliases: in chains
SELECT rid, km * 2 AS a, a + fare AS b, round(b, 1) AS c, concat(status, CAST(c AS STRING)) AS d FROM rides WHERE status <> 'x'
-> rid: rides.rid
-> a: rides.km
-> b: rides.km, .fare
-> c: rides.km, .fare
-> d: rides.status, .km, .fare
-> rows: FILTER rides.status
# transit aliases: of aggregates
SELECT city, count(rid) AS n, max(born) AS m, n * 2 AS n2, concat(city, '-', n2) AS l, datediff(m, DATE'2000-01-01') / n AS q FROM riders GROUP BY city ORDER BY l LIMIT 3
-> city: riders.city
-> n: riders.rid
-> m: riders.born
-> n2: riders.rid
-> l: riders.city, .rid
-> q: riders.born, .rid
-> rows: GROUP_BY riders.city; SORT riders.city, .rid
# transit recursion: chain of versions [from 4.1]
WITH RECURSIVE chain(rid, mail, depth) AS (SELECT rid, email, 1 FROM riders WHERE plan = 'root' UNION ALL SELECT s.rid, concat(c.mail, '>', s.email), c.depth + 1 FROM chain c JOIN snap_riders s ON s.scd_id = c.mail WHERE c.depth < 4)
SELECT rid, max(mail) AS mail, count(depth) AS n FROM chain GROUP BY rid
-> rid: riders.rid, snap_riders.rid
-> mail: riders.email, snap_riders.email
-> n: -
-> rows: FILTER riders.plan; JOIN snap_riders.scd_id, riders.email, snap_riders.email; GROUP_BY riders.rid, snap_riders.rid
# transit recursion: a series of days joined [from 4.1]
WITH RECURSIVE days(d) AS (SELECT DATE'2026-01-01' UNION ALL SELECT date_add(d, 1) FROM days WHERE d < DATE'2026-01-09') SELECT d, sum(r.fare) AS f FROM days LEFT JOIN rides r ON r.day = days.d GROUP BY d
-> d: -
-> f: rides.fare
-> rows: JOIN rides.day
# transit pipes: joined, extended, aggregated, ordered [from 4.0]
FROM rides |> WHERE km > 1 |> JOIN riders USING (rid) |> EXTEND fare + coalesce(tip, 0) AS total |> SET status = upper(status) |> AGGREGATE sum(total) AS s, count(DISTINCT car) AS n GROUP BY city, status |> WHERE s > 9 |> ORDER BY s DESC |> LIMIT 4
-> city: riders.city
-> status: rides.status
-> s: rides.fare, .tip; IF rides.tip
-> n: rides.car
-> rows: FILTER rides.km, .fare, .tip; JOIN rides.rid, riders.rid; GROUP_BY riders.city, rides.status; SORT rides.fare, .tip; MAY rides.car
# transit pipes: dropped, renamed, pivoted [from 4.0]
FROM pings |> DROP doc, lon |> AS p |> SELECT p.car, hour(p.at) AS h, p.speed |> PIVOT (max(speed) FOR h IN (8 AS morning, 17 AS evening)) |> EXTEND evening - morning AS d
-> car: pings.car
-> morning: pings.speed; IF pings.at
-> evening: pings.speed; IF pings.at
-> d: pings.speed; IF pings.at
-> rows: GROUP_BY pings.car, ?.at; MAY pings.at
# transit pipes: sets and samples [from 4.0]
FROM cars |> SELECT car, model |> UNION ALL (SELECT car, doc FROM pings) |> EXCEPT DISTINCT (SELECT car, status FROM rides) |> TABLESAMPLE (90 PERCENT)
-> car: cars.car, pings.car
-> model: cars.model, pings.doc
-> rows: JOIN rides.car, .status, cars.car, .model, pings.car, .doc; GROUP_BY cars.car, .model, pings.car, .doc
# transit functions: scalar of two columns [from 4.0]
CREATE OR REPLACE FUNCTION net_fare(f DECIMAL(10,2), t DECIMAL(10,2)) RETURNS DECIMAL(12,2) RETURN CASE WHEN t IS NULL THEN f ELSE f - t END
-> none
# transit functions: called in lists, filters and groups [from 4.0]
SELECT net_fare(fare, tip) AS n, max(net_fare(tip, fare)) AS m FROM rides WHERE net_fare(fare, 1) > 3 GROUP BY net_fare(fare, tip)
-> n: rides.fare, .tip; IF rides.tip
-> m: rides.tip, .fare; IF rides.fare
-> rows: GROUP_BY rides.fare, .tip; FILTER rides.fare
# transit functions: with a query of a table [from 4.0]
CREATE OR REPLACE FUNCTION rides_of(who BIGINT) RETURNS TABLE (id BIGINT, cost DECIMAL(10,2)) RETURN SELECT id, fare FROM rides WHERE rides.rid = rides_of.who
-> none
# transit functions: a table function with a literal [from 4.0]
SELECT id, cost * 2 AS c FROM rides_of(7) WHERE cost > 1
-> id: rides.id
-> c: rides.fare
-> rows: FILTER rides.rid, .fare
# transit functions: a table function with columns [from 4.0]
SELECT r.email, f.cost FROM riders r, LATERAL rides_of(r.rid) f WHERE f.cost > 2
-> email: riders.email
-> cost: rides.fare
-> rows: JOIN riders.rid, rides.rid; FILTER rides.fare
# transit functions: named arguments [from 3.5]
SELECT mask(email, lowerChar => 'x', digitChar => 'd') AS m, mask(city, upperChar => NULL) AS c FROM riders
-> m: riders.email
-> c: riders.city
# transit collations: keys, joins and orders [from 4.0]
SELECT c.model COLLATE UTF8_LCASE AS m, count(p.car) AS n, min(c.spec COLLATE UNICODE_CI) AS s FROM cars c JOIN pings p ON c.car COLLATE UTF8_LCASE = p.car COLLATE UTF8_LCASE WHERE c.spec COLLATE UNICODE_CI <> 'x' GROUP BY c.model COLLATE UTF8_LCASE ORDER BY m LIMIT 5
-> m: cars.model
-> n: pings.car
-> s: cars.spec
-> rows: JOIN cars.car, pings.car; FILTER cars.spec; GROUP_BY cars.model; SORT cars.model
# transit identifiers: names in literals
SELECT IDENTIFIER('r.' || 'email') AS m, max(IDENTIFIER('rid')) AS x FROM IDENTIFIER('spark_catalog.default.' || 'riders') r GROUP BY IDENTIFIER('r.email')
-> m: riders.email
-> x: riders.rid
-> rows: GROUP_BY riders.email
# transit writes: by name with columns left out
INSERT INTO mart.with_defaults (d, a) SELECT born, rid FROM riders WHERE city = 'x'
-> a: riders.rid
-> b: -
-> c: -
-> d: riders.born
-> rows: FILTER riders.city
-> to: mart.with_defaults
# transit writes: default words and by name [from 3.5]
INSERT INTO mart.with_defaults BY NAME SELECT concat(email, '-') AS b, rid AS a FROM riders
-> a: riders.rid
-> b: riders.email
-> c: -
-> d: -
-> to: mart.with_defaults
# transit writes: overwritten by name with a window [from 3.5]
INSERT OVERWRITE mart.with_defaults BY NAME SELECT max(km) OVER (PARTITION BY car) AS c, id AS a, day AS d, status AS b FROM rides
-> a: rides.id
-> b: rides.status
-> c: rides.km; WINDOW rides.car
-> d: rides.day
-> to: mart.with_defaults
# transit writes: partition by an expression
INSERT OVERWRITE TABLE mart.fct_rides PARTITION (day = DATE'2026-02-01') SELECT max(id), rid, avg(km), sum(fare), max(ended) FROM rides WHERE day = DATE'2026-02-01' GROUP BY rid
-> id: rides.id
-> rid: rides.rid
-> minutes: rides.km
-> total: rides.fare
-> loaded: rides.ended
-> day: -
-> rows: FILTER rides.day; GROUP_BY rides.rid
-> to: mart.fct_rides
# transit writes: a table of csv with partitions
CREATE TABLE mart.export_rides USING csv OPTIONS (header 'true', sep '|') PARTITIONED BY (d) AS SELECT id, upper(status) AS st, to_json(struct(km, fare)) AS j, day AS d FROM rides
-> id: rides.id
-> st: rides.status
-> j: rides.km, .fare
-> d: rides.day
-> to: mart.export_rides
# transit writes: cached query
CACHE TABLE cached_cars AS SELECT car, upper(model) AS m, price * 2 AS p FROM cars WHERE price > 0
-> none
# transit writes: read from the cache
SELECT m, sum(p) AS s FROM cached_cars WHERE p < 100 GROUP BY m
-> m: cars.model
-> s: cars.price
-> rows: FILTER cars.price; GROUP_BY cars.model
# transit writes: a temporary view with named columns
CREATE OR REPLACE TEMPORARY VIEW tv (who, mails COMMENT 'how many') AS SELECT city, count(email) FROM riders GROUP BY city
-> none
# transit writes: read through the temporary view
SELECT who, mails + 1 AS m FROM tv WHERE mails > 2
-> who: riders.city
-> m: riders.email
-> rows: GROUP_BY riders.city; FILTER riders.email
# transit scripts: variables and branches [from 4.0]
BEGIN
  DECLARE least DOUBLE DEFAULT 2.0;
  SET least = (SELECT avg(km) FROM rides);
  SELECT id, km - least AS more FROM rides WHERE km > least;
END
-> none
# transit execute: with positional and named parameters [from 4.0]
EXECUTE IMMEDIATE 'SELECT id, km * ? AS k FROM rides WHERE status = ? AND fare > 1' USING 3, 'ok'
-> id: rides.id
-> k: rides.km
-> rows: FILTER rides.status, .fare
# transit types: casts of structs, maps and arrays
SELECT CAST(home AS STRUCT<a: FLOAT, b: FLOAT, z: STRING>) AS h, CAST(home AS STRUCT<a: FLOAT, b: FLOAT, z: STRING>).z AS z, CAST(props AS MAP<STRING, INT>)['x'] AS p, CAST(devices AS ARRAY<STRUCT<o: STRING, v: STRING, s: DATE>>)[0].v AS v FROM riders
-> h: riders.home
-> z: riders.home.zone
-> p: riders.props
-> v: riders.devices.ver
# transit types: tried conversions
SELECT try_cast(raw AS INT) AS a, try_divide(km, fare) AS b, try_add(id, rid) AS c, try_to_timestamp(raw, 'yyyy') AS d, try_element_at(stops, 2).place AS e, try_subtract(day, INTERVAL 1 DAY) AS f, try_sum(km) OVER (PARTITION BY car) AS g FROM rides
-> a: rides.raw
-> b: rides.km, .fare
-> c: rides.id, .rid
-> d: rides.raw
-> e: rides.stops.place
-> f: rides.day
-> g: rides.km; WINDOW rides.car
# transit types: parts of times
SELECT timestampdiff(MINUTE, began, ended) AS a, timestampadd(HOUR, CAST(km AS INT), began) AS b, make_timestamp(year(day), 1, 1, 0, 0, km) AS c, extract(WEEK FROM day) AS d, date_part('dow', ended) AS e, ended - began AS f, months_between(ended, day) AS g, trunc(day, status) AS h FROM rides
-> a: rides.began, .ended
-> b: rides.km, .began
-> c: rides.day, .km
-> d: rides.day
-> e: rides.ended
-> f: rides.ended, .began
-> g: rides.ended, .day
-> h: rides.day, .status
# transit nulls: of all kinds
SELECT nvl2(tip, fare, km) AS a, nullif(status, car) AS b, ifnull(tip, fare) AS c, coalesce(raw, status, car) AS d, equal_null(tip, fare) AS e, if(isnan(km), 0, km) AS f, decode(status, 'a', car, 'b', raw, 'z') AS g, greatest(tip, fare) AS h FROM rides
-> a: rides.fare, .km; IF rides.tip
-> b: rides.status; IF rides.status, .car
-> c: rides.tip, .fare; IF rides.tip, .fare
-> d: rides.raw, .status, .car; IF rides.raw, .status, .car
-> e: rides.tip, .fare
-> f: rides.km; IF rides.km
-> g: rides.car, .raw; IF rides.status
-> h: rides.tip, .fare
# transit nulls: zero if null [from 4.0]
SELECT zeroifnull(tip) AS a, nullifzero(km) AS b FROM rides
-> a: rides.tip; IF rides.tip
-> b: rides.km; IF rides.km
# transit arrays: inserted, sliced, overlapping
SELECT car, array_insert(tags, 2, model) AS a, arrays_overlap(tags, split(spec, ',')) AS b, array_repeat(model, size(codes)) AS c, array_position(codes, 3) AS d, flatten(array(tags, array(spec)))[0] AS e, get(codes, 1) AS f, array_except(tags, array(car)) AS g, array_size(array_compact(codes)) AS h FROM cars
-> car: cars.car
-> a: cars.tags, .model
-> b: cars.tags, .spec
-> c: cars.model, .codes
-> d: cars.codes
-> e: cars.tags, .spec
-> f: cars.codes
-> g: cars.tags, .car
-> h: cars.codes
# transit arrays: zipped and exploded by field
SELECT c.car, z.tags AS t, z.codes AS n FROM cars c LATERAL VIEW explode(arrays_zip(tags, codes)) v AS z WHERE z.codes > 2
-> car: cars.car
-> t: cars.tags
-> n: cars.codes
-> rows: FILTER cars.codes; MAY cars.tags
# transit arrays: outer inline of devices
SELECT rid, os, ver FROM riders LATERAL VIEW OUTER inline(devices) d AS os, ver, seen WHERE seen > updated OR seen IS NULL
-> rid: riders.rid
-> os: riders.devices.os
-> ver: riders.devices.ver
-> rows: FILTER riders.devices.seen, .updated
# transit arrays: renamed by inline and joined
SELECT a.rid, a.platform, count(b.os2) AS n FROM (SELECT rid, platform, version FROM riders LATERAL VIEW inline(devices) x AS platform, version, at) a JOIN (SELECT inline(devices) AS (os2, v2, at2) FROM riders) b ON a.version = b.v2 GROUP BY a.rid, a.platform
-> rid: riders.rid
-> platform: riders.devices.os
-> n: riders.devices.os
-> rows: JOIN riders.devices.ver; GROUP_BY riders.rid, .devices.os; MAY riders.devices
# transit arrays: generator as a lateral table [from 4.0]
SELECT t.place, avg(t.fee) AS f FROM rides r, LATERAL inline(r.stops) AS t(place, at, fee) WHERE t.at > r.began GROUP BY t.place
-> place: rides.stops.place
-> f: rides.stops.fee
-> rows: FILTER rides.stops.at, .began; GROUP_BY rides.stops.place; MAY rides.stops
# transit sets: all kinds with names and types
(SELECT car, model FROM cars INTERSECT SELECT car, status FROM rides) MINUS ALL SELECT car, doc FROM pings
-> car: cars.car
-> model: cars.model
-> rows: JOIN cars.car, .model, rides.car, .status, pings.car, .doc; GROUP_BY cars.car, .model
# transit sets: union by structs
SELECT home FROM riders UNION ALL SELECT named_struct('lat', lat, 'lon', lon, 'zone', car) FROM pings
-> home: riders.home, pings.lat, .lon, .car
# transit stack: measures as rows
SELECT id, what, v FROM (SELECT id, stack(3, 'km', km, 'fare', CAST(fare AS DOUBLE), 'tip', CAST(tip AS DOUBLE)) AS (what, v) FROM rides) WHERE what <> 'tip'
-> id: rides.id
-> what: -
-> v: rides.km, .fare, .tip
# transit hashes: masked keys through a join
SELECT sha2(r.email, 256) AS k, crc32(r.city) AS c, xxhash64(d.km, d.car) AS x, hash(r.home) AS h, mask(r.plan) AS m FROM riders r JOIN rides d ON md5(CAST(r.rid AS STRING)) = md5(CAST(d.rid AS STRING))
-> k: riders.email
-> c: riders.city
-> x: rides.km, .car
-> h: riders.home
-> m: riders.plan
-> rows: JOIN riders.rid, rides.rid
# transit variants: paths, types and lists [from 4.0]
SELECT id, parse_json(raw):who.name::STRING AS n, variant_get(parse_json(raw), '$.a[0]', 'INT') AS a, schema_of_variant(parse_json(raw)) AS s, is_variant_null(parse_json(raw):b) AS b, to_json(to_variant_object(named_struct('k', km))) AS j FROM rides
-> id: rides.id
-> n: rides.raw
-> a: rides.raw
-> s: rides.raw
-> b: rides.raw
-> j: rides.km
# transit variants: exploded [from 4.0]
SELECT r.id, v.key, v.value::STRING AS val FROM rides r, LATERAL variant_explode(parse_json(r.raw)) v WHERE v.pos < 3
-> id: rides.id
-> key: rides.raw
-> val: rides.raw
-> rows: FILTER rides.raw
