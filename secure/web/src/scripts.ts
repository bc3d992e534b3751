/** The scripts that are fetched when they are needed: what they are given, what they give. */
import type { Api } from "./api";
import type { CodeForm, CodeWords } from "./cards/code_form";
import type { Card, Row, Summary } from "./cards/card";
import type { Consent } from "./cards/consent";
import type { Data, DataObject } from "./clean";
import { meta } from "./elements";
import { FrameError, type invalid, type rejected } from "./errors";
import type { Parts } from "./frame";
import type { RpcRequest } from "./protocol";
import type { Turn } from "./screen";
import type { Store } from "./storage";
import type { malformed, User } from "./user";
import type { coins, isUnlimited, moment, networkName, tokens } from "./requests/amounts";
import type { passkeyCard } from "./later/passkey_card";
import type { Call, readCall } from "./requests/calls";
import type { readRequest } from "./requests/index";
import type { atMost, authorizationBytes, planTransaction } from "./requests/transactions";
import type { openOwn } from "./smart_account/batches";
import type { enforcerOf } from "./smart_account/delegation";
import type { planDelegation } from "./smart_account/delegations";
import type { readInteger, TypedData } from "./requests/typed_data_hash";
import type { Addresses, addressesOf, base58, checksummed, deriveKeys, keccak, Keys, mnemonicOf, signDigest, signSolana } from "./keys";

/** How the page is served further messages: those that only some visitors ever cause. */
export interface LaterScript {
  serve(type: string, payload: DataObject, parts: Parts): Promise<object | void>;
  /** Is the window that the page's hash names. */
  beWindow(opener: Window, core: ExportCore): void;
  endHold(turn: Turn, parts: Pick<Parts, "api" | "login">, chain?: string, transactions?: Uint8Array[]): Promise<object>;
  isLarge(plan: Plan, chain: string): boolean;
  passkeyCard: typeof passkeyCard;
  loadPasskeyOwner(): Promise<PasskeyOwnerScript>;
}

/** Passkeys that own a Safe: whose they are, how one becomes an owner, and what one signs. */
export interface PasskeyOwnerScript {
  tellPasskeys(asked: Asked, core: Core): Promise<Data>;
  planPasskey(operation: PasskeyOperation, asked: Asked, core: Core, ask: LaterScript["passkeyCard"]): Promise<PasskeyPlan>;
}

/** An operation of a Safe that a passkey has a part in. */
export interface PasskeyOperation {
  safe: string;
  calls: readonly Call[];
  /** Of the owner that signs it, where that is a passkey. */
  signer: string | undefined;
  /** What owners sign. */
  digest: Uint8Array;
}

/** That part. */
export interface PasskeyPlan {
  /** Where it makes a passkey an owner. */
  change: Summary | null;
  /** Who signs. */
  rows: Row[];
  passkey: NonNullable<Plan["passkey"]>;
}

/** Recovery passwords, and who can recover the wallet. */
export interface RecoverySettingsScript {
  setPassword(parts: Parts): Promise<void>;
  removePassword(parts: Parts): Promise<void>;
  openByPassword(user: User, turn: Turn, parts: Parts): Promise<User>;
  escrowOff(parts: Parts): Promise<void>;
  escrowOn(parts: Parts): Promise<void>;
  exportWallet(parts: Parts): Promise<void>;
  beExportWindow(opener: Window, core: ExportCore): void;
}

/** What the window of an export has from the first script. */
export interface ExportCore {
  base58: typeof base58;
  addressesOf: typeof addressesOf;
  deriveKeys: typeof deriveKeys;
  mnemonicOf: typeof mnemonicOf;
}

/** What the site holds of the visitor, the end of an account, and the beginning of one with a passkey alone. */
export interface AccountScript {
  makeWallet(turn: Turn, parts: Parts): Promise<void>;
  deleteAccount(parts: Parts): Promise<object>;
  showData(parts: Parts): Promise<void>;
  beDataWindow(opener: Window): void;
}

/** The wallet for another site of the same browser. */
export interface HandoverScript {
  openByWindow(user: User, turn: Turn, said: string, parts: Parts): Promise<User>;
  rememberWallet(said: string, parts: Parts, endHold: LaterScript["endHold"]): Promise<{ devices: Data[] }>;
  beHandoverWindow(opener: Window): void;
  beRememberWindow(opener: Window): void;
}

/** How a host page is served that embeds this one by the reference's own client. */
export interface HostScript {
  serveHost(place: Window, origins: ReadonlySet<string>, parts: Promise<Parts>, take: (port: MessagePort) => void): void;
}

/** What it has from the first, so that neither has it twice. */
export interface Core {
  keccak: typeof keccak;
  base58: typeof base58;
  checksummed: typeof checksummed;
  signDigest: typeof signDigest;
  signSolana: typeof signSolana;
  FrameError: typeof FrameError;
  invalid: typeof invalid;
  loadSmartAccount: () => Promise<SmartAccountScript>;
  loadGrants: () => Promise<GrantsScript>;
  rejected: typeof rejected;
  malformed: typeof malformed;
  loadLater(): Promise<LaterScript>;
}

/** The parts of the page that sign. */
export type Signer = Pick<Parts, "api" | "login" | "custody" | "store">;

/** A request to be read. */
export interface Asked {
  method: string;
  params: Data;
  chain: string;
  /** The origin that asks. */
  origin: string;
  addresses: Addresses;
  /** Asks a node of the chain, or of another one. */
  node(method: string, params: Data, chain?: string): Promise<Data>;
  store: Store;
  api: Api;
}

