import { type ReactNode, useMemo } from "react";
import { DIRECT, type Edge, INDIRECT, type Moment } from "../data/model";
import { number, plural, time, visible } from "../data/text";
import { chain, influencesOn, madeOf, MOST_STEPS, type Step } from "../graph/chain";
import type { Line, Picture } from "../graph/picture";
import { isOn } from "../graph/trace";
import { setView, useView } from "../view/state";
import { expressionOf, type Store, useStore } from "../view/store";
import { NameLink } from "./edge_table";
import { Code, Pair, Part } from "./fact_parts";
import { DeclaredFacts } from "./declared_facts";
import { JobFacts, Tried } from "./job_facts";
import { ThenAndNow } from "./then_and_now";

const MOST = 40;

export function Detail({ focus, picture, line }: { focus: number; picture: Picture; line: Line | null }) {
  const store = useStore();
  const view = useView();
  const moment = { at: view.at, past: view.past };
  const chosen = view.selected ? store.model.find(view.selected) : -1;
  const node = chosen >= 0 ? chosen : focus;
  const job = view.selected.startsWith("job:") ? view.selected.slice(4) : !line && store.model.isJob(node) ? store.model.jobName(node) : "";
  return (
    <aside className="detail" aria-label="Facts">
      {job ? (
        <JobFacts name={job} inFocus={store.model.isJob(focus) && store.model.jobName(focus) === job} />
      ) : line ? (
        <LineFacts line={line} moment={moment} />
      ) : store.model.isDataset(node) ? (
        <DatasetFacts dataset={node} moment={moment} inFocus={node === focus} />
      ) : (
        <ColumnFacts node={node} moment={moment} masked={isMasked(picture, node)} inFocus={node === focus} />
      )}
    </aside>
  );
}

function isMasked(picture: Picture, node: number): boolean {
  return picture.trace.up.masked.has(node) || picture.trace.down.masked.has(node);
}

function Heading({ name, sub, inFocus }: { name: string; sub: ReactNode; inFocus: boolean }) {
  return (
    <div className="heading">
      <h2>
        <bdi>{visible(name)}</bdi>
      </h2>
      <p>{sub}</p>
      {!inFocus && <NameLinkFocus name={name} />}
    </div>
  );
}

function NameLinkFocus({ name }: { name: string }) {
  return (
    <button type="button" onClick={() => setView({ focus: name, selected: "", tab: "lineage" }, true)}>
      Focus
    </button>
  );
}

