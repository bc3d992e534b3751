/**
 * The pairing's messages on the port (docs/protocol.md): what the loader asks, what it is told, and its storage.
 *
 * The SDK behind it is loaded at the first need.
 */
import { loadNow } from "$/public/external/walletmodal/components/shell/shell/ahead.ts";
import type { Pairing } from "./client";
import type { AskPage } from "./page_storage";
import { IDLE, pairingShown, showPairing } from "./store";
import { PairingError, plainError, type Namespace, type PairingConfig, type Proposal } from "./types";

type Payload = Record<string, unknown>;

/** How long the host page may take to answer about its storage, ms. */
const STORAGE_PATIENCE = 1_500;
const NOT_CONFIGURED = new PairingError(4900, "Pairing is not configured");
/** Rows behind which pairing lies: who points at one will need the SDK in a moment. */
const LEADS_TO_PAIRING = '[data-testid="wallet-selector-walletconnect"],[data-testid="all-wallets"]';

let config: PairingConfig | null = null;
let opened: Promise<Pairing> | null = null;
const questions = new Map<string, (answer: Payload) => void>();
const unready: (() => void)[] = [];
let asked = 0;

const ask: AskPage = (payload) =>
  new Promise((resolve, reject) => {
    const id = `s${++asked}`;
    const late = setTimeout(() => {
      questions.delete(id);
      reject(new Error("The host page keeps nothing"));
    }, STORAGE_PATIENCE);
    questions.set(id, ({ ok, value }) => {
      clearTimeout(late);
      if (ok === true) resolve(value);
      else reject(new Error("The host page keeps nothing"));
    });
    window.__walletmodal.post("store", payload, id);
  });

/** The loader's `stored`. */
export function storageAnswered(id: string, payload: Payload): boolean {
  const answer = questions.get(id);
  questions.delete(id);
  answer?.(payload);
  return answer !== undefined;
}

/** What the server says about the deployment; until then questions wait. */
export function configurePairing(next: PairingConfig): void {
  const first = config === null;
  config = next;
  if (first) unready.splice(0).forEach((run) => run());
}

function open(): Promise<Pairing> {
  if (!config?.relayUrl) return Promise.reject(NOT_CONFIGURED);
  const settings = config;
  opened ??= import("./client")
    .then(({ Pairing }) =>
      Pairing.open(settings, {
        ask,
        report: (sessions) => window.__walletmodal.post("sessions", { sessions }),
      }),
    )
    .catch((error: unknown) => {
      // A chunk that did not arrive may arrive the next time.
      opened = null;
      throw error;
    });
  return opened;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

async function carryOut(method: unknown, params: Payload): Promise<unknown> {
  if (method === "sessions") return { sessions: config?.relayUrl ? await (await open()).restored() : {} };
  if (method === "connect") {
    if (pairingShown().phase !== "ready") showPairing({ ...IDLE, phase: "starting" });
    const pairing = await open().catch((error: unknown) => {
      showPairing({ ...IDLE, phase: "failed", error: plainError(error) });
      throw error;
    });
    return await pairing.connect(params.proposal as Proposal, params.again === true);
  }
  const pairing = await open();
  if (method === "disconnect") {
    await pairing.disconnect();
    return null;
  }
  if (method !== "request") throw new PairingError(-32601, "The pairing does not know this");
  const answer = await pairing.request({
    namespace: params.namespace as Namespace,
    chain: text(params.chain),
    method: text(params.method),
    params: params.params,
  });
  return answer ?? null;
}

/** The loader's `pairing`: carried out, and answered with `paired` under the same envelope id. */
export function pairingAsked(id: string, payload: Payload): void {
  if (!config) {
    unready.push(() => pairingAsked(id, payload));
    return;
  }
  const params = typeof payload.params === "object" && payload.params ? (payload.params as Payload) : {};
  carryOut(payload.method, params).then(
    (value) => window.__walletmodal.post("paired", { ok: true, value, error: null }, id),
    (error: unknown) => window.__walletmodal.post("paired", { ok: false, value: null, error: plainError(error) }, id),
  );
}

/** Fetches the SDK and the views of the pairing, which someone will need in a moment. */
export function fetchPairing(): void {
  if (config?.relayUrl) {
    loadNow("pairing");
    open().catch(() => undefined);
  } else if (!config) unready.push(fetchPairing);
}

/** Fetches the SDK when someone points at a row that needs it; returns how to stop that. */
export function fetchWhenPointedAt(): () => void {
  const pointed = ({ target }: Event): void => {
    if ((target as Element | null)?.closest?.(LEADS_TO_PAIRING)) fetchPairing();
  };
  const events = ["pointerover", "focusin"] as const;
  for (const event of events) document.addEventListener(event, pointed, { passive: true });
  return () => {
    for (const event of events) document.removeEventListener(event, pointed);
  };
}
