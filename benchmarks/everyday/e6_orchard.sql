# farmed: a database
CREATE DATABASE IF NOT EXISTS agr
# farmed: plots
CREATE TABLE agr.plots (plot_id BIGINT, grower_id BIGINT, crop STRING, soil STRING, area DOUBLE, slope DOUBLE, remark STRING, planted DATE, corner STRUCT<lat: DOUBLE, lon: DOUBLE>, samples ARRAY<STRUCT<depth: INT, ph: DOUBLE>>, tags MAP<STRING, STRING>) USING parquet
# farmed: growers
CREATE TABLE agr.growers (grower_id BIGINT, grower STRING, village STRING, phone STRING, bank STRING, joined DATE) USING parquet
# farmed: deliveries
CREATE TABLE agr.deliveries (delivery_id BIGINT, plot_id BIGINT, grade STRING, tons DOUBLE, price DOUBLE, moisture DOUBLE, memo STRING, at TIMESTAMP, season STRING, week INT) USING orc PARTITIONED BY (season, week)
# farmed: silos
CREATE TABLE agr.silos (silo STRING, village STRING, capacity DOUBLE, keeper STRING) USING json
# farmed: rows of plots
INSERT INTO agr.plots VALUES (1, 10, 'apple', 'loam', 2.5, 0.1, 'old (wall', DATE '2019-03-01', named_struct('lat', 46.0D, 'lon', 11.0D), array(named_struct('depth', 10, 'ph', 6.5D)), map('irrigation', 'drip')), (2, 11, 'pear', 'clay', 1.5, 0.3, '[leased', DATE '2020-03-01', named_struct('lat', 46.1D, 'lon', 11.1D), array(named_struct('depth', 20, 'ph', 7.1D)), map('irrigation', 'none'))
# farmed: rows of growers
INSERT INTO agr.growers VALUES (10, 'eva', 'lana', '1', 'b1', NULL), (11, 'max', 'tramin', '2', 'b2', NULL)
# farmed: rows of deliveries
INSERT INTO agr.deliveries VALUES (1, 1, 'A', 3.0, 400.0, 0.12, 'ok', NULL, '2023', 36), (2, 2, 'B (juice)', 5.0, 120.0, 0.2, 'wet [rain', NULL, '2023', 37), (3, 1, 'A', 2.0, 410.0, 0.1, NULL, NULL, '2024', 36)
# farmed: rows of silos
INSERT INTO agr.silos VALUES ('s1', 'lana', 90.0, 'eva'), ('s2', 'tramin', 60.0, 'jo')
# farmed: weather of fifty readings [code]
spark.range(4).selectExpr("concat('st', id % 2) AS station", "concat('2023-05-0', id + 1) AS day", *[f'cast(id * {n} AS DOUBLE) AS reading_{n}' for n in range(1, 51)], "concat('fog (', id) AS comment").write.mode('overwrite').saveAsTable('agr.weather')
# farmed: a budget of thirty-four costs [code]
spark.range(4).selectExpr('id AS plot', 'id % 2 AS owner', *[f'cast(id + {n} AS DOUBLE) AS cost_{n}' for n in range(1, 35)], "'eur' AS currency", "concat('202', 3 + id % 2) AS season").write.mode('overwrite').partitionBy('season').saveAsTable('agr.budget')
# farmed: files [code]
for folder in ('lana', 'tramin', 'kaltern'):
    d = spark.range(3).selectExpr('id', 'id * 3 AS crates', "concat('v', id) AS variety", 'id % 2 AS organic')
    d.write.mode('overwrite').parquet(root + '/agr/pq/' + folder)
    d.write.mode('overwrite').json(root + '/agr/json/' + folder)
    d.write.mode('overwrite').option('header', True).csv(root + '/agr/csv/' + folder)
