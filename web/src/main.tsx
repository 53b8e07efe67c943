import { createRoot } from "react-dom/client";
import { App } from "./app";
import { readBlock, readGraph } from "./data/blocks";
import type { About, FactsBlock, HistoryBlock, Panel } from "./data/blocks";
import { Facts } from "./data/facts";
import { Model } from "./data/model";
import { Past } from "./data/past";
import { makeIndex } from "./data/search";
import { chooseHome } from "./graph/home";
import { Broken } from "./parts/broken";
import { setView } from "./view/state";
import type { Store } from "./view/store";
import { applyTheme } from "./view/theme";
import "./style/all.css";

async function read(): Promise<Store> {
  const [about, graph, expressions, history, facts, panels] = await Promise.all([
    readBlock<About>("about"),
    readGraph(),
    readBlock<string[]>("expressions"),
    readBlock<HistoryBlock>("history"),
    readBlock<FactsBlock>("facts"),
    readBlock<Panel[]>("panels"),
  ]);
  const known = new Facts(facts);
  const model = new Model(
    graph,
    known.jobs.map((job) => job.name),
  );
  return {
    about,
    model,
    facts: known,
    past: new Past(model, history),
    panels,
    expressions,
    index: makeIndex(model, known, expressions),
    home: once(() => (about.focus ? Math.max(model.find(about.focus), 0) : chooseHome(model))),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

applyTheme();
const root = createRoot(document.getElementById("root") as HTMLElement);
read().then(
  (store) => {
    if (store.about.focus && !window.location.hash) setView({ tab: "lineage" });
    root.render(<App store={store} />);
  },
  (error: unknown) => root.render(<Broken message={error instanceof Error ? error.message : String(error)} />),
);
