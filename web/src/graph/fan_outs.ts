// Neighbours that are alike: many datasets that hang on one other dataset alone are one card.

export const FEWEST = 8;

/** Datasets with one neighbour in the picture, by that neighbour and the side; each list is drawn as one card. */
export function fanOuts(pairs: [number, number][], home: number, spread: Set<number>): number[][] {
  const neighbours = new Map<number, Set<string>>();
  const add = (node: number, other: number, side: string) => {
    const known = neighbours.get(node);
    if (known) known.add(`${side}${other}`);
    else neighbours.set(node, new Set([`${side}${other}`]));
  };
  for (const [source, target] of pairs) {
    if (source === target) continue;
    add(source, target, ">");
    add(target, source, "<");
  }
  const found = new Map<string, number[]>();
  for (const [node, sides] of neighbours) {
    if (node === home || sides.size !== 1) continue;
    const [end] = sides;
    if (spread.has(Number(end.slice(1)))) continue;
    found.set(end, [...(found.get(end) ?? []), node]);
  }
  return [...found.values()].filter((members) => members.length >= FEWEST).map((members) => members.sort((a, b) => a - b));
}
