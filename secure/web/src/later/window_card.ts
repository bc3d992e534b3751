/** The card before a window of this site's own: browsers open one on a click alone. */
import { element } from "../elements";
import { rejected } from "../errors";
import { explain, t } from "../language";
import { askWindow, type Question } from "../own_window";
import type { Turn } from "../screen";
import { drawDialog, type DialogWords } from "./dialog";

/** Has the visitor open the window `hash`; fulfilled with its answer. Raises 4001 when the visitor cancels. */
export function openWindow(words: DialogWords, hash: string, turn: Turn, question: Question): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const error = element("p", { class: "error", role: "alert", "data-testid": "window-error" });
    const status = element("p", { class: "status", role: "status" });
    const cancel = element("button", { type: "button", "data-testid": "window-cancel" }, t`Cancel`);
    const go = element("button", { type: "button", class: "main", "data-testid": "window-open" }, t`Open the window`);
    cancel.onclick = () => reject(rejected());
    go.onclick = (event) => {
      if (!event.isTrusted) return;
      go.disabled = true;
      error.textContent = "";
      status.textContent = t`Look at the window`;
      askWindow(hash, question, turn.signal).then(
        resolve,
        (failure: Error) => {
          go.disabled = false;
          status.textContent = "";
          error.textContent = explain(failure);
        },
      );
    };
    turn.show(drawDialog(words, { below: [error], status, buttons: [cancel, go] }));
  });
}
