/** What the first script has lent to this one. */
import type { Page } from "../seam";

export let page: Page;

/** Takes over what a modal lends; the modal before has ended. */
export function lend(given: Page): void {
  page = given;
}
