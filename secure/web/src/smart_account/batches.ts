/**
 * `wallet_sendCalls` (EIP-5792): several calls as one transaction, in which the account becomes a smart account where it is none yet; where
 * it cannot be one, as several transactions, unless the host insists on one.
 */
import { isObject, text, type Data, type DataObject } from "../clean";
import { hex, unhex } from "../bytes";
import { t } from "../language";
import type { Call } from "../requests/calls";
import type { OwnCall, TransactionPlan } from "../requests/transactions";
import type { Asked, Plan, SmartAccountTools } from "../scripts";
import { accountRows, accountWarnings, findAccount, type Account } from "./account";
import { findBatchAccount } from "./account_type";
import { describeCalls } from "./described_calls";
import { DELEGATE, delegation, encodeExecute, NOBODY, openCalls } from "./delegator";
import { hasBundle, keepBundle, MAX_ID } from "./bundles";
import { planSequence } from "./sequence";

const MAX_CALLS = 100;
const UNSUPPORTED_CAPABILITY = 5700;
const DUPLICATE_ID = 5720;
const NOT_ATOMIC = 5760;

/** Reads the calls, and tells what each does. */
export async function planCalls(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  const wrong = tools.invalid;
  const batch = readBatch(asked, wrong);
  const calls = batch.calls.map((call, index) => readCall(call, tools, () => wrong(`calls[${index}]`)));
  for (const named of [batch.capabilities, ...batch.calls.map((call) => call["capabilities"])]) refuseCapabilities(named, tools);
  if (batch.id && (await hasBundle(asked, batch.id))) throw new tools.FrameError("Other calls have this id already", DUPLICATE_ID);
  if (calls.length === 1) return inBundle(asked, batch.id, await planOne(asked, tools, calls[0] as Call));
  if (calls.some(({ to }) => !to)) throw wrong("a contract cannot be made within a batch");
  const account = await findBatchAccount(asked);
  if (account.status !== "unsupported") return inBundle(asked, batch.id, await planAtOnce(asked, tools, calls, account));
  if (batch.atomic) throw new tools.FrameError("Calls at once are not supported on this network", NOT_ATOMIC);
  return planSequence(asked, tools, calls, batch.id);
}

/** Has hosts ask for a transaction by the id of their calls. */
function inBundle(asked: Asked, given: string, plan: TransactionPlan): Plan {
  return {
    ...plan,
    send: async (signed) => {
      const hash = await plan.send(signed);
      const id = given || hash;
      // What cannot be kept is known to the modal's server all the same, and by the hash itself also to whoever asks at once.
      const kept = keepBundle(asked, { id, hashes: [hash], count: 1 }).catch(() => undefined);
      if (given) await kept;
      return { id };
    },
  };
}

interface Batch {
  id: string;
  calls: DataObject[];
  /** The host insists on one transaction. */
  atomic: boolean;
  capabilities: Data | undefined;
}

function readBatch({ params, chain, addresses }: Asked, wrong: (what: string) => Error): Batch {
  const given = Array.isArray(params) ? params[0] : undefined;
  if (!isObject(given)) throw wrong("no calls");
  const { calls, from, chainId, id, capabilities, atomicRequired } = given;
  const number = typeof chainId === "string" && /^0x[0-9a-fA-F]{1,16}$/.test(chainId) ? BigInt(chainId) : typeof chainId === "number" ? BigInt(chainId) : null;
  if (chainId !== undefined && `eip155:${number}` !== chain) throw wrong("chainId is another network");
  if (from !== undefined && text(from, 42)?.toLowerCase() !== addresses.evm.toLowerCase()) throw wrong("another account");
  if (!Array.isArray(calls) || !calls.length || calls.length > MAX_CALLS || !calls.every(isObject)) throw wrong("calls");
  if (id !== undefined && !text(id, MAX_ID)) throw wrong("id");
  return { id: (id as string | undefined) ?? "", calls: calls as DataObject[], atomic: atomicRequired === true, capabilities };
}

