/** A host page with a modal, and the frame's side of its port: what every test of the loader stands on. */
import { afterEach, beforeEach, vi } from "vitest";
import type { Modal, Options } from "../walletmodal";
import type { Command, Envelope, PublicState, Reply, Snapshot } from "../src/protocol";

export const SRC = "https://modal.example/";
export const NONCE = "0123456789abcdef0123456789abcdef";
export const ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
export const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** How long tests wait for what must come, in ms. It counts only where something does not come, so it is long enough for a busy machine. */
export const PATIENCE = 30_000;
const POLL = { interval: 2, timeout: PATIENCE };

type Handler = (args: { method: string; params?: unknown }) => unknown;

/** A wallet whose answers a test chooses, and which remembers what it was asked. */
export class FakeWallet {
  asked: { method: string; params?: unknown }[] = [];
  listeners = new Map<string, Set<(value: unknown) => void>>();
  answers: Record<string, Handler> = {
    eth_requestAccounts: () => [ADDRESS],
    eth_accounts: () => [ADDRESS],
    eth_chainId: () => "0x1",
  };
  request = (args: { method: string; params?: unknown }): unknown => {
    this.asked.push(args);
    return this.answers[args.method]?.(args) ?? null;
  };
  on(event: string, listener: (value: unknown) => void) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event)!.add(listener);
  }
  removeListener(event: string, listener: (value: unknown) => void) {
    this.listeners.get(event)?.delete(listener);
  }
  emit(event: string, value?: unknown) {
    this.listeners.get(event)?.forEach((listener) => listener(value));
  }
  times(method: string) {
    return this.asked.filter((request) => request.method == method).length;
  }
}

let counter = 0;
export const uuid = () => `00000000-0000-4000-8000-${String(++counter).padStart(12, "0")}`;

export function announce(provider: unknown, info: Record<string, unknown> = {}) {
  const detail = { info: { uuid: uuid(), name: "Wallet", icon: "data:image/png;base64,AA==", rdns: "io.wallet", ...info }, provider };
  dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
}

/** The frame's window: takes the port that the loader offers. */
export class FakeFrame {
  port: MessagePort | undefined;
  offers: { id: string; origin: string }[] = [];
  log: Envelope[] = [];
  /** When the host has called, as its calls and requests say. */
  times: number[] = [];
  postMessage = (message: Envelope, origin: string, [port]: MessagePort[]) => {
    this.offers.push({ id: message.id, origin });
    this.port = port!;
    this.port.onmessage = ({ data }) => {
      const { at, ...payload } = data.payload;
      if (at) this.times.push(at);
      this.log.push({ ...data, payload });
    };
  };

  ready({ id = NONCE, origin = new URL(SRC).origin, source = this as unknown } = {}) {
    dispatchEvent(new MessageEvent("message", { data: { v: 1, id, type: "walletmodal:ready", payload: {} }, origin, source: source as Window }));
  }
  send(type: string, payload: unknown, id = "") {
    this.port!.postMessage({ v: 1, id, type, payload });
  }
  async next(type: string, fits: (payload: any) => boolean = () => true): Promise<Envelope & { payload: any }> {
    return vi.waitFor(() => {
      const found = this.log.find((message) => message.type == type && fits(message.payload));
      if (!found) throw new Error("no " + type);
      return found;
    }, POLL);
  }
  async snapshot(fits: (snapshot: Snapshot) => boolean = () => true): Promise<Snapshot> {
    return vi.waitFor(() => {
      const found = this.log
        .map(({ type, payload }) => (type == "init" ? payload.snapshot : type == "snapshot" ? payload : null) as Snapshot | null)
        .filter((snapshot) => snapshot && fits(snapshot))
        .pop();
      if (!found) throw new Error("no such snapshot");
      return found;
    }, POLL);
  }
  epoch() {
    return (this.log[0]!.payload as { epoch: string }).epoch;
  }
  command(method: string, params: Record<string, unknown>, extra: Partial<Command> = {}): Command {
    const all = { namespace: "eip155", connector: "io.wallet", timeout: 1000, ...params };
    return { id: "c" + ++counter, epoch: this.epoch(), replay: false, method, params: all, ...extra };
  }
  async run(command: Command): Promise<Reply> {
    this.send("commands", { commands: [command] });
    return (await this.next("reply", (reply) => reply.id == command.id)).payload;
  }
  /** Waits until everything sent before has been handled. */
  async settled() {
    const before = this.log.filter(({ type }) => type == "snapshot").length;
    this.send("sync", {});
    await vi.waitFor(() => {
      if (this.log.filter(({ type }) => type == "snapshot").length <= before) throw new Error("not yet");
    }, POLL);
  }
}

