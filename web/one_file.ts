// Writes the build as one HTML file: script and style inline, allowed by their hashes alone, and a placeholder for the data.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin, Rolldown } from "vite";

const PLACEHOLDER = "<!-- eventlog-lineage: data -->";

export function oneFile(out: string): Plugin {
  return {
    name: "one-file",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const chunks = files.filter((file): file is Rolldown.OutputChunk => file.type === "chunk");
      if (chunks.length !== 1) throw new Error(`one script is needed, not ${chunks.length}`);
      const styles = files.filter(
        (file): file is Rolldown.OutputAsset => file.type === "asset" && file.fileName.endsWith(".css"),
      );
      const script = closed(chunks[0].code, "script");
      const style = closed(styles.map((file) => text(file.source)).join("\n"), "style");
      const target = resolve(process.env.REPORT_PAGE ?? out);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, html(script, style, licences(chunks[0].moduleIds)));
      for (const name of Object.keys(bundle)) delete bundle[name];
    },
  };
}

function html(script: string, style: string, notices: string): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    "<title>Lineage</title>",
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    '<div id="root"><p class="loading">Reading the lineage …</p></div>',
    "<noscript>This page needs JavaScript; it loads nothing over the network.</noscript>",
    PLACEHOLDER,
    `<script>${script}</script>`,
    `<script type="text/plain" id="licences">${closed(notices, "script")}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function text(source: string | Uint8Array): string {
  return typeof source === "string" ? source : Buffer.from(source).toString("utf-8");
}

// An HTML parser ends an element at its closing tag wherever that is; `<\/` means the same in strings of scripts.
function closed(code: string, element: string): string {
  return code.trim().replace(new RegExp(`</(?=${element})`, "gi"), "<\\/").replace(/<!--/g, "<\\!--");
}

function hash(code: string): string {
  return `sha256-${createHash("sha256").update(code, "utf-8").digest("base64")}`;
}

// The licences of all packages that are in the script.
function licences(modules: string[]): string {
  const packages = new Set<string>();
  for (const id of modules) {
    const match = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/\0/g, ""));
    if (match) packages.add(match[0]);
  }
  return [...packages].sort().map(notice).join("\n\n");
}

function notice(folder: string): string {
  const facts = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8")) as Record<string, string>;
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license", "License"]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  const words = file ? readFileSync(file, "utf-8").trim() : `Licence: ${facts.license}`;
  return `${facts.name} ${facts.version} (${facts.license})\n\n${words}`;
}
