import { describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import { unbase64url, utf8, type Bytes } from "../src/bytes";
import { Device } from "../src/device";
import { MemoryStore } from "../src/storage";
import { aborted, failure, refusal, Server, type Call } from "./server";

async function open() {
  const device = await Device.open(new MemoryStore());
  return { device, api: new Api(device) };
}

async function isSigned({ path, headers, text }: Call): Promise<boolean> {
  const head = (name: string) => headers.get(name) ?? "";
  const session = head("authorization").replace("Bearer ", "");
  const signed = ["POST", path, head("x-time"), head("x-nonce"), session, text].join("\n");
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const point = await crypto.subtle.importKey("raw", unbase64url(head("x-device"), 65), curve, false, ["verify"]);
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, point, unbase64url(head("x-signature"), 64), utf8(signed) as Bytes);
}

describe("a call", () => {
  it("is signed by the device over its path, time, nonce, session and body", async () => {
    const server = new Server({ "/v1/me": () => ({ fine: true }) });
    const { api } = await open();
    await api.call("/v1/me", { a: "ü" });
    api.session = "token";
    await api.call("/v1/me");
    expect(await Promise.all(server.calls.map(isSigned))).toEqual([true, true]);
    expect(server.calls.map((call) => call.headers.get("authorization"))).toEqual([null, "Bearer token"]);
  });

  it("has a nonce of twelve bytes that is used once", async () => {
    const server = new Server({ "/v1/me": () => ({}) });
    const { api } = await open();
    for (let turn = 0; turn < 20; turn++) await api.call("/v1/me");
    const nonces = server.calls.map((call) => call.headers.get("x-nonce") ?? "");
    expect(new Set(nonces).size).toBe(20);
    expect(nonces.map((nonce) => unbase64url(nonce).length)).toEqual(Array(20).fill(12));
  });

  it("takes over the server's clock once, and keeps it", async () => {
    const ahead = Date.now() + 3_600_000;
    const tell = (time: string | null) => Math.abs(Number(time) - ahead) < 60_000;
    const server = new Server({ "/v1/me": (_, headers) => (tell(headers.get("x-time")) ? {} : refusal(401, "clock", { now: ahead })) });
    const { api } = await open();
    await api.call("/v1/me");
    await api.call("/v1/me");
    expect(server.calls).toHaveLength(3);
  });

  it("is not repeated for ever when the clock cannot be agreed on", async () => {
    const server = new Server({ "/v1/me": () => refusal(401, "clock", { now: 1 }) });
    const { api } = await open();
    expect((await failure(api.call("/v1/me"))).reason).toBe("clock");
    expect(server.calls).toHaveLength(2);
  });

  it("tells the server's own words and code", async () => {
    new Server({ "/v1/me": () => refusal(429, "cooldown", { retryAfter: 7 }) });
    const { api } = await open();
    expect(await failure(api.call("/v1/me"))).toMatchObject({ message: "Refused: cooldown", reason: "cooldown", data: { retryAfter: 7 } });
  });

  it("ends the session that the server no longer knows, and no other", async () => {
    let released: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (released = resolve));
    new Server({ "/v1/me": () => refusal(401, "session"), "/v1/slow": async () => (await held, refusal(401, "session")) });
    const { api } = await open();
    api.onSessionEnd = vi.fn();
    api.session = "old";
    const slow = failure(api.call("/v1/slow"));
    api.session = "new";
    released();
    await slow;
    expect(api.onSessionEnd).not.toHaveBeenCalled();
    await failure(api.call("/v1/me"));
    expect(api.onSessionEnd).toHaveBeenCalledOnce();
  });

  it("is given up when no answer comes", async () => {
    vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => aborted(signal));
    const { api } = await open();
    expect((await failure(api.call("/v1/me", {}, { timeout: 1 }))).reason).toBe("timeout");
  });

  it.each([["null"], ["[1]"], ["<html>"], ['"text"']])("refuses the answer %s", async (answer) => {
    vi.stubGlobal("fetch", async () => new Response(answer));
    const { api } = await open();
    expect((await failure(api.call("/v1/me"))).message).toBe("The wallet service failed. Please try again");
  });

  it("that is too large is not sent", async () => {
    const server = new Server({});
    const { api } = await open();
    expect((await failure(api.call("/v1/rpc", { data: "x".repeat(70_000) }))).reason).toBe("too_large");
    expect(server.calls).toEqual([]);
  });
});