function ColumnFacts({ node, moment, masked, inFocus }: { node: number; moment: Moment; masked: boolean; inFocus: boolean }) {
  const store = useStore();
  const { model, past, facts } = store;
  const own = useMemo(() => madeOf(model, node, moment), [model, node, moment.at, moment.past]);
  const made = useMemo(() => chain(model, node, moment, (edge) => expressionOf(store, edge, moment.at)), [store, model, node, moment.at, moment.past]);
  const steps = made.steps.filter((step) => step.node !== node);
  const influences = useMemo(() => influencesOn(model, node, moment), [model, node, moment.at, moment.past]);
  const holding = useMemo(() => model.holding(moment), [model, moment.at, moment.past]);
  const dataset = model.datasetOf(node);
  const type = past.typeAt(node, moment.at);
  const confidence = own.some((edge) => edge.confidence === "opaque") ? "opaque" : own.some((edge) => edge.confidence === "inferred") ? "inferred" : own.length ? "exact" : "";
  const uses = model.linksOut(node).filter((link) => isOn(model, link, { direct: true, indirect: true, holding }));
  const edgesOut = uses.flatMap((link) => model.edgesOf(link)).filter((edge) => model.holds(edge, moment));
  const columns = new Set(edgesOut.filter((edge) => edge.dependency === DIRECT).map((edge) => edge.target));
  const jobs = new Set(edgesOut.map((edge) => edge.job));
  const readers = facts.readersOf(dataset, model.columnOf(node));
  return (
    <>
      <Heading
        name={model.fullName(node)}
        inFocus={inFocus}
        sub={
          <>
            {type && <code>{visible(type)}</code>}
            {confidence && <span className={`badge ${confidence}`}>{confidence}</span>}
            {(masked || (own.length > 0 && own.every((edge) => edge.masking))) && <span className="badge masked">◆ masked</span>}
            {!past.existsAt(node, moment.at) && <span className="badge gap">not in the schema</span>}
          </>
        }
      />
      <DeclaredFacts node={node} />
      {moment.at !== null && <ThenAndNow node={node} at={moment.at} />}
      <Part title="Derived from">
        {made.steps[0]?.node === node ? (
          made.steps[0].made.map((each) => <Made key={`${each.expression}${each.jobs}`} made={each} />)
        ) : (
          <p className="none">{whyNothing(store, node)}</p>
        )}
      </Part>
      {steps.length > 0 && (
        <Part title={`Derivation (${plural(steps.length, "step")}${made.cut ? " or more" : ""})`}>
          <ol className="steps">
            {steps.map((step) => (
              <li key={step.node} style={{ marginInlineStart: Math.min(step.depth - 1, 6) * 10 }}>
                <NameLink name={model.fullName(step.node)} />
                {step.made.map((each) => (
                  <Made key={`${each.expression}${each.jobs}`} made={each} />
                ))}
              </li>
            ))}
          </ol>
          {made.cut && <p className="none">The first {MOST_STEPS} steps.</p>}
        </Part>
      )}
      {influences.length > 0 && (
        <Part title={`Influenced by (${number(influences.length)})`} open={false}>
          <EdgeList store={store} edges={influences} at={moment.at} end="source" />
        </Part>
      )}
      <Part title="Used by">
        <p>
          {plural(columns.size, "column")}, {plural(jobs.size, "job")}, {plural(readers.length, "reader")}
          {readers.length > 0 && ` (last: ${time(Math.max(...readers.map((use) => use.last ?? 0)))})`}
        </p>
        <EdgeList store={store} edges={edgesOut} at={moment.at} end="target" />
        <Readers uses={readers} />
      </Part>
      <History node={node} />
      <Gaps dataset={dataset} />
    </>
  );
}

function Made({ made }: { made: Step["made"][number] }) {
  const store = useStore();
  const masks = made.edges.every((edge) => edge.masking);
  const unsure = made.edges.find((edge) => edge.confidence !== "exact");
  return (
    <div className={masks ? "made masked" : "made"}>
      <Code>{made.expression || names(store, made.sources)}</Code>
      <small>
        {masks && <span className="masked-sign">◆ masks · </span>}
        {unsure && `${unsure.confidence} · `}
        <Jobs names={made.jobs} />
      </small>
    </div>
  );
}

function names({ model }: Store, nodes: number[]): string {
  return nodes.map((node) => model.columnOf(node) || model.datasetName(node)).join(", ");
}

function whyNothing({ model, facts }: Store, node: number): string {
  const dataset = model.datasetOf(node);
  if (!facts.usesOf(dataset).some((use) => use.direction === "write")) return "No harvested statement writes the dataset: it comes from outside.";
  if (model.gone.has(node)) return "It is no longer written. Turn on “past”, or move the time.";
  if (facts.gapsOf(dataset).length) return "Its lineage could not be resolved; see the gaps below.";
  return "No statement that writes the dataset makes it from a column.";
}

function Jobs({ names: jobs }: { names: string[] }) {
  return (
    <>
      {jobs.map((job, place) => (
        <span key={job}>
          {place > 0 && ", "}
          <button type="button" className="link" onClick={() => setView({ selected: `job:${job}` })}>
            <bdi>{visible(job)}</bdi>
          </button>
        </span>
      ))}
    </>
  );
}

function EdgeList({ store, edges, at, end }: { store: Store; edges: Edge[]; at: number | null; end: "source" | "target" }) {
  const { model } = store;
  return (
    <>
      <ul className="edges">
        {edges.slice(0, MOST).map((edge) => (
          <li key={edge.number}>
            <NameLink name={model.fullName(edge[end])} />
            <span className={`dependency ${edge.dependency === DIRECT ? "direct" : "indirect"}`}>{edge.transformation || "TABLE"}</span>
            {edge.masking && <span className="masked-sign">◆</span>}
            <code title={visible(expressionOf(store, edge, at))}>{visible(expressionOf(store, edge, at))}</code>
          </li>
        ))}
      </ul>
      {edges.length > MOST && <p className="none">and {number(edges.length - MOST)} more; the table view lists all.</p>}
    </>
  );
}

