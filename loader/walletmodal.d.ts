/** Types of walletmodal.js, the script that puts the wallet modal into a host page. Global name: `WalletModal`. */

export type Namespace = "eip155" | "solana" | "bip122" | "polkadot";
export type ThemeMode = "dark" | "light";
/** The eight variables that change the look; sizes are CSS lengths, the rest CSS values. */
export type ThemeVariables = Partial<
  Record<
    | "--w3m-font-family"
    | "--w3m-accent"
    | "--w3m-color-mix"
    | "--w3m-color-mix-strength"
    | "--w3m-font-size-master"
    | "--w3m-border-radius-master"
    | "--w3m-z-index"
    | "--w3m-qr-color",
    string | number
  >
>;

/** `nonce`: the page's own, 8 to 128 letters and digits; signed with the rest, and told in every token. */
export type SignInOptions = { required: boolean; statement?: string; nonce?: string };
export type Metadata = { name?: string; description?: string; url?: string; icons?: string[] };

/** Options of `create`. What the deployment does not let an embed change is ignored with a console warning. */
export interface Options {
  /** Address of the modal; default: the origin that this script came from. */
  src?: string;
  /** When the frame is loaded; default "auto": at idle if a connection is remembered, else when an element is reached. */
  preload?: "auto" | "idle" | "eager" | "none";
  /** CAIP-2 ids: "eip155:1". */
  networks?: string[];
  defaultNetwork?: string;
  /** Namespaces to offer; default those of `networks`; `[]`: pairing only. */
  adapters?: Namespace[];
  projectId?: string;
  metadata?: Metadata;
  /** Default: what the system prefers. */
  themeMode?: ThemeMode;
  themeVariables?: ThemeVariables;
  /** Sign-in with the wallet. `siweConfig` is another name for it; setting both is an error. */
  siwx?: SignInOptions;
  siweConfig?: SignInOptions;
  /** Which requests of the provider the visitor confirms in the modal first; the deployment may ask for more than the page. */
  confirmRequests?: "off" | "policy" | "all";
  /** False: no wallets at all. */
  enableWallets?: boolean;
  /** False: no wallets that announce themselves by EIP-6963. */
  enableEIP6963?: boolean;
  /** False: no `window.ethereum`. */
  enableInjected?: boolean;
  /** False: who comes back to the page connects anew; a wallet that was being asked when the page was left may still answer. */
  enableReconnect?: boolean;
  /** The modal as a card inside `<wallet-modal-embed>`. */
  enableEmbedded?: boolean;
  /** True: nothing is put into the page before `open()` or an embed element. */
  disableAppend?: boolean;
  allowUnsupportedChain?: boolean;
  /** The language of the modal (BCP 47): by default the first of the browser's that the deployment offers, else English. */
  locale?: string;
  /** The Account view is a short list of actions, without tabs. */
  compactAccount?: boolean;
  /** RPC endpoints by CAIP-2 id, given to the wallet when it adds the chain; never to the server. */
  customRpcUrls?: Record<string, (string | { url: string })[]>;
  /** Wallets that the host brings itself; only the loader calls them. */
  connectors?: HostConnector[];
  /** True: `getProvider("eip155")` is announced to other libraries by EIP-6963. */
  announceProvider?: boolean;
  features?: Features;
  /** Ids of the directory: in a section of their own, the only ones, never these. */
  featuredWalletIds?: string[];
  includeWalletIds?: string[];
  excludeWalletIds?: string[];
  customWallets?: CustomWallet[];
  allWallets?: "SHOW" | "HIDE" | "ONLY_MOBILE";
  /** Pictures by connector id, and by CAIP-2 id: https or data URLs of images. */
  connectorImages?: Record<string, string>;
  chainImages?: Record<string, string>;
  termsConditionsUrl?: string;
  privacyPolicyUrl?: string;
  enableCoinbase?: boolean;
  coinbasePreference?: "all" | "smartWalletOnly" | "eoaOnly";
  enableWalletConnect?: boolean;
  enableWalletGuide?: boolean;
  /** False: no network selector, and no screen for networks that are not supported. */
  enableNetworkSwitch?: boolean;
  enableAuthLogger?: boolean;
  /** False: alerts for developers stay off the screen; their long text is on the console all the same. */
  debug?: boolean;
  defaultAccountTypes?: Partial<Record<Namespace, string>>;
  /** True: a pairing begins with the visitor's click, not as soon as its pane is shown. */
  manualWCControl?: boolean;
  /** True: opens and connects as without adapters, by pairing. */
  basic?: boolean;
  /** What a pairing proposes in the place of the defaults. */
  universalProviderConfigOverride?: ProviderOverride;
  /** Further options are passed on to the server as JSON. */
  [option: string]: unknown;
}

