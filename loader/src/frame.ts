/**
 * The modal's frame: the handshake, the port, and what waits for an answer (docs/protocol.md §1 and §2).
 *
 * Messages are believed for where they come from: the frame's own window and exactly the modal's origin; afterwards only
 * the port counts.
 */
import { asJson, fail, GONE, invalidParams, LIMIT_EXCEEDED, plainError } from "./errors";
import { options, theme } from "./options";
import { envelope, parseEnvelope, PORT, READY, type Envelope, type Init, type Result } from "./protocol";
import { NOTHING, tell } from "./state";
import { createIframe, focused, lockScroll } from "./surface";
import { t } from "./texts";

/** How long the frame may take to ask for its port, in ms. */
const TIMEOUT = 20_000;
const MAX_PENDING = 4096;
const DESTROYED = "The modal was destroyed";

type Pending = {
  _type: string;
  _payload: object;
  _resolve(value: unknown): void;
  _reject(error: Error): void;
  /** A wallet is being asked. */
  _busy?: boolean;
};

const pending = new Map<unknown, Pending>();
/** Null once a modal has been destroyed; undefined before there was one. */
let src: URL | null | undefined;
export let iframe: HTMLIFrameElement | undefined;
let port: MessagePort | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The frame that waits for its port. */
let waiting: (() => void) | undefined;
let prepare: () => Promise<unknown>;
let prepared = false;
/** Ids of one page life must not come again in the next, for which an answer may still be on its way. */
let counter = Date.now();
let shown = false;
let opener: HTMLElement | null;

/** True once the frame is wanted. */
export let started = false;
/** Messages that were ignored. */
export let dropped = 0;

/**
 * Serves the frame of a modal until `life` ends.
 *
 * `load` fetches what is needed before the first message of a port can be made; `init` makes it, and `greeted` is called when it
 * has been sent. `receive` handles what comes, and says false when the type or shape is unknown.
 */
export function serveFrame(
  source: URL,
  life: AbortSignal,
  { load, init, greeted, receive }: { load(): Promise<unknown>; init(): Init; greeted(): void; receive(message: Envelope): boolean },
): void {
  src = source;
  prepare = load;
  prepared = false;
  addEventListener(
    "message",
    ({ data, origin, source }) => {
      if (data?.type !== READY) return;
      const target = options.standalone ? window : iframe?.contentWindow;
      if (!target || source != target || origin != src!.origin || !parseEnvelope(data) || !/^[\da-f]{32}$/.test(data.id)) {
        dropped++;
        return;
      }
      waiting = () => greet(target as Window, data.id, origin);
      if (prepared) waiting();
    },
    { signal: life },
  );

  function greet(target: Window, nonce: string, origin: string) {
    waiting = undefined;
    clearTimeout(timer);
    port?.close();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => {
      try {
        if (receive(parseEnvelope(data)!)) return;
      } catch {
        // No envelope, or a payload that is not what its type promises.
      }
      dropped++;
    };
    target.postMessage(envelope(nonce, PORT, {}), origin, [channel.port2]);
    const first = init();
    // The frame would ignore it, and nobody would hear why nothing opens.
    if (!parseEnvelope(envelope("", "", first))) return giveUp("Options too large");
    post("init", first);
    greeted();
    // A frame that was reloaded has forgotten what it was asked; a wallet that is being asked has not.
    for (const [id, entry] of pending) if (!entry._busy) post(entry._type, entry._payload, id as string);
  }

  // Called from the head, there is no body yet to put the frame into.
  addEventListener("DOMContentLoaded", mount, { signal: life });
  life.addEventListener("abort", () => {
    unload(DESTROYED);
    src = null;
  });
  // A click on one of our elements may have come before the modal.
  if (pending.size) start();
}

export function post(type: string, payload: object, id = ""): void {
  port?.postMessage(envelope(id, type, payload));
}

