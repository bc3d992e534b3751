/** The card in which a recovery password is typed. */
import { element } from "../elements";
import { rejected } from "../errors";
import { t } from "../language";
import { weakness } from "./strength";

export interface Words {
  title: string;
  lines: string[];
  button: string;
  working: string;
}

export interface PasswordCard {
  card: HTMLElement;
  /** Waits for a password; raises 4001 when the visitor cancels. */
  next(): Promise<string>;
  /** Says what is wrong with it. */
  fail(words: string): void;
}

/** Draws the card; it ends with `signal`. `fresh`: the password is new, must be good, and is typed twice. */
export function passwordCard(words: Words, email: string, fresh: boolean, signal: AbortSignal): PasswordCard {
  const field = (id: string, label: string) =>
    element("input", {
      id,
      type: "password",
      class: "password",
      "data-testid": id,
      "aria-label": label,
      "aria-describedby": "password-error",
      placeholder: label,
      autocomplete: fresh ? "new-password" : "current-password",
      maxlength: "200",
    });
  const first = field("recovery-password", t`Recovery password`);
  const second = fresh ? field("recovery-password-again", t`The same password again`) : null;
  const error = element("p", { id: "password-error", class: "error", role: "alert", "data-testid": "password-error" });
  const status = element("p", { class: "status", role: "status" });
  const cancel = element("button", { type: "button", "data-testid": "password-cancel" }, t`Cancel`);
  const submit = element("button", { type: "submit", class: "main", "data-testid": "password-submit" }, words.button);
  const form = element(
    "form",
    { class: "card", role: "dialog", "aria-labelledby": "title", novalidate: true },
    element("header", {}, element("h1", { id: "title", tabindex: "-1" }, words.title)),
    element(
      "div",
      { class: "body" },
      element(
        "div",
        { class: "recovery" },
        ...words.lines.map((line) => element("p", {}, line)),
        // Password managers keep the password under it.
        element("input", { type: "text", autocomplete: "username", value: email, readonly: true, hidden: true }),
        first,
        second,
        error,
      ),
    ),
    element("footer", {}, status, element("div", { class: "buttons" }, cancel, submit)),
  );
  let give: (password: string) => void = () => undefined;
  let refuse: (reason: Error) => void = () => undefined;
  const busy = (now: boolean) => {
    submit.disabled = first.readOnly = now;
    if (second) second.readOnly = now;
    status.textContent = now ? words.working : "";
  };
  const fail = (text: string, at: HTMLInputElement = first) => {
    busy(false);
    error.textContent = text;
    at.setAttribute("aria-invalid", "true");
    at.focus({ preventScroll: true });
  };
  const onKey = (event: KeyboardEvent) => event.isTrusted && event.key === "Escape" && refuse(rejected());
  document.addEventListener("keydown", onKey);
  signal.addEventListener("abort", () => document.removeEventListener("keydown", onKey));
  cancel.addEventListener("click", () => refuse(rejected()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    error.textContent = "";
    first.removeAttribute("aria-invalid");
    second?.removeAttribute("aria-invalid");
    const weak = fresh ? weakness(first.value, email) : first.value ? "" : t`Type your recovery password.`;
    if (weak) return fail(weak);
    if (second && second.value !== first.value) return fail(t`The two are not the same.`, second);
    busy(true);
    give(first.value);
  });
  return {
    card: form,
    fail: (text) => {
      first.value = "";
      if (second) second.value = "";
      fail(text);
    },
    next: () =>
      new Promise((resolve, reject) => {
        give = resolve;
        refuse = reject;
      }),
  };
}
