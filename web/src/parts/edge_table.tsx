import { useDeferredValue, useMemo } from "react";
import { DIRECT, type Edge, INDIRECT, type Moment } from "../data/model";
import { friendly, visible } from "../data/text";
import type { Picture } from "../graph/picture";
import { focusOn, setView, useView } from "../view/state";
import { expressionOf, type Store, useStore } from "../view/store";
import { Grid, type GridColumn } from "./grid";

interface Row {
  edge: Edge;
  source: string;
  target: string;
  kind: string;
  expression: string;
  text: string;
}

export function EdgeTable({ picture, moment }: { picture: Picture; moment: Moment }) {
  const store = useStore();
  const view = useView();
  const filter = useDeferredValue(view.filter.toLowerCase());
  const rows = useMemo(() => rowsOf(store, picture, moment), [store, picture, moment.at, moment.past]);
  const shown = useMemo(() => (filter ? rows.filter((row) => row.text.includes(filter)) : rows), [rows, filter]);
  return (
    <div className="edge-table">
      <p className="grid-tools">
        <input
          type="search"
          aria-label="Filter the edges"
          placeholder="Filter edges"
          value={view.filter}
          onChange={(event) => setView({ filter: event.target.value })}
        />
        <span role="status">
          {shown.length.toLocaleString("en-US")} of {rows.length.toLocaleString("en-US")} edges
        </span>
      </p>
      <Grid label="Edges" columns={COLUMNS} rows={shown} empty="No edge on the way." />
    </div>
  );
}

function rowsOf(store: Store, picture: Picture, moment: Moment): Row[] {
  const { model } = store;
  const links = new Set(picture.lines.flatMap((line) => line.links));
  const rows: Row[] = [];
  for (const link of links)
    for (const edge of model.edgesOf(link)) {
      if (!model.holds(edge, moment)) continue;
      const [source, target] = [model.fullName(edge.source), model.fullName(edge.target)];
      const kind = edge.dependency === DIRECT || edge.dependency === INDIRECT ? edge.transformation : "TABLE";
      const expression = expressionOf(store, edge, moment.at);
      rows.push({ edge, source, target, kind, expression, text: `${source} ${target} ${kind} ${expression} ${edge.job}`.toLowerCase() });
    }
  return rows;
}

export function NameLink({ name, short = true }: { name: string; short?: boolean }) {
  return (
    <button type="button" className="link" title={visible(name)} onClick={() => focusOn(name)}>
      <bdi>{visible(short ? friendly(name) : name.replace(/^job:/, ""))}</bdi>
    </button>
  );
}

const COLUMNS: GridColumn<Row>[] = [
  { name: "source", label: "source", value: (row) => row.source, show: (row) => <NameLink name={row.source} />, width: "minmax(140px, 2fr)", layout: "long" },
  { name: "target", label: "target", value: (row) => row.target, show: (row) => <NameLink name={row.target} />, width: "minmax(140px, 2fr)", layout: "long" },
  {
    name: "kind",
    label: "kind",
    value: (row) => row.kind,
    show: (row) => (
      <>
        <span className={`dependency ${row.edge.dependency === DIRECT ? "direct" : "indirect"}`}>{row.kind}</span>
        {row.edge.masking && <span className="masked-sign"> ◆</span>}
        {row.edge.confidence !== "exact" && <span className="badge">{row.edge.confidence}</span>}
      </>
    ),
    width: "132px",
  },
  {
    name: "expression",
    label: "expression",
    value: (row) => row.expression,
    show: (row) => <code title={visible(row.expression)}>{visible(row.expression)}</code>,
    width: "minmax(180px, 3fr)",
    layout: "long",
  },
  { name: "job", label: "job", value: (row) => row.edge.job, show: (row) => <NameLink name={`job:${row.edge.job}`} short={false} />, width: "minmax(100px, 1.5fr)", layout: "long" },
];
