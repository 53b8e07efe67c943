import type { Node, NodeProps } from "@xyflow/react";
import { memo } from "react";
import { CARD_WIDTH } from "../graph/layout";
import type { Marks } from "../graph/marks";
import type { Card as CardFacts, Row } from "../graph/picture";
import type { Declared, Run } from "../data/facts";
import { isExposure, isPath, middle, plural, shortName, span, visible } from "../data/text";
import { fitted, widthOf } from "../view/fitted";
import { useLitNodes } from "../view/lit";
import { focusOn, setView, useView } from "../view/state";
import { type Store, useStore } from "../view/store";
import { KindIcon } from "./icons";
import { closeCard, toggleCard } from "./close";

export type CardNode = Node<{ card: CardFacts; focus: number; cursor: number; marks: Marks }, "card">;

const SIGNS = { added: "+", removed: "−", changed: "~" };

export const Card = memo(function Card(props: NodeProps<CardNode>) {
  const { model } = useStore();
  const { card } = props.data;
  if (card.bunch.length) return <Bunch {...props} />;
  return model.isJob(card.dataset) ? <JobCard {...props} /> : <DatasetCard {...props} />;
});

/** Datasets that are alike for the picture: opened, they are drawn one by one. */
function Bunch({ data: { card, cursor } }: NodeProps<CardNode>) {
  const { model } = useStore();
  const { spread } = useView();
  const lit = useLitNodes([card.dataset]) !== "";
  const count = card.bunch.length;
  const job = model.isJob(card.dataset);
  const names = card.bunch.map((node) => visible(job ? model.jobName(node) : shortName(model.datasetName(node)).leaf));
  const paths = !job && card.bunch.every((dataset) => isPath(model.datasetName(dataset)));
  const what = job ? "jobs" : card.beside?.sources ? "sources" : paths ? "exports" : "uses";
  return (
    <section className="card bunch folded" aria-label={`${count} ${what}`}>
      <header className={lit ? "lit" : ""}>
        <span className="stack" aria-hidden="true">
          ⧉
        </span>
        <button
          type="button"
          className="name"
          data-node={card.dataset}
          tabIndex={cursor === card.dataset ? 0 : -1}
          title={names.slice(0, 40).join("\n")}
          onClick={() => card.beside && setView({ spread: [...spread, model.datasetName(card.beside.neighbour)] })}
        >
          <bdi>
            {count} {what}
          </bdi>
          <small>{names.slice(0, 3).join(", ")} …</small>
        </button>
      </header>
    </section>
  );
}

function JobCard({ data: { card, focus, cursor } }: NodeProps<CardNode>) {
  const { model, facts } = useStore();
  const name = model.jobName(card.dataset);
  const job = facts.job(name);
  const lit = useLitNodes([card.dataset]) !== "";
  const failed = job?.status === "failed";
  return (
    <section className={`card job folded${focus === card.dataset ? " home" : ""}${failed ? " failed" : ""}`} aria-label={visible(`job ${name}`)}>
      <header className={lit ? "lit" : ""}>
        <KindIcon kind="job" />
        <button
          type="button"
          className="name"
          data-node={card.dataset}
          tabIndex={cursor === card.dataset || (cursor < 0 && focus === card.dataset) ? 0 : -1}
          title={visible(name)}
          onClick={() => focusOn(`job:${name}`)}
        >
          <bdi>{visible(name.replace(/^[^:]*: /, ""))}</bdi>
          <small>
            <bdi>{visible(/^([^:]*): /.exec(name)?.[1] ?? "job")}</bdi>
          </small>
        </button>
        {failed && <span className="badge failed">✕ failed</span>}
      </header>
      <p className="job-line">
        {job && (
          <>
            {plural(job.runs, "run")}
            {job.seconds !== null && ` · ${span(job.seconds)}`}
          </>
        )}
        <Spark runs={facts.runsOf(name)} />
      </p>
    </section>
  );
}

const BARS = 16;

/** The durations of the last runs. */
function Spark({ runs }: { runs: Run[] }) {
  const last = runs.slice(-BARS);
  const most = Math.max(...last.map((run) => run.seconds ?? 0), 0.001);
  return (
    <svg className="spark" width={BARS * 5} height="16" aria-hidden="true">
      {last.map((run, place) => {
        const height = Math.max(((run.seconds ?? 0) / most) * 15, 2);
        return <rect key={run.at + run.app} className={run.status} x={(BARS - last.length + place) * 5} y={16 - height} width="4" height={height} />;
      })}
    </svg>
  );
}

/** What a card's name has, and what a column's name and type share, in pixels. */
const NAME_ROOM = CARD_WIDTH - 66;
const ROW_ROOM = CARD_WIDTH - 82;
const TYPE_ROOM = 44;

