// The graph as an SVG file, and as CSV. Names come from logs: every one of them is escaped.

import { INDIRECT, type Model, TABLE } from "../data/model";
import { shortName, visible } from "../data/text";
import { CARD_WIDTH } from "./layout";
import { course, HEADER, type Picture, ROW } from "./picture";

export interface Colours {
  ground: string;
  card: string;
  border: string;
  text: string;
  muted: string;
  line: string;
  accent: string;
  masked: string;
  opaque: string;
}

const MARGIN = 24;

export function toSvg(model: Model, picture: Picture, colours: Colours, title: string): string {
  const { cards, lines, byDataset } = picture;
  const left = Math.min(...cards.map((card) => card.x)) - MARGIN - 40;
  const top = Math.min(...cards.map((card) => card.y)) - MARGIN - 24;
  const right = Math.max(...cards.map((card) => card.x + CARD_WIDTH)) + MARGIN + 40;
  const bottom = Math.max(...cards.map((card) => card.y + card.height)) + MARGIN + (lines.some((line) => line.back) ? 50 : 0);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${right - left} ${bottom - top}" width="${right - left}" height="${bottom - top}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" fill="${colours.ground}"/>`,
    `<text x="${left + 12}" y="${top + 20}" fill="${colours.muted}">${escaped(title)}</text>`,
  ];
  for (const line of lines) {
    const [from, to] = [byDataset.get(line.from.card), byDataset.get(line.to.card)];
    if (!from || !to) continue;
    const colour = line.masked ? colours.masked : line.confidence === "opaque" ? colours.opaque : colours.line;
    const dash = dashOf(line.dependency, line.confidence);
    parts.push(
      `<path d="${course(line, from, to)}" fill="none" stroke="${colour}" stroke-width="1.5"${dash ? ` stroke-dasharray="${dash}"` : ""}/>`,
    );
  }
  for (const card of cards) {
    const { leaf, group } = shortName(model.datasetName(card.dataset));
    const inFocus = card.dataset === model.datasetOf(picture.focus);
    parts.push(
      `<g transform="translate(${card.x} ${card.y})">`,
      `<rect width="${CARD_WIDTH}" height="${card.height}" rx="8" fill="${colours.card}" stroke="${inFocus ? colours.accent : colours.border}" stroke-width="${inFocus ? 2 : 1}"/>`,
      `<text x="12" y="19" font-weight="600" fill="${colours.text}">${escaped(cut(leaf, 32))}</text>`,
      `<text x="12" y="35" font-size="10.5" fill="${colours.muted}">${escaped(cut(group, 40))}</text>`,
    );
    card.rows.forEach((row, place) => {
      const y = HEADER + place * ROW;
      const colour = row.node === picture.focus ? colours.accent : row.masked ? colours.masked : colours.text;
      parts.push(
        `<text x="12" y="${y + 16}" fill="${row.takesPart ? colour : colours.muted}">${escaped(cut(model.columnOf(row.node), 30))}</text>`,
        `<text x="${CARD_WIDTH - 12}" y="${y + 16}" text-anchor="end" font-size="10" fill="${colours.muted}">${row.drawnIn}/${row.totalIn} · ${row.drawnOut}/${row.totalOut}</text>`,
      );
    });
    if (card.more > 0 && card.state !== "closed")
      parts.push(
        `<text x="12" y="${HEADER + card.rows.length * ROW + 16}" fill="${colours.muted}">+ ${card.more} more</text>`,
      );
    parts.push("</g>");
  }
  parts.push("</svg>");
  return parts.join("\n");
}

/** Solid for values; dashes for influences and tables; dots where a step is inferred. */
export function dashOf(dependency: number, confidence: string): string {
  if (dependency === TABLE) return "2 6";
  if (dependency === INDIRECT) return confidence === "inferred" ? "7 4 1.5 4" : "7 5";
  return confidence === "inferred" ? "1.5 4" : "";
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function escaped(text: string): string {
  const marks: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return visible(text).replace(/[&<>"']/g, (mark) => marks[mark]);
}

/** A table as CSV (RFC 4180). A value that a spreadsheet would run as a formula begins with an apostrophe. */
export function toCsv(rows: (string | number | boolean | null)[][]): string {
  const field = (value: string | number | boolean | null) => {
    if (value === null) return "";
    const formula = typeof value === "string" && /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value);
    const text = `${formula ? "'" : ""}${visible(String(value))}`;
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}
