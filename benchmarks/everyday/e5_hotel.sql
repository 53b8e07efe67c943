# lodged: a database
CREATE DATABASE IF NOT EXISTS htl
# lodged: bookings
CREATE TABLE htl.bookings (booking_id BIGINT, guest_id BIGINT, room_id INT, channel STRING, nights INT, price DOUBLE, discount DOUBLE, note STRING, made_at TIMESTAMP, arrival DATE, extras ARRAY<STRUCT<code: STRING, cost: DOUBLE>>, contact STRUCT<mail: STRING, phone: STRING>, props MAP<STRING, STRING>, month STRING) USING parquet PARTITIONED BY (month)
# lodged: guests
CREATE TABLE htl.guests (guest_id BIGINT, name STRING, mail STRING, country STRING, tier STRING, born DATE, points INT) USING parquet
# lodged: rooms
CREATE TABLE htl.rooms (room_id INT, hotel_id INT, kind STRING, floor INT, beds INT, rate DOUBLE) USING orc
# lodged: hotels
CREATE TABLE htl.hotels (hotel_id INT, hotel STRING, city STRING, country STRING, stars INT) USING json
# lodged: payments
CREATE TABLE htl.payments (payment_id BIGINT, booking_id BIGINT, paid DOUBLE, method STRING, status STRING, paid_at TIMESTAMP) USING parquet
# lodged: rows of bookings
INSERT INTO htl.bookings VALUES (1, 10, 100, 'web', 2, 90.0, 0.1, 'late (ask)', NULL, DATE '2023-01-05', array(named_struct('code', 'spa', 'cost', 9.0)), named_struct('mail', 'm1', 'phone', 'p1'), map('k', 'v'), '2023-01'), (2, 11, 101, 'desk', 1, 80.0, 0.0, '[vip', NULL, DATE '2023-02-05', array(named_struct('code', 'bar', 'cost', 3.0)), named_struct('mail', 'm2', 'phone', 'p2'), map('k', 'w'), '2023-02')
# lodged: rows of guests
INSERT INTO htl.guests VALUES (10, 'ann', 'a@x', 'NL', 'gold', NULL, 5), (11, 'bob', 'b@x', 'DE', 'basic', NULL, 2)
# lodged: rows of rooms
INSERT INTO htl.rooms VALUES (100, 7, 'suite', 3, 2, 99.0), (101, 8, 'single', 1, 1, 60.0)
# lodged: rows of hotels
INSERT INTO htl.hotels VALUES (7, 'Grand', 'Rome', 'IT', 5), (8, 'Inn', 'Bern', 'CH', 3)
# lodged: rows of payments
INSERT INTO htl.payments VALUES (1, 1, 50.0, 'card', 'ok', NULL), (2, 2, 80.0, 'cash', 'ok', NULL)
# lodged: a survey of forty answers [code]
spark.range(4).selectExpr('id AS guest_id', "concat('w', id) AS wave", *[f'id * {n} AS q{n}' for n in range(1, 41)], "concat('c (', id) AS remark").write.mode('overwrite').saveAsTable('htl.survey')
# lodged: a ledger of thirty-two columns [code]
spark.range(4).selectExpr('id AS entry_id', 'id % 2 AS hotel_id', "concat('acc', id) AS account", *[f'cast(id * {n} AS DOUBLE) AS amount_{n}' for n in range(1, 28)], "'eur' AS currency", "'2023-01' AS month").write.mode('overwrite').partitionBy('month').saveAsTable('htl.ledger')
# lodged: files [code]
for folder in ('north', 'south', 'west'):
    d = spark.range(3).selectExpr('id', 'id * 2 AS weight', "concat('n', id) AS label", 'id % 2 AS flag')
    d.write.mode('overwrite').parquet(root + '/htl/pq/' + folder)
    d.write.mode('overwrite').orc(root + '/htl/orc/' + folder)
    d.write.mode('overwrite').json(root + '/htl/json/' + folder)
    d.write.mode('overwrite').option('header', True).csv(root + '/htl/csv/' + folder)
