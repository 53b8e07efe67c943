import type { Moment } from "../data/model";
import { time, visible } from "../data/text";
import { madeOf } from "../graph/chain";
import { setView } from "../view/state";
import { expressionOf, useStore } from "../view/store";
import { Code, Part } from "./fact_parts";

/** A column at the chosen time and today, side by side, with the changes between them. */
export function ThenAndNow({ node, at }: { node: number; at: number }) {
  const { past, model } = useStore();
  const between = past.changesOf(node).filter((change) => change.at > at);
  return (
    <Part title={`Then and now (${time(at)})`}>
      <div className="then-now">
        <Version title="Then" node={node} moment={{ at, past: false }} />
        <Version title="Now" node={node} moment={{ at: null, past: false }} />
      </div>
      {between.length === 0 ? (
        <p className="none">No change of the column since.</p>
      ) : (
        <ul className="uses">
          {between.map((change, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: changes have no name
            <li key={place}>
              <button type="button" className="link" onClick={() => setView({ at: change.at })}>
                {time(change.at)}
              </button>{" "}
              {visible(change.change.replace(/_/g, " "))}
              <small>{visible([change.who, change.job].filter(Boolean).join(" · "))}</small>
            </li>
          ))}
        </ul>
      )}
      {model.gone.has(node) && <p className="none">The column is no longer in the schema.</p>}
    </Part>
  );
}

function Version({ title, node, moment }: { title: string; node: number; moment: Moment }) {
  const store = useStore();
  const { model, past } = store;
  const edges = madeOf(model, node, moment);
  const expressions = [...new Set(edges.map((edge) => expressionOf(store, edge, moment.at)).filter(Boolean))];
  const sources = [...new Set(edges.filter((edge) => edge.source >= 0).map((edge) => model.fullName(edge.source)))];
  const exists = past.existsAt(node, moment.at);
  const made = past.changesOf(node).filter((change) => moment.at === null || change.at <= moment.at).at(-1);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p>
        <code>{visible(past.typeAt(node, moment.at)) || (exists ? "type unknown" : "not in the schema")}</code>
      </p>
      {expressions.length > 0 ? expressions.map((each) => <Code key={each}>{each}</Code>) : <p className="none">No expression.</p>}
      <small>{sources.map((name) => visible(name)).join(", ")}</small>
      {made?.who && (
        <small>
          since {time(made.at)}: {visible(made.who)}
        </small>
      )}
    </section>
  );
}
