import type { Panel } from "../data/blocks";
import { setView, useView } from "../view/state";

export function Tabs({ panels }: { panels: Panel[] }) {
  const { tab } = useView();
  const all = [
    { name: "map", title: "Map", question: "What is in the warehouse, and how was the last night?" },
    { name: "lineage", title: "Lineage", question: "What is derived from what?" },
    ...panels,
  ];
  const found = all.findIndex((each) => each.name === tab);
  const chosen = found < 0 ? 1 : found;
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -chosen, End: all.length - 1 - chosen }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = all[(chosen + step + all.length) % all.length];
    setView({ tab: next.name, filter: "" }, true);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label="Views" onKeyDown={press}>
      {all.map(({ name, title, question }, place) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={place === chosen}
          aria-controls="content"
          tabIndex={place === chosen ? 0 : -1}
          title={question}
          onClick={() => setView({ tab: name, filter: "" }, true)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
