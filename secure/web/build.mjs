/**
 * Bundles the page of the embedded wallet to ../static/: frame.js, typed_data.js (loaded when a wallet is open), later.js (what only some
 * visitors ever ask for), recovery_settings.js (recovery passwords, with argon2id), account.js (the end of an account, and the beginning of one with a passkey alone), handover.js (the wallet for
 * another site of the same browser), smart_account.js (calls at once) or safe.js in its place (accounts that are Safes), passkey_owner.js (passkeys that own Safes), grants.js
 * (permissions as AppKit's pages ask for them), host_client.js (for host pages that have the reference's own client), frame.css, and with `--texts FILE` (`scripts/card_texts.py`) the texts of each other language. What an earlier build has written and this one has not is removed: all that is
 * there is published. `--dry` only measures; `--output` names another folder. Fails above the budgets:
 * of what a visitor loads first, of that with typed_data.js, and of each of the others.
 */
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { minify } from "terser";
import { networks } from "./networks.mjs";

const FIRST_BUDGET = 40_000;
const BUDGET = 56_000;
const LATER_BUDGET = 12_100;
const RECOVERY_SETTINGS_BUDGET = 14_000;
const ACCOUNT_BUDGET = 10_000;
const HANDOVER_BUDGET = 8_000;
const SMART_ACCOUNT_BUDGET = 10_600;
const SAFE_BUDGET = 10_000;
const PASSKEY_OWNER_BUDGET = 4_000;
const GRANTS_BUDGET = 4_000;
const LANGUAGE_BUDGET = 10_000;
/** What turns text into markup or code; the page's policy forbids it as well. */
const FORBIDDEN = /\.(?:innerHTML|outerHTML|insertAdjacentHTML|srcdoc)\b|\bdocument\.write\b|\beval\(|new Function\b/;
const here = fileURLToPath(new URL(".", import.meta.url));
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const output = option("--output") ?? `${here}../static`;

/** The words of recovery phrases, which are in order: how many letters each has of the one before, and the others. A third less to load. */
const uncoded = (coded) => {
  let word = "";
  return coded.match(/\d[a-z]+/g).map((one) => (word = word.slice(0, one[0]) + one.slice(1)));
};
const coded = wordlist.reduce(
  ([text, before], word) => {
    const shared = [...word].findIndex((letter, at) => letter !== before[at]);
    return [text + shared + word.slice(shared), word];
  },
  ["", ""],
)[0];
if (uncoded(coded).join() !== wordlist.join()) throw new Error("the words are coded wrong");
const words = {
  name: "words",
  setup: (found) =>
    found.onLoad({ filter: /bip39\/wordlists\/english\.js$/ }, () => ({ contents: `export const wordlist = (${uncoded})("${coded}")` })),
};

async function bundle(entry, format, defined = {}) {
  const { outputFiles } = await build({
    entryPoints: [`${here}src/${entry}`],
    bundle: true,
    write: false,
    format,
    target: "es2022",
    charset: "utf8",
    minifySyntax: true,
    define: { NETWORKS: JSON.stringify(networks), ...defined },
    plugins: [words],
  });
  const { code } = await minify(outputFiles[0].text, {
    module: true,
    compress: { passes: 3, ecma: 2022, keep_fargs: false, unsafe_arrows: true, unsafe_methods: true },
    format: { comments: false },
  });
  if (FORBIDDEN.test(code)) throw new Error(`${entry} makes markup or code of text`);
  return code + "\n";
}

async function styles() {
  const { outputFiles } = await build({ entryPoints: [`${here}src/frame.css`], bundle: true, write: false, minify: true, charset: "utf8" });
  return outputFiles[0].text;
}

const files = {
  "frame.js": await bundle("main.ts", "iife"),
  "typed_data.js": await bundle("typed_data.ts", "esm"),
  "later.js": await bundle("later.ts", "esm"),
  "host_client.js": await bundle("host_client.ts", "esm"),
  "recovery_settings.js": await bundle("recovery_settings.ts", "esm"),
  "account.js": await bundle("account.ts", "esm"),
  "handover.js": await bundle("handover.ts", "esm"),
  "smart_account.js": await bundle("smart_account.ts", "esm"),
  "safe.js": await bundle("safe.ts", "esm"),
  "passkey_owner.js": await bundle("passkey_owner.ts", "esm"),
  "grants.js": await bundle("grants.ts", "esm"),
  "frame.css": await styles(),
};
const cardTexts = option("--texts");
const languages = cardTexts ? JSON.parse(await readFile(cardTexts, "utf8")) : {};
for (const [tag, texts] of Object.entries(languages)) files[`${tag}.js`] = await bundle("said.ts", "esm", { TEXTS: JSON.stringify(texts) });
const size = (name) => gzipSync(files[name], { level: 9 }).length;
for (const [name, content] of Object.entries(files)) {
  const integrity = "sha384-" + createHash("sha384").update(content).digest("base64");
  console.log(`${name}: ${content.length} bytes, ${size(name)} bytes gzip, integrity="${integrity}"`);
}
const budgets = [
  ["frame.js", size("frame.js"), FIRST_BUDGET],
  ["frame.js with typed_data.js", size("frame.js") + size("typed_data.js"), BUDGET],
  ["later.js", size("later.js"), LATER_BUDGET],
  ["recovery_settings.js", size("recovery_settings.js"), RECOVERY_SETTINGS_BUDGET],
  ["account.js", size("account.js"), ACCOUNT_BUDGET],
  ["handover.js", size("handover.js"), HANDOVER_BUDGET],
  ["smart_account.js", size("smart_account.js"), SMART_ACCOUNT_BUDGET],
  ["safe.js", size("safe.js"), SAFE_BUDGET],
  ["passkey_owner.js", size("passkey_owner.js"), PASSKEY_OWNER_BUDGET],
  ["grants.js", size("grants.js"), GRANTS_BUDGET],
  ...Object.keys(languages).map((tag) => [`${tag}.js`, size(`${tag}.js`), LANGUAGE_BUDGET]),
];
const above = budgets.filter(([, bytes, most]) => bytes > most);
for (const [name, bytes, most] of above) console.error(`above the budget: ${name} has ${bytes} of ${most} bytes`);
if (above.length) process.exit(1);
if (!process.argv.includes("--dry")) {
  await mkdir(output, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(`${output}/${name}`, content);
  for (const name of await readdir(output)) if (/^[^.].*\.(js|css)$/.test(name) && !Object.hasOwn(files, name)) await rm(`${output}/${name}`);
}
