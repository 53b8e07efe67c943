// Small lineages for tests: "a.x > b.y" is an edge from column x of a to column y of b.

import type { GraphBlock, HistoryBlock, Table } from "../src/data/blocks";
import { Facts } from "../src/data/facts";
import { Model } from "../src/data/model";

export interface MadeEdge {
  from: string;
  to: string;
  dependency?: "DIRECT" | "INDIRECT" | "TABLE" | "NONE";
  masking?: boolean;
  confidence?: string;
  current?: boolean;
  first?: number;
  ended?: number | null;
  job?: string;
  kind?: string;
}

export function edge(text: string, facts: Partial<MadeEdge> = {}): MadeEdge {
  const [from, to] = text.split(" > ");
  return { from, to, ...facts };
}

/** A name is `dataset.column`, or a dataset alone. */
function split(name: string): [string, string] {
  const dot = name.indexOf(".");
  return dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
}

export function block(edges: MadeEdge[], more: string[] = [], holes: [number, number, number][] = []): GraphBlock {
  const names = [...new Set([...edges.flatMap(({ from, to }) => [from, to]), ...more])].filter(Boolean);
  const datasets = [...new Set(names.map((name) => split(name)[0]))].sort();
  const columns = datasets.flatMap((dataset, number) =>
    [...new Set(names.filter((name) => split(name)[0] === dataset).map((name) => split(name)[1]))]
      .filter(Boolean)
      .sort()
      .map((column) => ({ number, column, name: `${dataset}.${column}` })),
  );
  const strings = [...new Set(columns.map(({ column }) => column))];
  const node = (name: string) => {
    if (!name) return -1;
    const place = columns.findIndex((column) => column.name === name);
    return place < 0 ? datasets.indexOf(name) : datasets.length + place;
  };
  const kinds: GraphBlock["edges"]["kinds"] = [];
  const times: (number | null)[] = [null];
  const jobs: string[] = [];
  const number = <T>(list: T[], value: T) => {
    const found = list.findIndex((each) => JSON.stringify(each) === JSON.stringify(value));
    return found < 0 ? list.push(value) - 1 : found;
  };
  const rows = edges
    .map((each) => ({ ...each, source: node(each.from), target: node(each.to), dependency: each.dependency ?? (each.from ? "DIRECT" : "NONE") }))
    .sort((a, b) => a.target - b.target || a.source - b.source || (a.dependency < b.dependency ? -1 : 1));
  return {
    datasets: {
      name: datasets,
      kind: datasets.map(() => "table"),
      format: datasets.map(() => ""),
      location: datasets.map(() => ""),
      first: datasets.map(() => null),
      last: datasets.map(() => null),
      aliases: datasets.map(() => []),
    },
    columns: {
      dataset: columns.map(({ number: dataset }) => dataset),
      name: columns.map(({ column }) => strings.indexOf(column)),
      ordinal: columns.map((_, place) => place),
      gone: [],
    },
    strings,
    edges: {
      source: rows.map((row) => row.source),
      target: rows.map((row) => row.target),
      kind: rows.map((row) =>
        number(kinds, [
          row.dependency,
          row.kind ?? (row.dependency === "DIRECT" ? "IDENTITY" : row.dependency === "INDIRECT" ? "FILTER" : ""),
          row.masking ?? false,
          row.confidence ?? "exact",
          row.current ?? (row.ended === undefined || row.ended === null),
        ]),
      ),
      kinds,
      job: rows.map((row) => number(jobs, row.job ?? "job")),
      jobs,
      first: rows.map((row) => number(times, row.first ?? null)),
      ended: rows.map((row) => number(times, row.ended ?? null)),
      times,
      expression: rows.map(() => 0),
      holes,
    },
    outside: [[], [], []],
  };
}

export function model(texts: (string | MadeEdge)[], more: string[] = [], jobs: string[] = []): Model {
  return new Model(block(texts.map((text) => (typeof text === "string" ? edge(text) : text)), more), jobs);
}

/** Facts with rows of some tables, as records. */
export function factsOf(tables: Partial<Record<"uses" | "jobs" | "gaps" | "runs" | "tries" | "writes" | "flows" | "declared" | "tags", Record<string, unknown>[]>> = {}): Facts {
  const table = (name: keyof typeof tables): Table => {
    const rows = tables[name] ?? [];
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return { names, rows: rows.map((row) => names.map((each) => (row[each] ?? null) as never)) };
  };
  return new Facts({ uses: table("uses"), jobs: table("jobs"), gaps: table("gaps"), runs: table("runs"), tries: table("tries"), writes: table("writes"), flows: table("flows"), declared: table("declared"), tags: table("tags") });
}

export const NOW = { at: null, past: false };

export function filterOf(made: Model, facts: { direct?: boolean; indirect?: boolean } = {}) {
  return { direct: true, indirect: false, holding: made.holding(NOW), ...facts };
}

export function history(facts: Partial<HistoryBlock> = {}): HistoryBlock {
  return { spans: { column: [], type: [], from: [], to: [], types: [] }, schema: [], lineage: [], apps: [], ...facts };
}