/** By namespace; what is not given keeps its default. An `rpcMap` is refused: reads do not go through the pairing. */
export interface ProviderOverride {
  methods?: Partial<Record<Namespace, string[]>>;
  /** CAIP-2 ids. */
  chains?: Partial<Record<Namespace, string[]>>;
  events?: Partial<Record<Namespace, string[]>>;
  /** CAIP-2 id. */
  defaultChain?: string;
}

/** What the modal offers; each stands for itself, and what is not given keeps its default. */
export interface Features {
  swaps?: boolean;
  onramp?: boolean;
  receive?: boolean;
  send?: boolean;
  email?: boolean;
  emailShowWallets?: boolean;
  socials?: ("google" | "x" | "discord" | "farcaster" | "github" | "apple" | "facebook")[] | false;
  history?: boolean;
  analytics?: boolean;
  allWallets?: boolean;
  legalCheckbox?: boolean;
  smartSessions?: boolean;
  collapseWallets?: boolean;
  connectMethodsOrder?: ("email" | "social" | "wallet")[];
  connectorTypeOrder?: ("walletConnect" | "recent" | "injected" | "featured" | "custom" | "external" | "recommended")[];
  walletFeaturesOrder?: ("onramp" | "swaps" | "receive" | "send")[];
}

/** A wallet that the host lists in a section of its own. */
export interface CustomWallet {
  id: string;
  name: string;
  homepage?: string;
  image_url?: string;
  mobile_link?: string;
  desktop_link?: string;
  webapp_link?: string;
  app_store?: string;
  play_store?: string;
}

/** A wallet that the host brings itself. */
export interface HostConnector {
  /** Letters, digits and ` ._:@-`; at most 96. */
  id: string;
  name: string;
  /** An https or data URL of an image. */
  icon?: string;
  chain: Namespace;
  /** eip155: an EIP-1193 provider; solana and bip122: a Wallet Standard wallet; polkadot: an entry as of `window.injectedWeb3`. */
  provider: object;
}

/**
 * `code`: EIP-1193 or JSON-RPC. Every promise of this API that rejects, rejects with this: with 4900 after 8 s of what the modal's server
 * has not heard, and after a minute without the server of what waits for the visitor. What was rejected so is not carried out later.
 * Only a wallet that is being asked is waited for without the server.
 */
export interface ModalError extends Error {
  code: number;
}

export interface Account {
  address: string | undefined;
  /** CAIP-10. */
  caipAddress: string | undefined;
  isConnected: boolean;
  /** `connecting` with an address: it was connected on the last visit, and the modal's server has not looked at it yet. */
  status: "disconnected" | "connecting" | "connected";
}

/** Of the native coin, in texts: no JavaScript number carries an amount. */
export interface Balance {
  /** Whole units, rounded down to three decimals, without commas, so that programs can read it: "9999.999"; "0.000" for nothing, and for less than 0.001. */
  formatted: string;
  /** Base units, exactly: `BigInt(balance.value)`. */
  value: string;
  symbol: string;
  decimals: number;
  /** What all of it is worth in US dollars, once the modal has read that. */
  usd?: string;
}

