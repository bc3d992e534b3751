/** Looks for wallets until the modal ends: those of the host, those that announce themselves, those that lie in the page. */
import { quietly } from "../errors";
import type { Unchecked } from "../protocol";
import type { Options } from "../../walletmodal";
import { add, HOSTS } from "./found";
import type { Adapter } from "./line";
import { page } from "./page";

/** When the page is searched for wallets that do not announce themselves, in ms: some extensions are late. */
const LOOKS = [0, 300, 1000, 2500];

/** Calls `look` now and some times more. */
export function repeatedly(look: () => void): void {
  for (const delay of LOOKS) {
    if (delay) setTimeout(() => page.life.aborted || quietly(look)(undefined), delay);
    else quietly(look)(undefined);
  }
}

/** Handles what wallets announce by an event of the page; what throws is ignored. */
export function hear(event: string, handle: (detail: Unchecked) => void): void {
  addEventListener(event, quietly((announcement: Event) => handle((announcement as CustomEvent).detail)), { signal: page.life });
}

/** The standard gives no id: the name is one, spelled with what may stand in a storage key and a test id. */
const idOf = (name: string) => (/^[A-Za-z0-9][\w .:@-]{0,95}$/.test(name) ? name : encodeURIComponent(name).replace(/[^\w.-]/g, "").slice(0, 96));

/** Wallet Standard: a wallet of several namespaces is one entry. */
function watchStandard(adapters: Adapter[]) {
  const take = quietly((wallet: Unchecked) => {
    const { name, icon, chains } = wallet;
    const served = (Array.isArray(chains) ? chains : []).slice(0, 100).map(String);
    for (const { _namespace, _chains, _line } of adapters) {
      if (_chains && served.some((chain) => _chains.test(chain))) add(_namespace, wallet, { id: idOf(name), name, icon }, _line(wallet));
    }
  });
  const register = (...wallets: unknown[]) => {
    wallets.forEach(take);
    return () => {};
  };
  hear("wallet-standard:register-wallet", (callback) => callback({ register }));
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }));
}

/** Lists the connectors that the host has added; `create` and `updateOptions` have checked their shape. */
export function offerConnectors(adapters: Adapter[], { connectors = [] }: Options): void {
  for (const { id, name, icon, chain, provider } of connectors) {
    const adapter = adapters.find(({ _namespace }) => _namespace == chain)!;
    quietly(() => {
      const line = adapter._line(provider);
      // Under its own id it might be asked in the name of a session of the wallet that has taken it.
      for (let free = id; !add(chain, provider, { id: free, name, icon, type: HOSTS }, line); ) free = "host:" + free;
    })(undefined);
  }
}

/** Begins to look. */
export function discover(adapters: Adapter[]): void {
  const options = page.options();
  offerConnectors(adapters, options);
  if (options.enableWallets === false) return;
  for (const { _discover } of adapters) _discover?.();
  watchStandard(adapters);
}
