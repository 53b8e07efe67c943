// What a page shows first: a dataset with something on both sides, and not too much of it.

import { type Model } from "../data/model";

const FITS = 14;

export function chooseHome(model: Model): number {
  const next = neighbours(model);
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let dataset = 0; dataset < model.datasetCount; dataset++) {
    const up = near(next.up, dataset);
    const down = near(next.down, dataset);
    const score = Math.min(up, 6) + Math.min(down, 6) - Math.max(up + down - FITS, 0);
    if (score > most) [best, most] = [dataset, score];
  }
  return best;
}

function neighbours(model: Model): { up: Set<number>[]; down: Set<number>[] } {
  const up = Array.from({ length: model.datasetCount }, () => new Set<number>());
  const down = Array.from({ length: model.datasetCount }, () => new Set<number>());
  for (let link = 0; link < model.linkCount; link++) {
    if (model.linkDependency[link] !== 0) continue;
    const source = model.datasetOf(model.linkSource[link]);
    const target = model.datasetOf(model.linkTarget[link]);
    if (source === target) continue;
    up[target].add(source);
    down[source].add(target);
  }
  return { up, down };
}

/** Datasets within two hops; counting stops where there are many. */
function near(next: Set<number>[], dataset: number): number {
  const found = new Set<number>();
  for (const one of next[dataset]) {
    found.add(one);
    for (const two of next[one]) {
      found.add(two);
      if (found.size > 200) return found.size;
    }
  }
  found.delete(dataset);
  return found.size;
}