export interface Network {
  caipNetworkId: string;
  id: number | string;
  name: string;
  chainNamespace: Namespace;
  symbol: string;
  image: string;
  unsupported: boolean;
}

export interface State {
  open: boolean;
  loading: boolean;
  initialized: boolean;
  view: string;
  activeChain: Namespace | null;
  /** CAIP-2. */
  selectedNetworkId: string | null;
}

export interface NetworkState {
  caipNetwork: Network | undefined;
  caipNetworkId: string | undefined;
  /** A number on eip155, a string elsewhere. */
  chainId: number | string | undefined;
}

export interface Theme {
  /** Null: the system decides. */
  themeMode: ThemeMode | null;
  themeVariables: ThemeVariables;
}

export interface WalletInfo {
  id: string;
  name: string;
  icon: string;
  rdns: string;
  namespaces: Namespace[];
  type: "ANNOUNCED" | "INJECTED" | "EXTERNAL" | "WALLET_CONNECT" | "AUTH";
}

export interface ModalEvent {
  /** Milliseconds since 1970. */
  timestamp: number;
  data: { event: string; properties: Record<string, unknown> };
}

export interface SignInSession {
  token: string;
  /** CAIP-10. */
  address: string;
  /** CAIP-2. */
  chainId: string;
  /** When the token ends, ISO 8601; the sign-in itself lasts longer. */
  expiresAt: string;
}

/** EIP-1193. */
export interface Eip1193Provider {
  request(args: { method: string; params?: unknown }): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): Eip1193Provider;
  removeListener(event: string, listener: (value: unknown) => void): Eip1193Provider;
}

/**
 * The provider of another namespace; its methods are those that WalletConnect has for that namespace: `solana_signMessage`,
 * `signPsbt`, `polkadot_signMessage`. `chainChanged` carries a CAIP-2 reference.
 */
export interface NamespaceProvider {
  request(args: { method: string; params?: unknown }): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): NamespaceProvider;
  removeListener(event: string, listener: (value: unknown) => void): NamespaceProvider;
}

/** A transaction of the host's own @solana/web3.js, with a version or without. */
export interface SolanaTransaction {
  serialize(how?: { requireAllSignatures?: boolean; verifySignatures?: boolean }): Uint8Array;
}

/**
 * The provider of Solana, with the methods that hosts know from its wallets. Signed transactions are of the kind that was given.
 * But for `connect` and `disconnect` they are there once a wallet has been connected.
 */
export interface SolanaProvider extends NamespaceProvider {
  /** `new PublicKey(provider.publicKey.toBase58())`; null while nobody is connected. */
  readonly publicKey: { toBase58(): string; toString(): string; toBytes(): Uint8Array } | null;
  /** Opens the modal if need be; gives the address. */
  connect(): Promise<string>;
  disconnect(): Promise<void>;
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  signTransaction<T extends SolanaTransaction>(transaction: T): Promise<T>;
  signAllTransactions<T extends SolanaTransaction>(transactions: T[]): Promise<T[]>;
  /** The wallet sends; gives the signature. */
  signAndSendTransaction(transaction: SolanaTransaction, options?: object): Promise<string>;
  /** The connection sends what the wallet has signed; gives the signature. */
  sendTransaction(
    transaction: SolanaTransaction,
    connection: { sendRawTransaction(bytes: Uint8Array, options?: object): Promise<string> },
    options?: object,
  ): Promise<string>;
}

export type Unsubscribe = () => void;

export interface Modal {
  /** Messages from the frame that were ignored because they were malformed, foreign, late or too large. */
  readonly dropped: number;

  /** Opens the modal; resolves when it is open. Rejects with 4900 when frame or server give no answer within 8 s. */
  open(options?: { view?: string; namespace?: Namespace; [argument: string]: unknown }): Promise<void>;
  close(): Promise<void>;
  isOpen(): boolean;

