/** Where the page stands: what the loader says about the host window, and what the browser says about the system. */
import type { Surroundings, System } from "./links";

let known: Surroundings = { url: "", telegram: false, system: "", marks: [] };

/** What is known of the host page. */
export function host(): Surroundings {
  return known;
}

/** Takes over what the loader says. */
export function standIn(page: Record<string, unknown>, system: System): void {
  known = {
    ...known,
    url: typeof page.url === "string" ? page.url : "",
    telegram: page.telegram === true,
    system,
  };
}

/** Takes over which wallets the host window has. */
export function noteMarks(marks: unknown): void {
  if (Array.isArray(marks)) known = { ...known, marks: marks.filter((mark) => typeof mark === "string") };
}

/** The system that a user agent names; an iPad calls itself a Mac, but is touched. */
export function systemOf(agent: string, coarse: boolean): System {
  if (/android/i.test(agent)) return "android";
  if (/iphone|ipad|ipod/i.test(agent)) return "ios";
  if (/macintosh|mac os/i.test(agent)) return coarse ? "ios" : "mac";
  return "";
}

/** Whether a user agent is that of a phone or tablet. */
export function isMobileAgent(agent: string): boolean {
  return /android|webos|iphone|ipad|ipod|blackberry|opera mini|iemobile|mobile/i.test(agent);
}
