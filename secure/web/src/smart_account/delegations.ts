/** Delegations (ERC-7710) that are signed for a host. Nothing holds the limits of an ordinary account's: it becomes a smart account with them. */
import type { DataObject } from "../clean";
import type { Asked, Plan, SmartAccountTools } from "../scripts";
import { accountRows, accountWarnings, findAccount } from "./account";
import { planOwn } from "./batches";
import { DELEGATE, delegation } from "./delegator";
import { waitForReceipt } from "./receipts";

const UNSUPPORTED = 4200;
/** For how long the network is waited for; what is signed counts from then on. */
const MINED_SECONDS = 45;

/**
 * Plans the signature of a delegation, typed data of `params` as `eth_signTypedData_v4` has it. Gives `{signature, hash}`; `hash`: of the
 * transaction that has made the account a smart account, "" for none.
 */
export async function planDelegation(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  const signing = await tools.readRequest({ ...asked, method: "eth_signTypedData_v4" }, tools);
  const account = await findAccount(asked);
  if (account.status === "unsupported") throw new tools.FrameError("Smart accounts are not supported on this network", UNSUPPORTED);
  if (account.status === "supported") return { ...signing, send: async (signature) => ({ signature, hash: "" }) };
  const [granted, ...rest] = signing.summary.sections;
  const becoming = await planOwn(asked, tools, new Uint8Array(0), {
    summary: {
      ...signing.summary,
      sections: [...(granted ? [granted] : []), ...accountRows(account)],
      warnings: [...accountWarnings(account), ...signing.summary.warnings],
    },
    delegation: { delegate: DELEGATE, code: delegation(DELEGATE) },
  });
  return {
    ...signing,
    summary: { ...becoming.summary, sections: [...becoming.summary.sections, ...rest] },
    sign: (keys) => ({ signature: signing.sign(keys), transaction: becoming.sign(keys) }),
    send: async (signed, _sign, say) => {
      const { signature = null, transaction = null } = signed as DataObject;
      const hash = await becoming.send(transaction);
      say("Waiting for the network…");
      await waitForReceipt(asked, hash, MINED_SECONDS);
      return { signature, hash };
    },
  };
}
