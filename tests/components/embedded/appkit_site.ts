/** The page of a secure site that knows AppKit's messages alone, in a page without one: it keeps what it is asked, and answers as it is told. */
import { expect, vi } from "vitest";
import { configureSecure } from "$/public/external/walletmodal/components/embedded/embedded/config.ts";
import { ask, dropSecure } from "$/public/external/walletmodal/components/embedded/embedded/frame.ts";
import { closeWindow } from "$/public/external/walletmodal/components/embedded/embedded/social_window.ts";
import type { Payload } from "$/public/external/walletmodal/components/embedded/embedded/types.ts";
import { CONFIG, ORIGIN } from "./secure";

export const EVM = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
export const SOLANA = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
export const UNREADABLE = [-32603, "The wallet service gave an answer that cannot be read"];
export const user = (address = EVM, changes: object = {}) => ({ address, email: "kim@example.org", chainId: 1, accounts: [{ address, type: "eoa" }], ...changes });

type Failure = { code: number; message: string; reason: string };
export const settled = (promise: Promise<unknown>): Promise<unknown> => promise.then((value) => ({ value }), ({ code, message }: Failure) => [code, message]);

const WAITS = { timeout: 5_000, interval: 5 };
type Asked = { id: string; type: string; payload?: Payload };
type Popup = { closed: boolean; name: string; close: () => void; opener: unknown; led: string[][] };

export class AppKitSite {
  readonly asked: Asked[] = [];
  readonly targets = new Set<unknown>();
  readonly page = {
    postMessage: (data: Asked, target: string): void => {
      this.targets.add(target);
      this.asked.push(data);
    },
  };
  readonly posted: [string, Payload, string | undefined][] = [];

  constructor() {
    vi.stubGlobal("__walletmodal", {
      origin: "https://host.example",
      post: (type: string, payload: Payload, id?: string) => this.posted.push([type, payload, id]),
    });
    vi.spyOn(HTMLIFrameElement.prototype, "contentWindow", "get").mockReturnValue(this.page as never);
    configureSecure({ ...CONFIG, protocol: "appkit", project: "p1" }, true);
  }

  get element(): HTMLIFrameElement {
    return document.getElementById("w3m-iframe") as HTMLIFrameElement;
  }

  say(data: unknown, from = ORIGIN, source: unknown = this.page): void {
    dispatchEvent(Object.assign(new Event("message"), { data, origin: from, source }));
  }

  ready(): void {
    this.say({ type: "@w3m-frame/READY", payload: { version: "4" } });
  }

  /** Its page has come. */
  async start(): Promise<void> {
    await vi.waitFor(() => expect(this.element?.src).toContain(ORIGIN), WAITS);
    this.ready();
  }

  /** Asks its page, which has come; how it ends is in `outcome`. */
  async asks(type: string, payload?: object): Promise<{ outcome: Promise<unknown> }> {
    const outcome = settled(ask(type, payload as never));
    await this.start();
    return { outcome };
  }

  /** Logged in, with its page there. */
  async there(): Promise<void> {
    const answer = ask("IS_CONNECTED");
    await this.start();
    await this.answer("IS_CONNECTED", { isConnected: true });
    await answer;
  }

  async question(type: string, number = 1): Promise<Asked> {
    const found = (): Asked[] => this.asked.filter((one) => one.type === `@w3m-app/${type}`);
    await vi.waitFor(() => expect(found().length).toBeGreaterThanOrEqual(number), WAITS);
    return found()[number - 1]!;
  }

  async answer(type: string, payload?: unknown, number = 1): Promise<Payload | undefined> {
    const { id, payload: asked } = await this.question(type, number);
    this.say({ id, type: `@w3m-frame/${type}_SUCCESS`, payload });
    return asked;
  }

  async refuse(type: string, payload: unknown, number = 1): Promise<void> {
    const { id } = await this.question(type, number);
    this.say({ id, type: `@w3m-frame/${type}_ERROR`, payload });
  }

  /** The window that a browser opens. */
  opens(): Popup {
    const popup: Popup = { closed: false, name: "", opener: window, close: vi.fn(() => void (popup.closed = true)), led: [] };
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      if (this.target === popup.name) popup.led.push([this.href, this.referrerPolicy]);
    });
    vi.stubGlobal("open", vi.fn(() => popup));
    return popup;
  }

  end(): void {
    closeWindow();
    localStorage.clear();
    dropSecure();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
}
