-- name: A.parcels saved
-- writes: create parcels
-- columns: parcel_id sender recipient kg price < csv.*; net < csv.price; day < csv.day

-- name: A.scans made
-- writes: create scans
-- columns: parcel_id at < json.*; hub < json.hub.code; lat < json.hub.geo.lat; first_kind < json.events.kind;
--   n_events < json.events; prio < json.tags.prio
-- conditions: FILTER json.parcel_id
CREATE TABLE A.scans USING {format} AS
SELECT s.parcel_id, s.at, s.hub.code AS hub, s.hub.geo.lat AS lat, s.events[0].kind
AS first_kind, CAST(size(s.events) AS BIGINT) AS n_events, s.tags.prio AS prio FROM json.`{root}/landing/scans` s
WHERE s.parcel_id IS NOT NULL;

-- name: B.parcels made
-- writes: create b_parcels
-- columns: parcel_id sender kg < parcels.*
CREATE TABLE B.parcels USING {format} AS SELECT parcel_id, sender, kg
FROM (SELECT *, row_number() OVER (PARTITION BY sender, recipient ORDER BY kg DESC) AS rn FROM A.parcels)
WHERE rn = 1;

-- name: late facts
-- writes: append b_parcels
-- columns: parcel_id sender kg < parcels.*
-- conditions: JOIN b_parcels.parcel_id; FILTER parcels.kg
INSERT INTO B.parcels SELECT p.parcel_id, p.sender, p.kg + 0.5
FROM A.parcels p LEFT ANTI JOIN B.parcels b ON b.parcel_id = p.parcel_id WHERE p.kg < 40;

-- name: B.by_hub made
-- writes: create b_by_hub
-- columns: hub < scans.hub; ins outs < scans.n_events
CREATE TABLE B.by_hub USING {format} AS SELECT * FROM (SELECT hub, first_kind, n_events
FROM A.scans) PIVOT (sum(n_events) FOR first_kind IN ('in' AS ins, 'out' AS outs));

-- name: B.long made
-- writes: create b_long
-- columns: hub < b_by_hub.hub; k <; v < b_by_hub.ins b_by_hub.outs
CREATE TABLE B.long USING {format} AS SELECT hub, k, v
FROM B.by_hub LATERAL VIEW stack(2, 'ins', ins, 'outs', outs) x AS k, v WHERE v IS NOT NULL;

-- name: B.loads made
-- writes: create b_loads
-- columns: who < parcels.sender parcels.recipient; load < parcels.kg; role <
-- conditions: FILTER parcels.kg
CREATE TABLE B.loads USING {format} AS WITH heavy AS (SELECT sender, sum(kg) AS kg FROM A.parcels WHERE kg > 1
GROUP BY sender), light AS (SELECT recipient, min(kg) AS kg FROM A.parcels GROUP BY recipient)
SELECT sender AS who, kg AS load, 's' AS role FROM heavy UNION SELECT recipient, kg, 'r' FROM light;

-- name: B.sessions saved
-- writes: create b_sessions
-- columns: hub < scans.hub; session <; opened < scans.at; ids < scans.parcel_id; n <
-- conditions: GROUP_BY scans.hub

-- name: B.enriched saved
-- writes: create b_enriched
-- columns: parcel_id < parcels.parcel_id; hub < scans.hub; m < parcels.kg parcels.price
-- conditions: JOIN scans.parcel_id

-- name: B.flat saved
-- writes: create b_flat
-- columns: parcel_id < b_enriched.parcel_id; weight < b_enriched.m.kg; price < b_enriched.m.price
-- conditions: GROUP_BY b_enriched.parcel_id

-- name: B.scores saved
-- writes: create b_scores
-- columns: sender score < parcels.sender parcels.kg

-- name: B.measured saved
-- writes: create b_measured
-- columns: parcel_id < parcels.parcel_id; twice < parcels.kg
-- conditions: FILTER parcels.price

-- name: B.tops saved
-- writes: create b_tops
-- columns: sender < parcels.sender; top < parcels.kg
-- conditions: FILTER parcels.kg

-- name: B.cube made
-- writes: create b_cube
-- columns: sender day kg < parcels.*; g <
CREATE TABLE B.cube USING {format} AS
SELECT coalesce(sender, 'all') AS sender, day, grouping_id() AS g, round(avg(kg), 1) AS kg FROM A.parcels
GROUP BY CUBE (sender, day) HAVING count(*) > 1;

-- name: B.nested made
-- writes: create b_nested
-- columns: sender < parcels.sender; items < parcels.parcel_id parcels.kg; by_day < parcels.day parcels.price
CREATE TABLE B.nested USING {format} AS
SELECT sender, collect_list(named_struct('id', parcel_id, 'w', kg))
AS items, collect_list(named_struct('d', day, 'p', price)) AS by_day FROM A.parcels GROUP BY sender;

-- name: B.unnested made
-- writes: create b_unnested
-- columns: sender < b_nested.sender; id < b_nested.items.id; big < b_nested.items b_nested.items.w;
--   kg < b_nested.items.w; first < b_nested.by_day.p
CREATE TABLE B.unnested USING {format} AS
SELECT sender, i.id AS id, filter(items, x -> x.w > 5) AS big, aggregate(items, 0D, (a, x) -> a + x.w)
AS kg, by_day[0].p AS first FROM B.nested LATERAL VIEW OUTER explode(items) e AS i;

