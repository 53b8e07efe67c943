import { useVirtualizer } from "@tanstack/react-virtual";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { number, shortName, tail, visible } from "../data/text";
import type { Marks } from "../graph/marks";
import { focusOn } from "../view/state";
import { useStore } from "../view/store";
import { KindIcon } from "./icons";

type Item = { group: string; count: number; open: boolean } | { dataset: number; leaf: string };

const ROW = 26;

export function Sidebar({ focus, marks }: { focus: number; marks: Marks }) {
  const { model, facts, past } = useStore();
  const [words, setWords] = useState("");
  const [changed, setChanged] = useState(false);
  const [withGaps, setWithGaps] = useState(false);
  const [closed, setClosed] = useState<Set<string> | null>(null);
  const late = useDeferredValue(words);
  const home = model.datasetOf(focus);

  const groups = useMemo(() => {
    const found = new Map<string, { dataset: number; leaf: string }[]>();
    const wanted = late.toLowerCase().split(/\s+/).filter(Boolean);
    const touched = marks.changes.length ? marks.datasets : new Set(past.changes.map((change) => change.dataset));
    const gaps = facts.datasetsWithGaps;
    model.datasets.name.forEach((name, dataset) => {
      if (changed && !touched.has(dataset)) return;
      if (withGaps && !gaps.has(dataset)) return;
      const lower = name.toLowerCase();
      if (!wanted.every((word) => lower.includes(word))) return;
      const { leaf, group } = shortName(name);
      const known = found.get(group);
      if (known) known.push({ dataset, leaf });
      else found.set(group, [{ dataset, leaf }]);
    });
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  }, [model, facts, past, late, changed, withGaps, marks]);

  const few = groups.reduce((sum, [, members]) => sum + members.length, 0) <= 200;
  const own = shortName(model.datasetName(home)).group;
  const isOpen = (group: string) => (closed ? !closed.has(group) : few || late !== "" || group === own);
  const items: Item[] = [];
  for (const [group, members] of groups) {
    const open = isOpen(group);
    items.push({ group, count: members.length, open });
    if (open) items.push(...members);
  }

  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: items.length, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 12 });
  const homePlace = items.findIndex((item) => "dataset" in item && item.dataset === home);
  useEffect(() => {
    if (homePlace >= 0) rows.scrollToIndex(homePlace, { align: "center" });
  }, [home]);

  const toggle = (group: string, open: boolean) => {
    const next = new Set(closed ?? groups.map(([name]) => name).filter((name) => !isOpen(name)));
    if (open) next.add(group);
    else next.delete(group);
    setClosed(next);
  };

  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = Number((event.target as HTMLElement).dataset.place ?? -1);
    const next = Math.min(Math.max(at + step, 0), items.length - 1);
    rows.scrollToIndex(next);
    requestAnimationFrame(() => scroll.current?.querySelector<HTMLElement>(`[data-place="${next}"]`)?.focus());
  };

  return (
    <nav className="sidebar" aria-label="Datasets">
      <input
        type="search"
        aria-label="Filter the datasets"
        placeholder="Filter datasets"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="filters">
        <label title="Something of it changed: in the marked time, or ever">
          <input type="checkbox" checked={changed} onChange={(event) => setChanged(event.target.checked)} /> changed
        </label>
        <label title="Some of its lineage could not be resolved">
          <input type="checkbox" checked={withGaps} onChange={(event) => setWithGaps(event.target.checked)} /> has gaps
        </label>
      </div>
      <div className="tree" ref={scroll} onKeyDown={press} role="tree" aria-label="Datasets by database or folder">
        <div style={{ height: rows.getTotalSize() }} role="presentation">
          {rows.getVirtualItems().map((row) => {
            const item = items[row.index];
            const place = { transform: `translateY(${row.start}px)`, height: ROW };
            return "group" in item ? (
              <button
                key={row.key}
                type="button"
                role="treeitem"
                className="group"
                style={place}
                data-place={row.index}
                tabIndex={row.index === 0 ? 0 : -1}
                aria-level={1}
                aria-expanded={item.open}
                title={visible(item.group)}
                onClick={() => toggle(item.group, item.open)}
              >
                <span aria-hidden="true">{item.open ? "▾" : "▸"}</span>
                <bdi>{visible(tail(item.group, 27)) || "(no database)"}</bdi>
                <span className="count">{number(item.count)}</span>
              </button>
            ) : (
              <button
                key={row.key}
                type="button"
                role="treeitem"
                className="leaf"
                style={place}
                data-place={row.index}
                tabIndex={item.dataset === home ? 0 : -1}
                aria-level={2}
                aria-current={item.dataset === home ? "true" : undefined}
                aria-selected={item.dataset === home}
                title={visible(model.datasetName(item.dataset))}
                onClick={() => focusOn(model.datasetName(item.dataset))}
              >
                <KindIcon kind={model.datasets.kind[item.dataset]} />
                <bdi>{visible(item.leaf)}</bdi>
                {marks.datasets.has(item.dataset) && <span className="mark changed">~</span>}
                {facts.gapsOf(item.dataset).length > 0 && <span className="badge gap">gap</span>}
              </button>
            );
          })}
        </div>
      </div>
      {items.length === 0 && <p className="none">No dataset matches.</p>}
    </nav>
  );
}
