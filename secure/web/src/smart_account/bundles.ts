/** Calls that were made for a host, by the ids under which it asks for them (EIP-5792 `wallet_getCallsStatus`). */
import { isObject, text, type Data, type DataObject } from "../clean";
import type { Asked, SmartAccountTools } from "../scripts";
import { succeeded } from "./receipts";

const KEPT = "bundles";
/** As many as a wallet keeps: older ones are forgotten. */
const MOST = 50;
/** Characters of an id: 4096 bytes in hexadecimal (EIP-5792). */
export const MAX_ID = 8194;
const UNKNOWN_BUNDLE = 5730;
const HASH = /^0x[0-9a-f]{64}$/;
const [PENDING, CONFIRMED, NEVER_SENT, FAILED, PARTLY_FAILED] = [100, 200, 400, 500, 600];

export interface Bundle {
  id: string;
  /** Of its transactions, in their order; one alone makes all calls at once. */
  hashes: string[];
  /** How many transactions it comes to. */
  count: number;
}

type Kept = Bundle & { chain: string };

/** The bundles of which this page still sends transactions: what another page has left undone stays so. */
export const running = new Set<string>();

async function kept({ store }: Asked): Promise<Kept[]> {
  const found = await store.get(KEPT);
  return Array.isArray(found) ? (found as Kept[]).filter((one) => Array.isArray(one.hashes)) : [];
}

/** Ends when what was kept last is: calls that are sent one after the other write while others are made. */
let written: Promise<unknown> = Promise.resolve();

/** Keeps which transactions make some calls. */
export function keepBundle(asked: Asked, { id, hashes, count }: Bundle): Promise<void> {
  const own = { id, hashes: [...hashes], count, chain: asked.chain };
  const done = written.then(async () => {
    const others = (await kept(asked)).filter((one) => one.id !== id);
    await asked.store.put(KEPT, [own, ...others].slice(0, MOST));
  });
  written = done.catch(() => undefined);
  return done;
}

/** Whether calls are known by an id already. */
export const hasBundle = async (asked: Asked, id: string): Promise<boolean> => running.has(id) || (await kept(asked)).some((one) => one.id === id);

/** Tells what became of calls. */
export async function readStatus(asked: Asked, { FrameError }: SmartAccountTools): Promise<Data> {
  const id = Array.isArray(asked.params) ? text(asked.params[0], MAX_ID) : undefined;
  const found = (await kept(asked)).find((one) => one.id === id);
  if (!id || !(found || HASH.test(id))) throw new FrameError("No calls are known by this id", UNKNOWN_BUNDLE);
  const { hashes, count, chain } = found ?? { hashes: [id], count: 1, chain: asked.chain };
  const told = await Promise.all(hashes.map((hash) => asked.node("eth_getTransactionReceipt", [hash], chain)));
  const receipts = told.filter(isObject);
  const status = statusOf({ id, hashes, count }, receipts);
  const about = { version: "2.0.0", id, chainId: `0x${BigInt(chain.slice(7)).toString(16)}`, atomic: count === 1, status };
  return status === PENDING ? about : { ...about, receipts: receipts.map(readReceipt) };
}

function statusOf({ id, hashes, count }: Bundle, receipts: DataObject[]): number {
  if (receipts.length < hashes.length || (hashes.length < count && running.has(id))) return PENDING;
  const done = receipts.filter(succeeded).length;
  if (done === count) return CONFIRMED;
  return done ? PARTLY_FAILED : hashes.length ? FAILED : NEVER_SENT;
}

/** The fields of a receipt that the standard has. */
function readReceipt({ logs, status, blockHash, blockNumber, gasUsed, transactionHash }: DataObject): DataObject {
  const entries = (Array.isArray(logs) ? logs : []).filter(isObject).map(({ address, data, topics }) => ({ address, data, topics }));
  return { logs: entries as Data, status, blockHash, blockNumber, gasUsed, transactionHash };
}
