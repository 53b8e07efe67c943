// Charts of the panels, by Observable Plot. Its style element is taken out before the chart enters the page: the page's
// policy allows no styles but its own, which has the same rules.

import * as Plot from "@observablehq/plot";
import { useEffect, useRef } from "react";
import type { Cell, Panel } from "../data/blocks";
import { day, friendly, number, tail, visible } from "../data/text";
import { fitted } from "../view/fitted";
import { START, toHash } from "../view/state";

const BARS = 24;
const STATES = ["succeeded", "failed", "unfinished"];
const WIDEST_BAR = 64;

export function Chart({ panel }: { panel: Panel }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    const draw = () => {
      const chart = plot(panel, Math.max(box.clientWidth - 4, 320));
      if (chart) {
        chart.querySelectorAll("style").forEach((style) => style.remove());
        const links = chart.querySelectorAll("a");
        chart.setAttribute("role", links.length > 0 ? "group" : "img");
        for (const link of links) link.setAttribute("aria-label", link.querySelector("title")?.textContent ?? "");
        for (const part of chart.querySelectorAll("g[aria-label]")) {
          part.setAttribute("data-part", part.getAttribute("aria-label") ?? "");
          part.removeAttribute("aria-label"); // a group without a role has no name
        }
        box.replaceChildren(chart);
      }
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(box);
    return () => observer.disconnect();
  }, [panel]);
  const swatches = SWATCHES[String(panel.chart.kind)];
  const caption = CAPTIONS[String(panel.chart.x)];
  if (panel.chart.kind === undefined) return null;
  return (
    <figure className="chart" tabIndex={0} aria-label={`Chart: ${panel.question}`}>
      {swatches && (
        <figcaption className="swatches">
          {swatches.map(([name, colour]) => (
            <div key={name}>
              <span style={{ background: colour }} />
              {name}
            </div>
          ))}
        </figcaption>
      )}
      {caption && <figcaption className="swatches">{caption}</figcaption>}
      <div ref={frame} />
    </figure>
  );
}

const CAPTIONS: Record<string, string> = {
  executor_seconds: "Executor time of jobs, in seconds",
  times_usual: "Time since the last write, in usual gaps",
  columns: "Columns that depend on it",
};

const SWATCHES: Record<string, [string, string][]> = {
  stacks: [
    ["succeeded", "var(--good)"],
    ["failed", "var(--bad)"],
    ["unfinished", "var(--warn)"],
  ],
  weeks: [
    ["added", "var(--good)"],
    ["removed", "var(--bad)"],
    ["type or expression", "var(--warn)"],
    ["other", "var(--muted)"],
  ],
  trust: [
    ["exact", "var(--good)"],
    ["inferred", "var(--warn)"],
    ["opaque", "var(--muted)"],
  ],
};

type Row = Record<string, Cell>;

/** The address of a dataset, a column or a job. */
function toFocus(focus: string): string {
  return toHash({ ...START, tab: "lineage", focus });
}

/** The address of a panel's rows with a word. */
function toRows(tab: string, filter: string): string {
  return toHash({ ...START, tab, filter });
}

function plot(panel: Panel, width: number): Element | null {
  const rows = panel.rows.map((row): Row => Object.fromEntries(panel.columns.map(({ name }, place) => [name, row[place]])));
  const { kind } = panel.chart;
  if (kind === "stacks") return stacks(rows, width);
  if (kind === "late") return late(rows, width);
  if (kind === "weeks") return weeks(rows, width);
  if (kind === "trust") return trust(rows, width);
  if (kind === "bars") return bars(panel, rows, width);
  return null;
}

function frameOf(width: number, label: string): Plot.PlotOptions {
  return { width, ariaLabel: label, marginTop: 24, style: { background: "transparent" } };
}

function stacks(rows: Row[], width: number): Element {
  const days = rows.slice(0, 60).flatMap((row) => STATES.map((state) => ({ day: new Date(String(row.day)), state, count: Number(row[state]) })));
  return Plot.plot({
    ...frameOf(Math.min(width, 90 + Math.max(rows.length, 3) * WIDEST_BAR), "Statements by day and status"),
    height: 200,
    marginLeft: 50,
    x: { interval: "day", type: "band", label: null, tickFormat: (day: Date) => day.toISOString().slice(5, 10) },
    y: { label: "statements", grid: true, ticks: 4, tickFormat: (value: number) => number(value) },
    color: { domain: STATES, range: ["var(--good)", "var(--bad)", "var(--warn)"], legend: false },
    marks: [
      Plot.barY(days, {
        x: "day",
        y: "count",
        fill: "state",
        order: STATES,
        insetLeft: 1,
        insetRight: 1,
        title: (row: (typeof days)[0]) => `${day(row.day.getTime())}: ${number(row.count)} ${row.state}`,
        href: (row: (typeof days)[0]) => toRows("nights", day(row.day.getTime())),
      }),
      Plot.ruleY([0], { stroke: "var(--border)" }),
    ],
  });
}

function late(rows: Row[], width: number): Element {
  const most = rows.slice(0, BARS).map((row) => ({ name: String(row.dataset), times: Number(row.times_usual) }));
  return horizontal(most, "times", width, "Age in usual gaps", {
    fill: (row: { times: number }) => (row.times >= 2 ? "var(--bad)" : "var(--accent)"),
    rules: [2],
  });
}

