// Bundles the test page: `node build.mjs <output folder>`. The packages are those that the components are checked with.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const { build } = createRequire(`${root}tests/browser/package.json`)("esbuild");
const outdir = process.argv[2];
if (!outdir) throw new Error("usage: node build.mjs <output folder>");

/** The names under which Reflex's build knows our components. */
const ours = {
  name: "components",
  setup({ onResolve }) {
    onResolve({ filter: /^\$\/public\/external\/walletmodal\/components\// }, ({ path }) => ({
      path: path.replace(/^\$\/public\/external\/walletmodal\/components\/(\w+)\/\w+\//, `${root}components/$1/`),
    }));
  },
};

await build({
  entryPoints: [fileURLToPath(new URL("main.tsx", import.meta.url))],
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  minify: true,
  target: "es2022",
  jsx: "automatic",
  nodePaths: [`${root}scripts/typescript/node_modules`],
  plugins: [ours],
  logLevel: "error",
});
