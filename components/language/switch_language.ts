import { app, eventLoop } from "$/utils/context-registry";

/** Each event brings the page's address, by which the server knows what languages to answer in; what it has sent so far is in another. */
export function tellServer(locales: string): void {
  history.replaceState(null, "", `#locale=${locales}`);
  eventLoop.addEvents(app.initialEvents(true));
}

/** As `showIn` of other.ts. Where that script does not come all is English, also where the server has begun in the browser's language. */
export const showIn = (locales: string, texts: URL): Promise<void> =>
  import("./other").then(
    (other) => other.showIn(locales, texts),
    () => tellServer("en"),
  );
