// The warehouse as groups of datasets: schemas, folders, systems. Groups stand in lanes by the direction of the data:
// what nothing writes comes first, what nothing reads and lies outside of the catalog comes last.

import type { Facts } from "../data/facts";
import { type Model } from "../data/model";
import { EXPOSURES, isPath, shortName } from "../data/text";

export interface Pair {
  source: number;
  target: number;
  /** Current lines between them: of columns, influences, whole tables. */
  edges: number;
  bytes: number;
}

export interface Group {
  /** What the address calls it. */
  name: string;
  label: string;
  kind: string;
  lane: number;
  datasets: number[];
  /** Of the readers: the jobs that read and write nothing. */
  jobs: string[];
}

export interface Ribbon {
  source: number;
  target: number;
  pairs: Pair[];
  edges: number;
  bytes: number;
}

export interface Warehouse {
  groups: Group[];
  lanes: string[];
  ribbons: Ribbon[];
  pairs: Pair[];
  /** Dataset to its group; -1 for what the map leaves out. */
  groupOf: Int32Array;
  /** Temporary views, which the map leaves out. */
  hidden: number;
}

const SOURCE = 0;
const INNER = 1;
const SINK = 2;
const MOST_STAGES = 6;
const MOST_FOLDERS = 12;
const BIG_FOLDER = 8;

export function warehouseOf(model: Model, facts: Facts): Warehouse {
  const { kind } = model.datasets;
  const shown: number[] = [];
  for (let dataset = 0; dataset < model.datasetCount; dataset++) if (kind[dataset] !== "temp_view") shown.push(dataset);
  const pairs = pairsOf(model, facts).filter(({ source, target }) => kind[source] !== "temp_view" && kind[target] !== "temp_view");
  const roles = rolesOf(model, facts, pairs);
  const groups = groupsOf(model, shown, roles);
  const groupOf = new Int32Array(model.datasetCount).fill(-1);
  groups.forEach(({ datasets }, place) => {
    for (const dataset of datasets) groupOf[dataset] = place;
  });
  const ribbons = ribbonsOf(pairs, groupOf);
  ribbons.push(...addReaders(model, facts, groups, groupOf));
  const lanes = setLanes(groups, ribbons, roles, depths(model.datasetCount, pairs));
  return { groups, lanes, ribbons, pairs, groupOf, hidden: model.datasetCount - shown.length };
}

/** What goes from dataset to dataset today. */
function pairsOf(model: Model, facts: Facts): Pair[] {
  const on = model.holding({ at: null, past: false });
  const found = new Map<number, Pair>();
  const pair = (source: number, target: number) => {
    const key = source * model.datasetCount + target;
    let known = found.get(key);
    if (!known) found.set(key, (known = { source, target, edges: 0, bytes: 0 }));
    return known;
  };
  let last: Pair | null = null;
  for (let link = 0; link < model.linkCount; link++) {
    if (!on[link]) continue;
    const source = model.datasetOf(model.linkSource[link]);
    const target = model.datasetOf(model.linkTarget[link]);
    if (source === target) continue;
    if (last?.source !== source || last.target !== target) last = pair(source, target);
    last.edges++;
  }
  for (const { source, target, bytes } of facts.flows) {
    const known = found.get(source * model.datasetCount + target);
    if (known) known.bytes += bytes;
  }
  return [...found.values()];
}

function rolesOf(model: Model, facts: Facts, pairs: Pair[]): Uint8Array {
  const written = new Uint8Array(model.datasetCount);
  const used = new Uint8Array(model.datasetCount);
  for (const { source, target } of pairs) {
    used[source] = 1;
    written[target] = 1;
  }
  for (const dataset of facts.writes.keys()) written[dataset] = 1;
  return written.map((is, dataset) => (!is ? SOURCE : used[dataset] ? INNER : SINK));
}

