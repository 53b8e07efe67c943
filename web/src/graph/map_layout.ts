// Where the map's boxes and ribbons are.

import { type Box, layout, type Wire } from "./layout";
import type { Group, Ribbon, Warehouse } from "./warehouse";

export interface MapBox {
  /** The places of its groups; several where small ones share a box. */
  groups: number[];
  lane: number;
  x: number;
  y: number;
  width: number;
  height: number;
  cell: number;
  perRow: number;
}

export interface MapRibbon {
  from: number;
  to: number;
  ribbons: Ribbon[];
  width: number;
  path: string;
  /** It leads to the same lane or to an earlier one. */
  back: boolean;
}

export interface MapLayout {
  boxes: MapBox[];
  ribbons: MapRibbon[];
  lanes: { title: string; x: number; width: number }[];
  width: number;
  height: number;
}

export const HEAD = 46;
const FOOT = 26;
const FOOT_ROW = 18;
/** A sign with its spaces, and a digit after it. */
const MARK = 24;
const DIGIT = 8;
const PAD = 10;
const MOST_BOXES = 9;
const THICKEST = 34;
/** All ribbons at one side of a box. */
const BROADEST = 150;
const TOP = 34;
const BOX_GAP = 14;
/** With less room lanes are one under the other. */
export const NARROW_MAP = 560;

/** What the foot of a group's box counts: states of its datasets. */
type Marks = (group: Group) => [string, number][];

/** `open` are the lanes whose small groups are drawn one by one. */
export function mapLayout(warehouse: Warehouse, room: number, bytes: boolean, open: Set<number>, marks: Marks): MapLayout {
  const { groups, lanes, ribbons } = warehouse;
  const gap = Math.max(Math.min((room / Math.max(lanes.length, 1)) * 0.24, 130), 34);
  const width = room < NARROW_MAP ? room - 46 : Math.max(Math.min((room - gap * (lanes.length - 1) - 32) / Math.max(lanes.length, 1), 230), 120);
  const boxes = boxesOf(groups, lanes.length, width, open, marks);
  const boxOf = new Map(boxes.flatMap((box, place) => box.groups.map((group) => [group, place] as const)));
  const drawn = joined(ribbons, boxOf);
  const size = (ribbon: MapRibbon) => ribbon.ribbons.reduce((sum, each) => sum + (bytes ? each.bytes : each.edges), 0);
  const most = Math.max(1, ...drawn.map(size));
  for (const ribbon of drawn) {
    ribbon.back = boxes[ribbon.from].lane >= boxes[ribbon.to].lane;
    ribbon.width = ribbon.back ? 0 : Math.max(Math.sqrt(size(ribbon) / most) * THICKEST, 1.5);
  }
  const side = (place: number, end: "from" | "to") => drawn.reduce((sum, ribbon) => sum + (ribbon[end] === place ? ribbon.width + 1 : 0), 0);
  const broadest = Math.max(1, ...boxes.flatMap((_, place) => [side(place, "from"), side(place, "to")]));
  for (const ribbon of drawn) if (!ribbon.back) ribbon.width = Math.max(ribbon.width * Math.min(1, BROADEST / broadest), 1);
  boxes.forEach((box, place) => {
    box.height = Math.max(box.height, side(place, "from") + 12, side(place, "to") + 12);
  });
  const wires = drawn.map(({ from, to }): Wire => ({ from, to, fromY: boxes[from].height / 2, toY: boxes[to].height / 2 }));
  const places = layout(boxes.map((box, id): Box => ({ id, layer: box.lane, height: box.height })), wires);
  stack(boxes, lanes.length, (id) => places.get(id)?.y ?? 0);
  for (const box of boxes) box.x = 16 + box.lane * (width + gap);
  route(drawn, boxes);
  return {
    boxes,
    ribbons: drawn,
    lanes: lanes.map((title, lane) => ({ title, x: 16 + lane * (width + gap), width })),
    width: 32 + lanes.length * width + (lanes.length - 1) * gap,
    height: Math.max(0, ...boxes.map((box) => box.y + box.height)) + 16,
  };
}

