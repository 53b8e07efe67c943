# utility: meters
CREATE TABLE meters (meter_id BIGINT, site_id BIGINT, serial STRING, kind STRING, installed DATE, removed DATE, spec STRUCT<maker: STRING, phases: INT>) USING parquet
# utility: readings
CREATE TABLE readings (meter_id BIGINT, read_at TIMESTAMP, kwh DOUBLE, quality STRING, raw STRING, day DATE) USING parquet
# utility: sites
CREATE TABLE sites (site_id BIGINT, customer STRING, email STRING, region STRING, lat DOUBLE, lon DOUBLE, flags ARRAY<STRING>) USING parquet
# utility: tariffs
CREATE TABLE tariffs (plan STRING, region STRING, rate DOUBLE, valid_from DATE, valid_to DATE) USING parquet
# utility: bills
CREATE TABLE bills (bill_id BIGINT, site_id BIGINT, plan STRING, period STRING, kwh DOUBLE, amount DOUBLE, paid BOOLEAN, due DATE) USING parquet
# utility: usage
CREATE TABLE mart.fct_usage (usage_key STRING, meter_id BIGINT, day DATE, kwh DOUBLE, loaded_at TIMESTAMP) USING parquet
# utility: site dimension
CREATE TABLE mart.dim_site (site_key STRING, site_id BIGINT, customer STRING, region STRING, row_hash STRING) USING parquet
# utility: rows of meters
INSERT INTO meters (meter_id, site_id, serial, kind, installed) VALUES (1, 1, 's1', 'smart', DATE'2025-01-01'), (2, 1, 's2', 'old', DATE'2024-01-01')
# utility: rows of readings
INSERT INTO readings VALUES (1, TIMESTAMP'2026-01-01 01:00:00', 1.5, 'ok', 'a=1;b=2', DATE'2026-01-01'), (1, TIMESTAMP'2026-01-02 01:00:00', 2.5, 'est', 'a=3', DATE'2026-01-02'), (2, TIMESTAMP'2026-01-01 02:00:00', 0.5, 'ok', '', DATE'2026-01-01')
# utility: rows of sites
INSERT INTO sites VALUES (1, 'c', 'c@x.org', 'n', 1.0, 2.0, array('vip')), (2, 'd', 'd@x.org', 's', 3.0, 4.0, array())
# utility: rows of tariffs
INSERT INTO tariffs VALUES ('p', 'n', 0.3, DATE'2025-01-01', DATE'2026-12-31')
# utility: rows of bills
INSERT INTO bills VALUES (1, 1, 'p', '2026-01', 4.0, 1.2, true, DATE'2026-02-01'), (2, 2, 'p', '2026-01', 9.0, 2.7, false, DATE'2026-02-01')
# utility: a model with a surrogate key
WITH source AS (SELECT * FROM meters), renamed AS (SELECT meter_id AS id, serial AS meter_serial, lower(kind) AS meter_kind FROM source)
SELECT md5(concat_ws('|', coalesce(cast(id AS STRING), '_null_'), coalesce(meter_serial, '_null_'))) AS meter_key, r.* FROM renamed r
-> meter_key: meters.meter_id, .serial; IF meters.meter_id, .serial
-> id: meters.meter_id
-> meter_serial: meters.serial
-> meter_kind: meters.kind
# utility: incremental load
INSERT INTO mart.fct_usage
SELECT sha2(concat(meter_id, '-', day), 256), meter_id, day, sum(kwh), current_timestamp() FROM readings
WHERE day > (SELECT coalesce(max(day), DATE'1970-01-01') FROM mart.fct_usage) GROUP BY meter_id, day
-> usage_key: readings.meter_id, .day
-> meter_id: readings.meter_id
-> day: readings.day
-> kwh: readings.kwh
-> loaded_at: -
-> rows: FILTER readings.day, fct_usage.day; GROUP_BY readings.meter_id, .day
-> to: mart.fct_usage
# utility: changed rows of a dimension
WITH staged AS (SELECT md5(cast(site_id AS STRING)) AS site_key, site_id, customer, region, sha1(concat_ws('~', customer, region)) AS row_hash FROM sites)
SELECT s.*, CASE WHEN d.site_key IS NULL THEN 'new' WHEN d.row_hash <> s.row_hash THEN 'changed' ELSE 'same' END AS change
FROM staged s LEFT JOIN mart.dim_site d ON d.site_key = s.site_key WHERE d.site_key IS NULL OR d.row_hash <> s.row_hash
-> site_key: sites.site_id
-> site_id: sites.site_id
-> customer: sites.customer
-> region: sites.region
-> row_hash: sites.customer, .region
-> change: -; IF dim_site.site_key, .row_hash, sites.customer, sites.region
-> rows: JOIN dim_site.site_key, sites.site_id; FILTER dim_site.site_key, .row_hash, sites.customer, sites.region
# utility: full refresh of a dimension
INSERT OVERWRITE mart.dim_site SELECT md5(cast(site_id AS STRING)), site_id, initcap(trim(customer)), nullif(upper(region), ''), xxhash64(customer, region) FROM sites
-> site_key: sites.site_id
-> site_id: sites.site_id
-> customer: sites.customer
-> region: sites.region; IF sites.region
-> row_hash: sites.customer, .region
-> to: mart.dim_site
# utility: sessions of readings by gaps
WITH gaps AS (SELECT meter_id, read_at, kwh, CASE WHEN unix_timestamp(read_at) - unix_timestamp(lag(read_at) OVER (PARTITION BY meter_id ORDER BY read_at)) > 3600 THEN 1 ELSE 0 END AS is_new FROM readings),
numbered AS (SELECT *, sum(is_new) OVER (PARTITION BY meter_id ORDER BY read_at ROWS UNBOUNDED PRECEDING) AS block FROM gaps)
SELECT meter_id, block, min(read_at) AS started, max(read_at) AS ended, sum(kwh) AS kwh FROM numbered GROUP BY meter_id, block
-> meter_id: readings.meter_id
-> block: -; IF readings.read_at, ?.meter_id; WINDOW readings.meter_id, .read_at
-> started: readings.read_at
-> ended: readings.read_at
-> kwh: readings.kwh
-> rows: GROUP_BY readings.meter_id, .read_at
# utility: islands of equal quality
SELECT meter_id, quality, min(day) AS since, max(day) AS until, count(*) AS days FROM (
  SELECT meter_id, quality, day, row_number() OVER (PARTITION BY meter_id ORDER BY day) - row_number() OVER (PARTITION BY meter_id, quality ORDER BY day) AS island FROM readings)
