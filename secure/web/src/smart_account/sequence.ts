/** Calls of an account that cannot make them at once: approved together, each sent once the one before it is done. What fails stops the rest. */
import { hex, unhex } from "../bytes";
import type { Data, DataObject } from "../clean";
import { t } from "../language";
import type { Call } from "../requests/calls";
import type { Asked, Plan, Sign, SmartAccountTools } from "../scripts";
import { keepBundle, running, type Bundle } from "./bundles";
import { describeCalls } from "./described_calls";
import { succeeded, waitForReceipt } from "./receipts";

const NOT_AT_ONCE = t`They are not made at once. If one fails, those before it stay done, and those after it are not made.`;
/** Gas of a call whose gas nobody knows before those before it are done. */
const UNKNOWN_GAS = 1_000_000n;
/** Seconds that a call may take to get into the chain: if it takes longer, those after it are not made. */
const CALL_SECONDS = 300;
/** For how long the visitor sees the calls being sent, ms; then the host has its answer, and they go on. */
const SHOWN_FOR = 45_000;

/** Reads the calls as transactions of their own, and tells what each does; `given`: the host's id. */
export async function planSequence(asked: Asked, tools: SmartAccountTools, calls: readonly Call[], given: string): Promise<Plan> {
  const { chain, addresses } = asked;
  const plan = ({ to, value, data }: Call, more: DataObject = {}) =>
    tools.planTransaction({ ...asked, params: [{ from: addresses.evm, to, value: quantity(value), data: `0x${hex(data)}`, ...more }] }, tools);
  const { transactions: _, ...first } = await plan(calls[0] as Call);
  const hashOf = (signed: Data) => `0x${hex(tools.keccak(unhex(signed as string)))}`;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce } = first.transaction;
  const price = gasPrice ?? maxFeePerGas ?? 0n;
  /** The prices that are shown, and the account's next nonces. */
  const fields = (at: number, sent = 0n): DataObject => ({
    nonce: quantity(sent > nonce + BigInt(at) ? sent : nonce + BigInt(at)),
    ...(gasPrice === undefined ? { maxFeePerGas: quantity(price), maxPriorityFeePerGas: quantity(maxPriorityFeePerGas ?? 0n) } : { gasPrice: quantity(price) }),
  });
  const limits = await Promise.all(
    calls.map(async (call, at) => {
      if (!at) return first.transaction.gas;
      return plan(call, fields(at)).then(
        ({ transaction }) => transaction.gas * 2n,
        (error: { reason?: string }) => {
          // It may need what those before it do.
          if (error.reason !== "rpc") throw error;
          return UNKNOWN_GAS;
        },
      );
    }),
  );
  const { sections, warnings } = describeCalls(calls, asked, tools);
  const count = calls.length;
  const fee = tools.atMost(chain, limits.reduce((sum, gas) => sum + gas, 0n) * price);

  /** Sends the calls one after the other; `began` hears of the first. */
  async function sendAll(bundle: Bundle, signed: Data, sign: Sign, say: (words: string) => void, began: () => void): Promise<void> {
    let next: Pick<typeof first, "send"> = first;
    for (let at = 0; ; at++) {
      const hash = hashOf(signed);
      bundle.hashes.push(hash);
      // On record before it is sent.
      await keepBundle(asked, bundle);
      await next.send(signed).catch(async (error: { reason?: string }) => {
        if (error.reason === "rpc") {
          bundle.hashes.pop();
          await keepBundle(asked, bundle);
        }
        throw error;
      });
      began();
      const done = at + 1;
      if (done === count) return;
      say(t`${done} of ${count} calls sent. Keep this page open.`);
      if (!succeeded(await waitForReceipt(asked, hash, CALL_SECONDS))) return;
      // Others of the account's may have been sent meanwhile.
      const sent = BigInt((await asked.node("eth_getTransactionCount", [addresses.evm, "pending"])) as string);
      const following = await plan(calls[at + 1] as Call, fields(at + 1, sent));
      // More than the visitor has agreed to.
      if (following.transaction.gas > (limits[at + 1] as bigint)) return;
      signed = await sign(following.sign);
      next = following;
    }
  }

  return {
    ...first,
    summary: {
      title: t`Make ${count} calls one after the other`,
      sections: [...sections, { rows: [{ label: t`Network fees`, value: fee }] }],
      warnings: [NOT_AT_ONCE, ...warnings],
    },
    send: async (signed, sign, say) => {
      const bundle: Bundle = { id: given || hashOf(signed), hashes: [], count };
      let begun = false;
      running.add(bundle.id);
      const all = sendAll(bundle, signed, sign, say, () => (begun = true))
        .catch((error: Error) => {
          // What became of the others is told by the status of the calls.
          if (!begun) throw error;
        })
        .finally(() => running.delete(bundle.id));
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, SHOWN_FOR))]);
      return { id: bundle.id };
    },
  };
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`;