spark.range(6).selectExpr('id', 'id * 2 AS kwh', "concat('m', id) AS meter", "concat('2023-0', 1 + id % 3) AS month").write.partitionBy('month').mode('overwrite').parquet(root + '/htl/meters')
spark.range(3).selectExpr('id', *[f'id * {n} AS sensor_{n}' for n in range(1, 46)]).write.mode('overwrite').parquet(root + '/htl/sensors')
# lodged: daily revenue
CREATE TABLE htl.daily_revenue USING parquet AS SELECT b.arrival, h.city, sum(b.price * b.nights * (1 - b.discount)) AS revenue, count(*) AS bookings FROM htl.bookings b JOIN htl.rooms r ON b.room_id = r.room_id JOIN htl.hotels h ON r.hotel_id = h.hotel_id WHERE b.channel <> 'test' GROUP BY b.arrival, h.city
-> arrival: bookings.arrival
-> city: hotels.city
-> revenue: bookings.price, .nights, .discount
-> bookings: -
-> rows: FILTER bookings.channel; JOIN bookings.room_id, rooms.room_id, .hotel_id, hotels.hotel_id; GROUP_BY bookings.arrival, hotels.city; MAY bookings.room_id, rooms.room_id, .hotel_id, hotels.hotel_id
-> to: daily_revenue
# lodged: latest payment per booking
CREATE TABLE htl.last_payment USING parquet AS SELECT booking_id, paid, method FROM (SELECT p.*, row_number() OVER (PARTITION BY booking_id ORDER BY paid_at DESC) AS rn FROM htl.payments p) x WHERE rn = 1
-> booking_id: payments.booking_id
-> paid: payments.paid
-> method: payments.method
-> rows: FILTER payments.booking_id, .paid_at
-> to: last_payment
# lodged: guests without bookings
SELECT g.guest_id, g.name FROM htl.guests g LEFT ANTI JOIN htl.bookings b ON g.guest_id = b.guest_id
-> guest_id: guests.guest_id
-> name: guests.name
-> rows: JOIN guests.guest_id, bookings.guest_id; MAY bookings.guest_id
# lodged: a table like bookings
CREATE TABLE htl.kept LIKE htl.bookings
# lodged: partitions overwritten
INSERT OVERWRITE TABLE htl.kept PARTITION (month = '2023-03') SELECT booking_id, guest_id, room_id, upper(channel), nights, price, coalesce(discount, 0.0), note, made_at, arrival, extras, contact, props FROM htl.bookings WHERE month = '2023-02'
-> booking_id: bookings.booking_id
-> guest_id: bookings.guest_id
-> room_id: bookings.room_id
-> channel: bookings.channel
-> nights: bookings.nights
-> price: bookings.price
-> discount: bookings.discount; IF bookings.discount
-> note: bookings.note
-> made_at: bookings.made_at
-> arrival: bookings.arrival
-> extras: bookings.extras
-> contact: bookings.contact
-> props: bookings.props
-> month: -
-> rows: FILTER bookings.month
-> to: kept
# lodged: extras exploded
CREATE TABLE htl.extras USING parquet AS SELECT b.booking_id, e.code, e.cost FROM htl.bookings b LATERAL VIEW explode(b.extras) t AS e WHERE e.cost > 1
-> booking_id: bookings.booking_id
-> code: bookings.extras.code
-> cost: bookings.extras.cost
-> rows: FILTER bookings.extras.cost; MAY bookings.extras, .extras.code
-> to: extras
# lodged: a temp view of a temp view [code]
spark.table('htl.bookings').where("note <> 'x ['").select('booking_id', 'guest_id', 'price').createOrReplaceTempView('h_b1')
spark.sql('SELECT guest_id, price * 2 AS dbl FROM h_b1 WHERE price > 10').createOrReplaceTempView('h_b2')
spark.sql('CREATE TABLE htl.by_views USING parquet AS SELECT g.country, sum(v.dbl) AS total FROM h_b2 v JOIN htl.guests g ON v.guest_id = g.guest_id GROUP BY g.country')
-> country: guests.country
-> total: bookings.price
-> rows: FILTER bookings.note, .price; JOIN bookings.guest_id, guests.guest_id; GROUP_BY guests.country; MAY bookings.guest_id, guests.guest_id
-> to: by_views
# lodged: a permanent view
CREATE VIEW htl.v_stays AS SELECT b.booking_id, b.guest_id, r.kind, b.nights FROM htl.bookings b LEFT JOIN htl.rooms r ON b.room_id = r.room_id
# lodged: through a permanent view
INSERT OVERWRITE DIRECTORY '/tmp/e5_out/stays' USING parquet SELECT kind, max(nights) AS longest FROM htl.v_stays WHERE booking_id > 0 GROUP BY kind
-> kind: rooms.kind
-> longest: bookings.nights
-> rows: FILTER bookings.booking_id; JOIN bookings.room_id, rooms.room_id; GROUP_BY rooms.kind; MAY bookings.room_id, rooms.room_id
-> to: stays
# lodged: a cached dimension, joined twice [code]
h = spark.table('htl.hotels').where("city <> '(none)'").select('hotel_id', 'city', 'stars').cache()
h.count()
r = spark.table('htl.rooms').join(h, 'hotel_id')
r.groupBy('city').agg(F.avg('rate').alias('rate'), F.max('stars').alias('stars')).write.mode('overwrite').saveAsTable('htl.city_rates')
-> city: hotels.city
-> rate: rooms.rate
-> stars: hotels.stars
-> rows: FILTER hotels.city; JOIN rooms.hotel_id, hotels.hotel_id; GROUP_BY hotels.city; MAY rooms.hotel_id, hotels.hotel_id
-> to: city_rates
# lodged: survey copied with a filter
CREATE TABLE htl.survey_w1 USING parquet AS SELECT * FROM htl.survey WHERE wave = 'w1' AND q40 > 0
-> = survey: guest_id, wave, q{1..40}, remark
-> rows: FILTER survey.wave, .q40
-> to: survey_w1
# lodged: survey with a computed column [code]
spark.table('htl.survey').withColumn('score', F.expr('q1 + q2')).write.mode('overwrite').saveAsTable('htl.survey_scored')
-> = survey: guest_id, wave, q{1..40}, remark
-> score: survey.q1, .q2
-> to: survey_scored
# lodged: survey cached and used
CACHE TABLE s_cached AS SELECT * FROM htl.survey WHERE remark <> '('
# lodged: five columns of the cached survey
SELECT guest_id, q1, q20, q39, q40 FROM s_cached WHERE q38 > 1
-> = survey: guest_id, q1, q20, q39, q40
-> rows: FILTER survey.remark, .q38
# lodged: survey joined to guests
CREATE TABLE htl.survey_guests USING parquet AS SELECT s.*, g.country FROM htl.survey s JOIN htl.guests g ON s.guest_id = g.guest_id
-> = survey: guest_id, wave, q{1..40}, remark
-> country: guests.country
-> rows: JOIN survey.guest_id, guests.guest_id; MAY survey.guest_id, guests.guest_id
-> to: survey_guests
# lodged: ledger per hotel
SELECT l.hotel_id, h.hotel, sum(l.amount_1) AS a1, sum(l.amount_26 + l.amount_27) AS a2 FROM htl.ledger l JOIN htl.hotels h ON l.hotel_id = h.hotel_id WHERE l.month = '2023-01' GROUP BY l.hotel_id, h.hotel
-> hotel_id: ledger.hotel_id
-> hotel: hotels.hotel
-> a1: ledger.amount_1
-> a2: ledger.amount_26, .amount_27
-> rows: FILTER ledger.month; JOIN ledger.hotel_id, hotels.hotel_id; GROUP_BY ledger.hotel_id, hotels.hotel; MAY ledger.hotel_id, hotels.hotel_id
# lodged: ledger deduplicated [code]
w = Window.partitionBy('entry_id').orderBy(F.desc('amount_27'))
spark.table('htl.ledger').withColumn('rn', F.row_number().over(w)).where('rn = 1').drop('rn').write.mode('overwrite').saveAsTable('htl.ledger_dedup')
-> = ledger: entry_id, hotel_id, account, amount_{1..27}, currency, month
-> rows: FILTER ledger.entry_id, .amount_27
-> to: ledger_dedup
# lodged: sums of the whole ledger [code]
frame = spark.table('htl.ledger').groupBy('account').agg(*[F.sum(f'amount_{n}').alias(f's{n}') for n in range(1, 28)])
-> account: ledger.account
-> s{1..27}: ledger.amount_{}
-> rows: GROUP_BY ledger.account
# lodged: two paths of parquet [code]
spark.read.parquet(root + '/htl/pq/north', root + '/htl/pq/south').where('flag = 1').select('id', 'label').write.mode('overwrite').parquet(root + '/out/h_two')
-> id: north.id, south.id
-> label: north.label, south.label
-> rows: FILTER north.flag, south.flag
-> to: h_two
# lodged: three paths of csv [code]
frame = spark.read.option('header', True).csv([root + f'/htl/csv/{f}' for f in ('north', 'south', 'west')]).groupBy('label').count()
-> label: north.label, south.label, west.label
-> count: -
-> rows: GROUP_BY north.label, south.label, west.label
# lodged: json with a schema [code]
frame = spark.read.schema('id BIGINT, weight BIGINT, label STRING, flag INT').json(root + '/htl/json/west').where("label like '%(%' or weight > 2").select('label', F.expr('weight / 2').alias('half'))
-> label: west.label
-> half: west.weight
-> rows: FILTER west.label, .weight
# lodged: orc by SQL path [code]
frame = spark.sql(f"SELECT id, max(weight) AS w FROM orc.`{root}/htl/orc/north` GROUP BY id")
-> id: north.id
-> w: north.weight
-> rows: GROUP_BY north.id
# lodged: a partitioned folder [code]
spark.read.parquet(root + '/htl/meters').where("month = '2023-01' and kwh > 0").select('meter', 'kwh', 'month').write.partitionBy('month').mode('overwrite').parquet(root + '/out/h_meters')
-> meter: meters.meter
-> kwh: meters.kwh
-> month: meters.month
-> rows: FILTER meters.month, .kwh
-> to: h_meters
# lodged: sensors averaged into one [code]
frame = spark.read.parquet(root + '/htl/sensors').selectExpr('id', '(sensor_1 + sensor_2 + sensor_45) / 3 AS mean')
-> id: sensors.id
-> mean: sensors.sensor_1, .sensor_2, .sensor_45
# lodged: sensors saved as a table [code]
spark.read.parquet(root + '/htl/sensors').write.mode('overwrite').saveAsTable('htl.sensors_t')
-> = sensors: id, sensor_{1..45}
-> to: sensors_t
# lodged: sensors cleaned of nulls [code]
spark.read.parquet(root + '/htl/sensors').na.fill(0, ['sensor_3', 'sensor_44']).write.mode('overwrite').parquet(root + '/out/h_sensors')
-> = sensors: id, sensor_1, sensor_2
-> sensor_3: sensors.sensor_3; IF sensors.sensor_3
-> = sensors: sensor_{4..43}
-> sensor_44: sensors.sensor_44; IF sensors.sensor_44
-> = sensors: sensor_45
-> to: h_sensors
# lodged: running total
SELECT payment_id, sum(paid) OVER (PARTITION BY method ORDER BY paid_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS so_far FROM htl.payments WHERE status = 'ok'
-> payment_id: payments.payment_id
-> so_far: payments.paid; WINDOW payments.method, .paid_at
-> rows: FILTER payments.status
# lodged: change to the stay before
CREATE TABLE htl.gaps_between USING parquet AS SELECT guest_id, booking_id, arrival, lag(arrival) OVER (PARTITION BY guest_id ORDER BY arrival) AS before, datediff(arrival, lag(arrival) OVER (PARTITION BY guest_id ORDER BY arrival)) AS days FROM htl.bookings
-> guest_id: bookings.guest_id
-> booking_id: bookings.booking_id
-> arrival: bookings.arrival
-> before: bookings.arrival; WINDOW bookings.guest_id, .arrival
-> days: bookings.arrival; WINDOW bookings.guest_id, .arrival
-> to: gaps_between
# lodged: share of the city
SELECT r.room_id, r.rate / avg(r.rate) OVER (PARTITION BY h.city) AS ratio FROM htl.rooms r JOIN htl.hotels h ON r.hotel_id = h.hotel_id
-> room_id: rooms.room_id
-> ratio: rooms.rate; WINDOW hotels.city
-> rows: JOIN rooms.hotel_id, hotels.hotel_id; MAY rooms.hotel_id, hotels.hotel_id
# lodged: channels pivoted
SELECT * FROM (SELECT guest_id, channel, price FROM htl.bookings) PIVOT (sum(price) FOR channel IN ('web' AS web, 'desk' AS desk))
-> guest_id: bookings.guest_id
-> web: bookings.price; IF bookings.channel
-> desk: bookings.price; IF bookings.channel
-> rows: GROUP_BY bookings.guest_id; MAY bookings.channel
# lodged: pivoted by the frame [code]
spark.table('htl.payments').groupBy('booking_id').pivot('method', ['card', 'cash (eur)']).agg(F.max('paid')).withColumnRenamed('cash (eur)', 'cash').write.mode('overwrite').saveAsTable('htl.by_method')
-> booking_id: payments.booking_id
-> card: payments.paid; IF payments.method
-> cash: payments.paid; IF payments.method
-> rows: GROUP_BY payments.booking_id; MAY payments.method
-> to: by_method
# lodged: unpivoted with stack
SELECT guest_id, stack(2, 'q1', q1, 'q40', q40) AS (question, answer) FROM htl.survey
-> guest_id: survey.guest_id
-> question: -
-> answer: survey.q1, .q40
# lodged: all contacts
CREATE TABLE htl.contacts USING parquet AS SELECT mail AS address, 'guest [own]' AS kind FROM htl.guests UNION ALL SELECT contact.mail, 'booking (given)' FROM htl.bookings UNION ALL SELECT contact.phone, 'phone' FROM htl.bookings WHERE contact.phone IS NOT NULL
-> address: guests.mail, bookings.contact.mail, .contact.phone
-> kind: -
-> rows: FILTER bookings.contact.phone; MAY bookings.contact
-> to: contacts
# lodged: distinct union
SELECT country FROM htl.guests UNION SELECT country FROM htl.hotels
-> country: guests.country, hotels.country
-> rows: GROUP_BY guests.country, hotels.country
# lodged: a python function [code]
mask = F.udf(lambda s: (s or '')[:1] + '***')
spark.table('htl.guests').where("tier in ('gold', 'basic (', 'vip [')").select('guest_id', mask('mail').alias('masked'), 'points').write.mode('overwrite').saveAsTable('htl.masked_guests')
-> guest_id: guests.guest_id
-> masked: guests.mail
-> points: guests.points
-> rows: FILTER guests.tier
-> to: masked_guests
# lodged: tiers by CASE
CREATE TABLE htl.tiers USING parquet AS SELECT guest_id, CASE WHEN points > 100 THEN 'gold (100+)' WHEN points > 50 THEN 'silver [50+]' ELSE tier END AS level, concat_ws(' - ', name, country) AS who FROM htl.guests
-> guest_id: guests.guest_id
-> level: guests.tier; IF guests.points
-> who: guests.name, .country
-> to: tiers
# lodged: bookings above the average
SELECT booking_id, price FROM htl.bookings WHERE price > (SELECT avg(price) FROM htl.bookings)
-> booking_id: bookings.booking_id
-> price: bookings.price
-> rows: FILTER bookings.price
# lodged: guests that paid by card
SELECT name FROM htl.guests WHERE guest_id IN (SELECT b.guest_id FROM htl.bookings b JOIN htl.payments p ON b.booking_id = p.booking_id WHERE p.method = 'card')
-> name: guests.name
-> rows: FILTER payments.method; JOIN guests.guest_id, bookings.guest_id, .booking_id, payments.booking_id; MAY guests.guest_id, bookings.guest_id, .booking_id, payments.booking_id
# lodged: hotels with suites
SELECT hotel FROM htl.hotels h WHERE EXISTS (SELECT 1 FROM htl.rooms r WHERE r.hotel_id = h.hotel_id AND r.kind = 'suite')
-> hotel: hotels.hotel
-> rows: FILTER rooms.kind; JOIN hotels.hotel_id, rooms.hotel_id; MAY rooms.hotel_id
# lodged: WITH over two steps
WITH stays AS (SELECT guest_id, sum(nights) AS n FROM htl.bookings GROUP BY guest_id), best AS (SELECT guest_id, n FROM stays WHERE n > 3) SELECT g.name, b.n FROM best b LEFT JOIN htl.guests g ON g.guest_id = b.guest_id ORDER BY b.n DESC LIMIT 10
-> name: guests.name
-> n: bookings.nights
-> rows: FILTER bookings.nights; JOIN guests.guest_id, bookings.guest_id; GROUP_BY bookings.guest_id; SORT bookings.nights; MAY guests.guest_id
# lodged: cube of bookings
SELECT channel, month, sum(price) AS p FROM htl.bookings GROUP BY channel, month WITH CUBE
-> channel: bookings.channel
-> month: bookings.month
-> p: bookings.price
-> rows: GROUP_BY bookings.channel, .month
# lodged: distinct counts
SELECT channel, count(DISTINCT guest_id) AS guests, count(DISTINCT room_id) AS rooms, max(price) AS top FROM htl.bookings GROUP BY channel
-> channel: bookings.channel
-> guests: bookings.guest_id
-> rooms: bookings.room_id
-> top: bookings.price
-> rows: GROUP_BY bookings.channel
# lodged: a long filter
SELECT booking_id FROM htl.bookings WHERE channel IN ('web', 'desk', 'phone', 'agent', 'app', 'partner (a)', 'partner [b]', 'partner c', 'walk-in', 'corporate', 'group', 'tour') AND note NOT LIKE '%cancelled (by guest)%' AND (price > 10 OR nights > 2) AND month >= '2023-01' AND discount < 0.9 AND room_id IS NOT NULL
-> booking_id: bookings.booking_id
-> rows: FILTER bookings.channel, .note, .price, .nights, .month, .discount, .room_id
# lodged: a wide filter over answers
SELECT guest_id FROM htl.survey WHERE q1 > 0 AND q2 > 0 AND q3 > 0 AND q4 > 0 AND q5 > 0 AND q6 > 0 AND q7 > 0 AND q30 > 0 AND q31 > 0 AND remark <> 'x ['
-> guest_id: survey.guest_id
-> rows: FILTER survey.q1, .q2, .q3, .q4, .q5, .q6, .q7, .q30, .q31, .remark
# lodged: a cached union of folders [code]
u = spark.read.parquet(root + '/htl/pq/north').union(spark.read.parquet(root + '/htl/pq/west')).where("label <> ')'").cache()
u.count()
u.groupBy('flag').agg(F.sum('weight').alias('w')).write.mode('overwrite').saveAsTable('htl.flagged')
-> flag: north.flag, west.flag
-> w: north.weight, west.weight
-> rows: FILTER north.label, west.label; GROUP_BY north.flag, west.flag
-> to: flagged
# lodged: a cached wide table, narrowed [code]
d = spark.table('htl.survey').where("wave <> '('").persist()
d.count()
d.select('guest_id', 'q7', 'q33', F.expr('q34 * 2').alias('q34x2')).write.mode('overwrite').parquet(root + '/out/h_narrow')
-> = survey: guest_id, q7, q33
-> q34x2: survey.q34
-> rows: FILTER survey.wave
-> to: h_narrow
# lodged: a wide table renamed in bulk [code]
d = spark.table('htl.survey')
frame = d.select('guest_id', *[F.col(f'q{n}').alias(f'answer_{n}') for n in range(1, 31)])
-> guest_id: survey.guest_id
-> answer_{1..30}: survey.q{}
# lodged: a wide table cast in bulk [code]
d = spark.table('htl.survey')
d.select('guest_id', *[F.col(f'q{n}').cast('string').alias(f'q{n}') for n in range(1, 41)]).write.mode('overwrite').saveAsTable('htl.survey_text')
-> guest_id: survey.guest_id
-> q{1..40}: survey.q{}
-> to: survey_text
# lodged: a ledger appended by position
INSERT INTO htl.ledger PARTITION (month) SELECT entry_id + 100, hotel_id, account, amount_1, amount_2, amount_3, amount_4, amount_5, amount_6, amount_7, amount_8, amount_9, amount_10, amount_11, amount_12, amount_13, amount_14, amount_15, amount_16, amount_17, amount_18, amount_19, amount_20, amount_21, amount_22, amount_23, amount_24, amount_25, amount_26, amount_27, currency, month FROM htl.ledger_dedup
-> entry_id: ledger_dedup.entry_id
-> = ledger_dedup: hotel_id, account, amount_{1..27}, currency, month
-> to: ledger
# lodged: insertInto by the frame [code]
spark.sql('CREATE TABLE htl.summary (hotel STRING, n BIGINT, top DOUBLE) USING parquet')
spark.table('htl.rooms').join(spark.table('htl.hotels'), 'hotel_id', 'left').groupBy('hotel').agg(F.count('*').alias('n'), F.max('rate').alias('x')).write.insertInto('htl.summary')
-> hotel: hotels.hotel
-> n: -
-> top: rooms.rate
-> rows: JOIN rooms.hotel_id, hotels.hotel_id; GROUP_BY hotels.hotel; MAY rooms.hotel_id, hotels.hotel_id
-> to: summary
# lodged: a map and a struct
SELECT booking_id, props['k'] AS k, contact.mail AS mail, size(extras) AS n, extras[0].code AS first FROM htl.bookings
-> booking_id: bookings.booking_id
-> k: bookings.props
-> mail: bookings.contact.mail
-> n: bookings.extras
-> first: bookings.extras.code
# lodged: built json
CREATE TABLE htl.messages USING parquet AS SELECT booking_id, to_json(named_struct('id', booking_id, 'who', contact.mail, 'tag [x]', channel)) AS body FROM htl.bookings
-> booking_id: bookings.booking_id
-> body: bookings.booking_id, .contact.mail, .channel
-> to: messages
# lodged: parsed json
SELECT booking_id, get_json_object(body, '$.who') AS who, regexp_extract(body, '\\[(.*)\\]', 1) AS tag FROM htl.messages
-> booking_id: messages.booking_id
-> who: messages.body
-> tag: messages.body
# lodged: arrays collected
SELECT guest_id, collect_list(named_struct('room', room_id, 'n', nights)) AS stays, sort_array(collect_set(channel)) AS channels FROM htl.bookings GROUP BY guest_id
-> guest_id: bookings.guest_id
-> stays: bookings.room_id, .nights
-> channels: bookings.channel
-> rows: GROUP_BY bookings.guest_id
# lodged: posexplode of a split
SELECT booking_id, pos, word FROM htl.bookings LATERAL VIEW OUTER posexplode(split(note, ' \\(')) t AS pos, word
-> booking_id: bookings.booking_id
-> pos: bookings.note
-> word: bookings.note
# lodged: self join of guests
SELECT a.name AS one, b.name AS other FROM htl.guests a JOIN htl.guests b ON a.country = b.country AND a.guest_id < b.guest_id
-> one: guests.name
-> other: guests.name
-> rows: JOIN guests.country, .guest_id; MAY guests.country, .guest_id
# lodged: full outer reconciliation
CREATE TABLE htl.recon USING parquet AS SELECT coalesce(b.booking_id, p.booking_id) AS booking_id, b.price - p.paid AS open, p.booking_id IS NULL AS missing FROM htl.bookings b FULL OUTER JOIN htl.payments p ON b.booking_id = p.booking_id
-> booking_id: bookings.booking_id, payments.booking_id; IF bookings.booking_id, ?payments.booking_id
-> open: bookings.price, payments.paid
-> missing: payments.booking_id
-> rows: JOIN bookings.booking_id, payments.booking_id
-> to: recon
# lodged: cross join of a scalar
SELECT h.hotel, x.n FROM htl.hotels h CROSS JOIN (SELECT count(*) AS n FROM htl.rooms) x
-> hotel: hotels.hotel
-> n: -
# lodged: top three per city
SELECT hotel, city, stars FROM (SELECT hotel, city, stars, dense_rank() OVER (PARTITION BY city ORDER BY stars DESC) AS r FROM htl.hotels) WHERE r <= 3
-> hotel: hotels.hotel
-> city: hotels.city
-> stars: hotels.stars
-> rows: FILTER hotels.city, .stars
# lodged: sampled and limited
CREATE TABLE htl.some USING parquet AS SELECT guest_id, mail FROM htl.guests WHERE born IS NULL LIMIT 100
-> guest_id: guests.guest_id
-> mail: guests.mail
-> rows: FILTER guests.born
-> to: some
# lodged: repartitioned and sorted within [code]
spark.table('htl.payments').repartition(2, 'method').sortWithinPartitions('paid_at').select('payment_id', 'paid', 'method').write.mode('overwrite').partitionBy('method').parquet(root + '/out/h_pay')
-> payment_id: payments.payment_id
-> paid: payments.paid
-> method: payments.method
-> rows: MAY payments.paid_at
-> to: h_pay
# lodged: written as csv with renamed columns [code]
spark.table('htl.guests').toDF('id', 'n', 'm', 'c', 't', 'b', 'p').select('id', 'm', 'p').orderBy('p').write.mode('overwrite').option('header', True).csv(root + '/out/h_csv')
-> id: guests.guest_id
-> m: guests.mail
-> p: guests.points
-> rows: SORT guests.points
-> to: h_csv
# lodged: duplicates dropped [code]
spark.table('htl.bookings').dropDuplicates(['guest_id', 'arrival']).select('guest_id', 'arrival', 'price').write.mode('overwrite').saveAsTable('htl.unique_stays')
-> guest_id: bookings.guest_id
-> arrival: bookings.arrival
-> price: bookings.price
-> rows: GROUP_BY bookings.guest_id, .arrival
-> to: unique_stays
# lodged: a bucketed table [code]
spark.table('htl.payments').write.bucketBy(2, 'booking_id').sortBy('booking_id').mode('overwrite').saveAsTable('htl.pay_b')
-> = payments: payment_id, booking_id, paid, method, status, paid_at
-> rows: MAY payments.booking_id
-> to: pay_b
# lodged: a semi join by the frame [code]
frame = spark.table('htl.pay_b').join(spark.table('htl.bookings').where("note <> ']('"), 'booking_id', 'left_semi').select('payment_id', 'paid')
-> payment_id: pay_b.payment_id
-> paid: pay_b.paid
-> rows: FILTER bookings.note; JOIN pay_b.booking_id, bookings.booking_id; MAY pay_b.booking_id, bookings.booking_id
# lodged: intersect and except
SELECT guest_id FROM htl.guests INTERSECT SELECT guest_id FROM htl.bookings
-> guest_id: guests.guest_id
-> rows: JOIN guests.guest_id, bookings.guest_id; MAY guests.guest_id, bookings.guest_id
# lodged: guests never paid
SELECT booking_id FROM htl.bookings EXCEPT SELECT booking_id FROM htl.payments WHERE status = 'ok'
-> booking_id: bookings.booking_id
-> rows: JOIN bookings.booking_id, payments.booking_id; FILTER payments.status; MAY bookings.booking_id, payments.booking_id
# lodged: unioned by name [code]
a = spark.table('htl.guests').select('guest_id', 'country')
b = spark.table('htl.hotels').selectExpr('country', 'hotel_id AS guest_id')
a.unionByName(b).write.mode('overwrite').saveAsTable('htl.ids')
-> guest_id: guests.guest_id, hotels.hotel_id
-> country: guests.country, hotels.country
-> to: ids
# lodged: dates of all kinds
SELECT date_trunc('month', made_at) AS m, year(arrival) AS y, date_add(arrival, nights) AS leaves, date_format(made_at, 'yyyy (MM)') AS label, months_between(arrival, made_at) AS ahead FROM htl.bookings
-> m: bookings.made_at
-> y: bookings.arrival
-> leaves: bookings.arrival, .nights
-> label: bookings.made_at
-> ahead: bookings.arrival, .made_at
# lodged: having
SELECT channel, avg(price) AS p FROM htl.bookings GROUP BY channel HAVING count(*) > 1 AND max(nights) < 30
-> channel: bookings.channel
-> p: bookings.price
-> rows: GROUP_BY bookings.channel; FILTER bookings.nights
# lodged: conditional sums
CREATE TABLE htl.kpis USING parquet AS SELECT month, sum(CASE WHEN channel = 'web' THEN price ELSE 0 END) AS web, sum(if(nights > 7, 1, 0)) AS long_stays, count(CASE WHEN discount > 0 THEN booking_id END) AS cut FROM htl.bookings GROUP BY month
-> month: bookings.month
-> web: bookings.price; IF bookings.channel
-> long_stays: -; IF bookings.nights
-> cut: bookings.booking_id; IF bookings.discount
-> rows: GROUP_BY bookings.month
-> to: kpis
# lodged: range join
SELECT b.booking_id, r.room_id FROM htl.bookings b JOIN htl.rooms r ON b.price BETWEEN r.rate - 10 AND r.rate + 10
-> booking_id: bookings.booking_id
-> room_id: rooms.room_id
-> rows: JOIN bookings.price, rooms.rate; MAY bookings.price, rooms.rate
# lodged: a null-safe join
SELECT g.name, h.hotel FROM htl.guests g JOIN htl.hotels h ON g.country <=> h.country
-> name: guests.name
-> hotel: hotels.hotel
-> rows: JOIN guests.country, hotels.country
# lodged: cached SQL view with brackets
CACHE TABLE v_notes AS SELECT booking_id, regexp_replace(note, '\\(.*\\)', '[cut]') AS note, price FROM htl.bookings WHERE note IS NOT NULL
# lodged: out of the cached view
CREATE TABLE htl.notes USING parquet AS SELECT upper(note) AS note, count(*) AS n, sum(price) AS p FROM v_notes GROUP BY upper(note)
-> note: bookings.note
-> n: -
-> p: bookings.price
-> rows: FILTER bookings.note; GROUP_BY bookings.note
-> to: notes
# lodged: a checkpointed frame [code]
spark.sparkContext.setCheckpointDir(root + '/ck')
d = spark.table('htl.rooms').where('beds > 0').localCheckpoint()
d.select('room_id', 'rate').write.mode('overwrite').saveAsTable('htl.checked')
-> room_id: rooms.room_id
-> rate: rooms.rate
-> rows: FILTER rooms.beds; MAY rooms.kind, .floor, .hotel_id, .room_id, .rate
-> to: checked
# lodged: a slowly changing dimension [code]
new = spark.table('htl.guests').alias('n')
old = spark.table('htl.tiers').alias('o')
j = new.join(old, F.expr('n.guest_id = o.guest_id'), 'full_outer')
j.select(F.expr('coalesce(n.guest_id, o.guest_id)').alias('guest_id'), F.expr("case when o.guest_id is null then 'new' when n.guest_id is null then 'gone' else 'kept' end").alias('state'), F.expr('n.tier').alias('tier')).write.mode('overwrite').saveAsTable('htl.scd')
-> guest_id: guests.guest_id, tiers.guest_id; IF guests.guest_id, ?tiers.guest_id
-> state: -; IF guests.guest_id, tiers.guest_id
-> tier: guests.tier
-> rows: JOIN guests.guest_id, tiers.guest_id
-> to: scd
# lodged: a wide fact with three lookups
CREATE TABLE htl.fact USING parquet AS SELECT b.booking_id, b.guest_id, b.room_id, b.channel, b.nights, b.price, b.discount, b.note, b.made_at, b.arrival, b.month, g.name, g.mail, g.country AS guest_country, g.tier, g.born, g.points, r.kind, r.floor, r.beds, r.rate, h.hotel, h.city, h.country AS hotel_country, h.stars FROM htl.bookings b LEFT JOIN htl.guests g ON b.guest_id = g.guest_id LEFT JOIN htl.rooms r ON b.room_id = r.room_id LEFT JOIN htl.hotels h ON r.hotel_id = h.hotel_id
-> = bookings: booking_id, guest_id, room_id, channel, nights, price, discount, note, made_at, arrival, month
-> = guests: name, mail
-> guest_country: guests.country
-> = guests: tier, born, points
-> = rooms: kind, floor, beds, rate
-> = hotels: hotel, city
-> hotel_country: hotels.country
-> = hotels: stars
-> rows: JOIN bookings.guest_id, guests.guest_id, bookings.room_id, rooms.room_id, .hotel_id, hotels.hotel_id; MAY guests.guest_id, rooms.room_id, .hotel_id, hotels.hotel_id
-> to: fact
# lodged: a wide fact with measures
CREATE TABLE htl.fact_m USING parquet AS SELECT f.*, f.price * f.nights AS gross, f.price * f.nights * (1 - f.discount) AS net, CASE WHEN f.guest_country = f.hotel_country THEN 'home' ELSE 'abroad' END AS origin FROM htl.fact f
-> = fact: booking_id, guest_id, room_id, channel, nights, price, discount, note, made_at, arrival, month, name, mail, guest_country, tier, born, points, kind, floor, beds, rate, hotel, city, hotel_country, stars
-> gross: fact.price, .nights
-> net: fact.price, .nights, .discount
-> origin: -; IF fact.guest_country, .hotel_country
-> to: fact_m
# lodged: a report of the wide fact
SELECT city, tier, sum(net) AS net, avg(gross) AS gross, count(DISTINCT guest_id) AS guests FROM htl.fact_m WHERE origin = 'home' AND stars >= 3 GROUP BY city, tier ORDER BY net DESC
-> city: fact_m.city
-> tier: fact_m.tier
-> net: fact_m.net
-> gross: fact_m.gross
-> guests: fact_m.guest_id
-> rows: FILTER fact_m.origin, .stars; GROUP_BY fact_m.city, .tier; SORT fact_m.net
# lodged: a month closed
INSERT OVERWRITE TABLE htl.daily_revenue SELECT arrival, city, sum(net), count(*) FROM htl.fact_m WHERE month <= '2023-02' GROUP BY arrival, city
-> arrival: fact_m.arrival
-> city: fact_m.city
-> revenue: fact_m.net
-> bookings: -
-> rows: FILTER fact_m.month; GROUP_BY fact_m.arrival, .city
-> to: daily_revenue
# lodged: a Hive text table [hive]
CREATE TABLE htl.h_log (line_id BIGINT, who STRING, what STRING, cost DOUBLE, dt STRING) STORED AS TEXTFILE
# lodged: a Hive text table with rows [hive]
INSERT INTO htl.h_log VALUES (1, 'a', 'x (y', 2.0, '2023-01-01')
# lodged: from a Hive table into parquet [hive]
CREATE TABLE htl.h_out USING parquet AS SELECT who, sum(cost) AS cost FROM htl.h_log WHERE what <> '(' AND dt > '2022' GROUP BY who
-> who: h_log.who
-> cost: h_log.cost
-> rows: FILTER h_log.what, .dt; GROUP_BY h_log.who
-> to: h_out
# lodged: into a partitioned Hive table [hive]
CREATE TABLE htl.h_part (who STRING, cost DOUBLE) PARTITIONED BY (dt STRING) STORED AS ORC
# lodged: into a partitioned Hive table, statically [hive]
INSERT OVERWRITE TABLE htl.h_part PARTITION (dt = '2023-01-01') SELECT upper(who), cost FROM htl.h_log WHERE dt = '2023-01-01'
-> who: h_log.who
-> cost: h_log.cost
-> dt: -
-> rows: FILTER h_log.dt
-> to: h_part
# lodged: a Hive join of both [hive]
SELECT l.line_id, p.cost FROM htl.h_log l JOIN htl.h_part p ON l.who = p.who WHERE p.dt = '2023-01-01'
-> line_id: h_log.line_id
-> cost: h_part.cost
-> rows: FILTER h_part.dt; JOIN h_log.who, h_part.who; MAY h_log.who, h_part.who
# lodged: rows through an RDD [code]
d = spark.table('htl.hotels').select('hotel', 'stars')
spark.createDataFrame(d.rdd.filter(lambda r: r[1] > 1), d.schema).write.mode('overwrite').saveAsTable('htl.by_rdd')
-> hotel: -
-> stars: -
-> to: by_rdd
# lodged: a survey joined with itself across waves
SELECT a.guest_id, a.q1 AS before, b.q1 AS after, b.q40 - a.q40 AS change FROM htl.survey a JOIN htl.survey b ON a.guest_id = b.guest_id AND a.wave < b.wave
-> guest_id: survey.guest_id
-> before: survey.q1
-> after: survey.q1
-> change: survey.q40
-> rows: JOIN survey.guest_id, .wave; MAY survey.guest_id, .wave
# lodged: survey statistics
CREATE TABLE htl.survey_stats USING parquet AS SELECT wave, avg(q1) AS a1, avg(q2) AS a2, avg(q3) AS a3, max(q10) AS m10, min(q11) AS m11, stddev(q40) AS s40, count(*) AS n FROM htl.survey GROUP BY wave
-> wave: survey.wave
-> a1: survey.q1
-> a2: survey.q2
-> a3: survey.q3
-> m10: survey.q10
-> m11: survey.q11
-> s40: survey.q40
-> n: -
-> rows: GROUP_BY survey.wave
-> to: survey_stats
# lodged: survey with the guest and a rank [code]
w = Window.partitionBy('wave').orderBy('q40')
spark.table('htl.survey').withColumn('place', F.rank().over(w)).write.mode('overwrite').saveAsTable('htl.survey_ranked')
-> = survey: guest_id, wave, q{1..40}, remark
-> place: -; WINDOW survey.wave, .q40
-> to: survey_ranked
