CREATE DATABASE IF NOT EXISTS inn;
CREATE TABLE inn.survey (guest_id BIGINT, q1 BIGINT, q2 BIGINT, q3 BIGINT, q4 BIGINT, q5 BIGINT, q6 BIGINT, q7 BIGINT, q8 BIGINT, q9 BIGINT, q10 BIGINT, q11 BIGINT, q12 BIGINT, q13 BIGINT, q14 BIGINT, q15 BIGINT, q16 BIGINT, q17 BIGINT, q18 BIGINT, q19 BIGINT, q20 BIGINT, q21 BIGINT, q22 BIGINT, q23 BIGINT, q24 BIGINT, q25 BIGINT, q26 BIGINT, q27 BIGINT, q28 BIGINT, q29 BIGINT, q30 BIGINT, remark STRING) USING parquet;
CREATE TABLE inn.guests (guest_id BIGINT, name STRING, country STRING) USING parquet;
INSERT INTO inn.survey VALUES (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 'a (b');
INSERT INTO inn.guests VALUES (1, 'ann', 'NL');
-- computed columns
CREATE TABLE inn.doubled USING parquet AS SELECT guest_id, q1 * 2 AS d1, q2 * 2 AS d2, q3 * 2 AS d3, q4 * 2 AS d4, q5 * 2 AS d5, q6 * 2 AS d6, q7 * 2 AS d7, q8 * 2 AS d8, q9 * 2 AS d9, q10 * 2 AS d10, q11 * 2 AS d11, q12 * 2 AS d12, q13 * 2 AS d13, q14 * 2 AS d14, q15 * 2 AS d15, q16 * 2 AS d16, q17 * 2 AS d17, q18 * 2 AS d18, q19 * 2 AS d19, q20 * 2 AS d20, q21 * 2 AS d21, q22 * 2 AS d22, q23 * 2 AS d23, q24 * 2 AS d24, q25 * 2 AS d25, q26 * 2 AS d26, q27 * 2 AS d27, q28 * 2 AS d28, q29 * 2 AS d29, q30 * 2 AS d30 FROM inn.survey WHERE q30 > 0;
-- stars, a join and computed columns behind them
CREATE TABLE inn.joined USING parquet AS
SELECT s.*, g.country, upper(g.name) AS who, CASE WHEN s.q1 > 3 THEN s.q2 ELSE s.q30 END AS mixed -- of both; really
FROM inn.survey s JOIN inn.guests g ON s.guest_id = g.guest_id;
INSERT OVERWRITE TABLE inn.doubled SELECT guest_id, q1 + q30, q2 + q29, q3 + q28, q4 + q27, q5 + q26, q6 + q25, q7 + q24, q8 + q23, q9 + q22, q10 + q21, q11 + q20, q12 + q19, q13 + q18, q14 + q17, q15 + q16, q16 + q15, q17 + q14, q18 + q13, q19 + q12, q20 + q11, q21 + q10, q22 + q9, q23 + q8, q24 + q7, q25 + q6, q26 + q5, q27 + q4, q28 + q3, q29 + q2, q30 + q1 FROM inn.survey;
-- sums of thirty columns
CREATE TABLE inn.sums USING parquet AS SELECT remark, sum(q1) AS s1, sum(q2) AS s2, sum(q3) AS s3, sum(q4) AS s4, sum(q5) AS s5, sum(q6) AS s6, sum(q7) AS s7, sum(q8) AS s8, sum(q9) AS s9, sum(q10) AS s10, sum(q11) AS s11, sum(q12) AS s12, sum(q13) AS s13, sum(q14) AS s14, sum(q15) AS s15, sum(q16) AS s16, sum(q17) AS s17, sum(q18) AS s18, sum(q19) AS s19, sum(q20) AS s20, sum(q21) AS s21, sum(q22) AS s22, sum(q23) AS s23, sum(q24) AS s24, sum(q25) AS s25, sum(q26) AS s26, sum(q27) AS s27, sum(q28) AS s28, sum(q29) AS s29, sum(q30) AS s30 FROM inn.survey GROUP BY remark;
-- a view, and a query of the current database
USE inn;
CREATE OR REPLACE TEMPORARY VIEW v AS SELECT guest_id AS id, q1 AS a, q2 AS b, q29 AS y, q30 AS z FROM survey WHERE remark <> '(';
WITH w AS (SELECT id, a + b AS ab, y, z FROM v) INSERT INTO doubled SELECT id, ab + 1, ab + 2, ab + 3, ab + 4, ab + 5, ab + 6, ab + 7, ab + 8, ab + 9, ab + 10, ab + 11, ab + 12, ab + 13, ab + 14, ab + 15, ab + 16, ab + 17, ab + 18, ab + 19, ab + 20, ab + 21, ab + 22, ab + 23, ab + 24, ab + 25, ab + 26, ab + 27, ab + 28, y, z * y FROM w;
SELECT id, a * 1 AS a1, a * 2 AS a2, a * 3 AS a3, a * 4 AS a4, a * 5 AS a5, a * 6 AS a6, a * 7 AS a7, a * 8 AS a8, a * 9 AS a9, a * 10 AS a10, a * 11 AS a11, a * 12 AS a12, a * 13 AS a13, a * 14 AS a14, a * 15 AS a15, a * 16 AS a16, a * 17 AS a17, a * 18 AS a18, a * 19 AS a19, a * 20 AS a20, a * 21 AS a21, a * 22 AS a22, a * 23 AS a23, a * 24 AS a24, a * 25 AS a25, a * 26 AS a26, a * 27 AS a27, a * 28 AS a28, upper(concat(y, 'x, [')) AS u, z FROM v ORDER BY z LIMIT 5;
