/** The Sandbox Wallet: a real wallet in the demo page, for people who have none installed. */
import { ACCOUNTS as BITCOIN } from "./bip122/accounts";
import { offer } from "./bip122/provider";
import { announce } from "./eip155/announce";
import { EvmPurse } from "./eip155/purse";
import { Panel } from "./panel";
import { ACCOUNTS as POLKADOT } from "./polkadot/accounts";
import { inject } from "./polkadot/extension";
import { type Ask, Purse } from "./purse";
import { ACCOUNTS as SOLANA } from "./solana/accounts";
import { register } from "./standard";
import { Store } from "./store";

const store = new Store();
const panel = new Panel(store);
const ask: Ask = (question, from) => panel.ask(question, from);

const evm = new EvmPurse(store, ask);
const solana = new Purse(store, ask, { namespace: "solana", label: "Solana", accounts: SOLANA });
const bitcoin = new Purse(store, ask, {
  namespace: "bip122",
  label: "Bitcoin",
  accounts: BITCOIN,
  facts: ({ address, ordinals }) => [
    ["Payments", address],
    ["Ordinals", ordinals.address],
  ],
});
const polkadot = new Purse(store, ask, { namespace: "polkadot", label: "Polkadot", accounts: POLKADOT });

panel.mount(evm, [solana, bitcoin, polkadot]);
announce(evm);
register(solana, bitcoin);
offer(bitcoin);
inject(polkadot);
