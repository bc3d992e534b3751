/** The buttons of the page: what a host asks of the modal and, through it, of the wallet. */
import { parseEther, parseUnits, toHex } from "viem/utils";
import { make } from "../dom";
import { signGreeting } from "./greeting";
import type { Modal, Provider } from "./modal";
import { demoNetworks } from "./options";
import { asText, log, part } from "./page";
import { signIn, signOut } from "./session";

const SECOND_TEST_ACCOUNT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

type Action = () => Promise<unknown>;

export function wireActions(modal: Modal, refresh: () => void): void {
  const networks = part<HTMLSelectElement>("network");
  for (const [id, name] of demoNetworks(location.search)) networks.append(make("option", { value: id }, name));
  const view = part<HTMLSelectElement>("view");

  const actions: Record<string, Action> = {
    refresh: async () => refresh(),
    open: () => modal.open(view.value === "" ? {} : { view: view.value }),
    switch: () => modal.switchNetwork(networks.value),
    disconnect: () => modal.disconnect(),
    faucet: async () => {
      const chain = modal.getCaipNetworkId() ?? "";
      const amount = parseUnits("10", chain.startsWith("solana:") ? 9 : 18).toString();
      await takeFromFaucet({ address: account(modal), chain, amount });
      return "10 coins added";
    },
    faucetNft: async () => {
      const given = await takeFromFaucet({ address: account(modal), chain: modal.getCaipNetworkId() ?? "", nft: true });
      return `${given.name} is yours: ${given.nft}`;
    },
    sign: async () => {
      const signature = await signGreeting(modal, account(modal));
      part("step-ask").dataset.done = "true";
      return signature;
    },
    typed: () => provider(modal).request({ method: "eth_signTypedData_v4", params: [account(modal), JSON.stringify(greeting(modal))] }),
    send: async () => {
      const value = toHex(parseEther("0.01"));
      const transaction = { from: account(modal), to: SECOND_TEST_ACCOUNT, value };
      const hash = await provider(modal).request({ method: "eth_sendTransaction", params: [transaction] });
      part("step-ask").dataset.done = "true";
      return hash;
    },
    placeOnramp: async () => part("buying").replaceChildren(document.createElement("wallet-modal-onramp")),
    signIn: () => signIn(modal),
    signOut: () => signOut(modal),
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-action]")) {
    const name = button.dataset.action ?? "";
    const action = actions[name];
    if (action !== undefined) button.addEventListener("click", () => void run(button, name, action));
  }
}

async function run(button: HTMLButtonElement, name: string, action: Action): Promise<void> {
  const result = part<HTMLOutputElement>("result");
  // What came of it is read where the button is.
  button.closest(".row")?.after(result);
  result.hidden = true;
  try {
    const value = await action();
    if (value === undefined) return;
    result.textContent = asText(value);
    result.dataset.failed = "false";
    result.hidden = false;
    log(name, typeof value === "string" && value.length < 80 ? value : "done", value);
  } catch (error) {
    const refused = (error as { code?: unknown }).code === 4001;
    result.textContent = refused ? "You declined." : asText(error);
    // Whoever says no has done nothing wrong.
    result.dataset.failed = String(!refused);
    result.hidden = false;
    log(name, refused ? "declined" : "failed", asText(error));
  }
}

function provider(modal: Modal): Provider {
  const found = modal.getProvider("eip155");
  if (found === undefined) throw new Error("The modal has no provider for eip155.");
  return found;
}

function account(modal: Modal): string {
  const address = modal.getAddress();
  if (!address) throw new Error("Connect a wallet first.");
  return address;
}

function greeting(modal: Modal): object {
  const chainId = Number(modal.getCaipNetworkId()?.split(":")[1]);
  return {
    types: {
      EIP712Domain: [
        { name: "name", type: "string" },
        { name: "version", type: "string" },
        { name: "chainId", type: "uint256" },
      ],
      Greeting: [
        { name: "to", type: "address" },
        { name: "words", type: "string" },
      ],
    },
    primaryType: "Greeting",
    domain: { name: "WalletModal demo", version: "1", chainId },
    message: { to: SECOND_TEST_ACCOUNT, words: "Good morning" },
  };
}

type Wish = { address: string; chain: string; amount: string } | { address: string; chain: string; nft: true };

async function takeFromFaucet(wish: Wish): Promise<Record<string, string>> {
  const response = await fetch("/sandbox/faucet", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wish),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`The faucet refused: ${answer.reasons[0].description}`);
  return answer;
}
