// The graph of jobs and datasets: what a job reads and writes, who makes that, and who reads it.

import type { Facts } from "../data/facts";
import { DIRECT, type Model } from "../data/model";
import { fanOuts } from "./fan_outs";
import { groupLabels } from "./names";
import { type Card, type CardState, HEADER, type Line, longest, type Picture, place, ROW } from "./picture";

/** A job's card has a line for its last run. */
export const JOB_HEIGHT = HEADER + ROW;

export interface FlowOptions {
  up: number;
  down: number;
  mostCards: number;
  /** Nodes whose many neighbours are drawn one by one. */
  spread?: Set<number>;
}

/** Jobs and datasets around one of them; a step from a dataset to a job counts as a hop. */
export function flow(model: Model, facts: Facts, focus: number, { up, down, mostCards, spread = new Set() }: FlowOptions): Picture {
  const home = model.datasetOf(focus);
  const next = (node: number, back: boolean): number[] => {
    const direction = model.isJob(node) === back ? "read" : "write";
    if (model.isJob(node)) return used(facts, model.jobName(node), direction);
    return facts
      .usesOf(node)
      .filter((use) => use.direction === direction)
      .map((use) => model.jobNode(use.job))
      .filter((job) => job >= 0);
  };
  const before = reach(home, up, (node) => next(node, true), mostCards);
  const after = reach(home, down, (node) => next(node, false), mostCards);
  const nodes = new Set([home]);
  const hops = [...before.hops, ...after.hops].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  for (const [node] of hops) if (nodes.size < mostCards) nodes.add(node);
  const layers = new Map<number, number>([[home, 0]]);
  for (const [node, steps] of longest(within(before.next, nodes), home)) if (node !== home) layers.set(node, -steps);
  for (const [node, steps] of longest(within(after.next, nodes), home)) if (!layers.has(node)) layers.set(node, steps);
  const pairs = [...steps(before.next, nodes, true), ...steps(after.next, nodes, false)];
  const bunches = fanOuts(pairs, home, spread);
  const bunchOf = new Map(bunches.map((members) => [members[0], members]));
  const standIn = new Map(bunches.flatMap((members) => members.map((member) => [member, members[0]] as const)));
  const labels = groupLabels([...nodes].filter((node) => !model.isJob(node)).map((node) => model.datasetName(node)));
  const shown = [...nodes].filter((node) => (standIn.get(node) ?? node) === node).sort((a, b) => a - b);
  const cards = shown.map((node): Card => ({
    dataset: node,
    bunch: bunchOf.get(node) ?? [],
    group: labels.get(model.datasetName(node)) ?? "",
    layer: layers.get(node) ?? 0,
    state: "closed" as CardState,
    rows: [],
    more: 0,
    moreTakingPart: 0,
    header: { drawnIn: 0, drawnOut: 0 },
    x: 0,
    y: 0,
    height: model.isJob(node) && !bunchOf.has(node) ? JOB_HEIGHT : HEADER,
  }));
  const byDataset = new Map(cards.map((card) => [card.dataset, card]));
  for (const [member, first] of standIn) byDataset.set(member, byDataset.get(first) as Card);
  const lines = linesOf(pairs, byDataset);
  place(cards, lines);
  const side = { hops: new Map<number, number>(), links: [], masked: new Set<number>() };
  const leftOut = new Set(hops.map(([node]) => node)).size + 1 - nodes.size;
  return { focus: home, cards, lines, byDataset, linksDrawn: lines.length, linksFound: lines.length, cardsLeftOut: Math.max(leftOut, 0), trace: { focus, up: side, down: side } };
}

function used(facts: Facts, job: string, direction: string): number[] {
  return [...new Set(facts.usesBy(job).filter((use) => use.direction === direction).map((use) => use.dataset))];
}

/** What is within some hops, at most about a number of nodes, and which node leads to which. */
function reach(home: number, hops: number, next: (node: number) => number[], most: number) {
  const found = new Map<number, number>([[home, 0]]);
  const steps = new Map<number, Set<number>>();
  let front = [home];
  for (let hop = 1; hop <= hops && found.size <= 4 * most; hop++) {
    const fresh: number[] = [];
    for (const node of front)
      for (const other of next(node)) {
        if (other === node) continue;
        steps.set(node, (steps.get(node) ?? new Set()).add(other));
        if (found.has(other)) continue;
        found.set(other, hop);
        fresh.push(other);
      }
    front = fresh;
  }
  found.delete(home);
  return { hops: found, next: steps };
}

function within(next: Map<number, Set<number>>, nodes: Set<number>): Map<number, Set<number>> {
  const kept = new Map<number, Set<number>>();
  for (const [node, others] of next) if (nodes.has(node)) kept.set(node, new Set([...others].filter((other) => nodes.has(other))));
  return kept;
}

/** Pairs of nodes in the direction of the data. */
function steps(next: Map<number, Set<number>>, nodes: Set<number>, back: boolean): [number, number][] {
  return [...within(next, nodes)].flatMap(([node, others]) => [...others].map((other): [number, number] => (back ? [other, node] : [node, other])));
}

function linesOf(pairs: [number, number][], cards: Map<number, Card>): Line[] {
  const lines = new Map<string, Line>();
  for (const [source, target] of pairs) {
    const [from, to] = [cards.get(source), cards.get(target)];
    if (!from || !to) continue;
    const end = (card: Card) => ({ card: card.dataset, y: HEADER / 2, node: card.dataset });
    const id = `${from.dataset}-${to.dataset}`;
    lines.set(id, { id, from: end(from), to: end(to), dependency: DIRECT, masked: false, confidence: "exact", links: [], back: from.layer >= to.layer });
  }
  return [...lines.values()];
}
