// Makes paymasters.json. Run in sandbox/, where `npm install --no-save @pimlico/mock-paymaster@0.0.7` has put the package:
//   node evm/contracts/extract.mjs
// The package brings a web server along, so that it is no dependency.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "..", "..", "node_modules", "@pimlico", "mock-paymaster", "constants.ts");
const text = readFileSync(source, "utf8");

const code = {};
for (const version of ["07", "08"]) {
  const found = text.match(new RegExp(`getSingletonPaymaster${version}InitCode = [^]*?"(0x[0-9a-f]{9000,})"`));
  if (found === null) throw new Error(`the package has no paymaster for entry point ${version}`);
  code[`SingletonPaymaster${version}`] = found[1];
}
writeFileSync(join(here, "paymasters.json"), `${JSON.stringify(code, null, 2)}\n`);
