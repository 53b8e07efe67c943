// Which columns lie on the way to and from the focus, how many hops away, and whether every way is masked.

import { DIRECT, INDIRECT, TABLE, type Model, type Moment } from "../data/model";

export interface Filter {
  direct: boolean;
  indirect: boolean;
  /** For each link whether it holds at the chosen time. */
  holding: Uint8Array;
  /** The chosen time; today without one. */
  moment?: Moment;
}

const TODAY: Moment = { at: null, past: false };

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

function follow(model: Model, focus: number, filter: Filter, hops: number, up: boolean): Side {
  const links = new Set<number>();
  const shown = new Map<number, number>();
  const show = (node: number, hop: number) => {
    for (const each of [node, ...relatives(model, node, up)]) if (!shown.has(each)) shown.set(each, hop);
  };
  let front = model.isDataset(focus) ? [focus, ...model.columnsOf(focus)] : [focus];
  for (const node of front) show(node, 0);
  const reached = new Set(front);
  const unmasked = new Set(front);
  const open: { node: number; link: number; from: number }[] = [];
  for (let hop = 0; hop < hops && front.length; hop++) {
    const next: number[] = [];
    for (const from of front) {
      for (const { link, end } of steps(model, from, focus, filter, up)) {
        links.add(link);
        open.push({ node: end, link, from });
        const drawn = up ? model.linkSource[link] : model.linkTarget[link];
        if (!shown.has(drawn)) shown.set(drawn, hop + 1);
        if (reached.has(end)) continue;
        reached.add(end);
        show(end, hop + 1);
        next.push(end);
      }
    }
    front = next;
  }
  spread(open, unmasked, (link) => masks(model, link));
  const plain = new Set([...unmasked].flatMap((node) => [node, ...relatives(model, node, up)]));
  for (const { node, link } of open)
    if (unmasked.has(node) && !masks(model, link)) plain.add(up ? model.linkSource[link] : model.linkTarget[link]);
  const masked = new Set([...shown.keys()].filter((node) => !plain.has(node)));
  return { hops: shown, links: [...links], masked };
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

interface Step {
  link: number;
  /** The node that the step leads to: the link's end, or a field of it. */
  end: number;
}

/** The steps from a node: those of its links, of the fields within it, and of the structs around it. */
function steps(model: Model, node: number, focus: number, filter: Filter, up: boolean): Step[] {
  const linksOf = (of: number) => (up ? model.linksIn(of) : model.linksOut(of)).filter((link) => isOn(model, link, filter));
  const endOf = (link: number) => (up ? model.linkSource[link] : model.linkTarget[link]);
  const stepsOf = (of: number) => linksOf(of).map((link) => ({ link, end: endOf(link) }));
  const found = stepsOf(node);
  if (model.isDataset(node)) {
    // what influences a dataset as a whole influences each of its columns
    if (node !== focus) for (const column of model.columnsOf(node)) found.push(...stepsOf(column));
    return found;
  }
  const { fields, structs } = model.families;
  for (const field of fields.get(node) ?? []) found.push(...stepsOf(field));
  for (const struct of structs.get(node) ?? []) {
    const path = model.columnOf(node).slice(model.columnOf(struct).length);
    for (const link of linksOf(struct)) {
      const inCopy = model.fieldOf(endOf(link), path);
      for (const copies of kindsOf(model, link, filter.moment ?? TODAY))
        found.push({ link, end: copies && inCopy !== undefined ? inCopy : endOf(link) });
    }
  }
  if (up) found.push(...stepsOf(model.datasetOf(node)).filter(({ link }) => model.linkDependency[link] !== TABLE));
  return found;
}

/** Whether a link copies values: true, false, or both, by its edges that hold. */
function kindsOf(model: Model, link: number, moment: Moment): Set<boolean> {
  const edges = model.edgesOf(link);
  const holding = edges.filter((edge) => model.holds(edge, moment));
  return new Set((holding.length ? holding : edges).map((edge) => edge.transformation === "IDENTITY"));
}

/** Columns whose links in a direction are a column's, too: those of the fields within it, and of the structs around it. */
export function relatives(model: Model, node: number, up: boolean): number[] {
  if (model.isDataset(node)) return [];
  const { fields, structs } = model.families;
  const known = (column: number) => (up ? model.linksIn(column) : model.linksOut(column)).length > 0;
  return [...(fields.get(node) ?? []), ...(structs.get(node) ?? [])].filter(known);
}

/** How many links a node has, and how many of them hold and are of the kinds that are shown. */
export function totals(model: Model, node: number, filter: Filter): { in: number; out: number } {
  const count = (links: number[]) => links.filter((link) => isOn(model, link, filter)).length;
  return { in: count(model.linksIn(node)), out: count(model.linksOut(node)) };
}