GROUP BY meter_id, quality, island
-> meter_id: readings.meter_id
-> quality: readings.quality
-> since: readings.day
-> until: readings.day
-> days: -
-> rows: GROUP_BY readings.meter_id, .quality, .day
# utility: latest reading per meter by struct
SELECT m.serial, l.last.kwh AS kwh, l.last.quality AS quality FROM meters m
JOIN (SELECT meter_id, max(struct(read_at, kwh, quality)) AS last FROM readings GROUP BY meter_id) l USING (meter_id)
-> serial: meters.serial
-> kwh: readings.kwh; IF readings.read_at, .quality, ?.kwh
-> quality: readings.quality; IF readings.read_at, .kwh, ?.quality
-> rows: JOIN meters.meter_id, readings.meter_id; GROUP_BY readings.meter_id; MAY readings.read_at
# utility: qualify by a subquery
SELECT meter_id, read_at, kwh FROM (SELECT *, dense_rank() OVER (PARTITION BY meter_id ORDER BY kwh DESC, read_at) AS rk FROM readings WHERE quality IN ('ok', 'est')) WHERE rk <= 3
-> meter_id: readings.meter_id
-> read_at: readings.read_at
-> kwh: readings.kwh
-> rows: FILTER readings.quality, .meter_id, .kwh, .read_at
# utility: cohorts
WITH first_bill AS (SELECT site_id, min(period) AS cohort FROM bills GROUP BY site_id),
activity AS (SELECT b.site_id, f.cohort, months_between(to_date(b.period, 'yyyy-MM'), to_date(f.cohort, 'yyyy-MM')) AS age FROM bills b JOIN first_bill f ON b.site_id = f.site_id)
SELECT cohort, age, count(DISTINCT site_id) AS sites, count(DISTINCT site_id) / max(count(DISTINCT site_id)) OVER (PARTITION BY cohort) AS retained FROM activity GROUP BY cohort, age
-> cohort: bills.period
-> age: bills.period
-> sites: bills.site_id
-> retained: bills.site_id; WINDOW bills.period
-> rows: JOIN bills.site_id; GROUP_BY bills.site_id, .period
# utility: funnel
SELECT region, count_if(has_bill) AS billed, count_if(has_bill AND paid) AS settled, round(try_divide(count_if(has_bill AND paid), count_if(has_bill)) * 100, 1) AS pct
FROM (SELECT s.region, b.bill_id IS NOT NULL AS has_bill, coalesce(b.paid, false) AS paid FROM sites s LEFT JOIN bills b ON s.site_id = b.site_id) GROUP BY region
-> region: sites.region
-> billed: bills.bill_id; IF ?bills.bill_id
-> settled: bills.bill_id, .paid; IF bills.paid, ?bills.bill_id
-> pct: bills.bill_id, .paid; IF bills.paid, ?bills.bill_id
-> rows: JOIN sites.site_id, bills.site_id; GROUP_BY sites.region
# utility: tariffs in force
SELECT b.bill_id, b.kwh * t.rate AS expected, b.amount - b.kwh * t.rate AS difference, abs(b.amount - b.kwh * t.rate) > 0.01 AS wrong
FROM bills b JOIN sites s ON s.site_id = b.site_id
LEFT JOIN tariffs t ON t.plan = b.plan AND t.region = s.region AND to_date(b.period, 'yyyy-MM') BETWEEN t.valid_from AND coalesce(t.valid_to, DATE'9999-12-31')
-> bill_id: bills.bill_id
-> expected: bills.kwh, tariffs.rate
-> difference: bills.amount, .kwh, tariffs.rate
-> wrong: bills.amount, .kwh, tariffs.rate
-> rows: JOIN sites.site_id, bills.site_id, .plan, .period, tariffs.plan, .region, .valid_from, .valid_to, sites.region
# utility: a checked model
SELECT 'bills_unique' AS test, count(*) AS failures FROM (SELECT bill_id FROM bills WHERE bill_id IS NOT NULL GROUP BY bill_id HAVING count(*) > 1)
UNION ALL SELECT 'bills_site_exists', count(*) FROM bills b WHERE NOT EXISTS (SELECT 1 FROM sites s WHERE s.site_id = b.site_id)
UNION ALL SELECT 'bills_positive', count(CASE WHEN amount < 0 THEN 1 END) FROM bills
-> test: -
-> failures: -; IF bills.amount
-> rows: GROUP_BY bills.bill_id; FILTER bills.bill_id; JOIN bills.site_id, sites.site_id
# utility: days without readings
SELECT d.day, m.meter_id FROM (SELECT explode(sequence(DATE'2026-01-01', DATE'2026-01-31', INTERVAL 1 DAY)) AS day) d CROSS JOIN meters m
LEFT ANTI JOIN readings r ON r.meter_id = m.meter_id AND r.day = d.day
-> day: -
-> meter_id: meters.meter_id
-> rows: JOIN meters.meter_id, readings.meter_id, .day
# utility: last value carried forward
SELECT meter_id, day, last_value(nullif(kwh, 0)) IGNORE NULLS OVER (PARTITION BY meter_id ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS kwh FROM readings
-> meter_id: readings.meter_id
-> day: readings.day
-> kwh: readings.kwh; IF readings.kwh; WINDOW readings.meter_id, .day
# utility: moving averages and shares
SELECT meter_id, day, avg(kwh) OVER w AS week, kwh / sum(kwh) OVER (PARTITION BY day) AS share, kwh - first_value(kwh) OVER w AS growth FROM readings WINDOW w AS (PARTITION BY meter_id ORDER BY day ROWS 6 PRECEDING)
-> meter_id: readings.meter_id
-> day: readings.day
-> week: readings.kwh; WINDOW readings.meter_id, .day
-> share: readings.kwh; WINDOW readings.day
-> growth: readings.kwh; WINDOW readings.meter_id, .day
# utility: outliers by percentiles
WITH limits AS (SELECT meter_id, percentile_approx(kwh, 0.05) AS lo, percentile_approx(kwh, 0.95) AS hi FROM readings GROUP BY meter_id)
SELECT r.meter_id, r.read_at, least(greatest(r.kwh, l.lo), l.hi) AS clipped, r.kwh NOT BETWEEN l.lo AND l.hi AS is_outlier FROM readings r JOIN limits l ON r.meter_id = l.meter_id
-> meter_id: readings.meter_id
-> read_at: readings.read_at
-> clipped: readings.kwh
-> is_outlier: readings.kwh
-> rows: JOIN readings.meter_id; GROUP_BY readings.meter_id
# utility: key values in text
SELECT meter_id, str_to_map(raw, ';', '=')['a'] AS a, try_cast(regexp_extract(raw, '(^|;)b=([0-9]+)', 2) AS INT) AS b, size(split(raw, ';')) AS parts FROM readings WHERE raw <> ''
-> meter_id: readings.meter_id
-> a: readings.raw
-> b: readings.raw
-> parts: readings.raw
-> rows: FILTER readings.raw
# utility: wide to long
SELECT site_id, what, value FROM bills LATERAL VIEW stack(2, 'energy', kwh, 'money', amount) x AS what, value WHERE value > 0
-> site_id: bills.site_id
-> what: -
-> value: bills.kwh, .amount
-> rows: FILTER bills.kwh, .amount
# utility: long to wide by hand
SELECT site_id, max(CASE WHEN period = '2026-01' THEN amount END) AS `2026-01`, max(amount) FILTER (WHERE period = '2026-02') AS `2026-02`, sum(if(paid, amount, 0)) AS `paid, total` FROM bills GROUP BY site_id
-> site_id: bills.site_id
-> 2026-01: bills.amount; IF bills.period
-> 2026-02: bills.amount; IF bills.period
-> paid, total: bills.amount; IF bills.paid
-> rows: GROUP_BY bills.site_id
# utility: rollup with labels
SELECT CASE WHEN grouping(s.region) = 1 THEN 'all' ELSE s.region END AS region, coalesce(b.plan, 'any') AS plan, sum(b.amount) AS amount FROM bills b JOIN sites s ON s.site_id = b.site_id GROUP BY ROLLUP (s.region, b.plan)
-> region: sites.region; IF ?sites.region
-> plan: bills.plan; IF bills.plan
-> amount: bills.amount
-> rows: JOIN bills.site_id, sites.site_id; GROUP_BY sites.region, bills.plan
# utility: nearest sites
SELECT a.site_id, b.site_id AS near, round(2 * 6371 * asin(sqrt(pow(sin(radians(b.lat - a.lat) / 2), 2) + cos(radians(a.lat)) * cos(radians(b.lat)) * pow(sin(radians(b.lon - a.lon) / 2), 2))), 3) AS km
FROM sites a JOIN sites b ON a.site_id < b.site_id AND a.region = b.region ORDER BY km LIMIT 10
-> site_id: sites.site_id
-> near: sites.site_id
-> km: sites.lat, .lon
-> rows: JOIN sites.site_id, .region; SORT sites.lat, .lon
# utility: masked export
CREATE TABLE mart.export_sites USING parquet AS SELECT sha2(lower(email), 256) AS email_hash, concat(left(customer, 1), '***') AS customer, mask(email) AS masked, concat(round(lat, 1), ';', round(lon, 1)) AS place FROM sites WHERE NOT array_contains(flags, 'secret')
-> email_hash: sites.email
-> customer: sites.customer
-> masked: sites.email
-> place: sites.lat, .lon
-> rows: FILTER sites.flags
-> to: mart.export_sites
# utility: recent bills of chosen plans
SELECT * FROM bills WHERE plan IN (SELECT plan FROM tariffs WHERE rate < 0.5) AND due >= date_trunc('month', current_date()) - INTERVAL 3 MONTHS AND NOT paid
-> = bills: bill_id, site_id, plan, period, kwh, amount, paid, due
-> rows: JOIN bills.plan, tariffs.plan; FILTER tariffs.rate, bills.due, bills.paid
# utility: totals per period with a running sum
SELECT period, sum(amount) AS amount, sum(sum(amount)) OVER (ORDER BY period) AS so_far, sum(amount) - lag(sum(amount), 1, 0.0) OVER (ORDER BY period) AS change FROM bills GROUP BY period ORDER BY period
-> period: bills.period
-> amount: bills.amount
-> so_far: bills.amount; WINDOW bills.period
-> change: bills.amount; WINDOW bills.period
-> rows: GROUP_BY bills.period; SORT bills.period
# utility: text of all meters
SELECT s.site_id, concat_ws(', ', sort_array(collect_set(concat(m.serial, ' (', m.spec.maker, ')')))) AS meters, array_join(transform(s.flags, f -> concat('[', f, ']')), ', ') AS flags FROM sites s JOIN meters m ON m.site_id = s.site_id GROUP BY s.site_id, s.flags
-> site_id: sites.site_id
-> meters: meters.serial, .spec.maker
-> flags: sites.flags
-> rows: JOIN sites.site_id, meters.site_id; GROUP_BY sites.site_id, .flags
# utility: scalar subqueries as columns
SELECT s.site_id, (SELECT count(*) FROM meters m WHERE m.site_id = s.site_id) AS meters, (SELECT sum(b.amount) FROM bills b WHERE b.site_id = s.site_id AND NOT b.paid) AS open_amount FROM sites s
-> site_id: sites.site_id
-> meters: -; IF ?meters.site_id
-> open_amount: bills.amount
-> rows: JOIN sites.site_id, meters.site_id, bills.site_id; FILTER bills.paid; MAY meters.site_id, bills.site_id
# utility: frame from a list of checks [code]
import functools
checks = {'no_kwh': 'kwh IS NULL', 'negative': 'kwh < 0', 'bad (quality)': "quality NOT IN ('ok', 'est')"}
frame = functools.reduce(lambda f, c: f.withColumn(c, F.expr(checks[c]).cast('int')), checks, spark.table('readings').select('meter_id', 'kwh', 'quality')).groupBy('meter_id').agg(*[F.sum(c).alias(c) for c in checks])
-> meter_id: readings.meter_id
-> no_kwh: readings.kwh
-> negative: readings.kwh
-> bad (quality): readings.quality
-> rows: GROUP_BY readings.meter_id
# utility: chained transforms [code]
def clean(f): return f.filter(F.col('quality') != 'bad').withColumn('kwh', F.when(F.col('kwh') < 0, F.lit(0.0)).otherwise(F.col('kwh')))
def daily(f): return f.groupBy('meter_id', F.to_date('read_at').alias('on')).agg(F.sum('kwh').alias('kwh'), F.countDistinct('read_at').alias('n'))
frame = spark.table('readings').transform(clean).transform(daily).withColumnRenamed('kwh', 'kWh total')
-> meter_id: readings.meter_id
-> on: readings.read_at
-> kWh total: readings.kwh; IF readings.kwh
-> n: readings.read_at
-> rows: FILTER readings.quality; GROUP_BY readings.meter_id, .read_at
# utility: union of a list of frames [code]
from functools import reduce
frames = [spark.table('bills').where(F.col('period') == p).select('site_id', F.col('amount').alias(f'amount'), F.lit(p).alias('p')) for p in ('2026-01', '2026-02', '2026-03')]
frame = reduce(lambda a, b: a.unionByName(b), frames).groupBy('site_id').pivot('p', ['2026-01', '2026-02']).sum('amount')
-> site_id: bills.site_id
-> 2026-01: bills.amount; IF ?bills.period
-> 2026-02: bills.amount; IF ?bills.period
-> rows: FILTER bills.period; GROUP_BY bills.site_id
# utility: columns chosen by their types [code]
t = spark.table('bills')
frame = t.select('bill_id', *[F.round(c, 1).alias(f'{c}_rounded') for c, k in t.dtypes if k == 'double'], *[F.upper(c).alias(f'{c}#1, x') for c, k in t.dtypes if k == 'string'])
-> bill_id: bills.bill_id
-> kwh_rounded: bills.kwh
-> amount_rounded: bills.amount
-> plan#1, x: bills.plan
-> period#1, x: bills.period
# utility: frames with aliases [code]
b, s = spark.table('bills').alias('b'), spark.table('sites').alias('s')
frame = b.join(s, F.col('b.site_id') == F.col('s.site_id'), 'left').filter(F.col('s.region').isin('n', 's')).select('b.*', F.col('s.region').alias('where'), F.expr("concat(s.customer, ' <', s.email, '>') AS contact"))
-> = bills: bill_id, site_id, plan, period, kwh, amount, paid, due
-> where: sites.region
-> contact: sites.customer, .email
-> rows: JOIN bills.site_id, sites.site_id; FILTER sites.region
# utility: latest row per key [code]
w = Window.partitionBy('meter_id').orderBy(F.col('read_at').desc_nulls_last(), F.length('raw'))
frame = spark.table('readings').withColumn('rn', F.row_number().over(w)).filter('rn = 1').drop('rn', 'raw')
-> = readings: meter_id, read_at, kwh, quality, day
-> rows: FILTER readings.meter_id, .read_at, .raw
# utility: a helper for ratios [code]
ratio = lambda a, b: F.when(F.col(b) != 0, F.col(a) / F.col(b))
frame = spark.table('bills').groupBy('plan').agg(F.sum('amount').alias('a'), F.sum('kwh').alias('k')).select('plan', ratio('a', 'k').alias('price [per kWh]'))
-> plan: bills.plan
-> price [per kWh]: bills.amount, .kwh; IF bills.kwh
-> rows: GROUP_BY bills.plan
# utility: an SQL template [code]
frame = spark.sql('SELECT {column} AS v, count(*) AS n FROM {t} WHERE {column} IS NOT NULL GROUP BY 1 ORDER BY n DESC, v'.format(column='quality', t='readings')).limit(5)
-> v: readings.quality
-> n: -
-> rows: FILTER readings.quality; GROUP_BY readings.quality; SORT readings.quality
# utility: written with partitions [code]
spark.table('bills').withColumn('year', F.substring('period', 1, 4).cast('int')).join(F.broadcast(spark.table('sites').select('site_id', 'region')), 'site_id').write.mode('overwrite').partitionBy('region', 'year').saveAsTable('mart.bills_by_region')
-> = bills: site_id, bill_id, plan, period, kwh, amount, paid, due
-> region: sites.region
-> year: bills.period
-> rows: JOIN bills.site_id, sites.site_id
-> to: mart.bills_by_region
# utility: comparing two tables [code]
a, b = spark.table('bills').select('bill_id', 'amount'), spark.table('bills').selectExpr('bill_id', 'kwh * 0.3 AS amount')
frame = a.alias('a').join(b.alias('b'), 'bill_id', 'full_outer').where(~F.col('a.amount').eqNullSafe(F.col('b.amount'))).select('bill_id', F.coalesce(F.col('a.amount'), F.col('b.amount')).alias('v'))
-> bill_id: bills.bill_id; IF bills.bill_id
-> v: bills.amount, .kwh; IF bills.amount, .kwh
-> rows: JOIN bills.bill_id; FILTER bills.amount, .kwh
# utility: nested output [code]
frame = spark.table('meters').groupBy('site_id').agg(F.collect_list(F.struct('serial', F.col('spec.phases').alias('p'), F.struct('installed', 'removed').alias('life'))).alias('meters')).select('site_id', F.to_json('meters').alias('json'), F.expr('aggregate(meters, 0, (a, m) -> a + m.p)').alias('phases'))
-> site_id: meters.site_id
-> json: meters.serial, .spec.phases, .installed, .removed
-> phases: meters.spec.phases
-> rows: GROUP_BY meters.site_id
# utility: buckets [code]
frame = spark.table('readings').select('meter_id', F.expr("width_bucket(kwh, 0, 10, 5)").alias('bucket'), F.ntile(4).over(Window.orderBy('kwh')).alias('quartile')).groupBy('bucket').agg(F.max('quartile').alias('q'), F.approx_count_distinct('meter_id').alias('meters'))
-> bucket: readings.kwh
-> q: -; WINDOW readings.kwh
-> meters: readings.meter_id
-> rows: GROUP_BY readings.kwh
# utility: cubes of a frame [code]
frame = spark.table('bills').cube('plan', 'paid').agg(F.grouping_id().alias('level'), F.sum('amount').alias('amount')).where('level < 3')
-> plan: bills.plan
-> paid: bills.paid
-> level: -
-> amount: bills.amount
-> rows: GROUP_BY bills.plan, .paid
# utility: insertInto [code]
spark.table('readings').where('day >= DATE\'2026-01-01\'').groupBy('meter_id', 'day').agg(F.sum('kwh').alias('k')).select(F.concat_ws('/', 'meter_id', 'day'), 'meter_id', 'day', 'k', F.current_timestamp()).write.insertInto('mart.fct_usage', overwrite=True)
-> usage_key: readings.meter_id, .day
-> meter_id: readings.meter_id
-> day: readings.day
-> kwh: readings.kwh
-> loaded_at: -
-> rows: FILTER readings.day; GROUP_BY readings.meter_id, .day
-> to: mart.fct_usage
