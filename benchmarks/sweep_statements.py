"""Makes and plans statements for the functions of one real Spark; called by `function_sweep.py` with its Python.

Usage: `python sweep_statements.py STATEMENTS.jsonl FOLDER`. The examples of `DESCRIBE FUNCTION EXTENDED` become
statements over columns: each literal is replaced by a column of its type, as far as the analyzer accepts it. Functions
that Spark evaluates by a class (`invoke(…Evaluator…)`, 4.0+) are planned in conditions and keys, too. STATEMENTS.jsonl
lists each statement with the columns that it reads, FOLDER/logs has a log of each explain mode.
"""

import json
import re
from pathlib import Path
from typing import Any

from statement_runner import ARGUMENTS, log_plans, start

LITERAL = re.compile(
    r"\btrue\b|\bfalse\b|(?:\b(?:DATE|TIMESTAMP|TIMESTAMP_NTZ|TIMESTAMP_LTZ|TIME|X)\s*)?'(?:[^'\\]|\\.|'')*'|\"[^\"]*\""
    r"|(?<![\w.'])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?:BD|[LSYDF])?(?![\w.'])",
    re.IGNORECASE,
)
CONSTANT = re.compile(
    r"\b(?:array|map|struct|named_struct|make_interval|make_dt_interval|parse_json|encode|unhex|to_timestamp|to_date)\("
)
EXAMPLE = re.compile(r"> (SELECT .*?);\s*\n", re.DOTALL | re.IGNORECASE)
FROM = re.compile(r"\sFROM\s+(VALUES\s.*?\s(?:AS\s+)?[a-z]\w*\s*\(([^()]*)\))(.*)$", re.DOTALL | re.IGNORECASE)
PLACES = {
    "WHERE": "SELECT k FROM {item} WHERE CAST({r} AS STRING) = 'x'",
    "JOIN": "SELECT o.k FROM {item} JOIN sweep_other o ON CAST({r} AS STRING) = o.t",
    "GROUP BY": "SELECT count(*) AS n FROM {item} GROUP BY CAST({r} AS STRING)",
    "ORDER BY": "SELECT k FROM {item} ORDER BY CAST({r} AS STRING) LIMIT 3",
    "PARTITION BY": "SELECT sum(k) OVER (PARTITION BY CAST({r} AS STRING)) AS s FROM {item}",
}
UNSTORED = ("void", "interval", "geometry", "geography", "time(")
MOST_COLUMNS = 6
MOST_EXAMPLES = 2
MODES = ("formatted", "extended")


class Sweep:
    """Statements over one empty table, which has some columns of each type that the examples need."""

    def __init__(self, spark):
        """Take the session."""
        self.spark = spark
        self.types, self.kinds, self.known = {}, {}, {}
        spark.sql("CREATE TABLE sweep_other (k BIGINT, t STRING) USING parquet")

    def kind(self, text):
        """The type of a constant; None where it is none or a table cannot store it."""
        if text not in self.known:
            self.known[text] = self._kind(text)
        return self.known[text]

    def _kind(self, text):
        try:
            kind = self.spark.sql(f"SELECT {text} AS c").schema[0].dataType.simpleString()
        except Exception:
            return None
        return None if any(word in kind for word in UNSTORED) else kind

    def column(self, kind, taken):
        """A column of a type that the statement does not use yet."""
        place = self.types.setdefault(kind, len(self.types))
        return next(f"c{place}_{n}" for n in range(MOST_COLUMNS * 9) if f"c{place}_{n}" not in taken)

    def create(self):
        """Make the table anew, with all columns that were asked for."""
        columns = [f"c{place}_{n} {kind}" for kind, place in self.types.items() for n in range(MOST_COLUMNS)]
        self.spark.sql("DROP TABLE IF EXISTS sweep")
        self.spark.sql(f"CREATE TABLE sweep (k BIGINT, {', '.join(columns)}) USING parquet")

    def is_valid(self, sql):
        """Whether the analyzer accepts a statement."""
        try:
            self.spark.sql(sql)
        except Exception:
            return False
        return True


def closing(text, at):
    """The offset after the bracket that closes the one at an offset."""
    depth = 0
    for end in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return end + 1
    return len(text)


def constants(text):
    """The spans of what a column can replace, outer before inner."""
    spans = [(match.start(), closing(text, match.end() - 1)) for match in CONSTANT.finditer(text)]
    return spans + [match.span() for match in LITERAL.finditer(text)]


def examples(spark, function):
    """The statements of a function's description."""
    try:
        rows = spark.sql(f"DESCRIBE FUNCTION EXTENDED `{function}`").collect()
    except Exception:
        return []
    text = "\n".join(row[0] for row in rows) + "\n"
    return [" ".join(each.split()) for each in EXAMPLE.findall(text)]


