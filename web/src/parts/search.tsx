import { useDeferredValue, useId, useMemo, useRef, useState } from "react";
import type { Hit } from "../data/search";
import { number, visible } from "../data/text";
import { focusOn, setView } from "../view/state";
import { useStore } from "../view/store";

const MOST = 40;

export function Search() {
  const { index } = useStore();
  const [words, setWords] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const list = useId();
  const box = useRef<HTMLInputElement>(null);
  const late = useDeferredValue(words);
  const { hits, total } = useMemo(() => index.search(late, MOST), [index, late]);

  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    setOpen(false);
    setWords("");
    box.current?.blur();
    if (hit.kind === "job") setView({ tab: "lineage", selected: `job:${hit.name}` }, true);
    else focusOn(hit.name);
  };

  const press = (event: React.KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, hits.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") choose(hits[active]);
    else if (event.key === "Escape") {
      setWords("");
      setOpen(false);
      box.current?.blur();
    } else return;
    event.preventDefault();
  };

  const shown = open && words.trim() !== "";
  return (
    <div className="search">
      <input
        id="search"
        ref={box}
        type="search"
        role="combobox"
        aria-label="Search datasets, columns and jobs"
        aria-expanded={shown}
        aria-controls={list}
        aria-activedescendant={shown && hits[active] ? `${list}-${active}` : undefined}
        placeholder="Search datasets, columns, jobs"
        autoComplete="off"
        spellCheck={false}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      <kbd aria-hidden="true">/</kbd>
      {shown && (
        <div className="hits" onMouseDown={(event) => event.preventDefault()}>
          <ul id={list} role="listbox" aria-label="Found">
            {hits.map((hit, place) => (
              <li
                key={`${hit.kind}${hit.number}`}
                id={`${list}-${place}`}
                role="option"
                aria-selected={place === active}
                ref={(element) => {
                  if (place === active) element?.scrollIntoView({ block: "nearest" });
                }}
                onMouseMove={() => setActive(place)}
                onClick={() => choose(hit)}
              >
                <span className={`kind ${hit.kind}`}>{hit.kind}</span>
                <bdi>{visible(hit.name)}</bdi>
              </li>
            ))}
          </ul>
          <p className="count" role="status">
            {total === 0 ? "No name has these words." : total > MOST ? `${number(MOST)} of ${number(total)}` : number(total)}
          </p>
        </div>
      )}
    </div>
  );
}
