/** Reads requests, each of a method, and tells what they do. */
import { concat, hex, unhex, utf8 } from "../bytes";
import type { Data } from "../clean";
import type { Asked, Core, Plan, SmartAccountTools } from "../scripts";
import { coins, isUnlimited, moment, networkName, tokens } from "./amounts";
import { readCall } from "./calls";
import { isDelegation, MANAGER } from "./delegated";
import { readMessage } from "./messages";
import { planSolana } from "./solana";
import { atMost, authorizationBytes, planTransaction } from "./transactions";
import { readSummary } from "./typed_data";
import { hashTypedData, readInteger, readTypedData } from "./typed_data_hash";

const MAX_MESSAGE = 64 * 1024;

export const METHODS: ReadonlySet<string> = new Set([
  ...["personal_sign", "eth_signTypedData_v4", "eth_sendTransaction"],
  ...["solana_signMessage", "solana_signTransaction", "solana_signAllTransactions", "solana_signAndSendTransaction"],
  // Of smart accounts: a script of their own reads them.
  ...["wallet_sendCalls", "walletmodal_signUserOperation", "walletmodal_revokeDelegation"],
  ...["walletmodal_signDelegation", "wallet_grantPermissions", "wallet_revokePermissions"],
]);
export const READS: ReadonlySet<string> = new Set(["wallet_getCapabilities", "wallet_getCallsStatus", "walletmodal_accountType"]);

const toolsOf = (core: Core): SmartAccountTools => ({
  ...core,
  ...{ readRequest, readCall, readInteger, atMost, coins, isUnlimited, moment, tokens, networkName, planTransaction, authorizationBytes },
});

/** Answers a request of READS. */
export async function readWallet(asked: Asked, core: Core): Promise<Data> {
  return (await core.loadSmartAccount()).readWallet(asked, toolsOf(core));
}

/** Reads a request of the key's own account. `own`: contracts that obey the key, in small letters; nobody has typed data signed for them. */
export async function readRequest(asked: Asked, core: Core, own: readonly string[] = [asked.addresses.evm.toLowerCase()]): Promise<Plan> {
  const { invalid } = core;
  const { method, params, chain, origin } = asked;
  const account = asked.addresses.evm;
  const tools = toolsOf(core);

  /** What an account of Ethereum, which stands at `place`, is to sign. */
  function given(place: 0 | 1): Data | undefined {
    if (!Array.isArray(params)) throw invalid("no list");
    const named = params[place];
    if (typeof named !== "string" || named.toLowerCase() !== account.toLowerCase()) throw invalid("another account");
    return params[1 - place];
  }

  const signature = (digest: Uint8Array): Plan["sign"] => (keys) => {
    const signed = core.signDigest(keys, digest);
    signed[64] = (signed[64] as number) + 27;
    return `0x${hex(signed)}`;
  };

  function planMessage(): Plan {
    const message = readPersonal(given(1));
    const digest = core.keccak(concat(utf8(`\x19Ethereum Signed Message:\n${message.length}`), message));
    return { summary: readMessage(message, account, origin), network: networkName(chain), account, message, sign: signature(digest) };
  }

  function readPersonal(text: unknown): Uint8Array {
    if (typeof text !== "string" || text.length > MAX_MESSAGE) throw invalid("no message, or one that is too long to be shown");
    if (/^0x(?:[0-9a-fA-F]{2})*$/.test(text)) return unhex(text);
    // Some wallets put a digit before half a byte, or take digits without 0x for bytes: they would sign something else.
    if (/^(?:0[xX][0-9a-fA-F]*|[0-9a-fA-F]+)$/.test(text)) throw invalid("hexadecimal digits that are no bytes with 0x");
    return utf8(text);
  }

  async function planTypedData(): Promise<Plan> {
    const message = given(0) ?? null;
    try {
      const data = readTypedData(message);
      const contract = String(data.domain["verifyingContract"]).toLowerCase();
      const script = isDelegation(data) || contract === MANAGER ? await core.loadSmartAccount() : null;
      // Whoever has such a signature can do with a smart account what it says: the methods that ask for one show that.
      // A delegation is signed where the card can tell its limit, its end and its holder.
      if (own.includes(contract) || data.primaryType === "PackedUserOperation" || (contract === MANAGER && !script?.isBounded(data, chain, account, tools))) {
        throw new Error("it would hand over a smart account");
      }
      const digest = hashTypedData(data, core.keccak);
      const summary = readSummary(data, chain, script?.readDelegation(data, chain, tools));
      return { summary, network: networkName(chain), account, sign: signature(digest) };
    } catch (error) {
      throw invalid(`typed data: ${(error as Error).message}`);
    }
  }

  if (method.startsWith("solana_")) return planSolana(asked, core);
  if (!chain.startsWith("eip155:")) throw invalid("chainId is no network of Ethereum");
  if (method === "personal_sign") return planMessage();
  if (method === "eth_signTypedData_v4") return planTypedData();
  if (method === "eth_sendTransaction") {
    const plan = await planTransaction(asked, core);
    const { to, data } = plan.transaction;
    return to === account && data.length ? (await core.loadSmartAccount()).openOwn(plan, asked, tools) : plan;
  }
  return (await core.loadSmartAccount()).readSmartRequest(asked, tools);
}
