/** EVM wallets: EIP-1193 providers that announce themselves by EIP-6963, or sit in `window.ethereum`. */
import { quietly, unexpected } from "../errors";
import type { Unchecked } from "../protocol";
import { hear } from "./discovery";
import { add, findWallet, INJECTED } from "./found";
import { SILENT, within, type Adapter, type Grant, type Line } from "./line";
import { ethereumOf } from "./marks";
import { page } from "./page";

/** An EIP-1193 provider, before anything about it has been checked. */
type WalletProvider = {
  request(args: { method: string; params?: unknown }): unknown;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
};

/** How long announcements are awaited before `window.ethereum` counts as unannounced, in ms. */
const SETTLE = 300;
const UUID = /^[\da-f-]{36}$/i;
const RDNS = /^(?=.{1,128}$)[\w-]+(\.[\w-]+)+$/;

/** Returns the CAIP-2 reference of an `eth_chainId` answer; raises when it is not a positive safe integer in hex. */
function checkChain(value: unknown): string {
  const chain = /^0x[\da-f]+$/i.test(value as string) ? Number(value) : 0;
  if (!chain || !Number.isSafeInteger(chain)) throw unexpected();
  return String(chain);
}

function lineOf(provider: WalletProvider): Line | undefined {
  if (typeof provider?.request != "function") return undefined;
  const ask = async (method: string, params: unknown = []) => provider.request({ method, params });

  async function grantOf(accounts: unknown): Promise<Grant> {
    return { accounts: accounts as string[], chain: checkChain(await within(SILENT, () => ask("eth_chainId"))) };
  }

  const held = async (): Promise<Grant | null> => {
    const accounts = await ask("eth_accounts");
    return Array.isArray(accounts) && !accounts.length ? null : grantOf(accounts);
  };

  return {
    _connect: async () => grantOf(await ask("eth_requestAccounts")),
    _recall: held,
    _now: held,
    _request(method, params) {
      if (method == "wallet_addEthereumChain") {
        // The host's own endpoints are for the wallet; the server never sees them.
        const urls = page.options().customRpcUrls?.["eip155:" + Number(params[0].chainId)];
        if (urls) params = [{ ...params[0], rpcUrls: urls.map((entry) => (typeof entry == "string" ? entry : entry.url)) }];
      }
      return ask(method, params);
    },
    _listen(changed, gone) {
      const on = (event: string, listener: () => void) => {
        provider.on?.(event, listener);
        page.life.addEventListener("abort", () => provider.removeListener?.(event, listener));
      };
      ["accountsChanged", "chainChanged", "connect"].forEach((event) => on(event, changed));
      on("disconnect", gone);
    },
    _disconnect: () => ask("wallet_revokePermissions", [{ eth_accounts: {} }]),
  };
}

function announced({ info: { uuid, rdns, name, icon }, provider }: Unchecked) {
  uuid += "";
  rdns += "";
  const line = lineOf(provider);
  if (!line || !UUID.test(uuid) || uuids.has(uuid)) return;
  if (!RDNS.test(rdns)) rdns = "";
  const namesake = findWallet(rdns);
  if (namesake?._source == provider) return;
  uuids.add(uuid);
  add("eip155", provider, { id: namesake || !rdns ? uuid : rdns, name, icon, rdns }, line);
}

const uuids = new Set<string>();

const look = quietly(() => {
  const provider = ethereumOf() as WalletProvider | undefined;
  if (provider) add("eip155", provider, { id: INJECTED, name: "Browser Wallet", type: "INJECTED" }, lineOf(provider));
});

export const eip155: Adapter = {
  _namespace: "eip155",
  _address: /^0x[\da-f]{40}$/i,
  _line: lineOf,
  _discover() {
    const { enableEIP6963, enableInjected } = page.options();
    if (enableEIP6963 !== false) {
      hear("eip6963:announceProvider", announced);
      dispatchEvent(new Event("eip6963:requestProvider"));
    }
    if (enableInjected !== false) {
      // Browsers of phones put it there late, and say so.
      hear("ethereum#initialized", look);
      setTimeout(() => page.life.aborted || look(undefined), SETTLE);
    }
  },
};
