import { useEffect, useRef } from "react";
import { Legend } from "./legend";

const KEYS: [string, string][] = [
  ["/", "Search"],
  ["← →", "To a source, to a use; on the map, to the box before, after"],
  ["↑ ↓", "To the column or box above, below"],
  ["Enter", "Put the marked column, dataset or job into focus; open a box"],
  ["Space", "Show or hide the other columns of the card"],
  ["+ −", "Zoom; 0 shows everything"],
  ["t", "Graph or table"],
  ["Esc", "Back"],
  ["?", "This list"],
];

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="help" onClose={onClose} onClick={(event) => event.target === dialog.current && onClose()}>
      <div>
        <h2>Keys</h2>
        <dl className="keys">
          {KEYS.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <h2>Marks</h2>
        <Legend />
        <h2>Licences</h2>
        <details>
          <summary>Software in this page</summary>
          <pre>{document.getElementById("licences")?.textContent}</pre>
        </details>
        <form method="dialog">
          <button type="submit" autoFocus>
            Close
          </button>
        </form>
      </div>
    </dialog>
  );
}
