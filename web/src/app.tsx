import { useEffect, useState } from "react";
import { Header } from "./parts/header";
import { Help } from "./parts/help";
import { Lineage } from "./parts/lineage";
import { MapView } from "./parts/map";
import { PanelView } from "./parts/panel";
import { Tabs } from "./parts/tabs";
import { wishFocus } from "./view/keep_focus";
import { setView, useView } from "./view/state";
import { type Store, StoreContext } from "./view/store";

export function App({ store }: { store: Store }) {
  const view = useView();
  const [help, setHelp] = useState(false);
  const panel = store.panels.find((each) => each.name === view.tab);

  useEffect(() => {
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  }, []);

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key === "/" && !typing) {
        event.preventDefault();
        document.getElementById("search")?.focus();
      } else if (event.key === "?" && !typing) setHelp(true);
      else if (event.key === "Escape" && !typing && !event.defaultPrevented) {
        if (help) setHelp(false);
        else if (view.selected || view.mark) setView({ selected: "", mark: "" });
        else if (window.history.state?.step) {
          wishFocus();
          window.history.back();
        }
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [help, view.selected, view.mark]);

  return (
    <StoreContext.Provider value={store}>
      <a className="skip" href="#lineage" onClick={(event) => skip(event)}>
        Skip to the content
      </a>
      <Header onHelp={() => setHelp(true)} />
      <Tabs panels={store.panels} />
      <main id="content" tabIndex={-1} role="tabpanel" aria-labelledby={`tab-${panel ? panel.name : view.tab === "map" ? "map" : "lineage"}`}>
        {panel ? <PanelView key={panel.name} panel={panel} /> : !store.model.datasetCount ? <Nothing /> : view.tab === "map" ? <MapView /> : <Lineage />}
      </main>
      {help && <Help onClose={() => setHelp(false)} />}
    </StoreContext.Provider>
  );
}

function Nothing() {
  return (
    <div className="broken">
      <h2>The store has no datasets yet</h2>
      <p>
        Read some event logs with <code>eventlog-lineage harvest</code>, and write the page again.
      </p>
    </div>
  );
}

function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
