import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { oneFile } from "./one_file.ts";

export default defineConfig({
  plugins: [react(), oneFile("../src/eventlog_lineage/report/page.html")],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    write: false,
    rolldownOptions: { output: { format: "iife" } },
  },
  // TRACES: tests/report/test_agreement.py
  test: { include: process.env.TRACES ? ["tests/agreement.ts"] : ["tests/**/*.test.ts"] },
});
