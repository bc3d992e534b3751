/** The window of an export. What it shows is opened here, with a key that no other page has, and overwritten when the window is left. */
import { base64url, concat, hex, unbase64url, wipe, type Bytes } from "../bytes";
import { oneTimeKey, openSealed, rawPoint } from "../ecies";
import { element } from "../elements";
import { t } from "../language";
import { serveWindow } from "../own_window";
import type { ExportCore } from "../scripts";
import { PURPOSE, type Exported } from "./export";

const HIDDEN = "•••• •••• •••• ••••";
const FAILED = t`The wallet could not be opened. Close this window and try again.`;

/** Is that window. */
export async function beExportWindow(opener: Window, core: ExportCore): Promise<void> {
  const own = await oneTimeKey();
  const ready = { key: base64url(await rawPoint(own.publicKey)) };
  serveWindow<Exported>(opener, (exported) => draw(openSealed(own.privateKey, unbase64url(exported.box), PURPOSE, exported.user), core), ready);
}

function draw(opening: Promise<Bytes>, core: ExportCore): { card: HTMLElement; answer: Promise<unknown> } {
  const body = element("div", { class: "recovery" }, element("p", { role: "status" }, t`One moment…`));
  const done = element("button", { type: "button", class: "main", "data-testid": "export-done" }, t`Done`);
  const card = element(
    "main",
    { class: "card", "aria-labelledby": "title" },
    element("header", {}, element("h1", { id: "title", tabindex: "-1" }, t`Your recovery phrase and keys`)),
    element("div", { class: "body" }, body),
    element("footer", {}, element("div", { class: "buttons" }, done)),
  );
  const answer = new Promise<null>((resolve) => (done.onclick = () => resolve(null)));
  const clear = () => body.replaceChildren();
  addEventListener("pagehide", clear);
  void answer.then(clear);
  opening.then((root) => fill(body, root, core)).catch(() => body.replaceChildren(element("p", { class: "error", role: "alert" }, FAILED)));
  return { card, answer };
}

async function fill(body: HTMLElement, root: Bytes, core: ExportCore): Promise<void> {
  const keys = await core.deriveKeys(root);
  const { evm, solana } = core.addressesOf(keys);
  const words = core.mnemonicOf(root).split(" ");
  // Phantom takes the key with its public part behind it.
  const pair = concat(keys.solana, core.base58.decode(solana));
  const shown = [
    element("p", {}, t`Write the words down in this order, and keep them where nobody else finds them. Nobody of us ever asks for them.`),
    secret(t`Recovery phrase`, "phrase", words.join(" "), () => phrase(words), t`Any wallet takes it, for example MetaMask and Phantom.`),
    secret(t`Ethereum private key`, "evm", `0x${hex(keys.evm)}`, plain(`0x${hex(keys.evm)}`), t`Account`, evm),
    secret(t`Solana private key`, "solana", core.base58.encode(pair), plain(core.base58.encode(pair)), t`Account`, solana),
  ];
  wipe(root, keys.evm, keys.solana, pair);
  body.replaceChildren(...shown);
}

const plain = (text: string) => () => element("p", { class: "key" }, text);

const phrase = (words: string[]) => element("ol", { class: "phrase" }, ...words.map((word) => element("li", {}, word)));

/** A part that is hidden until it is asked for. */
function secret(title: string, name: string, text: string, draw: () => HTMLElement, note: string, account = ""): HTMLElement {
  const place = element("div", { "data-testid": `export-${name}` }, element("p", { class: "key", "aria-label": t`Hidden` }, HIDDEN));
  const status = element("span", { class: "quiet", role: "status" });
  const show = element("button", { type: "button", class: "link", "data-testid": `export-show-${name}`, "aria-label": t`Show: ${title}` }, t`Show`);
  const copy = element("button", { type: "button", class: "link", "data-testid": `export-copy-${name}`, "aria-label": t`Copy: ${title}`, hidden: true }, t`Copy`);
  show.onclick = () => {
    place.replaceChildren(draw());
    show.hidden = true;
    copy.hidden = false;
    copy.focus();
  };
  copy.onclick = () =>
    void navigator.clipboard.writeText(text).then(
      () => (status.textContent = t`Copied. Other programs can read the clipboard: copy something else afterwards.`),
      () => (status.textContent = t`Failed to copy`),
    );
  return element("section", {}, element("h2", {}, title), place, element("p", { class: "quiet" }, note, account && element("span", { class: "address" }, ` ${account}`)), element("p", {}, show, copy, " ", status));
}
