/** One wallet of each convention outside eip155, and pages that have one. */
import { afterEach } from "vitest";
import type { Namespace } from "../src/protocol";
import {
  BITCOIN, BitcoinStandardWallet, MAINNET, never, PAYMENT, POLKADOT, PolkadotExtension, refusal, register, RELAY, RpcWallet, SOLANA,
  StandardWallet, TAPROOT, UnisatWallet,
} from "./doubles";
import { FakeFrame, stage } from "./stage";

export const page: any = window;

afterEach(() => {
  for (const name of ["btc_providers", "Bitcoin", "unisat", "injectedWeb3"]) delete page[name];
});

/** One wallet of each convention: how it comes into the page, and how it is refused, changed and known again. */
export const conventions = {
  solana: {
    namespace: "solana" as Namespace, id: "Sol", accounts: [SOLANA], chain: MAINNET,
    make: () => new StandardWallet(),
    place: (wallet: any) => register(wallet),
    prompts: (wallet: any) => wallet.prompt.mock.calls.length,
    refuse: (wallet: any) => wallet.prompt.mockImplementation(() => { throw new Error("User rejected the request."); }),
    hang: (wallet: any) => wallet.prompt.mockImplementation(never),
    nonsense: (wallet: any) => wallet.prompt.mockImplementation(() => ({ accounts: [{ address: "0x12", chains: ["solana:mainnet"] }] })),
    lock: (wallet: any) => { wallet.known = false; wallet.change([]); },
    know: (wallet: any) => { wallet.known = true; },
  },
  "Bitcoin by Wallet Standard": {
    namespace: "bip122" as Namespace, id: "Bit", accounts: [PAYMENT, TAPROOT], chain: BITCOIN,
    make: () => new BitcoinStandardWallet(),
    place: (wallet: any) => register(wallet),
    prompts: (wallet: any) => wallet.prompt.mock.calls.length,
    refuse: (wallet: any) => wallet.prompt.mockImplementation(() => { throw new Error("Request cancelled"); }),
    hang: (wallet: any) => wallet.prompt.mockImplementation(never),
    nonsense: (wallet: any) => wallet.prompt.mockImplementation(() => ({ accounts: 7 })),
    lock: (wallet: any) => { wallet.known = false; wallet.change([]); },
    know: (wallet: any) => { wallet.known = true; },
  },
  "Bitcoin by window.btc_providers": {
    namespace: "bip122" as Namespace, id: "Bitcoin.Provider", accounts: [PAYMENT, TAPROOT], chain: BITCOIN,
    make: () => new RpcWallet(),
    place: (wallet: any) => { page.Bitcoin = { Provider: wallet }; page.btc_providers = [{ id: "Bitcoin.Provider", name: "Rpc" }]; },
    prompts: (wallet: any) => wallet.asked.filter((method: string) => method == "getAddresses").length,
    refuse: (wallet: any) => { wallet.answers.getAddresses = () => ({ error: { code: -32000, message: "No" } }); },
    hang: (wallet: any) => { wallet.answers.getAddresses = never; },
    nonsense: (wallet: any) => { wallet.answers.getAddresses = () => ({ result: { addresses: [null, { address: {} }] } }); },
    lock: (wallet: any) => { wallet.known = false; wallet.tell.forEach((tell: () => void) => tell()); },
    know: (wallet: any) => { wallet.known = true; },
  },
  "Bitcoin by window.unisat": {
    namespace: "bip122" as Namespace, id: "unisat", accounts: [PAYMENT], chain: BITCOIN,
    make: () => new UnisatWallet(),
    place: (wallet: any) => { page.unisat = wallet; },
    prompts: (wallet: any) => wallet.asked.length,
    refuse: (wallet: any) => { wallet.requestAccounts = () => Promise.reject(refusal(4001, "No")); },
    hang: (wallet: any) => { wallet.requestAccounts = never; },
    nonsense: (wallet: any) => { wallet.requestAccounts = () => "nonsense"; },
    lock: (wallet: any) => { wallet.known = false; wallet.listeners.get("accountsChanged")(); },
    know: (wallet: any) => { wallet.known = true; },
  },
  polkadot: {
    namespace: "polkadot" as Namespace, id: "polkadot:talisman", accounts: [POLKADOT], chain: RELAY,
    make: () => new PolkadotExtension(),
    place: (wallet: any) => { page.injectedWeb3 = { talisman: wallet }; },
    prompts: (wallet: any) => wallet.enable.mock.calls.length,
    refuse: (wallet: any) => wallet.enable.mockImplementation(() => Promise.reject(new Error("Rejected"))),
    hang: (wallet: any) => wallet.enable.mockImplementation(never),
    nonsense: (wallet: any) => { wallet.addresses = ["0x12"]; },
    lock: (wallet: any) => { wallet.addresses = []; wallet.tell(); },
    know: (wallet: any) => { wallet.known = true; },
  },
};

export type Convention = (typeof conventions)["solana"];

export const keyOf = (namespace: Namespace) => `@appkit/${namespace}:connected_connector_id`;

export async function placed({ make, place, id }: Convention, prepare: (wallet: any) => void = () => {}) {
  const wallet = make();
  prepare(wallet);
  place(wallet);
  // The standard announces itself while the page listens; the others lie there before.
  const staged = await stage();
  place(wallet);
  await staged.frame.snapshot(({ wallets }) => wallets.some((one) => one.id == id));
  return { ...staged, wallet };
}

export const connect = (frame: FakeFrame, { namespace, id }: Convention, more = {}) =>
  frame.run(frame.command("wallet.connect", { namespace, connector: id, ...more }));

export async function connected(convention: Convention) {
  const staged = await placed(convention);
  await connect(staged.frame, convention);
  return staged;
}
