// The lineage in memory. A node is a number: datasets first, then their columns, then jobs. Edges that share source, target and
// dependency are one link: what the graph draws as one line.

import type { GraphBlock, Numbers } from "./blocks";

export const DIRECT = 0;
export const INDIRECT = 1;
export const TABLE = 2;
const NONE = 3;

/** The transformation of the edges to an exposure that names a dataset without its columns: a line like that of a table. */
const SHOWN = "EXPOSURE";

const DEPENDENCIES: Record<string, number> = { DIRECT, INDIRECT, TABLE, NONE };

export interface Edge {
  number: number;
  source: number;
  target: number;
  dependency: number;
  transformation: string;
  masking: boolean;
  confidence: string;
  current: boolean;
  job: string;
  first: number | null;
  ended: number | null;
  /** The number of its expression. */
  expression: number;
}

interface Kind {
  dependency: number;
  transformation: string;
  masking: boolean;
  confidence: string;
  current: boolean;
}

/** The times that count: today's lineage (null), or the lineage as it was. */
export interface Moment {
  at: number | null;
  past: boolean;
}

export class Model {
  readonly datasets: GraphBlock["datasets"];
  readonly datasetCount: number;
  readonly nodeCount: number;
  readonly gone: Set<number>;
  readonly jobs: string[];

  readonly linkSource: Int32Array;
  readonly linkTarget: Int32Array;
  readonly linkDependency: Uint8Array;
  readonly linkCount: number;

  private readonly columnDataset: Int32Array;
  private readonly columnName: Int32Array;
  private readonly strings: string[];
  private readonly firstColumn: Int32Array;
  private readonly linkEdges: Int32Array;
  private readonly inStart: Int32Array;
  private readonly outStart: Int32Array;
  private readonly outLinks: Int32Array;
  private readonly edges: {
    source: Int32Array;
    target: Int32Array;
    kind: Int32Array;
    job: Int32Array;
    first: Int32Array;
    ended: Int32Array;
    expression: Int32Array;
  };
  private readonly kinds: Kind[];
  private readonly times: (number | null)[];
  private readonly holes = new Map<number, [number, number][]>();
  private readonly unsourced = new Map<number, number[]>();
  private readonly byName = new Map<string, number>();
  private readonly outside = new Map<number, [number, number]>();
  private knownFamilies: Families | null = null;

  private readonly jobNodes: Map<string, number>;

  /** `jobNames` are the jobs that are nodes, in order. */
  constructor(
    block: GraphBlock,
    readonly jobNames: string[] = [],
  ) {
    this.datasets = block.datasets;
    this.datasetCount = block.datasets.name.length;
    this.columnDataset = numbers(block.columns.dataset);
    this.columnName = numbers(block.columns.name);
    this.strings = block.strings;
    this.nodeCount = this.datasetCount + this.columnDataset.length;
    this.gone = new Set(block.columns.gone.map((column) => column + this.datasetCount));
    this.firstColumn = starts(this.columnDataset, this.datasetCount, this.datasetCount);
    const { edges } = block;
    this.edges = {
      source: numbers(edges.source),
      target: numbers(edges.target),
      kind: numbers(edges.kind),
      job: numbers(edges.job),
      first: numbers(edges.first),
      ended: numbers(edges.ended),
      expression: numbers(edges.expression),
    };
    this.kinds = edges.kinds.map(([dependency, transformation, masking, confidence, current]) => ({
      dependency: transformation === SHOWN ? TABLE : DEPENDENCIES[dependency],
      transformation,
      masking,
      confidence,
      current,
    }));
    this.jobs = edges.jobs;
    this.times = edges.times;
    for (const [edge, from, to] of edges.holes) this.holes.set(edge, [...(this.holes.get(edge) ?? []), [from, to]]);

    // links: runs of edges, which are sorted by target, source, dependency
    const { source, target, kind } = this.edges;
    const dependencies = Uint8Array.from(this.kinds, (each) => each.dependency);
    const firsts = new Int32Array(source.length);
    let links = 0;
    for (let edge = 0; edge < source.length; edge++) {
      if (source[edge] < 0) {
        const known = this.unsourced.get(target[edge]);
        if (known) known.push(edge);
        else this.unsourced.set(target[edge], [edge]);
        continue;
      }
      const before = edge - 1;
      if (
        edge === 0 ||
        source[edge] !== source[before] ||
        target[edge] !== target[before] ||
        dependencies[kind[edge]] !== dependencies[kind[before]]
      )
        firsts[links++] = edge;
    }
    this.linkCount = links;
    this.linkEdges = firsts.slice(0, links);
    this.linkSource = new Int32Array(links);
    this.linkTarget = new Int32Array(links);
    this.linkDependency = new Uint8Array(links);
    for (let link = 0; link < links; link++) {
      const edge = firsts[link];
      this.linkSource[link] = source[edge];
      this.linkTarget[link] = target[edge];
      this.linkDependency[link] = dependencies[kind[edge]];
    }
    this.inStart = starts(this.linkTarget, this.nodeCount, 0);
    [this.outStart, this.outLinks] = grouped(this.linkSource, this.nodeCount);

    block.datasets.name.forEach((name, number) => this.byName.set(name, number));
    this.jobNodes = new Map(jobNames.map((name, place) => [name, this.nodeCount + place]));
    const [nodes, incoming, outgoing] = block.outside;
    nodes.forEach((node, row) => this.outside.set(node, [incoming[row], outgoing[row]]));
  }

