// What changed in a span of time: columns and links that came, went or became something else.

import type { Model } from "../data/model";
import type { Change, Past } from "../data/past";

export type Mark = "added" | "removed" | "changed";

export interface Marks {
  nodes: Map<number, Mark>;
  links: Map<number, Mark>;
  datasets: Set<number>;
  changes: Change[];
}

const DAY = 86_400_000;

const NODE_MARKS: Record<string, Mark> = {
  column_added: "added",
  table_created: "added",
  column_dropped: "removed",
  table_dropped: "removed",
};

export function marksOf(model: Model, past: Past, at: number | null, since: number): Marks {
  const marks: Marks = { nodes: new Map(), links: new Map(), datasets: new Set(), changes: [] };
  if (!since) return marks;
  const until = at ?? past.moments.at(-1) ?? 0;
  marks.changes = past.between(until - since * DAY, until);
  for (const change of marks.changes) {
    marks.datasets.add(change.dataset);
    if (change.kind === "schema") {
      marks.nodes.set(change.node, NODE_MARKS[change.change] ?? "changed");
      continue;
    }
    const mark: Mark = change.change === "edge_added" ? "added" : change.change === "edge_removed" ? "removed" : "changed";
    if (mark === "changed" || change.source < 0) marks.nodes.set(change.node, marks.nodes.get(change.node) ?? "changed");
    for (const link of change.source < 0 ? [] : model.linksIn(change.node))
      if (model.linkSource[link] === change.source) marks.links.set(link, mark);
  }
  return marks;
}