/** Answers a call or a request of the host; false when it waits no more. */
export function settle(id: unknown, { ok, value, error }: Result): boolean {
  const { code, message } = plainError(error);
  const entry = pending.get(id);
  if (ok) entry?._resolve(value);
  else entry?._reject(fail(code, message, error?.data));
  return pending.delete(id);
}

/** Marks a host's request as being asked; false when nobody waits for it or it has been asked before. */
export function claim(id: unknown): boolean {
  const entry = pending.get(id);
  return entry?._type == "request" && !entry._busy && (entry._busy = true);
}

/** Sends a `call` or a `request`, loading the frame if need be; settles with its answer. */
export function ask(type: "call" | "request", payload: { method: string; params: unknown; namespace?: string }): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (src === null) throw fail(GONE, DESTROYED);
    // The frame takes no more before it is ready, and nobody would hear of what it has dropped.
    if (pending.size >= MAX_PENDING) throw fail(LIMIT_EXCEEDED, "Too many requests are open");
    const id = !port && /^(open|close)$/.test(payload.method) ? "early" : ++counter + "";
    const entry = { _type: type, _payload: asJson({ ...payload, at: Date.now() }, invalidParams(), fail(LIMIT_EXCEEDED, "The request is too large")), _resolve: resolve, _reject: reject };
    // Of the clicks before the frame is ready only the last is carried out; those before it are done with.
    pending.get(id)?._resolve(undefined);
    pending.set(id, entry);
    start();
    post(type, entry._payload, id);
  });
}

function unload(message: string) {
  clearTimeout(timer);
  show(false);
  for (const entry of pending.values()) entry._reject(fail(GONE, message));
  pending.clear();
  port?.close();
  iframe?.remove();
  port = iframe = waiting = undefined;
  started = false;
  tell(NOTHING);
}

function giveUp(message: string) {
  console.error("WalletModal: " + message);
  unload(message);
}

function arm() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    giveUp(
      options.enableEmbedded && !iframe
        ? "No <wallet-modal-embed> in the page"
        : `No answer from ${src!.origin}. ` + (waiting ? "walletmodal-wallets.js is missing." : `Does its ALLOWED_ORIGINS name ${location.origin}?`),
    );
  }, TIMEOUT);
}

/** Puts the iframe where it belongs, once it is wanted and the place is there. */
function mount() {
  const embedded = options.enableEmbedded;
  const parent = document.querySelector("wallet-modal-embed") ?? (embedded ? null : document.body);
  if (!parent || !started || options.standalone || iframe?.parentNode == parent) return;
  iframe ??= createIframe(src!, embedded);
  restyle();
  parent.append(iframe);
  arm();
}

/** Loads the frame. */
export function start(): void {
  if (!src) return;
  if (!started) {
    started = true;
    arm();
    const wanted = src;
    prepare().then(
      () => {
        if (wanted != src) return;
        prepared = true;
        waiting?.();
      },
      ({ message }) => wanted == src && giveUp(message),
    );
  }
  mount();
}

/** Puts the frame as high above the page as the theme says, under a name in the page's language. */
export function restyle(): void {
  if (!iframe) return;
  iframe.style.zIndex = "" + Math.max(1, +theme.variables["--w3m-z-index"]! || 999);
  iframe.title = t("Wallet connection");
}

/**
 * Brings the frame into the browser's top layer, or back to its place: while the secure frame in it shows something, whose buttons take no
 * click when anything of the page lies above. Not at other times, for what wallets show in the page lies above the modal.
 */
export function raise(high: unknown): void {
  if (!shown) return;
  iframe!.popover = high ? "manual" : null;
  if (high) iframe!.showPopover?.();
}

/** Brings the frame before the page, or takes it away again. */
export function show(visible: boolean): void {
  if (!iframe || options.enableEmbedded || visible == shown) return;
  const before = focused();
  raise(false);
  shown = visible;
  lockScroll(visible);
  iframe.style.visibility = visible ? "" : "hidden";
  if (visible) {
    opener = before;
    iframe.focus();
    // Unless the host has moved the focus meanwhile.
  } else if (before == iframe || before == document.body) opener?.focus({ preventScroll: true });
}
