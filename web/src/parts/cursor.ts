// Walking through the picture with the arrow keys: along lines, and up and down within a card or layer.

import type { Picture } from "../graph/picture";
import { endsOf } from "../graph/ways";

export function moveCursor(picture: Picture, at: number, key: string): number {
  const { into, from } = endsOf(picture);
  if (key === "ArrowLeft") return first((into.get(at) ?? []).map((line) => ({ ...line.from })), picture);
  if (key === "ArrowRight") return first((from.get(at) ?? []).map((line) => ({ ...line.to })), picture);
  const stops = column(picture, at);
  const place = stops.indexOf(at);
  if (place < 0) return stops[0] ?? -1;
  return stops[place + (key === "ArrowDown" ? 1 : -1)] ?? -1;
}

/** The rows and headers of a layer, from top to bottom. */
function column(picture: Picture, at: number): number[] {
  const own = picture.cards.find((card) => card.dataset === at || card.rows.some((row) => row.node === at));
  return picture.cards
    .filter((card) => card.layer === (own?.layer ?? 0))
    .sort((a, b) => a.y - b.y)
    .flatMap((card) => [card.dataset, ...card.rows.map((row) => row.node)]);
}

/** The end that is highest in the picture; a line to hidden columns leads to their card. */
function first(ends: { node: number; card: number; y: number }[], picture: Picture): number {
  const sorted = ends.sort(
    (a, b) => (picture.byDataset.get(a.card)?.y ?? 0) + a.y - ((picture.byDataset.get(b.card)?.y ?? 0) + b.y),
  );
  const end = sorted[0];
  return end === undefined ? -1 : end.node < 0 ? end.card : end.node;
}
