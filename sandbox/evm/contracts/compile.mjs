// Makes bytecode.json of the contracts beside it. Run in sandbox/, where `npm install --no-save solc@0.8.37` has put the compiler:
//   node evm/contracts/compile.mjs
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, "..", "..", "node_modules");
const solc = createRequire(join(packages, "index.js"))("solc");

const contracts = readdirSync(here).filter((name) => name.endsWith(".sol"));
const read = (name) => readFileSync(name.startsWith("@") ? join(packages, name) : join(here, name), "utf8");
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: "paris",
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
};
const sources = Object.fromEntries(contracts.map((name) => [name, { content: read(name) }]));
const input = JSON.stringify({ language: "Solidity", sources, settings });
const output = JSON.parse(solc.compile(input, { import: (name) => ({ contents: read(name) }) }));
const failures = (output.errors ?? []).filter((one) => one.severity === "error");
if (failures.length > 0) throw new Error(failures.map((one) => one.formattedMessage).join("\n"));

const code = {};
for (const name of contracts) {
  for (const [contract, made] of Object.entries(output.contracts[name])) {
    const bytecode = made.evm.bytecode.object;
    // A library of internal functions alone is compiled into those that use it.
    if (contract.startsWith("Sandbox")) code[contract] = `0x${bytecode}`;
  }
}
writeFileSync(join(here, "bytecode.json"), `${JSON.stringify(code, null, 2)}\n`);
