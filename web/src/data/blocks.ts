// The blocks of data that the Python side writes into the page, and how they are read.

export interface About {
  harvests: number;
  version: string | null;
  datasets: number;
  columns: number;
  edges: number;
  jobs: number;
  executions: number;
  gaps: number;
  harvested_at: string;
  focus: string;
  depth: number | null;
  left_out: string[];
  night: Night;
}

/** The day before the last event of any harvested log; times in milliseconds since 1970. */
export interface Night {
  until: number | null;
  since: number | null;
  first_run: number | null;
  harvested: number | null;
  applications: number;
  statements: number;
  failed: number;
  jobs: number;
  gaps: number;
}

/** As the page has them, or as a test writes them. */
export type Numbers = Int32Array | number[];

export interface GraphBlock {
  /** How many datasets, columns and edges there are. */
  counts?: [number, number, number];
  datasets: {
    name: string[];
    kind: string[];
    format: string[];
    location: string[];
    first: (number | null)[];
    last: (number | null)[];
    aliases: string[][];
  };
  columns: { dataset: Numbers; name: Numbers; ordinal: Numbers; gone: number[] };
  strings: string[];
  edges: {
    source: Numbers;
    target: Numbers;
    kind: Numbers;
    kinds: [string, string, boolean, string, boolean][];
    job: Numbers;
    jobs: string[];
    first: Numbers;
    ended: Numbers;
    /** The number of each edge's expression. */
    expression: Numbers;
    times: (number | null)[];
    holes: [number, number, number][];
  };
  outside: [number[], number[], number[]];
}

export interface HistoryBlock {
  spans: { column: number[]; type: number[]; from: (number | null)[]; to: (number | null)[]; types: string[] };
  schema: SchemaChangeRow[];
  lineage: LineageChangeRow[];
  /** User, application and version of Spark, for the changes. */
  apps: string[];
}

/** dataset, column, column's name, time, change, old, new, nature, confidence, job, detail, number of the application */
export type SchemaChangeRow = [
  number,
  number | null,
  string | null,
  number,
  string,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  number | null,
];

/** target, source, source's name, time, change, old, new, job, number of the application */
export type LineageChangeRow = [
  number,
  number | null,
  string,
  number,
  string,
  string | null,
  string | null,
  string | null,
  number | null,
];

export interface FactsBlock {
  uses: Table;
  jobs: Table;
  gaps: Table;
  runs: Table;
  tries: Table;
  writes: Table;
  flows: Table;
  declared: Table;
  tags: Table;
}

export interface Table {
  names: string[];
  rows: Cell[][];
}

export type Cell = string | number | boolean | null | Cell[];

export interface Panel {
  name: string;
  title: string;
  question: string;
  note: string;
  columns: { name: string; kind: string }[];
  chart: Record<string, unknown>;
  rows: Cell[][];
  total: number;
}

const COLUMN_NUMBERS = ["dataset", "name", "ordinal"] as const;
const EDGE_NUMBERS = ["source", "target", "kind", "job", "first", "ended", "expression"] as const;

/** Reads the graph: JSON, and numbers for each column and edge. */
export async function readGraph(): Promise<GraphBlock> {
  const [graph, content] = await Promise.all([
    readBlock<GraphBlock>("graph"),
    inflate(take("numbers")).then((response) => response.arrayBuffer()),
  ]);
  const [, columns, edges] = graph.counts ?? [0, 0, 0];
  let from = 0;
  const next = (count: number) => {
    const list = new Int32Array(content, from, count);
    from += 4 * count;
    return list;
  };
  for (const name of COLUMN_NUMBERS) graph.columns[name] = next(columns);
  for (const name of EDGE_NUMBERS) graph.edges[name] = next(edges);
  return graph;
}

/** Reads a block: base64 of zlib-compressed JSON. */
export async function readBlock<T>(name: string): Promise<T> {
  return (await (await inflate(take(name))).json()) as T;
}

function take(name: string): string {
  const element = document.getElementById(`data-${name}`);
  if (!element) throw new Error(`The page has no data: the block "${name}" is missing.`);
  const packed = element.textContent ?? "";
  element.remove();
  return packed;
}

async function inflate(packed: string): Promise<Response> {
  if (typeof DecompressionStream === "undefined")
    throw new Error("This browser cannot unpack the page's data. Use Chrome 80, Firefox 113, Safari 16.4 or later.");
  const stream = new Blob([bytes(packed) as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream);
}

function bytes(base64: string): Uint8Array {
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string) => Uint8Array };
  if (fromBase64) return fromBase64.call(Uint8Array, base64);
  const words = atob(base64.trim());
  const found = new Uint8Array(words.length);
  for (let index = 0; index < words.length; index++) found[index] = words.charCodeAt(index);
  return found;
}
