import { describe, expect, it, vi } from "vitest";
import { clean, type DataObject } from "../src/clean";
import { Frame, type Parts } from "../src/frame";
import { takePort, type Place } from "../src/port";
import { caip2, readChain, readMessage, readPayload, readRequest } from "../src/protocol";
import { MemoryStore } from "../src/storage";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
vi.mock("../src/scripts", async (original) => ({ ...(await original<object>()), loadLater: () => import("../src/later") }));

const nested = (depth: number): unknown => (depth ? [nested(depth - 1)] : 0);

describe("data from outside", () => {
  it("is copied without a prototype", () => {
    const copy = clean(JSON.parse('{"a": {"b": [1, null, "x", true]}, "__proto__": {"polluted": 1}}')) as DataObject;
    expect(Object.getPrototypeOf(copy)).toBeNull();
    expect(copy["a"]).toEqual(Object.assign(Object.create(null), { b: [1, null, "x", true] }));
    expect((copy as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each([
    ["a getter", { get a() { return 1; } }],
    ["a function", { a: () => 1 }],
    ["an instance", { a: new Map() }],
    ["a date", new Date(0)],
    ["a big number", 1n],
    ["no number", Number.NaN],
    ["nothing", undefined],
    ["a symbol", Symbol("a")],
    ["what is too deep", nested(30)],
    ["what has too many parts", Array(30_000).fill(0)],
    ["what is too long", "x".repeat(300_000)],
    ["keys that are too long", { ["x".repeat(300_000)]: 1 }],
    ["bytes", new Uint8Array(4)],
  ])("that is %s is refused", (_, value) => {
    expect(() => clean(value)).toThrow("Invalid params");
  });

  it("runs no getter", () => {
    const seen = vi.fn();
    expect(() => clean({ get a() { return seen(); } })).toThrow("Invalid params");
    expect(seen).not.toHaveBeenCalled();
  });
});

describe("a message", () => {
  it.each([
    [null],
    [1],
    ["@w3m-app/GET_USER"],
    [[]],
    [{}],
    [{ type: 1 }],
    [{ type: "GET_USER" }],
    [{ type: "@w3m-frame/GET_USER" }],
    [{ type: `@w3m-app/${"x".repeat(100)}` }],
    [{ type: "@w3m-app/GET_USER", id: 1 }],
    [{ type: "@w3m-app/GET_USER", id: "x".repeat(65) }],
  ])("that is none of the port's is ignored: %o", (given) => {
    expect(readMessage(given)).toBeNull();
  });

  it("whose getters throw is ignored", () => {
    expect(readMessage({ get type() { throw new Error("no"); } })).toBeNull();
  });

  it.each([[[1]], ["x"], [1]])("carries an object and nothing else: %o", (payload) => {
    expect(() => readPayload(payload)).toThrow("Invalid params: payload");
  });

  it.each([
    [1, "eip155:1"],
    ["137", "eip155:137"],
    ["eip155:10", "eip155:10"],
    ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
  ])("names its network: %s", (given, name) => {
    expect(caip2(readChain({ chainId: given }) ?? 0)).toBe(name);
  });

  it.each([0, -1, 1.5, "", "0x1", "eip155:", "eip155:1:2", "EIP155:1", {}, [1], true])("names no network: %o", (given) => {
    expect(() => readChain(readPayload({ chainId: given }))).toThrow("Invalid params: chainId");
  });
});

describe("a request", () => {
  it("has a method and a network", () => {
    expect(() => readRequest({ params: [], chainId: "eip155:1" })).toThrow("Invalid params: method");
    expect(() => readRequest({ method: "personal_sign", params: [] })).toThrow("Invalid params: chainId");
  });

  it("takes a site's words as far as they are words", () => {
    const payload = readPayload({
      ...{ method: "personal_sign", params: [], chainId: 1, site: { origin: "javascript:alert(1)" } },
      hint: { title: 7, lines: ["one", 2, "", "x".repeat(400), "two"] },
    });
    expect(readRequest(payload)).toMatchObject({ hint: { title: "", lines: ["one", "two"] }, site: "" });
  });
});

/** The parent's window, and what it hears. */
function stage() {
  const said: unknown[] = [];
  const listeners: ((event: MessageEvent) => void)[] = [];
  const parent = { postMessage: (message: unknown, origin: string) => said.push([message, origin]) };
  const place = {
    parent,
    addEventListener: (type: string, heard: (event: MessageEvent) => void) => type === "message" && listeners.push(heard),
  } as unknown as Place;
  const taken: [MessagePort, string][] = [];
  takePort(place, new Set(["https://modal.example"]), "nonce", (...given) => taken.push(given));
  const hear = (changes: object) => {
    const { port1, port2 } = new MessageChannel();
    port1.close();
    const event = {
      ...{ source: parent, origin: "https://modal.example", ports: [port2] },
      data: { type: "walletmodal:secure-port", nonce: "nonce" },
      ...changes,
    };
    listeners.forEach((heard) => heard(event as unknown as MessageEvent));
    return port2;
  };
  return { said, taken, hear };
}

describe("the port", () => {
  it("is asked for with nothing but a nonce", () => {
    expect(stage().said).toEqual([[{ type: "walletmodal:secure-ready", nonce: "nonce" }, "*"]]);
  });

  it("is taken from the parent, at a modal's origin, once", () => {
    const { hear, taken } = stage();
    const port = hear({});
    hear({});
    expect(taken).toEqual([[port, "https://modal.example"]]);
  });

  it.each([
    ["another window", { source: {} }],
    ["no window", { source: null }],
    ["another origin", { origin: "https://host.example" }],
    ["an origin that begins alike", { origin: "https://modal.example.evil.example" }],
    ["another nonce", { data: { type: "walletmodal:secure-port", nonce: "other" } }],
    ["no nonce", { data: { type: "walletmodal:secure-port" } }],
    ["another type", { data: { type: "walletmodal:port", nonce: "nonce" } }],
    ["no message", { data: null }],
    ["no port", { ports: [] }],
  ])("is not taken of %s", (_, changes) => {
    const { hear, taken } = stage();
    hear(changes);
    expect(taken).toEqual([]);
  });
});

describe("the frame", () => {
  /** A frame whose parts are played, and what it says. */
  function serve(parts: object) {
    const { port1, port2 } = new MessageChannel();
    const waiting: ((message: unknown) => void)[] = [];
    const heard: unknown[] = [];
    port1.onmessage = ({ data }) => (waiting.shift() ?? ((message: unknown) => heard.push(message)))(data);
    const frame = new Frame(port2, Promise.resolve(parts as Parts));
    const next = () => new Promise<{ type: string; payload: Record<string, unknown> }>((resolve) => waiting.push(resolve as never));
    const ask = (message: unknown) => (port1.postMessage(message), next());
    return { frame, ask, next, post: (message: unknown) => port1.postMessage(message), close: () => port1.close() };
  }

  it.each(["NOTHING", "constructor", "__proto__", "toString"])("does not know %s", async (type) => {
    const { ask, close } = serve({});
    expect(await ask({ id: "1", type: `@w3m-app/${type}` })).toEqual({
      ...{ id: "1", type: `@w3m-frame/${type}_ERROR` },
      payload: { message: `${type} is not supported`, code: 4200 },
    });
    close();
  });

  it("refuses payloads of another shape before it does anything", async () => {
    const begin = vi.fn();
    const { ask, close } = serve({ login: { begin } });
    for (const payload of [undefined, {}, { email: 1 }, { email: "" }, { email: "x".repeat(500) }, { email: { a: 1 } }, []]) {
      expect((await ask({ id: "1", type: "@w3m-app/CONNECT_EMAIL", payload })).payload["code"]).toBe(-32602);
    }
    expect(begin).not.toHaveBeenCalled();
    close();
  });

  it("does not tell what went wrong within it", async () => {
    const { ask, close } = serve({ login: { begin: () => Promise.reject(new Error("secret")) } });
    const answer = await ask({ id: "1", type: "@w3m-app/CONNECT_EMAIL", payload: { email: "kim@example.org" } });
    expect(answer.payload).toEqual({ message: "Something went wrong", code: -32603 });
    close();
  });

  it("tells that the browser keeps nothing of a login", async () => {
    const { ask, close } = serve({ login: { isConnected: async () => false }, store: new MemoryStore() });
    expect((await ask({ id: "1", type: "@w3m-app/IS_CONNECTED" })).payload).toEqual({ isConnected: false, forgets: true });
    close();
  });

  it("answers one id once at a time", async () => {
    const finish: (() => void)[] = [];
    const isConnected = vi.fn(() => new Promise<boolean>((resolve) => finish.push(() => resolve(true))));
    const { ask, post, next, close } = serve({ login: { isConnected }, store: { get: async () => 5 } });
    const first = ask({ id: "1", type: "@w3m-app/IS_CONNECTED" });
    post({ id: "1", type: "@w3m-app/IS_CONNECTED" });
    const other = next();
    post({ id: "2", type: "@w3m-app/GET_CHAIN_ID" });
    expect((await first).type).toBe("@w3m-frame/GET_CHAIN_ID_SUCCESS");
    finish.forEach((end) => end());
    expect((await other).payload).toEqual({ isConnected: true });
    expect(isConnected).toHaveBeenCalledOnce();
    close();
  });

  it("does nothing for a port that is closed", async () => {
    let finish = () => undefined as void;
    const isConnected = vi.fn(() => new Promise<boolean>((resolve) => (finish = () => resolve(true))));
    const begin = vi.fn(async () => ({}));
    const { frame, post, close } = serve({ login: { begin, isConnected }, store: new MemoryStore() });
    post({ id: "1", type: "@w3m-app/IS_CONNECTED" });
    await vi.waitFor(() => expect(isConnected).toHaveBeenCalledOnce(), { timeout: 30_000 });
    close();
    post({ id: "2", type: "@w3m-app/CONNECT_EMAIL", payload: { email: "kim@example.org" } });
    // Neither an answer that was under way nor what the frame says by itself finds anybody.
    finish();
    frame.tell("SHOW", { height: 300 });
    // What is posted later has been answered: nothing is on its way any more.
    const other = serve({ store: new MemoryStore() });
    await other.ask({ id: "1", type: "@w3m-app/GET_CHAIN_ID" });
    other.close();
    expect(begin).not.toHaveBeenCalled();
  });

  it("tells its version and what it can do", async () => {
    const { frame, next, close } = serve({});
    const heard = next();
    await frame.ready();
    expect(await heard).toMatchObject({ type: "@w3m-frame/READY", payload: { version: "1" } });
    close();
  });
});
