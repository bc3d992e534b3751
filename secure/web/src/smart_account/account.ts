/** Whether an account is a smart account on a network, by its code there, and whether it can become one. */
import type { Row, Section } from "../cards/card";
import type { Data } from "../clean";
import { meta } from "../elements";
import { FrameError } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import type { Asked } from "../scripts";
import { DELEGATE, delegateOf, NOBODY } from "./delegator";

export interface Account {
  /** EIP-5792's words for calls at once: `ready` where the account has to become a smart account first. */
  status: "unsupported" | "ready" | "supported";
  /** Whose code the account runs; "" for an ordinary account. */
  delegate: string;
  /** The same where it is not ours. */
  foreign: string;
}

type Node = Asked["node"];

const FIRST_TIME = t`Your account becomes a smart account on this network. Its address and its keys stay.`;
const FOREIGN = t`Another contract controls this account on this network. It is replaced: what it had set up for the account ends.`;

/** What one authorization adds to the gas of a transaction (EIP-7702). */
const AUTHORIZATION_GAS = 25_000n;
const TRANSFER_GAS = 21_000n;

const ORDINARY: Account = { status: "unsupported", delegate: "", foreign: "" };

/** Networks that were found to have EIP-7702, or not to; asked once in a page's life. */
const networks = new Map<string, Promise<boolean>>();

export async function findAccount({ addresses, node, chain }: Pick<Asked, "addresses" | "node" | "chain">): Promise<Account> {
  const code = await node("eth_getCode", [addresses.evm, "latest"], chain);
  const delegate = typeof code === "string" ? delegateOf(code) : null;
  if (delegate === null) return ORDINARY;
  const isOurs = delegate === DELEGATE.toLowerCase();
  const foreign = isOurs ? "" : delegate;
  // A deployment may do without smart accounts; one that is there already stays one.
  if (isOurs) return { status: "supported", delegate, foreign };
  const offered = offeredChains().includes(chain) && (await hasDelegations(node, chain, addresses.evm));
  return { status: offered ? "ready" : "unsupported", delegate, foreign };
}

/** The networks on which the deployment offers smart accounts, by CAIP-2 id. */
export const offeredChains = (name = "smart-accounts"): string[] => meta(name).split(/\s+/).filter(Boolean);

/** Asks nodes for what no request is about. */
export const nodeOf =
  (api: Parts["api"]): Node =>
  async (method, params, chain) => {
    const { result, rpcError } = await api.call("/v1/rpc", { chain: chain as string, method, params });
    if (rpcError) throw new FrameError("The network has refused the request", undefined, "rpc");
    return result ?? null;
  };

/** Says whose code the account comes to run, where it does with what is asked. */
export const accountRows = ({ status, foreign }: Account): Section[] =>
  status === "ready"
    ? [{ title: t`Smart account`, rows: [code(t`Runs the code of`, DELEGATE), ...(foreign ? [code(t`Instead of`, foreign)] : [])] }]
    : [];

export const accountWarnings = ({ status, foreign }: Account): string[] => (status === "ready" ? [foreign ? FOREIGN : FIRST_TIME] : []);

const code = (label: string, value: string): Row => ({ label, value, tone: "code" });

/** Whether a network has EIP-7702: whether it counts the gas of an authorization. */
export function hasDelegations(node: Node, chain: string, account: string): Promise<boolean> {
  const found = networks.get(chain) ?? probe(node, chain, account);
  networks.set(chain, found);
  // What is not known now may be known later.
  found.catch(() => networks.delete(chain));
  return found;
}

async function probe(node: Node, chain: string, account: string): Promise<boolean> {
  const nobody = { chainId: "0x0", address: NOBODY, nonce: "0x0", yParity: "0x0", r: "0x1", s: "0x1" };
  const call = { from: account, to: account, authorizationList: [nobody] };
  const gas = await node("eth_estimateGas", [call as unknown as Data], chain).catch((error: { reason?: string }) => {
    // A node that does not know the field says so.
    if (error.reason !== "rpc") throw error;
    return "0x0";
  });
  return typeof gas === "string" && /^0x[0-9a-fA-F]{1,16}$/.test(gas) && BigInt(gas) >= TRANSFER_GAS + AUTHORIZATION_GAS / 2n;
}
