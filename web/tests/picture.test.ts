import { expect, test } from "vitest";
import type { Model } from "../src/data/model";
import { layout } from "../src/graph/layout";
import { groupLabels } from "../src/graph/names";
import { type CardState, course, picture } from "../src/graph/picture";
import { trace } from "../src/graph/trace";
import { edge, filterOf, model } from "./made";

interface Options {
  hops?: number;
  states?: Record<string, CardState>;
  most?: number;
  indirect?: boolean;
  spread?: string[];
}

function draw(made: Model, focus: string, { hops = 3, states = {}, most = 300, indirect = false, spread = [] }: Options = {}) {
  const filter = filterOf(made, { indirect });
  const found = trace(made, made.find(focus), filter, hops, hops);
  return picture(made, found, {
    filter,
    states: new Map(Object.entries(states).map(([name, state]) => [made.find(name), state])),
    spread: new Set(spread.map((name) => made.find(name))),
    mostCards: most,
  });
}

const layers = (made: Model, drawn: ReturnType<typeof draw>) =>
  Object.fromEntries(drawn.cards.map((card) => [made.datasetName(card.dataset), card.layer]));

test("sources stand left of the focus and uses right of it", () => {
  const made = model(["raw.x > a.x", "a.x > b.x", "b.x > c.x"]);
  const drawn = draw(made, "b.x");
  expect(layers(made, drawn)).toEqual({ raw: -2, a: -1, b: 0, c: 1 });
  const x = Object.fromEntries(drawn.cards.map((card) => [made.datasetName(card.dataset), card.x]));
  expect(x.raw < x.a && x.a < x.b && x.b < x.c).toBe(true);
});

test("a dataset that is near and far stands behind all that it goes through", () => {
  const made = model(["raw.x > a.x", "a.x > b.x", "raw.x > b.x"]);
  expect(layers(made, draw(made, "b.x"))).toEqual({ raw: -2, a: -1, b: 0 });
});

test("circles do not move cards without end", () => {
  const made = model(["a.x > b.x", "b.x > c.x", "c.x > a.x", "b.x > b.y"]);
  const drawn = draw(made, "b");
  expect(new Set(Object.values(layers(made, drawn))).size).toBeLessThanOrEqual(3);
  expect(drawn.lines.some((line) => line.back)).toBe(true);
});

test("columns that take part come first and the others are counted", () => {
  const made = model(["a.z > b.z"], ["a.b", "a.c", "a.d"]);
  const drawn = draw(made, "b.z");
  const card = drawn.byDataset.get(made.find("a"));
  expect(card?.rows.map((row) => made.columnOf(row.node))).toEqual(["z"]);
  expect(card?.more).toBe(3);
  expect(draw(made, "b.z", { states: { a: "all" } }).byDataset.get(made.find("a"))?.rows.map((row) => made.columnOf(row.node))).toEqual(["z", "b", "c", "d"]);
});

test("a closed card takes the lines of its columns at its header", () => {
  const made = model(["a.x > b.x", "a.y > b.y"]);
  const drawn = draw(made, "b", { states: { a: "closed" } });
  expect(drawn.byDataset.get(made.find("a"))?.rows).toEqual([]);
  expect(new Set(drawn.lines.map((line) => line.from.y)).size).toBe(1);
  expect(drawn.lines).toHaveLength(2);
});

test("without columns a card is its header, and lines between two cards are one", () => {
  const made = model(["a.x > b.x", "a.y > b.y", "b.x > c.x"]);
  const filter = filterOf(made);
  const found = trace(made, made.find("b"), filter, 2, 2);
  const drawn = picture(made, found, { filter, states: new Map(), usual: "closed", mostCards: 9 });
  expect(drawn.cards.every((card) => card.rows.length === 0)).toBe(true);
  expect(drawn.lines.map((line) => line.links.length)).toEqual([2, 1]);
});

test("columns beyond the first ones share a line to the rest", () => {
  const edges = Array.from({ length: 20 }, (_, place) => `a.c${String(place).padStart(2, "0")} > b.x`);
  const made = model(edges);
  const drawn = draw(made, "b.x");
  const card = drawn.byDataset.get(made.find("a"));
  expect(card?.rows).toHaveLength(8);
  expect(card?.moreTakingPart).toBe(12);
  expect(drawn.lines).toHaveLength(9);
  expect(Math.max(...drawn.lines.map((line) => line.links.length))).toBe(12);
});

test("the ends of a column count drawn lines and all lines", () => {
  const made = model(["raw.x > a.x", "a.x > b.x", "a.x > c.x", edge("a.x > d.x", { dependency: "INDIRECT" })]);
  const row = draw(made, "b.x", { hops: 1 }).byDataset.get(made.find("a"))?.rows[0];
  expect(row).toMatchObject({ drawnIn: 0, totalIn: 1, drawnOut: 1, totalOut: 2 });
});

test("more cards than may be drawn: the nearest are", () => {
  const edges = Array.from({ length: 50 }, (_, place) => `s${String(place).padStart(2, "0")}.x > m.x`);
  const made = model([...edges, "far.x > s00.x"]);
  const drawn = draw(made, "m.x", { most: 51, spread: ["m"] });
  expect(drawn.cards).toHaveLength(51);
  expect(drawn.cardsLeftOut).toBe(1);
  expect(drawn.byDataset.has(made.find("far"))).toBe(false);
});

