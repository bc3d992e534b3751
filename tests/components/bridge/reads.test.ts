import { afterEach, expect, it, vi } from "vitest";
import { askServer, present, ticket } from "$/public/external/walletmodal/components/bridge/bridge/reads.ts";

const URL_OF_READS = new URL("https://modal.example/v1/rpc");
const QUESTION = { chain: "eip155:1", method: "eth_blockNumber", params: [] };
const UNREACHED = { ok: false, value: null, error: { code: -32603, message: "The server could not be reached" } };

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const says = (body: unknown) => vi.stubGlobal("fetch", vi.fn(async () => ({ json: async () => body })));

/** A server that answers each call with its first parameter; gives the bodies of its requests. */
function echo(held: Promise<unknown> = Promise.resolve(), limited = 0): any[] {
  const bodies: any[] = [];
  vi.stubGlobal("fetch", async (_url: unknown, { body }: { body: string }) => {
    const asked = JSON.parse(body);
    bodies.push(asked);
    await held;
    if (limited-- > 0) return { status: 429, headers: new Headers({ "retry-after": "2" }), json: async () => ({}) };
    const answer = ({ params }: { params: unknown[] }) => (params[0] === "bad" ? { error: { code: 3, message: "no", data: "0x1" } } : { result: params[0] });
    return { status: 200, json: async () => (Array.isArray(asked) ? asked.map(answer) : answer(asked)) };
  });
  return bodies;
}

const ask = (param: unknown) => askServer(URL_OF_READS, { ...QUESTION, params: [param] }, 0);
const calls = (bodies: any[]) => bodies.flat().length;

it("a result is the answer", async () => {
  says({ result: "0x10" });
  expect(await askServer(URL_OF_READS, QUESTION, 0)).toEqual({ ok: true, value: "0x10", error: null });
});

it("the server hears how long ago the host has asked", async () => {
  vi.useFakeTimers();
  says({ result: "0x10" });
  await askServer(URL_OF_READS, QUESTION, Date.now() - 1500);
  expect(vi.mocked(fetch).mock.calls[0]![1]!.headers).toMatchObject({ "walletmodal-waited": "1500" });
});

it("a refusal is the answer", async () => {
  says({ error: { code: -32005, message: "Too many" } });
  expect(await askServer(URL_OF_READS, QUESTION, 0)).toEqual({ ok: false, value: null, error: { code: -32005, message: "Too many" } });
});

it.each([null, 7, "<html>"])("an answer that is %s is none", async (body) => {
  vi.stubGlobal("fetch", vi.fn(async () => ({ json: async () => (body === "<html>" ? JSON.parse(body) : body) })));
  const answer = await askServer(URL_OF_READS, QUESTION, 0);
  expect(answer.ok && answer.value).toBeFalsy();
});

it("a server that never answers is given up", async () => {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  const hangs = (_: unknown, { signal }: RequestInit) => new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  vi.stubGlobal("fetch", vi.fn(hangs));
  const asked = askServer(URL_OF_READS, QUESTION, 0);
  patience.abort();
  expect(await asked).toEqual(UNREACHED);
});

it("an answer that never ends is given up", async () => {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  const json = () => new Promise((_resolve, reject) => patience.signal.addEventListener("abort", () => reject(patience.signal.reason)));
  vi.stubGlobal("fetch", vi.fn(async () => ({ json })));
  const asked = askServer(URL_OF_READS, QUESTION, 0);
  await Promise.resolve();
  patience.abort();
  expect(await asked).toEqual(UNREACHED);
});

const TICKETS = new URL("https://modal.example/v1/browser");

/** A server of which the first connections die silently; gives how many were opened, and what gives one up. */
function dies(first: number, answer: () => Promise<unknown>): { opened(): number; giveUp(): void } {
  const limits: AbortController[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => (limits.push(new AbortController()), limits.at(-1)!.signal));
  vi.stubGlobal("fetch", async (_: unknown, { signal }: { signal: AbortSignal }) => {
    if (limits.length <= first) await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return { json: answer };
  });
  return { opened: () => limits.length, giveUp: () => limits.at(-1)!.abort() };
}

it("a ticket is asked for again where the connection has died", async () => {
  vi.useFakeTimers();
  const server = dies(1, async () => ({ ticket: "t" }));
  const asked = ticket(TICKETS, new AbortController().signal);
  server.giveUp();
  await vi.runAllTimersAsync();
  expect([await asked, server.opened()]).toEqual(["t", 2]);
});

it("there is no ticket of a server that never answers", async () => {
  vi.useFakeTimers();
  const never = dies(100, async () => ({}));
  const asked = ticket(TICKETS, new AbortController().signal);
  for (const tries of [1, 2, 3, 4]) {
    await vi.waitFor(() => expect(never.opened()).toBe(tries));
    never.giveUp();
    await vi.runAllTimersAsync();
  }
  expect([await asked, never.opened()]).toEqual(["", 4]);
});

const UNAVAILABLE = { error: { code: "unavailable", message: "The service is not available." } };

const LIMITED = { error: { code: "limited", message: "Too many requests." } };

it.each([
  ["could not keep one for the moment", UNAVAILABLE],
  ["has had enough for the moment", LIMITED],
  ["is not there, as its proxy says in HTML", "<html>"],
  ["is not there, as its proxy says in JSON", { message: "no upstream" }],
])("a ticket is asked for again where the server %s", async (_, first) => {
  vi.useFakeTimers();
  const answers = [first, { ticket: "t" }];
  const server = dies(0, async () => {
    const answer = answers.shift();
    return typeof answer === "string" ? JSON.parse(answer) : answer;
  });
  const asked = ticket(TICKETS, new AbortController().signal);
  await vi.runAllTimersAsync();
  expect([await asked, server.opened()]).toEqual(["t", 2]);
});

