import { number, plural, shortName, size, span, time, visible } from "../data/text";
import { LATE, type LastNight } from "../graph/night";
import { type Pair, READERS, type Warehouse } from "../graph/warehouse";
import { focusOn, setView, useView } from "../view/state";
import { useStore } from "../view/store";
import { NameLink } from "./edge_table";

const MOST = 200;

/** What is behind a mark or a ribbon of the map. */
export function MapFacts({ warehouse, night }: { warehouse: Warehouse; night: LastNight }) {
  const { mark, selected } = useView();
  const titles: Record<string, string> = {
    failed: "Failed",
    late: "Late",
    changed: "Changed in the last night",
    new: "New",
    gap: "Not fully resolved",
  };
  const [from, to] = selected.includes(" => ") ? selected.split(" => ") : ["", selected];
  const readers = to === READERS;
  if (!readers && !from && !titles[mark]) return null;
  return (
    <aside className="detail" aria-label="Facts">
      <div className="heading">
        <h2>{from ? visible(`${from} → ${to}`) : readers ? "Jobs that only read" : titles[mark]}</h2>
        <button type="button" onClick={() => setView({ mark: "", selected: "" })}>
          Close
        </button>
      </div>
      {readers ? <Readers warehouse={warehouse} from={from} /> : from ? <Pairs warehouse={warehouse} from={from} to={to} /> : <Marked mark={mark} night={night} />}
    </aside>
  );
}

function Marked({ mark, night }: { mark: string; night: LastNight }) {
  if (mark === "failed") return <Failed night={night} />;
  if (mark === "late") return <Late />;
  if (mark === "changed") return <Changed night={night} />;
  if (mark === "gap") return <Unresolved night={night} />;
  return <Names datasets={[...night.marked.new]} />;
}

function Failed({ night }: { night: LastNight }) {
  const { facts, model } = useStore();
  const jobs = night.failedJobs.map((name) => facts.job(name)).filter((job) => job !== undefined);
  const other = [...night.marked.failed].filter((dataset) => !night.failedJobs.includes(facts.writes.get(dataset)?.job ?? ""));
  return (
    <>
      <ul className="uses">
        {jobs.slice(0, MOST).map((job) => (
          <li key={job.name}>
            <button type="button" className="link" onClick={() => focusOn(`job:${job.name}`)}>
              <bdi>{visible(job.name)}</bdi>
            </button>
            <p className="error-line">{visible(job.error) || "The log has no error."}</p>
            <small>
              {time(job.failed_at)}
              {facts.triesOf(job.name).filter((each) => each.direction === "write").length > 0 && " · tried to write "}
              {facts
                .triesOf(job.name)
                .filter((each) => each.direction === "write")
                .map((each) => (
                  <NameLink key={each.dataset} name={model.datasetName(each.dataset)} />
                ))}
            </small>
          </li>
        ))}
      </ul>
      {jobs.length > MOST && <p className="none">and {number(jobs.length - MOST)} more</p>}
      {other.length > 0 && (
        <>
          <h3>Failed before, and not written since</h3>
          <Names datasets={other} />
        </>
      )}
      <MoreIn tab="failures" />
    </>
  );
}

function Late() {
  const { panels } = useStore();
  const panel = panels.find(({ name }) => name === "late");
  if (!panel) return null;
  const at = (name: string) => panel.columns.findIndex((column) => column.name === name);
  const rows = panel.rows.filter((row) => Number(row[at("times_usual")]) >= LATE);
  return (
    <>
      <ul className="uses">
        {rows.slice(0, MOST).map((row) => (
          <li key={String(row[0])}>
            <NameLink name={String(row[0])} />
            <small>
              last written {time(Number(row[at("last_write")]))}, usually every {span(Number(row[at("usual_gap_seconds")]))}
            </small>
          </li>
        ))}
      </ul>
      <MoreIn tab="late" />
    </>
  );
}