  get columnCount(): number {
    return this.nodeCount - this.datasetCount;
  }

  isDataset(node: number): boolean {
    return node < this.datasetCount;
  }

  isJob(node: number): boolean {
    return node >= this.nodeCount;
  }

  /** The node of a job; -1 for a job without a run in the store. */
  jobNode(name: string): number {
    return this.jobNodes.get(name) ?? -1;
  }

  jobName(node: number): string {
    return this.jobNames[node - this.nodeCount];
  }

  /** The dataset of a column; a dataset or a job itself. */
  datasetOf(node: number): number {
    return node < this.datasetCount || node >= this.nodeCount ? node : this.columnDataset[node - this.datasetCount];
  }

  /** The column's own name; empty for a dataset or a job. */
  columnOf(node: number): string {
    return node < this.datasetCount || node >= this.nodeCount ? "" : this.strings[this.columnName[node - this.datasetCount]];
  }

  datasetName(node: number): string {
    if (node >= this.nodeCount) return `job:${this.jobName(node)}`;
    return this.datasets.name[this.datasetOf(node)];
  }

  fullName(node: number): string {
    return node < this.datasetCount || node >= this.nodeCount ? this.datasetName(node) : `${this.datasetName(node)}.${this.columnOf(node)}`;
  }

  /** The columns of a dataset are the nodes from the first number to the one before the second. */
  columnRange(dataset: number): [number, number] {
    if (dataset >= this.datasetCount) return [0, 0];
    return [this.firstColumn[dataset], this.firstColumn[dataset + 1]];
  }

  columnsOf(dataset: number): number[] {
    const [from, to] = this.columnRange(dataset);
    return Array.from({ length: to - from }, (_, place) => from + place);
  }

