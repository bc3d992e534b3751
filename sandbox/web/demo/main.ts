/** The demo host page: one instance of the modal, on `window.modal`, and what a host can do with it. */
import { wireActions } from "./actions";
import { watchEvents } from "./events";
import { watchFacts } from "./facts";
import type { Modal } from "./modal";
import { demoOptions, offersAll, POLKADOT } from "./options";
import { log, notice, part } from "./page";
import { wireThemeMode, wireThemeVariables } from "./theme";

function createModal(): Modal | undefined {
  const { options, problem } = demoOptions(location.search);
  if (problem !== undefined) notice(problem);
  if (window.WalletModal === undefined) {
    const origin = document.documentElement.dataset.modalOrigin;
    notice(`The modal could not be loaded from ${origin}/walletmodal.js. Is it running? Start it with: make run`);
    return undefined;
  }
  if (options.enableEmbedded === true) part("elements").after(document.createElement("wallet-modal-embed"));
  try {
    return window.WalletModal.create(options);
  } catch (error) {
    notice(`WalletModal.create refused these options: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function wireCopy(): void {
  const button = part<HTMLButtonElement>("copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(part("snippet").textContent ?? "");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
  });
}

function wireNamespaces(): void {
  const link = part<HTMLAnchorElement>("namespaces");
  const query = new URLSearchParams(location.search);
  const all = offersAll(location.search);
  if (all) query.delete("networks");
  else query.set("networks", "all");
  link.search = query.toString();
  link.textContent = all ? "Offer Ethereum's networks only" : "Offer every namespace";
}

async function addPolkadot(modal: Modal): Promise<void> {
  try {
    await modal.addNetwork("polkadot", POLKADOT);
  } catch (error) {
    log("addNetwork", "failed", error);
  }
}

wireCopy();
wireNamespaces();
const modal = createModal();
wireThemeMode(modal);
if (modal === undefined) {
  for (const control of document.querySelectorAll<HTMLButtonElement>("[data-action], .card input, .card select")) {
    control.disabled = true;
  }
} else {
  window.modal = modal;
  watchEvents(modal);
  wireThemeVariables(modal);
  wireActions(modal, watchFacts(modal));
  if (offersAll(location.search)) void addPolkadot(modal);
}