spark.range(6).selectExpr('id', 'id * 2 AS litres', "concat('p', id) AS pump", "concat('2023-0', 1 + id % 3) AS month").write.partitionBy('month').mode('overwrite').parquet(root + '/agr/water')
spark.range(3).selectExpr('id', *[f'id * {n} AS probe_{n}' for n in range(1, 41)], "concat('x [', id) AS site").write.mode('overwrite').parquet(root + '/agr/probes')
# farmed: revenue per village
CREATE TABLE agr.revenue USING parquet AS SELECT g.village, d.season, sum(d.tons * d.price) AS revenue, count(DISTINCT p.plot_id) AS plots, avg(d.moisture) AS moisture FROM agr.deliveries d JOIN agr.plots p ON d.plot_id = p.plot_id JOIN agr.growers g ON p.grower_id = g.grower_id WHERE d.memo NOT LIKE '%(void)%' GROUP BY g.village, d.season
-> village: growers.village
-> season: deliveries.season
-> revenue: deliveries.tons, .price
-> plots: plots.plot_id
-> moisture: deliveries.moisture
-> rows: FILTER deliveries.memo; JOIN deliveries.plot_id, plots.plot_id, .grower_id, growers.grower_id; GROUP_BY growers.village, deliveries.season; MAY deliveries.plot_id, plots.plot_id, .grower_id, growers.grower_id
-> to: revenue
# farmed: weather with an index [code]
spark.table('agr.weather').withColumn('heat', F.expr('reading_1 * 0.5 + reading_48')).withColumn('day_of', F.to_date('day')).write.mode('overwrite').saveAsTable('agr.weather_heat')
-> = weather: station, day, reading_{1..50}, comment
-> heat: weather.reading_1, .reading_48
-> day_of: weather.day
-> to: weather_heat
# farmed: weather scaled in bulk [code]
d = spark.table('agr.weather')
d.select('station', 'day', *[(F.col(f'reading_{n}') / 10).alias(f'scaled_{n}') for n in range(1, 51)]).write.mode('overwrite').parquet(root + '/out/a_scaled')
-> station: weather.station
-> day: weather.day
-> scaled_{1..50}: weather.reading_{}
-> to: a_scaled
# farmed: scaled weather read again [code]
spark.read.parquet(root + '/out/a_scaled').where('scaled_50 > -1').select('station', 'scaled_1', 'scaled_49').write.mode('overwrite').saveAsTable('agr.scaled_few')
-> station: a_scaled.station
-> scaled_1: a_scaled.scaled_1
-> scaled_49: a_scaled.scaled_49
-> rows: FILTER a_scaled.scaled_50
-> to: scaled_few
# farmed: two readings swapped at the end [code]
d = spark.table('agr.weather')
d.withColumn('reading_49', F.col('reading_50')).withColumn('reading_2', F.expr('reading_2 + reading_3')).write.mode('overwrite').saveAsTable('agr.weather_fixed')
-> = weather: station, day, reading_1
-> reading_2: weather.reading_2, .reading_3
-> = weather: reading_{3..48}
-> reading_49: weather.reading_50
-> reading_50: weather.reading_50
-> comment: weather.comment
-> to: weather_fixed
# farmed: a column dropped from the middle [code]
spark.table('agr.weather').drop('reading_10', 'comment').where("day <> '(none'").write.mode('overwrite').saveAsTable('agr.weather_less')
-> = weather: station, day, reading_{1..9}, reading_{11..50}
-> rows: FILTER weather.day
-> to: weather_less
# farmed: a column renamed at the end [code]
spark.table('agr.weather').withColumnRenamed('comment', 'notes').withColumnRenamed('reading_40', 'rain').write.mode('overwrite').saveAsTable('agr.weather_named')
-> = weather: station, day, reading_{1..39}
-> rain: weather.reading_40
-> = weather: reading_{41..50}
-> notes: weather.comment
-> to: weather_named
# farmed: nulls filled in all readings [code]
spark.table('agr.weather').na.fill(0.0).write.mode('overwrite').saveAsTable('agr.weather_filled')
-> = weather: station, day
-> reading_{1..50}: weather.reading_{}; IF weather.reading_{}
-> comment: weather.comment
-> to: weather_filled
# farmed: weather joined with its silo, all columns [code]
w = spark.table('agr.weather').withColumn('village', F.expr("case when station = 'st0' then 'lana' else 'tramin' end"))
w.join(spark.table('agr.silos'), 'village', 'left').write.mode('overwrite').saveAsTable('agr.weather_silos')
-> village: -; IF weather.station
-> = weather: station, day, reading_{1..50}, comment
-> = silos: silo, capacity, keeper
-> rows: JOIN weather.station, silos.village
-> to: weather_silos
# farmed: budget totals [code]
d = spark.table('agr.budget')
total = d['cost_1']
for n in range(2, 35):
    total = total + d[f'cost_{n}']
