// What cards are called: the last part of the name, and what tells two of one name apart.

import { isPath, middle, shortName } from "../data/text";

/** For each name its group as a card shows it: cut in the middle, or to the part that differs from its namesakes. */
export function groupLabels(names: string[], most = 34): Map<string, string> {
  const namesakes = new Map<string, string[]>();
  for (const name of names) {
    const { leaf } = shortName(name);
    namesakes.set(leaf, [...(namesakes.get(leaf) ?? []), name]);
  }
  const labels = new Map<string, string>();
  for (const same of namesakes.values())
    for (const name of same) {
      const { group } = shortName(name);
      labels.set(name, group.length <= most ? group : same.length === 1 ? middle(group, most) : apart(name, same, most));
    }
  return labels;
}

/** The group of a name around the first part, from its end, in which another name differs. */
function apart(name: string, same: string[], most: number): string {
  const parts = partsOf(name);
  let differs = 1;
  for (const other of same) {
    if (other === name) continue;
    const its = partsOf(other);
    let place = 1;
    while (place < parts.length && parts.at(-1 - place) === its.at(-1 - place)) place++;
    differs = Math.max(differs, place);
  }
  const at = Math.max(parts.length - 1 - differs, 0);
  const separator = isPath(name) ? "/" : ".";
  const head = at > 0 ? `…${separator}` : "";
  const rest = parts.length - 2 - at;
  return middle(`${head}${parts[at]}${rest > 0 ? `${separator}${parts.slice(at + 1, -1).join(separator)}` : ""}`, most);
}

function partsOf(name: string): string[] {
  return isPath(name) ? name.split("/") : name.replace(/^spark_catalog\.(?=.)/, "").split(".");
}
