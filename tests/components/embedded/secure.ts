/** A secure site's frame in a page without one: it says that it is ready, takes the port, and answers as it is told. */
import { expect, vi } from "vitest";
import { configureSecure } from "$/public/external/walletmodal/components/embedded/embedded/config.ts";
import { dropSecure } from "$/public/external/walletmodal/components/embedded/embedded/frame.ts";
import type { Payload, SecureConfig } from "$/public/external/walletmodal/components/embedded/embedded/types.ts";

export const ORIGIN = "https://secure.example";
export const NONCE = "0123456789abcdef0123456789abcdef";
export const CHAINS = { eip155: "eip155:1", solana: "solana:5eykt4" };
export const CONFIG: SecureConfig = { url: `${ORIGIN}/sdk`, name: "Shop", chains: CHAINS, protocol: "walletmodal", project: "", accountType: "smartAccount" };
const WAITS = { timeout: 30_000, interval: 5 };
/** What the frame's page would be: only messages go there. */
const pageOfFrame = { postMessage: (_data: unknown, _target: string, _ports: MessagePort[]): void => undefined };

type Asked = { id: string; type: string; payload?: Payload };

export class Secure {
  port: MessagePort | null = null;
  /** What the frame was asked, in its order. */
  readonly asked: Asked[] = [];
  readonly posted: [string, Payload, string | undefined][] = [];

  /** The loader's end of the port answers accounts that are told `now` with its snapshot, as the real one does. */
  readonly #loader = new MessageChannel();

  constructor(config: Partial<SecureConfig> = {}) {
    const { port1, port2 } = this.#loader;
    port1.start();
    vi.stubGlobal("__walletmodal", {
      origin: "https://host.example",
      port: port1,
      post: (type: string, payload: Payload, id?: string) => {
        this.posted.push([type, payload, id]);
        if (type === "sessions" && payload.now) port2.postMessage({ v: 1, id: "", type: "snapshot", payload: {} });
      },
    });
    vi.spyOn(HTMLIFrameElement.prototype, "contentWindow", "get").mockReturnValue(pageOfFrame as never);
    configureSecure({ ...CONFIG, ...config }, true);
  }

  get element(): HTMLIFrameElement {
    return document.getElementById("w3m-iframe") as HTMLIFrameElement;
  }

  /** The frame's page says that it is there; returns whether it was given a port. */
  ready(nonce = NONCE, from = ORIGIN, source: unknown = this.element.contentWindow): boolean {
    let given = false;
    pageOfFrame.postMessage = (data, target, [port]) => {
      expect([data, target]).toEqual([{ type: "walletmodal:secure-port", nonce }, ORIGIN]);
      given = true;
      this.port = port!;
      port!.onmessage = ({ data: asked }) => this.asked.push(asked as Asked);
    };
    dispatchEvent(Object.assign(new Event("message"), { data: { type: "walletmodal:secure-ready", nonce }, origin: from, source }));
    return given;
  }

  say(type: string, payload?: Payload, id?: string): void {
    this.port!.postMessage({ type: `@w3m-frame/${type}`, ...(id ? { id } : {}), ...(payload ? { payload } : {}) });
  }

  /** It is there and has said so. */
  async start(): Promise<void> {
    await vi.waitFor(() => expect(this.element).not.toBeNull(), WAITS);
    this.ready();
    this.say("READY", { version: "1", capabilities: [] });
  }

  /** The next question of a type, which the frame is waited for. */
  async question(type: string, number = 1): Promise<Asked> {
    const found = (): Asked[] => this.asked.filter((one) => one.type === `@w3m-app/${type}`);
    await vi.waitFor(() => expect(found().length).toBeGreaterThanOrEqual(number), WAITS);
    return found()[number - 1]!;
  }

  async answer(type: string, payload?: Payload, number = 1): Promise<void> {
    const { id } = await this.question(type, number);
    this.say(`${type}_SUCCESS`, payload, id);
  }

  async refuse(type: string, payload: Payload, number = 1): Promise<void> {
    const { id } = await this.question(type, number);
    this.say(`${type}_ERROR`, payload, id);
  }

  /** What was told the loader under an envelope id. */
  async told(id: string): Promise<Payload> {
    const found = (): [string, Payload, string | undefined] | undefined => this.posted.find((one) => one[2] === id);
    await vi.waitFor(() => expect(found()).toBeDefined(), WAITS);
    return found()![1];
  }

  end(): void {
    localStorage.clear();
    dropSecure();
    this.port?.close();
    this.#loader.port1.close();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
}
