/** What the site holds of the visitor, shown and saved in a window of its own: neither modal nor host page sees it. */
import { element } from "../elements";
import type { Parts } from "../frame";
import { t } from "../language";
import { openWindow } from "../later/window_card";
import { serveWindow } from "../own_window";
import { malformed } from "../user";

const HASH = "#data";
const WORDS = {
  title: t`Your data`,
  lines: [t`What this site holds of you opens in a window of its own, where you can save it.`, t`Your keys are not in it: nobody but you has them.`],
};

/** Shows it; raises 4001 when the visitor cancels. */
export async function showData({ api, screen }: Parts): Promise<void> {
  await screen.run(async (turn) => {
    const { data } = await api.call("/v1/account/data");
    if (data === undefined) throw malformed();
    await openWindow(WORDS, HASH, turn, { data });
  });
}

/** Is that window. */
export function beDataWindow(opener: Window): void {
  serveWindow<{ data: unknown }>(opener, ({ data }) => {
    const text = JSON.stringify(data, null, 2);
    const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const done = element("button", { type: "button", "data-testid": "data-done" }, t`Done`);
    const save = element("button", { type: "button", class: "main", "data-testid": "data-save" }, t`Save`);
    save.onclick = () => element("a", { href, download: "wallet-data.json" }).click();
    const card = element(
      "main",
      { class: "card", "aria-labelledby": "title" },
      element("header", {}, element("h1", { id: "title", tabindex: "-1" }, t`Your data`)),
      element("div", { class: "body", tabindex: "0", role: "region", "aria-label": t`Your data` }, element("div", {}, element("pre", { class: "text", dir: "ltr" }, text))),
      element("footer", {}, element("div", { class: "buttons" }, done, save)),
    );
    return { card, answer: new Promise((resolve) => (done.onclick = () => resolve(null))) };
  });
}
