// Light or dark: what the system says, unless the reader chose.

export type Theme = "light" | "dark";

const KEY = "eventlog-lineage-theme";

export function getTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function applyTheme(): void {
  let kept: string | null = null;
  try {
    kept = window.localStorage.getItem(KEY);
  } catch {
    // a browser may refuse storage to a file
  }
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    window.localStorage.setItem(KEY, theme);
  } catch {
    // then the choice lasts as long as the page
  }
}

/** A colour of the style sheet. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