d.withColumn('total', total).where("currency = 'eur'").select('plot', 'owner', 'total').write.mode('overwrite').saveAsTable('agr.totals')
-> plot: budget.plot
-> owner: budget.owner
-> total: budget.cost_{1..34}
-> rows: FILTER budget.currency
-> to: totals
# farmed: budget of each owner summed [code]
spark.table('agr.budget').groupBy('owner', 'season').agg(*[F.sum(f'cost_{n}').alias(f'sum_{n}') for n in range(1, 35)]).write.mode('overwrite').partitionBy('season').saveAsTable('agr.budget_sums')
-> owner: budget.owner
-> sum_{1..34}: budget.cost_{}
-> season: budget.season
-> rows: GROUP_BY budget.owner, .season
-> to: budget_sums
# farmed: budget overwritten for a season [code]
spark.conf.set('spark.sql.sources.partitionOverwriteMode', 'dynamic')
spark.table('agr.budget_sums').where("season = '2023'").selectExpr('owner', *[f'sum_{n} * 1.1 AS sum_{n}' for n in range(1, 35)], 'season').createOrReplaceTempView('a_raised')
spark.sql('CREATE TABLE agr.budget_next LIKE agr.budget_sums')
spark.sql('INSERT OVERWRITE TABLE agr.budget_next SELECT * FROM a_raised')
spark.conf.unset('spark.sql.sources.partitionOverwriteMode')
-> owner: budget_sums.owner
-> sum_{1..34}: budget_sums.sum_{}
-> season: budget_sums.season
-> rows: FILTER budget_sums.season
-> to: budget_next
# farmed: the budget cached and grouped [code]
b = spark.table('agr.budget').where("currency <> 'usd ('").cache()
b.count()
b.groupBy('owner').agg(F.sum('cost_33').alias('c33'), F.max('cost_2').alias('c2')).write.mode('overwrite').saveAsTable('agr.owner_costs')
-> owner: budget.owner
-> c33: budget.cost_33
-> c2: budget.cost_2
-> rows: FILTER budget.currency; GROUP_BY budget.owner
-> to: owner_costs
# farmed: a cached wide projection, used twice [code]
p = spark.read.parquet(root + '/agr/probes').selectExpr('id', *[f'probe_{n} * 2 AS twice_{n}' for n in range(1, 41)], 'upper(site) AS site').cache()
p.where('twice_3 > 0').select('id', 'site', 'twice_38').write.mode('overwrite').saveAsTable('agr.probe_a')
-> id: probes.id
-> site: probes.site
-> twice_38: probes.probe_38
-> rows: FILTER probes.probe_3
-> to: probe_a
# farmed: probes by SQL path [code]
spark.sql(f"CREATE TABLE agr.probe_b USING parquet AS SELECT id, probe_39 - probe_40 AS change, concat(site, ']') AS site FROM parquet.`{root}/agr/probes` WHERE probe_30 >= 0")
-> id: probes.id
-> change: probes.probe_39, .probe_40
-> site: probes.site
-> rows: FILTER probes.probe_30
-> to: probe_b
# farmed: probes stacked into rows [code]
spark.read.parquet(root + '/agr/probes').selectExpr('id', 'stack(40, ' + ', '.join(f"'p{n}', probe_{n}" for n in range(1, 41)) + ') AS (probe, value)').where('value > 1').write.mode('overwrite').saveAsTable('agr.probe_rows')
-> id: probes.id
-> probe: -
-> value: probes.probe_{1..40}
-> rows: FILTER probes.probe_{1..40}
-> to: probe_rows
# farmed: a temp view over a temp view over a table [code]
spark.sql("CREATE OR REPLACE TEMPORARY VIEW a_one AS SELECT plot_id, crop, area * 10000 AS metres, grower_id FROM agr.plots WHERE remark <> 'x, ['")
spark.sql("CREATE OR REPLACE TEMPORARY VIEW a_two AS SELECT crop AS fruit, metres, grower_id FROM a_one WHERE metres > 5")
spark.sql("CREATE TABLE agr.by_fruit USING parquet AS SELECT fruit, village, sum(metres) AS metres FROM a_two t JOIN agr.growers g ON t.grower_id = g.grower_id GROUP BY fruit, village")
-> fruit: plots.crop
-> village: growers.village
-> metres: plots.area
-> rows: FILTER plots.remark, .area; JOIN plots.grower_id, growers.grower_id; GROUP_BY plots.crop, growers.village; MAY plots.grower_id, growers.grower_id
-> to: by_fruit
# farmed: a permanent view of all readings
CREATE VIEW agr.v_weather AS SELECT * FROM agr.weather WHERE station <> 'st ('
# farmed: a permanent view of the view
CREATE VIEW agr.v_hot AS SELECT station, day, reading_45 AS hot, reading_46 - reading_47 AS range FROM agr.v_weather
# farmed: through both views
CREATE TABLE agr.hot_days USING parquet AS SELECT day, max(hot) AS hot, avg(range) AS range FROM agr.v_hot GROUP BY day
-> day: weather.day
-> hot: weather.reading_45
-> range: weather.reading_46, .reading_47
-> rows: FILTER weather.station; GROUP_BY weather.day
-> to: hot_days
# farmed: the wide view copied
INSERT OVERWRITE DIRECTORY '/tmp/e6_out/weather' USING parquet SELECT * FROM agr.v_weather
-> = weather: station, day, reading_{1..50}, comment
-> rows: FILTER weather.station
-> to: weather
# farmed: a directory of a join
INSERT OVERWRITE DIRECTORY '/tmp/e6_out/prices' USING json SELECT p.crop, d.grade, d.price / d.tons AS per_ton FROM agr.deliveries d JOIN agr.plots p ON d.plot_id = p.plot_id WHERE d.season = '2023' AND d.grade <> 'C)'
-> crop: plots.crop
-> grade: deliveries.grade
-> per_ton: deliveries.price, .tons
-> rows: FILTER deliveries.season, .grade; JOIN deliveries.plot_id, plots.plot_id; MAY deliveries.plot_id, plots.plot_id
-> to: prices
# farmed: a static partition overwritten
CREATE TABLE agr.kept LIKE agr.deliveries
# farmed: one season overwritten
INSERT OVERWRITE TABLE agr.kept PARTITION (season = '2022', week = 1) SELECT delivery_id, plot_id, lower(grade), tons, coalesce(price, 0.0), moisture, memo, at FROM agr.deliveries WHERE season = '2023' AND week > 36
-> delivery_id: deliveries.delivery_id
-> plot_id: deliveries.plot_id
-> grade: deliveries.grade
-> tons: deliveries.tons
-> price: deliveries.price; IF deliveries.price
-> moisture: deliveries.moisture
-> memo: deliveries.memo
-> at: deliveries.at
-> season: -
-> week: -
-> rows: FILTER deliveries.season, .week
-> to: kept
# farmed: weeks written by the data
INSERT OVERWRITE TABLE agr.kept PARTITION (season = '2021', week) SELECT delivery_id, plot_id, grade, tons, price, moisture, memo, at, week + 1 FROM agr.deliveries
-> = deliveries: delivery_id, plot_id, grade, tons, price, moisture, memo, at
-> season: -
-> week: deliveries.week
-> to: kept
# farmed: two folders and a filter [code]
spark.read.parquet(root + '/agr/pq/lana', root + '/agr/pq/tramin').where("variety <> 'v)'").groupBy('organic').agg(F.sum('crates').alias('crates')).write.mode('overwrite').saveAsTable('agr.crates')
-> organic: lana.organic, tramin.organic
-> crates: lana.crates, tramin.crates
-> rows: FILTER lana.variety, tramin.variety; GROUP_BY lana.organic, tramin.organic
-> to: crates
# farmed: three folders of JSON joined to one of CSV [code]
j = spark.read.json([root + f'/agr/json/{f}' for f in ('lana', 'tramin', 'kaltern')])
c = spark.read.option('header', True).option('inferSchema', True).csv(root + '/agr/csv/kaltern')
frame = j.join(c.select('id', F.col('crates').alias('other')), 'id').select('id', 'variety', F.expr('crates - other').alias('gap'))
-> id: lana.id, tramin.id, kaltern.id
-> variety: lana.variety, tramin.variety, kaltern.variety
-> gap: lana.crates, tramin.crates, kaltern.crates
-> rows: JOIN lana.id, tramin.id, kaltern.id; MAY lana.id, tramin.id, kaltern.id
# farmed: pumps of a partitioned folder [code]
spark.read.parquet(root + '/agr/water').where("month in ('2023-01', '2023-02') and pump not like '%(%'").groupBy('month').agg(F.max('litres').alias('most'), F.countDistinct('pump').alias('pumps')).write.mode('overwrite').parquet(root + '/out/a_water')
-> month: water.month
-> most: water.litres
-> pumps: water.pump
-> rows: FILTER water.month, .pump; GROUP_BY water.month
-> to: a_water
# farmed: grades pivoted by SQL
CREATE TABLE agr.grades USING parquet AS SELECT * FROM (SELECT season, grade, tons, price FROM agr.deliveries) PIVOT (sum(tons) AS t, max(price) AS p FOR grade IN ('A' AS a, 'B (juice)' AS b))
-> season: deliveries.season
-> a_t: deliveries.tons; IF deliveries.grade
-> a_p: deliveries.price; IF deliveries.grade
-> b_t: deliveries.tons; IF deliveries.grade
-> b_p: deliveries.price; IF deliveries.grade
-> rows: GROUP_BY deliveries.season; MAY deliveries.grade
-> to: grades
# farmed: weeks pivoted by the frame [code]
spark.table('agr.deliveries').groupBy('season', 'grade').pivot('week', [36, 37, 38]).agg(F.sum('tons')).write.mode('overwrite').saveAsTable('agr.weeks')
-> season: deliveries.season
-> grade: deliveries.grade
-> 36: deliveries.tons; IF deliveries.week
-> 37: deliveries.tons; IF deliveries.week
-> 38: deliveries.tons; IF deliveries.week
-> rows: GROUP_BY deliveries.season, .grade; MAY deliveries.week
-> to: weeks
# farmed: windows over deliveries
CREATE TABLE agr.trend USING parquet AS SELECT delivery_id, price - lag(price) OVER (PARTITION BY plot_id ORDER BY at) AS change, sum(tons) OVER (PARTITION BY season ORDER BY at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS recent, ntile(4) OVER (ORDER BY moisture) AS quarter, first_value(grade) OVER (PARTITION BY plot_id ORDER BY at) AS first_grade FROM agr.deliveries WHERE memo IS NULL OR memo <> '([)'
-> delivery_id: deliveries.delivery_id
-> change: deliveries.price; WINDOW deliveries.plot_id, .at
-> recent: deliveries.tons; WINDOW deliveries.season, .at
-> quarter: -; WINDOW deliveries.moisture
-> first_grade: deliveries.grade; WINDOW deliveries.plot_id, .at
-> rows: FILTER deliveries.memo
-> to: trend
# farmed: weather ranked by its station [code]
w = Window.partitionBy('station').orderBy(F.desc('reading_44'))
spark.table('agr.weather').withColumn('place', F.row_number().over(w)).withColumn('before', F.lag('reading_1').over(w)).write.mode('overwrite').saveAsTable('agr.weather_ranked')
-> = weather: station, day, reading_{1..50}, comment
-> place: -; WINDOW weather.station, .reading_44
-> before: weather.reading_1; WINDOW weather.station, .reading_44
-> to: weather_ranked
# farmed: the latest weather of a station [code]
w = Window.partitionBy('station').orderBy(F.col('day').desc())
spark.table('agr.weather').withColumn('rn', F.row_number().over(w)).filter('rn = 1').drop('rn').write.mode('overwrite').parquet(root + '/out/a_latest')
-> = weather: station, day, reading_{1..50}, comment
-> rows: FILTER weather.station, .day
-> to: a_latest
# farmed: structs, arrays and maps
CREATE TABLE agr.nested USING parquet AS SELECT plot_id, corner.lat AS lat, samples[0].ph AS ph, tags['irrigation'] AS irrigation, named_struct('lon', corner.lon, 'a [b', area) AS place, transform(samples, s -> s.depth * 2) AS depths FROM agr.plots WHERE size(samples) > 0
-> plot_id: plots.plot_id
-> lat: plots.corner.lat
-> ph: plots.samples.ph
-> irrigation: plots.tags
-> place: plots.corner.lon, .area
-> depths: plots.samples.depth
-> rows: FILTER plots.samples
-> to: nested
# farmed: samples exploded
CREATE TABLE agr.samples USING parquet AS SELECT p.plot_id, s.depth, s.ph, k AS tag, v AS setting FROM agr.plots p LATERAL VIEW explode(samples) t AS s LATERAL VIEW OUTER explode(tags) u AS k, v WHERE s.ph > 6 AND crop <> '(none'
-> plot_id: plots.plot_id
-> depth: plots.samples.depth
-> ph: plots.samples.ph
-> tag: plots.tags
-> setting: plots.tags
-> rows: FILTER plots.samples.ph, .crop; MAY plots.samples, .samples.depth
-> to: samples
# farmed: exploded by the frame [code]
frame = spark.table('agr.plots').select('plot_id', F.posexplode('samples').alias('n', 's')).select('plot_id', 'n', F.col('s.ph').alias('ph')).where('ph < 9')
-> plot_id: plots.plot_id
-> n: plots.samples
-> ph: plots.samples.ph
-> rows: FILTER plots.samples.ph; MAY plots.samples
# farmed: a Python function in a wide frame [code]
grade = F.udf(lambda a, b: 'hot [' if (a or 0) > (b or 0) else 'cold (')
spark.table('agr.weather').withColumn('feel', grade('reading_1', 'reading_30')).write.mode('overwrite').saveAsTable('agr.weather_feel')
-> = weather: station, day, reading_{1..50}, comment
-> feel: weather.reading_1, .reading_30
-> to: weather_feel
# farmed: a Python function in a filter [code]
clean = F.udf(lambda s: s is not None and '(' not in s, 'boolean')
spark.table('agr.plots').where(clean('remark')).select('plot_id', F.upper('crop').alias('crop'), 'area').write.mode('overwrite').saveAsTable('agr.clean_plots')
-> plot_id: plots.plot_id
-> crop: plots.crop
-> area: plots.area
-> rows: FILTER plots.remark
-> to: clean_plots
# farmed: a registered function in SQL [code]
spark.udf.register('short_name', lambda s: (s or '')[:3])
spark.sql("CREATE TABLE agr.short USING parquet AS SELECT grower_id, short_name(grower) AS short, short_name(concat(village, '(')) AS place FROM agr.growers WHERE joined IS NULL")
-> grower_id: growers.grower_id
-> short: growers.grower
-> place: growers.village
-> rows: FILTER growers.joined
-> to: short
# farmed: a long filter of a wide table
SELECT station, day FROM agr.weather WHERE comment NOT IN ('a (', 'b [', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l') AND reading_1 > -1 AND reading_2 > -1 AND reading_3 > -1 AND reading_25 > -1 AND reading_26 > -1 AND (reading_49 > 0 OR reading_50 < 1000) AND day BETWEEN '2023-01-01' AND '2023-12-31 (end)'
-> station: weather.station
-> day: weather.day
-> rows: FILTER weather.comment, .reading_1, .reading_2, .reading_3, .reading_25, .reading_26, .reading_49, .reading_50, .day
# farmed: a long list of cases
CREATE TABLE agr.named USING parquet AS SELECT plot_id, CASE crop WHEN 'apple' THEN concat('malus ', soil) WHEN 'pear' THEN 'pyrus [x]' WHEN 'plum (red)' THEN remark ELSE NULL END AS latin, if(area > 2 AND slope < 0.2, 'large, flat', 'other)') AS kind FROM agr.plots
-> plot_id: plots.plot_id
-> latin: plots.soil, .remark; IF plots.crop
-> kind: -; IF plots.area, .slope
-> to: named
# farmed: a union of three with literals
CREATE TABLE agr.people USING parquet AS SELECT grower AS name, 'grower [g]' AS role, village FROM agr.growers UNION ALL SELECT keeper, 'keeper (k)', village FROM agr.silos UNION ALL SELECT upper(keeper), 'again', 'none' FROM agr.silos WHERE capacity > 70
-> name: growers.grower, silos.keeper
-> role: -
-> village: growers.village, silos.village
-> rows: FILTER silos.capacity
-> to: people
# farmed: a distinct of a wide union [code]
a = spark.table('agr.weather_fixed').where("station = 'st0'")
b = spark.table('agr.weather_filled').where("station = 'st1'")
a.unionByName(b).write.mode('overwrite').saveAsTable('agr.weather_both')
-> station: weather_fixed.station, weather_filled.station
-> day: weather_fixed.day, weather_filled.day
-> reading_{1..50}: weather_fixed.reading_{}, weather_filled.reading_{}
-> comment: weather_fixed.comment, weather_filled.comment
-> rows: FILTER weather_fixed.station, weather_filled.station
-> to: weather_both
# farmed: duplicates dropped of a wide table [code]
spark.table('agr.weather_both').dropDuplicates(['station', 'day']).select('station', 'day', 'reading_50').write.mode('overwrite').saveAsTable('agr.weather_once')
-> station: weather_both.station
-> day: weather_both.day
-> reading_50: weather_both.reading_50
-> rows: GROUP_BY weather_both.station, .day
-> to: weather_once
# farmed: a semi and an anti join
CREATE TABLE agr.idle USING parquet AS SELECT p.plot_id, p.crop FROM agr.plots p LEFT ANTI JOIN (SELECT plot_id FROM agr.deliveries WHERE season = '2024') d ON p.plot_id = d.plot_id WHERE p.grower_id IN (SELECT grower_id FROM agr.growers WHERE village <> 'x ]')
-> plot_id: plots.plot_id
-> crop: plots.crop
-> rows: FILTER deliveries.season, growers.village; JOIN plots.plot_id, deliveries.plot_id, plots.grower_id, growers.grower_id; MAY deliveries.plot_id, growers.grower_id, plots.grower_id
-> to: idle
# farmed: above the average of its season
SELECT delivery_id, tons FROM agr.deliveries d WHERE price > (SELECT avg(price) FROM agr.deliveries e WHERE e.season = d.season)
-> delivery_id: deliveries.delivery_id
-> tons: deliveries.tons
-> rows: JOIN deliveries.season, .price; MAY deliveries.price
# farmed: steps in a WITH clause
WITH sums AS (SELECT plot_id, sum(tons) AS tons FROM agr.deliveries GROUP BY plot_id), big AS (SELECT plot_id, tons FROM sums WHERE tons > 1) SELECT p.crop, sum(b.tons) AS tons, max(p.area) AS area FROM big b JOIN agr.plots p ON p.plot_id = b.plot_id GROUP BY p.crop ORDER BY tons DESC LIMIT 5
-> crop: plots.crop
-> tons: deliveries.tons
-> area: plots.area
-> rows: FILTER deliveries.tons; JOIN plots.plot_id, deliveries.plot_id; GROUP_BY deliveries.plot_id, plots.crop; SORT deliveries.tons; MAY plots.plot_id, deliveries.plot_id
# farmed: rollup with a grouping
CREATE TABLE agr.rolled USING parquet AS SELECT season, grade, grouping(grade) AS g, sum(tons) AS tons, count(price) AS n FROM agr.deliveries GROUP BY season, grade WITH ROLLUP
-> season: deliveries.season
-> grade: deliveries.grade
-> g: -
-> tons: deliveries.tons
-> n: deliveries.price
-> rows: GROUP_BY deliveries.season, .grade
-> to: rolled
# farmed: several distinct counts
SELECT season, count(DISTINCT plot_id) AS plots, count(DISTINCT grade, week) AS kinds, sum(DISTINCT price) AS prices, min(memo) AS memo FROM agr.deliveries GROUP BY season HAVING sum(tons) > 1
-> season: deliveries.season
-> plots: deliveries.plot_id
-> kinds: deliveries.grade, .week
-> prices: deliveries.price
-> memo: deliveries.memo
-> rows: GROUP_BY deliveries.season; FILTER deliveries.tons
# farmed: a full outer join of seasons
CREATE TABLE agr.compared USING parquet AS SELECT coalesce(a.plot_id, b.plot_id) AS plot_id, b.tons - a.tons AS growth FROM (SELECT plot_id, sum(tons) AS tons FROM agr.deliveries WHERE season = '2023' GROUP BY plot_id) a FULL OUTER JOIN (SELECT plot_id, sum(tons) AS tons FROM agr.kept WHERE season <> '2023' GROUP BY plot_id) b ON a.plot_id = b.plot_id
-> plot_id: deliveries.plot_id, kept.plot_id; IF deliveries.plot_id, ?kept.plot_id
-> growth: kept.tons, deliveries.tons
-> rows: FILTER deliveries.season, kept.season; JOIN deliveries.plot_id, kept.plot_id; GROUP_BY deliveries.plot_id, kept.plot_id
-> to: compared
# farmed: a wide fact of plots, growers and deliveries
CREATE TABLE agr.fact USING parquet AS SELECT d.delivery_id, d.grade, d.tons, d.price, d.moisture, d.memo, d.at, d.season, d.week, p.plot_id, p.crop, p.soil, p.area, p.slope, p.remark, p.planted, p.corner.lat AS lat, p.corner.lon AS lon, g.grower_id, g.grower, g.village, g.phone, g.bank, g.joined, d.tons * d.price AS worth, d.tons / p.area AS yield, concat(g.grower, ' (', g.village, ')') AS who, s.silo, s.capacity - d.tons AS room FROM agr.deliveries d JOIN agr.plots p ON d.plot_id = p.plot_id LEFT JOIN agr.growers g ON p.grower_id = g.grower_id LEFT JOIN agr.silos s ON s.village = g.village
-> = deliveries: delivery_id, grade, tons, price, moisture, memo, at, season, week
-> = plots: plot_id, crop, soil, area, slope, remark, planted
-> lat: plots.corner.lat
-> lon: plots.corner.lon
-> = growers: grower_id, grower, village, phone, bank, joined
-> worth: deliveries.tons, .price
-> yield: deliveries.tons, plots.area
-> who: growers.grower, .village
-> silo: silos.silo
-> room: silos.capacity, deliveries.tons
-> rows: JOIN deliveries.plot_id, plots.plot_id, .grower_id, growers.grower_id, silos.village, growers.village; MAY deliveries.plot_id, plots.plot_id, growers.grower_id, silos.village
-> to: fact
# farmed: the same fact by the frame [code]
d, p, g = spark.table('agr.deliveries'), spark.table('agr.plots'), spark.table('agr.growers')
f = d.join(p, 'plot_id').join(g, 'grower_id', 'left')
f.withColumn('worth', F.expr('tons * price')).withColumn('label', F.concat_ws(' [', 'crop', 'soil')).withColumn('late', F.expr('week > 40')).write.mode('overwrite').saveAsTable('agr.fact_f')
-> grower_id: plots.grower_id
-> plot_id: deliveries.plot_id
-> = deliveries: delivery_id, grade, tons, price, moisture, memo, at, season, week
-> = plots: crop, soil, area, slope, remark, planted, corner, samples, tags
-> = growers: grower, village, phone, bank, joined
-> worth: deliveries.tons, .price
-> label: plots.crop, .soil
-> late: deliveries.week
-> rows: JOIN deliveries.plot_id, plots.plot_id, .grower_id, growers.grower_id; MAY deliveries.plot_id, plots.plot_id, growers.grower_id
-> to: fact_f
# farmed: a fact cached and reported [code]
spark.table('agr.fact').where("who <> ') ('").cache().createOrReplaceTempView('a_fact')
spark.sql("CREATE TABLE agr.report USING parquet AS SELECT village, season, sum(worth) AS worth, max(yield) AS yield, collect_set(silo) AS silos FROM a_fact WHERE room > 0 GROUP BY village, season")
-> village: fact.village
-> season: fact.season
-> worth: fact.worth
-> yield: fact.yield
-> silos: fact.silo
-> rows: FILTER fact.who, .room; GROUP_BY fact.village, .season
-> to: report
# farmed: insertInto of a wide table [code]
spark.sql('CREATE TABLE agr.weather_log LIKE agr.weather')
spark.table('agr.weather').where("day > '2023-05-01'").write.insertInto('agr.weather_log')
-> = weather: station, day, reading_{1..50}, comment
-> rows: FILTER weather.day
-> to: weather_log
# farmed: insertInto with a computed column [code]
d = spark.table('agr.weather')
d.select('station', 'day', *[f'reading_{n}' for n in range(1, 51)], F.upper('comment')).write.insertInto('agr.weather_log')
-> = weather: station, day, reading_{1..50}
-> comment: weather.comment
-> to: weather_log
# farmed: sorted, limited, renamed [code]
spark.table('agr.growers').toDF('id', 'name', 'place', 'tel', 'iban', 'since').orderBy(F.desc('since'), 'name').limit(3).select('id', F.sha2('iban', 256).alias('iban')).write.mode('overwrite').json(root + '/out/a_top')
-> id: growers.grower_id
-> iban: growers.bank
-> rows: SORT growers.joined, .grower
-> to: a_top
# farmed: a Hive table of text [hive]
CREATE TABLE agr.h_log (line BIGINT, who STRING, what STRING, tons DOUBLE) PARTITIONED BY (day STRING) STORED AS TEXTFILE
# farmed: rows of the Hive table [hive]
INSERT INTO agr.h_log PARTITION (day = '2023-05-01') VALUES (1, 'eva', 'in (a', 2.0), (2, 'max', 'out [b', 1.0)
# farmed: a Hive table grouped [hive]
CREATE TABLE agr.h_sum USING parquet AS SELECT who, day, sum(if(what LIKE 'in%', tons, -tons)) AS balance FROM agr.h_log WHERE day >= '2023-05-01' AND what <> '[' GROUP BY who, day
-> who: h_log.who
-> day: h_log.day
-> balance: h_log.tons; IF h_log.what
-> rows: FILTER h_log.day, .what; GROUP_BY h_log.who, .day
-> to: h_sum
# farmed: a Hive table for ORC [hive]
CREATE TABLE agr.h_orc (line BIGINT, who STRING, tons DOUBLE) PARTITIONED BY (day STRING) STORED AS ORC
# farmed: a Hive partition overwritten [hive]
INSERT OVERWRITE TABLE agr.h_orc PARTITION (day = '2023-05-02') SELECT line, initcap(who), tons * 1000 FROM agr.h_log WHERE day = '2023-05-01'
-> line: h_log.line
-> who: h_log.who
-> tons: h_log.tons
-> day: -
-> rows: FILTER h_log.day
-> to: h_orc
# farmed: a cached Hive table joined [code] [hive]
spark.sql("CACHE TABLE h_in AS SELECT line, who, tons, day FROM agr.h_log WHERE what <> '('")
spark.sql('CREATE TABLE agr.h_both USING parquet AS SELECT i.who, o.tons - i.tons AS lost FROM h_in i JOIN agr.h_orc o ON i.line = o.line')
-> who: h_log.who
-> lost: h_orc.tons, h_log.tons
-> rows: FILTER h_log.what; JOIN h_log.line, h_orc.line; MAY h_log.line, h_orc.line
-> to: h_both
# farmed: a wide Hive table [code] [hive]
spark.sql('CREATE TABLE agr.h_wide (id BIGINT, ' + ', '.join(f'v{n} DOUBLE' for n in range(1, 36)) + ', note STRING) STORED AS PARQUET')
spark.sql('INSERT INTO agr.h_wide SELECT id, ' + ', '.join(f'CAST(id + {n} AS DOUBLE)' for n in range(1, 36)) + ", 'n (' FROM range(3)")
spark.table('agr.h_wide').withColumn('mean', F.expr('(v1 + v35) / 2')).where("note <> ')'").write.mode('overwrite').saveAsTable('agr.h_wide_mean')
-> = h_wide: id, v{1..35}, note
-> mean: h_wide.v1, .v35
-> rows: FILTER h_wide.note
-> to: h_wide_mean
# farmed: unpivoted by SQL [from 3.4]
CREATE TABLE agr.long USING parquet AS SELECT plot, season, kind, cost FROM (SELECT plot, season, cost_1, cost_2, cost_34 FROM agr.budget) UNPIVOT (cost FOR kind IN (cost_1, cost_2, cost_34)) WHERE cost > 3
-> plot: budget.plot
-> season: budget.season
-> kind: -
-> cost: budget.cost_1, .cost_2, .cost_34
-> rows: FILTER budget.cost_1, .cost_2, .cost_34
-> to: long
# farmed: a lateral join [from 3.2]
SELECT g.grower, x.tons FROM agr.growers g, LATERAL (SELECT sum(p.area) AS tons FROM agr.plots p WHERE p.grower_id = g.grower_id AND p.crop <> '(') x
-> grower: growers.grower
-> tons: plots.area
-> rows: FILTER plots.crop; JOIN growers.grower_id, plots.grower_id; GROUP_BY plots.grower_id; MAY growers.grower_id, plots.grower_id
# farmed: pipes [from 4.0]
FROM agr.deliveries |> WHERE memo <> '(' |> AGGREGATE sum(tons) AS tons GROUP BY grade |> WHERE tons > 1 |> SELECT grade, tons * 2 AS double
-> grade: deliveries.grade
-> double: deliveries.tons
-> rows: FILTER deliveries.memo, .tons; GROUP_BY deliveries.grade