function readCall({ to, value, data }: DataObject, { checksummed }: SmartAccountTools, wrong: () => Error): Call {
  const isData = data === undefined || (typeof data === "string" && /^0x(?:[0-9a-fA-F]{2})*$/.test(data));
  const isValue = value === undefined || (typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value));
  const isReceiver = to === undefined || (typeof to === "string" && /^0x[0-9a-fA-F]{40}$/.test(to));
  if (!isData || !isValue || !isReceiver) throw wrong();
  const spelled = to ? checksummed(to as string) : "";
  const plain = ((to as string | undefined) ?? "").slice(2);
  // One in mixed letters says that it has been typed right.
  if (to && spelled !== to && plain !== plain.toLowerCase() && plain !== plain.toUpperCase()) throw wrong();
  return { to: spelled, value: BigInt((value as string | undefined) ?? 0), data: unhex((data as string | undefined) ?? "0x") };
}

/** What a host insists on and the frame does not do; gas that others pay is the modal's server's work, which sends no such request here. */
function refuseCapabilities(named: Data | undefined, { FrameError }: SmartAccountTools): void {
  const insists = (terms: Data | undefined) => !(isObject(terms) && terms["optional"] === true);
  if (isObject(named) && Object.entries(named).some(([name, terms]) => name !== "atomic" && insists(terms))) {
    throw new FrameError("The wallet does not have a capability that was asked for", UNSUPPORTED_CAPABILITY);
  }
}

/** One call needs no smart account. */
async function planOne(asked: Asked, tools: SmartAccountTools, { to, value, data }: Call): Promise<TransactionPlan> {
  const transaction = { from: asked.addresses.evm, ...(to && { to }), value: `0x${value.toString(16)}`, data: `0x${hex(data)}` };
  return openOwn(await tools.planTransaction({ ...asked, params: [transaction] }, tools), asked, tools);
}

/** Tells the calls of a smart account's own `execute` in the place of the transaction that has them made. */
export async function openOwn(plan: TransactionPlan, asked: Asked, tools: SmartAccountTools): Promise<TransactionPlan> {
  const { transaction, summary } = plan;
  const opened = openCalls([transaction], asked.addresses.evm);
  // Whatever other code the account runs may read the same call otherwise.
  if (opened[0] === transaction || (await findAccount(asked)).status !== "supported") return plan;
  const { sections, ...told } = describeCalls(opened, asked, tools);
  return { ...plan, summary: { ...told, sections: [...sections, ...summary.sections.slice(-1)] } };
}

function planAtOnce(asked: Asked, tools: SmartAccountTools, calls: Call[], account: Account): Promise<TransactionPlan> {
  const { title, sections, warnings } = describeCalls(openCalls(calls, asked.addresses.evm), asked, tools);
  const summary = { title, sections: [...accountRows(account), ...sections], warnings: [...accountWarnings(account), ...warnings] };
  const taken = account.status === "ready" ? { delegate: DELEGATE, code: delegation(DELEGATE) } : null;
  return planOwn(asked, tools, encodeExecute(calls), { summary, delegation: taken });
}

/** Plans a transaction of the account to itself. */
export function planOwn(asked: Asked, { planTransaction, ...core }: SmartAccountTools, data: Uint8Array, own: OwnCall): Promise<TransactionPlan> {
  const { evm } = asked.addresses;
  return planTransaction({ ...asked, params: [{ from: evm, to: evm, data: `0x${hex(data)}` }] }, core, own);
}

/** Takes back that the account is a smart account on a network. */
export async function planRevocation(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  const { delegate } = await findAccount(asked);
  if (!delegate) throw new tools.FrameError("This account is no smart account on this network", 4200);
  const rows = [{ label: t`Runs the code of`, value: tools.checksummed(delegate), tone: "code" as const }];
  const summary = {
    title: t`End the smart account`,
    sections: [{ rows }],
    warnings: [t`On this network the account is an ordinary one again. Permissions that it has given to sites rest until it is a smart account again: to end one, take it back.`],
  };
  return planOwn(asked, tools, new Uint8Array(0), { summary, delegation: { delegate: NOBODY, code: "0x" } });
}