function Readers({ uses }: { uses: ReturnType<Store["facts"]["readersOf"]> }) {
  if (uses.length === 0) return null;
  return (
    <ul className="uses">
      {uses.slice(0, MOST).map((use) => (
        <li key={`${use.job}${use.direction}`}>
          reads only: <Jobs names={[use.job]} />
          <small>
            {visible([use.users, time(use.last)].filter(Boolean).join(" · "))}
          </small>
        </li>
      ))}
    </ul>
  );
}

function DatasetFacts({ dataset, moment, inFocus }: { dataset: number; moment: Moment; inFocus: boolean }) {
  const store = useStore();
  const { model, facts, past } = store;
  const { kind, format, location, first, last, aliases } = model.datasets;
  const uses = facts.usesOf(dataset);
  const columns = model.columnsOf(dataset).filter((node) => past.existsAt(node, moment.at));
  return (
    <>
      <Heading
        name={model.datasetName(dataset)}
        inFocus={inFocus}
        sub={
          <>
            <span className="badge">{kind[dataset]}</span>
            {format[dataset] && <span className="badge">{visible(format[dataset])}</span>}
          </>
        }
      />
      <DeclaredFacts node={dataset} />
      <LastFailure dataset={dataset} />
      <dl className="pairs">
        {location[dataset] && <Pair name="location" value={location[dataset]} />}
        {first[dataset] && <Pair name="first seen" value={time(first[dataset])} />}
        {last[dataset] && <Pair name="last seen" value={time(last[dataset])} />}
        {aliases[dataset].length > 0 && <Pair name="also" value={aliases[dataset].slice(0, 6).join(", ")} />}
      </dl>
      <Part title={`Columns (${number(columns.length)})`}>
        <ul className="columns">
          {columns.slice(0, 300).map((node) => (
            <li key={node}>
              <button type="button" className="link" onClick={() => setView({ focus: model.fullName(node), selected: "" }, true)}>
                <bdi>{visible(model.columnOf(node))}</bdi>
              </button>
              <code>{visible(past.typeAt(node, moment.at))}</code>
            </li>
          ))}
        </ul>
        {columns.length > 300 && <p className="none">and {number(columns.length - 300)} more; search finds them.</p>}
      </Part>
      <UseList title="Written by" uses={uses.filter((use) => use.direction === "write")} none="No harvested statement writes it." />
      <UseList title="Read by" uses={uses.filter((use) => use.direction === "read")} none="No harvested statement reads it." />
      <History node={dataset} />
      <Gaps dataset={dataset} />
    </>
  );
}

/** The last write, where it failed: why, and what the run tried. */
function LastFailure({ dataset }: { dataset: number }) {
  const { facts } = useStore();
  const write = facts.writes.get(dataset);
  if (write?.status !== "failed") return null;
  return (
    <div className="failure">
      <strong>The last write failed</strong>
      <p className="error-line" title={visible(write.error)}>
        {visible(write.error) || "The log has no error."}
      </p>
      <small>
        {time(write.at)}
        {write.job && (
          <>
            {" · "}
            <Jobs names={[write.job]} />
          </>
        )}
      </small>
      {write.job && <Tried job={write.job} />}
    </div>
  );
}

function UseList({ title, uses, none }: { title: string; uses: ReturnType<Store["facts"]["usesOf"]>; none: string }) {
  return (
    <Part title={`${title} (${number(uses.length)})`}>
      {uses.length === 0 && <p className="none">{none}</p>}
      <ul className="uses">
        {uses.slice(0, MOST).map((use) => (
          <li key={`${use.job}${use.only_reads}`}>
            <Jobs names={[use.job]} />
            <small>
              {visible(
                [use.mode, plural(use.statements, "statement"), use.failures ? `${number(use.failures)} failed` : "", use.users, time(use.last)]
                  .filter(Boolean)
                  .join(" · "),
              )}
            </small>
          </li>
        ))}
      </ul>
      {uses.length > MOST && <p className="none">and {number(uses.length - MOST)} more</p>}
    </Part>
  );
}

