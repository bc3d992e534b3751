/**
 * Calls and requests of the host that the server must hear of: what a dead worker or a lost session has swallowed is sent again, and
 * nobody waits for a server that is away.
 *
 * Until the server has heard of a call, it is sent again every two seconds, and given up after eight. Then the server waits for the
 * visitor or a wallet, which may take long, so it is given up only when the server has been away for a minute. What a wallet is being
 * asked is not given up: its answer reaches the host without the server. Where the server says after all that it has a call that was
 * given up, it is told that nobody waits.
 */

/** When a call that the server has not heard of is given up, ms. */
export const PATIENCE = 8_000;
/** When it is sent again, ms; the server carries out the same call once. */
export const AGAIN = 2_000;
/** How long the server may be away from a call that it has heard of, ms. */
export const AWAY = 60_000;

type Call = { send(left: number): void; giveUp(): void; until: number; timer?: ReturnType<typeof setTimeout>; heard?: boolean };

/** How many that were given up are remembered: the server names as many. */
const MOST = 64;

const calls = new Map<string, Call>();
/** What was given up, and how the server is told so. */
const gone = new Map<string, Call["send"]>();
let away: ReturnType<typeof setTimeout> | undefined;

function drop(id: string): Call | undefined {
  const call = calls.get(id);
  clearTimeout(call?.timer);
  calls.delete(id);
  return call;
}

function giveUp(id: string): void {
  const call = drop(id);
  if (!call) return;
  call.giveUp();
  gone.set(id, call.send);
  if (gone.size > MOST) gone.delete(gone.keys().next().value!);
}

const left = ({ until }: Call): number => Math.max(until - Date.now(), 0);

function wait(id: string, call: Call): void {
  clearTimeout(call.timer);
  call.timer = setTimeout(() => {
    if (Date.now() >= call.until) return giveUp(id);
    call.send(left(call));
    wait(id, call);
  }, Math.min(AGAIN, left(call)));
}

/** Sends a call, and again as above; `left`: how long it is still waited for, ms. */
export function begin(id: string, send: (left: number) => void, giveUp: () => void): void {
  drop(id);
  gone.delete(id);
  const call: Call = { send, giveUp, until: Date.now() + PATIENCE };
  calls.set(id, call);
  send(PATIENCE);
  wait(id, call);
}

/** The server has these, and waits for the visitor or a wallet itself. */
export function heard(ids: string[]): void {
  for (const id of ids) {
    gone.get(id)?.(0);
    const call = calls.get(id);
    if (!call) continue;
    call.heard = true;
    clearTimeout(call.timer);
  }
}

/** A call is answered, or its answer is the wallet's to give; false when nobody waited for it. */
export const answered = (id: string): boolean => !!drop(id);

/** The socket is back, perhaps to a server that has forgotten what it had heard; `known`: what it has not forgotten. */
export function repeat(known: string[]): void {
  for (const [id, call] of calls) {
    if (known.includes(id)) continue;
    if (call.heard) {
      call.heard = false;
      call.until = Date.now() + PATIENCE;
    }
    call.send(left(call));
    wait(id, call);
  }
}

/** Whether the socket is down. */
export function noteAway(down: boolean): void {
  if (!down) {
    clearTimeout(away);
    away = undefined;
  } else {
    away ??= setTimeout(() => {
      for (const [id, call] of calls) if (call.heard) giveUp(id);
    }, AWAY);
  }
}
