import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { plural, visible } from "../data/text";
import { marksOf } from "../graph/marks";
import { flow } from "../graph/flow";
import { type CardState, type Line, type Picture, picture as draw } from "../graph/picture";
import { type Filter, trace } from "../graph/trace";
import { setPanes, usePanes } from "../view/panes";
import { setView, useView, type View } from "../view/state";
import { type Store, useStore } from "../view/store";
import { Canvas, lineName } from "./canvas";
import { Detail } from "./detail";
import { EdgeTable } from "./edge_table";
import { Sidebar } from "./sidebar";
import { Timeline } from "./timeline";
import { Drawn, Toolbar } from "./toolbar";

const MOST_CARDS = 300;

export function Lineage() {
  const store = useStore();
  const { model, past, facts } = store;
  const view = useView();
  const panes = usePanes();
  const wanted = useDeferredValue(view);
  const [all, setAll] = useState(false);
  const chosen = wanted.focus ? model.find(wanted.focus) : store.home();
  const focus = chosen >= 0 ? chosen : store.home();

  const marks = useMemo(() => marksOf(model, past, wanted.at, wanted.since), [model, past, wanted.at, wanted.since]);
  const filter = useMemo((): Filter => {
    const moment = { at: wanted.at, past: wanted.past };
    const holding = model.holding(moment);
    for (const [link, mark] of marks.links) if (mark === "removed") holding[link] = 1;
    return { direct: wanted.direct, indirect: wanted.indirect, holding, moment };
  }, [model, wanted.at, wanted.past, wanted.direct, wanted.indirect, marks]);
  const found = useMemo(() => trace(model, focus, filter, wanted.up, wanted.down), [model, focus, filter, wanted.up, wanted.down]);
  const picture = useMemo(() => {
    const mostCards = all ? Number.POSITIVE_INFINITY : MOST_CARDS;
    const spread = new Set(wanted.spread.map((name) => model.find(name)));
    if (wanted.jobs || model.isJob(focus)) return flow(model, facts, focus, { up: wanted.up, down: wanted.down, mostCards, spread });
    const states = new Map<number, CardState>();
    for (const [name, state] of Object.entries(wanted.cards)) {
      const dataset = model.find(name);
      if (dataset >= 0) states.set(dataset, state);
    }
    return draw(model, found, { filter, states, usual: wanted.columns ? "open" : "closed", spread, mostCards });
  }, [model, facts, focus, found, filter, wanted.cards, wanted.columns, wanted.jobs, wanted.spread, wanted.up, wanted.down, all]);

  useEffect(() => setAll(false), [focus]);
  useEffect(() => {
    document.title = `${visible(model.fullName(focus))} · Lineage`;
  }, [model, focus]);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key === "t" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) setView({ table: !view.table });
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [view.table]);

  const { cursor, line } = selection(store, view, picture);
  return (
    <div className={`lineage${panes.list ? "" : " no-list"}${panes.facts ? "" : " no-facts"}${panes.sheet ? ` sheet-${panes.sheet}` : ""}`} id="lineage">
      <Sidebar focus={focus} marks={marks} />
      <section className="middle" aria-label="Lineage">
        <Toolbar picture={picture} />
        {chosen < 0 && (
          <p className="notice" role="alert">
            The page has no dataset or column <bdi>{visible(wanted.focus)}</bdi>. It shows <bdi>{visible(model.fullName(focus))}</bdi>.
          </p>
        )}
        {picture.cardsLeftOut > 0 && (
          <p className="notice" role="status">
            The nearest {plural(picture.cards.length, "dataset")} are drawn; {picture.cardsLeftOut.toLocaleString("en-US")} more
            are within this many hops.
            <button type="button" onClick={() => setAll(true)}>
              Draw all
            </button>
            <button type="button" onClick={() => setView({ table: true })}>
              Show as table
            </button>
          </p>
        )}
        {view.table ? (
          <EdgeTable picture={picture} moment={{ at: wanted.at, past: wanted.past }} />
        ) : (
          <>
            <Canvas picture={picture} marks={marks} cursor={cursor} selectedLine={line?.id ?? ""} />
            {picture.lines.length === 0 && <Empty store={store} view={wanted} focus={focus} />}
          </>
        )}
        <Timeline focus={focus} marks={marks}>
          <Drawn picture={picture} filter={filter} />
        </Timeline>
        <p className="visually-hidden" role="status">
          {`${visible(model.fullName(focus))}: ${plural(picture.linksDrawn, "line")} between ${plural(picture.cards.length, "dataset")}`}
        </p>
      </section>
      <Detail focus={focus} picture={picture} line={line} />
      <nav className="sheets" aria-label="Sheets">
        {SHEETS.map(([sheet, label]) => (
          <button key={sheet} type="button" aria-pressed={panes.sheet === sheet} onClick={() => setPanes({ sheet })}>
            {label}
          </button>
        ))}
      </nav>
    </div>
  );
}

const SHEETS = [
  ["list", "Datasets"],
  ["", "Graph"],
  ["facts", "Details"],
] as const;

function selection(store: Store, view: View, picture: Picture): { cursor: number; line: Line | null } {
  const { selected } = view;
  if (!selected) return { cursor: -1, line: null };
  const line = selected.includes(" -> ")
    ? picture.lines.find((each) => lineName(store.model, each) === selected)
    : undefined;
  return { cursor: line ? -1 : store.model.find(selected), line: line ?? null };
}

/** Why there is nothing to draw. */
function Empty({ store, view, focus }: { store: Store; view: View; focus: number }) {
  const { model, facts } = store;
  if (view.jobs || model.isJob(focus)) return <NoJobs job={model.isJob(focus)} />;
  const nodes = model.isDataset(focus) ? [focus, ...model.columnsOf(focus)] : [focus, model.datasetOf(focus)];
  const links = nodes.flatMap((node) => [...model.linksIn(node), ...model.linksOut(node)]);
  const reasons: string[] = [];
  if (links.length === 0) reasons.push("No statement in the harvested logs makes it from another dataset or uses it for one.");
  else {
    const holding = model.holding({ at: view.at, past: view.past });
    if (!links.some((link) => holding[link]))
      reasons.push(
        view.at === null
          ? "Its lineage no longer holds. Turn on “past” to see it."
          : "It had no lineage at the chosen time. Move the time, or turn on “past”.",
      );
    else if (!view.indirect) reasons.push("It has INDIRECT edges only: it filters, joins or orders. Turn on “indirect”.");
    if (view.up === 0 && view.down === 0) reasons.push("The number of hops is 0 on both sides.");
  }
  const gaps = facts.gapsOf(model.datasetOf(focus));
  if (gaps.length) reasons.push(`${plural(gaps.length, "gap")}: a part of its lineage could not be resolved; see the facts on the right.`);
  if (model.outsideOf(model.datasetOf(focus)).some(Boolean)) reasons.push("Its neighbours are not in this page.");
  return (
    <div className="empty" role="status">
      <h2>No lines to draw</h2>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </div>
  );
}

function NoJobs({ job }: { job: boolean }) {
  return (
    <div className="empty" role="status">
      <h2>No lines to draw</h2>
      <p>{job ? "No statement of the job reads or writes a dataset." : "No job in the store reads or writes it."}</p>
    </div>
  );
}
