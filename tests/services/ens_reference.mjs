// What the reference implementation of ENSIP-15 makes of names: one JSON list of names in, one list of normal forms (or null) out.
// With `--emoji` the emoji that it knows are its names.
//   node ens_reference.mjs …/package.json (whose packages are used) [--emoji]
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const load = createRequire(process.argv[2]);
const { ens_emoji, ens_normalize } = load("@adraffy/ens-normalize");

function normalForm(name) {
  try {
    return ens_normalize(name);
  } catch {
    return null;
  }
}

const names = process.argv[3] === "--emoji" ? ens_emoji().map((emoji) => String.fromCodePoint(...emoji)) : JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(names.map((name) => [name, normalForm(name)])));