-- name: B.ranked made
-- writes: create b_ranked
-- columns: sender kg < parcels.*; pr <; nearest < parcels.recipient; d < parcels.kg
CREATE TABLE B.ranked USING {format} AS
SELECT p.sender, p.kg, percent_rank() OVER w AS pr, first_value(p.recipient) OVER w
AS nearest, p.kg - avg(p.kg) OVER (PARTITION BY p.day ORDER BY p.parcel_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)
AS d FROM A.parcels p WINDOW w AS (PARTITION BY p.sender ORDER BY p.kg);

-- name: B.exists made
-- writes: create b_exists
-- columns: parcel_id hub < scans.*; kg < parcels.kg
-- conditions: JOIN b_parcels.parcel_id
CREATE TABLE B.exists USING {format} AS SELECT s.parcel_id, s.hub, (SELECT max(p.kg) FROM A.parcels p
WHERE p.parcel_id = s.parcel_id) AS kg FROM A.scans s WHERE EXISTS (SELECT 1 FROM B.parcels b
WHERE b.parcel_id = s.parcel_id AND b.kg > 1) AND s.hub NOT IN (SELECT hub FROM B.by_hub WHERE ins > 1000);

-- name: B.cases made
-- writes: create b_cases
-- columns: parcel_id < parcels.parcel_id; label < parcels.recipient parcels.sender parcels.day;
--   fee < parcels.price parcels.net; dated <; masked < parcels.recipient; doc < parcels.kg
CREATE TABLE B.cases USING {format} AS SELECT parcel_id, CASE sender WHEN 's1' THEN recipient
WHEN 's2' THEN concat_ws('-', sender, day) ELSE NULL END AS label, if(kg > 5, price, net) AS fee, nvl2(day, 1, 0)
AS dated, sha2(recipient, 256) AS masked, to_json(struct(kg AS w)) AS doc FROM A.parcels;

-- name: B.parsed made
-- writes: create b_parsed
-- columns: parcel_id < b_cases.parcel_id; w t < b_cases.doc; tail r < b_cases.label
CREATE TABLE B.parsed USING {format} AS
SELECT parcel_id, from_json(doc, 'w DOUBLE').w AS w, get_json_object(doc, '$.w')
AS t, try_element_at(split(label, '-'), 2) AS tail, regexp_extract(label, '(s#[0-9]+)', 1) AS r FROM B.cases;

-- name: B.wide70 saved
-- writes: create b_wide70
-- columns: pk < parcels.parcel_id;
--   m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26 m27 m28
--   m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53 m54 m55 m56
--   m57 m58 m59 m60 m61 m62 m63 m64 m65 m66 m67 m68 m69 < parcels.kg parcels.net

-- name: B.narrow saved
-- writes: create b_narrow
-- columns: pk < b_wide70.pk;
--   m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26 m27 m28
--   m29 < b_wide70.*; total < b_wide70.m{40..69}

-- name: B.wide_join made
-- writes: create b_wide_join
-- columns: pk < b_wide70.pk; {10..20: d{n} < b_wide70.m{n} b_narrow.total}; {21..45: x{n} < b_wide70.m{n}}
-- conditions: JOIN b_narrow.pk
CREATE TABLE B.wide_join USING {format} AS
SELECT a.pk, {10..20: a.m{n} - b.total AS d{n}}, {21..45: max(a.m{n}) OVER (PARTITION BY a.pk) AS x{n}}
FROM B.wide70 a JOIN B.narrow b ON a.pk = b.pk AND b.m01 > 0;

-- name: by name
-- writes: append b_loads
-- columns: who < b_parcels.sender; load < b_parcels.kg; role <
INSERT INTO B.loads BY NAME SELECT 'n' AS role, sum(kg) AS load, sender AS who FROM B.parcels GROUP BY sender;

-- name: column list
-- writes: append b_loads
-- columns: who role < b_parcels.sender; load < b_parcels.kg
-- conditions: FILTER b_parcels.kg
INSERT INTO B.loads (load, who, role) SELECT kg, sender, upper(sender) FROM B.parcels WHERE kg BETWEEN 1 AND 30;

-- name: values
-- writes: append b_loads
-- columns: who load role <
INSERT INTO B.loads VALUES ('a', 1.0D, 'x'), ('b', 2.0D, 'y');

-- name: from first
-- writes: append b_loads
-- columns: who < parcels.sender; load < parcels.net; role < parcels.day
-- conditions: FILTER parcels.net
FROM A.parcels p INSERT INTO B.loads SELECT p.sender, p.net, p.day WHERE p.net > 2;

-- name: except
-- writes: append b_loads
-- columns: who load < b_loads.*; role < b_loads.role
-- conditions: FILTER b_loads.role
INSERT INTO B.loads SELECT who, load, role FROM B.loads WHERE role = 's' EXCEPT SELECT sender, kg, 's'
FROM B.parcels;

-- name: limit
-- writes: append b_loads
-- columns: who < parcels.sender; load < parcels.kg; role < parcels.day
-- conditions: SORT parcels.price
INSERT INTO B.loads SELECT sender, kg, day FROM A.parcels ORDER BY price DESC LIMIT 3;

-- name: views
-- writes: append b_loads
-- columns: who < parcels.sender; load < parcels.kg; role <
-- conditions: FILTER parcels.price

-- name: loop
-- writes: append b_loads
-- columns: who < scans.hub; load < scans.n_events; role < scans.prio
-- conditions: FILTER scans.hub