function Changed({ night }: { night: LastNight }) {
  const { past, model } = useStore();
  const changes = past.between(night.since, night.until).reverse();
  return (
    <>
      <ul className="uses">
        {changes.slice(0, MOST).map((change, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: changes have no name
          <li key={place}>
            <NameLink name={model.fullName(change.node)} />
            <small>
              {visible([change.change.replace(/_/g, " "), change.node === change.dataset ? change.column : "", time(change.at)].filter(Boolean).join(" · "))}
            </small>
          </li>
        ))}
      </ul>
      {changes.length > MOST && <p className="none">and {number(changes.length - MOST)} more</p>}
      <MoreIn tab="changes" />
    </>
  );
}

function Unresolved({ night }: { night: LastNight }) {
  const { facts, model } = useStore();
  const datasets = [...night.marked.gap];
  return (
    <>
      <ul className="uses">
        {datasets.slice(0, MOST).map((dataset) => (
          <li key={dataset}>
            <NameLink name={model.datasetName(dataset)} />
            <small>{visible([...new Set(facts.gapsOf(dataset).map((gap) => gap.reason.replace(/_/g, " ")))].join(", "))}</small>
          </li>
        ))}
      </ul>
      <MoreIn tab="trust" />
    </>
  );
}

function Names({ datasets }: { datasets: number[] }) {
  const { model, facts } = useStore();
  return (
    <ul className="uses">
      {datasets.slice(0, MOST).map((dataset) => (
        <li key={dataset}>
          <NameLink name={model.datasetName(dataset)} />
          <small>{visible([facts.writes.get(dataset)?.job, time(facts.writes.get(dataset)?.at)].filter(Boolean).join(" · "))}</small>
        </li>
      ))}
    </ul>
  );
}

function MoreIn({ tab }: { tab: string }) {
  const { panels } = useStore();
  const panel = panels.find(({ name }) => name === tab);
  if (!panel) return null;
  return (
    <p className="more-in">
      <button type="button" className="link" onClick={() => setView({ tab, filter: "", selected: "" }, true)}>
        {panel.question} →
      </button>
    </p>
  );
}

/** The jobs that read datasets of a group, or any, and write nothing. */
function Readers({ warehouse, from }: { warehouse: Warehouse; from: string }) {
  const { facts, model } = useStore();
  const group = warehouse.groups.findIndex(({ name }) => name === from);
  const jobs = warehouse.groups.find(({ name }) => name === READERS)?.jobs ?? [];
  const rows = jobs
    .map((job) => ({ job, uses: facts.usesBy(job).filter((use) => use.only_reads && (group < 0 || warehouse.groupOf[use.dataset] === group)) }))
    .filter(({ uses }) => uses.length > 0);
  return (
    <ul className="uses">
      {rows.slice(0, MOST).map(({ job, uses }) => (
        <li key={job}>
          <NameLink name={`job:${job}`} short={false} />
          <small>
            {visible([uses.map((use) => shortName(model.datasetName(use.dataset)).leaf).slice(0, 4).join(", "), uses[0].users, time(uses[0].last)].filter(Boolean).join(" · "))}
          </small>
        </li>
      ))}
      {rows.length > MOST && <li className="none">and {number(rows.length - MOST)} more</li>}
    </ul>
  );
}

function Pairs({ warehouse, from, to }: { warehouse: Warehouse; from: string; to: string }) {
  const { model } = useStore();
  const pairs = warehouse.ribbons
    .filter(({ source, target }) => warehouse.groups[source].name === from && warehouse.groups[target].name === to)
    .flatMap((ribbon) => ribbon.pairs)
    .sort((a, b) => b.edges - a.edges || a.source - b.source);
  return (
    <ul className="uses">
      {pairs.slice(0, MOST).map((pair: Pair) => (
        <li key={`${pair.source} ${pair.target}`}>
          <NameLink name={model.datasetName(pair.source)} /> → <NameLink name={model.datasetName(pair.target)} />
          <small>
            {plural(pair.edges, "edge")}
            {pair.bytes > 0 && `, ${size(pair.bytes)} read`}
          </small>
        </li>
      ))}
      {pairs.length > MOST && <li className="none">and {number(pairs.length - MOST)} more</li>}
    </ul>
  );
}
