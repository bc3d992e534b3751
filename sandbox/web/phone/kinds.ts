/** What the phone has: accounts, networks and abilities of each namespace. */
import { ACCOUNTS as BITCOIN } from "../wallet/bip122/accounts";
import { ACCOUNTS as EVM } from "../wallet/eip155/accounts";
import { networkOf } from "../wallet/eip155/networks";
import { ACCOUNTS as POLKADOT } from "../wallet/polkadot/accounts";
import { ACCOUNTS as SOLANA } from "../wallet/solana/accounts";
import { CHAIN as SOLANA_CHAIN } from "../wallet/solana/questions";

/** One namespace. */
export interface Kind {
  readonly namespace: string;
  /** As people say it. */
  readonly label: string;
  /** CAIP-2 ids. */
  readonly chains: readonly string[];
  readonly addresses: readonly string[];
  readonly methods: readonly string[];
  readonly events: readonly string[];
}

const EVM_ACCOUNTS = 4;

export const KINDS: readonly Kind[] = [
  {
    namespace: "eip155",
    label: "Ethereum",
    chains: ["eip155:1", "eip155:137", "eip155:10", "eip155:8453", "eip155:42161"],
    addresses: EVM.slice(0, EVM_ACCOUNTS).map(({ address }) => address),
    methods: [
      "personal_sign",
      "eth_signTypedData",
      "eth_signTypedData_v4",
      "eth_sendTransaction",
      "wallet_switchEthereumChain",
      "wallet_addEthereumChain",
    ],
    events: ["accountsChanged", "chainChanged"],
  },
  {
    namespace: "solana",
    label: "Solana",
    chains: [SOLANA_CHAIN],
    addresses: SOLANA.map(({ address }) => address),
    methods: ["solana_signMessage", "solana_signTransaction", "solana_signAllTransactions", "solana_signAndSendTransaction"],
    events: ["accountsChanged", "chainChanged"],
  },
  {
    namespace: "bip122",
    label: "Bitcoin",
    chains: ["bip122:000000000019d6689c085ae165831e93"],
    addresses: BITCOIN.map(({ address }) => address),
    methods: ["signMessage", "getAccountAddresses", "signPsbt"],
    events: ["accountsChanged", "bip122_addressesChanged"],
  },
  {
    namespace: "polkadot",
    label: "Polkadot",
    chains: ["polkadot:91b171bb158e2d3848fa23a9f1c25182"],
    addresses: POLKADOT.map(({ address }) => address),
    methods: ["polkadot_signMessage"],
    events: ["accountsChanged"],
  },
];

export function kindOf(namespace: string): Kind | undefined {
  return KINDS.find((kind) => kind.namespace === namespace);
}

/** A network as people call it, by its CAIP-2 id. */
export function networkName(chain: string): string {
  const [namespace = "", reference] = chain.split(":");
  if (namespace === "eip155") return networkOf(Number(reference)).name;
  return kindOf(namespace)?.label ?? chain;
}

/** Long enough to tell accounts apart, short enough for a phone. */
export function shortened(address: string): string {
  return address.length > 20 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address;
}
