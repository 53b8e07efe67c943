import type { Job, Run } from "../data/facts";
import { number, plural, size, span, time, visible } from "../data/text";
import { focusOn } from "../view/state";
import { useStore } from "../view/store";
import { DeclaredFacts } from "./declared_facts";
import { NameLink } from "./edge_table";
import { Code, Pair, Part } from "./fact_parts";

const LISTED = 8;
const WIDTH = 290;
const HEIGHT = 84;

export function JobFacts({ name, inFocus }: { name: string; inFocus: boolean }) {
  const { facts, model } = useStore();
  const job = facts.job(name);
  const runs = facts.runsOf(name);
  return (
    <>
      <div className="heading">
        <h2>
          <bdi>{visible(name)}</bdi>
        </h2>
        <p>
          <span className="badge">job</span>
          {job && <span className={`badge ${job.status === "failed" ? "failed" : ""}`}>last: {job.status}</span>}
        </p>
        {!inFocus && job && (
          <button type="button" onClick={() => focusOn(`job:${name}`)}>
            Show in the graph
          </button>
        )}
      </div>
      <DeclaredFacts node={model.jobNode(name)} />
      {job ? (
        <>
          {job.error && <Failure job={job} />}
          <Numbers job={job} />
          {runs.length > 0 && <Runs runs={runs} />}
          <Statement job={job} />
        </>
      ) : (
        <p className="none">No run of this job is in the store.</p>
      )}
      <Uses name={name} />
    </>
  );
}

function Failure({ job }: { job: Job }) {
  return (
    <div className={job.status === "failed" ? "failure" : "failure past"}>
      <p className="error-line" title={visible(job.error)}>
        {visible(job.error)}
      </p>
      <small>{job.status === "failed" ? `failed ${time(job.failed_at)}` : `last failed ${time(job.failed_at)}; it succeeded since`}</small>
      {job.status === "failed" && <Tried job={job.name} />}
    </div>
  );
}

/** What the failed last run of a job read, and wrote or tried to. */
export function Tried({ job }: { job: string }) {
  const { facts, model } = useStore();
  const tries = facts.triesOf(job);
  return (
    <>
      {(["read", "write"] as const).map((direction) => {
        const own = tries.filter((each) => each.direction === direction);
        if (own.length === 0) return null;
        return (
          <p key={direction}>
            {direction === "read" ? "It read " : "It tried to write "}
            {own.slice(0, LISTED).map((each, place) => (
              <span key={each.dataset}>
                {place > 0 && ", "}
                <NameLink name={model.datasetName(each.dataset)} />
                {direction === "write" && each.mode && ` (${each.mode})`}
                {each.rows !== null && ` ${plural(each.rows, "row")}`}
              </span>
            ))}
            {own.length > LISTED && ` and ${number(own.length - LISTED)} more`}
          </p>
        );
      })}
    </>
  );
}

function Numbers({ job }: { job: Job }) {
  return (
    <dl className="pairs">
      <Pair name="runs" value={`${number(job.runs)}${job.failures ? `, ${number(job.failures)} failed` : ""}`} />
      <Pair name="last run" value={time(job.last)} />
      {job.seconds !== null && <Pair name="usual time" value={span(job.seconds)} />}
      {job.executor_seconds !== null && job.executor_seconds > 0 && <Pair name="executors" value={`${span(job.executor_seconds)} in all runs`} />}
      {job.bytes_read !== null && job.bytes_read > 0 && <Pair name="read" value={size(job.bytes_read)} />}
      {job.bytes_written !== null && job.bytes_written > 0 && <Pair name="written" value={size(job.bytes_written)} />}
      {job.users && <Pair name="user" value={job.users} />}
      {job.application && <Pair name="application" value={job.application} />}
      {job.task && <Pair name="task" value={job.task} />}
    </dl>
  );
}

function Runs({ runs }: { runs: Run[] }) {
  const { facts } = useStore();
  const last = [...runs].reverse().slice(0, LISTED);
  const withRows = runs.some((run) => run.rows !== null);
  return (
    <Part title={`Runs (${number(runs.length)}${runs.length < (facts.job(runs[0].job)?.runs ?? 0) ? ", grouped by application" : ""})`}>
      {runs.length > 1 && <RunChart runs={runs} />}
      <table className="runs">
        <thead>
          <tr>
            <th>started (UTC)</th>
            <th className="right">time</th>
            {withRows && <th className="right">rows</th>}
          </tr>
        </thead>
        <tbody>
          {last.map((run) => (
            <tr key={`${run.at}${run.app}`} title={visible(run.app)}>
              <td>
                {time(run.at)}
                {run.status !== "succeeded" && <span className={`badge ${run.status}`}>{run.status}</span>}
              </td>
              <td className="right">{run.seconds === null ? "" : span(run.seconds)}</td>
              {withRows && <td className="right">{run.rows === null ? "" : number(run.rows)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

/** Bars for how long runs took, a line for the rows that they wrote. */
function RunChart({ runs }: { runs: Run[] }) {
  const longest = Math.max(...runs.map((run) => run.seconds ?? 0), 0.001);
  const most = Math.max(...runs.map((run) => run.rows ?? 0), 1);
  const step = WIDTH / runs.length;
  const points = runs
    .map((run, place) => (run.rows === null ? "" : `${(place + 0.5) * step},${HEIGHT - 4 - (run.rows / most) * (HEIGHT - 24)}`))
    .filter(Boolean);
  return (
    <figure className="run-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Durations up to ${span(longest)}, rows up to ${number(most)}, over ${runs.length} runs`}>
        {runs.map((run, place) => {
          const height = Math.max(((run.seconds ?? 0) / longest) * (HEIGHT - 20), 2);
          return (
            <rect key={`${run.at}${run.app}`} className={run.status} x={place * step + 1} y={HEIGHT - height} width={Math.min(step - 2, 24)} height={height}>
              <title>{`${time(run.at)}: ${run.status}, ${span(run.seconds ?? 0)}${run.rows === null ? "" : `, ${plural(run.rows, "row")}`}`}</title>
            </rect>
          );
        })}
        {points.length > 1 && <polyline points={points.join(" ")} />}
      </svg>
      <figcaption>
        <span className="bar-key" /> time, up to {span(longest)}
        {points.length > 1 && (
          <>
            <span className="line-key" /> rows, up to {number(most)}
          </>
        )}
      </figcaption>
    </figure>
  );
}

function Statement({ job }: { job: Job }) {
  if (!job.sql && !job.description) return null;
  return <Part title={job.sql ? "SQL of the last run" : "Description"}>{<Code>{job.sql ?? job.description ?? ""}</Code>}</Part>;
}

function Uses({ name }: { name: string }) {
  const { facts, model } = useStore();
  const uses = facts.usesBy(name);
  return (
    <>
      {(["write", "read"] as const).map((direction) => {
        const datasets = [...new Set(uses.filter((use) => use.direction === direction).map((use) => use.dataset))];
        return (
          <Part key={direction} title={`${direction === "write" ? "Writes" : "Reads"} (${number(datasets.length)})`}>
            <ul className="uses">
              {datasets.map((dataset) => (
                <li key={dataset}>
                  <NameLink name={model.datasetName(dataset)} />
                </li>
              ))}
            </ul>
          </Part>
        );
      })}
    </>
  );
}
