import { useEffect, useMemo, useRef, useState } from "react";
import { isPath, middle, number, plural, size, tail, visible } from "../data/text";
import { HEAD, type MapBox, mapLayout, type MapRibbon, NARROW_MAP } from "../graph/map_layout";
import { lastNight, MARKS, type State } from "../graph/night";
import { type Group, READERS, type Warehouse, warehouseOf } from "../graph/warehouse";
import { fitted } from "../view/fitted";
import { takeFocusWish, wishFocus } from "../view/keep_focus";
import { focusOn, setView, useView } from "../view/state";
import { useStore } from "../view/store";
import { KindIcon } from "./icons";
import { MapFacts } from "./map_facts";
import { MapLegend } from "./map_legend";
import { MapZoom } from "./map_zoom";
import { NightStrip } from "./night";
import { Sign, Waffle } from "./waffle";

/** The first view: the whole warehouse, or one group of it. */
export function MapView() {
  const store = useStore();
  const { model, facts, past, panels, about } = store;
  const view = useView();
  const warehouse = useMemo(() => warehouseOf(model, facts), [model, facts]);
  const night = useMemo(() => lastNight(model, facts, past, panels, about), [model, facts, past, panels, about]);
  const group = view.zoom ? warehouse.groups.findIndex(({ name }) => name === view.zoom) : -1;
  useEffect(() => {
    document.title = group < 0 ? "Map · Lineage" : `${visible(view.zoom)} · Map · Lineage`;
  }, [group, view.zoom]);
  return (
    <div className="map-view" id="lineage">
      <NightStrip night={night} />
      <div className={view.mark || view.selected ? "map-body with-facts" : "map-body"}>
        {group < 0 ? (
          <Lanes warehouse={warehouse} night={night} />
        ) : (
          <MapZoom key={view.zoom} warehouse={warehouse} night={night} group={group} />
        )}
        <MapFacts warehouse={warehouse} night={night} />
      </div>
    </div>
  );
}

/** The group that was opened last. */
let lastZoom = "";

interface Props {
  warehouse: Warehouse;
  night: ReturnType<typeof lastNight>;
}

