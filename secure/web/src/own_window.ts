/** Questions to the visitor in a window of the secure site's own, which no other page can cover: it is asked one thing, and returns the answer. */
import { t } from "./language";

const READY = "walletmodal:window-ready";
const QUESTION = "walletmodal:window-question";
const ANSWER = "walletmodal:window-answer";
const CLOSED_POLL = 400;

/** What a window is asked: plain data, or made of what it says when it is ready. */
export type Question = object | ((ready: unknown) => Promise<object>);

/** Opens the window `/popup` + `hash`; fulfilled with its answer. Raises when the browser opens none, or it is closed without an answer. */
export function askWindow(hash: string, question: Question, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const place = open(`/popup${hash}`, "walletmodal-window", "popup,width=400,height=720");
    if (!place) {
      reject(new Error(t`The browser has blocked the window. Allow windows of this site and try again.`));
      return;
    }
    const end = () => {
      removeEventListener("message", heard);
      signal.removeEventListener("abort", end);
      clearInterval(poll);
      place.close();
    };
    // A page of before, which asked something else, may answer while this one's comes in its place.
    let asked = false;
    const heard = (event: MessageEvent) => {
      if (event.source !== place || event.origin !== location.origin) return;
      const { type, answer, ready } = event.data as { type?: unknown; answer?: unknown; ready?: unknown };
      if (type === READY) {
        const { theme } = document.documentElement.dataset;
        const accent = document.documentElement.style.getPropertyValue("--w3m-accent");
        const tell = (given: object) => place.postMessage({ type: QUESTION, question: given, theme, accent }, location.origin);
        asked = true;
        if (typeof question !== "function") tell(question);
        else question(ready).then(tell, (error: Error) => (end(), reject(error)));
      } else if (type === ANSWER && asked) {
        end();
        resolve(answer);
      }
    };
    let gone = 0;
    const poll = setInterval(() => {
      // A window that closes by itself has its answer on the way, and a busy page may hear of that later than it sees the window gone.
      if (!place.closed || ++gone < 2) return;
      end();
      reject(new Error(t`The window was closed without an answer.`));
    }, CLOSED_POLL);
    addEventListener("message", heard);
    signal.addEventListener("abort", end);
  });
}

/** Is that window: shows what `show` makes of the question of the frame that opened it, gives it the answer, and closes. `ready`: what the question is made of. */
export function serveWindow<Asked>(opener: Window, show: (question: Asked) => { card: HTMLElement; answer: Promise<unknown> }, ready?: unknown): void {
  addEventListener("message", (event) => {
    if (event.source !== opener || event.origin !== location.origin) return;
    const { type, question, theme, accent } = event.data as { type?: unknown; question: Asked; theme?: string; accent?: string };
    if (type !== QUESTION) return;
    if (theme) document.documentElement.dataset["theme"] = theme;
    if (accent) document.documentElement.style.setProperty("--w3m-accent", accent);
    const { card, answer } = show(question);
    document.body.replaceChildren(card);
    document.getElementById("title")?.focus();
    void answer.then((given) => {
      opener.postMessage({ type: ANSWER, answer: given }, location.origin);
      close();
    });
  });
  opener.postMessage({ type: READY, ready }, location.origin);
}
