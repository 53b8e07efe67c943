import type { Node, NodeProps } from "@xyflow/react";
import { memo } from "react";
import type { Marks } from "../graph/marks";
import type { Card as CardFacts, Row } from "../graph/picture";
import { plural, shortName, visible } from "../data/text";
import { useLitNodes } from "../view/lit";
import { focusOn, useView } from "../view/state";
import { type Store, useStore } from "../view/store";
import { KindIcon } from "./icons";
import { closeCard, toggleCard } from "./close";

export type CardNode = Node<{ card: CardFacts; focus: number; cursor: number; marks: Marks }, "card">;

const SIGNS = { added: "+", removed: "−", changed: "~" };

export const Card = memo(function Card({ data }: NodeProps<CardNode>) {
  const { card, focus, cursor, marks } = data;
  const store = useStore();
  const { at } = useView();
  const { model, facts } = store;
  const lit = new Set(useLitNodes([card.dataset, ...card.rows.map((row) => row.node), -1 - card.dataset]).split(","));
  const name = model.datasetName(card.dataset);
  const { leaf, group } = shortName(name);
  const gaps = facts.gapsOf(card.dataset).length;
  const home = model.datasetOf(focus) === card.dataset;
  const mark = marks.nodes.get(card.dataset);
  const [outsideIn, outsideOut] = model.outsideOf(card.dataset);
  return (
    <section
      className={`card${home ? " home" : ""}`}
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
          aria-label={cardLabel(store, card)}
          title={visible(name)}
          onClick={() => focusOn(name)}
        >
          <bdi>{visible(leaf)}</bdi>
          <small>
            <bdi>{visible(group) || model.datasets.kind[card.dataset]}</bdi>
          </small>
        </button>
        {mark && <span className={`mark ${mark}`}>{SIGNS[mark]}</span>}
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
          label={rowLabel(store, row)}
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
  label: string;
  mark: "added" | "removed" | "changed" | undefined;
  lit: boolean;
  gone: boolean;
  open: () => void;
}

function ColumnRow({ row, focus, cursor, name, type, label, mark, lit, gone, open }: RowProps) {
  const classes = ["row"];
  if (row.node === focus) classes.push("focus");
  if (row.node === cursor) classes.push("cursor");
  if (!row.takesPart) classes.push("aside");
  if (row.masked) classes.push("masked");
  if (gone) classes.push("gone");
  if (lit) classes.push("lit");
  return (
    <button
      type="button"
      className={classes.join(" ")}
      data-node={row.node}
      tabIndex={cursor === row.node || (cursor < 0 && focus === row.node) ? 0 : -1}
      aria-label={label}
      title={type ? `${visible(name)}: ${type}` : visible(name)}
      onClick={open}
    >
      <span className="ends">{row.totalIn > 0 && `${row.drawnIn}/${row.totalIn}`}</span>
      {mark && <span className={`mark ${mark}`}>{SIGNS[mark]}</span>}
      <bdi className="column">{visible(name)}</bdi>
      {row.masked && <span className="masked-sign">◆</span>}
      <span className="type">{visible(type)}</span>
      <span className="ends">{row.totalOut > 0 && `${row.drawnOut}/${row.totalOut}`}</span>
    </button>
  );
}

function cardLabel({ model, facts }: Store, card: CardFacts): string {
  const gaps = facts.gapsOf(card.dataset).length;
  const parts = [visible(model.datasetName(card.dataset)), model.datasets.kind[card.dataset]];
  parts.push(`${plural(card.rows.length, "column")} shown, ${card.more} more`);
  if (gaps) parts.push(plural(gaps, "gap"));
  return parts.join(", ");
}

function rowLabel({ model, past }: Store, row: Row): string {
  const parts = [`column ${visible(model.columnOf(row.node))}`];
  const type = past.typeAt(row.node, null);
  if (type) parts.push(visible(type));
  parts.push(`${row.drawnIn} of ${row.totalIn} lines in, ${row.drawnOut} of ${row.totalOut} out`);
  if (row.masked) parts.push("masked on every way");
  return parts.join(", ");
}
