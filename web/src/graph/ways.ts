// The lines on the ways through a row of the picture.

import type { Line, Picture } from "./picture";

export interface Ways {
  lines: Set<string>;
  nodes: Set<number>;
}

export const NO_WAYS: Ways = { lines: new Set(), nodes: new Set() };

interface Ends {
  into: Map<number, Line[]>;
  from: Map<number, Line[]>;
}

const known = new WeakMap<Picture, Ends>();

export function endsOf(picture: Picture): Ends {
  let ends = known.get(picture);
  if (!ends) {
    ends = { into: new Map(), from: new Map() };
    for (const line of picture.lines) {
      add(ends.into, line.to.node, line);
      add(ends.from, line.from.node, line);
    }
    known.set(picture, ends);
  }
  return ends;
}

function add(map: Map<number, Line[]>, node: number, line: Line): void {
  const lines = map.get(node);
  if (lines) lines.push(line);
  else map.set(node, [line]);
}

/** All lines and rows upstream and downstream of a row, itself included. */
export function waysThrough(picture: Picture, node: number): Ways {
  const { into, from } = endsOf(picture);
  const ways: Ways = { lines: new Set(), nodes: new Set([node]) };
  walk(into, node, (line) => line.from.node, ways);
  walk(from, node, (line) => line.to.node, ways);
  return ways;
}

function walk(lines: Map<number, Line[]>, start: number, end: (line: Line) => number, ways: Ways): void {
  const seen = new Set([start]);
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const line of lines.get(node) ?? []) {
      ways.lines.add(line.id);
      const next = end(line);
      ways.nodes.add(next);
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
}

export function waysOfLine(picture: Picture, line: Line): Ways {
  const { into, from } = endsOf(picture);
  const ways: Ways = { lines: new Set([line.id]), nodes: new Set([line.from.node, line.to.node]) };
  walk(into, line.from.node, (each) => each.from.node, ways);
  walk(from, line.to.node, (each) => each.to.node, ways);
  return ways;
}
