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

/** Write one line into the log, newest first: what happened, in words, and the value itself for who unfolds it. */
export function log(kind: string, words: string, value?: unknown): void {
  const list = part("log");
  list.querySelector(".empty")?.remove();
  const line = make("li", {});
  const said = make("div", {});
  said.append(make("b", {}, kind), " ", make("span", {}, words));
  if (value !== undefined) {
    const more = make("details", {});
    more.append(make("summary", {}, "data"), make("pre", { tabindex: "0" }, asText(value, 2)));
    said.append(more);
  }
  line.append(make("time", {}, new Date().toLocaleTimeString("en-GB")), said);
  list.prepend(line);
  while (list.children.length > LOGGED) list.lastElementChild?.remove();
}

/** A picture in the middle of a text says nothing to its reader. */
const short = (_key: string, value: unknown): unknown =>
  typeof value === "string" && value.startsWith("data:") ? `${value.slice(0, value.indexOf(",") + 1)}…` : value;

export function asText(value: unknown, indent = 0): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) {
    const code = (value as { code?: unknown }).code;
    return code === undefined ? value.message : `${value.message} (code ${String(code)})`;
  }
  return JSON.stringify(value, short, indent) ?? String(value);
}
