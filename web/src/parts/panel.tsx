import { useDeferredValue, useMemo } from "react";
import type { Cell, Panel } from "../data/blocks";
import { number, plural, size, span, time, visible } from "../data/text";
import { DAY, silentApplications } from "../graph/night";
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
  dataset: "minmax(150px, 2fr)",
  column: "minmax(110px, 1.3fr)",
  name: "minmax(200px, 3fr)",
  job: "minmax(140px, 2fr)",
  time: "132px",
  day: "96px",
  bytes: "92px",
  seconds: "100px",
  span: "100px",
  count: "84px",
  factor: "88px",
  list: "minmax(140px, 2fr)",
  jobs: "minmax(130px, 2fr)",
  error: "minmax(220px, 4fr)",
  code: "minmax(110px, 2fr)",
  text: "minmax(110px, 2fr)",
};

const LONG: Record<string, string> = {
  change: "minmax(124px, 1fr)",
  item: "minmax(124px, 1fr)",
  waiting_datasets: "108px",
  detail: "minmax(200px, 4fr)",
  hint: "minmax(220px, 4fr)",
  old_value: "minmax(130px, 2fr)",
  new_value: "minmax(130px, 2fr)",
};
const SHORT = new Set(["kind", "nature", "topic"]);
const WRAPPED = new Set(["list", "job", "name", "error"]);
const NUMBERS = new Set(["bytes", "seconds", "span", "count", "factor"]);

export function PanelView({ panel }: { panel: Panel }) {
  const store = useStore();
  const view = useView();
  const filter = useDeferredValue(view.filter.toLowerCase());
  const rows = useMemo(() => panel.rows.map((cells): Row => ({ cells })), [panel]);
  const columns = useMemo(() => panel.columns.map((_, place) => columnOf(store, panel, place)), [store, panel]);
  const shown = useMemo(
    () => (filter ? rows.filter(({ cells }) => cells.some((cell, place) => words(cell, panel.columns[place].kind).includes(filter))) : rows),
    [rows, filter, panel],
  );
  const names = panel.columns.map((column) => column.name);
  return (
    <div className="panel">
      <header>
        <h2>{panel.question}</h2>
        <p>{panel.note}</p>
      </header>
      <Tiles panel={panel} />
      {panel.name === "late" && <Quiet panel={panel} />}
      <div className={rows.length > 0 && panel.chart.kind !== undefined ? `panel-body ${panel.chart.kind}` : "panel-body whole"}>
      {rows.length > 0 && <Chart panel={panel} />}
      <div className="panel-table">
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
      </div>
    </div>
  );
}

/** Where no log came for long, of any application or of some, one line says it. */
function Quiet({ panel }: { panel: Panel }) {
  const { about, facts } = useStore();
  const { until, harvested } = about.night;
  const silent = useMemo(() => silentApplications(panel, facts.jobs, until ?? 0), [panel, facts, until]);
  if (until === null) return null;
  const quiet = harvested === null ? 0 : harvested - until;
  const datasets = silent.reduce((sum, each) => sum + each.datasets, 0);
  return (
    <>
      {quiet >= 1.5 * DAY && (
        <p className="stale" role="status">
          Nothing harvested since {time(until)}: the last harvest, {plural(Math.floor(quiet / DAY), "day")} later, found no newer log. What is late is counted up to then.
        </p>
      )}
      {silent.length > 0 && (
        <p className="stale" role="status">
          No log for over a day of {plural(silent.length, "application")} with {plural(datasets, "late dataset")}:{" "}
          {silent.slice(0, MOST_SILENT).map(({ name, last }) => visible(`${name} (last ${time(last)})`)).join(", ")}
          {silent.length > MOST_SILENT && ` and ${number(silent.length - MOST_SILENT)} more`}.
        </p>
      )}
    </>
  );
}

const MOST_SILENT = 3;

const LABELS: Record<string, string> = {
  usual_gap_seconds: "usually every",
  age_seconds: "since last write",
  times_usual: "× usual",
  executor_seconds: "executor time",
  cpu_seconds: "CPU time",
  seconds: "wall time",
  seconds_per_run: "per run",
  growth: "last / median",
  job_name: "job",
  column_name: "column",
  bytes_written: "written",
  bytes_read: "read",
  shuffle_bytes: "shuffled",
  spilled_bytes: "spilled",
  last_succeeded: "last good run",
  waiting_jobs: "jobs waiting",
  waiting_datasets: "datasets waiting",
  failed_next: "failed next",
};

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
    label: LABELS[name] ?? name.replace(/_/g, " "),
    value: ({ cells }) => (Array.isArray(cells[place]) ? plain(cells[place]) : (cells[place] as string | number | null)),
    show: ({ cells }) => show(store, panel, cells, place),
    width: LONG[name] ?? (SHORT.has(name) ? "minmax(90px, 0.8fr)" : WIDTHS[kind]),
    right: NUMBERS.has(kind),
    layout: kind === "jobs" ? "jobs" : name in LONG || WRAPPED.has(kind) ? "long" : "",
  };
}

function show(store: Store, panel: Panel, cells: Cell[], place: number) {
  const { name, kind } = panel.columns[place];
  const value = cells[place];
  if (value === null || value === undefined || value === "") return "";
  if (kind === "dataset") return <Known store={store} name={String(value)} />;
  if (kind === "column") return <Known store={store} name={`${datasetBefore(panel, cells, place)}.${value}`} text={String(value)} />;
  if (kind === "name") return cells[0] === "dataset" ? <Known store={store} name={String(value)} /> : <JobLink name={String(value)} />;
  if (kind === "jobs" && Array.isArray(value))
    return (
      <>
        {value.slice(0, MOST_JOBS).map((job) => (
          <JobLink key={String(job)} name={String(job)} />
        ))}
        {value.length > MOST_JOBS && <small title={value.slice(MOST_JOBS).map(String).join("\n")}>and {number(value.length - MOST_JOBS)} more</small>}
      </>
    );
  if (kind === "job") return <JobLink name={String(value)} />;
  if (kind === "time") return time(value as number);
  if (kind === "bytes") return size(value as number);
  if (kind === "seconds") return span(value as number);
  if (kind === "span") return span(value as number);
  if (kind === "factor") return <Factor value={value as number} bad={name === "times_usual" ? 2 : 1.5} />;
  if (kind === "count") return <Count name={name} value={value as number} />;
  if (kind === "code") return <code title={visible(String(value))}>{visible(String(value))}</code>;
  const text = visible(name === "change" ? plain(value).replace(/_/g, " ") : plain(value));
  return <bdi title={text}>{text}</bdi>;
}

const MOST_JOBS = 2;

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
    <button type="button" className="link" title={visible(name)} onClick={() => focusOn(`job:${name}`)}>
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

/** What a cell is found by: times as they are shown. */
function words(cell: Cell, kind: string): string {
  return kind === "time" && typeof cell === "number" ? time(cell) : plain(cell).toLowerCase();
}

export function plain(cell: Cell): string {
  if (cell === null) return "";
  return Array.isArray(cell) ? cell.map(plain).join(", ") : String(cell);
}

function forCsv(cell: Cell, kind: string): string | number | boolean | null {
  if (kind === "time" && typeof cell === "number") return new Date(cell).toISOString();
  return Array.isArray(cell) ? plain(cell) : cell;
}