const DatasetCard = memo(function DatasetCard({ data }: NodeProps<CardNode>) {
  const { card, focus, cursor, marks } = data;
  const store = useStore();
  const { at } = useView();
  const { model, facts } = store;
  const lit = new Set(useLitNodes([card.dataset, ...card.rows.map((row) => row.node), -1 - card.dataset]).split(","));
  const name = model.datasetName(card.dataset);
  const { leaf } = shortName(name);
  const gaps = facts.gapsOf(card.dataset).length;
  const home = model.datasetOf(focus) === card.dataset;
  const failed = facts.writes.get(card.dataset)?.status === "failed";
  const mark = marks.nodes.get(card.dataset);
  const [outsideIn, outsideOut] = model.outsideOf(card.dataset);
  const room = NAME_ROOM - (mark ? 20 : 0) - (failed ? 30 : 0) - (gaps ? 42 : 0) - (outsideIn + outsideOut ? 30 : 0);
  return (
    <section
      className={`card${home ? " home" : ""}${card.rows.length ? "" : " folded"}`}
      aria-label={visible(name)}
      onDoubleClick={(event) => {
        event.stopPropagation();
        toggleCard(name, card.state);
      }}
    >
      <header className={lit.has(String(card.dataset)) ? "lit" : ""}>
        <KindIcon kind={model.datasets.kind[card.dataset]} />
        <button
          type="button"
          className="name"
          data-node={card.dataset}
          tabIndex={cursor === card.dataset || (cursor < 0 && focus === card.dataset) ? 0 : -1}
          title={visible(name)}
          aria-description={cardWords(store, card)}
          onClick={() => focusOn(name)}
        >
          <bdi>{visible(leaf)}</bdi>
          <small>
            <bdi>{fitted(isExposure(name) ? visible(exposureWords(facts.declaredOf(card.dataset))) : visible(card.group) || model.datasets.kind[card.dataset], room, 12, middle)}</bdi>
          </small>
        </button>
        {mark && <span className={`mark ${mark}`}>{SIGNS[mark]}</span>}
        {failed && (
          <span className="badge failed" title={`The last write failed: ${visible(facts.writes.get(card.dataset)?.error ?? "")}`}>
            ✕
          </span>
        )}
        {gaps > 0 && (
          <span className="badge gap" title={`${plural(gaps, "gap")}: some of its lineage could not be resolved`}>
            gap
          </span>
        )}
        {outsideIn + outsideOut > 0 && (
          <span className="badge" title={`${plural(outsideIn + outsideOut, "edge")} to datasets that are not in this page`}>
            …
          </span>
        )}
        <button
          type="button"
          className="fold"
          tabIndex={-1}
          aria-label={`${card.state === "closed" ? "Show" : "Hide"} columns of ${visible(name)}`}
          title={card.state === "closed" ? "Show columns" : "Hide columns"}
          onClick={() => closeCard(name, card.state)}
        >
          {card.state === "closed" ? "▸" : "▾"}
        </button>
      </header>
      {card.rows.map((row) => (
        <ColumnRow
          key={row.node}
          row={row}
          focus={focus}
          cursor={cursor}
          type={store.past.typeAt(row.node, at)}
          name={model.columnOf(row.node)}
          mark={marks.nodes.get(row.node)}
          lit={lit.has(String(row.node))}
          gone={!store.past.existsAt(row.node, at)}
          open={() => focusOn(model.fullName(row.node))}
        />
      ))}
      {card.more > 0 && card.state !== "closed" && (
        <button
          type="button"
          className={`more${lit.has(String(-1 - card.dataset)) ? " lit" : ""}`}
          tabIndex={-1}
          onClick={() => toggleCard(name, card.state)}
          title="Show all columns"
        >
          + {card.more.toLocaleString("en-US")} more
          {card.moreTakingPart > 0 && <span> ({card.moreTakingPart.toLocaleString("en-US")} on the way)</span>}
        </button>
      )}
    </section>
  );
});

interface RowProps {
  row: Row;
  focus: number;
  cursor: number;
  name: string;
  type: string;
  mark: "added" | "removed" | "changed" | undefined;
  lit: boolean;
  gone: boolean;
  open: () => void;
}

function ColumnRow({ row, focus, cursor, name, type, mark, lit, gone, open }: RowProps) {
  const classes = ["row"];
  if (row.node === focus) classes.push("focus");
  if (row.node === cursor) classes.push("cursor");
  if (!row.takesPart) classes.push("aside");
  if (row.masked) classes.push("masked");
  if (gone) classes.push("gone");
  if (lit) classes.push("lit");
  const room = ROW_ROOM - (mark ? 19 : 0) - (row.masked ? 17 : 0);
  const [whole, shownType] = [visible(name), visible(type)];
  const shown = fitted(whole, room - Math.min(widthOf(shownType, 12), TYPE_ROOM), 13);
  return (
    <button
      type="button"
      className={classes.join(" ")}
      data-node={row.node}
      tabIndex={cursor === row.node || (cursor < 0 && focus === row.node) ? 0 : -1}
      title={type ? `${visible(name)}: ${type}` : visible(name)}
      onClick={open}
    >
      <span className="ends" title="Lines into it: drawn / all">
        {row.totalIn > 0 && `${row.drawnIn}/${row.totalIn}`}
      </span>
      {mark && <span className={`mark ${mark}`}>{SIGNS[mark]}</span>}
      <bdi className="column">{shown}</bdi>
      {row.masked && (
        <span className="masked-sign" role="img" aria-label="masked on every path">
          ◆
        </span>
      )}
      <span className="type">{fitted(shownType, room - widthOf(shown, 13), 12)}</span>
      <span className="ends" title="Lines out of it: drawn / all">
        {row.totalOut > 0 && `${row.drawnOut}/${row.totalOut}`}
      </span>
    </button>
  );
}

/** What an exposure is, and whose. */
function exposureWords(declared: Declared | undefined): string {
  return [declared?.type || "exposure", declared?.owner].filter(Boolean).join(" · ");
}

function cardWords({ facts }: Store, card: CardFacts): string {
  const gaps = facts.gapsOf(card.dataset).length;
  return `${plural(card.rows.length, "column")} shown, ${card.more} more${gaps ? `, ${plural(gaps, "gap")}` : ""}`;
}
