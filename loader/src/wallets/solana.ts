/** Solana wallets: Wallet Standard. Requests are those of the WalletConnect namespace `solana`. */
import { fail, invalidParams, unexpected } from "../errors";
import type { Unchecked } from "../protocol";
import { fromBase58, fromBase64, toBase58, toBase64 } from "./encoding";
import { OTHER_CHAIN, refusable, type Adapter, type Grant, type Line } from "./line";
import { accountNamed, accountsOn, has, listenStandard, use, type StandardAccount } from "./standard";

const CHAINS = /^solana:/;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** CAIP-2 references and the names that Wallet Standard has for them; a chain of one's own is a localnet. */
const NAMES: Record<string, string> = {
  "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "mainnet",
  "4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ": "mainnet",
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1: "devnet",
  "8E9rvCKLFQia2Y35HXjjpWzj8weVo44K": "devnet",
  "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z": "testnet",
};
const MAINNET = Object.keys(NAMES)[0]!;

const standardChain = (reference: string) => "solana:" + (NAMES[reference] ?? "localnet");

/** The network that was meant if the account is on it, else the first that the account is on. */
function chainOf({ chains }: StandardAccount, wanted: string): string {
  if (!chains?.length || (wanted && chains.includes(standardChain(wanted)))) return wanted || MAINNET;
  return Object.keys(NAMES).find((reference) => standardChain(reference) == chains.find((chain) => CHAINS.test(chain))) ?? (wanted || MAINNET);
}

/** Reads a number of Solana's compact form; returns it and where it ends. */
function compact(bytes: Uint8Array, at: number): [number, number] {
  let value = 0;
  for (let shift = 0; shift < 21; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  return [value, at];
}

/** The signature that an account has put on a transaction; undefined when it has put none. */
function signatureOf(transaction: Uint8Array, address: string): string | undefined {
  const [count, signatures] = compact(transaction, 0);
  let at = signatures + count * 64;
  // A transaction with a version says so before the header.
  if ((transaction[at] ?? 0) > 127) at++;
  const keys = compact(transaction, at + 3)[1];
  for (let index = 0; index < count; index++) {
    const key = transaction.slice(keys + index * 32, keys + index * 32 + 32);
    const signature = transaction.slice(signatures + index * 64, signatures + index * 64 + 64);
    if (toBase58(key) == address && signature.some(Boolean)) return toBase58(signature);
  }
  return undefined;
}

const bytesOf = (value: unknown): Uint8Array => {
  if (!(value instanceof Uint8Array)) throw unexpected();
  return value;
};

function lineOf(wallet: Unchecked): Line | undefined {
  if (!has(wallet, "standard:connect")) return undefined;
  const accounts = () => accountsOn(wallet.accounts, CHAINS, ADDRESS);

  function grantOf(granted: StandardAccount[], wanted: string): Grant | null {
    return granted[0] ? { accounts: granted.map(({ address }) => address), chain: chainOf(granted[0], wanted) } : null;
  }

  async function connect(wanted: string, ...input: object[]) {
    const { accounts: granted } = (await use(wallet, "standard:connect", ...input)) ?? {};
    return grantOf(accountsOn(granted ?? wallet.accounts, CHAINS, ADDRESS), wanted);
  }

  function inputOf({ pubkey, account }: Unchecked, transaction: unknown, reference: string, options?: object) {
    const signer = accountNamed(accounts(), pubkey ?? account);
    const chain = standardChain(reference || chainOf(signer, ""));
    if (signer.chains?.length && !signer.chains.includes(chain)) throw fail(OTHER_CHAIN, "The wallet is not on that network");
    return { account: signer, transaction: fromBase64(transaction), chain, ...(options && { options }) };
  }

  async function signTransactions(params: Unchecked, transactions: unknown[], chain: string) {
    const inputs = transactions.map((transaction) => inputOf(params, transaction, chain));
    const outputs = await use(wallet, "solana:signTransaction", ...inputs);
    return inputs.map(({ account }, index) => {
      const signed = bytesOf(outputs?.[index]?.signedTransaction);
      return { signature: signatureOf(signed, account.address), transaction: toBase64(signed) };
    });
  }

  const methods: Record<string, (params: Unchecked, chain: string) => Promise<unknown>> = {
    __proto__: null as never,
    async solana_signMessage({ message, pubkey }) {
      const outputs = await use(wallet, "solana:signMessage", { account: accountNamed(accounts(), pubkey), message: fromBase58(message) });
      return { signature: toBase58(bytesOf(outputs?.[0]?.signature)) };
    },
    // The wallet's own sign-in writes the text itself, and says what it has signed.
    async solana_signIn({ input }) {
      const outputs = await use(wallet, "solana:signIn", input);
      const { signature, signedMessage } = outputs?.[0] ?? {};
      return { signature: toBase58(bytesOf(signature)), message: toBase58(bytesOf(signedMessage)) };
    },
    solana_signTransaction: async (params, chain) => (await signTransactions(params, [params.transaction], chain))[0],
    async solana_signAllTransactions(params, chain) {
      if (!Array.isArray(params.transactions)) throw invalidParams();
      return { transactions: (await signTransactions(params, params.transactions, chain)).map(({ transaction }) => transaction) };
    },
    async solana_signAndSendTransaction(params, chain) {
      const outputs = await use(wallet, "solana:signAndSendTransaction", inputOf(params, params.transaction, chain, params.sendOptions));
      return { signature: toBase58(bytesOf(outputs?.[0]?.signature)) };
    },
  };

  return {
    async _connect(wanted) {
      const grant = await refusable(() => connect(wanted));
      if (!grant) throw unexpected();
      return grant;
    },
    _recall: (wanted) => connect(wanted, { silent: true }),
    _now: async (wanted) => grantOf(accounts(), wanted),
    _request: (method, params, chain) =>
      refusable(() => {
        const ask = methods[method];
        if (!ask || !params) throw invalidParams();
        return ask(params, chain);
      }),
    _listen: (changed) => listenStandard(wallet, changed),
    _disconnect: () => use(wallet, "standard:disconnect"),
  };
}

export const solana: Adapter = { _namespace: "solana", _address: ADDRESS, _chains: CHAINS, _line: lineOf };
