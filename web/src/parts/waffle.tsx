import { memo } from "react";
import { type LastNight, STATES, type State } from "../graph/night";

interface Props {
  datasets: number[];
  night: LastNight;
  cell: number;
  perRow: number;
  mark: string;
}

/** A sign for each dataset: its colour and its shape are its state in the last night. */
export const Waffle = memo(function Waffle({ datasets, night, cell, perRow, mark }: Props) {
  const paths: Partial<Record<State, string>> = {};
  datasets.forEach((dataset, place) => {
    const state = night.state[dataset];
    paths[state] = (paths[state] ?? "") + sign(state, (place % perRow) * cell, Math.floor(place / perRow) * cell, cell - 2);
  });
  const rows = Math.ceil(datasets.length / perRow);
  return (
    <svg className={mark ? "waffle dim" : "waffle"} width={perRow * cell} height={rows * cell} aria-hidden="true">
      {STATES.map((state) => paths[state] && <path key={state} className={`sign ${state}${mark === state ? " on" : ""}`} d={paths[state]} />)}
    </svg>
  );
});

/** The path of a sign in a square. */
export function sign(state: State, x: number, y: number, size: number): string {
  const half = size / 2;
  if (state === "late") return `M${x + half},${y}L${x + size},${y + size}H${x}Z`;
  if (state === "changed") return `M${x + half},${y - 0.5}L${x + size + 0.5},${y + half}L${x + half},${y + size + 0.5}L${x - 0.5},${y + half}Z`;
  if (state === "new") {
    const third = size / 3;
    return `M${x + third},${y}h${third}v${third}h${third}v${third}h${-third}v${third}h${-third}v${-third}h${-third}v${-third}h${third}Z`;
  }
  if (state === "gap") return `M${x},${y}h${size}v${size}h${-size}ZM${x + 2},${y + 2}v${size - 4}h${size - 4}v${4 - size}Z`;
  if (state === "failed") return `M${x},${y}h${size}v${size}h${-size}Z${cross(x, y, size)}`;
  return `M${x},${y}h${size}v${size}h${-size}Z`;
}

/** A cross cut out of a square. */
function cross(x: number, y: number, size: number): string {
  if (size < 6) return "";
  const [c, w, r] = [size / 2, size * 0.1, size * 0.36];
  const plus = [[-w, -r], [w, -r], [w, -w], [r, -w], [r, w], [w, w], [w, r], [-w, r], [-w, w], [-r, w], [-r, -w], [-w, -w]];
  const turned = plus.map(([a, b]) => `${(x + c + (a - b) * Math.SQRT1_2).toFixed(2)},${(y + c + (a + b) * Math.SQRT1_2).toFixed(2)}`);
  return `M${turned.join("L")}Z`;
}

export function Sign({ state }: { state: State }) {
  return (
    <svg className="one-sign" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path className={`sign ${state}`} d={sign(state, 1, 1, 10)} />
    </svg>
  );
}
