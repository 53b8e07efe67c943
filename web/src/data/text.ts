// Numbers, times and names as people read them.

export function number(value: number): string {
  return value.toLocaleString("en-US");
}

export function plural(count: number, word: string, many = `${word}s`): string {
  return `${number(count)} ${count === 1 ? word : many}`;
}

export function time(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "";
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

export function size(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return unit === 0 ? `${number(bytes)} B` : `${value.toFixed(value < 10 ? 1 : 0)} ${UNITS[unit]}`;
}

/** A span of time in its two biggest units. */
export function span(seconds: number): string {
  const parts: [number, string][] = [
    [86400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ];
  if (seconds < 60) return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
  const first = parts.findIndex(([unit]) => seconds >= unit);
  const [big, name] = parts[first];
  const [small, other] = parts[first + 1];
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)} ${name}${rest ? ` ${rest} ${other}` : ""}`;
}

const EXPOSURE = "exposure:";
/** Where exposures are in place of a schema. */
export const EXPOSURES = "Exposures";

/** Whether a dataset's name is that of a declared dashboard, notebook or the like. */
export function isExposure(dataset: string): boolean {
  return dataset.startsWith(EXPOSURE);
}

/** Whether a dataset's name is a path or an address, not a name in a catalog. */
export function isPath(dataset: string): boolean {
  if (isExposure(dataset)) return false;
  return /^[a-z0-9+.-]+:/i.test(dataset) || dataset.includes("/");
}

export interface ShortName {
  leaf: string;
  group: string;
}

/** The last part of a dataset's name, and what is in front of it. */
export function shortName(dataset: string): ShortName {
  if (isExposure(dataset)) return { leaf: dataset.slice(EXPOSURE.length), group: EXPOSURES };
  const view = /^([^@/]+)@([^./@]+)$/.exec(dataset); // a temporary view, with its application
  if (view) return { leaf: view[1], group: view[2] };
  const cut = dataset.lastIndexOf(isPath(dataset) ? "/" : ".");
  if (cut <= 0 || cut === dataset.length - 1) return { leaf: dataset, group: "" };
  return { leaf: dataset.slice(cut + 1), group: dataset.slice(0, cut).replace(/^spark_catalog\.(?=.)/, "") };
}

/** The end of a long name. */
export function tail(text: string, most: number): string {
  return text.length > most ? `…${text.slice(text.length - most + 1)}` : text;
}

/** A long text without its middle. */
export function middle(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.ceil((most - 1) * 0.6);
  return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`;
}

/** A dataset as a sentence names it: database and table, or the last two folders. */
export function friendly(dataset: string): string {
  const { leaf, group } = shortName(dataset);
  if (!group || isExposure(dataset)) return leaf;
  if (dataset === `${leaf}@${group}`) return leaf;
  return dataset.includes("/") ? `${group.slice(group.lastIndexOf("/") + 1)}/${leaf}` : `${group}.${leaf}`;
}

/** Characters that change the direction of text or show nothing, made visible: those that `safe_text.py` escapes. */
export function visible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu,
    (character) => `\u2423${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
