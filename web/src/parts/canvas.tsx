import {
  Background,
  BackgroundVariant,
  Controls,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
  ViewportPortal,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { CARD_WIDTH } from "../graph/layout";
import type { Marks } from "../graph/marks";
import type { Line, Picture } from "../graph/picture";
import { NO_WAYS, waysOfLine, waysThrough } from "../graph/ways";
import { light, useAnyLit } from "../view/lit";
import { takeFocusWish, wishFocus } from "../view/keep_focus";
import { NARROW, showFacts } from "../view/panes";
import { focusOn, getView, setView } from "../view/state";
import { useStore } from "../view/store";
import { Card, type CardNode } from "./card";
import { toggleCard } from "./close";
import { moveCursor } from "./cursor";
import { LineTip } from "./line_tip";
import { CanvasLegend } from "./legend";
import { Lines, MANY_LINES } from "./lines";

const NODE_TYPES = { card: Card };
const NO_EDGES: never[] = [];
/** The smallest scale at which the smallest text of a card has 11 pixels. */
const READABLE = 0.92;
/** Below it cards are names alone; below the second one those without columns are boxes, below the third one all are. */
const FAR = 0.9;
const TINY = 0.28;
const DOTS = 0.17;
/** With more of them the ground has no dots: they would be drawn again for each frame of a move. */
const MANY_CARDS = 60;

interface Props {
  picture: Picture;
  marks: Marks;
  cursor: number;
  selectedLine: string;
}

export function Canvas({ picture, marks, cursor, selectedLine }: Props) {
  const { model } = useStore();
  const flow = useRef<ReactFlowInstance<CardNode> | null>(null);
  const frame = useRef<HTMLDivElement>(null);

  const nodes = useMemo(
    () =>
      picture.cards.map(
        (card): CardNode => ({
          id: String(card.dataset),
          type: "card",
          position: { x: card.x, y: card.y },
          style: { left: card.x, top: card.y },
          width: CARD_WIDTH,
          height: card.height,
          measured: { width: CARD_WIDTH, height: card.height },
          data: { card, focus: picture.focus, cursor, marks },
          focusable: false,
        }),
      ),
    [picture, cursor, marks],
  );
  const scale = useCallback((zoom: number) => {
    const box = frame.current;
    if (!box) return;
    box.style.setProperty("--unscaled", String(Math.min(1 / zoom, 6)));
    box.dataset.zoom = [zoom < FAR && "far", zoom < TINY && "tiny", zoom < DOTS && "dots"].filter(Boolean).join(" ");
  }, []);
  const show = useCallback(
    (whole: boolean) => {
      const instance = flow.current;
      const box = frame.current;
      if (!instance || !box || picture.cards.length === 0) return;
      const next = viewport(picture, box.clientWidth, box.clientHeight, model.datasetOf(picture.focus), whole);
      instance.setViewport(next);
      scale(next.zoom);
    },
    [picture, model, scale],
  );

  // a new picture: the focus to the middle; what only opens a card stays where it is
  const shown = useRef("");
  useEffect(() => {
    const key = `${picture.focus} ${picture.trace.up.links.length} ${picture.trace.down.links.length}`;
    if (shown.current !== key) show(false);
    shown.current = key;
    if (takeFocusWish()) frame.current?.querySelector<HTMLElement>(`[data-node="${picture.focus}"]`)?.focus({ preventScroll: true });
  }, [picture, show]);

  const [tip, setTip] = useState<{ line: Line; x: number; y: number } | null>(null);
  const hover = useCallback(
    (line: Line | null, event?: React.PointerEvent) => {
      const box = frame.current?.getBoundingClientRect();
      setTip(line && event && box ? { line, x: event.clientX - box.left, y: event.clientY - box.top } : null);
      const kept = picture.lines.find((each) => each.id === selectedLine);
      const back = kept ? waysOfLine(picture, kept) : cursor >= 0 ? waysThrough(picture, cursor) : NO_WAYS;
      light(line ? waysOfLine(picture, line) : back);
    },
    [picture, selectedLine, cursor],
  );
  const pick = useCallback(
    (line: Line) => {
      const job = [line.from.node, line.to.node].find((node) => model.isJob(node));
      setView({ selected: job === undefined ? lineName(model, line) : model.fullName(job) });
      showFacts();
    },
    [model],
  );

  useEffect(() => {
    hover(null);
    return () => light(NO_WAYS);
  }, [hover]);

  const over = (event: React.PointerEvent) => {
    if (picture.lines.length > MANY_LINES) return;
    const row = (event.target as Element).closest?.("[data-node]");
    if (row) light(waysThrough(picture, Number(row.getAttribute("data-node"))));
    else if (!(event.target as Element).closest?.(".lines")) hover(null);
  };

  const press = (event: React.KeyboardEvent) => {
    const at = cursor >= 0 ? cursor : picture.focus;
    if (event.key === "Enter") {
      if ((event.target as Element).closest(".fold, .more, .bunch")) return;
      if (at !== picture.focus) {
        wishFocus();
        focusOn(model.fullName(at));
      }
    } else if (event.key === " ") toggleCard(model.datasetName(at), picture.byDataset.get(model.datasetOf(at))?.state);
    else if (event.key === "+" || event.key === "=") flow.current?.zoomIn();
    else if (event.key === "-") flow.current?.zoomOut();
    else if (event.key === "0") show(true);
    else if (event.key.startsWith("Arrow")) {
      const next = moveCursor(picture, at, event.key);
      if (next >= 0) {
        setView({ selected: model.fullName(next) });
        reveal(flow.current, picture, model.datasetOf(next), frame.current);
        requestAnimationFrame(() =>
          frame.current?.querySelector<HTMLElement>(`[data-node="${next}"]`)?.focus({ preventScroll: true }),
        );
      }
    } else return;
    event.preventDefault();
  };

  const anyLit = useAnyLit();
  return (
    <div
      ref={frame}
      className={`canvas${anyLit ? " lit" : ""}`}
      role="application"
      aria-label="Lineage graph. Arrow keys walk along the lines, Enter puts a column into focus. The button Table shows the same as a table."
      onKeyDown={press}
      onPointerOver={over}
      onPointerLeave={() => hover(null)}
    >
      <ReactFlow<CardNode>
        nodes={nodes}
        edges={NO_EDGES}
        nodeTypes={NODE_TYPES}
        onInit={(instance) => {
          flow.current = instance;
          show(false);
        }}
        onMove={(event, { zoom }) => {
          scale(zoom);
          if (event) frame.current?.setAttribute("data-moving", "");
        }}
        onMoveEnd={() => frame.current?.removeAttribute("data-moving")}
        onPaneClick={() => getView().selected && setView({ selected: "" })}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        zoomOnDoubleClick={false}
        disableKeyboardA11y
        minZoom={0.05}
        maxZoom={2}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        proOptions={{ hideAttribution: true }}
      >
        <ViewportPortal>
          <Lines picture={picture} marks={marks} onPick={pick} onHover={hover} />
        </ViewportPortal>
        {picture.cards.length <= MANY_CARDS && <Background variant={BackgroundVariant.Dots} gap={20} size={1} />}
        <Controls showInteractive={false} onFitView={() => show(true)} position="bottom-left" />
        {picture.cards.length > 12 && window.innerWidth > NARROW && <MiniMap pannable zoomable ariaLabel="Overview" position="bottom-right" />}
      </ReactFlow>
      {tip && <LineTip {...tip} />}
      {picture.lines.length > 0 && <CanvasLegend picture={picture} marks={marks} />}
    </div>
  );
}

export function lineName(model: { fullName(node: number): string }, line: Line): string {
  const end = ({ node, card }: Line["from"]) => model.fullName(node < 0 ? card : node);
  return `${end(line.from)} -> ${end(line.to)}`;
}

/** The whole picture if it can be read at that size, else the focus and what is next to it. */
function viewport(picture: Picture, width: number, height: number, home: number, whole: boolean) {
  const { cards, byDataset } = picture;
  const left = Math.min(...cards.map((card) => card.x)) - 20;
  const right = Math.max(...cards.map((card) => card.x + CARD_WIDTH)) + 20;
  const top = Math.min(...cards.map((card) => card.y)) - 24;
  const bottom = Math.max(...cards.map((card) => card.y + card.height)) + 24;
  const fitting = Math.min(width / (right - left), height / (bottom - top), 1);
  const focus = byDataset.get(home) ?? cards[0];
  if (whole || fitting >= READABLE)
    return {
      zoom: fitting,
      x: width / 2 - ((left + right) / 2) * fitting,
      y: height / 2 - ((top + bottom) / 2) * fitting,
    };
  const zoom = READABLE;
  const room = width / zoom;
  // all layers if they fit side by side, else the focus in the middle
  const middle = right - left <= room ? (left + right) / 2 : focus.x + CARD_WIDTH / 2;
  const centre = bottom - top <= height / zoom ? (top + bottom) / 2 : focus.y + focus.height / 2;
  return { zoom, x: width / 2 - middle * zoom, y: height / 2 - centre * zoom };
}

/** Moves the picture if a card is not in sight. */
function reveal(
  flow: ReactFlowInstance<CardNode> | null,
  picture: Picture,
  dataset: number,
  frame: HTMLElement | null,
): void {
  const card = picture.byDataset.get(dataset);
  if (!flow || !card || !frame) return;
  const { x, y, zoom } = flow.getViewport();
  const [left, top] = [card.x * zoom + x, card.y * zoom + y];
  const inSight =
    left >= 0 && top >= 0 && left + CARD_WIDTH * zoom <= frame.clientWidth && top + card.height * zoom <= frame.clientHeight;
  if (!inSight) flow.setCenter(card.x + CARD_WIDTH / 2, card.y + card.height / 2, { zoom, duration: 150 });
}
