/**
 * Calls and requests of the host that the server must hear of: what a dead worker or a lost session has swallowed is sent again, and
 * nobody waits for a server that is away.
 *
 * Until the server has heard of a call, it is sent again every two seconds, and given up after eight. Then the server waits for the
 * visitor or a wallet, which may take long, so it is given up only when the server has been away for a minute. What a wallet is being
 * asked is not given up: its answer reaches the host without the server.
 */

/** When a call that the server has not heard of is given up, ms. */
export const PATIENCE = 8_000;
/** When it is sent again, ms; the server carries out the same call once. */
export const AGAIN = 2_000;
/** How long the server may be away from a call that it has heard of, ms. */
export const AWAY = 60_000;

type Call = { send(left: number): void; giveUp(): void; until: number; timer?: ReturnType<typeof setTimeout>; heard?: boolean };

const calls = new Map<string, Call>();
let away: ReturnType<typeof setTimeout> | undefined;

function drop(id: string): Call | undefined {
  const call = calls.get(id);
  clearTimeout(call?.timer);
  calls.delete(id);
  return call;
}

const left = ({ until }: Call): number => Math.max(until - Date.now(), 0);

function wait(id: string, call: Call): void {
  clearTimeout(call.timer);
  call.timer = setTimeout(() => {
    if (Date.now() >= call.until) return drop(id)?.giveUp();
    call.send(left(call));
    wait(id, call);
  }, Math.min(AGAIN, left(call)));
}

/** Sends a call, and again as above; `left`: how long it is still waited for, ms. */
export function begin(id: string, send: (left: number) => void, giveUp: () => void): void {
  drop(id);
  const call: Call = { send, giveUp, until: Date.now() + PATIENCE };
  calls.set(id, call);
  send(PATIENCE);
  wait(id, call);
}

/** The server has these, and waits for the visitor or a wallet itself. */
export function heard(ids: string[]): void {
  for (const id of ids) {
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
      for (const [id, call] of calls) if (call.heard) drop(id)?.giveUp();
    }, AWAY);
  }
}
