// What the page shows. All of it but the theme is in the address after `#`, by names, so that a link to a view keeps its
// meaning in a newer page of the same store.

import { useSyncExternalStore } from "react";
import type { CardState } from "../graph/picture";
import { setPanes } from "./panes";

export interface View {
  tab: string;
  /** The group of datasets that the map shows from inside; empty for the whole warehouse. */
  zoom: string;
  /** What the map marks: a state of datasets in the last night; empty for all of them. */
  mark: string;
  /** The map's ribbons are as thick as bytes, not as edges. */
  bytes: boolean;
  /** The whole name of a dataset or column, `job:` and the name of a job; empty for the page's own choice. */
  focus: string;
  up: number;
  down: number;
  direct: boolean;
  indirect: boolean;
  past: boolean;
  /** Cards have columns; without them the graph is one of datasets. */
  columns: boolean;
  /** Jobs are cards between the datasets. */
  jobs: boolean;
  /** Datasets whose many neighbours are drawn one by one. */
  spread: string[];
  /** Milliseconds since 1970; null for the newest lineage. */
  at: number | null;
  /** Days before `at` whose changes are marked; 0 for none. */
  since: number;
  table: boolean;
  /** The node or line whose facts are shown: a name, or two names with `->` between them. */
  selected: string;
  /** Dataset to the state of its card, where it is not the usual one. */
  cards: Record<string, CardState>;
  /** The search in a panel's or the edges' table. */
  filter: string;
}

export const MOST_HOPS = 9;

export const START: View = {
  tab: "map",
  zoom: "",
  mark: "",
  bytes: false,
  focus: "",
  up: 2,
  down: 2,
  direct: true,
  indirect: false,
  past: false,
  columns: true,
  jobs: false,
  spread: [],
  at: null,
  since: 0,
  table: false,
  selected: "",
  cards: {},
  filter: "",
};

export function toHash(view: View): string {
  const words = new URLSearchParams();
  if (view.zoom && view.tab === "map") words.set("zoom", view.zoom);
  if (view.mark && view.tab === "map") words.set("mark", view.mark);
  if (view.bytes) words.set("ribbons", "bytes");
  if (view.focus) words.set("focus", view.focus);
  if (view.up !== START.up) words.set("up", String(view.up));
  if (view.down !== START.down) words.set("down", String(view.down));
  if (!view.direct) words.set("direct", "0");
  if (view.indirect) words.set("indirect", "1");
  if (view.past) words.set("past", "1");
  if (!view.columns) words.set("columns", "0");
  if (view.jobs) words.set("jobs", "1");
  for (const dataset of view.spread) words.append("spread", dataset);
  if (view.at !== null) words.set("at", new Date(view.at).toISOString());
  if (view.since) words.set("since", String(view.since));
  if (view.table) words.set("view", "table");
  if (view.selected) words.set("selected", view.selected);
  for (const [dataset, state] of Object.entries(view.cards)) words.append(state, dataset);
  if (view.filter) words.set("filter", view.filter);
  const text = words.toString();
  return `#${view.tab}${text ? `?${text}` : ""}`;
}

export function fromHash(hash: string): View {
  const [tab, text = ""] = split(hash.replace(/^#/, ""));
  const words = new URLSearchParams(text);
  const cards: Record<string, CardState> = {};
  for (const state of ["closed", "open", "all"] as const)
    for (const dataset of words.getAll(state)) cards[dataset] = state;
  const at = Date.parse(words.get("at") ?? "");
  return {
    tab: tab || START.tab,
    zoom: words.get("zoom") ?? "",
    mark: words.get("mark") ?? "",
    bytes: words.get("ribbons") === "bytes",
    focus: words.get("focus") ?? "",
    up: hops(words.get("up"), START.up),
    down: hops(words.get("down"), START.down),
    direct: words.get("direct") !== "0",
    indirect: words.get("indirect") === "1",
    past: words.get("past") === "1",
    columns: words.get("columns") !== "0",
    jobs: words.get("jobs") === "1",
    spread: words.getAll("spread"),
    at: Number.isNaN(at) ? null : at,
    since: Math.max(0, Number(words.get("since") ?? 0) || 0),
    table: words.get("view") === "table",
    selected: words.get("selected") ?? "",
    cards,
    filter: words.get("filter") ?? "",
  };
}

function split(hash: string): [string, string] {
  const mark = hash.indexOf("?");
  return mark < 0 ? [hash, ""] : [hash.slice(0, mark), hash.slice(mark + 1)];
}

function hops(text: string | null, usual: number): number {
  const value = Number(text ?? usual);
  return Number.isInteger(value) && value >= 0 ? Math.min(value, MOST_HOPS) : usual;
}

let current: View | null = null;
const listeners = new Set<() => void>();

export function getView(): View {
  current ??= fromHash(window.location.hash);
  return current;
}

/** Changes the view; with `step` the browser's back button leads to the one before. */
export function setView(change: Partial<View>, step = false): void {
  current = { ...getView(), ...change };
  const hash = toHash(current);
  if (step) window.history.pushState({ step: (window.history.state?.step ?? 0) + 1 }, "", hash);
  else window.history.replaceState(window.history.state, "", hash);
  for (const listener of listeners) listener();
}

function reread(): void {
  current = fromHash(window.location.hash);
  for (const listener of listeners) listener();
}

window.addEventListener("hashchange", reread);
window.addEventListener("popstate", reread);

export function useView(): View {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getView);
}

/** Puts a dataset, a column or a job (`job:` and its name) into focus. */
export function focusOn(name: string): void {
  setPanes({ sheet: "" });
  setView({ tab: "lineage", focus: name, selected: "", filter: "" }, true);
}
