import { plural } from "../data/text";
import { STATES } from "../graph/night";
import { setView, useView } from "../view/state";
import { useStore } from "../view/store";
import { STATE_WORDS } from "./night";
import { Sign } from "./waffle";

export function MapLegend({ hidden }: { hidden: number }) {
  const { facts } = useStore();
  const { bytes } = useView();
  return (
    <footer className="map-legend">
      <ul aria-label="Signs">
        {STATES.map((state) => (
          <li key={state}>
            <Sign state={state} />
            {STATE_WORDS[state]}
          </li>
        ))}
      </ul>
      <fieldset>
        <legend>Ribbons</legend>
        {[false, true].map((each) => (
          <label key={String(each)} title={each ? "Bytes that statements read of one group to write the other" : "Edges between columns and datasets"}>
            <input type="radio" name="ribbons" checked={bytes === each} disabled={each && facts.flows.length === 0} onChange={() => setView({ bytes: each })} />
            {each ? "bytes" : "edges"}
          </label>
        ))}
      </fieldset>
      {hidden > 0 && <span>{plural(hidden, "temporary view")} not shown</span>}
    </footer>
  );
}
