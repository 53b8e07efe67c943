import { DIRECT, INDIRECT } from "../data/model";
import { friendly, number, visible } from "../data/text";
import type { Line } from "../graph/picture";
import { useView } from "../view/state";
import { expressionOf, useStore } from "../view/store";

const MOST = 3;

/** The expressions of the line that the pointer is at. */
export function LineTip({ line, x, y }: { line: Line; x: number; y: number }) {
  const store = useStore();
  const { at, past } = useView();
  const { model } = store;
  const edges = line.links.flatMap((link) => model.edgesOf(link)).filter((edge) => model.holds(edge, { at, past }));
  return (
    <div className="tip" style={{ left: x + 14, top: y + 14 }}>
      {edges.slice(0, MOST).map((edge) => (
        <div key={edge.number}>
          <p>
            <bdi>{visible(friendly(model.fullName(edge.source)))}</bdi> → <bdi>{visible(friendly(model.fullName(edge.target)))}</bdi>
          </p>
          <p>
            <span className="dependency">
              {edge.dependency === DIRECT ? "" : edge.dependency === INDIRECT ? "INDIRECT " : "TABLE "}
              {edge.transformation}
            </span>
            {edge.masking && <span className="masked-sign"> ◆ masks</span>}
          </p>
          {expressionOf(store, edge, at) && <code>{visible(expressionOf(store, edge, at))}</code>}
          <small>{visible(edge.job)}</small>
        </div>
      ))}
      {edges.length > MOST && <small>and {number(edges.length - MOST)} more; click lists them</small>}
    </div>
  );
}
