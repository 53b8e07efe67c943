import { useEffect, useMemo, useRef, useState } from "react";
import { number, plural, shortName, visible } from "../data/text";
import { layout, type Wire } from "../graph/layout";
import type { LastNight } from "../graph/night";
import { depths, type Warehouse } from "../graph/warehouse";
import { takeFocusWish, wishFocus } from "../view/keep_focus";
import { focusOn, setView, useView } from "../view/state";
import { useStore } from "../view/store";
import { KindIcon } from "./icons";
import { STATE_WORDS } from "./night";
import { Sign } from "./waffle";

const WIDTH = 190;
const HEIGHT = 30;
const GAP_X = 56;
const GAP_Y = 6;
const TALLEST = 22;

interface Item {
  key: string;
  label: string;
  note: string;
  dataset: number;
  group: number;
  x: number;
  y: number;
}

/** One group from inside: its datasets by the direction of the data, between the groups that it reads and feeds. */
export function MapZoom({ warehouse, night, group }: { warehouse: Warehouse; night: LastNight; group: number }) {
  const { model } = useStore();
  const { mark } = useView();
  const frame = useRef<HTMLDivElement>(null);
  const [lit, setLit] = useState(-1);
  const own = warehouse.groups[group];
  const { items, lines, width, height } = useMemo(() => inside(warehouse, group, model.datasetCount, (dataset) => shortName(model.datasetName(dataset)).leaf), [warehouse, group, model]);
  useEffect(() => {
    const first = items.findIndex((item) => item.dataset >= 0);
    if (takeFocusWish()) frame.current?.querySelector<HTMLElement>(`[data-item="${first}"]`)?.focus();
  }, [items]);
  const enter = (item: Item) => {
    wishFocus();
    if (item.dataset >= 0) focusOn(model.datasetName(item.dataset));
    else setView({ zoom: warehouse.groups[item.group].name, selected: "" }, true);
  };
  const near = useMemo(() => new Set(lines.filter(({ from, to }) => from === lit || to === lit).flatMap(({ from, to }) => [from, to])), [lines, lit]);
  const press = (event: React.KeyboardEvent) => {
    const at = Number((event.target as HTMLElement).dataset.item ?? -1);
    if (at < 0 || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = stepFrom(items, lines, at, event.key);
    if (next >= 0) frame.current?.querySelector<HTMLElement>(`[data-item="${next}"]`)?.focus();
  };
  return (
    <div className="map" ref={frame} onKeyDown={press}>
      <nav className="crumbs" aria-label="Place">
        <button type="button" className="link" onClick={() => setView({ zoom: "", selected: "" }, true)}>
          Map
        </button>
        <span aria-hidden="true">›</span>
        <strong>
          <bdi>{visible(own.name)}</bdi>
        </strong>
        <span className="none">{plural(own.datasets.length, "dataset")}</span>
      </nav>
      <div className="lanes" style={{ width, height }}>
        <svg className={lit >= 0 ? "ribbons lit" : "ribbons"} width={width} height={height} aria-hidden="true">
          {lines.map(({ from, to }) => (
            <path
              key={`${from} ${to}`}
              className={`thread${from === lit || to === lit ? " on" : ""}`}
              d={curve(items[from], items[to])}
            />
          ))}
        </svg>
        {items.map((item, place) => {
          const state = item.dataset >= 0 ? night.state[item.dataset] : null;
          const marked = item.dataset >= 0 && mark !== "" && night.marked[mark as "failed"]?.has(item.dataset);
          return (
            <button
              key={item.key}
              type="button"
              data-item={place}
              className={`dataset-box${item.group >= 0 ? " outer" : ""}${(lit >= 0 && lit !== place && !near.has(place)) || (mark && item.dataset >= 0 && !marked) ? " aside" : ""}`}
              style={{ left: item.x, top: item.y, width: WIDTH, height: HEIGHT }}
              title={visible(item.dataset >= 0 ? `${model.datasetName(item.dataset)}: ${STATE_WORDS[state ?? "quiet"]}` : item.label)}
              onClick={() => enter(item)}
              onPointerEnter={() => setLit(place)}
              onPointerLeave={() => setLit(-1)}
              onFocus={() => setLit(place)}
              onBlur={() => setLit(-1)}
            >
              {state ? <Sign state={state} /> : <KindIcon kind={warehouse.groups[item.group].kind} />}
              <bdi>{visible(item.label)}</bdi>
              {state && <span className="visually-hidden">{STATE_WORDS[state]}</span>}
              {item.note && <small title="Pairs of datasets">{item.note}</small>}
            </button>
          );
        })}
      </div>
    </div>
  );
}

interface Thread {
  from: number;
  to: number;
}

function inside(warehouse: Warehouse, group: number, count: number, nameOf: (dataset: number) => string) {
  const { groups, groupOf, pairs } = warehouse;
  const members = new Set(groups[group].datasets);
  const within = pairs.filter(({ source, target }) => members.has(source) && members.has(target));
  const depth = depths(count, within);
  const inner = new Map<number, Set<number>>();
  const lines = new Map<string, [string, string]>();
  const before = new Map<number, number>();
  const after = new Map<number, number>();
  for (const { source, target } of pairs) {
    const [from, to] = [members.has(source), members.has(target)];
    if (!from && !to) continue;
    const other = from ? groupOf[target] : groupOf[source];
    if (from && to) lines.set(`${source} ${target}`, [`d${source}`, `d${target}`]);
    else if (to && !from) {
      before.set(other, (before.get(other) ?? 0) + 1);
      lines.set(`<${other} ${target}`, [`<${other}`, `d${target}`]);
    } else {
      after.set(other, (after.get(other) ?? 0) + 1);
      lines.set(`${source} >${other}`, [`d${source}`, `>${other}`]);
    }
    inner.set(group, members);
  }
  const layers = new Map<number, { key: string; dataset: number; group: number; label: string; note: string }[]>();
  const put = (layer: number, item: { key: string; dataset: number; group: number; label: string; note: string }) => {
    const known = layers.get(layer);
    if (known) known.push(item);
    else layers.set(layer, [item]);
  };
  const deepest = Math.max(0, ...groups[group].datasets.map((dataset) => depth[dataset]));
  const outer = (other: number, pairsOf: number, side: string) => ({
    key: `${side}${other}`,
    dataset: -1,
    group: other,
    label: groups[other].label,
    note: number(pairsOf),
  });
  for (const [other, pairsOf] of before) put(-1, outer(other, pairsOf, "<"));
  for (const dataset of groups[group].datasets) put(depth[dataset], { key: `d${dataset}`, dataset, group: -1, label: nameOf(dataset), note: "" });
  for (const [other, pairsOf] of after) put(deepest + 1, outer(other, pairsOf, ">"));
  // the order within a layer by what is connected, then layers of many rows in several columns
  const ids = new Map<string, number>();
  const all = [...layers].flatMap(([layer, items]) => items.map((item) => ({ ...item, layer })));
  all.forEach((item, place) => ids.set(item.key, place));
  const wires = [...lines.values()].map(([from, to]): Wire => ({ from: ids.get(from) ?? 0, to: ids.get(to) ?? 0, fromY: HEIGHT / 2, toY: HEIGHT / 2 }));
  const places = layout(all.map(({ layer }, id) => ({ id, layer, height: HEIGHT })), wires);
  const items: Item[] = [];
  let x = 16;
  let height = 0;
  for (const layer of [...layers.keys()].sort((a, b) => a - b)) {
    const sorted = all.filter((item) => item.layer === layer).sort((a, b) => (places.get(ids.get(a.key) ?? 0)?.y ?? 0) - (places.get(ids.get(b.key) ?? 0)?.y ?? 0));
    const tall = Math.max(TALLEST, Math.ceil(sorted.length / 4));
    sorted.forEach((item, place) => {
      items.push({ ...item, x: x + Math.floor(place / tall) * (WIDTH + 12), y: 12 + (place % tall) * (HEIGHT + GAP_Y) });
    });
    height = Math.max(height, Math.min(sorted.length, tall) * (HEIGHT + GAP_Y) + 24);
    x += Math.ceil(sorted.length / tall) * (WIDTH + 12) - 12 + GAP_X;
  }
  for (const layer of new Set(all.map((item) => item.layer))) {
    const column = items.filter((item) => all.find(({ key }) => key === item.key)?.layer === layer);
    const used = Math.max(...column.map(({ y }) => y)) + HEIGHT;
    for (const item of column) item.y += Math.max(0, (height - used - 12) / 2);
  }
  const at = new Map(items.map(({ key }, place) => [key, place]));
  const threads = [...lines.values()].map(([from, to]): Thread => ({ from: at.get(from) ?? 0, to: at.get(to) ?? 0 }));
  return { items, lines: threads, width: x, height };
}

function curve(from: Item, to: Item): string {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  const bend = Math.max((x2 - x1) / 2, 26);
  return `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}

function stepFrom(items: Item[], lines: Thread[], at: number, key: string): number {
  if (key === "ArrowUp" || key === "ArrowDown") {
    const column = items.map((item, place) => ({ item, place })).filter(({ item }) => item.x === items[at].x);
    const place = column.findIndex((each) => each.place === at);
    return column[place + (key === "ArrowDown" ? 1 : -1)]?.place ?? -1;
  }
  const forward = key === "ArrowRight";
  const next = lines.filter(({ from, to }) => (forward ? from : to) === at).map(({ from, to }) => (forward ? to : from));
  return next.sort((a, b) => Math.abs(items[a].y - items[at].y) - Math.abs(items[b].y - items[at].y))[0] ?? -1;
}
