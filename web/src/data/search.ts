// Search over datasets, columns, jobs, owners, tags and expressions: by kind, the best match first, recent and much-used ones before others.

import type { Facts } from "./facts";
import type { Model } from "./model";
import { isExposure, isPath, shortName } from "./text";
import { isTypo } from "./typo";

export const KINDS = ["table", "column", "exposure", "job", "path", "label", "expression"] as const;
export type HitKind = (typeof KINDS)[number];

export interface Hit {
  kind: HitKind;
  /** The node; of an expression the first column that it makes. */
  node: number;
  /** What the address calls the node. */
  name: string;
  /** The text that was found, where it is not the name. */
  text: string;
}

export interface Found {
  /** By kind, in the order of `KINDS`; a column that is named in full comes first of all. */
  hits: Hit[];
  total: number;
  /** The words were found nowhere: these are names that are nearly like them. */
  typo: boolean;
}

export interface Index {
  search(words: string, mostOfKind: number): Found;
}

const NOTHING: Found = { hits: [], total: 0, typo: false };
const SHORTEST_EXPRESSION = 3;
const SHORTEST_TYPO = 4;
const RANKS = 7;

export function makeIndex(model: Model, facts: Facts, expressions: string[]): Index {
  const { datasetCount, nodeCount } = model;
  const texts: string[] = [];
  for (let node = 0; node < nodeCount; node++) texts.push((node < datasetCount ? model.datasetName(node) : model.columnOf(node)).toLowerCase());
  for (const job of model.jobNames) texts.push(job.toLowerCase());
  const path = Uint8Array.from({ length: datasetCount }, (_, dataset) => (isPath(texts[dataset]) ? 1 : 0));
  let weights: Float32Array | null = null;
  let lowered: string[] | null = null;
  let labels: Label[] | null = null;

  const kindOf = (node: number): HitKind =>
    node >= nodeCount ? "job" : node >= datasetCount ? "column" : path[node] ? "path" : isExposure(texts[node]) ? "exposure" : "table";
  const hit = (node: number): Hit => ({ kind: kindOf(node), node, name: model.fullName(node), text: "" });

  /** Nodes by kind and rank; those of paths after those of tables. */
  const collect = (rankOf: (node: number) => number): { buckets: number[][]; total: number } => {
    const buckets: number[][] = Array.from({ length: KINDS.length * RANKS * 2 }, () => []);
    let total = 0;
    for (let node = 0; node < texts.length; node++) {
      const rank = rankOf(node);
      if (rank < 0) continue;
      total++;
      const late = node >= datasetCount && node < nodeCount && path[model.datasetOf(node)] ? 1 : 0;
      buckets[(KINDS.indexOf(kindOf(node)) * RANKS + rank) * 2 + late].push(node);
    }
    return { buckets, total };
  };

  const best = (buckets: number[][], most: number): Hit[] => {
    weights ??= weightsOf(model, facts);
    const byWeight = weights;
    return KINDS.flatMap((_, kind) => {
      const kept: number[] = [];
      for (const bucket of buckets.slice(kind * RANKS * 2, (kind + 1) * RANKS * 2)) {
        if (kept.length >= most) break;
        kept.push(...bucket.sort((a, b) => byWeight[b] - byWeight[a] || a - b).slice(0, most - kept.length));
      }
      return kept.map(hit);
    });
  };

  const inExpressions = (words: string[], most: number): { hits: Hit[]; total: number } => {
    if (words.join("").length < SHORTEST_EXPRESSION) return { hits: [], total: 0 };
    lowered ??= expressions.map((text) => text.toLowerCase());
    const places: number[] = [];
    let total = 0;
    lowered.forEach((text, place) => {
      if (!words.every((word) => text.includes(word))) return;
      total++;
      if (places.length < most) places.push(place);
    });
    const owners = model.targetsOfExpressions(expressions.length);
    return {
      total,
      hits: places.filter((place) => owners[place] >= 0).map((place) => ({ kind: "expression", node: owners[place], name: model.fullName(owners[place]), text: expressions[place] })),
    };
  };

  /** What has an owner, a contact or a tag with all the words: the most used first. */
  const labelled = (words: string[], most: number): { hits: Hit[]; total: number } => {
    weights ??= weightsOf(model, facts);
    const byWeight = weights;
    labels ??= labelsOf(model, facts);
    const found = labels.filter(({ lower }) => words.every((word) => lower.includes(word)));
    const nodes = found.flatMap(({ text, nodes: all }) => all.map((node) => ({ text, node })));
    nodes.sort((a, b) => byWeight[b.node] - byWeight[a.node] || a.node - b.node);
    return { total: nodes.length, hits: nodes.slice(0, most).map(({ text, node }) => ({ kind: "label", node, name: model.fullName(node), text })) };
  };

  return {
    search(typed, most) {
      const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length === 0) return NOTHING;
      const whole = words.join(" ");
      const named = model.isJob(model.find(typed.trim())) ? -1 : columnNamed(model, texts, path, whole);
      const { buckets, total } = collect((node) => rankOf(model, texts, node, words, whole));
      const others = [labelled(words, most), inExpressions(words, most)];
      const all = others.reduce((sum, each) => sum + each.total, total);
      const hits = [...best(buckets, most), ...others.flatMap((each) => each.hits)];
      if (named >= 0) return { hits: [hit(named), ...hits.filter(({ node, text }) => text || node !== named)], total: all, typo: false };
      if (all > 0 || words.some((word) => word.length < SHORTEST_TYPO)) return { hits, total: all, typo: false };
      const near = collect((node) => (words.every((word) => isNear(model, texts, node, word)) ? 0 : -1));
      return { hits: best(near.buckets, most), total: near.total, typo: near.total > 0 };
    },
  };
}

