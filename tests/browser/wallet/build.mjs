// Bundles a wallet for injection: `node wallet/build.mjs <entry> <output file>`.
import { build } from "esbuild";
import { nodeModulesPolyfillPlugin } from "esbuild-plugins-node-modules-polyfill";

const [entry, outfile] = process.argv.slice(2);
if (!entry || !outfile) throw new Error("usage: node wallet/build.mjs <entry> <output file>");

await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  minify: true,
  format: "iife",
  platform: "browser",
  target: "es2022",
  // A fetcher for Node, which brings half a megabyte of Node's network with it; no wallet of ours fetches with it.
  alias: { "micro-ftch": "./wallet/src/no_fetcher.ts" },
  define: { global: "globalThis" },
  // The wallet's libraries were written for Node: they expect its Buffer and process.
  plugins: [nodeModulesPolyfillPlugin({ globals: { Buffer: true, process: true }, fallback: "empty" })],
  logLevel: "error",
});
