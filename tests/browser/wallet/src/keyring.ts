/** Signing: MetaMask's own message formats, viem for transactions. */
import { personalSign, signTypedData, SignTypedDataVersion } from "@metamask/eth-sig-util";
import { createWalletClient, defineChain, http, toHex, type Address, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

export type Transaction = {
  from: string;
  to?: Address;
  data?: Hex;
  value?: Hex;
  gas?: Hex;
  maxFeePerGas?: Hex;
  maxPriorityFeePerGas?: Hex;
};

export const addressOf = (key: string): string => privateKeyToAccount(key as Hex).address.toLowerCase();

export class Keyring {
  private readonly keys = new Map<string, Hex>();

  constructor(keys: readonly string[]) {
    this.add(keys);
  }

  add(keys: readonly string[]): void {
    for (const key of keys) this.keys.set(addressOf(key), key as Hex);
  }

  signMessage(from: string, data: string): string {
    return personalSign({ privateKey: this.secret(from), data });
  }

  signTyped(from: string, data: unknown, version: SignTypedDataVersion): string {
    const typed = typeof data === "string" ? (JSON.parse(data) as unknown) : data;
    return signTypedData({ privateKey: this.secret(from), data: typed as Parameters<typeof signTypedData>[0]["data"], version });
  }

  async send(transaction: Transaction, chainId: number, url: string): Promise<Hex> {
    const { from, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction;
    const native = { name: "Native", symbol: "NATIVE", decimals: 18 };
    const chain = defineChain({ id: chainId, name: String(chainId), nativeCurrency: native, rpcUrls: { default: { http: [url] } } });
    const client = createWalletClient({ account: privateKeyToAccount(this.key(from)), chain, transport: http() });
    return client.sendTransaction({
      ...(to && { to }),
      ...(data && { data }),
      ...(value && { value: BigInt(value) }),
      ...(gas && { gas: BigInt(gas) }),
      // As wallets do that suggest to their owners what the site suggests.
      ...(maxFeePerGas && { maxFeePerGas: BigInt(maxFeePerGas) }),
      ...(maxPriorityFeePerGas && { maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }),
    });
  }

  private key(address: string): Hex {
    const key = this.keys.get(address.toLowerCase());
    if (!key) throw new Error(`no key for ${address}`);
    return key;
  }

  private secret(address: string): Buffer {
    return Buffer.from(this.key(address).slice(2), "hex");
  }
}

export const quantity = (value: number): Hex => toHex(value);