function groupsOf(model: Model, datasets: number[], roles: Uint8Array): Group[] {
  const schemas = new Map<string, number[]>();
  const files: number[][] = [[], [], []];
  for (const dataset of datasets) {
    const name = model.datasets.name[dataset];
    if (isPath(name)) files[roles[dataset]].push(dataset);
    else {
      const { group } = shortName(name);
      const known = schemas.get(group);
      if (known) known.push(dataset);
      else schemas.set(group, [dataset]);
    }
  }
  const found: Group[] = [];
  for (const [name, members] of schemas)
    found.push({
      name: name || "(no schema)",
      label: name || "(no schema)",
      kind: name === EXPOSURES ? "exposure" : "table",
      lane: name === EXPOSURES ? Number.POSITIVE_INFINITY : -1,
      datasets: members,
      jobs: [],
    });
  for (const role of [SOURCE, INNER, SINK])
    for (const { prefix, members } of folders(model, files[role])) {
      const suffix = ["in", "", "out"][role];
      found.push({
        name: suffix ? `${prefix} (${suffix})` : prefix,
        label: prefix.replace(/^file:\/*(?=\/)/, ""),
        kind: model.datasets.kind[members[0]],
        lane: role === SOURCE ? 0 : role === SINK ? Number.POSITIVE_INFINITY : -1,
        datasets: members,
        jobs: [],
      });
    }
  return found;
}

export const READERS = "Readers";

/** Adds a group of the jobs that only read, with a ribbon from each group that they read. */
function addReaders(model: Model, facts: Facts, groups: Group[], groupOf: Int32Array): Ribbon[] {
  const jobs = new Set<string>();
  const found = new Map<number, Ribbon>();
  for (let dataset = 0; dataset < model.datasetCount; dataset++)
    for (const use of facts.usesOf(dataset)) {
      if (use.direction !== "read" || !use.only_reads || groupOf[dataset] < 0) continue;
      jobs.add(use.job);
      const source = groupOf[dataset];
      const known = found.get(source) ?? { source, target: groups.length, pairs: [], edges: 0, bytes: 0 };
      known.edges++;
      found.set(source, known);
    }
  if (jobs.size) groups.push({ name: READERS, label: READERS, kind: "job", lane: Number.POSITIVE_INFINITY, datasets: [], jobs: [...jobs].sort() });
  return [...found.values()];
}

interface Folder {
  prefix: string;
  members: number[];
  whole: boolean;
}

/** Folders that hold paths, the biggest ones divided until there are enough of them. */
function folders(model: Model, datasets: number[]): Folder[] {
  const nameOf = (dataset: number) => model.datasets.name[dataset];
  const first = split(datasets, (dataset) => /^([a-z0-9+.-]+:\/*[^/]*)/i.exec(nameOf(dataset))?.[1] ?? "/");
  const found: Folder[] = [...first].map(([prefix, members]) => ({
    prefix: members.length > 1 ? prefix : shortName(nameOf(members[0])).group || prefix,
    members,
    whole: false,
  }));
  for (;;) {
    const next = found.filter(({ whole, members }) => !whole && members.length > 1).sort((a, b) => b.members.length - a.members.length)[0];
    if (!next) return found;
    const base = next.prefix.endsWith("/") ? next.prefix : `${next.prefix}/`;
    const parts = split(next.members, (dataset) => {
      const rest = nameOf(dataset).slice(base.length);
      const cut = rest.indexOf("/");
      return cut < 0 ? "" : base + rest.slice(0, cut);
    });
    const only = parts.size === 1 ? [...parts.keys()][0] : "";
    if (only) {
      next.prefix = only;
      continue;
    }
    next.whole = true;
    if (next.members.length <= BIG_FOLDER || found.length >= MOST_FOLDERS) continue;
    for (const [prefix, members] of parts) {
      if (!prefix || members.length < 2 || found.length >= MOST_FOLDERS) continue;
      found.push({ prefix, members, whole: false });
      next.members = next.members.filter((dataset) => !members.includes(dataset));
    }
    if (next.members.length === 0) found.splice(found.indexOf(next), 1);
  }
}

function split(datasets: number[], keyOf: (dataset: number) => string): Map<string, number[]> {
  const parts = new Map<string, number[]>();
  for (const dataset of datasets) {
    const key = keyOf(dataset);
    const known = parts.get(key);
    if (known) known.push(dataset);
    else parts.set(key, [dataset]);
  }
  return parts;
}

export function ribbonsOf(pairs: Pair[], groupOf: Int32Array): Ribbon[] {
  const found = new Map<string, Ribbon>();
  for (const pair of pairs) {
    const [source, target] = [groupOf[pair.source], groupOf[pair.target]];
    if (source === target || source < 0 || target < 0) continue;
    const key = `${source} ${target}`;
    let known = found.get(key);
    if (!known) found.set(key, (known = { source, target, pairs: [], edges: 0, bytes: 0 }));
    known.pairs.push(pair);
    known.edges += pair.edges;
    known.bytes += pair.bytes;
  }
  return [...found.values()];
}

/** Gives each group its lane, and returns the lanes' titles. */
function setLanes(groups: Group[], ribbons: Ribbon[], roles: Uint8Array, depth: Int32Array): string[] {
  const middle: number[] = [];
  groups.forEach((group, place) => {
    if (group.lane < 0 && group.jobs.length === 0 && group.datasets.every((dataset) => roles[dataset] === SOURCE)) group.lane = 0;
    if (group.lane < 0) middle.push(place);
  });
  const mean = (place: number) => {
    const written = groups[place].datasets.filter((dataset) => roles[dataset] !== SOURCE);
    return written.reduce((sum, dataset) => sum + depth[dataset], 0) / Math.max(written.length, 1);
  };
  const order = new Map(middle.map((place) => [place, mean(place)]));
  middle.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0) || a - b);
  const rank = new Map(middle.map((place, at) => [place, at]));
  const weight = new Map(ribbons.map(({ source, target, pairs }) => [`${source} ${target}`, pairs.length]));
  const stage = new Map<number, number>();
  for (const place of middle) {
    let best = 1;
    for (const { source, target, pairs } of ribbons)
      if (
        target === place &&
        (rank.get(source) ?? Number.POSITIVE_INFINITY) < (rank.get(place) ?? 0) &&
        pairs.length >= (weight.get(`${target} ${source}`) ?? 0)
      )
        best = Math.max(best, (stage.get(source) ?? 0) + 1);
    stage.set(place, best);
  }
  const longest = Math.max(0, ...stage.values());
  const stages = Math.min(longest, MOST_STAGES);
  for (const [place, at] of stage)
    groups[place].lane = longest > stages ? 1 + Math.round(((at - 1) * (stages - 1)) / (longest - 1)) : at;
  const titles = ["Sources", ...Array.from({ length: stages }, (_, at) => (stages === 1 ? "Tables" : `Stage ${at + 1}`)), "Exports and readers"];
  for (const group of groups) group.lane = Math.min(group.lane, titles.length - 1);
  const used = titles.map((_, lane) => groups.some((group) => group.lane === lane));
  const places = used.map((_, lane) => used.slice(0, lane).filter(Boolean).length);
  for (const group of groups) group.lane = places[group.lane];
  return titles.filter((_, lane) => used[lane]);
}

/** The longest way to each dataset; the datasets of a circle have one depth. */
export function depths(count: number, pairs: Pair[]): Int32Array {
  const next: number[][] = Array.from({ length: count }, () => []);
  for (const { source, target } of pairs) next[source].push(target);
  const circle = circles(next);
  const found = new Int32Array(count); // by circle
  const sorted = [...pairs].sort((a, b) => circle[b.source] - circle[a.source]);
  for (const { source, target } of sorted)
    if (circle[source] !== circle[target]) found[circle[target]] = Math.max(found[circle[target]], found[circle[source]] + 1);
  return found.map((_, dataset) => found[circle[dataset]]);
}

/** Tarjan's strongly connected components without recursion; a component has a lower number than those that lead to it. */
function circles(next: number[][]): Int32Array {
  const count = next.length;
  const component = new Int32Array(count).fill(-1);
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const stack: number[] = [];
  let [time, components] = [0, 0];
  for (let root = 0; root < count; root++) {
    if (index[root] >= 0) continue;
    const work = [{ node: root, at: 0 }];
    while (work.length) {
      const top = work[work.length - 1];
      const { node } = top;
      if (top.at === 0) {
        index[node] = low[node] = time++;
        stack.push(node);
      }
      const child = next[node][top.at++];
      if (child === undefined) {
        work.pop();
        const parent = work.at(-1);
        if (parent) low[parent.node] = Math.min(low[parent.node], low[node]);
        if (low[node] === index[node])
          for (let member = -1; member !== node; ) {
            member = stack.pop() as number;
            component[member] = components;
          }
        if (low[node] === index[node]) components++;
      } else if (index[child] < 0) work.push({ node: child, at: 0 });
      else if (component[child] < 0) low[node] = Math.min(low[node], index[child]);
    }
  }
  return component;
}
