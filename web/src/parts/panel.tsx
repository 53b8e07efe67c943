import { useDeferredValue, useMemo } from "react";
import type { Cell, Panel } from "../data/blocks";
import { number, plural, size, span, time, visible } from "../data/text";
import { toCsv } from "../graph/svg";
import { download, fileName } from "../view/download";
import { focusOn, setView, useView } from "../view/state";
import { type Store, useStore } from "../view/store";
import { Chart } from "./charts";
import { NameLink } from "./edge_table";
import { Grid, type GridColumn } from "./grid";
import { Tiles } from "./tiles";

interface Row {
  cells: Cell[];
}

const WIDTHS: Record<string, string> = {
  dataset: "minmax(170px, 2fr)",
  column: "minmax(110px, 1.3fr)",
  name: "minmax(200px, 3fr)",
  job: "minmax(150px, 2fr)",
  time: "132px",
  day: "96px",
  bytes: "92px",
  seconds: "100px",
  span: "104px",
  count: "100px",
  factor: "92px",
  list: "minmax(140px, 2fr)",
  code: "minmax(110px, 2fr)",
  text: "minmax(110px, 2fr)",
};

const LONG: Record<string, string> = {
  change: "minmax(124px, 1fr)",
  item: "minmax(124px, 1fr)",
  error: "minmax(240px, 4fr)",
  detail: "minmax(200px, 4fr)",
  hint: "minmax(220px, 4fr)",
  old_value: "minmax(130px, 2fr)",
  new_value: "minmax(130px, 2fr)",
};
const SHORT = new Set(["kind", "nature", "topic"]);
const NUMBERS = new Set(["bytes", "seconds", "span", "count", "factor"]);

export function PanelView({ panel }: { panel: Panel }) {
  const store = useStore();
  const view = useView();
  const filter = useDeferredValue(view.filter.toLowerCase());
  const rows = useMemo(() => panel.rows.map((cells): Row => ({ cells })), [panel]);
  const columns = useMemo(() => panel.columns.map((_, place) => columnOf(store, panel, place)), [store, panel]);
  const shown = useMemo(
    () => (filter ? rows.filter(({ cells }) => cells.some((cell) => plain(cell).toLowerCase().includes(filter))) : rows),
    [rows, filter],
  );
  const names = panel.columns.map((column) => column.name);
  return (
    <div className="panel">
      <header>
        <h2>{panel.question}</h2>
        <p>{panel.note}</p>
      </header>
      <Tiles panel={panel} />
      {rows.length > 0 && <Chart panel={panel} />}
      <div className="grid-tools">
        <input
          type="search"
          aria-label="Filter the rows"
          placeholder="Filter rows"
          value={view.filter}
          onChange={(event) => setView({ filter: event.target.value })}
        />
        <span role="status">
          {filter ? `${number(shown.length)} of ${plural(rows.length, "row")}` : plural(rows.length, "row")}
          {panel.total > rows.length && `; the store has ${number(panel.total)}, the page the first ${number(rows.length)}`}
        </span>
        <button
          type="button"
          onClick={() =>
            download(fileName(panel.name, "csv"), "text/csv", toCsv([names, ...shown.map(({ cells }) => cells.map((cell, place) => forCsv(cell, panel.columns[place].kind)))]))
          }
        >
          CSV
        </button>
      </div>
      <Grid label={panel.question} columns={columns} rows={shown} empty={EMPTY[panel.name] ?? "Nothing to show."} />
    </div>
  );
}

const EMPTY: Record<string, string> = {
  failures: "No job's last write failed.",
  late: "No dataset was written by three applications: there is no usual gap yet.",
  personal_data: "No column with the name of personal data arrives unmasked.",
  changes: "Nothing changed in the harvested time.",
  removable: "Everything that is written is read.",
};

function columnOf(store: Store, panel: Panel, place: number): GridColumn<Row> {
  const { name, kind } = panel.columns[place];
  return {
    name,
    label: name.replace(/_seconds$/, "").replace(/_/g, " "),
    value: ({ cells }) => (Array.isArray(cells[place]) ? plain(cells[place]) : (cells[place] as string | number | null)),
    show: ({ cells }) => show(store, panel, cells, place),
    width: LONG[name] ?? (SHORT.has(name) ? "minmax(90px, 0.8fr)" : WIDTHS[kind]),
    right: NUMBERS.has(kind),
    long: name in LONG || kind === "list" || kind === "job",
  };
}

function show(store: Store, panel: Panel, cells: Cell[], place: number) {
  const { name, kind } = panel.columns[place];
  const value = cells[place];
  if (value === null || value === undefined || value === "") return "";
  if (kind === "dataset") return <Known store={store} name={String(value)} />;
  if (kind === "column") return <Known store={store} name={`${datasetBefore(panel, cells, place)}.${value}`} text={String(value)} />;
  if (kind === "name") return cells[0] === "dataset" ? <Known store={store} name={String(value)} /> : <JobLink name={String(value)} />;
  if (kind === "job") return <JobLink name={String(value)} />;
  if (kind === "time") return time(value as number);
  if (kind === "bytes") return size(value as number);
  if (kind === "seconds") return span(value as number);
  if (kind === "span") return span(value as number);
  if (kind === "factor") return <Factor value={value as number} bad={name === "times_usual" ? 2 : 1.5} />;
  if (kind === "count") return <Count name={name} value={value as number} />;
  if (kind === "code") return <code title={visible(String(value))}>{visible(String(value))}</code>;
  const text = visible(plain(value));
  return <bdi title={text}>{text}</bdi>;
}

function datasetBefore(panel: Panel, cells: Cell[], place: number): string {
  for (let at = place - 1; at >= 0; at--) if (panel.columns[at].kind === "dataset") return String(cells[at]);
  return "";
}

function Known({ store, name, text }: { store: Store; name: string; text?: string }) {
  if (store.model.find(name) < 0) return <bdi title={visible(name)}>{visible(text ?? name)}</bdi>;
  if (text === undefined) return <NameLink name={name} />;
  return (
    <button type="button" className="link" title={visible(name)} onClick={() => focusOn(name)}>
      <bdi>{visible(text)}</bdi>
    </button>
  );
}

function JobLink({ name }: { name: string }) {
  return (
    <button type="button" className="link quiet" title={visible(name)} onClick={() => setView({ tab: "lineage", selected: `job:${name}` }, true)}>
      <bdi>{visible(name)}</bdi>
    </button>
  );
}

function Factor({ value, bad }: { value: number; bad: number }) {
  return <span className={value >= bad ? "bad" : ""}>{value >= bad ? "▲ " : ""}{number(value)}×</span>;
}

function Count({ name, value }: { name: string; value: number }) {
  const bad = value > 0 && (name === "failed" || name === "failures");
  return <span className={bad ? "bad" : ""}>{number(value)}</span>;
}

export function plain(cell: Cell): string {
  if (cell === null) return "";
  return Array.isArray(cell) ? cell.map(plain).join(", ") : String(cell);
}

function forCsv(cell: Cell, kind: string): string | number | boolean | null {
  if (kind === "time" && typeof cell === "number") return new Date(cell).toISOString();
  return Array.isArray(cell) ? plain(cell) : cell;
}
