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
}

export interface GraphBlock {
  datasets: {
    name: string[];
    kind: string[];
    format: string[];
    location: string[];
    first: (number | null)[];
    last: (number | null)[];
    aliases: string[][];
  };
  columns: { dataset: number[]; name: number[]; ordinal: number[]; gone: number[] };
  strings: string[];
  edges: {
    source: number[];
    target: number[];
    kind: number[];
    kinds: [string, string, boolean, string, boolean][];
    job: number[];
    jobs: string[];
    first: number[];
    ended: number[];
    times: (number | null)[];
    holes: [number, number, number][];
  };
  outside: [number[], number[], number[]];
}

export interface ExpressionsBlock {
  texts: string[];
  edge: number[];
}

export interface HistoryBlock {
  spans: { column: number[]; type: number[]; from: (number | null)[]; to: (number | null)[]; types: string[] };
  schema: SchemaChangeRow[];
  lineage: LineageChangeRow[];
}

/** dataset, column, column's name, time, change, old, new, nature, confidence, job, detail */
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
];

/** target, source, source's name, time, change, old, new, job */
export type LineageChangeRow = [
  number,
  number | null,
  string,
  number,
  string,
  string | null,
  string | null,
  string | null,
];

export interface FactsBlock {
  uses: Table;
  jobs: Table;
  gaps: Table;
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

/** Reads a block: base64 of zlib-compressed JSON. */
export async function readBlock<T>(name: string): Promise<T> {
  const element = document.getElementById(`data-${name}`);
  if (!element) throw new Error(`The page has no data: the block "${name}" is missing.`);
  const packed = element.textContent ?? "";
  element.remove();
  return unpack<T>(packed);
}

export async function unpack<T>(packed: string): Promise<T> {
  if (typeof DecompressionStream === "undefined")
    throw new Error("This browser cannot unpack the page's data. Use Chrome 80, Firefox 113, Safari 16.4 or later.");
  const stream = new Blob([bytes(packed) as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return (await new Response(stream).json()) as T;
}

function bytes(base64: string): Uint8Array {
  const words = atob(base64.trim());
  const found = new Uint8Array(words.length);
  for (let index = 0; index < words.length; index++) found[index] = words.charCodeAt(index);
  return found;
}
