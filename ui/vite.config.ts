/** The UI is built into the Python package, which serves it. */
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    outDir: "../src/pilotfish/interfaces/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
