/**
 * The secure site's frame inside ours: made when it is first needed, asked over one MessagePort, and never moved in the document.
 *
 * It is hidden but for what it has to show by itself: then it lies over the place that a view keeps for it.
 */
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { config, configured } from "./config";
import { placeChanged } from "./place_store";
import { APP, FRAME, GONE, internalError, isRecord, NOT_LOADED, readError, READY_MS, SecureError, text, type Payload, type Port, type SecureConfig } from "./types";

/** How long the secure site may take for what needs no person, ms. */
const ANSWER_MS = 30_000;
/** How long it may take to say whether it offers a passkey: the visitor, who is logged in by then, waits for it. */
const OFFER_MS = 10_000;
/** What the frame asks its visitor about, on a card of its own. */
export const CARDS = new Set(["UPDATE_EMAIL", "DEVICE_REVOKE", "DEVICE_RELEASE", "DEVICE_REMEMBER", "EXPORT", "ACCOUNT_DATA", "ACCOUNT_DELETE", "RECOVERY", "PASSKEY_ADD", "PASSKEY_REMOVE", "PASSWORD_SET", "PASSWORD_REMOVE", "ESCROW_OFF", "ESCROW_ON", "CONNECT_PASSKEY"]);
/** These wait for a person, or for a chain, as long as it takes. */
const PATIENT = new Set([...CARDS, "CONNECT_DEVICE", "CONNECT_OTP", "RPC_REQUEST", "CONNECT_SOCIAL", "CONNECT_FARCASTER"]);
const NONCE = /^[\da-f]{32}$/;
const MAX_HEIGHT = 2_000;

type Question = { resolve(value: unknown): void; reject(error: Error): void };
/** `isReady`: its page has said so; `patient`: how many wait for that as long as it takes. */
type Life = { url: string; element: HTMLIFrameElement; nonce: string; appKit: boolean; port: Port | null; ready: Promise<void>; isReady: boolean; patient: number; leave(): void };

const notLoaded = (): SecureError => new SecureError(GONE, NOT_LOADED);

let life: Life | null = null;
let counter = 0;
const questions = new Map<string, Question>();
const listeners = new Map<string, (payload: Payload) => void>();

/** Has `run` called for what the frame tells by itself: the name of the message without its prefix. */
export function onTold(type: string, run: (payload: Payload) => void): void {
  listeners.set(type, run);
}

function failAll(error: SecureError): void {
  for (const { reject } of questions.values()) reject(error);
  questions.clear();
}

function received(data: unknown): void {
  if (!isRecord(data)) return;
  const type = text(data.type);
  if (!type.startsWith(FRAME)) return;
  const name = type.slice(FRAME.length);
  const id = text(data.id);
  const payload = isRecord(data.payload) ? data.payload : {};
  if (!id) {
    if (name === "SHOW") placeChanged({ shown: true, height: heightOf(payload) });
    else if (name === "RESIZE") placeChanged({ height: heightOf(payload) });
    else if (name === "HIDE") placeChanged({ shown: false });
    else listeners.get(name)?.(payload);
    return;
  }
  const question = questions.get(id);
  questions.delete(id);
  if (name.endsWith("_SUCCESS")) question?.resolve(data.payload);
  else question?.reject(readError(data.payload));
}

function heightOf({ height }: Payload): number {
  return typeof height === "number" && height > 0 ? Math.min(Math.ceil(height), MAX_HEIGHT) : 0;
}

function theme(): Payload {
  return { themeMode: document.documentElement.dataset.theme === "light" ? "light" : "dark" };
}

async function tellSurroundings(port: Port): Promise<void> {
  const tell = (type: string, payload: Payload): void => port.postMessage({ id: `s${++counter}`, type: APP + type, payload });
  const origin = window.__walletmodal.origin;
  tell("SYNC_THEME", theme());
  const { name } = await configured();
  tell("SYNC_DAPP_DATA", { metadata: { name, description: "", url: origin, icons: [] }, projectId: "" });
}

