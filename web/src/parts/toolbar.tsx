import { DIRECT, INDIRECT } from "../data/model";
import { number, visible } from "../data/text";
import type { Marks } from "../graph/marks";
import type { Picture } from "../graph/picture";
import { toCsv, toSvg } from "../graph/svg";
import { type Filter } from "../graph/trace";
import { download, fileName, svgToPng } from "../view/download";
import { focusOn, MOST_HOPS, setView, useView } from "../view/state";
import { expressionOf, type Store, useStore } from "../view/store";
import { colour } from "../view/theme";
import { Timeline } from "./timeline";

export function Toolbar({ picture, marks, filter }: { picture: Picture; marks: Marks; filter: Filter }) {
  const store = useStore();
  const { model } = store;
  const view = useView();
  const { focus } = picture;
  const name = model.fullName(focus);
  const whole = around(store, picture, filter);
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
  return (
    <div className="toolbar">
      <div className="focus-line">
        <Hops label="Hops upstream" value={view.up} set={(up) => setView({ up })} arrow="◀" />
        <h2>
          {!model.isDataset(focus) && (
            <button type="button" className="link" onClick={() => focusOn(model.datasetName(focus))}>
              <bdi>{visible(model.datasetName(focus))}</bdi>
            </button>
          )}
          <bdi>{visible(model.isDataset(focus) ? name : `.${model.columnOf(focus)}`)}</bdi>
        </h2>
        <Hops label="Hops downstream" value={view.down} set={(down) => setView({ down })} arrow="▶" />
      </div>
      <div className="switches">
        <fieldset>
          <legend className="visually-hidden">What is shown</legend>
          <Switch label="direct" title="What values are made of" on={view.direct} set={(direct) => setView({ direct })} />
          <Switch
            label="indirect"
            title="What filters, joins, groups, orders or chooses"
            on={view.indirect}
            set={(indirect) => setView({ indirect })}
          />
          <Switch label="past" title="Lineage that no longer holds" on={view.past} set={(past) => setView({ past })} />
          <Switch
            label="columns"
            title="Columns in the cards; without them a graph of datasets"
            on={view.columns}
            set={(columns) => setView({ columns, cards: {} })}
          />
        </fieldset>
        <Timeline marks={marks} />
        <span className="drawn" title="Lines on the way that are drawn, and edges of these columns that are not">
          {number(picture.linksDrawn)} of {number(whole)} edges
        </span>
        <div className="buttons">
          <button type="button" aria-pressed={view.table} onClick={() => setView({ table: !view.table })} title="Graph or table (t)">
            {view.table ? "Graph" : "Table"}
          </button>
          {!view.table && (
            <button type="button" onClick={() => window.dispatchEvent(new Event("lineage-fit"))} title="Show everything (0)">
              Fit
            </button>
          )}
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
      </div>
    </div>
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
