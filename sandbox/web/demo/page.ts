/** The pieces of the page that the demo's parts write to. */
import { make } from "../dom";

const LOGGED = 60;

export function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Tell the developer something that must not be overlooked. */
export function notice(text: string): void {
  part("notices").append(make("p", { class: "notice", "data-testid": "demo-notice" }, text));
}

/** Write one line into the log, newest first. */
export function log(kind: string, value: unknown): void {
  const list = part("log");
  list.querySelector(".empty")?.remove();
  const line = make("li", {});
  const time = new Date().toLocaleTimeString("en-GB");
  line.append(make("time", {}, time), make("b", {}, kind), make("code", {}, asText(value)));
  list.prepend(line);
  while (list.children.length > LOGGED) list.lastElementChild?.remove();
}

export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) {
    const code = (value as { code?: unknown }).code;
    return code === undefined ? value.message : `${value.message} (code ${String(code)})`;
  }
  return JSON.stringify(value) ?? String(value);
}
