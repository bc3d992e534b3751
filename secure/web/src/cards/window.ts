/** Consent in a window of the secure site's own, which no other page can cover: it shows the same card and returns the answer. */
import type { Card } from "./card";
import { askConsent } from "./consent";

const READY = "walletmodal:consent-ready";
const CARD = "walletmodal:consent-card";
const ANSWER = "walletmodal:consent-answer";
const CLOSED_POLL = 400;

/** Opens the window with a card; fulfilled with the answer. Raises when the browser opens none, or it is closed without an answer. */
export function askInWindow(card: Card, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const place = open("/popup", "walletmodal-consent", "popup,width=400,height=720");
    if (!place) {
      reject(new Error("The browser has blocked the window. Allow windows of this site and try again."));
      return;
    }
    const end = () => {
      removeEventListener("message", heard);
      signal.removeEventListener("abort", end);
      clearInterval(poll);
      place.close();
    };
    const heard = (event: MessageEvent) => {
      if (event.source !== place || event.origin !== location.origin) return;
      const { type, approved } = event.data as { type?: unknown; approved?: unknown };
      if (type === READY) {
        const { theme } = document.documentElement.dataset;
        const accent = document.documentElement.style.getPropertyValue("--w3m-accent");
        place.postMessage({ type: CARD, card, theme, accent }, location.origin);
      } else if (type === ANSWER) {
        end();
        resolve(approved === true);
      }
    };
    const poll = setInterval(() => {
      if (!place.closed) return;
      end();
      reject(new Error("The window was closed without an answer."));
    }, CLOSED_POLL);
    addEventListener("message", heard);
    signal.addEventListener("abort", end);
  });
}

/** Is that window: takes the card from the frame that opened it. */
export function beWindow(opener: Window): void {
  addEventListener("message", (event) => {
    if (event.source !== opener || event.origin !== location.origin) return;
    const { type, card, theme, accent } = event.data as { type?: unknown; card: Card; theme?: string; accent?: string };
    if (type !== CARD) return;
    if (theme) document.documentElement.dataset["theme"] = theme;
    if (accent) document.documentElement.style.setProperty("--w3m-accent", accent);
    const consent = askConsent(card, null);
    document.body.replaceChildren(consent.card);
    document.getElementById("title")?.focus();
    const answer = (approved: boolean) => {
      opener.postMessage({ type: ANSWER, approved }, location.origin);
      close();
    };
    void consent.given.then(answer);
  });
  opener.postMessage({ type: READY }, location.origin);
}
