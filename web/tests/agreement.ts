// The page follows lineage as the store's macros do: run by tests/report/test_agreement.py, which names a file of
// cases in TRACES.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { GraphBlock } from "../src/data/blocks";
import { DIRECT, INDIRECT, Model } from "../src/data/model";
import { trace } from "../src/graph/trace";

interface Case {
  focus: string;
  up: boolean;
  direct_only: boolean;
  hops: number;
  edges: [string, string, string][];
}

const { graph, cases } = JSON.parse(readFileSync(process.env.TRACES ?? "", "utf-8")) as { graph: GraphBlock; cases: Case[] };
const model = new Model(graph);
const holding = model.holding({ at: null, past: false });
const NAMES: Record<number, string> = { [DIRECT]: "DIRECT", [INDIRECT]: "INDIRECT" };

test.each(cases)("$focus up $up direct $direct_only hops $hops", ({ focus, up, direct_only, hops, edges }) => {
  const filter = { direct: true, indirect: !direct_only, holding };
  const found = trace(model, model.find(focus), filter, up ? hops : 0, up ? 0 : hops);
  const links = (up ? found.up : found.down).links.map((link) => [
    model.fullName(model.linkSource[link]),
    model.fullName(model.linkTarget[link]),
    NAMES[model.linkDependency[link]],
  ]);
  expect(new Set(links.map(String))).toEqual(new Set(edges.map(String)));
});
