/** What hosts write with the libraries that they have: each connects, reads, signs, sends and switches through the modal. */
import * as ethersLibrary from "./ethers";
import * as solanaLibrary from "./solana";
import * as viemLibrary from "./viem";
import * as web3Library from "./web3";

/** `any` in it: each library has a type of its own for a provider and for what one answers, and no two of them agree. */
export type Provider = {
  request(asked: { method: string; params?: unknown }): Promise<any>;
  on(event: string, listener: (value: any) => void): unknown;
  removeListener(event: string, listener: (value: any) => void): unknown;
};

/** One way to do everything, so that the same tests hold for all. Amounts are decimal texts of base units. */
export type Library = {
  /** Gives the account, checksummed. */
  connect(): Promise<string>;
  balance(address: string): Promise<string>;
  sign(text: string): Promise<string>;
  /** Gives the account that signed, as the library recovers it itself. */
  signTyped(text: string): Promise<string>;
  /** Waits until it is mined; gives its hash. */
  send(to: string, value: string): Promise<string>;
  switchTo(chainId: number): Promise<number>;
  /** Calls `fail()` of a contract whose error is `Refused(uint256 why)`; gives what the library makes of it: "Refused 7". */
  failing(contract: string): Promise<string>;
  /** The transaction hashes of the events `Rang(uint256)` that the contract emits after `ready` was called, the first of them. */
  watch(contract: string, ready: () => void): Promise<string>;
};

declare global {
  interface Window {
    /** `any`: a provider of each namespace, of which `Provider` is one. */
    modal: { getProvider(namespace: string): any };
    libraries: { ethers: Library; viem: Library; web3: Library; solana: typeof solanaLibrary };
  }
}

window.libraries = { ethers: ethersLibrary, viem: viemLibrary, web3: web3Library, solana: solanaLibrary };
