import { useMemo } from "react";
import { DIRECT, INDIRECT } from "../data/model";
import { isPath, middle, number, shortName, visible } from "../data/text";
import type { Picture } from "../graph/picture";
import { toCsv, toSvg } from "../graph/svg";
import { type Filter } from "../graph/trace";
import { download, fileName, svgToPng } from "../view/download";
import { setPanes, usePanes } from "../view/panes";
import { focusOn, MOST_HOPS, setView, useView } from "../view/state";
import { expressionOf, type Store, useStore } from "../view/store";
import { colour } from "../view/theme";

export function Toolbar({ picture }: { picture: Picture }) {
  const store = useStore();
  const { model } = store;
  const view = useView();
  const panes = usePanes();
  const { focus } = picture;
  const name = model.fullName(focus);
  const title = `${name} · ${store.about.harvested_at}`;
  const svg = () =>
    toSvg(
      model,
      picture,
      {
        ground: colour("ground"),
        card: colour("surface"),
        border: colour("border"),
        text: colour("text"),
        muted: colour("muted"),
        line: colour("line"),
        accent: colour("accent"),
        masked: colour("masked"),
        opaque: colour("opaque"),
      },
      title,
    );
  const job = model.isJob(focus);
  const level = job || view.jobs ? "jobs" : view.columns ? "columns" : "tables";
  return (
    <div className="toolbar">
      <button
        type="button"
        className="pane-toggle"
        aria-label={panes.list ? "Hide the list of datasets" : "Show the list of datasets"}
        title={panes.list ? "Hide the list of datasets" : "Show the list of datasets"}
        onClick={() => setPanes({ list: !panes.list })}
      >
        ☰
      </button>
      <Crumbs focus={focus} />
      <div className="both-hops">
        <Hops label="Hops upstream" value={view.up} set={(up) => setView({ up })} arrow="◀" />
        <Hops label="Hops downstream" value={view.down} set={(down) => setView({ down })} arrow="▶" />
      </div>
      <fieldset className="switches" disabled={level === "jobs"}>
        <legend className="visually-hidden">What is shown</legend>
        <Switch label="direct" title="What values are derived from" on={view.direct} set={(direct) => setView({ direct })} />
        <Switch
          label="indirect"
          title="Columns used in filters, joins, grouping, ordering or conditions"
          on={view.indirect}
          set={(indirect) => setView({ indirect })}
        />
        <Switch label="past" title="Lineage that no longer holds" on={view.past} set={(past) => setView({ past })} />
      </fieldset>
      <div className="levels" role="group" aria-label="Cards">
        {LEVELS.map(([each, what, change]) => (
          <button
            key={each}
            type="button"
            aria-pressed={level === each}
            disabled={job && each !== "jobs"}
            title={what}
            onClick={() => setView({ ...change, cards: {} })}
          >
            {each}
          </button>
        ))}
      </div>
      <div className="buttons">
        <button type="button" aria-pressed={view.table} onClick={() => setView({ table: !view.table })} title="Graph or table (t)">
          {view.table ? "Graph" : "Table"}
        </button>
        <details className="menu">
          <summary>Save</summary>
          <div>
            <button type="button" onClick={() => download(fileName(name, "csv"), "text/csv", edgesCsv(store, picture, view.at, view.past))}>
              CSV
            </button>
            <button type="button" onClick={() => download(fileName(name, "svg"), "image/svg+xml", svg())}>
              SVG
            </button>
            <button type="button" onClick={() => svgToPng(svg()).then((png) => download(fileName(name, "png"), "image/png", png))}>
              PNG
            </button>
          </div>
        </details>
        <button
          type="button"
          className="pane-toggle"
          aria-label={panes.facts ? "Hide the facts" : "Show the facts"}
          title={panes.facts ? "Hide the facts" : "Show the facts"}
          onClick={() => setPanes({ facts: !panes.facts })}
        >
          ◨
        </button>
      </div>
    </div>
  );
}

const LEVELS: ["columns" | "tables" | "jobs", string, { columns: boolean; jobs: boolean }][] = [
  ["columns", "Columns in the cards", { columns: true, jobs: false }],
  ["tables", "A graph of datasets", { columns: false, jobs: false }],
  ["jobs", "Jobs as cards between the datasets", { columns: true, jobs: true }],
];

