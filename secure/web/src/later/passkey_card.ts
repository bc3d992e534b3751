/** The card on which a passkey is asked for: browsers want a click for it in this page, and some a window of this page's own. */
import { element } from "../elements";
import { FrameError, rejected } from "../errors";
import { explain, t } from "../language";
import { askWindow, serveWindow } from "../own_window";
import { perform, type Outcome, type Wanted } from "./ceremony";
import { drawDialog, type DialogWords } from "./dialog";

const HASH = "#passkey";
/** For a passkey that gives no secret. */
export const CANNOT_OPEN = t`This passkey cannot open a wallet. Use another one, for example that of your phone.`;
const NOT_USED = t`No passkey was used. Please try again.`;
const KNOWN = t`This device has a passkey of your wallet already. Use another device.`;

export interface Words extends DialogWords {
  button: string;
  /** Of the link to another way; raises `instead`. */
  instead?: string;
}

/** Which words the card has; plain data, as the window has the same. */
interface Question {
  words: Words;
  wanted: Wanted;
}

export interface PasskeyCard {
  card: HTMLElement;
  /** Has a passkey used, again and again until one was; raises 4001 when the visitor cancels. `atOnce`: without a click first. */
  use(wanted: Wanted, atOnce?: boolean): Promise<Outcome>;
  say(words: string): void;
  fail(words: string): void;
}

/** Draws the card; it ends with `signal`. */
export function passkeyCard(words: Words, signal: AbortSignal): PasskeyCard {
  const framed = parent !== window;
  const error = element("p", { class: "error", role: "alert", "data-testid": "passkey-error" });
  const status = element("p", { class: "status", role: "status" });
  const cancel = element("button", { type: "button", "data-testid": "passkey-cancel" }, t`Cancel`);
  const go = element("button", { type: "button", class: "main", "data-testid": "passkey-continue" }, words.button);
  const elsewhere = element("button", { type: "button", class: "link", "data-testid": "passkey-window", hidden: true }, t`Use a window instead`);
  const instead = element("button", { type: "button", class: "link", "data-testid": "passkey-instead", hidden: !words.instead || !framed }, words.instead);
  const card = drawDialog(words, { below: [error, elsewhere, instead], status, buttons: [cancel, go] });
  const busy = (now: boolean) => {
    go.disabled = elsewhere.disabled = now;
    if (now) fail("");
    status.textContent = now ? t`Waiting for your passkey…` : "";
  };
  const fail = (text: string) => {
    error.textContent = text;
    status.textContent = "";
  };
  const choice = () =>
    new Promise<boolean>((resolve, reject) => {
      go.onclick = (event) => event.isTrusted && resolve(true);
      elsewhere.onclick = (event) => event.isTrusted && resolve(false);
      cancel.onclick = () => reject(rejected());
      instead.onclick = () => reject(new FrameError("Another way", undefined, "instead"));
    });
  const use = async (wanted: Wanted, atOnce = false): Promise<Outcome> => {
    const ending = new AbortController();
    const end = () => ending.abort();
    signal.addEventListener("abort", end);
    try {
      for (let silent = atOnce; ; silent = false) {
        // One that was of no use is followed by another.
        go.disabled = elsewhere.disabled = instead.disabled = cancel.disabled = false;
        const here = silent || (await choice());
        busy(true);
        // Who cancels while the browser asks waits for nothing more.
        const cancelled = choice();
        cancelled.catch(() => undefined);
        try {
          const used = here ? perform(wanted, ending.signal) : askWindow(HASH, { words, wanted } satisfies Question, ending.signal);
          const outcome = (await Promise.race([used, cancelled])) as Outcome | null;
          if (!outcome) throw rejected();
          instead.disabled = cancel.disabled = true;
          return outcome;
        } catch (failure) {
          busy(false);
          const { name } = failure as Error;
          if (name === "FrameError") throw failure;
          if (!silent) fail(name === "InvalidStateError" ? KNOWN : name === "Error" ? explain(failure as Error) : NOT_USED);
          elsewhere.hidden = !framed;
        }
      }
    } finally {
      signal.removeEventListener("abort", end);
      ending.abort();
    }
  };
  return { card, use, fail, say: (text) => (status.textContent = text) };
}

/** Is the window in which a passkey is asked for; cancelled, it answers null. */
export function beWindow(opener: Window): void {
  serveWindow<Question>(opener, ({ words, wanted }) => {
    const shown = passkeyCard(words, new AbortController().signal);
    return { card: shown.card, answer: shown.use(wanted).catch(() => null) };
  });
}
