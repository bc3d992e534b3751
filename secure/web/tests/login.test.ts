import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import { base64url } from "../src/bytes";
import { Custody } from "../src/custody";
import { Device } from "../src/device";
import { oneTimeKey, rawPoint } from "../src/ecies";
import { approved } from "../src/later/waiting";
import { Login } from "../src/login";
import { MemoryStore } from "../src/storage";
import { aborted, failure, refusal, Server, type Handler } from "./server";

const USER = { id: "kim", email: "kim@example.org", wallet: null, device: false, escrow: false, frozenUntil: null };
const SENT = { attempt: "a1", action: "VERIFY_OTP", words: "amber fjord", retryAfter: 30 };

/** As it is, with what it has. */
class ListedStore extends MemoryStore {
  readonly keys = new Set<string>();

  override async put(key: string, value: unknown): Promise<void> {
    this.keys.add(key);
    return super.put(key, value);
  }

  override async delete(key: string): Promise<void> {
    this.keys.delete(key);
    return super.delete(key);
  }
}

let store: ListedStore;

beforeEach(() => {
  store = new ListedStore();
});

async function open(handlers: Record<string, Handler>, recoveryKey = "") {
  const server = new Server({ "/v1/login/email": () => SENT, "/v1/login/otp": () => ({ session: "s1", user: USER }), ...handlers });
  const device = await Device.open(store);
  const api = new Api(device);
  const custody = new Custody(store, device, api, recoveryKey);
  const ended = vi.fn();
  const login = new Login(api, store, custody, ended);
  await login.resume();
  return { server, api, login, ended };
}

async function enter(login: Login) {
  await login.begin("kim@example.org");
  await login.enter("123456");
}

describe("a wallet that is made while the mail is read", () => {
  type Sent = { wallet?: Record<string, string> };
  const halves = () => [...store.keys].filter((key) => key.startsWith("half:"));
  /** The account that comes of the attempt, with the wallet that came with the code; `wallet`: what the server has made of it. */
  const account = (wallet: object | null) => ({ ...USER, id: "a1", wallet, device: wallet !== null });
  const takes = ({ wallet }: Sent) => ({ session: "s1", user: account({ evm: wallet!["evm"], solana: wallet!["solana"] }) });
  const otp = (server: Server) => server.calls.filter(({ path }) => path === "/v1/login/otp").map(({ body }) => body as Sent);

  it("is registered by the login itself", async () => {
    const { server, login } = await open({ "/v1/login/otp": takes as never });
    await enter(login);
    const user = await login.userWithWallet();
    expect([server.paths(), user.wallet!.evm]).toEqual([["/v1/login/email", "/v1/login/otp"], otp(server)[0]!.wallet!["evm"]]);
  });

  it("has its half on this device before the server hears of it", async () => {
    let before: string[] = [];
    const { login } = await open({ "/v1/login/otp": ((body: Sent) => ((before = halves()), takes(body))) as never });
    await enter(login);
    expect(before).toEqual([`half:a1:${(await login.user()).wallet!.evm.toLowerCase()}`]);
  });

  it("is registered after the login where the server has not done so, with the same halves", async () => {
    const made = ({ evm, solana }: Record<string, string>) => ({ user: account({ evm, solana }) });
    const { server, login } = await open({ "/v1/login/otp": () => ({ session: "s1", user: account(null) }), "/v1/wallet": made });
    await enter(login);
    await login.userWithWallet();
    const { body } = server.calls.find(({ path }) => path === "/v1/wallet")!;
    expect(body).toEqual(otp(server)[0]!.wallet);
  });

  it("leaves nothing behind where the account is another one", async () => {
    const { login } = await open({ "/v1/login/otp": () => ({ session: "s1", user: { ...USER, wallet: { evm: "0x" + "1".repeat(40), solana: "1".repeat(40) } } }) });
    await enter(login);
    await failure(login.userWithWallet());
    await vi.waitFor(() => expect(halves()).toEqual([]));
  });

  it("has its recovery half in escrow before the code comes", async () => {
    const { publicKey } = await oneTimeKey();
    const { server, login } = await open({ "/v1/login/escrow": () => ({}), "/v1/login/otp": takes as never }, base64url(await rawPoint(publicKey)));
    await login.begin("kim@example.org");
    await vi.waitFor(() => expect(server.paths()).toContain("/v1/login/escrow"));
    await login.enter("123456");
    const given = server.calls.find(({ path }) => path === "/v1/login/escrow")!;
    expect(given.body).toEqual({ attempt: "a1", escrow: otp(server)[0]!.wallet!["escrow"] });
  });

  it("does not hold up the code where its escrow cannot be had", async () => {
    const { publicKey } = await oneTimeKey();
    const never = () => new Promise<object>(() => undefined);
    const { login } = await open({ "/v1/login/escrow": never, "/v1/login/otp": takes as never }, base64url(await rawPoint(publicKey)));
    await enter(login);
    expect((await login.user()).wallet).not.toBeNull();
  });

  it("is another one for each login", async () => {
    const { server, login } = await open({ "/v1/login/otp": () => refusal(400, "invalid_code") });
    await failure(enter(login));
    await failure(enter(login));
    expect(new Set(otp(server).map(({ wallet }) => wallet!["evm"])).size).toBe(2);
  });

  it("is the same for another try of the code", async () => {
    const { server, login } = await open({ "/v1/login/otp": () => refusal(400, "invalid_code") });
    await failure(enter(login));
    await failure(login.enter("654321"));
    expect(new Set(otp(server).map(({ wallet }) => wallet!["evm"])).size).toBe(1);
  });

  it("keeps its half where the answer was lost", async () => {
    const { server, login } = await open({ "/v1/login/otp": takes as never });
    server.lost.push("/v1/login/otp");
    await failure(enter(login));
    expect(halves()).toHaveLength(1);
  });

  it("is not offered where this device cannot keep its half", async () => {
    const { server, login } = await open({});
    vi.spyOn(store, "put").mockImplementation((key) => (key.startsWith("half:") ? Promise.reject(new Error("full")) : Promise.resolve()));
    await enter(login);
    expect(otp(server)).toEqual([{ attempt: "a1", otp: "123456" }]);
  });
});