  getAddress(namespace?: Namespace): string | undefined;
  getCaipAddress(namespace?: Namespace): string | undefined;
  getAccount(namespace?: Namespace): Account;
  /** Undefined while it is not known: nobody is connected, it is still being read, or it cannot be (Bitcoin, Polkadot). */
  getBalance(namespace?: Namespace): Balance | undefined;
  getIsConnectedState(): boolean;
  getWalletInfo(): WalletInfo | undefined;
  disconnect(namespace?: Namespace): Promise<void>;

  getChainId(): number | string | undefined;
  getCaipNetwork(): Network | undefined;
  getCaipNetworkId(): string | undefined;
  getActiveChainNamespace(): Namespace | undefined;
  /** @param network CAIP-2 id */
  switchNetwork(network: string): Promise<void>;
  addNetwork(namespace: Namespace, network: Record<string, unknown>): Promise<void>;
  removeNetwork(namespace: Namespace, networkId: number | string): Promise<void>;

  /** Serves whatever wallet is connected in the namespace, in the browser or on a phone. */
  getProvider(namespace: "eip155"): Eip1193Provider;
  getProvider(namespace: "solana"): SolanaProvider;
  getProvider(namespace: Namespace): NamespaceProvider;

  getState(): State;
  subscribeState(callback: (state: State) => void): Unsubscribe;
  subscribeAccount(callback: (account: Account) => void, namespace?: Namespace): Unsubscribe;
  subscribeBalance(callback: (balance: Balance | undefined) => void, namespace?: Namespace): Unsubscribe;
  subscribeNetwork(callback: (network: NetworkState) => void): Unsubscribe;
  subscribeEvents(callback: (event: ModalEvent) => void): Unsubscribe;
  subscribeTheme(callback: (theme: Theme) => void): Unsubscribe;
  subscribeWalletInfo(callback: (wallet: WalletInfo | undefined) => void): Unsubscribe;

  getThemeMode(): ThemeMode | null;
  /** Null gives the choice back to the system. */
  setThemeMode(mode: ThemeMode | null): void;
  /** Merges into the variables set before. */
  setThemeVariables(variables: ThemeVariables): void;
  updateOptions(options: Options): Promise<void>;
  updateFeatures(features: Record<string, unknown>): Promise<void>;
  /** As `updateOptions({ locale })`. */
  setLocale(locale: string): Promise<void>;

  /** The message leaves by itself: your page shows, too, what must not be missed. */
  showSuccessMessage(message: string): Promise<void>;
  /** The message stays until the visitor closes it. Without a text it says that something went wrong. */
  showErrorMessage(message?: string | Error): Promise<void>;

  /** Leads the visitor to a sign-in, over Connect if need be; rejects with 4001 when they close the modal. */
  signIn(): Promise<SignInSession>;
  /** A fresh sign-in token of the account in use on its network, or null. */
  getSession(): Promise<SignInSession | null>;
  /** Ends all sign-ins of this browser at this page; the wallet stays connected. */
  signOut(): Promise<void>;

  /** Removes the frame and every listener; the next `create` makes a new modal. */
  destroy(): void;
}

/**
 * Makes the modal of this page; a second call with the same `src` returns the first.
 * Raises when both `siwx` and `siweConfig` are set, and when `src` is no http(s) address.
 */
export function create(options?: Options): Modal;

export as namespace WalletModal;

declare global {
  interface Window {
    WalletModal: { create(options?: Options): Modal };
  }
  interface HTMLElementTagNameMap {
    "wallet-modal-button": HTMLElement;
    "wallet-modal-connect-button": HTMLElement;
    "wallet-modal-account-button": HTMLElement;
    "wallet-modal-network-button": HTMLElement;
    "wallet-modal-embed": HTMLElement;
    /** What is to be bought with a card, in the page itself. `disabled`: nothing can be entered. */
    "wallet-modal-onramp": HTMLElement;
  }
}
