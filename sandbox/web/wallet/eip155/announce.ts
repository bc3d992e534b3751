/** The provider that pages find: EIP-1193, announced by EIP-6963. It is not put on window.ethereum. */
import { ICON, NAME } from "../icon";
import { answer } from "./methods";
import type { EvmPurse } from "./purse";

const INFO = Object.freeze({
  uuid: crypto.randomUUID(),
  name: NAME,
  icon: ICON,
  rdns: "dev.walletmodal.sandbox",
});

const EVENTS = new Set(["accountsChanged", "chainChanged", "connect", "disconnect"]);

type Listener = (payload: unknown) => void;

export function announce(wallet: EvmPurse): void {
  const provider = Object.freeze({
    isSandboxWallet: true,
    request: (request: unknown) => answer(wallet, request),
    on(event: string, listener: Listener) {
      if (EVENTS.has(event)) wallet.on(event, listener);
      return provider;
    },
    removeListener(event: string, listener: Listener) {
      wallet.removeListener(event, listener);
      return provider;
    },
  });
  const detail = Object.freeze({ info: INFO, provider });
  const tell = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", tell);
  tell();
}