/** Where the focus is: the map, the group, the dataset, the column. */
function Crumbs({ focus }: { focus: number }) {
  const { model } = useStore();
  const name = model.datasetName(focus);
  const { leaf, group } = shortName(name);
  const inGroup = !isPath(name) && !model.isJob(focus);
  return (
    <nav className="crumbs" aria-label="Place">
      <button type="button" className="link" onClick={() => setView({ tab: "map", zoom: "", selected: "" }, true)}>
        Map
      </button>
      {group && !model.isJob(focus) && (
        <>
          <span aria-hidden="true">›</span>
          {inGroup ? (
            <button type="button" className="link" onClick={() => setView({ tab: "map", zoom: group, selected: "" }, true)}>
              <bdi>{visible(middle(group, 26))}</bdi>
            </button>
          ) : (
            <bdi className="none" title={visible(group)}>
              {visible(middle(group, 26))}
            </bdi>
          )}
        </>
      )}
      <span aria-hidden="true">›</span>
      {model.columnOf(focus) ? (
        <>
          <button type="button" className="link" onClick={() => focusOn(name)}>
            <bdi>{visible(leaf)}</bdi>
          </button>
          <span aria-hidden="true">›</span>
          <h2>
            <bdi>{visible(model.columnOf(focus))}</bdi>
          </h2>
        </>
      ) : (
        <h2 title={visible(name)}>
          <bdi>{visible(model.isJob(focus) ? model.jobName(focus) : leaf)}</bdi>
        </h2>
      )}
    </nav>
  );
}

function Hops({ label, value, set, arrow }: { label: string; value: number; set: (value: number) => void; arrow: string }) {
  return (
    <div className="hops" role="group" aria-label={label} title={label}>
      {arrow === "◀" && <span aria-hidden="true">{arrow}</span>}
      <button type="button" aria-label={`${label}: fewer`} disabled={value <= 0} onClick={() => set(value - 1)}>
        −
      </button>
      <output aria-label={label}>{value}</output>
      <button type="button" aria-label={`${label}: more`} disabled={value >= MOST_HOPS} onClick={() => set(value + 1)}>
        +
      </button>
      {arrow === "▶" && <span aria-hidden="true">{arrow}</span>}
    </div>
  );
}

function Switch({ label, title, on, set }: { label: string; title: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label title={title}>
      <input type="checkbox" checked={on} onChange={(event) => set(event.target.checked)} />
      {label}
    </label>
  );
}

/** How many edges are drawn, of all that these columns have. */
export function Drawn({ picture, filter }: { picture: Picture; filter: Filter }) {
  const store = useStore();
  const whole = useMemo(() => around(store, picture, filter), [store, picture, filter]);
  return (
    <span className="drawn" title="Lines that are drawn, and edges of these columns in the page">
      {picture.lines.some((line) => line.links.length > 0) && `${number(picture.linksDrawn)} of ${number(whole)} edges`}
    </span>
  );
}

/** All edges of the columns that are drawn, whatever their kind: what the picture could show at most with these cards. */
function around({ model }: Store, { cards, linksDrawn }: Picture, filter: Filter): number {
  const found = new Set<number>();
  for (const card of cards)
    for (const node of [card.dataset, ...card.rows.map((row) => row.node)])
      for (const link of [...model.linksIn(node), ...model.linksOut(node)]) if (filter.holding[link]) found.add(link);
  return Math.max(found.size, linksDrawn);
}

export function edgesCsv(store: Store, picture: Picture, at: number | null, past: boolean): string {
  const { model } = store;
  const names = ["source_dataset", "source_column", "target_dataset", "target_column", "dependency", "transformation"];
  const rows: (string | number | boolean | null)[][] = [[...names, "masking", "confidence", "expression", "job"]];
  const links = new Set(picture.lines.flatMap((line) => line.links));
  for (const link of links)
    for (const edge of model.edgesOf(link))
      if (model.holds(edge, { at, past }))
        rows.push([
          model.datasetName(edge.source),
          model.columnOf(edge.source),
          model.datasetName(edge.target),
          model.columnOf(edge.target),
          edge.dependency === DIRECT ? "DIRECT" : edge.dependency === INDIRECT ? "INDIRECT" : "",
          edge.transformation,
          edge.masking,
          edge.confidence,
          expressionOf(store, edge, at),
          edge.job,
        ]);
  return toCsv(rows);
}
