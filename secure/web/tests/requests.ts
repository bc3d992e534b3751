/** An account, its network and its requests: what the tests of requests share. */
import { clean, type Data } from "../src/clean";
import { FrameError, invalid } from "../src/errors";
import { addressesOf, base58, checksummed, deriveKeys, keccak, signDigest, signSolana, type Keys } from "../src/keys";
import { readRequest } from "../src/requests";
import type { Api } from "../src/api";
import type { Core, Plan } from "../src/scripts";
import { MemoryStore } from "../src/storage";

export const ORIGIN = "https://shop.example";
export const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
export const TOKEN = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
export const OTHER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
export const CORE = { keccak, base58, checksummed, signDigest, signSolana, FrameError, invalid, loadSmartAccount: () => import("../src/smart_account"), loadGrants: () => import("../src/grants") } as unknown as Core;
export const NODE: Record<string, Data> = {
  eth_getTransactionCount: "0x5",
  eth_estimateGas: "0x5208",
  eth_gasPrice: "0x3b9aca00",
  eth_feeHistory: { baseFeePerGas: ["0x1", "0x3b9aca00"], reward: [["0x5f5e100"]] },
};

/** Of requests that ask the site nothing. */
export const NO_API = {} as Api;

const ROOT = new Uint8Array(16).fill(5);
export const accountKeys = () => deriveKeys(ROOT);
export const addresses = addressesOf(await accountKeys());

const refusedByNode = () => new FrameError("execution reverted", 3, "rpc", "0x1234");

export function read(method: string, params: unknown, chain = "eip155:1", node: Record<string, Data> = NODE): Promise<Plan> {
  const ask = async (name: string) => {
    const answer = node[name];
    if (answer === undefined) throw refusedByNode();
    return answer;
  };
  return readRequest({ method, params: clean(params), chain, origin: ORIGIN, addresses, node: ask, store: new MemoryStore(), api: NO_API }, CORE);
}

/** Signs and sends what the visitor has approved. */
export const carryOut = (plan: Plan, keys: Keys): Promise<Data> | undefined => plan.send?.(plan.sign(keys), async (use) => use(keys), () => undefined);

export const rows = ({ summary }: Plan) => Object.fromEntries(summary.sections.flatMap((section) => section.rows.map(({ label, value }) => [label, value])));
