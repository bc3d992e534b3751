/** Signs requests with the embedded wallet's own scripts: a list of requests on standard input, what comes of each on standard output. */
import { readFileSync } from "node:fs";
import { build } from "../../secure/web/node_modules/esbuild/lib/main.js";

const web = new URL("../../secure/web/", import.meta.url).pathname;
const load = async (file) => {
  const { outputFiles } = await build({ entryPoints: [`${web}src/${file}`], bundle: true, write: false, format: "esm", target: "es2022" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
};
const [keys, { spendingOf }] = [await load("keys.ts"), await load("later/sums.ts")];
const { readRequest } = await import("../../secure/static/typed_data.js");
const loadSmartAccount = () => import("../../secure/static/smart_account.js");
const kept = new Map();
const store = { get: async (key) => kept.get(key), put: async (key, value) => void kept.set(key, value) };
globalThis.document = { querySelector: () => ({ content: "eip155:1 eip155:137" }) };

class FrameError extends Error {
  constructor(message, code, reason, data) {
    super(message);
    Object.assign(this, { code, reason, data });
  }
}

const invalid = (what) => new FrameError(`Invalid params: ${what}`, -32602);

/** What bytes that are signed take at most, in the letters of the server. */
function measure({ payload, chain }) {
  const spent = spendingOf(Uint8Array.from(Buffer.from(payload, "hex")), chain);
  return { spent: spent && Object.fromEntries([...spent].map(([asset, amount]) => [asset, String(amount)])) };
}

async function sign({ entropy, method, params, chain, node = {} }) {
  const made = await keys.deriveKeys(Buffer.from(entropy, "hex"));
  const addresses = keys.addressesOf(made);
  if (!method) return { addresses, words: keys.mnemonicOf(Buffer.from(entropy, "hex")) };
  const asked = {
    ...{ method, params, chain, addresses, origin: "https://host.example", store },
    node: async (name) => {
      if (!(name in node)) throw new FrameError("no such method", -32601, "rpc");
      return node[name];
    },
  };
  const { summary, sign: signed, transactions = [] } = await readRequest(asked, { ...keys, FrameError, invalid, loadSmartAccount });
  return { addresses, summary, signed: signed(made), payloads: transactions.map((one) => Buffer.from(one).toString("hex")) };
}

const requests = JSON.parse(readFileSync(0, "utf8"));
const answers = await Promise.all(requests.map((one) => (one.payload === undefined ? sign(one) : Promise.resolve(measure(one))).catch((error) => ({ error: error.message }))));
console.log(JSON.stringify(answers));
