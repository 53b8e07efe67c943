import { Fragment, useDeferredValue, useId, useMemo, useRef, useState } from "react";
import type { Hit, HitKind } from "../data/search";
import { middle, number, shortName, visible } from "../data/text";
import { wishFocus } from "../view/keep_focus";
import { focusOn } from "../view/state";
import { useStore } from "../view/store";

const MOST = 8;

const TITLES: Record<HitKind, string> = {
  table: "Tables",
  column: "Columns",
  exposure: "Dashboards and other exposures",
  job: "Jobs",
  path: "Paths and topics",
  label: "Owners and tags",
  expression: "Expressions",
};

export function Search() {
  const { index } = useStore();
  const [words, setWords] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const list = useId();
  const box = useRef<HTMLInputElement>(null);
  const late = useDeferredValue(words);
  const { hits, total, typo } = useMemo(() => index.search(late, MOST), [index, late]);
  const marks = useMemo(() => marksOf(late), [late]);

  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    setOpen(false);
    setWords("");
    box.current?.blur();
    wishFocus();
    focusOn(hit.name);
  };

  const press = (event: React.KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, hits.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") choose((late === words ? hits : index.search(words, MOST).hits)[active]);
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
        aria-label="Search tables, columns, jobs, paths, owners and expressions"
        aria-expanded={shown}
        aria-controls={list}
        aria-activedescendant={shown && hits[active] ? `${list}-${active}` : undefined}
        placeholder="Search tables, columns, jobs, expressions"
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
      <div className="hits" hidden={!shown} onMouseDown={(event) => event.preventDefault()}>
        <ul id={list} role="listbox" aria-label="Found">
          {shown &&
            hits.map((hit, place) => (
              <Fragment key={`${hit.kind}${hit.node}${hit.text}`}>
                {(place === 0 || hits[place - 1].kind !== hit.kind) && (
                  <li role="presentation" className="title">
                    {TITLES[hit.kind]}
                  </li>
                )}
                <li
                  id={`${list}-${place}`}
                  role="option"
                  aria-selected={place === active}
                  title={visible(hit.text || hit.name)}
                  ref={(element) => {
                    if (place === active) element?.scrollIntoView({ block: "nearest" });
                  }}
                  onMouseMove={() => setActive(place)}
                  onClick={() => choose(hit)}
                >
                  <Words hit={hit} marks={marks} />
                </li>
              </Fragment>
            ))}
        </ul>
        <p className="count" role="status">
          {!shown ? "" : total === 0 ? "No match." : typo ? `No exact match; ${number(total)} similar` : `${number(total)} found`}
        </p>
      </div>
    </div>
  );
}

function Words({ hit, marks }: { hit: Hit; marks: RegExp | null }) {
  const { model } = useStore();
  if (hit.kind === "job") return <Marked text={visible(hit.name.slice(4))} marks={marks} />;
  if (hit.kind === "label")
    return (
      <>
        <Marked text={visible(hit.text)} marks={marks} />
        <small>{visible(hit.name.replace(/^spark_catalog\./, ""))}</small>
      </>
    );
  if (hit.kind === "expression")
    return (
      <>
        <code>
          <Marked text={visible(around(hit.text, marks))} marks={marks} />
        </code>
        <small>{visible(hit.name.replace(/^spark_catalog\./, ""))}</small>
      </>
    );
  const { leaf, group } = shortName(model.datasetName(hit.node));
  const column = model.columnOf(hit.node);
  return (
    <>
      <Marked text={visible(column ? `${leaf}.${column}` : leaf)} marks={marks} />
      <small>
        <Marked text={visible(middle(group, 40))} marks={marks} />
      </small>
    </>
  );
}

function Marked({ text, marks }: { text: string; marks: RegExp | null }) {
  if (!marks) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {text.split(marks).map((part, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place; every second one matches
        place % 2 ? <mark key={place}>{part}</mark> : part,
      )}
    </bdi>
  );
}

function marksOf(typed: string): RegExp | null {
  const words = typed.split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
}

/** A long expression around its first match. */
function around(text: string, marks: RegExp | null): string {
  const at = marks ? text.search(marks) : 0;
  if (at < 40) return text.slice(0, 160);
  return `…${text.slice(at - 24, at + 120)}`;
}
