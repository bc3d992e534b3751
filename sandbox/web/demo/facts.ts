/** What a host page knows about the visitor, kept up to date. */
import type { Modal } from "./modal";
import { part } from "./page";

/** Namespaces of which the modal reads balances. */
const WITH_BALANCES = ["eip155", "solana"];

/** Show account, network, balance and wallet, now and after every change; returns a function that does it again. */
export function watchFacts(modal: Modal): () => void {
  function refresh(): void {
    const address = modal.getAddress();
    const network = modal.getCaipNetwork();
    part("fact-status").textContent = address ? "connected" : "not connected";
    part("fact-status").dataset.on = String(Boolean(address));
    part("fact-address").textContent = address ?? "–";
    part("fact-network").textContent = [network?.name, modal.getCaipNetworkId()].filter(Boolean).join(" · ") || "–";
    part("fact-wallet").textContent = modal.getWalletInfo()?.name ?? "–";
    part("fact-balance").textContent = address ? balance(modal) : "–";
    part("step-connect").dataset.done = String(Boolean(address));
    const namespace = modal.getActiveChainNamespace() ?? "";
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-needs-account]")) {
      const namespaces = button.dataset.needsAccount ?? "";
      button.disabled = !address || (namespaces !== "" && !namespaces.split(" ").includes(namespace));
    }
  }

  modal.subscribeAccount(refresh);
  modal.subscribeNetwork(refresh);
  modal.subscribeWalletInfo(refresh);
  modal.subscribeBalance(refresh);
  refresh();
  return refresh;
}

function balance(modal: Modal): string {
  const known = modal.getBalance();
  if (known !== undefined) return `${grouped(known.formatted)} ${known.symbol}`;
  return WITH_BALANCES.includes(modal.getActiveChainNamespace() ?? "") ? "…" : "not read on this network";
}

/** An amount with commas between thousands, as the modal shows it; `formatted` has none, so that programs can read it. */
const grouped = (amount: string): string => amount.replace(/\B(?=(\d{3})+(\.|$))/g, ",");
