// Places cards in layers left and right of the focus. Within a layer cards are sorted by the mean height of what they are
// connected to, in a few sweeps from layer to layer, and moved there as far as their neighbours allow.

export interface Box {
  id: number;
  layer: number;
  height: number;
}

/** A line between two boxes, with the heights at which it leaves and arrives, from the boxes' tops. */
export interface Wire {
  from: number;
  to: number;
  fromY: number;
  toY: number;
}

export interface Place {
  x: number;
  y: number;
}

export const CARD_WIDTH = 226;
const LAYER_GAP = 112;
const CARD_GAP = 20;
const SWEEPS = 6;

export function layout(boxes: Box[], wires: Wire[]): Map<number, Place> {
  const layers = new Map<number, Box[]>();
  for (const box of boxes) layers.set(box.layer, [...(layers.get(box.layer) ?? []), box]);
  const order = [...layers.keys()].sort((a, b) => a - b);
  const tops = new Map<number, number>();
  const ends = new Map<number, { other: number; own: number; its: number }[]>();
  const add = (box: number, end: { other: number; own: number; its: number }) =>
    ends.get(box)?.push(end) ?? ends.set(box, [end]);
  for (const { from, to, fromY, toY } of wires) {
    if (from === to) continue;
    add(from, { other: to, own: fromY, its: toY });
    add(to, { other: from, own: toY, its: fromY });
  }
  for (const layer of order) stack(layers.get(layer) ?? [], tops);
  const layerOf = new Map(boxes.map((box) => [box.id, box.layer]));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    for (const layer of forward ? order : [...order].reverse()) {
      const cards = layers.get(layer) ?? [];
      const wanted = new Map<number, number>();
      for (const card of cards) {
        const near = (ends.get(card.id) ?? []).filter(({ other }) => {
          const at = layerOf.get(other) ?? layer;
          return sweep >= SWEEPS - 2 ? at !== layer : forward ? at < layer : at > layer;
        });
        if (near.length === 0) continue;
        const sum = near.reduce((total, { other, own, its }) => total + (tops.get(other) ?? 0) + its - own, 0);
        wanted.set(card.id, sum / near.length);
      }
      settle(cards, wanted, tops);
    }
  }
  const middle = (tops.get(boxes.find((box) => box.layer === 0)?.id ?? -1) ?? 0) || 0;
  return new Map(
    boxes.map(({ id, layer }) => [id, { x: layer * (CARD_WIDTH + LAYER_GAP), y: Math.round((tops.get(id) ?? 0) - middle) }]),
  );
}

/** Puts the cards of a layer one under the other, around the same middle as all layers. */
function stack(cards: Box[], tops: Map<number, number>): void {
  const total = cards.reduce((sum, card) => sum + card.height + CARD_GAP, -CARD_GAP);
  let top = -total / 2;
  for (const card of cards) {
    tops.set(card.id, top);
    top += card.height + CARD_GAP;
  }
}

/** Sorts a layer by the wanted heights and gives each card the nearest place to its own that is free. */
function settle(cards: Box[], wanted: Map<number, number>, tops: Map<number, number>): void {
  const goal = (card: Box) => wanted.get(card.id) ?? tops.get(card.id) ?? 0;
  cards.sort((a, b) => goal(a) - goal(b) || a.id - b.id);
  // groups of cards that touch; a group stands where its cards want to be on average
  const groups: { cards: Box[]; top: number; height: number; pull: number }[] = [];
  for (const card of cards) {
    let group = { cards: [card], top: goal(card), height: card.height, pull: goal(card) };
    for (let last = groups.at(-1); last && last.top + last.height + CARD_GAP > group.top; last = groups.at(-1)) {
      groups.pop();
      const offset = last.height + CARD_GAP;
      const pull = last.pull + group.pull - offset * group.cards.length;
      const joined = [...last.cards, ...group.cards];
      group = { cards: joined, top: pull / joined.length, height: offset + group.height, pull };
    }
    groups.push(group);
  }
  for (const group of groups) {
    let top = group.top;
    for (const card of group.cards) {
      tops.set(card.id, top);
      top += card.height + CARD_GAP;
    }
  }
}
