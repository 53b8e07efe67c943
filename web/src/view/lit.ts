// Which lines and rows are lit: those on the ways through what the pointer or the keyboard is at. Kept outside of React's
// state, so that only what changes is drawn again.

import { useSyncExternalStore } from "react";
import { NO_WAYS, type Ways } from "../graph/ways";

let ways: Ways = NO_WAYS;
const listeners = new Set<() => void>();

export function light(next: Ways): void {
  if (ways === next) return;
  ways = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLitLine(id: string): boolean {
  return useSyncExternalStore(subscribe, () => ways.lines.has(id));
}

export function useLitLines(): Set<string> {
  return useSyncExternalStore(subscribe, () => ways.lines);
}

export function useLitNodes(nodes: number[]): string {
  return useSyncExternalStore(subscribe, () => (ways === NO_WAYS ? "" : nodes.filter((node) => ways.nodes.has(node)).join()));
}

export function useAnyLit(): boolean {
  return useSyncExternalStore(subscribe, () => ways !== NO_WAYS);
}
