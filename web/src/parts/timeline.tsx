import { useMemo } from "react";
import { number, plural, time } from "../data/text";
import type { Marks } from "../graph/marks";
import { setView, useView } from "../view/state";
import { useStore } from "../view/store";

const SPANS: [number, string][] = [
  [0, "no changes"],
  [1, "changes: 1 day"],
  [7, "changes: 7 days"],
  [30, "changes: 30 days"],
  [36500, "all changes"],
];

const BARS = 60;

/** The time at which the lineage is shown: a stop before the first change, and one after each. */
export function Timeline({ marks }: { marks: Marks }) {
  const { past } = useStore();
  const view = useView();
  const { moments } = past;
  const last = moments.length;
  const place = view.at === null ? last : count(moments, view.at);
  const bars = useMemo(() => histogram(past.moments, past.changes), [past]);
  const most = Math.max(...bars, 1);
  if (last === 0) return <span className="timeline">No changes in the store</span>;
  const words = view.at === null ? "newest" : time(view.at);
  return (
    <div className="timeline">
      <div className="track">
      <svg viewBox={`0 0 ${bars.length} 10`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((value, bar) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={bar}
            className={bar / bars.length < place / last ? "before" : ""}
            x={bar + 0.1}
            width={0.8}
            y={10 - (value ? 2 + (8 * value) / most : 0)}
            height={value ? 2 + (8 * value) / most : 0}
          />
        ))}
      </svg>
      <input
        type="range"
        min={0}
        max={last}
        value={place}
        aria-label="Time of the lineage"
        aria-valuetext={words}
        onChange={(event) => {
          const chosen = Number(event.target.value);
          setView({ at: chosen >= last ? null : chosen === 0 ? moments[0] - 1 : moments[chosen - 1] });
        }}
      />
      </div>
      <output title="UTC">{words}</output>
      <select aria-label="Changes to mark" value={view.since} onChange={(event) => setView({ since: Number(event.target.value) })}>
        {SPANS.map(([days, label]) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
        {!SPANS.some(([days]) => days === view.since) && <option value={view.since}>changes: {view.since} days</option>}
      </select>
      {view.since > 0 && (
        <span className="count" title={plural(marks.changes.length, "change")}>
          {number(marks.changes.length)}
        </span>
      )}
    </div>
  );
}

/** How many moments are not after a time. */
function count(moments: number[], at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function histogram(moments: number[], changes: { at: number }[]): number[] {
  const bars = new Array<number>(Math.min(BARS, Math.max(moments.length, 1))).fill(0);
  const places = new Map(moments.map((moment, place) => [moment, Math.floor((place * bars.length) / moments.length)]));
  for (const { at } of changes) bars[places.get(at) ?? 0]++;
  return bars;
}
