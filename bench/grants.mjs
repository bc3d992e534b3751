/** Signs delegations with the embedded wallet's own scripts, as a visitor's browser does: `{data, rounds}` on standard input, the ms of each on standard output. */
import { readFileSync } from "node:fs";
import { build } from "../secure/web/node_modules/esbuild/lib/main.js";
import { readRequest } from "../secure/static/typed_data.js";

const entryPoints = [new URL("../secure/web/src/keys.ts", import.meta.url).pathname];
const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: "esm", target: "es2022" });
const core = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
const made = await core.deriveKeys(crypto.getRandomValues(new Uint8Array(16)));
const addresses = core.addressesOf(made);
const tools = { ...core, loadSmartAccount: () => import("../secure/static/smart_account.js") };

const { data, rounds } = JSON.parse(readFileSync(0, "utf8"));
const took = [];
for (let salt = 0; salt < rounds; salt++) {
  const message = { ...data.message, delegator: addresses.evm, salt: String(salt) };
  const asked = { method: "eth_signTypedData_v4", params: [addresses.evm, { ...data, message }], chain: "eip155:1", addresses, origin: "https://host.example" };
  const began = performance.now();
  const plan = await readRequest(asked, tools);
  plan.sign(made);
  took.push(performance.now() - began);
}
console.log(JSON.stringify(took));
