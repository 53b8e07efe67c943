import { expect, test } from "vitest";
import type { Model } from "../src/data/model";
import { chain } from "../src/graph/chain";
import { trace } from "../src/graph/trace";
import { edge, filterOf, model, NOW } from "./made";

const side = (made: Model, hops: Map<number, number>) =>
  Object.fromEntries([...hops].filter(([node, hop]) => hop > 0 && node >= 0).map(([node, hop]) => [made.fullName(node), hop]));

function up(made: Model, focus: string, hops: number, facts = {}) {
  return side(made, trace(made, made.find(focus), filterOf(made, facts), hops, 0).up.hops);
}

function down(made: Model, focus: string, hops: number, facts = {}) {
  return side(made, trace(made, made.find(focus), filterOf(made, facts), 0, hops).down.hops);
}

const SHOP = ["raw.amount > orders.amount", "raw.discount > orders.discount", "orders.amount > daily.revenue", "orders.discount > daily.revenue", "daily.revenue > top.revenue"];

test("a column's sources are followed as many hops as asked for", () => {
  const made = model(SHOP);
  expect(up(made, "daily.revenue", 1)).toEqual({ "orders.amount": 1, "orders.discount": 1 });
  expect(up(made, "daily.revenue", 2)).toEqual({ "orders.amount": 1, "orders.discount": 1, "raw.amount": 2, "raw.discount": 2 });
  expect(up(made, "daily.revenue", 0)).toEqual({});
});

test("a dataset in focus means all of its columns", () => {
  const made = model([...SHOP, "raw.id > orders.id", "orders.id > daily.n"]);
  expect(Object.keys(up(made, "daily", 1)).sort()).toEqual(["orders.amount", "orders.discount", "orders.id"]);
});

test("what influences a dataset as a whole influences each of its columns, where indirect edges are shown", () => {
  const made = model([...SHOP, edge("flags.paid > daily", { dependency: "INDIRECT" })]);
  expect(up(made, "daily.revenue", 1)).not.toHaveProperty(["flags.paid"]);
  expect(up(made, "daily.revenue", 1, { indirect: true })).toHaveProperty(["flags.paid"], 1);
  expect(down(made, "flags.paid", 2, { indirect: true })).toEqual({ daily: 1, "top.revenue": 2 });
  expect(down(made, "flags.paid", 2)).toEqual({});
});

test("a circle ends", () => {
  const made = model(["a.x > b.x", "b.x > a.x", "a.x > a.x"]);
  expect(up(made, "a.x", 9)).toEqual({ "b.x": 1 });
  expect(down(made, "b.x", 9)).toEqual({ "a.x": 1 });
});

test("asked for a struct, its fields are meant; a field without lineage of its own has its struct's", () => {
  const made = model(["a.s > b.s", "b.s.city > c.city"], ["b.s.city", "b.s.zip"]);
  expect(down(made, "b.s", 1)).toEqual({ "c.city": 1 });
  expect(up(made, "b.s.zip", 1)).toEqual({ "a.s": 1 });
});

test("a field is in the copies of the structs around it, and followed in them", () => {
  const made = model(["a.doc > b.doc", "a.doc.x > b.x", "b.doc.x > c.x", "b.doc.y > c.y", edge("a.doc > d.json", { kind: "TRANSFORMATION" })]);
  expect(down(made, "a.doc.x", 2)).toEqual({ "b.doc.x": 1, "b.x": 1, "b.doc": 1, "d.json": 1, "c.x": 2 });
  expect(up(made, "c.x", 2)).toEqual({ "b.doc.x": 1, "b.doc": 1, "a.doc.x": 2, "a.doc": 2 });
});

test("an edge between datasets goes on with all columns", () => {
  const made = model([edge("a > b", { dependency: "TABLE" }), "raw.x > a.x"]);
  expect(up(made, "b", 2)).toEqual({ a: 1, "raw.x": 2 });
});

test("a column is masked where every way to it is", () => {
  const made = model([
    edge("a.mail > b.hash", { masking: true }),
    "a.mail > b.plain",
    "b.hash > c.copy",
    "b.hash > c.both",
    "b.plain > c.both",
  ]);
  const { masked } = trace(made, made.find("a.mail"), filterOf(made), 0, 3).down;
  expect([...masked].map((node) => made.fullName(node)).sort()).toEqual(["b.hash", "c.copy"]);
});

test("an edge masks for a link only if all of the link's edges do", () => {
  const made = model([edge("a.mail > b.x", { masking: true, job: "one" }), edge("a.mail > b.x", { job: "two" })]);
  expect(trace(made, made.find("a.mail"), filterOf(made), 0, 1).down.masked.size).toBe(0);
});

test("the chain has the expression of each step, the nearest first", () => {
  const made = model(SHOP);
  const { steps, cut } = chain(made, made.find("top.revenue"), NOW, (each) => `made of ${made.fullName(each.source)}`);
  expect(cut).toBe(false);
  expect(steps.map((step) => [made.fullName(step.node), step.depth])).toEqual([
    ["top.revenue", 0],
    ["daily.revenue", 1],
    ["orders.amount", 2],
    ["orders.discount", 2],
  ]);
  expect(steps[1].made.map((each) => each.expression)).toEqual(["made of orders.amount", "made of orders.discount"]);
});

test("one expression of several sources is one step", () => {
  const made = model(["o.amount > d.revenue", "o.discount > d.revenue"]);
  const [step] = chain(made, made.find("d.revenue"), NOW, () => "sum(amount - discount)").steps;
  expect(step.made).toHaveLength(1);
  expect(step.made[0].sources).toHaveLength(2);
});
