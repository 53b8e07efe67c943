import type { Cell, Panel } from "../data/blocks";
import { number, span, time } from "../data/text";
import { useStore } from "../view/store";

interface Tile {
  label: string;
  value: string;
  note?: string;
  tone?: "good" | "bad" | "warn";
}

/** The numbers that a panel comes down to. */
export function Tiles({ panel }: { panel: Panel }) {
  const { about } = useStore();
  const at = (name: string) => panel.columns.findIndex((column) => column.name === name);
  const sum = (name: string) => panel.rows.reduce((total, row) => total + Number(row[at(name)] ?? 0), 0);
  const rows = (test: (row: Cell[]) => boolean) => panel.rows.filter(test);
  const tiles: Tile[] = [];
  if (panel.name === "nights") {
    const failed = sum("failed");
    tiles.push(
      { label: "days", value: number(panel.rows.length) },
      { label: "statements", value: number(sum("statements")) },
      { label: "failed", value: number(failed), tone: failed ? "bad" : "good" },
      { label: "statement time", value: span(sum("seconds")) },
    );
  } else if (panel.name === "failures") {
    tiles.push(
      { label: "jobs failed last", value: number(panel.total), tone: panel.total ? "bad" : "good" },
      { label: "with waiting jobs", value: number(rows((row) => Number(row[at("waiting_jobs")]) > 0).length) },
    );
  } else if (panel.name === "late") {
    const late = rows((row) => Number(row[at("times_usual")]) >= 2).length;
    tiles.push(
      { label: "more than 2× overdue", value: number(late), tone: late ? "bad" : "good" },
      { label: "datasets with a usual gap", value: number(panel.total) },
      { label: "last event in a log", value: time(about.night.until) },
    );
  } else if (panel.name === "personal_data") {
    tiles.push(
      { label: "columns reached unmasked", value: number(panel.total), tone: panel.total ? "warn" : "good" },
      { label: "datasets", value: number(new Set(panel.rows.map((row) => row[at("dataset")])).size) },
    );
  } else if (panel.name === "changes") {
    const broke = rows((row) => row[at("failed_next")] !== null).length;
    tiles.push(
      { label: "changes", value: number(panel.total) },
      { label: "with dependants", value: number(rows((row) => Number(row[at("dependants")] ?? 0) > 0).length), tone: "warn" },
      { label: "followed by a failure", value: number(broke), tone: broke ? "bad" : "good" },
    );
  } else if (panel.name === "removable") {
    tiles.push(
      { label: "datasets nobody reads", value: number(rows((row) => row[0] === "dataset").length) },
      { label: "columns nobody reads", value: number(rows((row) => row[0] === "column").length) },
    );
  } else if (panel.name === "trust") tiles.push(...trust(panel));
  if (tiles.length === 0) return null;
  return (
    <dl className="tiles">
      {tiles.map((tile) => (
        <div key={tile.label} className={tile.tone ?? ""}>
          <dt>{tile.label}</dt>
          <dd>
            {tile.tone === "bad" && "▲ "}
            {tile.value}
          </dd>
          {tile.note && <dd className="note">{tile.note}</dd>}
        </div>
      ))}
    </dl>
  );
}

function trust(panel: Panel): Tile[] {
  const count = (topic: string, item?: string) =>
    panel.rows.filter((row) => row[0] === topic && (item === undefined || row[1] === item)).reduce((sum, row) => sum + Number(row[2]), 0);
  const edges = count("edges");
  const share = (item: string) => (edges ? `${((100 * count("edges", item)) / edges).toFixed(1)} %` : "—");
  const logs = count("logs");
  const unread = count("logs", "unreadable") + count("logs", "truncated");
  const gaps = count("gaps");
  return [
    { label: "exact edges", value: share("exact"), note: number(count("edges", "exact")) },
    { label: "inferred", value: share("inferred"), note: number(count("edges", "inferred")) },
    { label: "opaque", value: share("opaque"), note: number(count("edges", "opaque")) },
    { label: "gaps", value: number(gaps), tone: gaps ? "warn" : "good" },
    { label: "logs read", value: number(logs - unread), note: unread ? `${number(unread)} truncated or unreadable` : "", tone: unread ? "bad" : "good" },
  ];
}