/** The column that words like `daily_sales.revenue` name: of a table before that of a path, of the shortest name. */
function columnNamed(model: Model, texts: string[], path: Uint8Array, whole: string): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let dot = whole.indexOf("."); dot > 0; dot = whole.indexOf(".", dot + 1)) {
    const [owner, column] = [whole.slice(0, dot), whole.slice(dot + 1)];
    if (!column) continue;
    for (let dataset = 0; dataset < model.datasetCount; dataset++) {
      const name = texts[dataset];
      if (name !== owner && !name.endsWith(`.${owner}`) && !name.endsWith(`/${owner}`)) continue;
      const cost = path[dataset] * 10_000 + name.length;
      if (cost >= least) continue;
      const [from, to] = model.columnRange(dataset);
      for (let node = from; node < to; node++)
        if (texts[node] === column) {
          best = node;
          least = cost;
        }
    }
  }
  return best;
}

/** 0 the very name, 1 its last part, 2 begins with it, 3 a part begins with it, 4 has it, 5 with its dataset; -1 has it not. */
function rankOf(model: Model, texts: string[], node: number, words: string[], whole: string): number {
  const text = texts[node];
  if (text === whole) return 0;
  const at = text.indexOf(whole);
  if (at >= 0) {
    const begins = at === 0 || ".:/_ -".includes(text[at - 1]);
    if (text.endsWith(whole) && at > 0 && "./".includes(text[text.length - whole.length - 1])) return 1;
    return at === 0 ? 2 : begins ? 3 : 4;
  }
  const column = node >= model.datasetCount && node < model.nodeCount;
  let own = false;
  for (const word of words) {
    if (text.includes(word)) own = true;
    else if (!column || !texts[model.datasetOf(node)].includes(word)) return column && words.length === 1 && inFullName(model, texts, node, word) ? 5 : -1;
  }
  return own ? 5 : -1;
}

/** `orders.am` finds the column amount of orders. */
function inFullName(model: Model, texts: string[], node: number, word: string): boolean {
  const dot = word.lastIndexOf(".");
  return dot > 0 && texts[model.datasetOf(node)].endsWith(word.slice(0, dot)) && texts[node].startsWith(word.slice(dot + 1));
}

function isNear(model: Model, texts: string[], node: number, word: string): boolean {
  const text = texts[node];
  if (text.includes(word)) return true;
  if (node >= model.nodeCount) return text.split(/[\s:_.-]+/).some((part) => isTypo(part, word));
  const name = node < model.datasetCount ? shortName(text).leaf : text;
  return isTypo(name, word) || (name.includes("_") && name.split("_").some((part) => part.length >= SHORTEST_TYPO && isTypo(part, word)));
}

interface Label {
  text: string;
  lower: string;
  nodes: number[];
}

/** Owners with what they own, and tags with what has them. */
function labelsOf(model: Model, facts: Facts): Label[] {
  const owned = new Map<string, number[]>();
  for (const { node, job, owner, contact } of facts.declared) {
    const own = node ?? model.jobNode(job ?? "");
    const text = [owner, contact].filter(Boolean).join(" · ");
    if (text && own >= 0) owned.set(text, [...(owned.get(text) ?? []), own]);
  }
  const tagged = facts.tagRows.map(({ tag, masked, nodes }): [string, number[]] => [`${tag}${masked ? " (masked)" : ""}`, nodes]);
  return [...owned, ...tagged].map(([text, nodes]) => ({ text, lower: text.toLowerCase(), nodes }));
}

/** How much a node is used, and how lately. */
function weightsOf(model: Model, facts: Facts): Float32Array {
  const weights = new Float32Array(model.nodeCount + model.jobNames.length);
  const newest = Math.max(0, ...facts.jobs.map((job) => job.last ?? 0));
  const recent = (at: number | null | undefined) => (at ? Math.max(0, 3 - (newest - at) / 86_400_000 / 3) : 0);
  for (let dataset = 0; dataset < model.datasetCount; dataset++) {
    const uses = facts.usesOf(dataset);
    let last = 0;
    for (const use of uses) last = Math.max(last, use.last ?? 0);
    weights[dataset] = Math.log2(1 + uses.length) + recent(last);
    const [from, to] = model.columnRange(dataset);
    for (let node = from; node < to; node++) weights[node] = weights[dataset] + Math.log2(1 + model.degreeOut(node)) - (model.gone.has(node) ? 6 : 0);
  }
  facts.jobs.forEach((job, place) => {
    weights[model.nodeCount + place] = recent(job.last) + Math.log2(1 + job.runs);
  });
  return weights;
}