function Lanes({ warehouse, night }: Props) {
  const view = useView();
  const frame = useRef<HTMLDivElement>(null);
  const room = useWidth(frame);
  const [open, setOpen] = useState<Set<number>>(new Set());
  const [lit, setLit] = useState(-1);
  const counts = useMemo(() => warehouse.groups.map((group) => stateCounts(group, night.marked)), [warehouse, night]);
  const found = useMemo(
    () => mapLayout(warehouse, room, view.bytes, open, (group) => counts[warehouse.groups.indexOf(group)]),
    [warehouse, room, view.bytes, open, counts],
  );
  const narrow = room < NARROW_MAP;
  useEffect(() => {
    // back from a group: the keyboard goes on at its box
    if (!takeFocusWish()) return;
    const place = found.boxes.findIndex(({ groups }) => groups.some((group) => warehouse.groups[group].name === lastZoom));
    frame.current?.querySelector<HTMLElement>(`[data-box="${Math.max(place, 0)}"]`)?.focus();
  }, []);
  const near = useMemo(() => new Set(found.ribbons.filter(({ from, to }) => from === lit || to === lit).flatMap(({ from, to }) => [from, to])), [found, lit]);
  const enter = (box: MapBox) => {
    if (warehouse.groups[box.groups[0]].jobs.length) setView({ selected: view.selected === READERS ? "" : READERS, mark: "" });
    else if (box.groups.length > 1) setOpen(new Set([...open, box.lane]));
    else {
      wishFocus();
      lastZoom = warehouse.groups[box.groups[0]].name;
      setView({ zoom: warehouse.groups[box.groups[0]].name, selected: "" }, true);
    }
  };
  const press = (event: React.KeyboardEvent) => {
    const at = Number((event.target as HTMLElement).dataset.box ?? -1);
    if (at < 0 || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = step(found.boxes, found.ribbons, at, event.key);
    if (next >= 0) frame.current?.querySelector<HTMLElement>(`[data-box="${next}"]`)?.focus();
  };
  return (
    <div className="map" ref={frame} onKeyDown={press}>
      {warehouse.groups.length === 0 && <p className="none">No dataset to draw.</p>}
      <div className={narrow ? "lanes narrow" : "lanes"} style={narrow ? undefined : { width: found.width, height: found.height }}>
        {!narrow && (
          <svg className={lit >= 0 ? "ribbons lit" : "ribbons"} width={found.width} height={found.height} aria-hidden="true">
            {found.ribbons.map((ribbon) => {
              const name = ribbonName(warehouse, found.boxes, ribbon);
              return (
                <path
                  key={name}
                  className={`ribbon${ribbon.back ? " back" : ""}${lit === ribbon.from || lit === ribbon.to || view.selected === name ? " on" : ""}`}
                  d={ribbon.path}
                  onClick={() => setView({ selected: view.selected === name ? "" : name, mark: "" })}
                >
                  <title>{ribbonTitle(name, ribbon)}</title>
                </path>
              );
            })}
          </svg>
        )}
        {found.lanes.map(({ title, x, width }, lane) => (
          <section key={title} className="lane" aria-label={title}>
            <h3 style={narrow ? undefined : { left: x, width }}>{title}</h3>
            {found.boxes.map(
              (box, place) =>
                box.lane === lane && (
                  <BoxButton
                    key={box.groups.join(" ")}
                    box={box}
                    place={place}
                    narrow={narrow}
                    warehouse={warehouse}
                    night={night}
                    counts={counts}
                    aside={lit >= 0 && lit !== place && !near.has(place)}
                    mark={view.mark}
                    enter={() => enter(box)}
                    light={(on) => setLit(on ? place : -1)}
                  />
                ),
            )}
          </section>
        ))}
      </div>
      <MapLegend hidden={warehouse.hidden} />
    </div>
  );
}

interface BoxProps extends Props {
  box: MapBox;
  place: number;
  narrow: boolean;
  counts: [State, number][][];
  aside: boolean;
  mark: string;
  enter: () => void;
  light: (on: boolean) => void;
}

function BoxButton({ box, place, narrow, warehouse, night, counts, aside, mark, enter, light }: BoxProps) {
  const { model } = useStore();
  const groups = box.groups.map((group) => warehouse.groups[group]);
  const several = groups.length > 1;
  const datasets = useMemo(() => sorted(groups.flatMap((group) => group.datasets), night), [warehouse, box.groups.join(" "), night]);
  const marks = MARKS.map((state) => [state, box.groups.reduce((sum, group) => sum + (counts[group].find(([each]) => each === state)?.[1] ?? 0), 0)] as const);
  const label = several ? `${number(groups.length)} more` : groups[0].label;
  const [tip, setTip] = useState("");
  const under = (event: React.PointerEvent<HTMLElement>): number => {
    const area = event.currentTarget.querySelector(".waffle")?.getBoundingClientRect();
    if (!area) return -1;
    const [column, row] = [Math.floor((event.clientX - area.left) / box.cell), Math.floor((event.clientY - area.top) / box.cell)];
    return column < 0 || row < 0 || column >= box.perRow ? -1 : (datasets[row * box.perRow + column] ?? -1);
  };
  const words = marks.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state === "gap" ? "with gaps" : state}`);
  return (
    <button
      type="button"
      className={`group-box${aside ? " aside" : ""}`}
      style={narrow ? undefined : { left: box.x, top: box.y, width: box.width, height: box.height }}
      data-box={place}
      title={tip || (several ? groups.map(({ label: each }) => visible(each)).join("\n") : visible(groups[0].name))}
      onClick={enter}
      onPointerMove={(event) => {
        const dataset = under(event);
        setTip(dataset < 0 ? "" : `${visible(model.datasetName(dataset))}: ${night.state[dataset]}`);
      }}
      onPointerEnter={() => light(true)}
      onPointerLeave={() => light(false)}
      onFocus={() => light(true)}
      onBlur={() => light(false)}
      onDoubleClick={(event) => {
        const dataset = under(event as unknown as React.PointerEvent<HTMLElement>);
        if (dataset >= 0) focusOn(model.datasetName(dataset));
      }}
    >
      <span className="head" style={{ height: HEAD - 8 }}>
        <KindIcon kind={several ? "groups" : groups[0].kind} />
        <span className="words">
          <bdi>{visible(narrow ? label : cut(label, box.width - 58))}</bdi>
          <small>
            {groups[0].jobs.length ? plural(groups[0].jobs.length, "job") : several ? `groups, ${plural(datasets.length, "dataset")}` : plural(datasets.length, "dataset")}
          </small>
        </span>
      </span>
      <Waffle datasets={datasets} night={night} cell={box.cell} perRow={box.perRow} mark={mark} />
      {words.length > 0 && (
        <span className="counts">
          {marks.map(
            ([state, count]) =>
              count > 0 && (
                <span key={state} className={state}>
                  <Sign state={state} />
                  {number(count)}
                  <span className="visually-hidden"> {state === "gap" ? "with gaps" : state}</span>
                </span>
              ),
          )}
        </span>
      )}
    </button>
  );
}

/** The end of a path tells more than its beginning. The letters are bold: some are wider by a pixel. */
function cut(label: string, room: number): string {
  return fitted(label, room, 14, isPath(label) ? tail : middle);
}

/** Datasets with something to see first, then by name. */
function sorted(datasets: number[], night: Props["night"]): number[] {
  const rank = (dataset: number) => [...MARKS, "written", "quiet"].indexOf(night.state[dataset]);
  return [...datasets].sort((a, b) => rank(a) - rank(b) || a - b);
}

function stateCounts(group: Group, marked: Props["night"]["marked"]): [State, number][] {
  return MARKS.map((state): [State, number] => [state, group.datasets.filter((dataset) => marked[state].has(dataset)).length]).filter(([, count]) => count > 0);
}

/** Two boxes' names with `=>` between them: what the address calls a ribbon. */
function ribbonName({ groups }: Warehouse, boxes: MapBox[], { from, to }: MapRibbon): string {
  const name = (place: number) => groups[boxes[place].groups[0]].name;
  return `${name(from)} => ${name(to)}`;
}

function ribbonTitle(name: string, { ribbons }: MapRibbon): string {
  const sum = (of: (each: MapRibbon["ribbons"][0]) => number) => ribbons.reduce((total, each) => total + of(each), 0);
  const bytes = sum((each) => each.bytes);
  if (name.endsWith(` => ${READERS}`)) return visible(`${name.replace(" => ", " → ")}\n${plural(sum((each) => each.edges), "read")} by jobs that write nothing`);
  return visible(
    `${name.replace(" => ", " → ")}\n${plural(sum((each) => each.pairs.length), "pair")} of datasets, ${plural(sum((each) => each.edges), "edge")}${bytes ? `, ${size(bytes)} read` : ""}`,
  );
}

/** The box above or below in the lane; or the one at the other end of the thickest ribbon. */
function step(boxes: MapBox[], ribbons: MapRibbon[], at: number, key: string): number {
  if (key === "ArrowUp" || key === "ArrowDown") {
    const lane = boxes.map((box, place) => ({ box, place })).filter(({ box }) => box.lane === boxes[at].lane);
    lane.sort((a, b) => a.box.y - b.box.y);
    const place = lane.findIndex((each) => each.place === at);
    return lane[place + (key === "ArrowDown" ? 1 : -1)]?.place ?? -1;
  }
  const forward = key === "ArrowRight";
  const ends = ribbons.filter(({ from, to }) => (forward ? from : to) === at).sort((a, b) => b.width - a.width);
  const next = ends.map(({ from, to }) => (forward ? to : from)).filter((place) => forward === boxes[place].lane > boxes[at].lane);
  if (next.length) return next[0];
  const side = boxes.map((box, place) => ({ box, place })).filter(({ box }) => (forward ? box.lane > boxes[at].lane : box.lane < boxes[at].lane));
  side.sort((a, b) => Math.abs(a.box.lane - boxes[at].lane) - Math.abs(b.box.lane - boxes[at].lane) || Math.abs(a.box.y - boxes[at].y) - Math.abs(b.box.y - boxes[at].y));
  return side[0]?.place ?? -1;
}

export function useWidth(frame: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(() => window.innerWidth);
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    const observer = new ResizeObserver(() => setWidth(box.clientWidth));
    observer.observe(box);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}
