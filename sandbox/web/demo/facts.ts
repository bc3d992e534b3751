/** What a host page knows about the visitor, kept up to date. */
import { formatEther } from "viem/utils";
import type { Modal } from "./modal";
import { asText, part } from "./page";

/** Show account, network, balance and wallet, now and after every change; returns a function that does it again. */
export function watchFacts(modal: Modal): () => Promise<void> {
  let round = 0;

  async function refresh(): Promise<void> {
    const mine = ++round;
    const address = modal.getAddress();
    const network = modal.getCaipNetwork();
    part("fact-status").textContent = address ? "connected" : "not connected";
    part("fact-status").dataset.on = String(Boolean(address));
    part("fact-address").textContent = address ?? "–";
    part("fact-network").textContent = [network?.name, modal.getCaipNetworkId()].filter(Boolean).join(" · ") || "–";
    part("fact-wallet").textContent = modal.getWalletInfo()?.name ?? "–";
    const namespace = modal.getActiveChainNamespace() ?? "";
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-needs-account]")) {
      const namespaces = button.dataset.needsAccount ?? "";
      button.disabled = !address || (namespaces !== "" && !namespaces.split(" ").includes(namespace));
    }
    const balance = address && namespace === "eip155" ? await balanceOf(modal, address, network?.symbol ?? "") : "–";
    // An answer that comes after a newer question would show the wrong account.
    if (mine === round) part("fact-balance").textContent = balance;
  }

  const again = () => void refresh();
  modal.subscribeAccount(again);
  modal.subscribeNetwork(again);
  modal.subscribeWalletInfo(again);
  again();
  return refresh;
}

async function balanceOf(modal: Modal, address: string, symbol: string): Promise<string> {
  try {
    const balance = await modal.getProvider("eip155")?.request({ method: "eth_getBalance", params: [address, "latest"] });
    return typeof balance === "string" ? `${formatEther(BigInt(balance))} ${symbol}`.trim() : "unavailable";
  } catch (error) {
    return `unavailable: ${asText(error)}`;
  }
}
