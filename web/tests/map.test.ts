import { expect, test } from "vitest";
import type { About, Panel } from "../src/data/blocks";
import { Model } from "../src/data/model";
import { Past } from "../src/data/past";
import { flow } from "../src/graph/flow";
import { mapLayout } from "../src/graph/map_layout";
import { lastNight, silentApplications } from "../src/graph/night";
import { depths, warehouseOf } from "../src/graph/warehouse";
import { block, edge, factsOf, history } from "./made";

/** Edges between whole datasets, whose names have dots. */
function tables(pairs: [string, string][], jobs: string[] = []): Model {
  const names = [...new Set(pairs.flat())].sort();
  const made = block(pairs.map(([from, to]) => edge(`${String(names.indexOf(from)).padStart(3, "0")} > ${String(names.indexOf(to)).padStart(3, "0")}`, { dependency: "TABLE" })));
  made.datasets.name = names;
  return new Model(made, jobs);
}

const lanes = (made: Model, facts = factsOf()) => {
  const { groups, lanes: titles } = warehouseOf(made, facts);
  return Object.fromEntries(groups.map((group) => [group.name, titles[group.lane]]));
};

test("lanes follow the data, whatever schemas are called", () => {
  const made = tables([
    ["s3://lake/landing/orders", "gold.first"],
    ["gold.first", "bronze.second"],
    ["bronze.second", "silver.third"],
    ["silver.third", "s3://lake/exports/orders"],
  ]);
  expect(lanes(made)).toEqual({
    "s3://lake/landing (in)": "Sources",
    gold: "Stage 1",
    bronze: "Stage 2",
    silver: "Stage 3",
    "s3://lake/exports (out)": "Exports and readers",
  });
});

test("a way back between two groups does not turn their lanes around", () => {
  const made = tables([
    ["raw.a", "silver.a"],
    ["raw.b", "silver.b"],
    ["silver.a", "gold.a"],
    ["silver.b", "gold.b"],
    ["gold.b", "silver.c"],
  ]);
  expect(lanes(made)).toEqual({ raw: "Sources", silver: "Stage 1", gold: "Stage 2" });
});

test("jobs that only read are the last group", () => {
  const made = tables([["raw.a", "db.b"]], ["look"]);
  const facts = factsOf({ uses: [{ dataset: made.find("db.b"), job: "look", direction: "read", only_reads: true }] });
  const { groups, ribbons } = warehouseOf(made, facts);
  expect(lanes(made, facts)).toEqual({ raw: "Sources", db: "Tables", Readers: "Exports and readers" });
  expect(groups.at(-1)?.jobs).toEqual(["look"]);
  expect(ribbons.map(({ source, target }) => `${groups[source].name} ${groups[target].name}`)).toEqual(["raw db", "db Readers"]);
});

test("circles of datasets end", () => {
  const pairs = [
    { source: 0, target: 1, edges: 1, bytes: 0 },
    { source: 1, target: 2, edges: 1, bytes: 0 },
    { source: 2, target: 0, edges: 1, bytes: 0 },
    { source: 2, target: 3, edges: 1, bytes: 0 },
  ];
  expect([...depths(5, pairs)]).toEqual([0, 0, 0, 1, 0]);
});

test("many paths are few folders that hold all of them", () => {
  const pairs = Array.from({ length: 200 }, (_, place): [string, string] => [`s3://b/landing/${place % 30}/day=${place}/part`, `t.t${place}`]);
  const made = tables(pairs);
  const { groups, groupOf } = warehouseOf(made, factsOf());
  expect(groups.length).toBeLessThanOrEqual(14);
  expect(groupOf.every((group) => group >= 0)).toBe(true);
  expect(groups.reduce((sum, group) => sum + group.datasets.length, 0)).toBe(made.datasetCount);
});

