// What the graph draws: a card for each dataset on the way, its columns that take part first, and lines between them.

import { INDIRECT, TABLE, type Model } from "../data/model";
import { CARD_WIDTH, layout, type Wire } from "./layout";
import { fanOuts } from "./fan_outs";
import { groupLabels } from "./names";
import { type Filter, isOn, masks, type Trace, totals } from "./trace";

export const HEADER = 46;
export const ROW = 24;
const FOOT = 6;
const ROWS = 8;
const MOST_ROWS = 120;

/** closed: the header alone; open: columns that take part; all: every column. */
export type CardState = "closed" | "open" | "all";

export interface Row {
  node: number;
  takesPart: boolean;
  drawnIn: number;
  drawnOut: number;
  totalIn: number;
  totalOut: number;
  masked: boolean;
}

export interface Card {
  /** A dataset or a job; of a bunch the first member. */
  dataset: number;
  /** The members of a card that stands for many nodes with the same neighbour; else empty. */
  bunch: number[];
  /** That neighbour, and whether the members are its sources. */
  beside?: { neighbour: number; sources: boolean };
  /** What is in front of the name, so that namesakes can be told apart. */
  group: string;
  layer: number;
  state: CardState;
  rows: Row[];
  /** Columns that the card does not show, and how many of them take part. */
  more: number;
  moreTakingPart: number;
  header: { drawnIn: number; drawnOut: number };
  x: number;
  y: number;
  height: number;
}

export interface Line {
  id: string;
  from: { card: number; y: number; node: number };
  to: { card: number; y: number; node: number };
  dependency: number;
  masked: boolean;
  confidence: string;
  links: number[];
  /** The line goes back to an earlier layer, or to its own card. */
  back: boolean;
  /** The heights at which it runs together with the other lines between its cards. */
  bundle?: { fromY: number; toY: number };
}

export interface Picture {
  focus: number;
  cards: Card[];
  lines: Line[];
  byDataset: Map<number, Card>;
  /** Links on the way, and those of them that are drawn. */
  linksDrawn: number;
  linksFound: number;
  /** Datasets on the way that are too many to draw. */
  cardsLeftOut: number;
  trace: Trace;
}

export interface PictureOptions {
  filter: Filter;
  states: Map<number, CardState>;
  /** The state of the cards that `states` does not name. */
  usual?: CardState;
  /** Datasets whose many neighbours are drawn one by one. */
  spread?: Set<number>;
  mostCards: number;
}

