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
  seconds: number | null;
  users: string | null;
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

export class Facts {
  readonly jobs: Job[];
  private readonly jobByName: Map<string, Job>;
  private readonly uses: Map<number, Use[]>;
  private readonly usesByJob: Map<string, Use[]>;
  private readonly gaps: Map<number, Gap[]>;

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
