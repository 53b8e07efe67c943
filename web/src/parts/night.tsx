import { number, plural, time } from "../data/text";
import { type LastNight, type State } from "../graph/night";
import { setView, useView } from "../view/state";
import { useStore } from "../view/store";
import { Sign } from "./waffle";

export const STATE_WORDS: Record<State, string> = {
  failed: "failed",
  late: "late",
  changed: "changed",
  new: "new",
  gap: "not fully resolved",
  written: "written",
  quiet: "no run",
};

/** The last night in a line: what ran, failed, is late, changed, is new, and could not be resolved. */
export function NightStrip({ night }: { night: LastNight }) {
  const { about, past } = useStore();
  const { mark } = useView();
  const facts = about.night;
  if (facts.until === null || facts.since === null) return <p className="night none">No run in the store has a time.</p>;
  const changes = past.between(night.since, night.until).length;
  const chips: [State, string, string][] = [
    ["failed", plural(night.failedJobs.length, "failed job"), `${plural(night.marked.failed.size, "dataset")}: the last write failed`],
    ["late", number(night.marked.late.size) + " late", "No write for more than twice the usual time between two writes"],
    ["changed", plural(changes, "change"), `Schemas and lineage of ${plural(night.marked.changed.size, "dataset")}`],
    ["new", `${number(night.marked.new.size)} new`, "First seen in the last night"],
    ["gap", `${number(night.marked.gap.size)} not fully resolved`, "Some of their lineage could not be resolved"],
  ];
  const quiet = (facts.harvested ?? 0) - facts.until;
  return (
    <section className="night" aria-label="Last night">
      <h2>
        Last night <small title="The 24 hours before the last event in a log, UTC">until {time(facts.until)}</small>
      </h2>
      <span className="ran">
        {plural(facts.statements, "statement")} of {plural(facts.jobs, "job")}
      </span>
      {chips.map(([state, words, title]) => (
        <button
          key={state}
          type="button"
          className={`chip ${state}`}
          aria-pressed={mark === state}
          disabled={words.startsWith("0 ")}
          title={title}
          onClick={() => setView({ mark: mark === state ? "" : state, selected: "" })}
        >
          <Sign state={state} />
          {words}
        </button>
      ))}
      {quiet > 36 * 3_600_000 && (
        <span className="stale" role="status">
          No logs of the {plural(Math.floor(quiet / 86_400_000), "day")} before the last harvest ({time(facts.harvested)})
        </span>
      )}
    </section>
  );
}
