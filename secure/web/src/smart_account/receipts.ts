/** Receipts of transactions, and waiting for one. */
import { isObject, type DataObject } from "../clean";
import type { Asked } from "../scripts";

const LOOK_EVERY = 1000;

/** Waits until a transaction is in the chain; null where it is not within so many seconds. */
export async function waitForReceipt({ node }: Asked, hash: string, seconds: number): Promise<DataObject | null> {
  for (let look = 0; look < seconds; look++) {
    // A node that cannot be asked now may know it a moment later.
    const receipt = await node("eth_getTransactionReceipt", [hash]).catch(() => null);
    if (isObject(receipt)) return receipt;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
  return null;
}

export const succeeded = (receipt: DataObject | null): boolean => receipt?.["status"] === "0x1";
