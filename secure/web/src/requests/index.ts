/** Reads requests, each of a method, and tells what they do. */
import { concat, hex, unhex, utf8 } from "../bytes";
import type { Data } from "../clean";
import type { Asked, Core, Plan, SmartAccountTools, TypedDataTools } from "../scripts";
import { coins, isUnlimited, moment, networkName, tokens } from "./amounts";
import { readCall } from "./calls";
import { isDelegation, MANAGER } from "./delegated";
import { readMessage } from "./messages";
import { planSolana } from "./solana";
import { atMost, authorizationBytes, planTransaction } from "./transactions";
import { readSummary } from "./typed_data";
import { hashTypedData, readInteger, readTypedData } from "./typed_data_hash";

const MAX_MESSAGE = 64 * 1024;
/** Of smart accounts: a script of their own reads them. */
const SMART = new Set([
  ...["wallet_sendCalls", "walletmodal_signUserOperation", "walletmodal_revokeDelegation"],
  ...["walletmodal_signDelegation", "wallet_grantPermissions", "wallet_revokePermissions"],
]);

export const METHODS: ReadonlySet<string> = new Set([
  ...["personal_sign", "eth_signTypedData_v4", "eth_sendTransaction"],
  ...["solana_signMessage", "solana_signTransaction", "solana_signAllTransactions", "solana_signAndSendTransaction"],
  ...SMART,
]);
export const READS: ReadonlySet<string> = new Set(["wallet_getCapabilities", "wallet_getCallsStatus", "walletmodal_accountType"]);

const TYPED_DATA_TOOLS: TypedDataTools = { coins, isUnlimited, moment, tokens, readInteger };
const smartAccountTools = (core: Core): SmartAccountTools => ({ ...core, readRequest, readCall, atMost, coins, networkName, planTransaction, authorizationBytes });

/** Answers a request of READS. */
export async function readWallet(asked: Asked, core: Core): Promise<Data> {
  return (await core.loadSmartAccount()).readWallet(asked, smartAccountTools(core));
}

export async function readRequest(asked: Asked, core: Core): Promise<Plan> {
  const wrong = (what: string) => new core.FrameError(`Invalid params: ${what}`, -32602);

  /** The parameters of a request that an account of Ethereum signs, the account of which stands at `place`. */
  function list(place: number) {
    const { params, addresses } = asked;
    if (!Array.isArray(params)) throw wrong("no list");
    const account = params[place];
    if (typeof account !== "string" || account.toLowerCase() !== addresses.evm.toLowerCase()) throw wrong("another account");
    return params;
  }

  function signature(digest: Uint8Array): Plan["sign"] {
    return (keys) => {
      const signed = core.signDigest(keys, digest);
      signed[64] = (signed[64] as number) + 27;
      return `0x${hex(signed)}`;
    };
  }

  function planMessage(): Plan {
    const [given] = list(1);
    const message = readPersonal(given);
    const digest = core.keccak(concat(utf8(`\x19Ethereum Signed Message:\n${message.length}`), message));
    const account = asked.addresses.evm;
    return { summary: readMessage(message, account, asked.origin), network: networkName(asked.chain), account, sign: signature(digest) };
  }

  function readPersonal(given: unknown): Uint8Array {
    if (typeof given !== "string" || given.length > MAX_MESSAGE) throw wrong("no message, or one that is too long to be shown");
    if (/^0x(?:[0-9a-fA-F]{2})*$/.test(given)) return unhex(given);
    // Some wallets put a digit before half a byte, or take digits without 0x for bytes: they would sign something else.
    if (/^(?:0[xX][0-9a-fA-F]*|[0-9a-fA-F]+)$/.test(given)) throw wrong("hexadecimal digits that are no bytes with 0x");
    return utf8(given);
  }

  async function planTypedData(): Promise<Plan> {
    const [, given] = list(0);
    const { chain, addresses } = asked;
    const account = addresses.evm;
    try {
      const data = readTypedData(given ?? null);
      const contract = String(data.domain["verifyingContract"]).toLowerCase();
      const script = isDelegation(data) || contract === MANAGER ? await core.loadSmartAccount() : null;
      // Whoever has such a signature can do with a smart account what it says: the methods that ask for one show that.
      // A delegation is signed where the card can tell its limit, its end and its holder.
      if (contract === account.toLowerCase() || (contract === MANAGER && !script?.isBounded(data, chain, account, TYPED_DATA_TOOLS))) {
        throw new Error("it would hand over a smart account");
      }
      const digest = hashTypedData(data, core.keccak);
      const summary = readSummary(data, chain, script?.readDelegation(data, chain, TYPED_DATA_TOOLS));
      return { summary, network: networkName(chain), account, sign: signature(digest) };
    } catch (error) {
      throw wrong(`typed data: ${(error as Error).message}`);
    }
  }

  if (asked.method.startsWith("solana_")) return planSolana(asked, core);
  if (!asked.chain.startsWith("eip155:")) throw wrong("chainId is no network of Ethereum");
  if (asked.method === "personal_sign") return planMessage();
  if (asked.method === "eth_signTypedData_v4") return planTypedData();
  if (SMART.has(asked.method)) return (await core.loadSmartAccount()).readSmartRequest(asked, smartAccountTools(core));
  return planTransaction(asked, core);
}
