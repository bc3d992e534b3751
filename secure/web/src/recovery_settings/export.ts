/** Export: the recovery phrase and the keys, shown in a window of the secure site's own, and nowhere else. */
import { base64url, unbase64url, wipe, type Bytes } from "../bytes";
import { text } from "../clean";
import { sealTo } from "../ecies";
import { element } from "../elements";
import { recoveryNeeded, rejected } from "../errors";
import type { Parts } from "../frame";
import { askWindow } from "../own_window";
import type { Turn } from "../screen";
import { malformed } from "../user";
import { prove } from "./proof";

export const HASH = "#export";
export const PURPOSE = "walletmodal export 1";

/** What the window is given: the root, sealed to a key that the window alone has. */
export interface Exported {
  user: string;
  box: string;
}

/** Shows phrase and keys after a fresh proof; raises 4001 when the visitor cancels. */
export async function exportWallet(parts: Parts): Promise<void> {
  const { api, custody, login, screen } = parts;
  const user = await login.user();
  if (!(await custody.holds(user))) throw recoveryNeeded();
  await screen.run(async (turn) => {
    const proof = await prove("export", "You are about to see the recovery phrase and the keys of your wallet.", turn, parts);
    // Taken once: the window may be closed and opened again.
    const half = (await api.call("/v1/wallet/export", { proof }))["half"];
    await showWindow(turn, async (ready) => {
      const point = unbase64url(text((ready as { key?: unknown } | undefined)?.key, 100) ?? "", 65);
      const root = await custody.withKeys(user, (_keys, entropy) => entropy.slice() as Bytes, async () => half);
      try {
        return { user: user.id, box: base64url(await sealTo(point, root, PURPOSE, user.id)) } satisfies Exported;
      } catch {
        throw malformed();
      } finally {
        wipe(root);
      }
    });
  });
}

/** Has the visitor open the window: browsers open one on a click alone. Fulfilled once it was closed. */
function showWindow(turn: Turn, question: (ready: unknown) => Promise<object>): Promise<void> {
  return new Promise((resolve, reject) => {
    const error = element("p", { class: "error", role: "alert", "data-testid": "export-error" });
    const status = element("p", { class: "status", role: "status" });
    const cancel = element("button", { type: "button", "data-testid": "export-cancel" }, "Cancel");
    const go = element("button", { type: "button", class: "main", "data-testid": "export-window" }, "Open the window");
    const lines = [
      "Your phrase and keys open in a window of their own, which no other page can read.",
      "Whoever sees them can take all that is in your wallet. Make sure that nobody looks at your screen.",
    ];
    const card = element(
      "main",
      { class: "card", role: "dialog", "aria-labelledby": "title" },
      element("header", {}, element("h1", { id: "title", tabindex: "-1" }, "Export your wallet")),
      element("div", { class: "body" }, element("div", { class: "recovery" }, ...lines.map((line) => element("p", {}, line)), error)),
      element("footer", {}, status, element("div", { class: "buttons" }, cancel, go)),
    );
    cancel.onclick = () => reject(rejected());
    go.onclick = (event) => {
      if (!event.isTrusted) return;
      go.disabled = true;
      error.textContent = "";
      status.textContent = "Look at the window";
      askWindow(HASH, question, turn.signal).then(
        () => resolve(),
        (failure: Error) => {
          go.disabled = false;
          status.textContent = "";
          error.textContent = failure.message;
        },
      );
    };
    turn.show(card);
    document.getElementById("title")?.focus({ preventScroll: true });
  });
}
