/**
 * Which site is around this frame. Chromium and Safari say so themselves. In Firefox the modal does, and the browser has to confirm it: a page of
 * this site that may be framed within the modals and that one site alone loads there, and nowhere else.
 */
import { FrameError } from "../errors";
import type { Parts } from "../frame";

const PATIENCE = 20_000;
const UNPROVEN = "Your browser does not tell which site this is, so no window can open your wallet here. Open it in another way.";

/** The origin of that site; `said`: as the modal says. Raises where the browser neither says nor confirms it. */
export async function siteAround(said: string, { custody }: Parts): Promise<string> {
  const site = custody.site || ((await isWithin(said)) ? said : "");
  if (!site) throw new FrameError(UNPROVEN, undefined, "site");
  return site;
}

/** Whether the browser loads what may be loaded within that site alone. */
function isWithin(site: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = document.createElement("iframe");
    const end = (loaded: boolean) => {
      clearTimeout(late);
      probe.remove();
      resolve(loaded);
    };
    const late = setTimeout(() => end(false), PATIENCE);
    probe.hidden = true;
    // What the browser shows in the place of a page that it has refused is not of this site, and cannot be read.
    probe.onload = () => end(probe.contentDocument?.documentElement.dataset["within"] === site);
    probe.src = `/within?site=${encodeURIComponent(site)}`;
    document.documentElement.append(probe);
  });
}