function bars(panel: Panel, rows: Row[], width: number): Element | null {
  const { x, y, of, where } = panel.chart as { x: string; y: string; of?: string; where?: [string, string] };
  const kept = rows.filter((row) => !where || row[where[0]] === where[1]).slice(0, BARS);
  const data = kept.map((row) => ({ name: of ? `${row[of]}.${row[y]}` : String(row[y]), value: Number(row[x]), job: where !== undefined }));
  if (data.length === 0) return null;
  return horizontal(data, "value", width, CAPTIONS[x] ?? x, { fill: () => "var(--accent)", rules: [] });
}

function horizontal<T extends { name: string; job?: boolean }>(
  data: T[],
  value: keyof T & string,
  width: number,
  label: string,
  { fill, rules }: { fill: (row: T) => string; rules: number[] },
): Element {
  const cut = (text: string) => fitted(visible(text), Math.min(270, width * 0.45) - 12, 12, tail);
  const short = (row: T) => cut(row.job ? row.name : friendly(row.name));
  const twice = new Set(data.map(short)).size < data.length;
  const words = (name: string) => {
    const row = data.find((each) => each.name === name);
    return row ? (twice ? cut(name) : short(row)) : name;
  };
  return Plot.plot({
    ...frameOf(width, label),
    height: data.length * 18 + 44,
    marginLeft: Math.min(270, width * 0.45),
    marginRight: 60,
    x: { label: null, grid: true, axis: "top", ticks: 3 },
    y: { label: null, domain: data.map((row) => row.name), tickFormat: words, tickSize: 0 },
    marks: [
      Plot.barX(data, { x: value, y: "name", fill, insetTop: 1.5, insetBottom: 1.5, rx: 2, title: (row: T) => `${visible(row.name)}: ${number(Number(row[value]))}`, href: (row: T) => toFocus(row.job ? `job:${row.name}` : row.name) }),
      Plot.text(data, { x: value, y: "name", text: (row: T) => number(Number(row[value])), textAnchor: "start", dx: 5, fill: "var(--muted)" }),
      Plot.ruleX(rules, { stroke: "var(--bad)", strokeDasharray: "3 3" }),
      Plot.ruleX([0], { stroke: "var(--border)" }),
    ],
  });
}

const KINDS: [string, RegExp][] = [
  ["added", /added|created/],
  ["removed", /removed|dropped/],
  ["type or expression", /type|expression|conflict/],
  ["other", /./],
];

function weeks(rows: Row[], width: number): Element {
  const times = rows.map((row) => Number(row.changed_at));
  const long = Math.max(...times) - Math.min(...times) > 21 * 86_400_000;
  const step = (long ? 7 : 1) * 86_400_000;
  const bars = Math.max(Math.ceil((Math.max(...times) - Math.min(...times)) / step), 3);
  const data = rows.map((row) => ({
    at: new Date(Number(row.changed_at)),
    href: long ? null : toRows("changes", day(Number(row.changed_at))),
    kind: (KINDS.find(([, pattern]) => pattern.test(String(row.change))) ?? KINDS[3])[0],
  }));
  return Plot.plot({
    ...frameOf(Math.min(width, 90 + bars * WIDEST_BAR), long ? "Changes by week" : "Changes by day"),
    height: 180,
    marginLeft: 50,
    x: { interval: long ? "week" : "day", type: "band", label: null, tickFormat: (at: Date) => at.toISOString().slice(5, 10) },
    y: { label: "changes", grid: true, ticks: 4 },
    color: { domain: KINDS.map(([name]) => name), range: ["var(--good)", "var(--bad)", "var(--warn)", "var(--muted)"], legend: false },
    marks: [
      Plot.barY(data, Plot.groupX({ y: "count", href: "first", title: (group: (typeof data)[0][]) => `${day(group[0].at.getTime())}: ${number(group.length)} ${group[0].kind}` }, { x: "at", fill: "kind", href: "href", title: (row: (typeof data)[0]) => row, order: KINDS.map(([name]) => name), insetLeft: 1, insetRight: 1, tip: false })),
      Plot.ruleY([0], { stroke: "var(--border)" }),
    ],
  });
}

const CONFIDENCES = ["exact", "inferred", "opaque"];

function trust(rows: Row[], width: number): Element {
  const data = rows
    .filter((row) => row.topic === "edges")
    .map((row) => ({ item: String(row.item), count: Number(row.count) }))
    .sort((a, b) => CONFIDENCES.indexOf(a.item) - CONFIDENCES.indexOf(b.item));
  return Plot.plot({
    ...frameOf(width, "Edges by confidence"),
    height: 70,
    marginLeft: 12,
    marginRight: 12,
    x: { label: "edges", tickFormat: (value: number) => number(value), ticks: 6 },
    color: { domain: CONFIDENCES, range: ["var(--good)", "var(--warn)", "var(--muted)"], legend: false },
    marks: [Plot.barX(data, Plot.stackX({ x: "count", fill: "item", order: CONFIDENCES, title: (row: (typeof data)[0]) => `${row.item}: ${number(row.count)}`, href: (row: (typeof data)[0]) => toRows("trust", row.item) }))],
  });
}
