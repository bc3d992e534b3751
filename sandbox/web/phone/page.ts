/** The pieces of the page that all of the phone's parts draw with. */
import { make } from "../dom";
import type { Peer } from "./phone";

const MAX_NAME = 60;

export function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Who an app says it is. */
export function appLine({ name, url, icons }: Peer): HTMLElement {
  const called = name.slice(0, MAX_NAME) || "An app without a name";
  const line = make("div", { class: "app" });
  const mark = make("span", { class: "mark", "aria-hidden": "true" }, called.slice(0, 1).toUpperCase());
  const icon = icons?.find(isOfThisMachine);
  if (icon !== undefined) {
    const image = make("img", { alt: "" });
    image.addEventListener("load", () => mark.replaceChildren(image));
    image.src = icon;
  }
  const words = make("div", {});
  words.append(make("h3", {}, called), make("p", { "data-testid": "phone-app-url" }, hostOf(url)));
  line.append(mark, words);
  return line;
}

/** Pictures of elsewhere would tell others what goes on here. */
function isOfThisMachine(icon: unknown): icon is string {
  if (typeof icon !== "string" || !URL.canParse(icon)) return false;
  const { protocol, hostname } = new URL(icon);
  return icon.startsWith("data:image/") || (/^https?:$/.test(protocol) && ["localhost", "127.0.0.1"].includes(hostname));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "An app without an address";
}