  /** The node of a whole name: a dataset; a dataset, a dot and a column; `job:` and a job; -1 for none. */
  find(name: string): number {
    if (name.startsWith("job:")) return this.jobNode(name.slice(4));
    const dataset = this.byName.get(name);
    if (dataset !== undefined) return dataset;
    for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
      const owner = this.byName.get(name.slice(0, dot));
      if (owner === undefined) continue;
      const wanted = name.slice(dot + 1).toLowerCase();
      const found = this.columnsOf(owner).find((node) => this.columnOf(node).toLowerCase() === wanted);
      if (found !== undefined) return found;
    }
    return -1;
  }

  /** Edges from and to datasets that the page leaves out. */
  outsideOf(dataset: number): [number, number] {
    return this.outside.get(dataset) ?? [0, 0];
  }

  linksIn(node: number): number[] {
    const found: number[] = [];
    for (let link = this.inStart[node]; link < this.inStart[node + 1]; link++) found.push(link);
    return found;
  }

  linksOut(node: number): number[] {
    if (node >= this.nodeCount) return [];
    return Array.from(this.outLinks.subarray(this.outStart[node], this.outStart[node + 1]));
  }

  /** How many links leave a node. */
  degreeOut(node: number): number {
    return this.outStart[node + 1] - this.outStart[node];
  }

  /** For each expression the first node that it makes; -1 where none does. */
  targetsOfExpressions(count: number): Int32Array {
    const found = new Int32Array(count).fill(-1);
    const { expression, target } = this.edges;
    for (let edge = expression.length - 1; edge >= 0; edge--) found[expression[edge]] = target[edge];
    return found;
  }

  edge(number: number): Edge {
    const { source, target, kind, job, first, ended, expression } = this.edges;
    return {
      number,
      source: source[number],
      target: target[number],
      ...this.kinds[kind[number]],
      job: this.jobs[job[number]],
      first: this.times[first[number]],
      ended: this.times[ended[number]],
      expression: expression[number],
    };
  }

  edgesOf(link: number): Edge[] {
    const to = link + 1 < this.linkCount ? this.linkEdges[link + 1] : this.edges.source.length;
    const found: Edge[] = [];
    for (let edge = this.linkEdges[link]; edge < to && this.edges.source[edge] >= 0; edge++) {
      if (this.edges.target[edge] !== this.linkTarget[link]) break;
      found.push(this.edge(edge));
    }
    return found;
  }

  /** Rows of a column that is made of no other one: literals, current_date(). */
  unsourcedOf(node: number): Edge[] {
    return (this.unsourced.get(node) ?? []).map((edge) => this.edge(edge));
  }

  holds(edge: Edge, { at, past }: Moment): boolean {
    if (at === null) return edge.current || past;
    if (edge.first !== null && edge.first > at) return past && edge.first <= at;
    const hole = this.holes.get(edge.number)?.some(([from, to]) => from <= at && at < to);
    return past || ((edge.ended === null || edge.ended > at) && !hole);
  }

  /** For each link whether one of its edges holds. */
  holding(moment: Moment): Uint8Array {
    const on = new Uint8Array(this.linkCount);
    const { source, kind, first, ended } = this.edges;
    const { at, past } = moment;
    const current = this.kinds.map((each) => each.current);
    if (at === null && past) return on.fill(1);
    for (let link = 0; link < this.linkCount; link++) {
      const from = this.linkEdges[link];
      const to = link + 1 < this.linkCount ? this.linkEdges[link + 1] : source.length;
      for (let edge = from; edge < to && source[edge] >= 0 && !on[link]; edge++) {
        if (at === null) on[link] = current[kind[edge]] ? 1 : 0;
        else {
          const began = this.times[first[edge]];
          const end = this.times[ended[edge]];
          if (began !== null && began > at) continue;
          if (past) on[link] = 1;
          else if (end === null || end > at) on[link] = this.holes.has(edge) && !this.holds(this.edge(edge), moment) ? 0 : 1;
        }
      }
    }
    return on;
  }

  /** Structs and their fields: a struct's fields share its lineage. */
  get families(): Families {
    this.knownFamilies ??= findFamilies(this);
    return this.knownFamilies;
  }

  /** The field of a struct by its path, which begins with a dot. */
  fieldOf(struct: number, path: string): number | undefined {
    const name = (this.columnOf(struct) + path).toLowerCase();
    return this.families.fields.get(struct)?.find((field) => this.columnOf(field).toLowerCase() === name);
  }
}

/** The fields within a struct, and the structs around a field, the nearest first. */
export interface Families {
  fields: Map<number, number[]>;
  structs: Map<number, number[]>;
}

function findFamilies(model: Model): Families {
  const fields = new Map<number, number[]>();
  const structs = new Map<number, number[]>();
  for (let dataset = 0; dataset < model.datasetCount; dataset++) {
    const [from, to] = model.columnRange(dataset);
    let names: Map<string, number> | null = null;
    for (let node = from; node < to; node++) {
      const name = model.columnOf(node);
      if (!name.includes(".")) continue;
      names ??= new Map(model.columnsOf(dataset).map((each) => [model.columnOf(each).toLowerCase(), each]));
      for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
        const around = names.get(name.slice(0, dot).toLowerCase());
        if (around === undefined) continue;
        structs.set(node, [...(structs.get(node) ?? []), around]);
        fields.set(around, [...(fields.get(around) ?? []), node]);
      }
    }
  }
  return { fields, structs };
}

function numbers(list: Numbers): Int32Array {
  return list instanceof Int32Array ? list : new Int32Array(list);
}

/** Where the entries of each owner begin in an array that is sorted by owner. */
function starts(owners: Int32Array, count: number, offset: number): Int32Array {
  const found = new Int32Array(count + 1);
  for (let place = 0; place < owners.length; place++) found[owners[place] + 1]++;
  found[0] = offset;
  for (let owner = 0; owner < count; owner++) found[owner + 1] += found[owner];
  return found;
}

/** The positions of an array by their value, and where each value begins. */
function grouped(values: Int32Array, count: number): [Int32Array, Int32Array] {
  const from = starts(values, count, 0);
  const next = from.slice();
  const order = new Int32Array(values.length);
  for (let place = 0; place < values.length; place++) order[next[values[place]]++] = place;
  return [from, order];
}