/** Signs with the wallet's keys, which are joined for that one use. */
export type Sign = (use: (keys: Keys) => Data) => Promise<Data>;

/** A request that was read. */
export interface Plan {
  summary: Summary;
  network: string;
  account: string;
  /** Of transactions, the bytes that are signed. */
  transactions?: Uint8Array[];
  /** Of what signs a message as personal_sign does, its bytes: a Safe obeys some of its owner's. */
  message?: Uint8Array;
  sign(keys: Keys): Data;
  /** A passkey is used before anything is signed; where it `signs`, in the key's place, and `use` gives what was signed. */
  passkey?: { signs: boolean; use(turn: Turn): Promise<Data | undefined> };
  /** Sends what was signed; returns the request's result. `sign`: for what the visitor has approved as well; `say`: what it is waited for. */
  send?(signed: Data, sign: Sign, say: (words: string) => void): Promise<Data>;
}

/** What reads the requests of smart accounts, from the script that reads all others. */
export interface SmartAccountTools extends Core {
  readRequest: typeof readRequest;
  readCall: typeof readCall;
  atMost: typeof atMost;
  coins: typeof coins;
  networkName: typeof networkName;
  planTransaction: typeof planTransaction;
  authorizationBytes: typeof authorizationBytes;
  isUnlimited: typeof isUnlimited;
  moment: typeof moment;
  tokens: typeof tokens;
  readInteger: typeof readInteger;
}

/** The same of what grants permissions. */
export interface GrantTools extends SmartAccountTools {
  planDelegation: typeof planDelegation;
  enforcerOf: typeof enforcerOf;
}

/** Permissions in the form that AppKit's pages ask for. */
export interface GrantsScript {
  planGrant(asked: Asked, tools: GrantTools): Promise<Plan>;
  planEnd(asked: Asked, tools: SmartAccountTools): Promise<Plan>;
}

/** The same of what reads delegations. */
export type TypedDataTools = Pick<SmartAccountTools, "coins" | "isUnlimited" | "moment" | "tokens" | "readInteger">;

/** Calls at once, what an account can do, and what it delegates. */
export interface SmartAccountScript {
  isBounded(data: TypedData, chain: string, account: string, tools: TypedDataTools): boolean;
  readDelegation(data: TypedData, chain: string, tools: TypedDataTools): [rows: Row[], warnings: string[]];
  readSmartRequest(asked: Asked, tools: SmartAccountTools): Promise<Plan>;
  readWallet(asked: Asked, tools: SmartAccountTools): Promise<Data>;
  openOwn: typeof openOwn;
  setPreferredAccount(type: string, parts: Parts): Promise<object>;
  enabledNetworks(parts: Parts): Promise<object>;
}

/** The same where the site's accounts are Safes. */
export interface SafeScript extends SmartAccountScript {
  /** Reads a request of the key's own account, or of its Safe. */
  planRequest(asked: Asked, core: Core, read: typeof readRequest): Promise<Plan>;
  /** Adds the Safe to what is told of the user; `asked`: may name the kind of account that the asker prefers. */
  withSafe(user: DataObject, asked: DataObject, parts: Parts): Promise<object>;
}

export interface RequestsScript {
  /** Methods that the visitor is asked about, and methods that are answered without. */
  METHODS: ReadonlySet<string>;
  READS: ReadonlySet<string>;
  answerRead(request: RpcRequest, user: User, signer: Signer, core: Core): Promise<Data>;
  answerRequest(request: RpcRequest, user: User, turn: Turn, signer: Signer, core: Core): Promise<Data>;
  askConsent(card: Card, openWindow: (() => Promise<boolean>) | null): Consent;
  askInWindow(card: Card, signal: AbortSignal): Promise<boolean>;
  beWindow(opener: Window): void;
  askCode(email: string, signal: AbortSignal, words: CodeWords): CodeForm;
  mayTryAgain(reason: string): boolean;
  RESEND: string;
  CANCEL: string;
}

/** Fetches a script once; when it cannot be had, the next call tries again. */
function fetched<Script>(name: string): () => Promise<Script> {
  let loading: Promise<Script> | null = null;
  return () =>
    (loading ??= (import(`/sdk/${name}.js`) as Promise<Script>).catch(() => {
      loading = null;
      throw new FrameError("The wallet could not be loaded. Please try again", undefined, "unreachable");
    }));
}

// Each bundle has those that it uses.
/** The cards, and what reads requests. */
export const loadRequests = /* @__PURE__ */ fetched<RequestsScript>("typed_data");
export const loadLater = /* @__PURE__ */ fetched<LaterScript>("later");
export const loadRecoverySettings = /* @__PURE__ */ fetched<RecoverySettingsScript>("recovery_settings");
export const loadPasskeyOwner = /* @__PURE__ */ fetched<PasskeyOwnerScript>("passkey_owner");
export const loadAccount = /* @__PURE__ */ fetched<AccountScript>("account");
export const loadHandover = /* @__PURE__ */ fetched<HandoverScript>("handover");
const loadDelegator = /* @__PURE__ */ fetched<SmartAccountScript>("smart_account");
export const loadSafe = /* @__PURE__ */ fetched<SafeScript>("safe");
/** By whether the site's accounts are Safes: the page names the networks. */
export const loadSmartAccount = (): Promise<SmartAccountScript> => (meta("safe") ? loadSafe() : loadDelegator());
export const loadGrants = /* @__PURE__ */ fetched<GrantsScript>("grants");
export const loadHostClient = /* @__PURE__ */ fetched<HostScript>("host_client");
