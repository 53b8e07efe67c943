// Which columns lie on the way to and from the focus, how many hops away, and whether every way is masked.

import { DIRECT, INDIRECT, TABLE, type Model } from "../data/model";

export interface Filter {
  direct: boolean;
  indirect: boolean;
  /** For each link whether it holds at the chosen time. */
  holding: Uint8Array;
}

export interface Side {
  /** Node to hops from the focus. */
  hops: Map<number, number>;
  /** The links that were followed. */
  links: number[];
  /** Nodes that the focus reaches over masks only. */
  masked: Set<number>;
}

export interface Trace {
  focus: number;
  up: Side;
  down: Side;
}

export function trace(model: Model, focus: number, filter: Filter, hopsUp: number, hopsDown: number): Trace {
  return {
    focus,
    up: follow(model, focus, filter, hopsUp, true),
    down: follow(model, focus, filter, hopsDown, false),
  };
}

export function isOn(model: Model, link: number, filter: Filter): boolean {
  const dependency = model.linkDependency[link];
  if (!filter.holding[link]) return false;
  return dependency === INDIRECT ? filter.indirect : dependency === DIRECT ? filter.direct : true;
}

/** A dataset's columns and the dataset itself, or a column. */
export function startOf(model: Model, focus: number, up: boolean): number[] {
  return model.isDataset(focus) ? [focus, ...model.columnsOf(focus)] : [focus, ...relatives(model, focus, up)];
}

function follow(model: Model, focus: number, filter: Filter, hops: number, up: boolean): Side {
  const links = new Set<number>();
  const reached = new Map<number, number>();
  let front = startOf(model, focus, up);
  for (const node of front) reached.set(node, 0);
  const unmasked = new Set(front);
  const open: { node: number; link: number; from: number }[] = [];
  for (let hop = 0; hop < hops && front.length; hop++) {
    const next: number[] = [];
    for (const node of front) {
      for (const link of neighbours(model, node, focus, filter, up)) {
        if (links.has(link)) continue;
        links.add(link);
        const other = up ? model.linkSource[link] : model.linkTarget[link];
        for (const found of [other, ...relatives(model, other, up)]) {
          open.push({ node: found, link, from: node });
          if (reached.has(found)) continue;
          reached.set(found, hop + 1);
          next.push(found);
        }
      }
    }
    front = next;
  }
  spread(open, unmasked, (link) => masks(model, link));
  const masked = new Set([...reached.keys()].filter((node) => !unmasked.has(node)));
  return { hops: reached, links: [...links], masked };
}

/** Finds the nodes that a way without a mask leads to. */
function spread(
  steps: { node: number; link: number; from: number }[],
  unmasked: Set<number>,
  masking: (link: number) => boolean,
): void {
  for (let grown = true; grown; ) {
    grown = false;
    for (const { node, link, from } of steps) {
      if (unmasked.has(node) || !unmasked.has(from) || masking(link)) continue;
      unmasked.add(node);
      grown = true;
    }
  }
}

/** A link masks where each of its edges does. */
export function masks(model: Model, link: number): boolean {
  return model.edgesOf(link).every((edge) => edge.masking);
}

function neighbours(model: Model, node: number, focus: number, filter: Filter, up: boolean): number[] {
  const step = (from: number) => (up ? model.linksIn(from) : model.linksOut(from));
  const found = step(node);
  if (model.isDataset(node)) {
    // what influences a dataset as a whole influences each of its columns
    if (node !== focus) for (const column of model.columnsOf(node)) found.push(...step(column));
  } else if (up) found.push(...model.linksIn(model.datasetOf(node)).filter((link) => model.linkDependency[link] !== TABLE));
  return found.filter((link) => isOn(model, link, filter));
}

/**
 * Columns that share a column's lineage in a direction: the fields of a struct; for a field that has no links of its own
 * there, nor fields with some, the nearest struct around it that has.
 */
export function relatives(model: Model, node: number, up: boolean): number[] {
  if (model.isDataset(node)) return [];
  const { fields, structs } = model.families;
  const known = (column: number) => (up ? model.linksIn(column) : model.linksOut(column)).length > 0;
  const within = (fields.get(node) ?? []).filter(known);
  if (within.length || known(node)) return within;
  const around = (structs.get(node) ?? []).find(known);
  return around === undefined ? [] : [around];
}

/** How many links a node has, and how many of them hold and are of the kinds that are shown. */
export function totals(model: Model, node: number, filter: Filter): { in: number; out: number } {
  const count = (links: number[]) => links.filter((link) => isOn(model, link, filter)).length;
  return { in: count(model.linksIn(node)), out: count(model.linksOut(node)) };
}
