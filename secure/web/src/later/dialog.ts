/** A card of this site's own words. */
import { element } from "../elements";

export interface DialogWords {
  title: string;
  lines: string[];
}

interface DialogParts {
  /** Under the sentences. */
  below?: Node[];
  status?: Node;
  buttons: Node[];
  testId?: string;
}

/** Draws a title, a sentence to a paragraph, and buttons at the end. */
export function drawDialog({ title, lines }: DialogWords, { below = [], status, buttons, testId }: DialogParts): HTMLElement {
  return element(
    "main",
    { class: "card", role: "dialog", "aria-labelledby": "title", "data-testid": testId },
    element("header", {}, element("h1", { id: "title", tabindex: "-1" }, title)),
    element("div", { class: "body" }, element("div", { class: "recovery" }, ...lines.map((line) => element("p", {}, line)), ...below)),
    element("footer", {}, status, element("div", { class: "buttons" }, ...buttons)),
  );
}
