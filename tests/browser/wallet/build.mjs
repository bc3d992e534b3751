// Bundles the wallet for injection: `node wallet/build.mjs <output file>`.
import { build } from "esbuild";
import { nodeModulesPolyfillPlugin } from "esbuild-plugins-node-modules-polyfill";

const outfile = process.argv[2];
if (!outfile) throw new Error("usage: node wallet/build.mjs <output file>");

await build({
  entryPoints: [new URL("src/main.ts", import.meta.url).pathname],
  outfile,
  bundle: true,
  minify: true,
  format: "iife",
  platform: "browser",
  target: "es2022",
  define: { global: "globalThis" },
  // The wallet's libraries were written for Node: they expect its Buffer and process.
  plugins: [nodeModulesPolyfillPlugin({ globals: { Buffer: true, process: true }, fallback: "empty" })],
  logLevel: "error",
});