/** Puts the boxes of each lane one under the other, in the order of the wanted heights, around one middle. */
function stack(boxes: MapBox[], lanes: number, wanted: (box: number) => number): void {
  const sum = (lane: number) => boxes.reduce((total, box) => total + (box.lane === lane ? box.height + BOX_GAP : 0), -BOX_GAP);
  const tallest = Math.max(0, ...Array.from({ length: lanes }, (_, lane) => sum(lane)));
  for (let lane = 0; lane < lanes; lane++) {
    const own = boxes.map((box, id) => ({ box, id })).filter(({ box }) => box.lane === lane);
    own.sort((a, b) => wanted(a.id) - wanted(b.id) || a.id - b.id);
    let y = TOP + (tallest - sum(lane)) / 2;
    for (const { box } of own) {
      box.y = Math.round(y);
      y += box.height + BOX_GAP;
    }
  }
}

function boxesOf(groups: Group[], lanes: number, width: number, open: Set<number>, marks: Marks): MapBox[] {
  const boxes: MapBox[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    const own = groups.map((group, place) => ({ group, place })).filter(({ group }) => group.lane === lane);
    own.sort((a, b) => b.group.datasets.length - a.group.datasets.length || (a.group.name < b.group.name ? -1 : 1));
    const kept = open.has(lane) || own.length <= MOST_BOXES + 1 ? own : own.filter(({ group }, at) => at < MOST_BOXES || group.jobs.length > 0);
    for (const { group, place } of kept) boxes.push(box([place], group.datasets.length, lane, width, marks(group)));
    const rest = own.filter((each) => !kept.includes(each));
    if (rest.length) {
      const count = rest.reduce((sum, { group }) => sum + group.datasets.length, 0);
      const found = new Map<string, number>();
      for (const { group } of rest) for (const [state, each] of marks(group)) found.set(state, (found.get(state) ?? 0) + each);
      boxes.push(box(rest.map(({ place }) => place), count, lane, width, [...found]));
    }
  }
  return boxes;
}

/** A box with a small square for each dataset; in big groups the squares are smaller. */
function box(groups: number[], count: number, lane: number, width: number, marks: [string, number][]): MapBox {
  const cell = count > 400 ? 5 : count > 150 ? 7 : 10;
  const perRow = Math.floor((width - 2 * PAD) / cell);
  const wide = marks.reduce((sum, [, each]) => sum + MARK + DIGIT * String(each).length, 0);
  const foot = marks.length ? FOOT + (Math.ceil(wide / (width - 2 * PAD)) - 1) * FOOT_ROW : 8;
  const height = HEAD + Math.ceil(count / perRow) * cell + foot;
  return { groups, lane, x: 0, y: 0, width, height, cell, perRow };
}

function joined(ribbons: Ribbon[], boxOf: Map<number, number>): MapRibbon[] {
  const found = new Map<string, MapRibbon>();
  for (const ribbon of ribbons) {
    const [from, to] = [boxOf.get(ribbon.source) ?? -1, boxOf.get(ribbon.target) ?? -1];
    if (from === to || from < 0 || to < 0) continue;
    const known = found.get(`${from} ${to}`);
    if (known) known.ribbons.push(ribbon);
    else found.set(`${from} ${to}`, { from, to, ribbons: [ribbon], width: 0, path: "", back: false });
  }
  return [...found.values()];
}

/** Stacks the ribbons at both ends in the order of their other ends, so that they cross little. */
function route(ribbons: MapRibbon[], boxes: MapBox[]): void {
  const middle = (place: number) => boxes[place].y + boxes[place].height / 2;
  const begin = new Map<MapRibbon, number>();
  const end = new Map<MapRibbon, number>();
  boxes.forEach((box, place) => {
    for (const [side, other, into] of [
      ["from", "to", begin],
      ["to", "from", end],
    ] as const) {
      const own = ribbons.filter((ribbon) => ribbon[side] === place && !ribbon.back).sort((a, b) => middle(a[other]) - middle(b[other]));
      let y = box.y + (box.height - own.reduce((sum, { width }) => sum + width + 1, -1)) / 2;
      for (const ribbon of own) {
        into.set(ribbon, y);
        y += ribbon.width + 1;
      }
    }
  });
  for (const ribbon of ribbons) {
    const [from, to] = [boxes[ribbon.from], boxes[ribbon.to]];
    const [x1, x2] = [from.x + from.width, to.x];
    const [y1, y2, w] = [begin.get(ribbon) ?? middle(ribbon.from), end.get(ribbon) ?? middle(ribbon.to), ribbon.width];
    const bend = ribbon.back ? 46 : Math.max((x2 - x1) / 2, 24);
    if (ribbon.back) {
      ribbon.path = `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
      continue;
    }
    ribbon.path =
      `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}L${x2},${y2 + w}` +
      `C${x2 - bend},${y2 + w} ${x1 + bend},${y1 + w} ${x1},${y1 + w}Z`;
  }
}
