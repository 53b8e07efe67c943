import { expect, test } from "vitest";
import { Past } from "../src/data/past";
import { makeIndex } from "../src/data/search";
import { friendly, shortName, size, span, tail, visible } from "../src/data/text";
import { marksOf } from "../src/graph/marks";
import { toCsv, toSvg } from "../src/graph/svg";
import { picture } from "../src/graph/picture";
import { trace } from "../src/graph/trace";
import { type Model, TABLE } from "../src/data/model";
import { edge, factsOf, filterOf, history, model } from "./made";

test("a name is split into what it is called and where it is", () => {
  expect(shortName("spark_catalog.sales.daily")).toEqual({ leaf: "daily", group: "sales" });
  expect(shortName("lake.shop.orders")).toEqual({ leaf: "orders", group: "lake.shop" });
  expect(shortName("s3://lake/landing/orders")).toEqual({ leaf: "orders", group: "s3://lake/landing" });
  expect(shortName("orders")).toEqual({ leaf: "orders", group: "" });
  expect(shortName("a.")).toEqual({ leaf: "a.", group: "" });
  expect(shortName("recent@nightly-sales")).toEqual({ leaf: "recent", group: "nightly-sales" });
  expect(friendly("recent@nightly-sales")).toBe("recent");
});

test("sentences name a table by its database and a folder by its parent", () => {
  expect(friendly("spark_catalog.sales.daily.revenue")).toBe("sales.daily.revenue");
  expect(friendly("file:///data/landing/orders")).toBe("landing/orders");
});

test("numbers are shown in units", () => {
  expect([size(999), size(1500), size(2_300_000_000)]).toEqual(["999 B", "1.5 kB", "2.3 GB"]);
  expect([span(0.25), span(59), span(61), span(7300), span(90_000)]).toEqual(["0.3 s", "59 s", "1 min 1 s", "2 h 1 min", "1 d 1 h"]);
  expect(tail("abcdef", 4)).toBe("…def");
});

test("characters that nobody sees are shown", () => {
  expect(visible("a\u202egpj.exe")).toBe("a␣202egpj.exe");
  expect(visible("a\u{e0041}b\ufe0f\u200bc")).toBe("a␣e0041b␣fe0f␣200bc");
  expect(visible("tab\tand\nline")).toBe("tab\tand\nline");
});

const indexOf = (made: Model, expressions: string[] = []) => makeIndex(made, factsOf(), expressions);
const found = (made: Model, words: string, expressions: string[] = []) => indexOf(made, expressions).search(words, 10).hits.map((hit) => `${hit.kind} ${hit.name}`);

test("search finds tables, columns, jobs and paths, by kind, the best first", () => {
  const made = model(["sales.daily > x.y", "a.amount > b.amount_total", "s3:/out/amounts.z > q.amount"], ["amount.id"], ["load amounts"]);
  expect(found(made, "amount")).toEqual(["table amount", "column a.amount", "column q.amount", "column b.amount_total", "job job:load amounts", "path s3:/out/amounts"]);
});

test("a column that is named in full comes first, that of a table before that of a path", () => {
  const made = model(["s3:/exports/daily.revenue > x.y", "daily.revenue > x.y", "daily.revenue_total > x.y"]);
  expect(found(made, "daily.revenue").slice(0, 2)).toEqual(["column daily.revenue", "column daily.revenue_total"]);
  expect(found(made, "daily revenue")[0]).toBe("column daily.revenue");
  expect(found(made, "(")).toEqual([]);
  expect(found(made, "  ")).toEqual([]);
});

test("what is used more comes first", () => {
  const made = model(["a.key > b.key", "a.key > c.key"]);
  expect(found(made, "key")[0]).toBe("column a.key");
  const used = factsOf({ uses: [{ dataset: made.find("c"), job: "j", last: 5 }] });
  expect(makeIndex(made, used, []).search("key", 1).hits.map((hit) => hit.name)).toEqual(["c.key"]);
});

test("search finds the expression of a column", () => {
  const made = model(["orders.amount > daily.revenue"]);
  expect(found(made, "sum(", ["sum(orders.amount)"])).toEqual(["expression daily.revenue"]);
});

test("search finds exposures, and what has an owner or a tag", () => {
  const made = model([edge("a.x > exposure:board", { dependency: "INDIRECT", kind: "EXPOSURE" })], [], ["nightly"]);
  const declared = factsOf({
    declared: [
      { node: made.find("a"), owner: "team sales", contact: "#sales" },
      { job: "nightly", owner: "team sales", contact: "#sales" },
    ],
    tags: [{ tag: "PII", masked: false, nodes: [made.find("a.x")], sources: [-1] }],
  });
  const names = (words: string) => makeIndex(made, declared, []).search(words, 9).hits.map((hit) => `${hit.kind} ${hit.name}`);
  expect(names("board")).toEqual(["exposure exposure:board"]);
  expect(names("team sales")).toEqual(["label a", "label job:nightly"]);
  expect(names("pii")).toEqual(["label a.x"]);
  expect([made.linkDependency[0], shortName("exposure:board").leaf]).toEqual([TABLE, "board"]);
});

