// What happened to each dataset in the last night.

import type { About, Panel } from "../data/blocks";
import type { Facts, Job } from "../data/facts";
import type { Model } from "../data/model";
import type { Past } from "../data/past";

export const STATES = ["failed", "late", "changed", "new", "gap", "written", "quiet"] as const;
export type State = (typeof STATES)[number];

/** States that the strip counts and the map marks. */
export const MARKS: State[] = ["failed", "late", "changed", "new", "gap"];

export interface LastNight {
  since: number;
  until: number;
  /** The datasets of each mark; a dataset can have several. */
  marked: Record<State, Set<number>>;
  /** Dataset to its gravest state. */
  state: State[];
  /** Jobs whose last run failed in the night. */
  failedJobs: string[];
}

export function lastNight(model: Model, facts: Facts, past: Past, panels: Panel[], about: About): LastNight {
  const until = about.night.until ?? 0;
  const since = about.night.since ?? 0;
  const marked = Object.fromEntries(STATES.map((state) => [state, new Set<number>()])) as LastNight["marked"];
  for (const { dataset, at, status } of facts.writes.values()) {
    if (status === "failed") marked.failed.add(dataset);
    else if (at > since) marked.written.add(dataset);
  }
  const late = panels.find(({ name }) => name === "late");
  const times = late?.columns.findIndex(({ name }) => name === "times_usual") ?? -1;
  for (const row of late?.rows ?? []) {
    const dataset = Number(row[times]) >= LATE ? model.find(String(row[0])) : -1;
    if (dataset >= 0) marked.late.add(dataset);
  }
  for (const change of past.between(since, until)) marked.changed.add(change.dataset);
  const first = about.night.first_run ?? until;
  if (first <= since) model.datasets.first.forEach((at, dataset) => at !== null && at > since && marked.new.add(dataset));
  for (const dataset of facts.datasetsWithGaps) marked.gap.add(dataset);
  const state: State[] = model.datasets.name.map((_, dataset) => STATES.find((each) => marked[each].has(dataset)) ?? "quiet");
  const failedJobs = facts.jobs.filter((job) => job.status === "failed" && (job.last ?? 0) > since).map((job) => job.name);
  return { since, until, marked, state, failedJobs };
}

/** From so many of its usual gaps on, a dataset is late. */
export const LATE = 2;

export const DAY = 86_400_000;

/** Applications that write late datasets and of which no log came in the last day before `until`; those with most datasets first. */
export function silentApplications(panel: Panel, jobs: Pick<Job, "name" | "last">[], until: number) {
  const application = (job: string) => job.split(": ")[0];
  const newest = new Map<string, number>();
  for (const { name, last } of jobs) newest.set(application(name), Math.max(newest.get(application(name)) ?? 0, last ?? 0));
  const [times, job] = ["times_usual", "job_name"].map((name) => panel.columns.findIndex((column) => column.name === name));
  const datasets = new Map<string, number>();
  for (const row of panel.rows) {
    const name = application(String(row[job] ?? ""));
    const last = newest.get(name) ?? until;
    if (Number(row[times]) >= LATE && last < until - DAY) datasets.set(name, (datasets.get(name) ?? 0) + 1);
  }
  return [...datasets].map(([name, count]) => ({ name, datasets: count, last: newest.get(name) ?? 0 })).sort((a, b) => b.datasets - a.datasets);
}
