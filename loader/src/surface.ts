/** How the frame sits in the host page: its iframe, and what the page gives up while the modal is open. */

/** Stops the page from scrolling; returns what restores each declaration exactly as it was. */
export function lockScroll(): () => void {
  const root = document.documentElement;
  const { style } = root;
  const bare = !root.hasAttribute("style");
  const restore = Object.entries({
    overflow: "hidden",
    "touch-action": "none",
    "overscroll-behavior": "contain",
    // Keeps the place of the scrollbar that is about to vanish, or the page would jump sideways.
    "scrollbar-gutter": innerWidth > root.clientWidth ? "stable" : "",
  }).map(([name, value]) => {
    const before = [style.getPropertyValue(name), style.getPropertyPriority(name)] as const;
    if (value) style.setProperty(name, value, "important");
    return () => style.setProperty(name, ...before);
  });
  return () => {
    restore.forEach((put) => put());
    if (bare) root.removeAttribute("style");
  };
}

/** The element that has the focus, inside open shadow roots too, unless these pass the focus on by themselves. */
export function focused(): HTMLElement {
  let element = document.activeElement ?? document.body;
  for (let root; (root = element.shadowRoot) && !root.delegatesFocus && root.activeElement; ) element = root.activeElement;
  return element as HTMLElement;
}

/** Makes the iframe of the modal; `embedded` puts it into the page's flow instead of over the page. */
export function createIframe(src: URL, embedded: boolean): HTMLIFrameElement {
  const iframe = document.createElement("iframe");
  const { style } = iframe;
  iframe.title = "Wallet connection";
  iframe.allow = "clipboard-write " + src.origin;
  // scripts: the modal is an application. same-origin: its socket, cookie and storage belong to its own origin (never the
  // host's, or the sandbox would be void). forms: the e-mail and code inputs submit. popups: deep links and wallet sites.
  iframe.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms allow-popups");
  // Hidden, not display:none, in which a frame neither lays out nor animates. The colour scheme equals that of the frame's
  // root: with unequal schemes browsers paint the frame opaque.
  style.cssText =
    "border:0;width:100%;height:100%;background:none;color-scheme:light!important" + (embedded ? "" : ";position:fixed;inset:0;visibility:hidden");
  iframe.src = src.href;
  return iframe;
}
