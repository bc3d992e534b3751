/**
 * What the scripts of the loader tell each other.
 *
 * `walletmodal.js` is all that a page loads before a click. It fetches `walletmodal-wallets.js` together with the frame, and
 * hands it a `Page`; that script finds and asks the wallets. A third one, `walletmodal-onramp.js`, draws one element and is fetched by the
 * second where a page has that element. Each is bundled for itself, so what both use goes over this seam, and
 * no name here may begin with an underscore: those are shortened in each bundle by itself.
 */
import type { Envelope, PublicState, Result, Sessions, Snapshot } from "./protocol";
import type { Namespace, Options, WalletInfo } from "../walletmodal";

/** What the first script lends to the second, for the life of one modal. */
export type Page = {
  /** The life of the host page. */
  epoch: string;
  /** Ends with the modal. */
  life: AbortSignal;
  /** What the wallets have granted; the second script writes, the first reads. */
  sessions: Sessions;
  /** Our own providers, which are announced to the page but never listed by us. */
  own: WeakSet<object>;
  /** The provider of Solana, which the second script gives the methods that its hosts know from wallets. */
  solana: object;
  /** The account of Solana that the modal has told; "" for none. */
  solanaAddress(): string;
  /** The host's options as they are now. */
  options(): Options;
  /** A stored text, or null. */
  read(key: string): string | null;
  /** Stores a text; null forgets it. */
  write(key: string, value: string | null): void;
  /** The names of all that is stored. */
  keys(): string[];
  post(type: string, payload: object, id?: string): void;
  /** Sends a `call`; settles with its answer. */
  ask(type: "call", payload: { method: string; params: unknown }): Promise<unknown>;
  /** Marks a host's request as being asked; false when nobody waits for it or it has been asked before. */
  claim(request: unknown): boolean;
  /** Answers a host's request; false when it waits no more. */
  settle(request: unknown, result: Result): boolean;
  /** Tells the host's subscribers what has changed. */
  publish(): void;
  /** Takes what is to be told until the server has spoken. */
  tell(state: PublicState): unknown;
  /** A text in the page's language. */
  t(text: string): string;
};

/** What the second script does for the first. */
export type Wallets = {
  /** All that the browser knows, under the next number. */
  snapshot(): Snapshot;
  /** A frame has got its port and its `init`. */
  greeted(): void;
  /** Handles what the frame sends; false when the type is unknown or the shape is wrong. */
  receive(message: Envelope): boolean;
  /** The host's options or the page's language have changed. */
  configured(change: Options): void;
  /** The wallet that is connected in a namespace. */
  info(namespace: Namespace): WalletInfo | undefined;
};

/** The element of buying; the third script draws it, and has it follow what has changed. */
export type OnrampElement = HTMLElement & { draw?(): void; refresh?(): void };

export type Draw = (element: OnrampElement, pageNow: () => Page) => void;

/** The element of the third script, as `SecondScript`. */
export type OnrampScript = HTMLScriptElement & { takeOnramp2?: (draw: Draw) => void };

export type Serve = (page: Page) => Wallets;

/** The element of the second script carries what takes its work; a script of another shape of this seam does not find it. */
export type SecondScript = HTMLScriptElement & { takeWallets2?: (serve: Serve) => void };
