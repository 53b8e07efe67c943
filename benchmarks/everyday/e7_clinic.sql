# treated: a database
CREATE DATABASE IF NOT EXISTS cln
# treated: patients
CREATE TABLE cln.patients (patient_id BIGINT, name STRING, born DATE, sex STRING, city STRING, phone STRING, insurer STRING, address STRUCT<street: STRING, zip: STRING>, allergies ARRAY<STRING>, registered TIMESTAMP) USING parquet
# treated: doctors
CREATE TABLE cln.doctors (doctor_id INT, doctor STRING, ward STRING, grade STRING, salary DOUBLE, boss_id INT) USING orc
# treated: visits
CREATE TABLE cln.visits (visit_id BIGINT, patient_id BIGINT, doctor_id INT, reason STRING, diagnosis STRING, minutes INT, fee DOUBLE, paid DOUBLE, started TIMESTAMP, drugs ARRAY<STRUCT<code: STRING, dose: DOUBLE>>, vitals MAP<STRING, DOUBLE>, day STRING) USING parquet PARTITIONED BY (day)
# treated: prices
CREATE TABLE cln.prices (code STRING, drug STRING, price DOUBLE, maker STRING, valid_from DATE, valid_to DATE) USING json
# treated: rows of patients
INSERT INTO cln.patients VALUES (1, 'ann (a)', DATE '1980-01-02', 'f', 'bern', '1', 'css', named_struct('street', 's1', 'zip', '3000'), array('nuts'), NULL), (2, 'bob [b', DATE '2001-05-06', 'm', 'basel', '2', 'swica', named_struct('street', 's2', 'zip', '4000'), array('dust', 'milk'), NULL)
# treated: rows of doctors
INSERT INTO cln.doctors VALUES (7, 'dr k', 'er', 'chief', 9000.0, NULL), (8, 'dr l', 'er', 'junior', 6000.0, 7)
# treated: rows of visits
INSERT INTO cln.visits VALUES (100, 1, 7, 'flu (mild)', 'J11', 20, 90.0, 50.0, NULL, array(named_struct('code', 'ibu', 'dose', 0.4D)), map('temp', 38.5D), '2024-03-01'), (101, 2, 8, 'cut [hand', 'S61', 15, 70.0, 70.0, NULL, array(named_struct('code', 'ass', 'dose', 0.5D)), map('temp', 36.6D), '2024-03-02'), (102, 1, 8, NULL, 'J11', 10, 40.0, 0.0, NULL, NULL, NULL, '2024-03-02')
# treated: rows of prices
INSERT INTO cln.prices VALUES ('ibu', 'ibuprofen', 4.5, 'm1', DATE '2024-01-01', NULL), ('ass', 'aspirin', 2.5, 'm2', DATE '2024-01-01', NULL)
# treated: a panel of thirty-eight tests [code]
spark.range(4).selectExpr('id AS patient_id', "concat('2024-03-0', id + 1) AS taken", *[f'cast(id * {n} AS DOUBLE) AS test_{n}' for n in range(1, 39)], "concat('lab (', id) AS lab").write.mode('overwrite').saveAsTable('cln.panel')
# treated: files [code]
for folder in ('er', 'icu', 'day'):
    d = spark.range(3).selectExpr('id', 'id * 5 AS beds', "concat('b', id) AS label", 'id % 2 AS free')
    d.write.mode('overwrite').parquet(root + '/cln/pq/' + folder)
    d.write.mode('overwrite').json(root + '/cln/json/' + folder)
    d.write.mode('overwrite').option('header', True).csv(root + '/cln/csv/' + folder)
