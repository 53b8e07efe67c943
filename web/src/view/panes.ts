// Which panes are open. On a narrow screen one sheet at a time is over the graph.

import { useSyncExternalStore } from "react";

export interface Panes {
  list: boolean;
  facts: boolean;
  /** The sheet of a narrow screen. */
  sheet: "" | "list" | "facts";
}

const KEY = "eventlog-lineage-panes";
const WIDE = 1500;
export const NARROW = 820;

let panes: Panes = { list: window.innerWidth >= WIDE, facts: true, sheet: "", ...kept() };
const listeners = new Set<() => void>();

function kept(): Partial<Panes> {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "{}");
    const { list, facts } = found as Record<string, unknown>;
    return { ...(typeof list === "boolean" && { list }), ...(typeof facts === "boolean" && { facts }) };
  } catch {
    return {};
  }
}

export function setPanes(change: Partial<Panes>): void {
  panes = { ...panes, ...change };
  try {
    if (!("sheet" in change)) window.localStorage.setItem(KEY, JSON.stringify({ list: panes.list, facts: panes.facts }));
  } catch {
    // a browser may refuse storage to a file; then the choice lasts as long as the page
  }
  for (const listener of listeners) listener();
}

export function usePanes(): Panes {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => panes,
  );
}

/** Shows the facts, whichever way the screen has for them. */
export function showFacts(): void {
  if (window.innerWidth <= NARROW) setPanes({ sheet: "facts" });
}
