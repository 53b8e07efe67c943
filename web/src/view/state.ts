// What the page shows. All of it but the theme is in the address after `#`, by names, so that a link to a view keeps its
// meaning in a newer page of the same store.

import { useSyncExternalStore } from "react";
import type { CardState } from "../graph/picture";

export interface View {
  tab: string;
  /** The whole name of a dataset or column; empty for the page's own choice. */
  focus: string;
  up: number;
  down: number;
  direct: boolean;
  indirect: boolean;
  past: boolean;
  /** Cards have columns; without them the graph is one of datasets. */
  columns: boolean;
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
  tab: "lineage",
  focus: "",
  up: 2,
  down: 2,
  direct: true,
  indirect: false,
  past: false,
  columns: true,
  at: null,
  since: 0,
  table: false,
  selected: "",
  cards: {},
  filter: "",
};

export function toHash(view: View): string {
  const words = new URLSearchParams();
  if (view.focus) words.set("focus", view.focus);
  if (view.up !== START.up) words.set("up", String(view.up));
  if (view.down !== START.down) words.set("down", String(view.down));
  if (!view.direct) words.set("direct", "0");
  if (view.indirect) words.set("indirect", "1");
  if (view.past) words.set("past", "1");
  if (!view.columns) words.set("columns", "0");
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
    focus: words.get("focus") ?? "",
    up: hops(words.get("up"), START.up),
    down: hops(words.get("down"), START.down),
    direct: words.get("direct") !== "0",
    indirect: words.get("indirect") === "1",
    past: words.get("past") === "1",
    columns: words.get("columns") !== "0",
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

/** Puts a dataset or column into focus. */
export function focusOn(name: string): void {
  setView({ tab: "lineage", focus: name, selected: "", filter: "" }, true);
}
