import { span, visible } from "../data/text";
import { useStore } from "../view/store";
import { NameLink } from "./edge_table";
import { Pair } from "./fact_parts";

/** What files declare of a dataset or a column, and its tags; a column has the owner of its dataset. */
export function DeclaredFacts({ node }: { node: number }) {
  const { facts, model } = useStore();
  const tags = facts.tagsOf(node);
  return (
    <>
      <Declared of={model.isJob(node) ? model.jobName(node) : node} />
      {tags.length > 0 && (
        <ul className="tags" aria-label="Tags">
          {tags.map(({ tag, masked, source }) => (
            <li key={tag}>
              <span className={`badge${masked ? " masked" : ""}`}>
                {visible(tag)}
                {masked && " ◆ masked"}
              </span>
              {source >= 0 && source !== node && (
                <small>
                  from <NameLink name={model.fullName(source)} />
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Declared({ of }: { of: number | string }) {
  const { facts, model } = useStore();
  const own = facts.declaredOf(of);
  const table = typeof of === "number" && !model.isDataset(of) ? facts.declaredOf(model.datasetOf(of)) : undefined;
  const owner = own?.owner ? own : table;
  if (!own && !owner?.owner && !owner?.contact) return null;
  return (
    <>
      {own?.description && <p className="described">{visible(own.description)}</p>}
      <dl className="pairs">
        {own?.type && <Pair name="type" value={own.type} />}
        {(owner?.owner || owner?.contact) && <Pair name="owner" value={[owner.owner, owner.contact].filter(Boolean).join(" · ")} />}
        {own?.due && <Pair name="due" value={`every ${span(own.due)}`} />}
        {own?.url && (
          <div>
            <dt>where</dt>
            <dd>
              <Address url={own.url} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** A link where the address is one of the web; a file may declare any text. */
function Address({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <bdi>{visible(url)}</bdi>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <bdi>{visible(url)}</bdi>
    </a>
  );
}
