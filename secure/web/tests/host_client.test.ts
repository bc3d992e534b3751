import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Parts } from "../src/frame";
import { serveHost } from "../src/host_client";
import { DELEGATE, delegation } from "../src/smart_account/delegator";

const HOST = "https://other-app.example";
const USER = { address: "0x1", email: "", chainId: 1, accounts: [{ address: "0x1", type: "eoa" }] };

/** On which the site offers smart accounts. */
let networks = "";
/** By address. */
let codes: Record<string, string> = {};
let answers: [unknown, string][] = [];
let hear: (event: object) => void = () => undefined;
let port: MessagePort;
const called: unknown[][] = [];
const asked: { type: string; payload: Record<string, unknown> }[] = [];

beforeEach(() => {
  answers = [];
  asked.length = 0;
  called.length = 0;
  vi.stubGlobal("location", { search: "?projectId=x&chainId=eip155:1" });
  const parent = { postMessage: (message: unknown, origin: string) => void answers.push([message, origin]) };
  const place = { parent, addEventListener: (_: string, heard: (event: never) => void) => (hear = heard as never) };
  networks = "";
  vi.stubGlobal("document", { querySelector: () => ({ content: networks }) });
  const api = { call: async (_: string, { params }: { params: string[] }) => ({ result: codes[params[0] ?? ""] ?? "0x" }) };
  const login = { attempt: async (...given: unknown[]) => (called.push(given), { action: "VERIFY_PRIMARY_OTP", attempt: "a", words: "amber fjord" }) };
  serveHost(place, new Set([HOST]), Promise.resolve({ login, api } as unknown as Parts), (given) => (port = given));
  port.onmessage = ({ data }) => {
    asked.push(data);
    const kind = data.type.slice("@w3m-app/".length);
    port.postMessage({ id: data.id, type: `@w3m-frame/${kind}_SUCCESS`, payload: kind === "GET_USER" ? USER : {} });
  };
  send.from = parent;
});

const send = Object.assign(
  (type: string, payload?: object, origin = HOST, source: unknown = send.from) => hear({ source, origin, data: { id: "k3x9a", type, payload } }),
  { from: null as unknown },
);
const answered = () => vi.waitFor(() => expect(answers).toHaveLength(1)).then(() => answers[0]);

describe("the client of a host page", () => {
  it("is answered at its own origin alone, in the shapes of its schema", async () => {
    send("@w3m-app/GET_USER", { chainId: 1 });
    expect(await answered()).toEqual([{ id: "k3x9a", type: "@w3m-frame/GET_USER_SUCCESS", payload: { ...USER, email: null } }, HOST]);
  });

  it.each([
    ["is one", delegation(DELEGATE), true],
    ["is an ordinary one", "0x", false],
    ["runs another contract's code", delegation(`0x${"11".repeat(20)}`), false],
  ])("is told that the account %s on the network", async (_, code, smartAccountDeployed) => {
    networks = "eip155:1";
    codes = { [USER.address]: code };
    send("@w3m-app/GET_USER", { chainId: 1 });
    expect(await answered()).toMatchObject([{ payload: { smartAccountDeployed } }, HOST]);
  });

  it.each([
    ["another origin", "https://evil.example", undefined],
    ["another window", HOST, {}],
  ])("of %s is not heard", async (_, origin, source) => {
    if (source) send("@w3m-app/SIGN_OUT", {}, origin, source);
    else send("@w3m-app/SIGN_OUT", {}, origin);
    send("@w3m-app/IS_CONNECTED");
    await answered();
    expect(asked.map(({ type }) => type)).toEqual(["@w3m-app/IS_CONNECTED"]);
  });

  it.each(["@w3m-app/PASSKEY_LIST", "@w3m-app/EXPORT", "@w3m-app/constructor"])("cannot ask for %s", async (type) => {
    send(type, { email: "lee@example.org" });
    const [message] = (await answered()) as unknown as [{ type: string; payload: { message: string } }];
    expect([message.type, typeof message.payload.message, asked]).toEqual([`${type.replace("app", "frame")}_ERROR`, "string", []]);
  });

  it("changes an address behind a link in the mail, since it shows no card for that", async () => {
    send("@w3m-app/UPDATE_EMAIL", { email: "lee@example.org" });
    expect(await answered()).toEqual([{ id: "k3x9a", type: "@w3m-frame/UPDATE_EMAIL_SUCCESS", payload: { action: "VERIFY_PRIMARY_OTP" } }, HOST]);
    expect([called, asked]).toEqual([[["update", "/v1/email/update", { email: "lee@example.org", linked: true }]], []]);
  });

  it("is told in words why there is no account on a device without the key", async () => {
    port.onmessage = ({ data }) => port.postMessage({ id: data.id, type: "@w3m-frame/GET_USER_ERROR", payload: { message: "No part", code: 4100, reason: "recovery_needed" } });
    send("@w3m-app/GET_USER");
    expect(await answered()).toMatchObject([{ payload: { message: expect.stringContaining("not on this device"), code: 4100 } }, HOST]);
  });

  it("of a later kit takes back what waits for the visitor", async () => {
    send("@w3m-app/RPC_ABORT");
    await answered();
    expect(asked.map(({ type }) => type)).toEqual(["@w3m-app/RPC_ABORT"]);
  });

  it("names no network: a request gets the one that was told last", async () => {
    send("@w3m-app/SWITCH_NETWORK", { chainId: 137 });
    await answered();
    send("@w3m-app/RPC_REQUEST", { method: "personal_sign", params: ["0x00", "0x1"] });
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[1]?.payload).toMatchObject({ method: "personal_sign", chainId: 137, site: { origin: HOST } });
  });

  it("is not told what it does not know", async () => {
    port.postMessage({ type: "@w3m-frame/SHOW", payload: { height: 400 } });
    port.postMessage({ type: "@w3m-frame/READY", payload: { version: "1", capabilities: [] } });
    expect(await answered()).toEqual([{ type: "@w3m-frame/READY", payload: { version: "1" } }, "*"]);
  });
});
