/** The mailbox's page: asks the control for the mails, and draws what is new. */
import { make } from "../dom";

type Mail = { to: string; subject: string; text: string; html: string; at: string };

const PAUSE = 1_000;
const LINK = /https?:\/\/[^\s<>"]+/g;

const part = (id: string) => document.getElementById(id)!;
const list = part("mails");
const filter = part("to") as HTMLInputElement;
let shown = "";

/** A mail's plain text, its links as links. */
function textOf({ text }: Mail): HTMLElement {
  const body = make("pre", { "data-testid": "mail-text" });
  let end = 0;
  for (const found of text.matchAll(LINK)) {
    body.append(text.slice(end, found.index), make("a", { href: found[0], target: "_blank", rel: "noreferrer" }, found[0]));
    end = found.index + found[0].length;
  }
  body.append(text.slice(end));
  return body;
}

/** A mail's HTML, in a frame that runs nothing; its links open in a tab of their own. */
function htmlOf({ html, subject }: Mail): HTMLElement {
  const details = make("details", {});
  const frame = make("iframe", { title: subject, sandbox: "allow-popups allow-popups-to-escape-sandbox", loading: "lazy" });
  frame.srcdoc = `<base target="_blank">${html}`;
  details.append(make("summary", {}, "As it looks"), frame);
  return details;
}

function entryOf(mail: Mail): HTMLElement {
  const entry = make("li", { "data-testid": "mail-item", "data-to": mail.to });
  const facts = make("p", { class: "facts" }, `To ${mail.to} `);
  facts.append(make("time", { datetime: mail.at }, new Date(mail.at).toLocaleTimeString()));
  entry.append(make("h2", {}, mail.subject || "(no subject)"), facts, textOf(mail));
  if (mail.html) entry.append(htmlOf(mail));
  return entry;
}

async function look(): Promise<void> {
  const to = filter.value.trim();
  try {
    const answer = await fetch(`/sandbox/mails${to ? `?to=${encodeURIComponent(to)}` : ""}`);
    const mails = (await answer.json()) as Mail[];
    const now = JSON.stringify(mails);
    if (answer.ok && now !== shown) {
      shown = now;
      part("empty").hidden = mails.length > 0;
      list.replaceChildren(...mails.map(entryOf).reverse());
    }
  } catch {
    // The sandbox starts again, or has stopped; the page goes on asking.
  }
  setTimeout(look, PAUSE);
}

filter.value = new URLSearchParams(location.search).get("to") ?? "";
void look();