spark.range(6).selectExpr('id', 'id * 2 AS pulse', "concat('d', id) AS device", "concat('2024-03-0', 1 + id % 3) AS day").write.partitionBy('day').mode('overwrite').parquet(root + '/cln/monitor')
# treated: income per ward
CREATE TABLE cln.income USING parquet AS SELECT d.ward, v.day, sum(v.fee) AS fees, sum(v.fee - v.paid) AS open, count(DISTINCT v.patient_id) AS patients FROM cln.visits v JOIN cln.doctors d ON v.doctor_id = d.doctor_id WHERE v.reason NOT LIKE '%(test)%' GROUP BY d.ward, v.day
-> ward: doctors.ward
-> day: visits.day
-> fees: visits.fee
-> open: visits.fee, .paid
-> patients: visits.patient_id
-> rows: FILTER visits.reason; JOIN visits.doctor_id, doctors.doctor_id; GROUP_BY doctors.ward, visits.day; MAY visits.doctor_id, doctors.doctor_id
-> to: income
# treated: the last visit of each patient
CREATE TABLE cln.last_visit USING parquet AS SELECT patient_id, visit_id, diagnosis FROM (SELECT v.*, row_number() OVER (PARTITION BY patient_id ORDER BY started DESC, visit_id DESC) AS rn FROM cln.visits v) t WHERE rn = 1
-> patient_id: visits.patient_id
-> visit_id: visits.visit_id
-> diagnosis: visits.diagnosis
-> rows: FILTER visits.patient_id, .started, .visit_id
-> to: last_visit
# treated: patients who never came
SELECT p.patient_id, p.name FROM cln.patients p LEFT JOIN cln.visits v ON p.patient_id = v.patient_id WHERE v.visit_id IS NULL
-> patient_id: patients.patient_id
-> name: patients.name
-> rows: JOIN patients.patient_id, visits.patient_id; FILTER visits.visit_id; MAY visits.patient_id
# treated: patients who never came, by NOT EXISTS
SELECT p.name FROM cln.patients p WHERE NOT EXISTS (SELECT 1 FROM cln.visits v WHERE v.patient_id = p.patient_id AND v.reason <> 'x (')
-> name: patients.name
-> rows: JOIN patients.patient_id, visits.patient_id; FILTER visits.reason; MAY visits.patient_id
# treated: a doctor and the boss
SELECT a.doctor, coalesce(b.doctor, 'nobody') AS boss, a.salary / b.salary AS ratio FROM cln.doctors a LEFT JOIN cln.doctors b ON a.boss_id = b.doctor_id
-> doctor: doctors.doctor
-> boss: doctors.doctor; IF doctors.doctor
-> ratio: doctors.salary
-> rows: JOIN doctors.boss_id, .doctor_id; MAY doctors.doctor_id
# treated: ages and bands
CREATE TABLE cln.bands USING parquet AS SELECT patient_id, floor(months_between(DATE '2024-04-01', born) / 12) AS age, CASE WHEN born > DATE '2006-01-01' THEN 'child (0-17)' WHEN sex = 'f' THEN concat('woman, ', city) ELSE insurer END AS band, upper(trim(name)) AS name FROM cln.patients
-> patient_id: patients.patient_id
-> age: patients.born
-> band: patients.city, .insurer; IF patients.born, .sex
-> name: patients.name
-> to: bands
# treated: drugs of a visit
CREATE TABLE cln.given USING parquet AS SELECT v.visit_id, v.x.code, v.x.dose * p.price AS cost FROM (SELECT visit_id, explode(drugs) AS x FROM cln.visits) v JOIN cln.prices p ON v.x.code = p.code AND p.valid_to IS NULL
-> visit_id: visits.visit_id
-> code: visits.drugs.code
-> cost: visits.drugs.dose, prices.price
-> rows: JOIN visits.drugs.code, prices.code; FILTER prices.valid_to; MAY visits.drugs, .drugs.code, prices.code
-> to: given
# treated: temperatures
SELECT visit_id, vitals['temp'] AS temp, vitals['temp'] > 38 AS fever, size(drugs) AS n FROM cln.visits WHERE vitals['temp'] IS NOT NULL
-> visit_id: visits.visit_id
-> temp: visits.vitals
-> fever: visits.vitals
-> n: visits.drugs
-> rows: FILTER visits.vitals
# treated: allergies exploded by the frame [code]
spark.table('cln.patients').select('patient_id', F.explode_outer('allergies').alias('allergy'), F.col('address.zip').alias('zip')).where("allergy <> 'none ['").write.mode('overwrite').saveAsTable('cln.allergies')
-> patient_id: patients.patient_id
-> allergy: patients.allergies
-> zip: patients.address.zip
-> rows: FILTER patients.allergies
-> to: allergies
# treated: a table like visits
CREATE TABLE cln.archive LIKE cln.visits
# treated: a day overwritten
INSERT OVERWRITE TABLE cln.archive PARTITION (day = '2024-02-29') SELECT visit_id, patient_id, doctor_id, lower(reason), diagnosis, minutes, fee, coalesce(paid, 0.0), started, drugs, vitals FROM cln.visits WHERE day = '2024-03-01'
-> = visits: visit_id, patient_id, doctor_id, reason, diagnosis, minutes, fee
-> paid: visits.paid; IF visits.paid
-> = visits: started, drugs, vitals
-> day: -
-> rows: FILTER visits.day
-> to: archive
# treated: days written by the data
INSERT INTO cln.archive SELECT * FROM cln.visits WHERE day < '2024-03-02' AND reason <> ')'
-> = visits: visit_id, patient_id, doctor_id, reason, diagnosis, minutes, fee, paid, started, drugs, vitals, day
-> rows: FILTER visits.day, .reason
-> to: archive
# treated: days overwritten dynamically [code]
spark.conf.set('spark.sql.sources.partitionOverwriteMode', 'dynamic')
spark.table('cln.visits').where("day = '2024-03-02'").withColumn('fee', F.expr('round(fee * 1.08, 2)')).write.mode('overwrite').insertInto('cln.archive')
spark.conf.unset('spark.sql.sources.partitionOverwriteMode')
-> = visits: visit_id, patient_id, doctor_id, reason, diagnosis, minutes, fee, paid, started, drugs, vitals, day
-> rows: FILTER visits.day
-> to: archive
# treated: cached visits
CACHE TABLE long_visits AS SELECT visit_id, patient_id, minutes, fee, diagnosis FROM cln.visits WHERE minutes > 5 AND reason <> 'none)'
# treated: the cache grouped
CREATE TABLE cln.diagnoses USING parquet AS SELECT diagnosis, avg(minutes) AS minutes, percentile_approx(fee, 0.5) AS fee FROM long_visits GROUP BY diagnosis
-> diagnosis: visits.diagnosis
-> minutes: visits.minutes
-> fee: visits.fee
-> rows: FILTER visits.minutes, .reason; GROUP_BY visits.diagnosis
-> to: diagnoses
# treated: the cache joined
SELECT p.city, sum(l.fee) AS fee FROM long_visits l JOIN cln.patients p ON l.patient_id = p.patient_id WHERE p.sex = 'f' GROUP BY p.city
-> city: patients.city
-> fee: visits.fee
-> rows: FILTER visits.minutes, .reason, patients.sex; JOIN visits.patient_id, patients.patient_id; GROUP_BY patients.city; MAY visits.patient_id, patients.patient_id
# treated: a cached frame, written twice [code]
c = spark.table('cln.visits').join(spark.table('cln.doctors').select('doctor_id', 'ward', 'grade'), 'doctor_id').where("grade <> 'junior [1]'").cache()
c.count()
c.groupBy('ward').agg(F.sum('fee').alias('fee'), F.max('minutes').alias('longest')).write.mode('overwrite').saveAsTable('cln.by_ward')
-> ward: doctors.ward
-> fee: visits.fee
-> longest: visits.minutes
-> rows: FILTER doctors.grade; JOIN visits.doctor_id, doctors.doctor_id; GROUP_BY doctors.ward; MAY visits.doctor_id, doctors.doctor_id
-> to: by_ward
# treated: the frame's second write [code]
c = spark.table('cln.visits').join(spark.table('cln.doctors').select('doctor_id', 'ward', 'grade'), 'doctor_id').where("grade <> 'junior [1]'")
c.select('visit_id', 'ward', F.expr('fee / minutes').alias('rate')).where('rate > 1').write.mode('overwrite').parquet(root + '/out/c_rates')
-> visit_id: visits.visit_id
-> ward: doctors.ward
-> rate: visits.fee, .minutes
-> rows: FILTER doctors.grade, visits.fee, .minutes; JOIN visits.doctor_id, doctors.doctor_id; MAY visits.doctor_id, doctors.doctor_id
-> to: c_rates
# treated: a permanent view
CREATE VIEW cln.v_bills AS SELECT visit_id, patient_id, fee - coalesce(paid, 0) AS due, day FROM cln.visits WHERE fee > 0
# treated: through the view
CREATE TABLE cln.debtors USING parquet AS SELECT p.patient_id, p.name, sum(b.due) AS due FROM cln.v_bills b JOIN cln.patients p ON b.patient_id = p.patient_id GROUP BY p.patient_id, p.name HAVING sum(b.due) > 10
-> patient_id: patients.patient_id
-> name: patients.name
-> due: visits.fee, .paid; IF visits.paid
-> rows: FILTER visits.fee, .paid; JOIN visits.patient_id, patients.patient_id; GROUP_BY patients.patient_id, .name; MAY visits.patient_id
-> to: debtors
# treated: the view copied to a folder
INSERT OVERWRITE DIRECTORY '/tmp/e7_out/bills' USING parquet SELECT visit_id, due FROM cln.v_bills WHERE day = '2024-03-02'
-> visit_id: visits.visit_id
-> due: visits.fee, .paid; IF visits.paid
-> rows: FILTER visits.day, .fee
-> to: bills
# treated: temp views in steps [code]
spark.table('cln.visits').filter(F.col('diagnosis').startswith('J')).createOrReplaceTempView('c_colds')
spark.sql('CREATE OR REPLACE TEMP VIEW c_costs AS SELECT patient_id, sum(fee) AS spent, count(*) AS n FROM c_colds GROUP BY patient_id')
spark.sql('CREATE TABLE cln.cold_patients USING parquet AS SELECT p.name, p.address.zip AS zip, c.spent, c.n FROM c_costs c JOIN cln.patients p ON p.patient_id = c.patient_id WHERE c.n > 1')
-> name: patients.name
-> zip: patients.address.zip
-> spent: visits.fee
-> n: -
-> rows: FILTER visits.diagnosis; JOIN visits.patient_id, patients.patient_id; GROUP_BY visits.patient_id; MAY visits.patient_id, patients.patient_id
-> to: cold_patients
# treated: common table expressions
WITH busy AS (SELECT doctor_id, sum(minutes) AS m FROM cln.visits WHERE day LIKE '2024-03%' GROUP BY doctor_id), named AS (SELECT d.doctor, d.ward, b.m FROM busy b JOIN cln.doctors d ON b.doctor_id = d.doctor_id) SELECT ward, doctor, m, rank() OVER (PARTITION BY ward ORDER BY m DESC) AS place FROM named
-> ward: doctors.ward
-> doctor: doctors.doctor
-> m: visits.minutes
-> place: -; WINDOW doctors.ward, visits.minutes
-> rows: FILTER visits.day; JOIN visits.doctor_id, doctors.doctor_id; GROUP_BY visits.doctor_id; MAY visits.doctor_id, doctors.doctor_id
# treated: the ten dearest
SELECT visit_id, fee FROM cln.visits ORDER BY fee DESC, visit_id LIMIT 10
-> visit_id: visits.visit_id
-> fee: visits.fee
-> rows: SORT visits.fee, .visit_id
# treated: prices on the day
CREATE TABLE cln.priced USING parquet AS SELECT v.visit_id, p.drug, p.price FROM (SELECT visit_id, to_date(day) AS d, drugs[0].code AS code FROM cln.visits) v LEFT JOIN cln.prices p ON v.code = p.code AND v.d >= p.valid_from AND (p.valid_to IS NULL OR v.d < p.valid_to)
-> visit_id: visits.visit_id
-> drug: prices.drug
-> price: prices.price
-> rows: JOIN visits.drugs.code, .day, prices.code, .valid_from, .valid_to; MAY prices.code, .valid_from
-> to: priced
# treated: a running balance
SELECT visit_id, sum(fee - paid) OVER (PARTITION BY patient_id ORDER BY started) AS balance, fee - lag(fee, 1, 0.0) OVER (PARTITION BY patient_id ORDER BY started) AS change FROM cln.visits
-> visit_id: visits.visit_id
-> balance: visits.fee, .paid; WINDOW visits.patient_id, .started
-> change: visits.fee; WINDOW visits.patient_id, .started
# treated: a share of the ward
CREATE TABLE cln.shares USING orc AS SELECT d.doctor, d.salary / sum(d.salary) OVER (PARTITION BY d.ward) AS share, dense_rank() OVER (ORDER BY d.salary DESC) AS place FROM cln.doctors d WHERE d.grade IN ('chief', 'senior (2)', 'junior')
-> doctor: doctors.doctor
-> share: doctors.salary; WINDOW doctors.ward
-> place: -; WINDOW doctors.salary
-> rows: FILTER doctors.grade
-> to: shares
# treated: sexes pivoted
SELECT * FROM (SELECT city, sex, patient_id FROM cln.patients) PIVOT (count(patient_id) FOR sex IN ('f' AS women, 'm' AS men))
-> city: patients.city
-> women: patients.patient_id; IF patients.sex
-> men: patients.patient_id; IF patients.sex
-> rows: GROUP_BY patients.city; MAY patients.sex
# treated: days pivoted by the frame [code]
spark.table('cln.visits').groupBy('doctor_id').pivot('day', ['2024-03-01', '2024-03-02']).agg(F.sum('fee')).na.fill(0).write.mode('overwrite').saveAsTable('cln.days')
-> doctor_id: visits.doctor_id; IF ?visits.doctor_id
-> 2024-03-01: visits.fee; IF visits.fee, .day
-> 2024-03-02: visits.fee; IF visits.fee, .day
-> rows: GROUP_BY visits.doctor_id; MAY visits.day
-> to: days
# treated: columns stacked
SELECT patient_id, stack(2, 'fee', fee, 'paid', paid) AS (kind, amount) FROM cln.visits WHERE day = '2024-03-01'
-> patient_id: visits.patient_id
-> kind: -
-> amount: visits.fee, .paid
-> rows: FILTER visits.day
# treated: everybody's names
CREATE TABLE cln.people USING parquet AS SELECT name, 'patient (in)' AS role, city AS place FROM cln.patients UNION ALL SELECT doctor, concat('doctor, ', grade), ward FROM cln.doctors WHERE salary > 100
-> name: patients.name, doctors.doctor
-> role: doctors.grade
-> place: patients.city, doctors.ward
-> rows: FILTER doctors.salary
-> to: people
# treated: distinct cities and wards
SELECT city AS place FROM cln.patients UNION SELECT ward FROM cln.doctors
-> place: patients.city, doctors.ward
-> rows: GROUP_BY patients.city, doctors.ward
# treated: codes that are not priced
SELECT DISTINCT d.code FROM cln.visits LATERAL VIEW explode(drugs) t AS d WHERE d.code NOT IN (SELECT code FROM cln.prices WHERE maker <> '[x]')
-> code: visits.drugs.code
-> rows: JOIN visits.drugs.code, prices.code; FILTER prices.maker; GROUP_BY visits.drugs.code; MAY visits.drugs
# treated: dearer than the average
SELECT visit_id, fee, (SELECT max(fee) FROM cln.visits) AS most FROM cln.visits WHERE fee > (SELECT avg(price) FROM cln.prices WHERE maker = 'm1')
-> visit_id: visits.visit_id
-> fee: visits.fee
-> most: visits.fee
-> rows: FILTER visits.fee, prices.price, .maker
# treated: cleaned phones
CREATE TABLE cln.phones USING parquet AS SELECT patient_id, regexp_replace(phone, '[^0-9(]', '') AS phone, md5(concat(name, '|', born)) AS token, nullif(insurer, 'none)') AS insurer, concat_ws(', ', address.street, address.zip, city) AS address FROM cln.patients
-> patient_id: patients.patient_id
-> phone: patients.phone
-> token: patients.name, .born
-> insurer: patients.insurer; IF patients.insurer
-> address: patients.address.street, .address.zip, .city
-> to: phones
# treated: dates
SELECT visit_id, to_date(started) AS d, date_trunc('week', started) AS w, year(to_date(day)) AS y, date_format(started, 'HH:mm (E)') AS hm, datediff(to_date(day), to_date(started)) AS late, unix_timestamp(started) + minutes * 60 AS ends FROM cln.visits
-> visit_id: visits.visit_id
-> d: visits.started
-> w: visits.started
-> y: visits.day
-> hm: visits.started
-> late: visits.day, .started
-> ends: visits.started, .minutes
# treated: two folders [code]
spark.read.parquet(root + '/cln/pq/er', root + '/cln/pq/icu').where('free = 1').groupBy('label').agg(F.sum('beds').alias('beds')).write.mode('overwrite').saveAsTable('cln.beds')
-> label: er.label, icu.label
-> beds: er.beds, icu.beds
-> rows: FILTER er.free, icu.free; GROUP_BY er.label, icu.label
-> to: beds
# treated: three folders of CSV, inferred [code]
d = spark.read.option('header', True).option('inferSchema', True).csv([root + f'/cln/csv/{f}' for f in ('er', 'icu', 'day')])
d.withColumn('label', F.regexp_replace('label', r'\(.*', '')).filter(F.col('beds') > 0).write.mode('overwrite').partitionBy('free').parquet(root + '/out/c_beds')
-> id: er.id, icu.id, day.id
-> beds: er.beds, icu.beds, day.beds
-> label: er.label, icu.label, day.label
-> free: er.free, icu.free, day.free
-> rows: FILTER er.beds, icu.beds, day.beds
-> to: c_beds
# treated: JSON with a schema [code]
frame = spark.read.schema('id BIGINT, beds BIGINT, label STRING').json(root + '/cln/json/icu').where("label <> 'b ('").select(F.upper(F.col('label')).alias('label'), 'beds')
-> label: icu.label
-> beds: icu.beds
-> rows: FILTER icu.label
# treated: a folder of days [code]
spark.read.parquet(root + '/cln/monitor').where("day >= '2024-03-02'").groupBy('device', 'day').agg(F.avg('pulse').alias('pulse'), F.count(F.lit(1)).alias('n')).write.mode('overwrite').partitionBy('day').parquet(root + '/out/c_pulse')
-> device: monitor.device
-> day: monitor.day
-> pulse: monitor.pulse
-> n: -
-> rows: FILTER monitor.day; GROUP_BY monitor.device, .day
-> to: c_pulse
# treated: one day of the folder [code]
frame = spark.read.parquet(root + '/cln/monitor/day=2024-03-01').select('device', F.expr('pulse + 1').alias('next'))
-> device: monitor.device
-> next: monitor.pulse
# treated: SQL on a path [code]
frame = spark.sql(f"SELECT label, max(beds) AS beds FROM json.`{root}/cln/json/er` WHERE free = 0 GROUP BY label ORDER BY label")
-> label: er.label
-> beds: er.beds
-> rows: FILTER er.free; GROUP_BY er.label; SORT er.label
# treated: a join of a folder and a table [code]
spark.read.json(root + '/cln/json/day').alias('b').join(spark.table('cln.doctors').alias('d'), F.expr("b.id = d.doctor_id and d.ward <> 'x ['"), 'inner').select('b.label', 'd.doctor', 'd.ward').write.mode('append').format('orc').save(root + '/out/c_duty')
-> label: day.label
-> doctor: doctors.doctor
-> ward: doctors.ward
-> rows: JOIN day.id, doctors.doctor_id; FILTER doctors.ward; MAY day.id, doctors.doctor_id
-> to: c_duty
# treated: the panel copied for a lab
CREATE TABLE cln.panel_lab USING parquet AS SELECT * FROM cln.panel WHERE lab = 'lab (1' AND test_38 IS NOT NULL
-> = panel: patient_id, taken, test_{1..38}, lab
-> rows: FILTER panel.lab, .test_38
-> to: panel_lab
# treated: a score of the panel [code]
spark.table('cln.panel').withColumn('score', F.expr('(test_1 + test_38) / 2')).write.mode('overwrite').saveAsTable('cln.panel_scored')
-> = panel: patient_id, taken, test_{1..38}, lab
-> score: panel.test_1, .test_38
-> to: panel_scored
# treated: the scored panel read
SELECT p.name, s.score FROM cln.panel_scored s JOIN cln.patients p ON s.patient_id = p.patient_id WHERE s.score > 10
-> name: patients.name
-> score: panel_scored.score
-> rows: JOIN panel_scored.patient_id, patients.patient_id; FILTER panel_scored.score; MAY panel_scored.patient_id, patients.patient_id
# treated: four tests of the panel
SELECT patient_id, test_3, test_30, round(test_37 / nullif(test_1, 0), 2) AS ratio FROM cln.panel WHERE taken > '2024-03-01' AND (test_2 > 0 OR test_29 < 9)
-> = panel: patient_id, test_3, test_30
-> ratio: panel.test_37, .test_1; IF panel.test_1
-> rows: FILTER panel.taken, .test_2, .test_29
# treated: the newest panel [code]
w = Window.partitionBy('patient_id').orderBy(F.col('taken').desc())
spark.table('cln.panel').withColumn('rn', F.row_number().over(w)).where(F.col('rn') == 1).drop('rn').write.mode('overwrite').saveAsTable('cln.panel_newest')
-> = panel: patient_id, taken, test_{1..38}, lab
-> rows: FILTER panel.patient_id, .taken
-> to: panel_newest
# treated: the panel with its patient [code]
spark.table('cln.panel').join(spark.table('cln.patients').select('patient_id', 'city', 'sex'), 'patient_id', 'left').write.mode('overwrite').parquet(root + '/out/c_panel')
-> = panel: patient_id, taken, test_{1..38}, lab
-> = patients: city, sex
-> rows: JOIN panel.patient_id, patients.patient_id; MAY patients.patient_id
-> to: c_panel
# treated: averages of the panel [code]
spark.table('cln.panel').groupBy('lab').agg(*[F.avg(f'test_{n}').alias(f'avg_{n}') for n in range(1, 39)]).write.mode('overwrite').saveAsTable('cln.panel_avg')
-> lab: panel.lab
-> avg_{1..38}: panel.test_{}
-> rows: GROUP_BY panel.lab
-> to: panel_avg
# treated: the panel's nulls filled [code]
spark.table('cln.panel').na.fill({'test_1': 0.0, 'lab': 'unknown ('}).write.mode('overwrite').saveAsTable('cln.panel_filled')
-> = panel: patient_id, taken
-> test_1: panel.test_1; IF panel.test_1
-> = panel: test_{2..38}
-> lab: panel.lab; IF panel.lab
-> to: panel_filled
# treated: the panel cached, five columns [code]
p = spark.table('cln.panel').where("lab <> '('").cache()
p.count()
p.select('patient_id', 'test_5', 'test_36').where('test_35 > 1').write.mode('overwrite').saveAsTable('cln.panel_five')
-> = panel: patient_id, test_5, test_36
-> rows: FILTER panel.lab, .test_35
-> to: panel_five
# treated: the panel renamed and cast [code]
d = spark.table('cln.panel')
d.withColumnRenamed('taken', 'day').withColumn('day', F.to_date('day')).withColumn('lab', F.lower(F.col('lab'))).write.mode('overwrite').saveAsTable('cln.panel_typed')
-> patient_id: panel.patient_id
-> day: panel.taken
-> = panel: test_{1..38}, lab
-> to: panel_typed
# treated: columns renamed and dropped [code]
spark.table('cln.visits').withColumnRenamed('fee', 'amount').drop('drugs', 'vitals', 'started').filter('amount > paid').write.mode('overwrite').partitionBy('day').saveAsTable('cln.amounts')
-> = visits: visit_id, patient_id, doctor_id, reason, diagnosis, minutes
-> amount: visits.fee
-> paid: visits.paid
-> day: visits.day
-> rows: FILTER visits.fee, .paid
-> to: amounts
# treated: duplicates dropped [code]
spark.table('cln.visits').dropDuplicates(['patient_id', 'day']).select('patient_id', 'day', 'diagnosis').write.mode('overwrite').saveAsTable('cln.once')
-> patient_id: visits.patient_id
-> day: visits.day
-> diagnosis: visits.diagnosis
-> rows: GROUP_BY visits.patient_id, .day
-> to: once
# treated: conditions by the frame [code]
v = spark.table('cln.visits')
v.withColumn('level', F.when(v.fee > 80, 'high').when(v.minutes > 15, F.col('diagnosis')).otherwise('low (')).withColumn('share', v.paid / v.fee).filter(~v.reason.isin('a (', 'b', 'c [')).select('visit_id', 'level', 'share').write.mode('overwrite').saveAsTable('cln.levels')
-> visit_id: visits.visit_id
-> level: visits.diagnosis; IF visits.fee, .minutes
-> share: visits.paid, .fee
-> rows: FILTER visits.reason
-> to: levels
# treated: unions by name [code]
a = spark.table('cln.patients').selectExpr('name', 'city', 'phone')
b = spark.table('cln.doctors').selectExpr("ward AS city", "cast(null AS STRING) AS phone", 'doctor AS name')
a.unionByName(b).dropDuplicates().write.mode('overwrite').saveAsTable('cln.contacts')
-> name: patients.name, doctors.doctor
-> city: patients.city, doctors.ward
-> phone: patients.phone
-> rows: GROUP_BY patients.name, .city, .phone, doctors.doctor, .ward
-> to: contacts
# treated: a Python function [code]
initials = F.udf(lambda s: ''.join(w[0] for w in (s or '').split()))
spark.table('cln.patients').where("insurer <> 'x('").select('patient_id', initials('name').alias('initials'), 'born').write.mode('overwrite').saveAsTable('cln.initials')
-> patient_id: patients.patient_id
-> initials: patients.name
-> born: patients.born
-> rows: FILTER patients.insurer
-> to: initials
# treated: a registered Python function in SQL [code]
spark.udf.register('grade_of', lambda f, m: 'a' if (f or 0) > (m or 0) else 'b')
spark.sql("CREATE TABLE cln.graded USING parquet AS SELECT visit_id, grade_of(fee, minutes) AS grade FROM cln.visits WHERE grade_of(paid, 1) = 'a'")
-> visit_id: visits.visit_id
-> grade: visits.fee, .minutes
-> rows: FILTER visits.paid
-> to: graded
# treated: lists collected
CREATE TABLE cln.histories USING parquet AS SELECT patient_id, collect_list(struct(day, diagnosis)) AS visits, collect_set(doctor_id) AS doctors, max(struct(started, reason)).reason AS last_reason, first(diagnosis, true) AS first FROM cln.visits GROUP BY patient_id
-> patient_id: visits.patient_id
-> visits: visits.day, .diagnosis
-> doctors: visits.doctor_id
-> last_reason: visits.reason; IF visits.started
-> first: visits.diagnosis
-> rows: GROUP_BY visits.patient_id
-> to: histories
# treated: higher-order functions
SELECT visit_id, transform(drugs, d -> concat(d.code, '(', d.dose, ')')) AS given, filter(drugs, d -> d.dose > 0.4) AS strong, aggregate(drugs, 0D, (a, d) -> a + d.dose) AS total, array_contains(drugs.code, 'ibu') AS ibu FROM cln.visits
-> visit_id: visits.visit_id
-> given: visits.drugs.code, .drugs.dose
-> strong: visits.drugs, .drugs.dose
-> total: visits.drugs.dose
-> ibu: visits.drugs.code
# treated: built JSON [code]
spark.table('cln.visits').select(F.col('visit_id').cast('string').alias('key'), F.to_json(F.struct('patient_id', 'day', F.col('fee').alias('amount (chf)'))).alias('value')).write.mode('overwrite').json(root + '/out/c_messages')
-> key: visits.visit_id
-> value: visits.patient_id, .day, .fee
-> to: c_messages
# treated: JSON parsed [code]
m = spark.read.json(root + '/out/c_messages')
m.select('key', F.from_json('value', 'patient_id BIGINT, day STRING').alias('j'), F.get_json_object('value', '$.day').alias('d')).select('key', 'j.patient_id', 'd').where('patient_id > 0').write.mode('overwrite').saveAsTable('cln.messages')
-> key: c_messages.key
-> patient_id: c_messages.value
-> d: c_messages.value
-> rows: FILTER c_messages.value
-> to: messages
# treated: totals rolled up
SELECT d.ward, d.grade, sum(v.fee) AS fee, grouping(d.grade) AS g FROM cln.visits v JOIN cln.doctors d ON v.doctor_id = d.doctor_id GROUP BY ROLLUP (d.ward, d.grade) ORDER BY d.ward
-> ward: doctors.ward
-> grade: doctors.grade
-> fee: visits.fee
-> g: -
-> rows: JOIN visits.doctor_id, doctors.doctor_id; GROUP_BY doctors.ward, .grade; SORT doctors.ward; MAY visits.doctor_id, doctors.doctor_id
# treated: several counts of distinct values
SELECT day, count(DISTINCT patient_id) AS p, count(DISTINCT doctor_id) AS d, sum(if(diagnosis = 'J11', 1, 0)) AS flu, sum(CASE WHEN paid < fee THEN fee - paid END) AS due FROM cln.visits GROUP BY day
-> day: visits.day
-> p: visits.patient_id
-> d: visits.doctor_id
-> flu: -; IF visits.diagnosis
-> due: visits.fee, .paid; IF visits.paid, .fee
-> rows: GROUP_BY visits.day; MAY visits.patient_id, .doctor_id
# treated: a long filter
SELECT visit_id FROM cln.visits WHERE reason NOT IN ('a (', 'b [', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j, k', 'l', 'm') AND diagnosis IS NOT NULL AND minutes BETWEEN 1 AND 600 AND fee >= 0 AND (paid IS NULL OR paid <= fee) AND day >= '2024-01-01' AND (reason LIKE '%flu%' OR diagnosis RLIKE '^[A-Z]([0-9]+)') AND patient_id <> 999999
-> visit_id: visits.visit_id
-> rows: FILTER visits.reason, .diagnosis, .minutes, .fee, .paid, .day, .patient_id
# treated: a long select list
CREATE TABLE cln.wide_visits USING parquet AS SELECT v.visit_id, v.patient_id, v.doctor_id, v.reason, v.diagnosis, v.minutes, v.fee, v.paid, v.fee - v.paid AS due, v.started, v.day, p.name, p.born, p.sex, p.city, p.phone, p.insurer, p.address.street AS street, p.address.zip AS zip, d.doctor, d.ward, d.grade, d.salary, d.boss_id, year(p.born) AS born_year, concat(p.city, ' (', p.address.zip, ')') AS place, v.fee / v.minutes AS rate FROM cln.visits v JOIN cln.patients p ON v.patient_id = p.patient_id LEFT JOIN cln.doctors d ON v.doctor_id = d.doctor_id
-> = visits: visit_id, patient_id, doctor_id, reason, diagnosis, minutes, fee, paid
-> due: visits.fee, .paid
-> = visits: started, day
-> = patients: name, born, sex, city, phone, insurer
-> street: patients.address.street
-> zip: patients.address.zip
-> = doctors: doctor, ward, grade, salary, boss_id
-> born_year: patients.born
-> place: patients.city, .address.zip
-> rate: visits.fee, .minutes
-> rows: JOIN visits.patient_id, patients.patient_id, visits.doctor_id, doctors.doctor_id; MAY visits.patient_id, patients.patient_id, doctors.doctor_id
-> to: wide_visits
# treated: grouped from the wide table
SELECT ward, born_year, sum(due) AS due, avg(rate) AS rate FROM cln.wide_visits WHERE place <> 'bern (3000)' GROUP BY ward, born_year
-> ward: wide_visits.ward
-> born_year: wide_visits.born_year
-> due: wide_visits.due
-> rate: wide_visits.rate
-> rows: FILTER wide_visits.place; GROUP_BY wide_visits.ward, .born_year
# treated: a snapshot merged by a full join
CREATE TABLE cln.merged USING parquet AS SELECT coalesce(n.patient_id, o.patient_id) AS patient_id, if(n.patient_id IS NULL, o.name, n.name) AS name, n.patient_id IS NOT NULL AS current FROM cln.debtors o FULL OUTER JOIN cln.patients n ON o.patient_id = n.patient_id
-> patient_id: patients.patient_id, debtors.patient_id; IF patients.patient_id, debtors.patient_id
-> name: debtors.name, patients.name; IF patients.patient_id
-> current: patients.patient_id
-> rows: JOIN patients.patient_id, debtors.patient_id
-> to: merged
# treated: a broadcast lookup [code]
d = F.broadcast(spark.table('cln.doctors').select('doctor_id', 'ward'))
spark.table('cln.visits').join(d, ['doctor_id'], 'left').na.fill('unknown [', ['ward']).select('visit_id', 'ward', 'day').coalesce(1).write.mode('overwrite').partitionBy('day').orc(root + '/out/c_wards')
-> visit_id: visits.visit_id
-> ward: doctors.ward; IF doctors.ward
-> day: visits.day
-> rows: JOIN visits.doctor_id, doctors.doctor_id; MAY doctors.doctor_id
-> to: c_wards
# treated: rows that failed a check [code]
good = "fee is not null and fee >= 0 and day rlike '^[0-9]{4}-'"
v = spark.table('cln.visits')
v.where(f'not ({good})').select('visit_id', 'fee', 'day', F.lit('bad (fee)').alias('why'), F.current_date().alias('checked')).write.mode('append').saveAsTable('cln.rejected')
-> = visits: visit_id, fee, day
-> why: -
-> checked: -
-> rows: FILTER visits.fee, .day
-> to: rejected
# treated: a sample, repartitioned and sorted [code]
spark.table('cln.visits').sample(0.9, 3).repartition(2, 'doctor_id').sortWithinPartitions('fee').select('visit_id', 'fee').write.mode('overwrite').parquet(root + '/out/c_sample')
-> visit_id: visits.visit_id
-> fee: visits.fee
-> rows: SORT visits.fee
-> to: c_sample
# treated: pandas per group [code]
def centred(f):
    f['fee'] = f['fee'] - f['fee'].mean()
    return f
one = F.pandas_udf(centred, 'doctor_id int, fee double', F.PandasUDFType.GROUPED_MAP) if spark.version < '3' else None
g = spark.table('cln.visits').select('doctor_id', 'fee').groupBy('doctor_id')
(g.apply(one) if one else g.applyInPandas(centred, 'doctor_id int, fee double')).write.mode('overwrite').saveAsTable('cln.centred')
-> doctor_id: visits.doctor_id, .fee
-> fee: visits.doctor_id, .fee
-> rows: GROUP_BY visits.doctor_id
-> to: centred
# treated: a Hive table [hive]
CREATE TABLE cln.h_stays (stay BIGINT, patient BIGINT, ward STRING, nights INT, bill DOUBLE) PARTITIONED BY (month STRING) STORED AS ORC
# treated: loaded into Hive's table [hive]
INSERT INTO cln.h_stays PARTITION (month = '2024-03') SELECT visit_id, patient_id, diagnosis, minutes, fee * 2 FROM cln.visits WHERE reason <> ']'
-> stay: visits.visit_id
-> patient: visits.patient_id
-> ward: visits.diagnosis
-> nights: visits.minutes
-> bill: visits.fee
-> month: -
-> rows: FILTER visits.reason
-> to: h_stays
# treated: Hive's table grouped [hive]
CREATE TABLE cln.h_nights STORED AS TEXTFILE AS SELECT ward, month, sum(nights) AS nights, max(bill) AS bill FROM cln.h_stays WHERE month = '2024-03' AND ward <> '(' GROUP BY ward, month
-> ward: h_stays.ward
-> month: h_stays.month
-> nights: h_stays.nights
-> bill: h_stays.bill
-> rows: FILTER h_stays.month, .ward; GROUP_BY h_stays.ward, .month
-> to: h_nights
# treated: Hive's tables joined [hive]
SELECT s.stay, n.nights - s.nights AS others FROM cln.h_stays s JOIN cln.h_nights n ON s.ward = n.ward AND s.month = n.month
-> stay: h_stays.stay
-> others: h_nights.nights, h_stays.nights
-> rows: JOIN h_stays.ward, .month, h_nights.ward, .month; MAY h_stays.ward, .month, h_nights.ward, .month
# treated: written to Hive by the frame [code] [hive]
spark.conf.set('hive.exec.dynamic.partition.mode', 'nonstrict')
spark.table('cln.h_stays').groupBy('stay', 'patient', 'ward', 'month').agg(F.max('nights').alias('nights'), F.sum('bill').alias('bill')).select('stay', 'patient', 'ward', 'nights', 'bill', F.concat(F.lit('x'), 'month').alias('month')).write.mode('append').insertInto('cln.h_stays')
-> = h_stays: stay, patient, ward, nights, bill, month
-> rows: GROUP_BY h_stays.stay, .patient, .ward, .month
-> to: h_stays
# treated: counts with a filter [from 3.0]
SELECT day, count(*) FILTER (WHERE fee > 50) AS dear, max_by(reason, fee) AS why, sum(fee) FILTER (WHERE paid = 0 AND reason <> '(') AS unpaid FROM cln.visits GROUP BY day
-> day: visits.day
-> dear: -; IF visits.fee
-> why: visits.reason; IF visits.fee
-> unpaid: visits.fee; IF visits.paid, .reason
-> rows: GROUP_BY visits.day
# treated: qualified by a window [code]
spark.table('cln.visits').withColumn('first', F.expr('min(day) OVER (PARTITION BY patient_id)')).where('day = first').select('patient_id', 'first', 'fee').write.mode('overwrite').saveAsTable('cln.first_days')
-> patient_id: visits.patient_id
-> first: visits.day; WINDOW visits.patient_id
-> fee: visits.fee
-> rows: FILTER visits.day, .patient_id
-> to: first_days
# treated: unpivoted [from 3.4]
CREATE TABLE cln.amount_kinds USING parquet AS SELECT visit_id, kind, amount FROM cln.visits UNPIVOT (amount FOR kind IN (fee, paid)) WHERE amount > 1
-> visit_id: visits.visit_id
-> kind: -
-> amount: visits.fee, .paid
-> rows: FILTER visits.fee, .paid
-> to: amount_kinds
# treated: a lateral subquery [from 3.2]
SELECT d.doctor, x.total FROM cln.doctors d, LATERAL (SELECT sum(v.fee) AS total FROM cln.visits v WHERE v.doctor_id = d.doctor_id AND v.reason <> '[') x
-> doctor: doctors.doctor
-> total: visits.fee
-> rows: FILTER visits.reason; JOIN doctors.doctor_id, visits.doctor_id; GROUP_BY visits.doctor_id; MAY doctors.doctor_id, visits.doctor_id
# treated: a table overwritten by the frame's SQL [code]
spark.sql("SELECT patient_id, max(day) AS last, min(day) AS first FROM cln.visits GROUP BY patient_id").write.mode('overwrite').format('json').save(root + '/out/c_span')
-> patient_id: visits.patient_id
-> last: visits.day
-> first: visits.day
-> rows: GROUP_BY visits.patient_id
-> to: c_span
# treated: CREATE OR REPLACE of a view over a folder [code]
spark.read.parquet(root + '/out/c_rates').createOrReplaceTempView('c_r')
spark.sql("CREATE TABLE cln.rates USING parquet AS SELECT ward, avg(rate) AS rate FROM c_r WHERE ward <> 'x [' GROUP BY ward")
-> ward: c_rates.ward
-> rate: c_rates.rate
-> rows: FILTER c_rates.ward; GROUP_BY c_rates.ward
-> to: rates
# treated: insert by position into fewer columns [code]
spark.sql('CREATE TABLE cln.small (who STRING, n BIGINT, total DOUBLE) USING parquet')
spark.sql("INSERT INTO cln.small SELECT p.name, count(*), sum(v.fee) FROM cln.visits v JOIN cln.patients p ON v.patient_id = p.patient_id AND v.fee > 1 GROUP BY p.name")
-> who: patients.name
-> n: -
-> total: visits.fee
-> rows: JOIN visits.patient_id, patients.patient_id; FILTER visits.fee; GROUP_BY patients.name; MAY visits.patient_id, patients.patient_id
-> to: small
# treated: only the patients of both years
CREATE TABLE cln.both USING parquet AS SELECT patient_id FROM cln.visits WHERE day < '2024-03-02' INTERSECT SELECT patient_id FROM cln.visits WHERE day >= '2024-03-02'
-> patient_id: visits.patient_id
-> rows: FILTER visits.day; JOIN visits.patient_id; GROUP_BY ?visits.patient_id
-> to: both
# treated: patients of busy doctors
SELECT name FROM cln.patients WHERE patient_id IN (SELECT patient_id FROM cln.visits WHERE doctor_id IN (SELECT doctor_id FROM cln.doctors WHERE grade = 'chief')) AND city <> '('
-> name: patients.name
-> rows: FILTER patients.city, doctors.grade; JOIN patients.patient_id, visits.patient_id, .doctor_id, doctors.doctor_id; MAY visits.doctor_id
# treated: a union of three days, cached [code]
u = None
for day in ('2024-03-01', '2024-03-02', '2024-03-03'):
    d = spark.table('cln.visits').where(F.col('day') == day).select('patient_id', 'fee', F.lit(f'day {day} [x]').alias('tag'))
    u = d if u is None else u.union(d)
u = u.cache()
u.groupBy('tag').agg(F.sum('fee').alias('fee')).write.mode('overwrite').saveAsTable('cln.tags')
-> tag: -
-> fee: visits.fee
-> rows: FILTER visits.day
-> to: tags
# treated: sessions of visits by lag
CREATE TABLE cln.sessions USING parquet AS SELECT visit_id, sum(CASE WHEN gap > 30 THEN 1 ELSE 0 END) OVER (PARTITION BY patient_id ORDER BY d) AS session FROM (SELECT visit_id, patient_id, to_date(day) AS d, datediff(to_date(day), lag(to_date(day)) OVER (PARTITION BY patient_id ORDER BY to_date(day))) AS gap FROM cln.visits) t
-> visit_id: visits.visit_id
-> session: -; IF visits.day, .patient_id; WINDOW visits.patient_id, .day
-> to: sessions
