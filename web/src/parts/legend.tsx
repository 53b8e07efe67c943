import { useState } from "react";
import { DIRECT, INDIRECT, TABLE } from "../data/model";
import type { Marks } from "../graph/marks";
import type { Picture } from "../graph/picture";

const LINES: [string, string, string][] = [
  ["line", "", "Derived from it (DIRECT)"],
  ["line", "7 5", "Filter, join, grouping, order or condition (INDIRECT)"],
  ["line", "2 6", "Table-level only"],
  ["line masked", "", "Hashed or masked on every path ◆"],
  ["line", "1.5 4", "Inferred by position or name ≈"],
  ["line opaque", "", "Opaque: a function over whole rows ?"],
  ["line added", "", "Added in the marked period +"],
  ["line removed", "3 3", "Removed in the marked period −"],
];

/** The lines of a picture that need words, on the canvas. */
export function CanvasLegend({ picture, marks }: { picture: Picture; marks: Marks }) {
  const [open, setOpen] = useState(window.innerWidth > 1000);
  const { lines } = picture;
  const changed = [...marks.links.values()];
  const used = [
    lines.some((line) => line.dependency === DIRECT && line.links.length > 0 && line.confidence === "exact" && !line.masked),
    lines.some((line) => line.dependency === INDIRECT),
    lines.some((line) => line.dependency === TABLE && line.links.length > 0),
    lines.some((line) => line.masked),
    lines.some((line) => line.confidence === "inferred"),
    lines.some((line) => line.confidence === "opaque"),
    changed.includes("added"),
    changed.includes("removed"),
  ];
  if (!used.some(Boolean)) return null;
  return (
    <details className="canvas-legend" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Legend</summary>
      <ul className="legend">
        {LINES.map(([name, dash, what], place) => used[place] && <Item key={what} name={name} dash={dash} what={what} />)}
        {picture.cards.some((card) => card.rows.length > 0) && (
          <li>
            <span className="ends">2/5</span> lines drawn / all
          </li>
        )}
      </ul>
    </details>
  );
}

function Item({ name, dash, what }: { name: string; dash: string; what: string }) {
  return (
    <li>
      <svg width="36" height="10" aria-hidden="true">
        <path className={name} d="M1,5H35" strokeDasharray={dash || undefined} />
      </svg>
      {what}
    </li>
  );
}

export function Legend() {
  return (
    <ul className="legend">
      {LINES.map(([name, dash, what]) => (
        <Item key={what} name={name} dash={dash} what={what} />
      ))}
      <li>
        <span className="ends">2/5</span> 2 of a column's 5 lines are drawn: left of its name those into it, right those out of it
      </li>
    </ul>
  );
}