export const state = (change: Partial<PublicState> = {}): PublicState => ({
  open: false,
  loading: false,
  initialized: true,
  view: "",
  activeChain: "eip155",
  selectedNetworkId: "eip155:1",
  network: { caipNetworkId: "eip155:1", id: 1, name: "Ethereum", chainNamespace: "eip155", symbol: "ETH", image: "", unsupported: false },
  accounts: {},
  ...change,
});

export const connected = (change: Record<string, unknown> = {}): Partial<PublicState> => ({
  accounts: {
    eip155: {
      status: "connected",
      caipAddress: "eip155:1:" + ADDRESS,
      address: ADDRESS,
      balance: "1.23456",
      balanceSymbol: "ETH",
      balanceState: "known",
      nativeBalance: { formatted: "1.5", value: "1500000000000000000", symbol: "ETH", decimals: 18 },
      profileName: null,
      profileImage: null,
      ...change,
    },
  },
});

const modals: Modal[] = [];
const scripts: Promise<void>[] = [];

/** Plays the browser: a script runs when its element is put into the page. */
async function runScript(script: HTMLScriptElement) {
  const running = vi.spyOn(document, "currentScript", "get").mockReturnValue(script);
  await (script.src.includes("onramp") ? import("../src/onramp/index") : import("../src/wallets/index"));
  running.mockRestore();
  script.dispatchEvent(new Event("load"));
}

beforeEach(() => {
  const append = document.head.append.bind(document.head);
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    const [script] = nodes as HTMLScriptElement[];
    if (script?.localName == "script") scripts.push(runScript(script));
    else append(...nodes);
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(scripts.splice(0));
  modals.splice(0).forEach((modal) => modal.destroy());
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  document.body.replaceChildren();
  delete (window as { ethereum?: unknown }).ethereum;
});

/** Stops the page's clock until the test ends; returns what lets time pass. Call it before the modal is made. */
export function stoppedClock() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
}

/** Loads the loader anew, as a page would. */
export async function load() {
  vi.resetModules();
  const { create } = await import("../src/modal");
  const { defineElements } = await import("../src/elements");
  return {
    defineElements,
    create: (options: Options = {}) => {
      const modal = create({ src: SRC, preload: "none", ...options });
      modals.push(modal);
      return modal;
    },
  };
}

/** Lets the page's iframes have this window. */
export function frameOf(): FakeFrame {
  const frame = new FakeFrame();
  vi.spyOn(HTMLIFrameElement.prototype, "contentWindow", "get").mockReturnValue(frame as never);
  return frame;
}

/** A page with a modal whose frame has its port. */
export async function stage(options: Options = {}) {
  const { create } = await load();
  const frame = frameOf();
  const modal = create({ preload: "eager", ...options });
  frame.ready();
  await frame.next("init");
  return { modal, frame, create };
}

/** As `stage`, with one announced wallet. */
export async function stageWallet(options: Options = {}, wallet = new FakeWallet()) {
  const staged = await stage(options);
  announce(wallet);
  await staged.frame.snapshot(({ wallets }) => wallets.length > 0);
  return { ...staged, wallet };
}
