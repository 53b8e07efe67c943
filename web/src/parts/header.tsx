import { useState } from "react";
import { number, plural } from "../data/text";
import { useStore } from "../view/store";
import { getTheme, setTheme, type Theme } from "../view/theme";
import { Search } from "./search";

export function Header({ onHelp }: { onHelp: () => void }) {
  const { about, model } = useStore();
  const [theme, choose] = useState<Theme>(getTheme);
  const other = theme === "dark" ? "light" : "dark";
  return (
    <header className="header">
      <h1 className="brand">
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d="M4 6h5c4 0 3 12 7 12h4M4 18h4" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          <circle cx="4" cy="6" r="2.2" fill="currentColor" />
          <circle cx="4" cy="18" r="2.2" fill="currentColor" />
          <circle cx="20" cy="18" r="2.2" fill="currentColor" />
        </svg>
        <span>eventlog-lineage</span>
      </h1>
      <p className="facts">
        <span title="The end of the last harvest">{about.harvested_at || "no harvest"}</span>
        <span>{plural(model.datasetCount, "dataset")}</span>
        <span>{plural(model.columnCount, "column")}</span>
        <span title={`${number(about.executions)} SQL executions`}>{plural(about.jobs, "job")}</span>
        {about.left_out.length > 0 && (
          <details className="left-out">
            <summary>Not everything is in this page</summary>
            <div>
              <p>Left out:</p>
              <ul>
                {about.left_out.map((what) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
              <p>The panels are about the whole store.</p>
            </div>
          </details>
        )}
      </p>
      <Search />
      <button
        type="button"
        className="icon"
        onClick={() => {
          setTheme(other);
          choose(other);
        }}
        aria-label={`Use the ${other} theme`}
        title={`Use the ${other} theme`}
      >
        {theme === "dark" ? "☀" : "☾"}
      </button>
      <button type="button" className="icon" onClick={onHelp} aria-label="Keys and marks" title="Keys and marks (?)">
        ?
      </button>
    </header>
  );
}