it("a browser without a ticket is told so in the end where the server can give none out", async () => {
  vi.useFakeTimers();
  const server = dies(0, async () => UNAVAILABLE);
  const asked = ticket(TICKETS, new AbortController().signal);
  await vi.runAllTimersAsync();
  expect([await asked, server.opened()]).toEqual(["", 4]);
});

it("why a contract refuses is part of the answer", async () => {
  echo();
  expect(await ask("bad")).toEqual({ ok: false, value: null, error: { code: 3, message: "no", data: "0x1" } });
});

it("a thousand reads of one moment go in a few requests, and each gets its own answer", async () => {
  const bodies = echo();
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => ask(index)));
  expect(answers.map(({ value }) => value)).toEqual(Array.from({ length: 1000 }, (_, index) => index));
  expect([bodies.length, calls(bodies)]).toEqual([15, 1000]);
});

it("no more requests are open at once than a browser opens", async () => {
  let go = (_: unknown) => {};
  const bodies = echo(new Promise((resolve) => (go = resolve)));
  const asked = Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
  expect(bodies.length).toBe(5);
  go(null);
  await asked;
});

it("a failed read among others fails alone", async () => {
  echo();
  const answers = await Promise.all(["a", "b", "c", "d", "e", "f", "bad", "h"].map(ask));
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true, false, true]);
});

it("what is too much for one request goes in several", async () => {
  const bodies = echo();
  await Promise.all(Array.from({ length: 10 }, () => ask("ü".repeat(60_000))));
  expect(bodies.every((body) => new Blob([JSON.stringify(body)]).size <= 256 * 1024)).toBe(true);
  expect(calls(bodies)).toBe(10);
});

it("when the server has had enough for the moment, the page waits as long as it says", async () => {
  vi.useFakeTimers();
  const bodies = echo(undefined, 1);
  const answer = ask("later");
  await vi.advanceTimersByTimeAsync(1999);
  expect(bodies.length).toBe(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(await answer).toMatchObject({ value: "later" });
});

it("who would have to wait for too long is refused", async () => {
  vi.useFakeTimers();
  echo(undefined, 1000);
  const answer = ask("never");
  await vi.advanceTimersByTimeAsync(70_000);
  expect(await answer).toMatchObject({ error: { code: -32005 } });
});

it("what could not be answered in time is not kept", async () => {
  let go = (_: unknown) => {};
  echo(new Promise((resolve) => (go = resolve)));
  const asked = Array.from({ length: 5_006 }, (_, index) => ask(index));
  expect(await asked.at(-1)).toMatchObject({ error: { code: -32005 } });
  go(null);
  await Promise.all(asked);
});

/** A page that says which browser it is in until the server has taken its `takes`th ticket; gives the tickets that it has told. */
async function presented(takes: number): Promise<string[]> {
  vi.useFakeTimers();
  let issued = 0;
  vi.stubGlobal("fetch", vi.fn(async () => ({ json: async () => ({ ticket: `t${++issued}` }) })));
  const life = new AbortController();
  const told: string[] = [];
  const done = present(TICKETS, (ticket) => told.push(ticket) === takes && life.abort(), life.signal);
  await vi.advanceTimersByTimeAsync(600_000);
  await done;
  return told;
}

it("a ticket that the server has taken is the only one", async () => {
  expect(await presented(1)).toEqual(["t1"]);
});

it("a ticket that got lost is followed by another", async () => {
  expect(await presented(2)).toEqual(["t1", "t2"]);
});

it("a server that takes none is not told for ever", async () => {
  expect(await presented(Infinity)).toHaveLength(4);
});

it("a browser that is asked anew asks for another ticket once it has the one before, and at once", async () => {
  vi.useFakeTimers();
  let answer = (_: unknown) => {};
  const asked = vi.fn(() => new Promise((resolve) => (answer = resolve)));
  vi.stubGlobal("fetch", asked);
  const lives = [new AbortController(), new AbortController()];
  const told: string[] = [];
  const done = lives.map(({ signal }) => present(TICKETS, (ticket) => told.push(ticket), signal));
  await vi.advanceTimersByTimeAsync(0);
  lives[0]!.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledTimes(1);
  answer({ json: async () => ({ ticket: "first" }) });
  await vi.advanceTimersByTimeAsync(0);
  expect([told, asked.mock.calls.length]).toEqual([["first"], 2]);
  answer({ json: async () => ({ ticket: "second" }) });
  await vi.advanceTimersByTimeAsync(0);
  lives[1]!.abort();
  await Promise.all(done);
  expect(told).toEqual(["first", "second"]);
});

it("a browser that is asked anew all the while hears in the end that it has no ticket", async () => {
  vi.useFakeTimers();
  const server = dies(0, async () => UNAVAILABLE);
  const told: string[] = [];
  for (let questions = 1; !told.length && questions < 9; questions++) {
    const life = new AbortController();
    void present(TICKETS, (ticket) => told.push(ticket), life.signal);
    await vi.advanceTimersByTimeAsync(10);
    life.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.opened()).toBe(questions);
  }
  expect([told, server.opened()]).toEqual([[""], 4]);
});