function LineFacts({ line, moment }: { line: Line; moment: Moment }) {
  const store = useStore();
  const { model } = store;
  const edges = line.links.flatMap((link) => model.edgesOf(link)).filter((edge) => model.holds(edge, moment));
  const end = ({ node, card }: Line["from"]) => model.fullName(node < 0 ? card : node);
  return (
    <>
      <div className="heading">
        <h2>{line.links.length > 1 ? `${number(line.links.length)} lines` : "Edge"}</h2>
        <p className="ends-of-line">
          <NameLink name={end(line.from)} /> → <NameLink name={end(line.to)} />
        </p>
      </div>
      {edges.slice(0, MOST).map((edge) => (
        <section key={edge.number} className="edge">
          {line.links.length > 1 && (
            <p>
              <NameLink name={model.fullName(edge.source)} /> → <NameLink name={model.fullName(edge.target)} />
            </p>
          )}
          <p>
            <span className={`dependency ${edge.dependency === INDIRECT ? "indirect" : "direct"}`}>
              {edge.dependency === INDIRECT ? "INDIRECT" : edge.dependency === DIRECT ? "DIRECT" : "TABLE"} {edge.transformation}
            </span>
            {edge.masking && <span className="badge masked">◆ masks</span>}
            <span className={`badge ${edge.confidence}`}>{edge.confidence}</span>
          </p>
          <Code>{expressionOf(store, edge, moment.at)}</Code>
          <small>
            <Jobs names={[edge.job]} /> · since {time(edge.first)}
            {edge.ended !== null && ` until ${time(edge.ended)}`}
          </small>
        </section>
      ))}
      {edges.length > MOST && <p className="none">and {number(edges.length - MOST)} more; the table view lists all.</p>}
    </>
  );
}

const WORDS: Record<string, string> = {
  edge_added: "source added",
  edge_removed: "source removed",
  expression_changed: "expression changed",
};

function History({ node }: { node: number }) {
  const { past, model } = useStore();
  const changes = past.changesOf(node).slice().reverse();
  return (
    <Part title={`History (${number(changes.length)})`} open={changes.length > 0 && changes.length < 12}>
      {changes.length === 0 && <p className="none">No changes in the store.</p>}
      <ol className="history">
        {changes.slice(0, MOST).map((change, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: changes have no name
          <li key={place}>
            <button type="button" className="link" title="Show the lineage of that time" onClick={() => setView({ at: change.at })}>
              {time(change.at)}
            </button>{" "}
            {WORDS[change.change] ?? change.change.replace(/_/g, " ")}
            {model.isDataset(node) && change.column && (
              <>
                {" "}
                <bdi>{visible(change.column)}</bdi>
              </>
            )}
            {change.nature && change.nature !== "other" && <span className="badge">{change.nature}</span>}
            {change.confidence === "inferred" && <span className="badge">inferred</span>}
            {(change.who || change.job) && <small>{visible([change.who, change.job].filter(Boolean).join(" · "))}</small>}
            {(change.old || change.new) && (
              <div className="old-new">
                {change.old && <del>{visible(change.old)}</del>}
                {change.new && <ins>{visible(change.new)}</ins>}
              </div>
            )}
          </li>
        ))}
      </ol>
      {changes.length > MOST && <p className="none">and {number(changes.length - MOST)} more; the tab Changes lists all.</p>}
    </Part>
  );
}

function Gaps({ dataset }: { dataset: number }) {
  const { facts } = useStore();
  const gaps = facts.gapsOf(dataset);
  return (
    <Part title={gaps.length ? `Gaps (${number(gaps.length)})` : "Gaps: none"} open={gaps.length > 0}>
      <ul className="gaps">
        {gaps.slice(0, MOST).map((gap) => (
          <li key={`${gap.reason}${gap.detail}${gap.job}`}>
            <strong>{visible(gap.reason.replace(/_/g, " "))}</strong> {visible(gap.detail)}
            <small>{visible(gap.hint)}</small>
            {gap.job && (
              <small>
                <Jobs names={[gap.job]} />
              </small>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}
