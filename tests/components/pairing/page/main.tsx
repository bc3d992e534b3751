// The frame's pairing without Reflex: this page plays the loader, keeps the storage, and lets tests speak on the port.
import { createRoot } from "react-dom/client";
import {
  configurePairing,
  pairingAsked,
  storageAnswered,
} from "$/public/external/walletmodal/components/pairing/pairing/exchange.ts";
import { noteMarks, standIn, systemOf } from "$/public/external/walletmodal/components/pairing/pairing/host.ts";
import { PairingAhead } from "$/public/external/walletmodal/components/pairing/pairing/pairing_ahead.tsx";
import { PairingLink } from "$/public/external/walletmodal/components/pairing/pairing/pairing_link.tsx";
import { PairingQr } from "$/public/external/walletmodal/components/pairing/pairing/pairing_qr.tsx";

type Payload = Record<string, unknown>;
type Said = { type: string; payload: Payload; id: string };

const PREFIX = "walletmodal:";
const said: Said[] = [];
const answers = new Map<string, (answer: Payload) => void>();
let asked = 0;

/** The loader's end of `store`. */
function kept(id: string, { method, key, value }: Payload): void {
  const at = PREFIX + String(key);
  let found: unknown = null;
  if (method === "entries") {
    found = Object.entries(localStorage)
      .filter(([name]) => name.startsWith(`${PREFIX}wc@`))
      .map(([name, text]) => [name.slice(PREFIX.length), text]);
  } else if (method === "set") localStorage.setItem(at, String(value));
  else localStorage.removeItem(at);
  setTimeout(() => storageAnswered(id, { ok: true, value: found, error: null }));
}

window.__walletmodal = {
  port: null,
  origin: location.origin,
  queue: [],
  dropped: 0,
  listen: null,
  post(type, payload, id = "") {
    if (type === "store") kept(id, payload);
    else if (type === "paired") answers.get(id)?.(payload);
    else said.push({ type, payload, id });
  },
};

const play = {
  said,
  configure: configurePairing,
  standIn: (page: Payload, marks: string[]) => {
    standIn(page, systemOf(navigator.userAgent, page.mobile === true));
    noteMarks(marks);
  },
  /** Starts a question; its answer is waited for by `answer`. */
  begin(method: string, params: Payload): string {
    const id = `p${++asked}`;
    const answer = new Promise((resolve) => answers.set(id, resolve));
    running.set(id, answer);
    pairingAsked(id, { method, params });
    return id;
  },
  answer: (id: string) => running.get(id),
  show(what: "qr" | "link" | "list" | "nothing", given: Payload) {
    const heard = (type: string) => (payload: Payload) => void said.push({ type, payload, id: "" });
    const props = { ...given, onFailed: heard("failed"), onOpened: () => heard("opened")({}), onRetry: () => heard("retry")({}) };
    const list = (
      <PairingAhead {...given}>
        <button type="button" className="wm-row" data-pairs="true" onClick={() => heard("chosen")({ row: "app" })}>
          App
        </button>
        <button type="button" className="wm-row" data-pairs="false" onClick={() => heard("chosen")({ row: "browser" })}>
          Browser
        </button>
      </PairingAhead>
    );
    const parts = { qr: <PairingQr {...props} />, link: <PairingLink {...props} />, list, nothing: null };
    root.render(parts[what]);
  },
};

const running = new Map<string, Promise<unknown>>();
const root = createRoot(document.getElementById("root")!);

declare global {
  interface Window {
    play: typeof play;
  }
}
window.play = play;
