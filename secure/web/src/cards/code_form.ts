/** The card in which a code of eight digits is typed: of a recovery, or of a fresh proof. */
import { element } from "../elements";
import { t } from "../language";

const DIGITS = 8;
const SECOND = 1000;

export const RESEND = "resend";
export const CANCEL = "cancel";

/** Whether the card stays when a code is refused for this reason: it was wrong, too late or too early, or nobody could be asked. */
export const mayTryAgain = (reason: string): boolean =>
  /^(?:invalid_code|expired_code|too_many|cooldown|http_429|unreachable|timeout)/.test(reason);

export interface CodeForm {
  card: HTMLElement;
  input: HTMLInputElement;
  /** Waits for a code, or for RESEND or CANCEL. */
  next(): Promise<string>;
  /** Seconds until another mail may be sent. */
  wait(seconds: number): void;
  /** Says what has been done. */
  say(words: string): void;
  /** Says what is wrong with the code. */
  fail(words: string): void;
}

/** `lead`: what stands before the address. */
export interface CodeWords {
  title: string;
  lead: string;
}

/** Draws the card; it ends with `signal`. */
export function askCode(email: string, signal: AbortSignal, { title, lead }: CodeWords): CodeForm {
  const input = element("input", {
    "data-testid": "recovery-code-input",
    "aria-label": t`Code of eight digits`,
    "aria-describedby": "recovery-error",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: "12",
    placeholder: "0000 0000",
  });
  const error = element("p", { id: "recovery-error", class: "error", role: "alert" });
  const status = element("p", { class: "status", role: "status" });
  const resend = element("button", { type: "button", class: "link", "data-testid": "recovery-resend" });
  const cancel = element("button", { type: "button", "data-testid": "recovery-cancel" }, t`Cancel`);
  const submit = element("button", { type: "submit", class: "main", "data-testid": "recovery-submit", disabled: true }, t`Continue`);
  const form = element(
    "form",
    { class: "card", role: "dialog", "aria-labelledby": "title", novalidate: true },
    element("header", {}, element("h1", { id: "title" }, title)),
    element(
      "div",
      { class: "body" },
      element(
        "div",
        { class: "recovery" },
        element("p", {}, lead),
        element("p", { class: "email" }, element("bdi", {}, email)),
        input,
        error,
        element("p", { class: "quiet" }, t`The code is valid for 10 minutes. We never ask for it by phone or chat.`),
        resend,
      ),
    ),
    element("footer", {}, status, element("div", { class: "buttons" }, cancel, submit)),
  );

  let answer: (wanted: string) => void = () => undefined;
  let busy = false;
  let seconds = 0;
  const digits = () => input.value.replace(/\D/g, "");
  const draw = () => {
    submit.disabled = busy || digits().length !== DIGITS;
    resend.disabled = busy || seconds > 0;
    resend.textContent = seconds > 0 ? t`Resend in ${seconds}s` : t`Resend code`;
    // It keeps the focus while the code is checked.
    input.readOnly = busy;
  };
  const settle = (wanted: string, words: string) => {
    if (busy) return;
    busy = true;
    error.textContent = "";
    input.removeAttribute("aria-invalid");
    status.textContent = words;
    draw();
    answer(wanted);
  };
  const ticking = setInterval(() => {
    if (!seconds) return;
    seconds -= 1;
    draw();
  }, SECOND);
  const stop = () => {
    clearInterval(ticking);
    document.removeEventListener("keydown", onKey);
  };
  const give = () => answer(CANCEL);
  const onKey = (event: KeyboardEvent) => event.isTrusted && event.key === "Escape" && give();
  document.addEventListener("keydown", onKey);
  signal.addEventListener("abort", stop);
  input.addEventListener("input", () => {
    draw();
    if (digits().length === DIGITS) settle(digits(), t`Checking the code…`);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (digits().length === DIGITS) settle(digits(), t`Checking the code…`);
  });
  resend.addEventListener("click", () => settle(RESEND, t`Sending…`));
  cancel.addEventListener("click", give);

  return {
    card: form,
    input,
    next(): Promise<string> {
      busy = false;
      draw();
      return new Promise((resolve) => (answer = resolve));
    },
    wait(time: number): void {
      seconds = Math.max(0, Math.min(Math.ceil(time), 3600));
    },
    say(words: string): void {
      status.textContent = words;
    },
    fail(words: string): void {
      status.textContent = "";
      error.textContent = words;
      input.value = "";
      input.setAttribute("aria-invalid", "true");
      input.focus({ preventScroll: true });
    },
  };
}