describe("signing in", () => {
  it("tells what the visitor is to look for", async () => {
    const { login } = await open({});
    expect(await login.begin("kim@example.org")).toEqual({ action: "VERIFY_OTP", words: "amber fjord", retryAfter: 30 });
  });

  it("goes on after the page was loaded anew", async () => {
    const before = await open({});
    await before.login.begin("kim@example.org");
    const { server, login } = await open({});
    await login.enter("123456");
    expect(server.calls[0]?.body).toEqual({ attempt: "a1", otp: "123456" });
  });

  it("without an attempt says so", async () => {
    const { login } = await open({});
    expect((await failure(login.enter("123456"))).reason).toBe("attempt");
  });

  it("is remembered by the device", async () => {
    await enter((await open({})).login);
    const { login } = await open({ "/v1/me": () => ({ user: USER }) });
    expect(await login.isConnected()).toBe(true);
  });

  it("waits for a device through failures of the network, until it is approved", async () => {
    vi.useFakeTimers();
    try {
      const answers = [{ approved: false }, { approved: false }, { approved: true }];
      const { server, api, login } = await open({ "/v1/login/device": () => answers.shift() ?? {} });
      await login.begin("kim@example.org");
      server.lost.push("/v1/login/device");
      let done = false;
      const waiting = approved({ api, login }).then(() => (done = true));
      // Calls are signed on the browser's own threads, of whose pace the moved clock knows nothing.
      while (!done) await vi.advanceTimersByTimeAsync(10);
      await waiting;
      expect(server.paths().filter((path) => path === "/v1/login/device")).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it("no longer waits for a device when another email is entered", async () => {
    let answered: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answered = resolve));
    const { api, login } = await open({ "/v1/login/device": () => (answered(), new Promise<object>(() => undefined)) });
    vi.stubGlobal("fetch", endable(fetch));
    await login.begin("kim@example.org");
    const waiting = failure(approved({ api, login }));
    await asked;
    await login.begin("lee@example.org");
    expect((await waiting).message).toBe("Request was aborted");
  });
});

/** Has a call end with its signal, as a browser does. */
const endable = (serve: typeof fetch) => (path: string, options: RequestInit) =>
  Promise.race([serve(path, options), aborted(options.signal)]);

const OWNER = { ...USER, device: true, wallet: { evm: `0x${"1".repeat(40)}`, solana: "1".repeat(32) } };

/** A page that is loaded anew after somebody with a wallet has signed in; `me`: what the server then says. */
async function comeBack(me: Handler) {
  const before = await open({ "/v1/login/otp": () => ({ session: "s1", user: OWNER }) });
  await enter(before.login);
  return open({ "/v1/me": me });
}

describe("a page that is loaded anew", () => {
  it("knows who is signed in before the server has answered", async () => {
    const { login } = await comeBack(() => new Promise<object>(() => undefined));
    expect(await login.isConnected()).toBe(true);
    expect((await login.user()).wallet).toEqual(OWNER.wallet);
  });

  it.each([
    ["whose session has ended", refusal(401, "session")],
    ["whose device was revoked", { user: { ...OWNER, device: false } }],
  ])("tells of one %s", async (_, answer) => {
    const { login, ended } = await comeBack(() => answer);
    await login.isConnected();
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });

  it("says nothing while the server cannot be reached", async () => {
    const { server, login, ended } = await comeBack(() => ({ user: OWNER }));
    server.lost.push("/v1/me");
    await login.isConnected();
    await vi.waitFor(() => expect(server.lost).toEqual([]));
    expect(await login.isConnected()).toBe(true);
    expect(ended).not.toHaveBeenCalled();
  });

  it("knows nobody once the session was ended here", async () => {
    const { login } = await comeBack(() => ({ user: OWNER }));
    await login.end();
    expect(await store.get("user")).toBeUndefined();
  });
});

describe("a session", () => {
  it("that the server has ended is forgotten, and the modal is told", async () => {
    const { login, ended } = await open({ "/v1/me": () => refusal(401, "session") });
    await enter(login);
    expect(await login.isConnected()).toBe(false);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
    expect(await store.get("session")).toBeUndefined();
  });

  it("of another tab is taken up, and not ended with one's own", async () => {
    const refused = new Set(["s1"]);
    const sessions = ["s1", "s2"];
    const handlers: Record<string, Handler> = {
      "/v1/login/otp": () => ({ session: sessions.shift(), user: USER }),
      "/v1/me": (_, headers) => (refused.has((headers.get("authorization") ?? "").slice(7)) ? refusal(401, "session") : { user: USER }),
    };
    const [early, other] = [await open(handlers), await open(handlers)];
    await enter(early.login);
    await enter(other.login);
    expect(await early.login.isConnected()).toBe(false);
    await vi.waitFor(() => expect(early.ended).toHaveBeenCalledOnce());
    expect(await early.login.isConnected()).toBe(true);
  });

  it("is not given up because the server cannot be reached", async () => {
    const { server, login, ended } = await open({ "/v1/me": () => ({ user: USER }) });
    await enter(login);
    server.lost.push("/v1/me");
    expect((await failure(login.isConnected())).reason).toBe("unreachable");
    expect(ended).not.toHaveBeenCalled();
    expect(await login.isConnected()).toBe(true);
  });

  it("ends here also when the server does not hear of it, and the device's half stays", async () => {
    const { server, login } = await open({});
    await enter(login);
    await store.put("half:kim:0x1", "kept");
    server.lost.push("/v1/logout");
    await login.end();
    expect(await login.isConnected()).toBe(false);
    expect(await store.get("half:kim:0x1")).toBe("kept");
  });

  it("takes with it whose calls were made here", async () => {
    const { login } = await open({});
    await enter(login);
    for (const key of ["user", "social", "accountType", "bundles"]) await store.put(key, "kept");
    await login.end();
    expect([...store.keys].filter((key) => !/^(?:device|attempt:|half:)/.test(key))).toEqual([]);
  });

  it("makes one wallet for two callers at once", async () => {
    const { server, login } = await open({
      "/v1/wallet": ({ evm, solana }) => ({ user: { ...USER, device: true, wallet: { evm, solana } } }),
    });
    await enter(login);
    const [one, other] = await Promise.all([login.userWithWallet(), login.userWithWallet()]);
    expect(one.wallet).toEqual(other.wallet);
    expect(server.paths().filter((path) => path === "/v1/wallet")).toHaveLength(1);
  });

  it("of nobody has no user", async () => {
    const { login } = await open({});
    expect((await failure(login.userWithWallet())).code).toBe(4100);
  });
});

describe("a mail that is long in coming", () => {
  /** A server that answers each question for a mail when it is told to. */
  async function slow() {
    const answers: ((attempt: string) => void)[] = [];
    const parts = await open({ "/v1/login/email": () => new Promise((tell) => answers.push((attempt) => tell({ ...SENT, attempt }))) });
    return { ...parts, answers };
  }

  it("is asked for once, however often its visitor asks meanwhile", async () => {
    const { server, login, answers } = await slow();
    const both = [login.begin("kim@example.org"), login.begin("kim@example.org")];
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    answers[0]!("a1");
    expect([await Promise.all(both), server.paths()]).toEqual([[SENT, SENT].map(({ attempt: _, ...told }) => told), ["/v1/login/email"]]);
  });

  it("may be asked for again once it has come", async () => {
    const { server, login } = await open({});
    await login.begin("kim@example.org");
    await login.begin("kim@example.org");
    expect(server.paths()).toHaveLength(2);
  });

  it("is waited for longer than other answers", async () => {
    const { login, answers } = await slow();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const told = login.begin("kim@example.org");
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(59_000);
    answers[0]!("a1");
    expect(await told).toMatchObject({ action: "VERIFY_OTP" });
    vi.useRealTimers();
  });

  it("does not take the place of the login that was begun after it", async () => {
    const { login, answers } = await slow();
    const first = login.begin("kim@example.org").catch(() => "over");
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    const second = login.begin("lee@example.org");
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]!("a2");
    await second;
    answers[0]!("a1");
    await first;
    expect(await login.attemptOf("login")).toBe("a2");
  });
});
