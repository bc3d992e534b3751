/**
 * Bundles the loader to assets/walletmodal.js, assets/walletmodal-wallets.js and assets/walletmodal-onramp.js, with immutable copies under assets/v/<version>/.
 * `--dry` only measures. Fails when the first script, which a page loads before any click, is above its budget.
 */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { minify } from "terser";

const BUDGET = 8192;
const here = fileURLToPath(new URL(".", import.meta.url));
const assets = `${here}../assets`;
const { version } = JSON.parse(await readFile(`${here}package.json`, "utf8"));

/** Bundles a script; `define` are constants that it does not know itself. */
async function bundle(entry, define = {}) {
  // esbuild bundles and renames the properties that are private to a script (one leading underscore); terser then renames
  // the rest, which compresses better: the last 4 % that the budget needs.
  const { outputFiles } = await build({
    entryPoints: [`${here}src/${entry}`],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    minifySyntax: true,
    mangleProps: /^_[a-z]/,
    define,
  });
  const minified = await minify(outputFiles[0].text, {
    module: true,
    compress: { passes: 6, ecma: 2022, hoist_funs: true, keep_fargs: false, lhs_constants: false, unsafe_arrows: true, unsafe_methods: true },
  });
  const code = `(()=>{${minified.code}})();\n`;
  return { code, size: gzipSync(code, { level: 9 }).length };
}

/** What pins a script. Hosts pin the first; the hash of each other is in the script that fetches it, where a hash does not compress. */
const integrityOf = ({ code }, hash) => `${hash}-${createHash(hash).update(code).digest("base64")}`;

const onramp = await bundle("onramp/index.ts");
const wallets = await bundle("wallets/index.ts", { ONRAMP_INTEGRITY: JSON.stringify(integrityOf(onramp, "sha256")) });
const first = await bundle("index.ts", { WALLETS_INTEGRITY: JSON.stringify(integrityOf(wallets, "sha256")) });

console.log(
  `walletmodal.js ${version}: ${first.code.length} bytes, ${first.size} bytes gzip (budget ${BUDGET})\n` +
    `walletmodal-wallets.js: ${wallets.code.length} bytes, ${wallets.size} bytes gzip\n` +
    `walletmodal-onramp.js: ${onramp.code.length} bytes, ${onramp.size} bytes gzip\nintegrity="${integrityOf(first, "sha384")}"`,
);
if (first.size > BUDGET) {
  console.error("The loader is above its budget");
  process.exit(1);
}
if (!process.argv.includes("--dry")) {
  for (const folder of [assets, `${assets}/v/${version}`]) {
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/walletmodal.js`, first.code);
    await writeFile(`${folder}/walletmodal-wallets.js`, wallets.code);
    await writeFile(`${folder}/walletmodal-onramp.js`, onramp.code);
    await copyFile(`${here}walletmodal.d.ts`, `${folder}/walletmodal.d.ts`);
  }
}
