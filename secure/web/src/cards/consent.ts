/** The visitor's consent: a trusted click on a card that has been seen whole, with nothing over it, for half a second. */
import { explain, t } from "../language";
import { drawBody, drawHead, type Card } from "./card";
import { element, meta } from "../elements";
import { Pointer } from "./pointer";
import { canTell, Visibility } from "./visibility";

/** Milliseconds without being seen after which a window of its own is offered. */
const UNSEEN_FOR = 3000;

/** Pixels of the details that must be there to be read, where there are so many. */
const READABLE = 48;

const COVERED = t`Something covers this page, so the answer is asked for in a window.`;
const CANNOT_TELL = t`This browser cannot tell whether this page is covered, so the answer is asked for in a window.`;
const SCROLL = t`Scroll to the end to approve.`;
const IN_WINDOW = t`The answer is asked for in a window.`;
const TOO_SOON = t`That click came too soon, or the page has moved. Check the request and click again.`;

export interface Consent {
  card: HTMLElement;
  /** Whether the visitor approves. */
  given: Promise<boolean>;
  /** Shows that the work is being done. */
  working(words?: string): void;
  /** Ends the watching. */
  stop(): void;
}

/** Asks for consent; `openWindow` asks in a window of its own and tells whether it was given there, null where there is none (we are it). */
export function askConsent(card: Card, openWindow: (() => Promise<boolean>) | null): Consent {
  const approve = element("button", { type: "button", class: "main", "data-testid": "frame-approve", disabled: true }, t`Approve`);
  const reject = element("button", { type: "button", "data-testid": "frame-reject" }, t`Reject`);
  const status = element("p", { class: "status", role: "status" });
  const body = drawBody(card);
  const drawn = element(
    "main",
    { class: "card", role: "alertdialog", "aria-labelledby": "title" },
    drawHead(card),
    body,
    element("footer", {}, status, element("div", { class: "buttons" }, reject, approve)),
  );

  let settled = false;
  const alwaysElsewhere = card.apart || meta("consent") === "window";
  const canAskHere = openWindow === null || (canTell() && !alwaysElsewhere);
  let elsewhere = !canAskHere;
  let ripe = false;
  let read = false;
  /** What became of the window that was opened. */
  let ofWindow = "";
  let ofClick = "";
  let answer: (approved: boolean) => void = () => undefined;

  const draw = () => {
    if (settled) return;
    approve.textContent = elsewhere ? t`Approve in a window` : t`Approve`;
    approve.disabled = !elsewhere && !(ripe && read);
    if (elsewhere) say(ofWindow || (alwaysElsewhere ? IN_WINDOW : canTell() ? COVERED : CANNOT_TELL));
    else say(read ? ofClick : SCROLL);
  };
  const say = (words: string) => {
    if (status.textContent !== words) status.textContent = words;
  };
  let height = 0;
  const look = () => {
    const { clientHeight, scrollHeight, scrollTop } = body;
    // What was read in a larger frame may be out of sight in a smaller one.
    if (clientHeight < height) read = false;
    height = clientHeight;
    read ||= height >= Math.min(READABLE, scrollHeight) && scrollTop + height >= scrollHeight - 4;
    draw();
  };

  let late: ReturnType<typeof setTimeout> | undefined;
  const offerWindow = () => {
    clearTimeout(late);
    late = setTimeout(() => {
      elsewhere = openWindow !== null;
      draw();
    }, UNSEEN_FOR);
  };
  const visibility = new Visibility(
    drawn,
    (now) => {
      ripe = now;
      clearTimeout(late);
      if (!now) offerWindow();
      else if (canAskHere) elsewhere = false;
      draw();
    },
    openWindow === null,
  );
  // A window of our own moves with the visitor's hand alone.
  const pointer = openWindow && new Pointer(approve);
  const sizes = new ResizeObserver(look);
  sizes.observe(body);
  body.addEventListener("scroll", look, { passive: true });

  const stop = () => {
    settled = true;
    clearTimeout(late);
    visibility.stop();
    pointer?.stop();
    sizes.disconnect();
    document.removeEventListener("keydown", onKey);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isTrusted && event.key === "Escape") answer(false);
  };
  const given = new Promise<boolean>((resolve) => {
    answer = (approved) => (stop(), resolve(approved));
  });
  approve.addEventListener("click", (event) => {
    if (settled || !event.isTrusted || approve.disabled) return;
    if (!elsewhere) {
      if (!visibility.ripe || !read) return;
      // A click without a count is a key.
      if (!event.detail || (pointer?.steady ?? true)) return answer(true);
      ofClick = TOO_SOON;
      return draw();
    }
    ofWindow = t`Please answer in the window that has opened.`;
    draw();
    openWindow?.().then(answer, (error: Error) => ((ofWindow = explain(error)), draw()));
  });
  reject.addEventListener("click", (event) => event.isTrusted && answer(false));
  document.addEventListener("keydown", onKey);
  requestAnimationFrame(look);
  offerWindow();

  const working = (words = t`Signing…`) => {
    approve.disabled = reject.disabled = true;
    say(words);
  };
  return { card: drawn, given, working, stop };
}