test("a typo finds what is nearly like it, if nothing else is found", () => {
  const made = model(["orders.amount > customers.region"], [], ["nightly-sales: load"]);
  expect(found(made, "custmoers")).toEqual(["table customers"]);
  expect(found(made, "amonut")).toEqual(["column orders.amount"]);
  expect(found(made, "nihgtly")).toEqual(["job job:nightly-sales: load"]);
  expect(indexOf(made).search("custmoers", 9).typo).toBe(true);
  expect(found(made, "xy")).toEqual([]);
});

test("search says how many it found, whatever it shows", () => {
  const made = model(Array.from({ length: 60 }, (_, place) => `a.c${place} > b.c${place}`));
  const { hits, total } = indexOf(made).search("c", 40);
  expect([hits.length, total]).toEqual([40, 120]);
});

test("a column has the type of its time", () => {
  const made = model(["a.x > b.y"]);
  const y = made.find("b.y");
  const past = new Past(made, history({ spans: { column: [y, y], type: [0, 1], from: [100, 200], to: [200, null], types: ["int", "bigint"] } }));
  expect([past.typeAt(y, 99), past.typeAt(y, 150), past.typeAt(y, 200), past.typeAt(y, null)]).toEqual(["", "int", "bigint", "bigint"]);
  expect([past.existsAt(y, 99), past.existsAt(y, 150), past.existsAt(made.find("a.x"), 1)]).toEqual([false, true, true]);
});

test("an edge has the expression of its time", () => {
  const made = model([edge("a.x > b.y", { job: "j" })]);
  const y = made.find("b.y");
  const found = history({ schema: [[0, null, null, 150, "table_created", null, null, "first harvest", null, null, null, null]] });
  expect(new Past(made, found).changes.length).toBe(1);
  expect(new Past(made, found).between(0, 200)).toEqual([]);
  const past = new Past(made, history({ lineage: [[y, null, "", 200, "expression_changed", "x", "x + 1", "j", null]] }));
  const [only] = made.edgesOf(0);
  expect([past.expressionAt(only, "x + 1", 150), past.expressionAt(only, "x + 1", 200), past.expressionAt(only, "x + 1", null)]).toEqual(["x", "x + 1", "x + 1"]);
});

test("changes of a span of time mark columns and links", () => {
  const made = model(["a.x > b.y", "a.z > b.y"]);
  const [b, y, z] = [made.find("b"), made.find("b.y"), made.find("a.z")];
  const day = 86_400_000;
  const past = new Past(
    made,
    history({
      schema: [[b, y, "y", 10 * day, "type_changed", "int", "bigint", "widening", "exact", "j", null, null]],
      lineage: [[y, z, "a.z", 11 * day, "edge_added", null, null, "j", null]],
    }),
  );
  expect(marksOf(made, past, null, 0).changes).toEqual([]);
  const week = marksOf(made, past, null, 7);
  expect(week.nodes.get(y)).toBe("changed");
  expect([...week.links.values()]).toEqual(["added"]);
  expect(marksOf(made, past, 10 * day, 1).links.size).toBe(0);
  expect(marksOf(made, past, null, 0.5).nodes.size).toBe(0);
});

test("CSV quotes what it must and starts no formulas", () => {
  expect(toCsv([["\uff1d1+1", "\uff20x", "a\u202eb\u{e0041}"]])).toBe("'\uff1d1+1,'\uff20x,a␣202eb␣e0041\r\n");
  expect(toCsv([["a", "b,c", 'd"e', null, 5, true], ["=1+1", "-2", "@x", "line\nbreak"]])).toBe(
    'a,"b,c","d""e",,5,true\r\n\'=1+1,\'-2,\'@x,"line\nbreak"\r\n',
  );
});

test("an SVG has no name that is not escaped", () => {
  const made = model(['t.<script>alert("1")</script> > u.&x']);
  const filter = filterOf(made);
  const drawn = picture(made, trace(made, made.find("u"), filter, 2, 2), { filter, states: new Map(), mostCards: 9 });
  const colours = { ground: "#fff", card: "#fff", border: "#000", text: "#000", muted: "#888", line: "#888", accent: "#00f", masked: "#0a0", opaque: "#999" };
  const svg = toSvg(made, drawn, colours, "<title> & \u202e");
  expect(svg).not.toMatch(/<script|<title> &|\u202e/);
  expect(svg).toContain("&lt;script&gt;alert(&quot;1&quot;)");
  expect(svg.match(/<path/g)).toHaveLength(1);
});
