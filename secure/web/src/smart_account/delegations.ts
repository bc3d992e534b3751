/** Delegations (ERC-7710) that are signed for a host. Nothing holds the limits of an ordinary account's: it becomes a smart account with them. */
import { hex } from "../bytes";
import { isObject, type Data, type DataObject } from "../clean";
import { t } from "../language";
import type { Asked, Plan, SmartAccountTools } from "../scripts";
import { accountRows, accountWarnings, findAccount } from "./account";
import { planOwn } from "./batches";
import { DELEGATE, delegation, encodeExecute } from "./delegator";
import { planOperation } from "./operations";
import { waitForReceipt } from "./receipts";

const UNSUPPORTED = 4200;
/** For how long the network is waited for; what is signed counts from then on. */
const MINED_SECONDS = 45;

/**
 * Plans the signature of a delegation, typed data of `params` as `eth_signTypedData_v4` has it. Gives `{signature, hash}`; `hash`: of the
 * transaction that has made the account a smart account, "" for none. With an operation and its entry point behind, that does it in the place
 * of a transaction, and is given signed as `operation`.
 */
export async function planDelegation(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  const [address = null, typed = null, ...operation] = Array.isArray(asked.params) ? asked.params : [];
  const signing = await tools.readRequest({ ...asked, method: "eth_signTypedData_v4", params: [address, typed] }, tools);
  const account = await findAccount(asked);
  if (account.status === "unsupported") throw new tools.FrameError("Smart accounts are not supported on this network", UNSUPPORTED);
  if (account.status === "supported") return { ...signing, send: async (signature) => ({ signature, hash: "" }) };
  const [granted, ...rest] = signing.summary.sections;
  if (operation.length) {
    const paid = await planFirst({ ...asked, params: operation }, tools);
    const summary = { ...signing.summary, sections: [...(granted ? [granted] : []), ...paid.sections, ...rest], warnings: [...paid.warnings, ...signing.summary.warnings] };
    return {
      ...signing,
      summary,
      sign: (keys) => ({ signature: signing.sign(keys), operation: paid.sign(keys) }),
      send: async (signed) => ({ ...(signed as DataObject), hash: "" }),
    };
  }
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
      say(t`Waiting for the network…`);
      await waitForReceipt(asked, hash, MINED_SECONDS);
      return { signature, hash };
    },
  };
}

/** Reads the operation in which the account takes over the code, and calls itself with nothing: whatever else it did would not be shown. */
async function planFirst(asked: Asked, tools: SmartAccountTools): Promise<Pick<Plan, "sign"> & Plan["summary"]> {
  const nothing = encodeExecute([{ to: asked.addresses.evm, value: 0n, data: new Uint8Array(0) }]);
  const [operation] = asked.params as Data[];
  if (!isObject(operation) || operation["callData"] !== `0x${hex(nothing)}`) throw new tools.FrameError("Invalid params: the operation does more", -32602);
  const { summary, sign } = await planOperation(asked, tools);
  // Between whose code it is and who pays stands that it does nothing.
  return { ...summary, sections: summary.sections.filter((_, at, all) => at === 0 || at === all.length - 1), sign };
}
