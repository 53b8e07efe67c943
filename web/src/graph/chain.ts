// The chain of expressions that makes a column: one step for each column on the way, the nearest first.

import { DIRECT, type Edge, INDIRECT, type Model, type Moment } from "../data/model";
import { relatives } from "./trace";

export interface Step {
  node: number;
  depth: number;
  /** Distinct expressions with the jobs and the sources of each. */
  made: { expression: string; jobs: string[]; sources: number[]; edges: Edge[] }[];
}

export const MOST_STEPS = 200;

export function chain(
  model: Model,
  node: number,
  moment: Moment,
  expressionOf: (edge: Edge) => string,
): { steps: Step[]; cut: boolean } {
  const steps: Step[] = [];
  const seen = new Set([node]);
  let front = [node, ...relatives(model, node, true)];
  for (let depth = 0; front.length; depth++) {
    const next: number[] = [];
    for (const target of front) {
      const edges = madeOf(model, target, moment);
      if (edges.length === 0) continue;
      if (steps.length >= MOST_STEPS) return { steps, cut: true };
      steps.push({ node: target, depth, made: grouped(edges, expressionOf) });
      for (const { source } of edges)
        for (const found of source < 0 ? [] : [source, ...relatives(model, source, true)])
          if (!seen.has(found)) {
            seen.add(found);
            next.push(found);
          }
    }
    front = next;
  }
  return { steps, cut: false };
}

/** The edges that make a column's values at a moment. */
export function madeOf(model: Model, node: number, moment: Moment): Edge[] {
  if (model.isDataset(node)) return [];
  const links = model.linksIn(node).filter((link) => model.linkDependency[link] === DIRECT);
  return [...links.flatMap((link) => model.edgesOf(link)), ...model.unsourcedOf(node)].filter((edge) =>
    model.holds(edge, moment),
  );
}

/** What chooses, filters or orders a column without being in it: its own influences and those on its dataset. */
export function influencesOn(model: Model, node: number, moment: Moment): Edge[] {
  const links = [...model.linksIn(node), ...(model.isDataset(node) ? [] : model.linksIn(model.datasetOf(node)))];
  return links
    .filter((link) => model.linkDependency[link] === INDIRECT)
    .flatMap((link) => model.edgesOf(link))
    .filter((edge) => model.holds(edge, moment));
}

function grouped(edges: Edge[], expressionOf: (edge: Edge) => string): Step["made"] {
  const found = new Map<string, Step["made"][number]>();
  for (const edge of edges) {
    const expression = expressionOf(edge);
    const key = expression || `${edge.transformation} ${edge.source}`;
    const known = found.get(key) ?? { expression, jobs: [], sources: [], edges: [] };
    if (!known.jobs.includes(edge.job)) known.jobs.push(edge.job);
    if (edge.source >= 0 && !known.sources.includes(edge.source)) known.sources.push(edge.source);
    known.edges.push(edge);
    found.set(key, known);
  }
  return [...found.values()];
}
