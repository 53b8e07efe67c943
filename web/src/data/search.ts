// Search over the names of datasets, columns and jobs.

import type { Model } from "./model";

export interface Hit {
  kind: "dataset" | "column" | "job";
  /** The node of a dataset or column; the number of a job. */
  number: number;
  name: string;
}

export interface Index {
  texts: string[];
  search(words: string, most: number): { hits: Hit[]; total: number };
}

export function makeIndex(model: Model, jobs: string[]): Index {
  const { datasetCount, nodeCount } = model;
  const texts: string[] = [];
  for (let node = 0; node < nodeCount; node++)
    texts.push((node < datasetCount ? model.datasetName(node) : model.columnOf(node)).toLowerCase());
  for (const job of jobs) texts.push(job.toLowerCase());
  const hit = (place: number): Hit => {
    if (place >= nodeCount) return { kind: "job", number: place - nodeCount, name: jobs[place - nodeCount] };
    return { kind: place < datasetCount ? "dataset" : "column", number: place, name: model.fullName(place) };
  };
  return {
    texts,
    search(words, most) {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      if (wanted.length === 0) return { hits: [], total: 0 };
      const whole = wanted.join(" ");
      const buckets: number[][] = [[], [], [], [], []];
      let total = 0;
      for (let place = 0; place < texts.length; place++) {
        const text = texts[place];
        const column = place >= datasetCount && place < nodeCount;
        const found = wanted.every(
          (word) => text.includes(word) || (column && inFullName(model, texts, place, word)),
        );
        if (!found) continue;
        total++;
        const rank = rankOf(text, whole, place, datasetCount);
        if (buckets[rank].length < most) buckets[rank].push(place);
      }
      return { hits: buckets.flat().slice(0, most).map(hit), total };
    },
  };
}

/** `orders.amount` finds the column amount of orders; `orders amount` too. */
function inFullName(model: Model, texts: string[], place: number, word: string): boolean {
  const dataset = texts[model.datasetOf(place)];
  if (!word.includes(".") && dataset.includes(word)) return true;
  const dot = word.lastIndexOf(".");
  return dot > 0 && dataset.endsWith(word.slice(0, dot)) && texts[place].startsWith(word.slice(dot + 1));
}

/** 0 the very name, 1 its end, 2 begins with it, 3 has it within, 4 a column whose dataset has it. */
function rankOf(text: string, whole: string, place: number, datasetCount: number): number {
  if (text === whole) return 0;
  if (place < datasetCount && (text.endsWith(`.${whole}`) || text.endsWith(`/${whole}`))) return 1;
  if (text.startsWith(whole) || (place < datasetCount && new RegExp(`[./]${escaped(whole)}`).test(text))) return 2;
  return text.includes(whole) ? 3 : 4;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
