import { type ReactNode, useMemo } from "react";
import { number, plural, time } from "../data/text";
import type { Marks } from "../graph/marks";
import { setView, useView } from "../view/state";
import { useStore } from "../view/store";

const SPANS: [number, string][] = [
  [0, "no changes"],
  [1, "of 1 day"],
  [7, "of 7 days"],
  [30, "of 30 days"],
  [36500, "all changes"],
];

const BARS = 60;

/** The time at which the lineage is shown: a stop before the first change of what is in focus, and one after each. */
export function Timeline({ focus, marks, children }: { focus: number; marks: Marks; children?: ReactNode }) {
  const { past, model } = useStore();
  const view = useView();
  const changes = useMemo(() => (model.isJob(focus) ? [] : past.changesOf(focus)), [past, model, focus]);
  const moments = useMemo(() => [...new Set(changes.map((change) => change.at))], [changes]);
  const last = moments.length;
  const place = view.at === null ? last : count(moments, view.at);
  const bars = useMemo(() => histogram(moments, changes), [moments, changes]);
  const most = Math.max(...bars, 1);
  if (model.isJob(focus) || past.moments.length === 0) return null;
  const words = view.at === null ? "newest" : time(view.at);
  return (
    <div className="timeline">
      {last === 0 ? (
        <span className="track none">No changes in the store</span>
      ) : (
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
      )}
      <output title="UTC">{words}</output>
      <button type="button" disabled={view.at === null} onClick={() => setView({ at: null })}>
        Newest
      </button>
      <label>
        Mark changes
        <select aria-label="Changes to mark" value={view.since} onChange={(event) => setView({ since: Number(event.target.value) })}>
          {SPANS.map(([days, label]) => (
            <option key={days} value={days}>
              {label}
            </option>
          ))}
          {!SPANS.some(([days]) => days === view.since) && <option value={view.since}>of {view.since} days</option>}
        </select>
      </label>
      <span className="count" title={plural(marks.changes.length, "change")}>
        {view.since > 0 && number(marks.changes.length)}
      </span>
      {children}
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
