/** The options of the demo's instance: its own, with those of the address bar merged in. */

export type Options = Record<string, unknown>;

export const NETWORKS: readonly (readonly [string, string])[] = [
  ["eip155:1", "Ethereum"],
  ["eip155:137", "Polygon"],
  ["eip155:10", "OP Mainnet"],
  ["eip155:8453", "Base"],
  ["eip155:42161", "Arbitrum One"],
];

const OWN: Options = {
  networks: NETWORKS.map(([id]) => id),
  metadata: {
    name: "WalletModal demo",
    description: "A page that embeds WalletModal",
    url: location.origin,
    icons: [`${location.origin}/demo/favicon.svg`],
  },
};

/** Merge `?options=` into the demo's own options; `problem` says why it could not be. */
export function demoOptions(query: string): { options: Options; problem?: string } {
  const given = new URLSearchParams(query).get("options");
  if (given === null || given === "") return { options: OWN };
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch (error) {
    return { options: OWN, problem: `?options= is no JSON and was left out: ${(error as Error).message}` };
  }
  if (!isPlain(parsed)) return { options: OWN, problem: "?options= must be a JSON object and was left out." };
  return { options: merged(OWN, parsed) };
}

/** Objects are merged key by key, everything else is replaced. */
function merged(own: Options, given: Options): Options {
  const result: Options = { ...own };
  for (const [key, value] of Object.entries(given)) {
    // JSON can carry this name as a key; written to, it would change the object's prototype.
    if (key === "__proto__") continue;
    const before = result[key];
    result[key] = isPlain(before) && isPlain(value) ? merged(before, value) : value;
  }
  return result;
}

function isPlain(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
