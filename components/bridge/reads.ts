/**
 * What is asked over HTTP: plain reads of the host's provider, whose results do not pass through state, and which browser this is.
 *
 * A page may ask for a thousand things at once. What is asked while all lines are busy goes on together, as soon as one is free;
 * where the server has had enough for the moment, it waits.
 */

import type { Result } from "../../loader/src/protocol";

export type Question = { chain: string; method: unknown; params: unknown };

type Asked = { text: string; at: number; until: number; answer(result: Result): void };

/** No host waits longer for a read, ms; the server gives each try of a node ten seconds. */
const PATIENCE = 60_000;
/** When a ticket that nobody has taken counts as lost, ms. */
const AGAIN = 10_000;
/** In how many parts it is spent where an answer takes no time, so that one connection does not use it up. */
const TRIES = 4;
/** A browser opens six connections to a server; one is left for everything else. */
const LINES = 5;
/** How soon a ticket is asked for again, ms. */
const SOON = 1_000;
/** What the server takes as one list (walletmodal/web/rpc.py): so many calls, and so many bytes. */
const MAX_CALLS = 100;
const MAX_BYTES = 240 * 1024;
/** A page that asks for more than could be answered in time is told so at once. */
const MAX_WAITING = 5_000;

const failed = (code: number, message: string): Result => ({ ok: false, value: null, error: { code, message } });
const tooMany = () => failed(-32005, "Request exceeds defined limit.");

const waiting: Asked[] = [];
let busy = 0;
let paused = false;

const post = (url: URL, body: string, patience = PATIENCE, more: Record<string, string> = {}) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json", ...more }, body, signal: AbortSignal.timeout(patience) });

const pause = (ms: number, life: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (life.aborted) return resolve();
    setTimeout(resolve, ms);
    life.addEventListener("abort", () => resolve());
  });

/** How often a ticket was asked for in vain since there was one, by all questions together. */
let missed = 0;

/**
 * A ticket that says which browser this is, from the route that keeps the cookie; "" where none is to be had, undefined where `life` ends before.
 *
 * Whoever has none is disconnected, so it is asked for again: a connection may die without a word, a proxy may have no server behind it for
 * a moment, a server no answer of its Redis, and many visitors may share an address.
 */
export async function ticket(url: URL, life: AbortSignal): Promise<string | undefined> {
  while (!life.aborted) {
    try {
      const { ticket } = await (await post(url, "{}", PATIENCE / TRIES)).json();
      if (ticket) {
        missed = 0;
        return ticket;
      }
    } catch {
      // The next try may be answered.
    }
    if (++missed >= TRIES) {
      missed = 0;
      return "";
    }
    await pause(SOON, life);
  }
  return undefined;
}

let presented = Promise.resolve();

/**
 * Has `tell` called with a ticket, and with a fresh one some times more until `life` ends, which it does when the server has taken one:
 * what was told may have been lost although the socket lives, and nobody would ask again.
 *
 * One after the other: a browser without a cookie is given another with each ticket, and the server might believe the one that it does not keep.
 */
export function present(url: URL, tell: (ticket: string) => void, life: AbortSignal): Promise<void> {
  return (presented = presented.catch(() => {}).then(() => presentUntil(url, tell, life)));
}

async function presentUntil(url: URL, tell: (ticket: string) => void, life: AbortSignal): Promise<void> {
  for (let times = 0; times < TRIES && !life.aborted; times++) {
    const got = await ticket(url, life);
    if (got !== undefined) tell(got);
    await pause(AGAIN, life);
  }
}

/** Asks the server. Never throws: whatever goes wrong is an answer too. `at`: when the host has asked, ms of Unix time. */
export function askServer(url: URL, question: Question, at: number): Promise<Result> {
  return new Promise((answer) => {
    if (waiting.length >= MAX_WAITING) return answer(tooMany());
    waiting.push({ text: JSON.stringify(question), at, until: Date.now() + PATIENCE, answer });
    sendOn(url);
  });
}

function sendOn(url: URL): void {
  while (waiting.length && busy < LINES && !paused) {
    busy++;
    void deliver(url, next()).finally(() => {
      busy--;
      sendOn(url);
    });
  }
}

/** As many as one request may carry; at least one. */
function next(): Asked[] {
  let bytes = 0;
  const fits = waiting.slice(0, MAX_CALLS).findIndex(({ text }, index) => (bytes += new Blob([text]).size + 1) > MAX_BYTES && index > 0);
  return waiting.splice(0, fits < 0 ? MAX_CALLS : fits);
}

async function deliver(url: URL, asked: Asked[]): Promise<void> {
  const { length } = asked;
  const [first] = asked as [Asked];
  try {
    const waited = { "walletmodal-waited": String(Date.now() - first.at) };
    const response = await post(url, length > 1 ? `[${asked.map(({ text }) => text)}]` : first.text, PATIENCE, waited);
    if (response.status === 429) return later(url, asked, Number(response.headers.get("retry-after")) || 1);
    const body = await response.json();
    asked.forEach(({ answer }, index) => answer(resultOf(Array.isArray(body) && length > 1 ? body[index] : body)));
  } catch {
    asked.forEach(({ answer }) => answer(failed(-32603, "The server could not be reached")));
  }
}

function resultOf(body: any): Result {
  return body.error ? { ok: false, value: null, error: body.error } : { ok: true, value: body.result, error: null };
}

/** The server has not looked at them: they go first when it wants to hear from us again, unless that is too late for them. */
function later(url: URL, asked: Asked[], seconds: number): void {
  const pause = seconds * 1000;
  waiting.unshift(...asked.filter(({ until, answer }) => Date.now() + pause < until || answer(tooMany())));
  paused = true;
  setTimeout(() => {
    paused = false;
    sendOn(url);
  }, pause);
}
