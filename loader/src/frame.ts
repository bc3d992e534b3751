/**
 * The modal's frame: the iframe, the handshake, and the port (docs/protocol.md §1 and §2).
 *
 * Messages are believed for where they come from: the frame's own window and exactly the modal's origin; afterwards only
 * the port counts.
 */
import { asJson, fail, GONE, invalidParams, plainError } from "./errors";
import { envelope, parseEnvelope, PORT, READY, type Envelope, type Init, type Result } from "./protocol";
import { createIframe, focused, lockScroll } from "./surface";

/** How long the frame may take to ask for its port, in ms. */
const TIMEOUT = 8000;

export type FrameContext = {
  _src: URL;
  _life: AbortSignal;
  _standalone: boolean;
  _embedded: boolean;
  /** Where the iframe belongs now; null: wait for `_mount`. */
  _parent(): Element | null;
  _zIndex(): string;
  _init(): Init;
  /** Handles a message by type; false when its type or shape is unknown. */
  _receive(message: Envelope): boolean;
};

type Pending = {
  _type: string;
  _payload: { method: string };
  _resolve(value: unknown): void;
  _reject(error: Error): void;
  /** A wallet is being asked. */
  _busy?: boolean;
  /** A click before this one, which gets the same answer. */
  _earlier?: Pending;
};

const isClick = (entry: { _payload: { method: string } }) => /^(open|close)$/.test(entry._payload.method);

export function createFrame(context: FrameContext) {
  const { _src: src, _standalone: standalone, _embedded: embedded } = context;
  const pending = new Map<unknown, Pending>();
  let iframe: HTMLIFrameElement | undefined;
  let port: MessagePort | undefined;
  let started = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let counter = 0;
  let dropped = 0;
  let unlock: (() => void) | undefined;
  let opener: HTMLElement;

  function post(type: string, payload: object, id = "") {
    port?.postMessage(envelope(id, type, payload));
  }

  function onWindowMessage({ data, origin, source }: MessageEvent) {
    if (data?.type !== READY) return;
    const target = standalone ? window : iframe?.contentWindow;
    if (!target || source != target || origin != src.origin || !parseEnvelope(data) || !/^[\da-f]{32}$/.test(data.id)) {
      dropped++;
      return;
    }
    clearTimeout(timer);
    port?.close();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => {
      const message = parseEnvelope(data);
      if (!message || !(message.type == "result" ? answer(message) : context._receive(message))) dropped++;
    };
    target.postMessage(envelope(data.id, PORT, {}), origin, [channel.port2]);
    post("init", context._init());
    // A frame that was reloaded has forgotten what it was asked; a wallet that is being asked has not.
    for (const [id, entry] of pending) if (!entry._busy) post(entry._type, entry._payload, id as string);
  }

  const answer = ({ id, payload }: Envelope) => pending.has(id) && typeof payload.ok == "boolean" && settle(id, payload as Result);

  function settle(id: unknown, { ok, value, error }: Result): true {
    const { code, message } = plainError(error);
    for (let entry = pending.get(id); entry; entry = entry._earlier) {
      if (ok) entry._resolve(value);
      else entry._reject(fail(code, message));
    }
    pending.delete(id);
    return true;
  }

  function unload(message: string) {
    clearTimeout(timer);
    show(false);
    for (const id of pending.keys()) settle(id, { ok: false, value: null, error: { code: GONE, message } });
    port?.close();
    iframe?.remove();
    port = iframe = undefined;
    started = false;
  }

  function arm() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const message = `WalletModal: no answer from ${src.origin} within 8 s`;
      console.error(`${message}. If the browser refused the frame, add ${location.origin} to ALLOWED_ORIGINS of the modal's server`);
      unload(message);
    }, TIMEOUT);
  }

  function mount() {
    const parent = started && !standalone && context._parent();
    if (!parent || iframe?.parentNode == parent) return;
    iframe ??= createIframe(src, embedded);
    parent.append(iframe);
    arm();
  }

  function start() {
    if (!started) arm();
    started = true;
    mount();
  }

  function show(visible: boolean) {
    if (standalone || embedded || !iframe || visible == !!unlock) return;
    iframe.style.zIndex = context._zIndex();
    iframe.style.visibility = visible ? "" : "hidden";
    if (visible) {
      opener = focused();
      unlock = lockScroll();
      iframe.focus();
    } else {
      unlock!();
      unlock = undefined;
      // Unless the host has moved the focus meanwhile.
      if ([iframe, document.body].includes(focused())) opener.focus({ preventScroll: true });
    }
  }

  addEventListener("message", onWindowMessage, { signal: context._life });
  context._life.addEventListener("abort", () => unload("The modal has been destroyed"));

  return {
    _start: start,
    /** Puts the iframe where it belongs, now that the place may be there. */
    _mount: mount,
    _isStarted: () => started,
    _dropped: () => dropped,
    _post: post,
    _ask: (type: string, payload: { method: string }) =>
      new Promise<unknown>((resolve, reject) => {
        const id = String(++counter);
        const entry: Pending = { _type: type, _payload: asJson(payload, invalidParams()), _resolve: resolve, _reject: reject };
        if (context._life.aborted) throw fail(GONE, "The modal has been destroyed");
        if (!port && isClick(entry)) {
          // Clicks before the frame is ready: only the last is carried out, and it answers for those before it.
          for (const [earlierId, earlier] of pending) {
            if (isClick(earlier)) {
              pending.delete(earlierId);
              entry._earlier = earlier;
            }
          }
        }
        pending.set(id, entry);
        start();
        post(type, entry._payload, id);
      }),
    _show: show,
    _settle: settle,
    _claim(id: unknown): boolean {
      const entry = pending.get(id);
      return entry?._type == "request" && !entry._busy && (entry._busy = true);
    },
  };
}
