/** The browser extension, built from ../extension and the components of this UI. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  root: path("../extension"),
  publicDir: "public",
  base: "./",
  resolve: {
    alias: { preact: path("node_modules/preact"), "@preact/signals": path("node_modules/@preact/signals") },
  },
  build: {
    outDir: path("../src/pilotfish/interfaces/extension"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    rollupOptions: {
      input: {
        background: path("../extension/src/background.ts"),
        touch: path("../extension/src/touch.ts"),
        panel: path("../extension/panel.html"),
      },
      output: { entryFileNames: "[name].js" },
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
