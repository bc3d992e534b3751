/** The second script, which shows and reads requests: what it is given, what it gives, and how it is fetched. */
import type { CodeForm } from "./cards/code_form";
import type { Card, Summary } from "./cards/card";
import type { Consent } from "./cards/consent";
import type { Data } from "./clean";
import { FrameError } from "./errors";
import type { Addresses, base58, checksummed, keccak, Keys, signDigest, signSolana } from "./keys";

const ADDRESS = "/sdk/typed_data.js";

/** What it has from the first, so that neither has it twice. */
export interface Core {
  keccak: typeof keccak;
  base58: typeof base58;
  checksummed: typeof checksummed;
  signDigest: typeof signDigest;
  signSolana: typeof signSolana;
  FrameError: typeof FrameError;
}

/** A request to be read. */
export interface Asked {
  method: string;
  params: Data;
  chain: string;
  /** The origin that asks. */
  origin: string;
  addresses: Addresses;
  /** Asks a node of the chain. */
  node(method: string, params: Data): Promise<Data>;
}

/** A request that was read. */
export interface Plan {
  summary: Summary;
  network: string;
  account: string;
  sign(keys: Keys): Data;
  /** Sends what was signed; returns the request's result. */
  send?(signed: Data): Promise<Data>;
}

export interface SecondScript {
  readRequest(asked: Asked, core: Core): Promise<Plan>;
  askConsent(card: Card, openWindow: (() => Promise<boolean>) | null): Consent;
  askInWindow(card: Card, signal: AbortSignal): Promise<boolean>;
  beWindow(opener: Window): void;
  askCode(email: string, signal: AbortSignal): CodeForm;
  mayTryAgain(reason: string): boolean;
  RESEND: string;
  CANCEL: string;
}

let loading: Promise<SecondScript> | null = null;

/** Fetches it once; when it cannot be had, the next call tries again. */
export function loadSecond(): Promise<SecondScript> {
  return (loading ??= (import(ADDRESS) as Promise<SecondScript>).catch(() => {
    loading = null;
    throw new FrameError("The wallet could not be loaded. Please try again", undefined, "unreachable");
  }));
}
