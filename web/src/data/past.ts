// Schemas and lineage over time.

import type { HistoryBlock, LineageChangeRow, SchemaChangeRow } from "./blocks";
import type { Edge, Model } from "./model";

export interface Change {
  at: number;
  kind: "schema" | "lineage";
  change: string;
  dataset: number;
  /** The column, or the dataset where the change is one of the whole. */
  node: number;
  column: string;
  old: string;
  new: string;
  nature: string;
  confidence: string;
  job: string;
  detail: string;
  source: number;
  /** User, application, version of the code and of Spark of the run that changed it. */
  who: string;
}

/** The nature of the creation of a table that the first harvest of the store found. */
const FOUND = "first harvest";

export class Past {
  readonly changes: Change[];
  /** The distinct times of changes, the oldest first. */
  readonly moments: number[];
  private readonly byDataset = new Map<number, Change[]>();
  private readonly spans = new Map<number, { type: string; from: number | null; to: number | null }[]>();

  constructor(
    private readonly model: Model,
    block: HistoryBlock,
  ) {
    this.changes = [
      ...block.schema.map((row) => schemaChange(row, block.apps)),
      ...block.lineage.map((row) => lineageChange(model, row, block.apps)),
    ].sort((a, b) => a.at - b.at);
    this.moments = [...new Set(this.changes.map((change) => change.at))];
    for (const change of this.changes) {
      const known = this.byDataset.get(change.dataset);
      if (known) known.push(change);
      else this.byDataset.set(change.dataset, [change]);
    }
    const { column, type, from, to, types } = block.spans;
    column.forEach((node, place) => {
      const span = { type: types[type[place]], from: from[place], to: to[place] };
      const known = this.spans.get(node);
      if (known) known.push(span);
      else this.spans.set(node, [span]);
    });
  }

  changesOf(node: number): Change[] {
    const found = this.byDataset.get(this.model.datasetOf(node)) ?? [];
    return this.model.isDataset(node) ? found : found.filter((change) => change.node === node);
  }

  /** Changes after one time and until another; the tables that the store's first harvest found are none. */
  between(after: number, until: number): Change[] {
    return this.changes.filter((change) => change.at > after && change.at <= until && change.nature !== FOUND);
  }

  /** The column's type at a time; empty where nothing shows it. */
  typeAt(node: number, at: number | null): string {
    const spans = this.spans.get(node);
    if (!spans) return "";
    if (at === null) return spans.at(-1)?.type ?? "";
    return spans.find(({ from, to }) => (from === null || from <= at) && (to === null || to > at))?.type ?? "";
  }

  /** Whether a schema shows the column at a time; true where nothing is known of it. */
  existsAt(node: number, at: number | null): boolean {
    const spans = this.spans.get(node);
    if (!spans) return true;
    if (at === null) return spans.some(({ to }) => to === null) || !this.model.gone.has(node);
    const first = spans[0].from;
    if (first !== null && at < first) return false;
    const last = spans.at(-1)?.to;
    return last === null || last === undefined || at < last;
  }

  /** The expression that an edge's target had at a time: the store holds the last one, changes hold those before. */
  expressionAt(edge: Edge, text: string, at: number | null): string {
    if (at === null) return text;
    const later = (this.byDataset.get(this.model.datasetOf(edge.target)) ?? []).find(
      (change) =>
        change.change === "expression_changed" && change.node === edge.target && change.job === edge.job && change.at > at,
    );
    return later ? later.old : text;
  }
}

function schemaChange(row: SchemaChangeRow, apps: string[]): Change {
  const [dataset, node, column, at, change, old, fresh, nature, confidence, job, detail, app] = row;
  return {
    at,
    kind: "schema",
    change,
    dataset,
    node: node ?? dataset,
    column: column ?? "",
    old: old ?? "",
    new: fresh ?? "",
    nature: nature ?? "",
    confidence: confidence ?? "",
    job: job ?? "",
    detail: detail ?? "",
    source: -1,
    who: apps[app ?? -1] ?? "",
  };
}

function lineageChange(model: Model, row: LineageChangeRow, apps: string[]): Change {
  const [target, source, name, at, change, old, fresh, job, app] = row;
  return {
    at,
    kind: "lineage",
    change,
    dataset: model.datasetOf(target),
    node: target,
    column: model.columnOf(target),
    old: change === "edge_removed" ? name : (old ?? ""),
    new: change === "edge_added" ? name : (fresh ?? ""),
    nature: "",
    confidence: "",
    job: job ?? "",
    detail: "",
    source: source ?? -1,
    who: apps[app ?? -1] ?? "",
  };
}
