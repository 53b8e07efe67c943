import { expect, test } from "vitest";
import { DIRECT, INDIRECT, Model, TABLE } from "../src/data/model";
import { block, edge, model, NOW } from "./made";

const names = (made: Model, nodes: Iterable<number>) => [...nodes].map((node) => made.fullName(node));

test("a node is found by its whole name, whatever the case of its column", () => {
  const made = model(["a.x > b.Y"]);
  expect(made.fullName(made.find("b.y"))).toBe("b.Y");
  expect(made.find("b")).toBe(1);
  expect(made.find("b.z")).toBe(-1);
});

test("a dotted dataset and a dotted column are told apart by the longest dataset that there is", () => {
  const graph = block([edge("p.q > r.s")]);
  graph.datasets.name = ["db.t", "db.t.u"];
  const made = new Model(graph);
  expect(made.find("db.t.q")).toBe(2);
  expect(made.find("db.t.u.s")).toBe(3);
});

test("edges that share source, target and dependency are one link", () => {
  const made = model([edge("a.x > b.y", { job: "one" }), edge("a.x > b.y", { job: "two" }), edge("a.x > b.y", { dependency: "INDIRECT" })]);
  expect(made.linkCount).toBe(2);
  expect(made.edgesOf(0).map(({ job }) => job)).toEqual(["one", "two"]);
  expect([...made.linkDependency]).toEqual([DIRECT, INDIRECT]);
});

test("a column without a source is no link, and its row is kept", () => {
  const made = model([edge(" > b.day", { from: "", to: "b.day" }), edge("a.x > b.y")]);
  expect(made.linkCount).toBe(1);
  expect(made.unsourcedOf(made.find("b.day"))).toHaveLength(1);
  expect(made.edgesOf(0)).toHaveLength(1);
});

test("links are found from both of their ends", () => {
  const made = model(["a.x > b.y", "a.x > c.z", edge("a > c", { dependency: "TABLE" })]);
  const x = made.find("a.x");
  expect(names(made, made.linksOut(x).map((link) => made.linkTarget[link]))).toEqual(["b.y", "c.z"]);
  expect(made.linksIn(made.find("b.y")).map((link) => made.linkSource[link])).toEqual([x]);
  expect(made.linkDependency[made.linksIn(made.find("c"))[0]]).toBe(TABLE);
});

test("an edge holds from its first run until it ends", () => {
  const made = model([edge("a.x > b.y", { first: 100, ended: 200 })]);
  const at = (time: number | null, past = false) => made.holding({ at: time, past })[0];
  expect([at(99), at(100), at(199), at(200), at(null)]).toEqual([0, 1, 1, 0, 0]);
  expect([at(200, true), at(null, true), at(99, true)]).toEqual([1, 1, 0]);
});

test("an edge that was removed and added again does not hold in between", () => {
  const made = new Model(block([edge("a.x > b.y", { first: 100 })], [], [[0, 150, 170]]));
  const at = (time: number) => made.holding({ at: time, past: false })[0];
  expect([at(149), at(150), at(169), at(170)]).toEqual([1, 0, 0, 1]);
});

test("a struct knows its fields, and a field the nearest struct around it", () => {
  const made = model([], ["a.s", "a.s.t", "a.s.t.u", "a.sx"]);
  const { fields, structs } = made.families;
  expect(names(made, fields.get(made.find("a.s")) ?? [])).toEqual(["a.s.t", "a.s.t.u"]);
  expect(names(made, structs.get(made.find("a.s.t.u")) ?? [])).toEqual(["a.s.t", "a.s"]);
  expect(structs.has(made.find("a.sx"))).toBe(false);
});

test("holds() agrees with holding() for every edge and time", () => {
  const edges = Array.from({ length: 40 }, (_, place) =>
    edge(`a.c${place} > b.c${place}`, { first: (place * 37) % 100, ended: place % 3 ? null : 50 + ((place * 53) % 100) }),
  );
  const made = model(edges);
  for (const at of [null, 0, 25, 50, 75, 100, 150])
    for (const past of [false, true]) {
      const on = made.holding({ at, past });
      for (let link = 0; link < made.linkCount; link++)
        expect(Boolean(on[link])).toBe(made.edgesOf(link).some((each) => made.holds(each, { at, past })));
    }
  expect(made.holding(NOW)).toHaveLength(made.linkCount);
});
