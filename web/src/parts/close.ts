import type { CardState } from "../graph/picture";
import { getView, setView } from "../view/state";

/** Shows a card's header alone, or opens it again. */
export function closeCard(dataset: string, state: CardState): void {
  set(dataset, state === "closed" ? "open" : "closed");
}

/** Shows all columns of a card, or as many as usual. */
export function toggleCard(dataset: string, state: CardState | undefined): void {
  set(dataset, state === "all" ? "open" : "all");
}

function set(dataset: string, state: CardState): void {
  const { columns, cards } = getView();
  const { [dataset]: _, ...others } = cards;
  setView({ cards: state === (columns ? "open" : "closed") ? others : { ...others, [dataset]: state } });
}