export function picture(model: Model, trace: Trace, options: PictureOptions): Picture {
  const { filter, states, usual = "open", spread = new Set(), mostCards } = options;
  const { up, down, focus } = trace;
  const home = model.datasetOf(focus);
  const found = [...new Set([...up.links, ...down.links])];
  const { kept, leftOut } = nearest(model, trace, home, mostCards);
  const links = found.filter(
    (link) => kept.has(model.datasetOf(model.linkSource[link])) && kept.has(model.datasetOf(model.linkTarget[link])),
  );
  const layers = layersOf(model, trace, home, kept);
  const bunches = fanOuts(
    links.map((link) => [model.datasetOf(model.linkSource[link]), model.datasetOf(model.linkTarget[link])]),
    home,
    spread,
  );
  const standIn = new Map(bunches.flatMap((members) => members.map((member) => [member, members[0]] as const)));
  const bunchOf = new Map(bunches.map((members) => [members[0], members]));
  const shownCards = [...kept].filter((dataset) => (standIn.get(dataset) ?? dataset) === dataset).sort((a, b) => a - b);
  const labels = groupLabels(shownCards.map((dataset) => model.datasetName(dataset)));
  const taking = takingPart(model, links);
  taking.add(focus);
  const drawn = counts(model, links);
  const cards = shownCards.map((dataset) => {
    const bunch = bunchOf.get(dataset) ?? [];
    const group = labels.get(model.datasetName(dataset)) ?? "";
    if (bunch.length) {
      const header = { drawnIn: bunch.length, drawnOut: bunch.length };
      const nothing = { rows: [], more: 0, moreTakingPart: 0, x: 0, y: 0 };
      return { dataset, bunch, group, layer: layers.get(dataset) ?? 0, state: "closed", header, height: HEADER, ...nothing } as Card;
    }
    const state = states.get(dataset) ?? usual;
    const rows = visible(model, dataset, state, taking, focus).map((node): Row => {
      const all = totals(model, node, filter);
      return {
        node,
        takesPart: taking.has(node),
        drawnIn: drawn.in.get(node) ?? 0,
        drawnOut: drawn.out.get(node) ?? 0,
        totalIn: all.in,
        totalOut: all.out,
        masked: up.masked.has(node) || down.masked.has(node),
      };
    });
    const [first, end] = model.columnRange(dataset);
    const shown = new Set(rows.map((row) => row.node));
    let moreTakingPart = 0;
    let columns = 0;
    for (let node = first; node < end; node++) {
      const counts = taking.has(node) || !model.gone.has(node);
      if (counts) columns++;
      if (taking.has(node) && !shown.has(node)) moreTakingPart++;
    }
    const more = Math.max(columns - rows.length, 0);
    const height = HEADER + rows.length * ROW + (more > 0 && state !== "closed" ? ROW : 0) + (rows.length || more ? FOOT : 0);
    const header = { drawnIn: drawn.in.get(dataset) ?? 0, drawnOut: drawn.out.get(dataset) ?? 0 };
    const card: Card = { dataset, bunch, group, layer: layers.get(dataset) ?? 0, state, rows, more, moreTakingPart, header, x: 0, y: 0, height };
    if (state === "closed") card.height = HEADER;
    return card;
  });
  const byDataset = new Map(cards.map((card) => [card.dataset, card]));
  for (const [member, first] of standIn) byDataset.set(member, byDataset.get(first) as Card);
  const lines = linesOf(model, links, byDataset, trace);
  place(cards, lines);
  return { focus, cards, lines, byDataset, linksDrawn: links.length, linksFound: found.length, cardsLeftOut: leftOut, trace };
}

/** The datasets nearest to the focus. */
function nearest(model: Model, { up, down }: Trace, home: number, most: number): { kept: Set<number>; leftOut: number } {
  const hops = new Map<number, number>([[home, 0]]);
  for (const side of [up, down])
    for (const [node, hop] of side.hops) {
      const dataset = model.datasetOf(node);
      hops.set(dataset, Math.min(hops.get(dataset) ?? Number.POSITIVE_INFINITY, hop));
    }
  const sorted = [...hops].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([dataset]) => dataset);
  return { kept: new Set(sorted.slice(0, most)), leftOut: Math.max(sorted.length - most, 0) };
}

/** The layer of each dataset: its longest way from the focus, negative upstream. Ways in circles do not count. */
function layersOf(model: Model, { up, down }: Trace, home: number, kept: Set<number>): Map<number, number> {
  const layers = new Map<number, number>([[home, 0]]);
  const upstream = longest(pairs(model, up.links, true, kept), home);
  for (const [dataset, steps] of upstream) if (dataset !== home) layers.set(dataset, -steps);
  const downstream = longest(pairs(model, down.links, false, kept), home);
  for (const [dataset, steps] of downstream) if (!layers.has(dataset)) layers.set(dataset, steps);
  for (const dataset of kept) if (!layers.has(dataset)) layers.set(dataset, 0);
  return layers;
}

function pairs(model: Model, links: number[], up: boolean, kept: Set<number>): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const link of links) {
    const source = model.datasetOf(model.linkSource[link]);
    const target = model.datasetOf(model.linkTarget[link]);
    if (source === target || !kept.has(source) || !kept.has(target)) continue;
    const [near, far] = up ? [target, source] : [source, target];
    const known = found.get(near);
    if (known) known.add(far);
    else found.set(near, new Set([far]));
  }
  return found;
}

