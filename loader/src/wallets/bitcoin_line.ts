/** What all Bitcoin conventions come to: the requests of the WalletConnect namespace `bip122`. */
import { invalidParams, unexpected } from "../errors";
import type { Unchecked } from "../protocol";
import { refusable, unsupported, type Grant, type Line } from "./line";

/** Mainnet, testnet and signet, regtest; legacy, script, segwit and taproot. */
export const ADDRESS = /^((bc|tb|bcrt)1[ac-hj-np-z02-9]{8,87}|[13mn2][1-9A-HJ-NP-Za-km-z]{25,39})$/;

const MAINNET = "000000000019d6689c085ae165831e93";
const TESTNET = "000000000933ea01ad0ee984209779ba";
const REGTEST = "0f9188f13cb7b2c71f2a335e3a4fc328";
const SATOSHIS = /^[1-9]\d{0,15}$/;
const MAX_ADDRESSES = 50;

const isAddress = (value: unknown): value is string => typeof value == "string" && ADDRESS.test(value);

export type Address = { address: string; publicKey?: string; intention?: string };
export type Protocol = "ecdsa" | "bip322" | undefined;
export type SignInput = { address: string; index: number; sighashTypes?: number[] };

/** One convention. What it has no means for is left out. */
export type BitcoinWallet = {
  _connect(): Promise<Address[]>;
  /** What was granted on an earlier visit, without a prompt; empty when the wallet cannot say so. */
  _recall(): Promise<Address[]>;
  /** What is granted now, without a prompt. */
  _now(): Promise<Address[]>;
  _signMessage(message: string, address: string, protocol: Protocol): Promise<unknown>;
  /** `amount`: satoshis. Returns the transaction's id. */
  _sendTransfer?(recipient: string, amount: number, account: string): Promise<unknown>;
  /** `psbt`: base64. Returns it signed, in base64 too. */
  _signPsbt?(psbt: string, inputs: SignInput[] | undefined, broadcast: boolean): Promise<{ psbt: unknown; txid?: unknown }>;
  _listen(changed: () => void): void;
  _disconnect(): Promise<unknown>;
};

/** The network that an address belongs to; test networks share their addresses, so the one that is meant counts. */
function chainOf(address: string, wanted: string): string {
  if (address.startsWith("bcrt")) return REGTEST;
  if (/^(bc|[13])/.test(address)) return MAINNET;
  return wanted && wanted != MAINNET && (wanted != REGTEST || !address.startsWith("tb")) ? wanted : TESTNET;
}

/** Addresses that are some, that for payments first. */
function ordered(addresses: unknown): Address[] {
  const all = (Array.isArray(addresses) ? addresses : []).slice(0, MAX_ADDRESSES) as Address[];
  const sound = all.filter((one) => isAddress(one?.address));
  return [...sound.filter(isPayment), ...sound.filter((one) => !isPayment(one))];
}

/** Taproot addresses hold collectibles where a wallet does not say otherwise. */
const isPayment = ({ address, intention }: Address) => (intention ? intention == "payment" : !/^(bc|tb|bcrt)1p/.test(address));

const textOf = (value: unknown): string => {
  if (typeof value != "string" || !value) throw unexpected();
  return value;
};

/** How a wallet of any of the conventions is asked. */
export function bitcoinLine(wallet: BitcoinWallet): Line {
  const grantOf = (given: unknown, wanted: string): Grant | null => {
    const addresses = ordered(given);
    return addresses[0] ? { accounts: [...new Set(addresses.map(({ address }) => address))], chain: chainOf(addresses[0].address, wanted) } : null;
  };

  const methods: Record<string, (params: Unchecked) => Promise<unknown>> = {
    __proto__: null as never,
    getAccountAddresses: async () =>
      ordered(await wallet._now()).map((one) => ({
        address: one.address,
        ...(typeof one.publicKey == "string" && { publicKey: one.publicKey }),
        intention: isPayment(one) ? "payment" : "ordinal",
      })),
    async signMessage({ message, address, account, protocol }) {
      const signer = address ?? account;
      if (typeof message != "string" || !isAddress(signer) || ![undefined, "ecdsa", "bip322"].includes(protocol)) throw invalidParams();
      return { address: signer, signature: textOf(await wallet._signMessage(message, signer, protocol)) };
    },
    async sendTransfer({ recipientAddress, amount, account }) {
      if (!wallet._sendTransfer) throw unsupported();
      if (!isAddress(recipientAddress) || !SATOSHIS.test(amount)) throw invalidParams();
      return { txid: textOf(await wallet._sendTransfer(recipientAddress, Number(amount), account)) };
    },
    async signPsbt({ psbt, signInputs, broadcast = false }) {
      if (!wallet._signPsbt) throw unsupported();
      const sound = (input: Unchecked) => isAddress(input?.address) && Number.isInteger(input.index) && input.index >= 0;
      if (typeof psbt != "string" || (signInputs && !(Array.isArray(signInputs) && signInputs.every(sound)))) throw invalidParams();
      const { psbt: signed, txid } = await wallet._signPsbt(psbt, signInputs ?? undefined, broadcast === true);
      return { psbt: textOf(signed), ...(txid ? { txid: textOf(txid) } : {}) };
    },
  };

  return {
    async _connect(wanted) {
      const grant = grantOf(await refusable(() => wallet._connect()), wanted);
      if (!grant) throw unexpected();
      return grant;
    },
    _recall: async (wanted) => grantOf(await wallet._recall(), wanted),
    _now: async (wanted) => grantOf(await wallet._now(), wanted),
    _request: (method, params) =>
      refusable(() => {
        const ask = methods[method];
        if (!ask) throw invalidParams();
        return ask(params ?? {});
      }),
    _listen: (changed) => wallet._listen(changed),
    _disconnect: () => wallet._disconnect(),
  };
}