test("boxes of a lane never lie upon each other, and ribbons are as thick as what they carry", () => {
  const pairs = Array.from({ length: 2000 }, (_, place): [string, string] => [`s${place % 12}.t${place}`, `g${place % 7}.t${place % 90}`]);
  const made = tables(pairs);
  const warehouse = warehouseOf(made, factsOf());
  const found = mapLayout(warehouse, 1300, false, new Set(), () => [["late", 1]]);
  for (const lane of new Set(found.boxes.map((box) => box.lane))) {
    const own = found.boxes.filter((box) => box.lane === lane).sort((a, b) => a.y - b.y);
    own.slice(1).forEach((box, place) => expect(box.y).toBeGreaterThanOrEqual(own[place].y + own[place].height));
  }
  const thickest = [...found.ribbons].sort((a, b) => b.width - a.width)[0];
  const edges = (ribbon: typeof thickest) => ribbon.ribbons.reduce((sum, each) => sum + each.edges, 0);
  expect(edges(thickest)).toBe(Math.max(...found.ribbons.map(edges)));
  expect(found.ribbons.every((ribbon) => !ribbon.path.includes("NaN"))).toBe(true);
});

test("a dataset's state is the gravest of the last night", () => {
  const made = tables([
    ["raw.a", "db.failed"],
    ["raw.a", "db.late"],
    ["raw.a", "db.fine"],
  ]);
  const day = 86_400_000;
  const write = (name: string, status: string) => ({ dataset: made.find(name), at: 10 * day, status, job: name, error: "" });
  const facts = factsOf({
    writes: [write("db.failed", "failed"), write("db.late", "succeeded"), write("db.fine", "succeeded")],
    jobs: [{ name: "db.failed", status: "failed", last: 10 * day }],
  });
  const late = { name: "late", columns: [{ name: "dataset" }, { name: "times_usual" }], rows: [["db.late", 3], ["db.fine", 1.2]] } as unknown as Panel;
  const about = { night: { since: 9.5 * day, until: 10.5 * day, first_run: day } } as unknown as About;
  const night = lastNight(made, facts, new Past(made, history()), [late], about);
  const state = (name: string) => night.state[made.find(name)];
  expect([state("db.failed"), state("db.late"), state("db.fine"), state("raw.a")]).toEqual(["failed", "late", "written", "quiet"]);
  expect(night.failedJobs).toEqual(["db.failed"]);
});

test("a job stands between what it reads and what it writes", () => {
  const made = tables([["raw.a", "db.b"], ["db.b", "db.c"]], ["load", "sum"]);
  const use = (dataset: string, job: string, direction: string) => ({ dataset: made.find(dataset), job, direction });
  const facts = factsOf({ uses: [use("raw.a", "load", "read"), use("db.b", "load", "write"), use("db.b", "sum", "read"), use("db.c", "sum", "write")] });
  const drawn = flow(made, facts, made.find("job:sum"), { up: 3, down: 1, mostCards: 300 });
  expect(Object.fromEntries(drawn.cards.map((card) => [made.fullName(card.dataset), card.layer]))).toEqual({
    "raw.a": -3,
    "job:load": -2,
    "db.b": -1,
    "job:sum": 0,
    "db.c": 1,
  });
  expect(drawn.lines).toHaveLength(4);
  const few = flow(made, facts, made.find("job:sum"), { up: 3, down: 1, mostCards: 3 });
  expect([few.cards.length, few.cardsLeftOut]).toEqual([3, 2]);
});

test("applications without a log for a day are named with their late datasets", () => {
  const day = 86_400_000;
  const columns = ["dataset", "times_usual", "job_name"].map((name) => ({ name, kind: "text" }));
  const rows = [["a", 9, "sales: load"], ["b", 1, "sales: mart"], ["c", 3, "sales: mart"], ["d", 5, "crm: load"], ["e", 9, "hr: load"]];
  const panel = { name: "late", title: "", question: "", note: "", columns, chart: {}, rows, total: 5 };
  const jobs = [
    { name: "sales: load", last: day },
    { name: "sales: mart", last: 2 * day },
    { name: "crm: load", last: 9.5 * day },
    { name: "hr: load", last: 3 * day },
  ];
  expect(silentApplications(panel, jobs, 10 * day)).toEqual([
    { name: "sales", datasets: 2, last: 2 * day },
    { name: "hr", datasets: 1, last: 3 * day },
  ]);
});
