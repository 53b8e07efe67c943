import type { CardState } from "../graph/picture";
import { getView, setView } from "../view/state";

/** Shows a card's header alone, or opens it again. */
export function closeCard(dataset: string, state: CardState): void {
  const cards = { ...getView().cards };
  if (state === "closed") delete cards[dataset];
  else cards[dataset] = "closed";
  setView({ cards });
}