export function longest(next: Map<number, Set<number>>, home: number): Map<number, number> {
  const order: number[] = [];
  const seen = new Map<number, "open" | "done">();
  const forward = new Map<number, number[]>();
  const visit = [{ node: home, rest: [...(next.get(home) ?? [])].sort((a, b) => a - b) }];
  seen.set(home, "open");
  for (let top = visit.at(-1); top; top = visit.at(-1)) {
    const step = top.rest.shift();
    if (step === undefined) {
      seen.set(top.node, "done");
      order.push(top.node);
      visit.pop();
      continue;
    }
    if (seen.get(step) === "open") continue; // a circle: the way back does not count
    forward.set(top.node, [...(forward.get(top.node) ?? []), step]);
    if (seen.has(step)) continue;
    seen.set(step, "open");
    visit.push({ node: step, rest: [...(next.get(step) ?? [])].sort((a, b) => a - b) });
  }
  const steps = new Map<number, number>([[home, 0]]);
  for (const node of order.reverse())
    for (const far of forward.get(node) ?? []) steps.set(far, Math.max(steps.get(far) ?? 0, (steps.get(node) ?? 0) + 1));
  return steps;
}

function takingPart(model: Model, links: number[]): Set<number> {
  const found = new Set<number>();
  for (const link of links) {
    found.add(model.linkSource[link]);
    found.add(model.linkTarget[link]);
  }
  return found;
}

function counts(model: Model, links: number[]): { in: Map<number, number>; out: Map<number, number> } {
  const found = { in: new Map<number, number>(), out: new Map<number, number>() };
  for (const link of links) {
    const [source, target] = [model.linkSource[link], model.linkTarget[link]];
    found.in.set(target, (found.in.get(target) ?? 0) + 1);
    found.out.set(source, (found.out.get(source) ?? 0) + 1);
  }
  return found;
}

function visible(model: Model, dataset: number, state: CardState, taking: Set<number>, focus: number): number[] {
  if (state === "closed") return [];
  const columns = model.columnsOf(dataset);
  const first = columns.filter((node) => taking.has(node));
  if (state === "all")
    return [...first, ...columns.filter((node) => !taking.has(node) && !model.gone.has(node))].slice(0, MOST_ROWS);
  const shown = first.length > ROWS + 1 ? first.slice(0, ROWS) : first;
  return first.includes(focus) && !shown.includes(focus) ? [focus, ...shown.slice(0, ROWS - 1)] : shown;
}

function linesOf(model: Model, links: number[], cards: Map<number, Card>, trace: Trace): Line[] {
  const rowPlace = new Map<number, number>();
  for (const card of new Set(cards.values()))
    card.rows.forEach((row, place) => rowPlace.set(row.node, HEADER + place * ROW + ROW / 2));
  const anchor = (node: number) => {
    const card = cards.get(model.datasetOf(node)) as Card;
    const { dataset } = card;
    const y = rowPlace.get(node);
    if (card.bunch.length) return { card: dataset, y: HEADER / 2, node: dataset };
    if (y !== undefined) return { card: dataset, y, node };
    if (model.isDataset(node) || card.state === "closed") return { card: dataset, y: HEADER / 2, node: dataset };
    return { card: dataset, y: HEADER + card.rows.length * ROW + ROW / 2, node: -1 - dataset };
  };
  const lines = new Map<string, Line>();
  for (const link of links) {
    const [source, target] = [model.linkSource[link], model.linkTarget[link]];
    const from = anchor(source);
    const to = anchor(target);
    const dependency = model.linkDependency[link];
    const masked =
      dependency !== TABLE &&
      (masks(model, link) || trace.down.masked.has(source) || (trace.up.masked.has(target) && !trace.down.hops.has(target)));
    const confidence = weakest(model, link);
    const id = `${from.card}:${from.y}-${to.card}:${to.y}-${dependency}${masked ? "m" : ""}${confidence[0]}`;
    const known = lines.get(id);
    if (known) known.links.push(link);
    else {
      const back = (cards.get(from.card)?.layer ?? 0) >= (cards.get(to.card)?.layer ?? 0);
      lines.set(id, { id, from, to, dependency, masked, confidence, links: [link], back });
    }
  }
  // solid lines lie on top of dashed ones
  return [...lines.values()].sort((a, b) => Number(b.dependency === INDIRECT) - Number(a.dependency === INDIRECT));
}