test("many neighbours with nothing else are one card until they are spread", () => {
  const made = model([...Array.from({ length: 9 }, (_, place) => `m.x > out${place}.x`), "m.x > n.x", "n.x > o.x"]);
  const drawn = draw(made, "m.x");
  expect(drawn.cards.map((card) => card.bunch.length)).toEqual([0, 0, 0, 9]);
  expect(drawn.lines.filter((line) => line.links.length === 9)).toHaveLength(1);
  expect(drawn.byDataset.get(made.find("out5"))?.bunch).toHaveLength(9);
  expect(draw(made, "m.x", { spread: ["m"] }).cards).toHaveLength(12);
  expect(draw(made, "out3.x", { hops: 1 }).cards).toHaveLength(2);
});

test("many lines between two cards run together and end at their rows", () => {
  const made = model(Array.from({ length: 6 }, (_, place) => `a.c${place} > b.c${place}`));
  const drawn = draw(made, "b");
  expect(new Set(drawn.lines.map((line) => Math.round(line.bundle?.fromY ?? -1))).size).toBeLessThan(9);
  const [from, to] = [drawn.byDataset.get(made.find("a")), drawn.byDataset.get(made.find("b"))];
  for (const line of drawn.lines) {
    const path = course(line, from!, to!);
    expect(path.endsWith(`${to!.x},${to!.y + line.to.y}`)).toBe(true);
    expect(path).not.toContain("NaN");
  }
});

test("namesakes show the part of their paths that differs", () => {
  const names = ["s3://lake/landing/2024/a/long/folder/of/orders", "s3://lake/landing/2025/a/long/folder/of/orders", "staging.orders"];
  const labels = groupLabels(names, 28);
  expect(labels.get(names[0])).toContain("2024");
  expect(labels.get(names[1])).toContain("2025");
  expect(labels.get(names[2])).toBe("staging");
});

test("lines are masked, inferred or opaque as their edges are", () => {
  const made = model([
    edge("a.x > b.x", { masking: true }),
    edge("a.y > b.y", { confidence: "inferred" }),
    edge("a.z > b.z", { confidence: "opaque" }),
  ]);
  const lines = Object.fromEntries(draw(made, "b").lines.map((line) => [made.columnOf(line.to.node), line]));
  expect(lines.x.masked).toBe(true);
  expect(lines.y).toMatchObject({ masked: false, confidence: "inferred" });
  expect(lines.z.confidence).toBe("opaque");
});

test("a line to itself leads around the card", () => {
  const made = model(["a.x > a.x"]);
  const drawn = draw(made, "a.x");
  const card = drawn.cards[0];
  expect(drawn.lines[0].back).toBe(true);
  expect(course(drawn.lines[0], card, card)).toContain("L");
});

function boxesOverlap(drawn: ReturnType<typeof draw>): boolean {
  return drawn.cards.some((one, place) =>
    drawn.cards.slice(place + 1).some((two) => one.x === two.x && one.y < two.y + two.height && two.y < one.y + one.height),
  );
}

/** Numbers that look like chance and are the same at every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

test("cards never lie upon each other", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const next = chance(seed);
    const edges = Array.from({ length: 120 }, () => {
      const to = Math.floor(next() * 30);
      return `t${Math.floor(next() * 30)}.c${Math.floor(next() * 12)} > t${to}.c${Math.floor(next() * 12)}`;
    });
    const made = model(edges);
    expect(boxesOverlap(draw(made, made.datasets.name[0], { hops: 5 }))).toBe(false);
  }
});

test("the same graph gives the same places", () => {
  const edges = ["a.x > m.x", "b.x > m.x", "c.x > m.x", "m.x > n.x", "m.x > o.x"];
  const places = (made: Model) => draw(made, "m").cards.map(({ x, y }) => [x, y]);
  expect(places(model(edges))).toEqual(places(model([...edges].reverse())));
});

test("neighbours are level with each other where there is room", () => {
  const places = layout(
    [
      { id: 0, layer: -1, height: 100 },
      { id: 1, layer: 0, height: 60 },
      { id: 2, layer: 1, height: 300 },
    ],
    [
      { from: 0, to: 1, fromY: 50, toY: 30 },
      { from: 1, to: 2, fromY: 30, toY: 100 },
    ],
  );
  const y = (id: number) => places.get(id)?.y ?? Number.NaN;
  expect(Math.abs(y(0) + 50 - (y(1) + 30))).toBeLessThanOrEqual(2);
  expect(Math.abs(y(1) + 30 - (y(2) + 100))).toBeLessThanOrEqual(2);
});

test("ten thousand datasets are placed within a second", () => {
  const boxes = Array.from({ length: 10_000 }, (_, id) => ({ id, layer: id % 10, height: 100 }));
  const wires = Array.from({ length: 30_000 }, (_, place) => ({ from: place % 10_000, to: (place * 7 + 1) % 10_000, fromY: 50, toY: 50 }));
  const begin = process.cpuUsage().user;
  layout(boxes, wires);
  expect((process.cpuUsage().user - begin) / 1e6).toBeLessThan(1);
});
