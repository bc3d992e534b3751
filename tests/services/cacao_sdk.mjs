// What the SDK's own functions make of a request: `{request, chains, methods, narrowed}` per line in, `{message, cacao}[]` per line out.
//   node cacao_sdk.mjs …/package.json (whose packages are used)
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const load = createRequire(process.argv[2]);
const { buildAuthObject, formatMessage, populateAuthPayload } = load("@walletconnect/utils");
const { privateKeyToAccount } = load("viem/accounts");
const account = privateKeyToAccount(`0x${"7".padStart(64, "0")}`);

for await (const line of createInterface({ input: process.stdin })) {
  const { request, chains, methods, narrowed } = JSON.parse(line);
  const payload = narrowed ? populateAuthPayload({ authPayload: request, chains, methods }) : request;
  const made = [];
  for (const chain of chains) {
    const iss = `did:pkh:${chain}:${account.address}`;
    const message = formatMessage(payload, iss);
    const signature = await account.signMessage({ message });
    made.push({ message, cacao: buildAuthObject(payload, { t: "eip191", s: signature }, iss) });
  }
  process.stdout.write(`${JSON.stringify(made)}\n`);
}
