/** The options of the demo's instance: its own, with those of the address bar merged in. */

export type Options = Record<string, unknown>;

const NETWORKS: readonly (readonly [string, string])[] = [
  ["eip155:1", "Ethereum"],
  ["eip155:137", "Polygon"],
  ["eip155:10", "OP Mainnet"],
  ["eip155:8453", "Base"],
  ["eip155:42161", "Arbitrum One"],
];

/** What `?networks=all` adds: the other namespaces that the modal has networks of. */
const MORE_NETWORKS: readonly (readonly [string, string])[] = [
  ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "Solana"],
  ["bip122:000000000019d6689c085ae165831e93", "Bitcoin"],
];

/** A network that the modal does not bring: a host adds it. */
export const POLKADOT = {
  id: "91b171bb158e2d3848fa23a9f1c25182",
  name: "Polkadot",
  nativeCurrency: { name: "Polkadot", symbol: "DOT", decimals: 10 },
};

/** Whether the address bar asks for every namespace. */
export const offersAll = (query: string): boolean => new URLSearchParams(query).get("networks") === "all";

/** The networks of the page, id and name. */
export function demoNetworks(query: string): readonly (readonly [string, string])[] {
  return offersAll(query) ? [...NETWORKS, ...MORE_NETWORKS, [`polkadot:${POLKADOT.id}`, POLKADOT.name]] : NETWORKS;
}

const OWN: Options = {
  metadata: {
    name: "WalletModal demo",
    description: "A page that embeds WalletModal",
    url: location.origin,
    icons: [`${location.origin}/demo/favicon.svg`],
  },
};

/** Merge `?options=` into the demo's own options; `problem` says why it could not be. */
export function demoOptions(query: string): { options: Options; problem?: string } {
  const networks = offersAll(query) ? [...NETWORKS, ...MORE_NETWORKS] : NETWORKS;
  const own = { ...OWN, networks: networks.map(([id]) => id) };
  const given = new URLSearchParams(query).get("options");
  if (given === null || given === "") return { options: own };
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch (error) {
    return { options: own, problem: `?options= is no JSON and was left out: ${(error as Error).message}` };
  }
  if (!isPlain(parsed)) return { options: own, problem: "?options= must be a JSON object and was left out." };
  return { options: merged(own, parsed) };
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