def replaced(sweep, expression):
    """An example's expression over columns, as far as the analyzer accepts them, and these columns."""
    columns: list[Any] = []
    done: set[tuple[Any, int]] = set()
    while len(columns) < MOST_COLUMNS:
        for at, end in constants(expression):
            constant = expression[at:end]
            if (constant, at) in done:
                continue
            done.add((constant, at))
            kind = sweep.kind(constant)
            if kind is None:
                continue
            column = sweep.column(kind, columns)
            casts = [
                f"CAST(NULL AS {of}) AS {each}"
                for each, of in [*((c, sweep.kinds[c]) for c in columns), (column, kind)]
            ]
            inner = f"(SELECT k, {', '.join(casts)} FROM sweep_other)"
            text = f"{expression[:at]}{column}{expression[end:]}"
            if sweep.is_valid(f"SELECT {text} FROM {inner}") or sweep.is_valid(f"SELECT {over(text)} FROM {inner}"):
                sweep.kinds[column] = kind
                columns.append(column)
                expression = text
                break
        else:
            break
    return expression, columns


def over(expression):
    """A window function over some order."""
    return f"{expression} OVER (ORDER BY k)"


def statement(sweep, example):
    """The statement of an example: its expression, its FROM item and its columns; None if it has none."""
    match = FROM.search(example)
    expression = example[len("SELECT ") : match.start() if match else len(example)]
    if match is None:
        text, columns = replaced(sweep, expression)
        return (text, "sweep", columns, "") if columns else None
    if "GROUP BY" in match[3].upper() and "(" in match[3]:
        return None  # grouping sets
    try:
        schema = sweep.spark.sql(f"SELECT * FROM {match[1]}").schema
    except Exception:
        return None
    items, columns = [], []
    for each in schema:
        kind = each.dataType.simpleString()
        if any(word in kind for word in UNSTORED):
            return None
        column = sweep.column(kind, columns)
        sweep.kinds[column] = kind
        items.append(f"{column} AS `{each.name}`")
        if re.search(rf"(?<![\w'])`?{re.escape(each.name)}\b", expression, re.IGNORECASE):
            columns.append(column)
        elif re.search(rf"(?<![\w']){re.escape(each.name)}\b", match[3], re.IGNORECASE):
            return None
    return (expression, f"(SELECT k, {', '.join(items)} FROM sweep)", columns, match[3]) if columns else None


def planned(sweep, name, made, logs):
    """Plans a function's statements, and returns what they are."""
    lines = []
    try:
        lines.extend(plan_places(sweep, name, made, logs))
    except Exception as error:  # constants that the optimizer cannot evaluate
        print(json.dumps({"name": made[0], "error": " ".join(str(error).split())[:200]}), flush=True)
    return lines


def plan_places(sweep, name, made, logs):
    """Plans a function in a select list, and where it is evaluated by a class in conditions and keys."""
    spark = sweep.spark
    label, expression, item, columns, rest = made
    for text in (expression, over(expression)):
        sql = f"SELECT {text} FROM {item}{rest}"
        if sweep.is_valid(sql):
            break
    else:
        return
    frame = spark.sql(sql)
    log_plans(spark, label, frame, logs, modes=MODES)
    yield {"name": label, "function": name, "sql": sql, "columns": columns, "place": "SELECT"}
    if " OVER " in sql or "invoke(" not in frame._jdf.queryExecution().executedPlan().toString():
        return
    for place, form in PLACES.items():
        sql = form.format(item=f"{item} i", r=expression)
        if sweep.is_valid(sql):
            log_plans(spark, f"{label} {place}", spark.sql(sql), logs, modes=MODES)
            yield {"name": f"{label} {place}", "function": name, "sql": sql, "columns": columns, "place": place}


def main():
    """Make and plan them all."""
    sweep = Sweep(start())
    names = sorted({row[0].rpartition(".")[2] for row in sweep.spark.sql("SHOW FUNCTIONS").collect()})
    found = []
    for name in names:
        made = (statement(sweep, example) for example in examples(sweep.spark, name)[:MOST_EXAMPLES])
        found += [(name, (f"{name} {number}", *each)) for number, each in enumerate(made) if each is not None]
    sweep.create()
    logs: dict[str, Any] = {}
    lines = []
    for name, case in found:
        lines += planned(sweep, name, case, logs)
    Path(ARGUMENTS[0]).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    swept = {line["function"] for line in lines}
    print(json.dumps({"functions": len(names), "without": sorted(set(names) - swept)}))
    sweep.spark.stop()
    for log in logs.values():
        log.close()


if __name__ == "__main__":
    main()
