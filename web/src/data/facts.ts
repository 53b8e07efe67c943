// Who reads and writes what, how the jobs run, what could not be resolved.

import type { Cell, FactsBlock, Table } from "./blocks";

export interface Use {
  dataset: number;
  job: string;
  direction: "read" | "write";
  only_reads: boolean;
  mode: string;
  statements: number;
  failures: number;
  last: number | null;
  users: string | null;
  columns: string[] | null;
}

export interface Job {
  name: string;
  runs: number;
  failures: number;
  last: number | null;
  status: string;
  /** The median of a statement's duration. */
  seconds: number | null;
  users: string | null;
  application: string | null;
  task: string | null;
  description: string | null;
  sql: string | null;
  /** One line. */
  error: string;
  failed_at: number | null;
  executor_seconds: number | null;
  bytes_read: number | null;
  bytes_written: number | null;
}

/** The statements of a job in one application. */
export interface Run {
  job: string;
  at: number;
  seconds: number | null;
  rows: number | null;
  bytes: number | null;
  status: string;
  statements: number;
  app: string;
}

/** What a job's failed last run read or wrote, or tried to. */
export interface Try {
  job: string;
  dataset: number;
  direction: "read" | "write";
  mode: string | null;
  rows: number | null;
}

/** The last write of a dataset. */
export interface Write {
  dataset: number;
  at: number;
  status: string;
  job: string | null;
  error: string;
  rows: number | null;
  bytes: number | null;
}

/** Bytes that were read from one dataset to write another. */
export interface Flow {
  source: number;
  target: number;
  bytes: number;
}

export interface Gap {
  dataset: number | null;
  job: string | null;
  reason: string;
  operator: string;
  detail: string;
  hint: string;
  count: number;
}

/** What a file declares of a dataset, a column or a job; empty texts for what it does not. */
export interface Declared {
  node: number | null;
  job: string | null;
  owner: string;
  contact: string;
  description: string;
  /** Of an exposure: dashboard, notebook … */
  type: string;
  url: string;
  /** The longest time between two writes, in seconds. */
  due: number | null;
}

interface TagRow {
  tag: string;
  masked: boolean;
  nodes: number[];
  /** Where the tag begins, by node; -1 at the node itself. */
  sources: number[];
}

export interface Tag {
  tag: string;
  masked: boolean;
  source: number;
}

export class Facts {
  readonly jobs: Job[];
  private readonly jobByName: Map<string, Job>;
  private readonly uses: Map<number, Use[]>;
  private readonly usesByJob: Map<string, Use[]>;
  private readonly gaps: Map<number, Gap[]>;
  private readonly runs: Map<string, Run[]>;
  private readonly tries: Map<string, Try[]>;
  readonly writes: Map<number, Write>;
  readonly flows: Flow[];
  readonly declared: Declared[];
  readonly tagRows: TagRow[];
  private readonly declaredByNode: Map<number | string | null, Declared>;
  private tagsByNode: Map<number, Tag[]> | null = null;

  constructor(block: FactsBlock) {
    this.jobs = records<Job>(block.jobs);
    this.jobByName = new Map(this.jobs.map((job) => [job.name, job]));
    const uses = records<Use>(block.uses);
    this.uses = grouped(uses, (use) => use.dataset);
    this.usesByJob = grouped(uses, (use) => use.job);
    this.gaps = grouped(
      records<Gap>(block.gaps).filter((gap) => gap.dataset !== null),
      (gap) => gap.dataset as number,
    );
    this.runs = grouped(records<Run>(block.runs), (run) => run.job);
    this.tries = grouped(records<Try>(block.tries), (each) => each.job);
    this.writes = new Map(records<Write>(block.writes).map((write) => [write.dataset, write]));
    this.flows = records<Flow>(block.flows);
    this.declared = records<Declared>(block.declared);
    this.declaredByNode = new Map(this.declared.map((each) => [each.node ?? each.job, each]));
    this.tagRows = records<TagRow>(block.tags);
  }

  /** What a file declares of a dataset or column (its node) or a job (its name). */
  declaredOf(of: number | string): Declared | undefined {
    return this.declaredByNode.get(of);
  }

  tagsOf(node: number): Tag[] {
    if (!this.tagsByNode) {
      this.tagsByNode = new Map();
      for (const { tag, masked, nodes, sources } of this.tagRows)
        nodes.forEach((each, place) => this.tagsByNode?.set(each, [...(this.tagsByNode.get(each) ?? []), { tag, masked, source: sources[place] }]));
    }
    return this.tagsByNode.get(node) ?? [];
  }

  /** The last runs of a job, the oldest first. */
  runsOf(job: string): Run[] {
    return this.runs.get(job) ?? [];
  }

  triesOf(job: string): Try[] {
    return this.tries.get(job) ?? [];
  }

  job(name: string): Job | undefined {
    return this.jobByName.get(name);
  }

  usesOf(dataset: number): Use[] {
    return this.uses.get(dataset) ?? [];
  }

  usesBy(job: string): Use[] {
    return this.usesByJob.get(job) ?? [];
  }

  /** Statements that read a dataset, or a column of it, and write nothing. */
  readersOf(dataset: number, column: string): Use[] {
    const key = column.toLowerCase();
    return this.usesOf(dataset).filter(
      (use) =>
        use.direction === "read" &&
        use.only_reads &&
        (!key || !use.columns || use.columns.some((each) => each.toLowerCase() === key)),
    );
  }

  gapsOf(dataset: number): Gap[] {
    return this.gaps.get(dataset) ?? [];
  }

  get datasetsWithGaps(): Set<number> {
    return new Set(this.gaps.keys());
  }
}

function records<T>({ names, rows }: Table): T[] {
  return rows.map((row: Cell[]) => Object.fromEntries(names.map((name, place) => [name, row[place]])) as T);
}

export function grouped<K, V>(values: V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const known = groups.get(key);
    if (known) known.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