function weakest(model: Model, link: number): string {
  const found = new Set(model.edgesOf(link).map((edge) => edge.confidence));
  return found.has("opaque") ? "opaque" : found.has("inferred") ? "inferred" : "exact";
}

/** Gives the cards their places, and lines between the same two cards a common course. */
export function place(cards: Card[], lines: Line[]): void {
  for (const card of cards) {
    const line = card.bunch.length ? lines.find(({ from, to }) => from.card === card.dataset || to.card === card.dataset) : undefined;
    if (line) card.beside = line.from.card === card.dataset ? { neighbour: line.to.card, sources: true } : { neighbour: line.from.card, sources: false };
  }
  bundle(lines);
  const boxes = cards.map((card) => ({ id: card.dataset, layer: card.layer, height: card.height }));
  const wires = lines.map((line): Wire => ({ from: line.from.card, to: line.to.card, fromY: line.from.y, toY: line.to.y }));
  const places = layout(boxes, wires);
  for (const card of cards) {
    const at = places.get(card.dataset);
    card.x = at?.x ?? 0;
    card.y = at?.y ?? 0;
  }
}

const BUNDLED = 4;

/** Lines between two cards run together where they are many: at the mean of their heights. */
function bundle(lines: Line[]): void {
  const pairs = new Map<string, Line[]>();
  for (const line of lines) {
    const key = `${line.from.card} ${line.to.card}`;
    const known = pairs.get(key);
    if (known) known.push(line);
    else pairs.set(key, [line]);
  }
  for (const pair of pairs.values()) {
    if (pair.length < BUNDLED) continue;
    const mean = (end: "from" | "to") => pair.reduce((sum, line) => sum + line[end].y, 0) / pair.length;
    const [fromY, toY] = [mean("from"), mean("to")];
    pair.forEach((line, place) => {
      const apart = (place - (pair.length - 1) / 2) * Math.min(1.6, 14 / pair.length);
      line.bundle = { fromY: fromY + apart, toY: toY + apart };
    });
  }
}

/** The line's course: out to the right, in from the left; around the cards where it goes back. */
export function course(line: Line, from: Card, to: Card): string {
  const [x1, y1] = [from.x + CARD_WIDTH, from.y + line.from.y];
  const [x2, y2] = [to.x, to.y + line.to.y];
  if (!line.back && line.bundle) {
    const [a, b] = [from.y + line.bundle.fromY, to.y + line.bundle.toY];
    const reach = Math.min((x2 - x1) / 3, 44);
    const [xa, xb] = [x1 + reach, x2 - reach];
    const bend = (xb - xa) / 2;
    return (
      `M${x1},${y1}C${x1 + reach * 0.6},${y1} ${xa - reach * 0.5},${a} ${xa},${a}` +
      `C${xa + bend},${a} ${xb - bend},${b} ${xb},${b}C${xb + reach * 0.5},${b} ${x2 - reach * 0.6},${y2} ${x2},${y2}`
    );
  }
  if (!line.back) {
    const bend = Math.max((x2 - x1) / 2, 30);
    return `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
  }
  const below = Math.max(from.y + from.height, to.y + to.height) + 24 + ((line.links[0] ?? 0) % 5) * 5;
  return `M${x1},${y1}C${x1 + 50},${y1} ${x1 + 50},${below} ${x1},${below}L${x2},${below}C${x2 - 50},${below} ${x2 - 50},${y2} ${x2},${y2}`;
}

export { isOn };
