/** Calls that were made at once, by the ids under which hosts ask for them (EIP-5792 `wallet_getCallsStatus`). */
import { isObject, text, type Data, type DataObject } from "../clean";
import type { Asked, SmartAccountTools } from "../scripts";

const KEPT = "bundles";
/** As many as a wallet keeps: older ones are forgotten. */
const MOST = 50;
const UNKNOWN_BUNDLE = 5730;
const HASH = /^0x[0-9a-f]{64}$/;

interface Bundle {
  id: string;
  hash: string;
  chain: string;
}

async function kept({ store }: Asked): Promise<Bundle[]> {
  const found = await store.get(KEPT);
  return Array.isArray(found) ? (found as Bundle[]) : [];
}

/** Keeps which transaction made some calls; returns their id: that of the host, or the transaction's hash. */
export async function keepBundle(asked: Asked, given: string, hash: string): Promise<string> {
  const id = given || hash;
  const others = (await kept(asked)).filter((one) => one.id !== id);
  // What cannot be kept is known to the modal's server all the same.
  await asked.store.put(KEPT, [{ id, hash, chain: asked.chain }, ...others].slice(0, MOST)).catch(() => undefined);
  return id;
}

/** Tells what became of calls. */
export async function readStatus(asked: Asked, { FrameError }: SmartAccountTools): Promise<Data> {
  const id = Array.isArray(asked.params) ? text(asked.params[0], 1024) : undefined;
  const found = (await kept(asked)).find((one) => one.id === id);
  const hash = found?.hash ?? (id && HASH.test(id) ? id : "");
  if (!id || !hash) throw new FrameError("No calls are known by this id", UNKNOWN_BUNDLE);
  const chain = found?.chain ?? asked.chain;
  const receipt = await asked.node("eth_getTransactionReceipt", [hash], chain);
  const about = { version: "2.0.0", id, chainId: `0x${BigInt(chain.slice(7)).toString(16)}`, atomic: true };
  if (!isObject(receipt)) return { ...about, status: 100 };
  return { ...about, status: receipt["status"] === "0x1" ? 200 : 500, receipts: [readReceipt(receipt)] };
}

/** The fields of a receipt that the standard has. */
function readReceipt({ logs, status, blockHash, blockNumber, gasUsed, transactionHash }: DataObject): DataObject {
  const entries = (Array.isArray(logs) ? logs : []).filter(isObject).map(({ address, data, topics }) => ({ address, data, topics }));
  return { logs: entries as Data, status, blockHash, blockNumber, gasUsed, transactionHash };
}