/** Makes the frame; `client`: of a site that knows AppKit's messages alone, whose script stands between. */
function make(url: string, client?: SecureConfig): Life {
  const { origin } = new URL(url);
  const element = document.createElement("iframe");
  element.id = "w3m-iframe";
  element.name = "w3m-secure-iframe";
  element.title = t("Your wallet");
  const features = client ? ["clipboard-write"] : ["publickey-credentials-get", "publickey-credentials-create", "clipboard-write"];
  element.allow = features.map((feature) => `${feature} ${origin}`).join("; ");
  Object.assign(element.style, { position: "fixed", visibility: "hidden", border: "0", left: "0", top: "-10000px", width: "360px", height: "600px", zIndex: "1" });

  let settle: { done(): void; failed(error: Error): void };
  const ready = new Promise<void>((done, failed) => {
    settle = { done, failed };
  });
  const own: Life = { url, element, nonce: "", appKit: Boolean(client), port: null, ready, isReady: false, patient: 0, leave };
  const repaint = new MutationObserver(() => {
    if (own.port) own.port.postMessage({ id: `s${++counter}`, type: `${APP}SYNC_THEME`, payload: theme() });
  });

  function hear(said: unknown): void {
    if (isRecord(said) && said.type === `${FRAME}READY`) {
      own.isReady = true;
      settle.done();
      void tellSurroundings(own.port!);
    } else received(said);
  }

  function greet({ source, origin: from, data }: MessageEvent): void {
    if (source !== element.contentWindow || from !== origin || !isRecord(data) || data.type !== "walletmodal:secure-ready") return;
    const nonce = text(data.nonce);
    // It says so again when its page is shown again; only another page has another nonce.
    if (!NONCE.test(nonce) || nonce === own.nonce) return;
    own.nonce = nonce;
    own.port?.close();
    // Whoever asked the page before waits for nobody.
    failAll(internalError());
    placeChanged({ shown: false });
    const { port1, port2 } = new MessageChannel();
    own.port = port1;
    port1.onmessage = ({ data: said }) => hear(said);
    element.contentWindow!.postMessage({ type: "walletmodal:secure-port", nonce }, origin, [port2]);
  }

  function leave(): void {
    repaint.disconnect();
    removeEventListener("message", greet);
    own.port?.close();
    element.remove();
    if (life === own) life = null;
    placeChanged({ shown: false, element: null });
    failAll(notLoaded());
    settle.failed(notLoaded());
  }

  if (!client) addEventListener("message", greet);
  repaint.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  element.onerror = leave;
  if (!client) element.src = url;
  else {
    import("./appkit").then(({ openAppKit }) => {
      if (life === own) own.port = openAppKit(element, client, hear);
    }, leave);
  }
  document.body.append(element);
  placeChanged({ element });
  ready.catch(() => undefined);
  return own;
}

/** Waits for the frame's page, and gives it up after a while: unless somebody waits longer, the next question makes another. */
function inTime(own: Life): Promise<void> {
  return new Promise((done, failed) => {
    const late = setTimeout(() => {
      if (!own.patient) own.leave();
      failed(notLoaded());
    }, READY_MS);
    void own.ready.then(done, failed).finally(() => clearTimeout(late));
  });
}

async function opened(patient = false): Promise<Port> {
  const agreed = await configured();
  leaveOther(agreed);
  if (!agreed.url) throw new SecureError(GONE, "There is no embedded wallet here");
  life ??= make(agreed.url, agreed.protocol === "appkit" ? agreed : undefined);
  const own = life;
  if (!patient || own.appKit) await inTime(own);
  else {
    own.patient++;
    await own.ready.finally(() => own.patient--);
  }
  return own.port!;
}

/** A frame of another page than the server names goes. */
function leaveOther({ url, protocol }: SecureConfig): void {
  if (life && (life.url !== url || life.appKit !== (protocol === "appkit"))) life.leave();
}

/** The port of a frame that has nothing to wait for. */
function standing(): Port | null {
  if (config) leaveOther(config);
  return life?.isReady ? life.port : null;
}

/** Fetches the frame, which will be needed in a moment. */
export function fetchSecure(): void {
  opened().catch(() => undefined);
}

/** Asks the frame, at once where it is ready; raises a `SecureError`. `patient`: for as long as it takes: its visitor is told so, and may have the page loaded anew. */
export async function ask(type: string, payload?: Payload, patient = false): Promise<unknown> {
  const port = standing() ?? (await opened(patient));
  const id = `m${++counter}`;
  return new Promise((resolve, reject) => {
    const late = PATIENT.has(type) || (patient && !life?.appKit)
      ? undefined
      : setTimeout(() => {
          questions.delete(id);
          reject(internalError());
        }, type === "PASSKEY_OFFER" ? OFFER_MS : ANSWER_MS);
    const settled = <T>(run: (value: T) => void) => (value: T): void => {
      clearTimeout(late);
      run(value);
    };
    questions.set(id, { resolve: settled(resolve), reject: settled(reject) });
    port.postMessage({ id, type: APP + type, ...(payload ? { payload } : {}) });
  });
}

/** Takes back what waits for the visitor in the frame; without a frame there is nothing. */
export function abortRequests(): void {
  life?.port?.postMessage({ id: `s${++counter}`, type: `${APP}RPC_ABORT`, payload: {} });
}

/** Whether the frame is there, or on its way. */
export function isThere(): boolean {
  return life !== null;
}

/** Whether a page of our own has not said yet that it is there. */
export const isUnready = (): boolean => life !== null && !life.isReady && !life.appKit;

/** Loads such a page anew. */
export function reloadUnready(): void {
  if (isUnready()) life!.element.src = life!.url;
}

/** Ends it, as if it had never been. */
export function dropSecure(): void {
  life?.leave();
}
