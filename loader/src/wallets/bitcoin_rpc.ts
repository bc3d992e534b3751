/** Bitcoin wallets of `window.btc_providers` (WBIP004): an object with `request(method, params)`, which answers in JSON-RPC. */
import { fail, INTERNAL, quietly, REJECTED } from "../errors";
import type { Unchecked } from "../protocol";
import type { Address, BitcoinWallet } from "./bitcoin_line";
import { UNAUTHORIZED } from "./line";
import { page } from "./page";

const PURPOSES = ["payment", "ordinals"];
const UNKNOWN_METHOD = -32601;
/** JSON-RPC codes with which these wallets say that this page is not known to them. */
const DENIED = [-32002, UNAUTHORIZED];
/** JSON-RPC codes with which these wallets report a refusal. */
const REFUSALS = [-32000, REJECTED];

type RpcProvider = {
  request(method: string, params?: unknown): unknown;
  addListener?(...form: unknown[]): unknown;
};

export function rpcWallet(provider: RpcProvider): BitcoinWallet {
  let granted: Address[] = [];

  async function ask(method: string, params?: object): Promise<Unchecked> {
    // The error is in the answer with some, and thrown with others.
    const answer: Unchecked = await (async () => provider.request(method, params))().catch((error) => (error?.error ? error : { error }));
    if (answer?.error) {
      const { code, message } = answer.error;
      throw fail(REFUSALS.includes(code) ? REJECTED : Number.isInteger(code) ? code : INTERNAL, String(message ?? "").slice(0, 500));
    }
    return answer?.result ?? answer;
  }

  const keep = (answer: Unchecked): Address[] => {
    const list = answer?.addresses ?? answer;
    granted = (Array.isArray(list) ? list : []).map((one: Unchecked) => ({
      address: one?.address,
      publicKey: one?.publicKey,
      intention: one?.purpose,
    }));
    return granted;
  };

  /** What is granted, from wallets that can say so without a prompt; from others what they said `before`. */
  async function held(before: Address[]): Promise<Address[]> {
    try {
      return keep(await ask("wallet_getAccount"));
    } catch (error) {
      const { code } = error as { code: number };
      if (code == UNKNOWN_METHOD) return before;
      if (DENIED.includes(code)) return keep([]);
      throw error;
    }
  }

  return {
    _connect: async () => keep(await ask("getAddresses", { purposes: PURPOSES })),
    _recall: () => held([]),
    _now: () => held(granted),
    _signMessage: async (message, address, protocol) =>
      (await ask("signMessage", { message, address, ...(protocol && { protocol: protocol.toUpperCase() }) }))?.signature,
    _sendTransfer: async (address, amount) => (await ask("sendTransfer", { recipients: [{ address, amount }] }))?.txid,
    _signPsbt(psbt, inputs, broadcast) {
      const signInputs: Record<string, number[]> = {};
      for (const { address, index } of inputs ?? []) (signInputs[address] ??= []).push(index);
      return ask("signPsbt", { psbt, ...(inputs && { signInputs }), broadcast });
    },
    _listen(changed) {
      for (const eventName of ["accountChange", "networkChange"]) {
        // Some take a record, some two arguments; what an event means is asked anyhow.
        for (const form of [[{ eventName, cb: changed }], [eventName, changed]] as const) {
          quietly(() => {
            const off = provider.addListener?.(...form);
            if (typeof off == "function") page.life.addEventListener("abort", () => off());
          })(undefined);
        }
      }
    },
    async _disconnect() {
      granted = [];
      await ask("wallet_disconnect");
    },
  };
}
