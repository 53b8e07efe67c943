// The page's data for its components.

import { createContext, useContext } from "react";
import type { About, Panel } from "../data/blocks";
import type { Facts } from "../data/facts";
import type { Edge, Model } from "../data/model";
import type { Past } from "../data/past";
import type { Index } from "../data/search";

export interface Store {
  about: About;
  model: Model;
  facts: Facts;
  past: Past;
  panels: Panel[];
  /** Distinct expressions; an edge has the number of its own. */
  expressions: string[];
  index: Index;
  /** What the page shows when no focus is chosen. */
  home: () => number;
}

export const StoreContext = createContext<Store | null>(null);

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error("the page has no data");
  return store;
}

export function expressionOf({ expressions, past }: Store, edge: Edge, at: number | null): string {
  return past.expressionAt(edge, expressions[edge.expression] ?? "", at);
}
